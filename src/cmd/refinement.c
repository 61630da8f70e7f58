
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/estimate.h"
#include "sched/pointwise.h"

/* Measured on maps of the pendulum, the rod and a ball with three and four axes: points for each
 * smallest cell that a straight boundary along an axis would cross; and the boundaries of one
 * refinement, where nothing else is known. */
static const double points_per_cell = 5, usual_extent = 3;

/* Pilots refine a few outer cells as far as they come in so many seconds together, after their
 * first points, which may take `dearest`. */
enum { PILOTS = 3, PILOT_POINTS = 1 << 18 };
static const double pilot_seconds = 0.5, dearest = 0.5;

static double base_points(const imp_refine_plan *plan) {
    return pow(ldexp(1, plan->base) + 1, plan->lattice.n_axes);
}

static bool has_curves(const imp_refine_plan *plan) {
    return plan->lattice.n_axes == 2 || plan->lattice.n_axes == 3;
}

/* A straight piece is as long as the tolerance allows on a boundary of moderate curvature, which
 * surfaces have more of, but no longer than the largest cells that are divided by pieces. */
static double piece_length(const imp_refine_plan *plan) {
    int axes = plan->lattice.n_axes, first = plan->first ? plan->first : axes == 2 ? 6 : 5;
    double length = sqrt((axes == 2 ? 2 : 0.4) * plan->boundary);
    return has_curves(plan) ? fmin(length, ldexp(1, -first)) : ldexp(1, -plan->depth);
}

/* The edges of cells that boundaries cross, where they are traced. */
static double crossed_edges(const imp_refine_plan *plan, double extent) {
    int axes = plan->lattice.n_axes;
    double pieces = extent * pow(1 / piece_length(plan), axes - 1);
    return plan->boundary > 0 ? pieces * (axes == 2 ? 1 : axes) : 0;
}

/* Points for tracing: each piece needs the bisection of its edges, and probes. */
static double curve_points(const imp_refine_plan *plan, double extent) {
    int axes = plan->lattice.n_axes;
    double steps = plan->boundary > 0 ? fmax(log2(piece_length(plan) / plan->boundary), 0) : 0;
    return crossed_edges(plan, extent) * (steps + (has_curves(plan) ? 2 * axes : 0));
}

/* Points of one refinement without its audit, of which so many are known that lead to the cells of
 * a level. */
static double all_points(const imp_refine_plan *plan, double extent, double known, int level) {
    int slopes = plan->lattice.n_axes - 1;
    double cells = ldexp(1, plan->depth * slopes) - ldexp(1, level * slopes);
    double points = known + points_per_cell * extent * cells + curve_points(plan, extent);
    return plan->budget > 0 ? fmin(points, (double)plan->budget) : points;
}

/* ---- time of a point ---- */

/* The values of an axis at the nodes of the first lattice. */
static double *thinned(const imp_axis *axis, int base, int depth) {
    int64_t n = (INT64_C(1) << base) + 1;
    double *values = malloc((size_t)n * sizeof *values);
    for (int64_t i = 0; values && i < n; i++) {
        values[i] = axis->columns[0].values[i << (depth - base)];
    }
    return values;
}

