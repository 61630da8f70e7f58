/* Points of a refined sweep. A point is a node of the lattice of the refined axes in one cell of
 * the other axes, which are called outer. */
#ifndef IMP_SOLVE_POINTS_H
#define IMP_SOLVE_POINTS_H

#include "solve/sweep.h"

typedef struct imp_point {
    int64_t cell; /* of the outer axes, in C order; 0 where there are none */
    uint32_t key[IMP_REFINE_AXES];
} imp_point;

bool imp_sweep_is_refined(const imp_sweep *sweep);

/* Whether the ranks that compute also write. In a refined sweep they never do: rank 0 needs the
 * values for the next round, and the file moves when it grows. */
bool imp_sweep_writes_in_parallel(const imp_sweep *sweep);

/* Index in the lattice of an axis of the grid; -1: an outer axis. */
int imp_sweep_lattice_axis(const imp_sweep *sweep, int axis);

/* Number of cells of the outer axes, at least 1; each has one refinement. */
int64_t imp_sweep_outer_cells(const imp_sweep *sweep);

/* The outer axis along which events are looked for: the last one that has numbers, several of them;
 * -1: there is none. From one row to the next a table or a sample may change anything; what follows
 * a number by a formula has values between those of the axis, too. */
int imp_sweep_event_axis(const imp_sweep *sweep);

/* Outer cells from one value of an outer axis to the next. */
int64_t imp_sweep_outer_stride(const imp_sweep *sweep, int axis);

/* The value of a column of the grid at a point; for a choice the index of the option. */
double imp_point_value(const imp_sweep *sweep, int axis, int column, const imp_point *point);

/* The finest level, at most the depth, whose flat grid has at most 2^26 nodes over all outer
 * cells. */
int imp_sweep_flat_level(const imp_sweep *sweep);

enum { IMP_POINTS_AT_ONCE = 512 };

/* Makes a sweep with one axis instead of the grid. imp_points_set puts up to IMP_POINTS_AT_ONCE
 * points on this axis; an evaluator of `points` then solves them as cells 0, 1, .. The sweep must
 * outlive `points`; imp_points_close frees its grid. IMP_ERR_MEMORY; IMP_ERR_INPUT: too many
 * columns. */
imp_err imp_points_open(const imp_sweep *sweep, imp_sweep *points);
void imp_points_set(const imp_sweep *sweep, const imp_point *point, size_t n, imp_sweep *points);
void imp_points_close(imp_sweep *points);

#endif
