/* The cells that a rank has written but not yet synced: their values may not be on the disk. */
#ifndef IMP_SCHED_WRITTEN_H
#define IMP_SCHED_WRITTEN_H

#include "base/text.h"
#include "sched/message.h"
#include "sched/tally.h"

/* Start with {0}. There is one of these for each rank; to stay small, it holds only the counts that
 * are not 0. */
typedef struct imp_written {
    imp_text notes;
} imp_written;

/* Adds cells that the rank has written. IMP_ERR_MEMORY. */
imp_err imp_written_add(imp_written *written, imp_interval cells, const imp_counts *counts);

/* Goes through the intervals of cells: *at is 0 at first. False: there are no more. */
bool imp_written_next(const imp_written *written, size_t *at, imp_interval *cells);

/* The counts of all these cells. */
imp_counts imp_written_counts(const imp_written *written);

/* Forgets the cells: their values are on the disk, or are computed again. */
void imp_written_clear(imp_written *written);
void imp_written_free(imp_written *written);

#endif
