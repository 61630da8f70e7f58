/* The report of `check` on a refinement. */
#ifndef IMP_CMD_REFINEMENT_H
#define IMP_CMD_REFINEMENT_H

#include "solve/sweep.h"

/* Expected number of points of all refinements of a sweep, at most the budget, if the boundaries of
 * each are together three times as long as a range (with three axes: three times as large as a
 * face; and so on). */
int64_t imp_expected_points(const imp_sweep *sweep);

/* Prints the base, the expected points, the islands that the base can miss and the power of the
 * audit. */
void imp_print_refinement(const imp_sweep *sweep);

/* Seconds per point, by imp_estimate on the nodes of the first lattice. */
imp_err imp_estimate_refinement(const imp_sweep *sweep, double *seconds);

#endif
