/* The points of a refinement that this process solves alone, with nothing but its own memory. */
#ifndef IMP_SCHED_POINTWISE_H
#define IMP_SCHED_POINTWISE_H

#include "refine/generator.h"
#include "solve/evaluator.h"
#include "solve/points.h"

typedef struct imp_pointwise {
    const imp_sweep *sweep;
    imp_sweep line; /* of the points */
    imp_layout layout;
    imp_evaluator *evaluator; /* NULL: not needed yet */
    int part[IMP_MAX_RULES];  /* of a block */
    void *block;
} imp_pointwise;

/* The sweep must outlive it; values of its outer axes may change. Call imp_pointwise_close in any
 * case. IMP_ERR_MEMORY, IMP_ERR_INPUT: too many columns. */
imp_err imp_pointwise_open(const imp_sweep *sweep, imp_pointwise *p);
void imp_pointwise_close(imp_pointwise *p);

/* Solves the points of a round in an outer cell and tells them. stop (context is its own) is asked
 * between some points: then IMP_ERR_STOPPED. Errors: of memory, of the theory. */
imp_err imp_pointwise_solve(imp_pointwise *p, int64_t cell, const imp_refine_round *round,
                            bool (*stop)(const void *context), const void *context,
                            imp_refinement *refinement);

#endif
