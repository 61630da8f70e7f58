/* Solves intervals of a sweep's cells. One evaluator belongs to one thread. */
#ifndef IMP_SOLVE_EVALUATOR_H
#define IMP_SOLVE_EVALUATOR_H

#include "solve/sweep.h"

typedef struct imp_evaluator imp_evaluator;

/* The sweep must outlive the evaluator. On failure *evaluator is NULL.
 * Errors: IMP_ERR_MEMORY, and those of opening the theory. */
imp_err imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator);
void imp_evaluator_close(imp_evaluator **evaluator);

/* Solves the cells first .. first+n-1 into a block (block.h) of imp_block_size(sweep, n) bytes.
 * The bits of a cell do not depend on first and n. */
imp_err imp_evaluate(imp_evaluator *evaluator, int64_t first, size_t n, void *block);

#endif
