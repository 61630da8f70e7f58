/* Refined maps of the compliant pendulum and rod against the uniform maps of 4097 x 4097 nodes: no
 * cell of a boundary is missed, the flat grid is the uniform one, and crossings from other searches
 * are on the curves. With an argument the program prints the numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"
#include "support/random.h"
#include "support/refine.h"
#include "support/suite.h"

#include "bench/measure.h"

enum { DEPTH = 12, SIDE = (1 << DEPTH) + 1, CROSSINGS = 10000 };
static const double TOLERANCE = 1.0 / 65536;
static bool printing;

typedef struct map {
    const char *name, *choices;
    refine_theory theory;
    double from[2], to[2];
    bool degrees[2];
    int64_t most_cells,
        most_curve; /* points that may be asked for: a hundredth of the nodes; the curves alone */
} map;

static imp_refine_plan plan_of(const map *m, int depth, double boundary) {
    imp_refine_plan plan = refine_plan(2, 6, depth, boundary);
    for (int a = 0; a < 2; a++) {
        plan.lattice.axis[a] =
            (imp_lattice_axis){.from = m->from[a], .to = m->to[a], .degrees = m->degrees[a]};
    }
    return plan;
}

/* The modes of all nodes. */
static double *uniform(const refine_probe *probe) {
    double *modes = malloc((size_t)SIDE * SIDE * sizeof *modes);
    double *at = malloc(2 * (size_t)SIDE * sizeof *at), unit = ldexp(1, 31 - DEPTH);
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j < SIDE; j++) {
            at[2 * j] = (double)i * unit;
            at[2 * j + 1] = (double)j * unit;
        }
        refine_values(probe, SIDE, at, modes + i * SIDE);
    }
    free(at);
    return modes;
}

static bool is_mixed(const double *modes, size_t i, size_t j) {
    const double *at = modes + i * SIDE + j;
    return at[0] != at[1] || at[0] != at[SIDE] || at[0] != at[SIDE + 1];
}

static void check_cells(const map *m, const imp_refinement *r, const imp_refine_result *result,
                        const double *modes) {
    char *found = calloc((size_t)SIDE * SIDE, 1);
    for (int64_t i = 0; i < result->n_cells; i++) {
        const uint32_t *low = result->cells[i].low;
        found[(size_t)(low[0] >> (31 - DEPTH)) * SIDE + (low[1] >> (31 - DEPTH))] = 1;
    }
    int64_t mixed = 0, missed = 0, wrong = 0;
    for (size_t i = 0; i + 1 < SIDE; i++) {
        for (size_t j = 0; j + 1 < SIDE; j++) {
            mixed += is_mixed(modes, i, j);
            missed += is_mixed(modes, i, j) && !found[i * SIDE + j];
        }
    }
    CHECK(missed == 0, "%s: %lld of %lld cells missed", m->name, (long long)missed,
          (long long)mixed);
    uint32_t *point = malloc((size_t)SIDE * SIDE * sizeof *point);
    imp_refine_flatten(r, DEPTH, point);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const imp_refine_class *class = imp_refine_class_at(r, r->class_of[point[i]]);
        double mode = class->outcome == IMP_SOLVED ? class->value[0] : -(double)class->outcome;
        wrong += mode != modes[i];
    }
    CHECK(wrong == 0, "%s: %lld nodes differ from the uniform map", m->name, (long long)wrong);
    if (printing) {
        printf("%s: %lld mixed cells, %lld missed, %lld nodes differ\n", m->name, (long long)mixed,
               (long long)missed, (long long)wrong);
    }
    free(point);
    free(found);
}

/* Crossings of random edges of the uniform map. */
static void check_curve(const map *m, const refine_probe *probe, const imp_refine_result *result,
                        const double *modes) {
    double worst = 0, unit = ldexp(1, 31 - DEPTH), limit = 1.1 * ldexp(TOLERANCE, 31);
    int64_t far = 0;
    random_source random = {18};
    for (int n = 0; n < CROSSINGS;) {
        size_t i = (size_t)random_index(&random, SIDE - 1);
        size_t j = (size_t)random_index(&random, SIDE - 1);
        int axis = random_index(&random, 2);
        if (modes[i * SIDE + j] == modes[(i + !axis) * SIDE + j + (size_t)axis]) {
            continue;
        }
        double from[2] = {(double)i * unit, (double)j * unit}, to[2] = {from[0], from[1]}, at[2];
        to[axis] += unit;
        refine_bisect(probe, from, to, at);
        double distance = refine_distance(result, at);
        worst = fmax(worst, distance);
        far += distance > limit;
        if (printing && distance > limit && far < 10) {
            printf("far %.3f at %.9f %.9f\n", distance / ldexp(TOLERANCE, 31), ldexp(at[0], -31),
                   ldexp(at[1], -31));
        }
        n++;
    }
    CHECK(far == 0, "%s: %lld crossings are far from the curves, one by %g tolerances", m->name,
          (long long)far, worst / ldexp(TOLERANCE, 31));
    if (printing) {
        printf("%s: largest distance of %d crossings %.3f of the tolerance, %lld above 1.1\n",
               m->name, CROSSINGS, worst / ldexp(TOLERANCE, 31), (long long)far);
    }
}

/* Gross stick begins at friction * ratio * T = 1, the wedge where a quadratic of T changes its
 * sign. */
