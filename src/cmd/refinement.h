/* What `check` says of a refinement before it is run. */
#ifndef IMP_CMD_REFINEMENT_H
#define IMP_CMD_REFINEMENT_H

#include "solve/sweep.h"

/* Points of all refinements of a sweep, if the boundaries of each are together three times as long as a range (three
 * axes: have three times the area of a face; and so on): an expectation, at most the budget. */
int64_t imp_expected_points(const imp_sweep *sweep);

/* Prints the base, the points expected, what the base can miss and what the audit can show. */
void imp_print_refinement(const imp_sweep *sweep);

/* Seconds per point, as imp_estimate says it of the cells of the first lattice. */
imp_err imp_estimate_refinement(const imp_sweep *sweep, double *seconds);

#endif
