/* How long the cells of a sweep take. */
#ifndef IMP_CMD_ESTIMATE_H
#define IMP_CMD_ESTIMATE_H

#include "solve/sweep.h"

/* Seconds of one core per cell, measured in 0.2 s, besides the first cell, on batches of cells spread over the grid,
 * solved as a run solves them. A theory that needs PETSc starts it, and MPI. Errors: those of opening
 * the theory and of solving. */
imp_err imp_estimate(const imp_sweep *sweep, double *seconds);

#endif
