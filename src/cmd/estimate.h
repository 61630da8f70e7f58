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

/* What to expect of a refined sweep. How far its boundaries reach is measured by refining a few
 * outer cells as far as some tenths of a second allow, without curves, and is told from the level
 * of cells that this completed; where even the first points are too dear, boundaries are taken to
 * be three times as long as a range (with three axes: as large as three faces; and so on). */
typedef struct imp_forecast {
    double seconds; /* of a core per point, by imp_estimate on the nodes of the first lattice */
    double extent;  /* of the boundaries of one refinement, in ranges or faces */
    int level;      /* of the cells that tell it; -1: it is a guess */
    double points, edges; /* of all refinements: points with the audit; crossed edges in tables */
    int64_t n;            /* the points, rounded */
    double bytes;         /* of the file */
} imp_forecast;

/* *forecast is complete, but for the seconds, also after an error: those of the theory. */
imp_err imp_forecast_refinement(const imp_sweep *sweep, imp_forecast *forecast);

/* Prints the base, the expected points, the islands that the base can miss and the power of the
 * audit. */
void imp_print_refinement(const imp_sweep *sweep, const imp_forecast *forecast);

#endif
