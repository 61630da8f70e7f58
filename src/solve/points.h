/* Points of a refined sweep: they lie on the lattice of the refined axes, and in one cell of the others, which
 * are called outer here. */
#ifndef IMP_SOLVE_POINTS_H
#define IMP_SOLVE_POINTS_H

#include "solve/sweep.h"

typedef struct imp_point {
    int64_t cell; /* of the outer axes, in C order; 0 where there are none */
    uint32_t key[IMP_REFINE_AXES];
} imp_point;

bool imp_sweep_is_refined(const imp_sweep *sweep);

/* Whether the ranks that compute write too. Not of a refined sweep: rank 0 needs the values for the next round,
 * and the file moves when it grows. */
bool imp_sweep_writes_in_parallel(const imp_sweep *sweep);

/* Which axis of the lattice an axis of the grid is; -1: an outer one. */
int imp_sweep_lattice_axis(const imp_sweep *sweep, int axis);

/* Cells of the outer axes, at least 1: so many refinements there are. */
int64_t imp_sweep_outer_cells(const imp_sweep *sweep);

/* The value of a column of the grid at a point; for a choice the index of the option. */
double imp_point_value(const imp_sweep *sweep, int axis, int column, const imp_point *point);

/* The finest level, at most the depth, whose flat grid has at most 2^26 nodes over all outer cells. */
int imp_sweep_flat_level(const imp_sweep *sweep);

enum { IMP_POINTS_AT_ONCE = 512 };

/* A sweep of the same cells along one axis instead of the grid, on which imp_points_set puts up to
 * IMP_POINTS_AT_ONCE points: an evaluator of it then solves these as cells 0, 1, .. The sweep must outlive it;
 * imp_points_close frees its grid. IMP_ERR_MEMORY; IMP_ERR_INPUT: too many columns. */
imp_err imp_points_open(const imp_sweep *sweep, imp_sweep *points);
void imp_points_set(const imp_sweep *sweep, const imp_point *point, size_t n, imp_sweep *points);
void imp_points_close(imp_sweep *points);

#endif
