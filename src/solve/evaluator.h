/* Solves intervals of a sweep's cells. One evaluator belongs to one thread. */
#ifndef IMP_SOLVE_EVALUATOR_H
#define IMP_SOLVE_EVALUATOR_H

#include "solve/block.h"

typedef struct imp_evaluator imp_evaluator;

/* The sweep must outlive the evaluator. On failure *evaluator is NULL.
 * Errors: IMP_ERR_MEMORY, and those of opening the theory. */
imp_err imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator);
void imp_evaluator_close(imp_evaluator **evaluator);

/* Solves the cells first .. first+n-1 into the places at .. at+n-1 of a block (block.h) that has
 * room for `room` cells. The bits of a cell depend on none of these. */
imp_err imp_evaluate(imp_evaluator *evaluator, int64_t first, size_t n, void *block, size_t room,
                     size_t at);

#endif
