/* Refinements at values between those of an outer axis, by which events are told more sharply. Rank
 * 0 makes them alone, with nothing but its own memory: their points are in no file, and a run that
 * is resumed makes them again. */
#ifndef IMP_SCHED_BETWEEN_H
#define IMP_SCHED_BETWEEN_H

#include "store/findings.h"

typedef struct imp_between_work imp_between_work;

/* stop: asked between rounds (context is its own). Close *work with imp_between_close, which
 * accepts NULL. IMP_ERR_MEMORY. */
imp_err imp_between_open(const imp_sweep *sweep, bool (*stop)(const void *context),
                         const void *context, imp_between_work **work);
void imp_between_close(imp_between_work **work);

/* The callback of imp_between; context: an imp_between_work. Errors: of memory, of the theory,
 * IMP_ERR_STOPPED. */
imp_err imp_between_refine(void *context, int64_t cell, double value, imp_refinement **refinement);

#endif