/* Seconds per point, on the nodes of the first lattice. */
static imp_err measure_seconds(const imp_sweep *sweep, double *seconds) {
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

/* ---- pilots ---- */

typedef struct pilots {
    imp_pointwise points;
    bool outside; /* a guest solves the points */
    int n;
    double end; /* of the time of one of them */
} pilots;

static bool is_over(const void *context) {
    const pilots *p = context;
    return imp_estimate_now(p->outside) > p->end;
}

/* Mixed cells for a boundary of the extent 1, in all directions alike. */
static double cells_of_unit(int axes) {
    static const double cells[IMP_REFINE_AXES + 1] = {1, 1, 1.27, 1.5, 1.70};
    return cells[axes];
}

/* What the levels that a pilot completed say; it has asked for the points of one more. Boundaries
 * that grow from cells to smaller ones, as where results depend on any detail, go on to grow. */
static void judge(const imp_refinement *pilot, const imp_refine_plan *plan, imp_forecast *f) {
    imp_refine_statistics s = imp_refine_statistics_of(pilot);
    int axes = plan->lattice.n_axes;
    bool whole = imp_refine_state_of(pilot) == IMP_REFINE_DONE;
    int level = whole ? plan->depth : s.level - 1;
    double cells = (double)s.mixed[level], step = ldexp(1, axes - 1);
    double extent = cells / cells_of_unit(axes) / pow(step, level);
    double growth = level > plan->base ? cells / fmax((double)s.mixed[level - 1], 1) / step : 1;
    extent *= pow(growth > 1.1 ? fmin(growth, 2) : 1, plan->depth - level);
    f->extent += extent;
    f->level = f->level < 0 || level < f->level ? level : f->level;
    f->points += all_points(plan, extent, (double)s.points, whole ? level : s.level);
    f->edges += crossed_edges(plan, extent);
}

static imp_err refine(pilots *p, int64_t cell, imp_refinement *pilot) {
    imp_refine_round round = {.n = 1};
    imp_err error = IMP_OK;
    p->end = INFINITY; /* the first cells are solved in any case */
    while (!error && round.n > 0) {
        error = imp_refine_next(pilot, &round);
        error = error ? error : imp_pointwise_solve(&p->points, cell, &round, is_over, p, pilot);
        p->end = round.first == 0 ? imp_estimate_now(p->outside) + pilot_seconds / p->n : p->end;
    }
    return error;
}

/* Refines one outer cell, without curves; false: nothing is known. */
static bool run_pilot(pilots *p, int64_t cell, imp_forecast *f) {
    const imp_refine_plan *whole = &p->points.sweep->refine;
    imp_refine_plan plan = *whole;
    plan.boundary = 0;
    plan.audit = plan.lines = 0;
    plan.filaments = false;
    plan.budget = (int64_t)fmax(base_points(&plan), PILOT_POINTS);
    imp_refinement *pilot;
    imp_err error = imp_refine_open(&plan, &pilot);
    error = error ? error : refine(p, cell, pilot);
    bool known =
        (!error || error == IMP_ERR_STOPPED) && (imp_refine_state_of(pilot) == IMP_REFINE_DONE ||
                                                 imp_refine_statistics_of(pilot).level > plan.base);
    if (known) {
        judge(pilot, whole, f);
    }
    imp_refine_close(&pilot);
    return known;
}

/* Pilots at outer cells all over the grid; returns how many told something. */
static int run_pilots(const imp_sweep *sweep, imp_forecast *f) {
    double most = fmin(dearest / (f->seconds * base_points(&sweep->refine)), PILOTS);
    int64_t outer = imp_grid_outer_cells(&sweep->grid);
    pilots p = {.outside = sweep->owned != NULL, .n = (int)fmin(most, (double)outer)};
    int known = 0;
    bool good = imp_pointwise_open(sweep, &p.points) == IMP_OK;
    for (int64_t k = 0; good && k < p.n; k++) {
        known += run_pilot(&p, (2 * k + 1) * outer / (2 * p.n), f);
    }
    imp_pointwise_close(&p.points);
    return known;
}

/* ---- the forecast ---- */

/* Bytes of a file with so many points and crossed edges; grids and tables of labels are small when
 * they are compressed. */
static double bytes_of(const imp_sweep *sweep, double points, double edges) {
    const imp_refine_plan *plan = &sweep->refine;
    double nodes = pow(ldexp(1, imp_sweep_flat_level(sweep)) + 1, plan->lattice.n_axes);
    double outer = (double)imp_grid_outer_cells(&sweep->grid), refinement = outer > 1 ? 8 : 0;
    double vertex = 16 + refinement + 24 * plan->lattice.n_axes;
    double triangles = plan->lattice.n_axes == 3 ? 2 * (32 + refinement) : 0;
    return points * (double)imp_sweep_point_size(sweep) + edges * (vertex + triangles) +
           0.02 * nodes * outer + 1e5;
}

imp_err imp_forecast_refinement(const imp_sweep *sweep, imp_forecast *f) {
    const imp_refine_plan *plan = &sweep->refine;
    *f = (imp_forecast){.level = -1};
    imp_err error = measure_seconds(sweep, &f->seconds);
    int known = error ? 0 : run_pilots(sweep, f);
    double outer = (double)imp_grid_outer_cells(&sweep->grid), share = known ? 1.0 / known : 1;
    if (known == 0) {
        *f = (imp_forecast){.seconds = f->seconds, .level = -1, .extent = usual_extent};
        f->edges = crossed_edges(plan, f->extent);
        f->points = all_points(plan, f->extent, base_points(plan), plan->base);
    }
    f->extent *= share;
    f->edges *= share * outer;
    f->points = (f->points * share + (double)plan->audit) * outer;
    f->bytes = bytes_of(sweep, f->points, f->edges);
    f->n = f->points < 9e18 ? (int64_t)f->points : INT64_MAX;
    return error;
}

/* ---- the report ---- */

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

static void print_points(const imp_sweep *sweep, const imp_forecast *f) {
    const imp_refine_plan *plan = &sweep->refine;
    char known[64];
    snprintf(known, sizeof known, "as cells of 2^-%d tell", f->level);
    printf(
        "%-22s about %s, if the boundaries of each refinement together measure %.3g ranges%s%s%s; "
        "at most %s in each\n",
        "points", imp_count(f->n).text, f->extent,
        plan->lattice.n_axes > 2 ? " (areas: faces)" : "", f->level >= 0 ? ", " : "",
        f->level >= 0 ? known : "", imp_count(plan->budget).text);
}

void imp_print_refinement(const imp_sweep *sweep, const imp_forecast *f) {
    const imp_refine_plan *plan = &sweep->refine;
    int axes = plan->lattice.n_axes;
    double known = base_points(plan);
    print_goal(sweep);
    printf("%-22s %s\n", "refinements", imp_count(imp_grid_outer_cells(&sweep->grid)).text);
    printf("%-22s %s (%d on each of %d axes)\n", "base cells",
           imp_count(INT64_C(1) << plan->base * axes).text, 1 << plan->base, axes);
    print_points(sweep, f);
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
