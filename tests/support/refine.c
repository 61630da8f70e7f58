#include "support/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"

imp_refine_plan refine_plan(int n_axes, int base, int depth, double boundary) {
    imp_refine_plan plan = {.base = base, .depth = depth, .boundary = boundary, .n_rules = 1};
    plan.lattice.n_axes = n_axes;
    for (int a = 0; a < n_axes; a++) {
        plan.lattice.axis[a] = (imp_lattice_axis){.from = 0, .to = 1};
    }
    return plan;
}

/* Tells the points of a round: those that are known, and the others, looked up together. */
static void answer(imp_refinement *r, const imp_refine_round *round, refine_look look,
                   void *context) {
    const imp_refine_plan *plan = &r->plan;
    int axes = plan->lattice.n_axes;
    double *x[IMP_REFINE_AXES] = {NULL};
    uint8_t *outcome = malloc(round->n);
    double *values = malloc(round->n * (size_t)plan->n_rules * sizeof *values);
    for (int a = 0; a < axes; a++) {
        x[a] = malloc(round->n * sizeof *x[a]);
        for (size_t i = 0; i < round->n; i++) {
            x[a][i] =
                imp_lattice_value(&plan->lattice, a, round->keys[i * (size_t)axes + (size_t)a]);
        }
    }
    look(context, round->n, x, outcome, values);
    imp_refine_tell(r, round->first, round->n, outcome, values);
    for (int a = 0; a < axes; a++) {
        free(x[a]);
    }
    free(values);
    free(outcome);
}

imp_refinement *refine_run(const imp_refine_plan *plan, refine_look look, void *context,
                           const imp_refinement *before, int64_t *asked) {
    imp_refinement *r;
    imp_refine_round round;
    imp_key_set known = imp_key_set_of(plan->lattice.n_axes);
    imp_refine_statistics had = {0};
    if (before) {
        had = imp_refine_statistics_of(before);
        for (int64_t i = 0; i < had.points + had.audit_points; i++) {
            imp_key_set_add(&known, imp_refine_key(before, i));
        }
    }
    int64_t fresh = 0;
    imp_refine_open(plan, &r);
    while (imp_refine_next(r, &round) == IMP_OK && round.n > 0) {
        for (size_t i = 0; i < round.n; i++) {
            const uint32_t *key = round.keys + i * (size_t)plan->lattice.n_axes;
            fresh += imp_key_set_find(&known, key) == IMP_KEY_NONE;
        }
        answer(r, &round, look, context);
    }
    imp_key_set_free(&known);
    if (asked) {
        *asked = fresh;
    }
    return r;
}

void refine_look_at_theory(void *context, size_t n, double *const *x, uint8_t *outcome,
                           double *values) {
    refine_theory *theory = context;
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL}, *fixed[REFINE_FIXED], *column[IMP_MAX_RULES];
    for (int a = 0; a < theory->n_axes; a++) {
        in[imp_input(theory->solver, theory->axis[a])] = x[a];
    }
    for (int f = 0; f < theory->n_fixed; f++) {
        fixed[f] = malloc(n * sizeof *fixed[f]);
        for (size_t i = 0; i < n; i++) {
            fixed[f][i] = theory->value[f];
        }
        in[imp_input(theory->solver, theory->fixed[f])] = fixed[f];
    }
    for (int o = 0; o < theory->n_outputs; o++) {
        column[o] = malloc(n * sizeof *column[o]);
        out[imp_output_index(theory->solver, theory->output[o])] = column[o];
    }
    imp_solve(theory->solver, n, in, out, outcome);
    for (int o = 0; o < theory->n_outputs; o++) {
        for (size_t i = 0; i < n; i++) {
            values[i * (size_t)theory->n_outputs + (size_t)o] = column[o][i];
        }
        free(column[o]);
    }
    for (int f = 0; f < theory->n_fixed; f++) {
        free(fixed[f]);
    }
}

void refine_values(const refine_probe *probe, size_t n, const double *at, double *values) {
    const imp_refine_plan *plan = probe->plan;
    size_t axes = (size_t)plan->lattice.n_axes, rules = (size_t)plan->n_rules;
    double *x[IMP_REFINE_AXES] = {NULL}, *all = malloc(n * rules * sizeof *all);
    uint8_t *outcome = malloc(n);
    for (size_t a = 0; a < axes; a++) {
        x[a] = malloc(n * sizeof *x[a]);
        for (size_t i = 0; i < n; i++) {
            x[a][i] = imp_lattice_value(&plan->lattice, (int)a, at[i * axes + a]);
        }
    }
    probe->look(probe->context, n, x, outcome, all);
    for (size_t i = 0; i < n; i++) {
        values[i] = outcome[i] == IMP_SOLVED ? all[i * rules] : -(double)outcome[i];
    }
    for (size_t a = 0; a < axes; a++) {
        free(x[a]);
    }
    free(outcome);
    free(all);
}

void refine_bisect(const refine_probe *probe, const double *from, const double *to, double *at) {
    size_t axes = (size_t)probe->plan->lattice.n_axes;
    double low = 0, high = 1, first, value;
    refine_values(probe, 1, from, &first);
    while (high - low > 1e-9) {
        double middle = 0.5 * (low + high);
        for (size_t a = 0; a < axes; a++) {
            at[a] = from[a] + middle * (to[a] - from[a]);
        }
        refine_values(probe, 1, at, &value);
        *(value == first ? &low : &high) = middle;
    }
}

/* Distance from the line between the middles of two crossings. */
static double from_piece(const imp_crossing *one, const imp_crossing *other, const double *at) {
    double p[2], q[2], along = 0, length = 0;
    for (int a = 0; a < 2; a++) {
        p[a] = 0.5 * ((double)one->low[a] + one->high[a]);
        q[a] = 0.5 * ((double)other->low[a] + other->high[a]);
        along += (at[a] - p[a]) * (q[a] - p[a]);
        length += (q[a] - p[a]) * (q[a] - p[a]);
    }
    double part = fmin(fmax(length > 0 ? along / length : 0, 0), 1);
    return hypot(at[0] - p[0] - part * (q[0] - p[0]), at[1] - p[1] - part * (q[1] - p[1]));
}

static double from_box(const imp_junction *box, const double *at) {
    double off[2];
    for (int a = 0; a < 2; a++) {
        off[a] = fmax(fmax(box->low[a] - at[a], at[a] - box->high[a]), 0);
    }
    return hypot(off[0], off[1]);
}

double refine_distance(const imp_refine_result *result, const double *at) {
    double least = INFINITY;
    for (int64_t b = 0; b < result->n_boundaries; b++) {
        const imp_boundary *line = &result->boundaries[b];
        const uint32_t *path = result->path + line->first;
        for (int64_t i = 0; i + 1 < line->n; i++) {
            least = fmin(least, from_piece(&result->crossings[path[i]],
                                           &result->crossings[path[i + 1]], at));
        }
    }
    for (int64_t j = 0; j < result->n_junctions; j++) {
        least = fmin(least, from_box(&result->junctions[j], at));
    }
    return least;
}