static void closed_form(const imp_refinement *r, const imp_refine_result *result) {
    const imp_refine_plan *plan = &r->plan;
    const imp_theory *theory = imp_theory_find("compliant");
    const double ratio = 1.21;
    int64_t outside = 0;
    for (int64_t i = 0; i < result->n_crossings; i++) {
        const imp_crossing *c = &result->crossings[i];
        bool stick = false, side[2];
        for (int end = 0; end < 2; end++) {
            uint32_t class = end ? c->class_high : c->class_low;
            int mode = (int)imp_refine_class_at(r, class)->value[0];
            stick = stick || strcmp(imp_mode_name(theory, mode), "gross_stick") == 0;
        }
        for (int end = 0; end < 2; end++) {
            const uint32_t *key = end ? c->high : c->low;
            double t = tan(imp_lattice_value(&plan->lattice, 0, key[0]));
            double mu = imp_lattice_value(&plan->lattice, 1, key[1]);
            side[end] = stick ? mu * ratio * t >= 1
                              : ratio * mu * t * t + (1 + 3 * ratio * mu * mu) * t - mu > 0;
        }
        outside += side[0] == side[1];
    }
    CHECK(outside == 0, "%lld of %lld brackets without the closed form", (long long)outside,
          (long long)result->n_crossings);
}

static imp_refinement *run(const map *m, const char *what, const imp_refine_plan *plan,
                           imp_refine_result *result, int64_t most) {
    double start = measure_processor();
    imp_refinement *r = refine_run(plan, refine_look_at_theory, (void *)&m->theory, NULL, NULL);
    double done = measure_processor();
    imp_refine_result_of(r, result);
    imp_refine_statistics s = imp_refine_statistics_of(r);
    CHECK(imp_refine_state_of(r) == IMP_REFINE_DONE, "%s, %s: not done", m->name, what);
    CHECK(s.points <= most, "%s, %s: %lld points, more than %lld", m->name, what,
          (long long)s.points, (long long)most);
    CHECK(result->audit.wrong == 0, "%s, %s: the audit finds %lld wrong", m->name, what,
          (long long)result->audit.wrong);
    if (printing) {
        printf("%s, %s: %lld points, %lld rounds, %.2f s (result %.2f s), %lld lines, %lld "
               "crossings, %lld junctions, audit %lld of %lld\n",
               m->name, what, (long long)s.points, (long long)s.rounds, done - start,
               measure_processor() - done, (long long)result->n_boundaries,
               (long long)result->n_crossings, (long long)result->n_junctions,
               (long long)result->audit.wrong, (long long)result->audit.points);
    }
    return r;
}

static void check_map(map *m) {
    imp_refine_result result;
    CHECK(imp_open("compliant", m->choices, &m->theory.solver) == IMP_OK, "%s", imp_last_error());
    imp_refine_plan cells = plan_of(m, DEPTH, 0), curve = plan_of(m, 6, TOLERANCE),
                    both = plan_of(m, DEPTH, TOLERANCE);
    cells.audit = curve.audit = 1000;
    refine_probe probe = {&cells, refine_look_at_theory, &m->theory};
    double start = measure_processor();
    double *modes = uniform(&probe);
    if (printing) {
        printf("%s, uniform: %.2f s\n", m->name, measure_processor() - start);
    }
    imp_refinement *r = run(m, "cells", &cells, &result, m->most_cells);
    check_cells(m, r, &result, modes);
    imp_refine_result_free(&result);
    imp_refine_close(&r);
    r = run(m, "curves", &curve, &result, m->most_curve);
    check_curve(m, &probe, &result, modes);
    if (strcmp(m->name, "pendulum") == 0) {
        closed_form(r, &result);
    }
    imp_refine_result_free(&result);
    imp_refine_close(&r);
    r = run(m, "both", &both, &result, m->most_cells + m->most_curve);
    check_cells(m, r, &result, modes);
    check_curve(m, &probe, &result, modes);
    imp_refine_result_free(&result);
    imp_refine_close(&r);
    imp_close(&m->theory.solver);
    free(modes);
}

static void pendulum(void) {
    map m = {.name = "pendulum",
             .choices = "body=pendulum law=linear",
             .theory = {.axis = {"angle", "friction"},
                        .n_axes = 2,
                        .fixed = {"stiffness_ratio"},
                        .value = {1.21},
                        .n_fixed = 1,
                        .output = {"mode"},
                        .n_outputs = 1},
             .from = {0.1, 0.005},
             .to = {89.9, 1.5},
             .degrees = {true, false},
             .most_cells = 60000,
             .most_curve = 12000};
    check_map(&m);
}

/* The rod over angle and velocity ratio. */
static map rod_map(const char *name, double friction, double stiffness_ratio) {
    return (map){.name = name,
                 .choices = "body=rod law=linear",
                 .theory = {.axis = {"angle", "velocity_ratio"},
                            .n_axes = 2,
                            .fixed = {"friction", "stiffness_ratio"},
                            .value = {friction, stiffness_ratio},
                            .n_fixed = 2,
                            .output = {"mode"},
                            .n_outputs = 1},
                 .from = {-89, -6},
                 .to = {89, 6},
                 .degrees = {true, false}};
}

static void rod(void) {
    map m = rod_map("rod", 0.8, 1.21);
    m.most_cells = 80000;
    m.most_curve = 20000;
    check_map(&m);
}

static void hard_rod(void) {
    map m = rod_map("hard rod", 0.5, 0.1);
    m.most_cells = SIDE * SIDE / 100;
    m.most_curve = 120000;
    check_map(&m);
}

int main(int argc, char **argv) {
    (void)argv;
    printing = argc > 1;
    return SUITE_RUN("maps", pendulum, rod, hard_rod);
}
