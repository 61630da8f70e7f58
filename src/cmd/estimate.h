/* Estimates the time that the cells of a sweep take. */
#ifndef IMP_CMD_ESTIMATE_H
#define IMP_CMD_ESTIMATE_H

#include "solve/sweep.h"

/* Seconds of one core per cell, measured for 0.2 s, of dear cells for up to a second, but on two
 * slices of cells (sched/slice.h) at least, which are spread over the grid and solved as in a run.
 * A theory that needs PETSc starts PETSc, and MPI. Errors: those of opening the theory and of
 * solving. */
imp_err imp_estimate(const imp_sweep *sweep, double *seconds);

/* Processor time of this process; where a guest solves the cells, which is another one, the time on
 * the clock. */
double imp_estimate_now(bool outside);

/* Seconds that n cells, or points of a refined map, take on so many ranks when one takes `seconds`
 * of a core, with their file, without the start. *limited: more ranks would not help, as rank 0
 * receives, writes and plans no faster. */
double imp_estimate_run(const imp_sweep *sweep, double seconds, int64_t n, int64_t ranks,
                        bool *limited);

#endif
