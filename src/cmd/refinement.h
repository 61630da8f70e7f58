/* The report of `check` on a refinement. */
#ifndef IMP_CMD_REFINEMENT_H
#define IMP_CMD_REFINEMENT_H

#include "solve/sweep.h"

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
