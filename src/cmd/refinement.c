#include "cmd/refinement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/estimate.h"

/* For one refinement, measured on maps of the pendulum, the rod and a ball with three and four
 * axes: five points for each smallest cell that a straight boundary would cross. */
static const double extent = 3, points_per_cell = 5;

static double base_points(const imp_refine_plan *plan) {
    return pow(ldexp(1, plan->base) + 1, plan->lattice.n_axes);
}

/* Points for tracing. On a boundary of moderate curvature a straight piece is as long as the
 * tolerance allows; each piece needs the bisection of its edges, and probes. */
static double curve_points(const imp_refine_plan *plan) {
    int axes = plan->lattice.n_axes;
    bool curves = axes == 2 || axes == 3;
    double length =
        curves ? fmin(sqrt(4 * plan->boundary), ldexp(1, -plan->base)) : ldexp(1, -plan->depth);
    double steps = fmax(log2(length / plan->boundary), 0) + (curves ? 2 * axes : 0);
    double edges = axes == 2 ? 1 : axes;
    return extent * pow(1 / length, axes - 1) * edges * steps;
}

int64_t imp_expected_points(const imp_sweep *sweep) {
    const imp_refine_plan *plan = &sweep->refine;
    double points = base_points(plan);
    if (plan->depth > plan->base) {
        points += points_per_cell * extent * ldexp(1, plan->depth * (plan->lattice.n_axes - 1));
    }
    points += plan->boundary > 0 ? curve_points(plan) : 0;
    points = plan->budget > 0 ? fmin(points, (double)plan->budget) : points;
    points = (points + (double)plan->audit) * (double)imp_grid_outer_cells(&sweep->grid);
    return points < 9e18 ? (int64_t)points : INT64_MAX;
}

static void print_goal(const imp_sweep *sweep) {
    const imp_refine_plan *plan = &sweep->refine;
    imp_text text = {0};
    imp_sweep_print_refine(sweep, &text);
    printf("%-22s %s\n", "refine", imp_text_get(&text));
    imp_text_free(&text);
    printf("  %-20s 2^-%d of each range\n", "smallest cell", plan->depth);
    if (plan->boundary > 0) {
        printf("  %-20s brackets and chords within %.3g of each range\n", "boundaries",
               plan->boundary);
    }
}

void imp_print_refinement(const imp_sweep *sweep) {
    const imp_refine_plan *plan = &sweep->refine;
    int axes = plan->lattice.n_axes;
    char cells[32], points[32], budget[32], outer[32];
    double known = base_points(plan);
    imp_count_text(INT64_C(1) << plan->base * axes, cells);
    imp_count_text(imp_expected_points(sweep), points);
    imp_count_text(plan->budget, budget);
    imp_count_text(imp_grid_outer_cells(&sweep->grid), outer);
    print_goal(sweep);
    printf("%-22s %s\n", "refinements", outer);
    printf("%-22s %s (%d on each of %d axes)\n", "base cells", cells, 1 << plan->base, axes);
    printf("%-22s about %s, if the boundaries of each refinement together measure %g ranges%s; at "
           "most %s in each\n",
           "points", points, extent, axes > 2 ? " (areas: faces)" : "", budget);
    printf("%-22s the base finds an island with the share p of the whole with probability 1 - "
           "exp(-%.0f p): 95 %% for p = %.2g.\n%-22s An island narrower than 1/%d of a range can "
           "be missed.\n",
           "islands", known, 3 / known, "", 1 << plan->base);
    if (plan->audit > 0) {
        printf("%-22s %lld random points: none wrong means that less than %.2g of the whole is "
               "wrong, with 95 %% confidence\n",
               "audit", (long long)plan->audit, 3 / (double)plan->audit);
    }
}

/* The values of an axis at the nodes of the first lattice. */
static double *thinned(const imp_axis *axis, int base, int depth) {
    int64_t n = (INT64_C(1) << base) + 1;
    double *values = malloc((size_t)n * sizeof *values);
    for (int64_t i = 0; values && i < n; i++) {
        values[i] = axis->columns[0].values[i << (depth - base)];
    }
    return values;
}

imp_err imp_estimate_refinement(const imp_sweep *sweep, double *seconds) {
    const imp_refine_plan *plan = &sweep->refine;
    imp_sweep coarse = *sweep;
    double *values[IMP_REFINE_AXES] = {NULL};
    bool fits = true;
    for (int a = 0; a < plan->lattice.n_axes; a++) {
        imp_axis *axis = &coarse.grid.axes[sweep->refined[a]];
        values[a] = thinned(axis, plan->base, plan->depth);
        fits = fits && values[a];
        axis->size = (INT64_C(1) << plan->base) + 1;
        axis->columns[0].values = values[a];
    }
    imp_err error = fits ? imp_estimate(&coarse, seconds) : imp_out_of_memory();
    for (int a = 0; a < plan->lattice.n_axes; a++) {
        free(values[a]);
    }
    return error;
}
