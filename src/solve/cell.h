/* The only cell of a sweep without axes, with every output. */
#ifndef IMP_SOLVE_CELL_H
#define IMP_SOLVE_CELL_H

#include "base/json.h"
#include "solve/sweep.h"

/* Start with {0}; imp_solved_free frees the values. */
typedef struct imp_solved {
    uint8_t outcome;
    double *values;               /* of every output, one after another */
    double *out[IMP_MAX_OUTPUTS]; /* where those of each output begin */
} imp_solved;

/* Errors: those of imp_solve, IMP_ERR_MEMORY. */
imp_err imp_cell_solve(const imp_sweep *sweep, imp_solved *solved);
void imp_solved_free(imp_solved *solved);

/* An object: `outcome`, then every output by name, null where it is undefined. */
void imp_solved_json(imp_json *json, const imp_theory *theory, const imp_solved *solved);

#endif
