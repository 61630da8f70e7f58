/* The cells of a rank that writes, as long as their values may not be on the disk. */
#ifndef IMP_SCHED_WRITTEN_H
#define IMP_SCHED_WRITTEN_H

#include "base/text.h"
#include "sched/message.h"
#include "sched/tally.h"

/* Start with {0}. */
typedef struct imp_written {
    imp_text runs; /* imp_order */
    imp_counts counts;
} imp_written;

/* Adds cells that the rank has written. IMP_ERR_MEMORY. */
imp_err imp_written_add(imp_written *written, imp_order cells, const imp_counts *counts);

/* The number of runs; one of them. */
size_t imp_written_runs(const imp_written *written);
imp_order imp_written_run(const imp_written *written, size_t number);

/* The values are on the disk, or lost. */
void imp_written_clear(imp_written *written);
void imp_written_free(imp_written *written);

#endif
