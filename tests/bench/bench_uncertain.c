/* A draw within a cell of uncertain parameters beside the same cell of a sample, in turn, on one
 * core: nanoseconds of processor time, medians, and the median of the ratios. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "num/sample.h"
#include "solve/solver.h"
#include "solve/uncertain/uncertain.h"

enum { POINTS = 1024, REPLICATES = 8, DRAWS = POINTS * REPLICATES, CELLS = 24, MOST_OF = 3 };

typedef struct sample {
    const char *theory, *choices;
    struct {
        const char *name;
        double from, to;
    } uncertain[2];
    const char *of[MOST_OF];
    int n_quantiles;
} sample;

static const imp_parameter *parameter_of(const imp_solver *solver, const char *name) {
    return imp_input_at(solver, imp_input(solver, name));
}

static imp_uncertain *make(const sample *s, const imp_solver *solver) {
    imp_uncertain_plan plan = {.theory = imp_solver_theory(solver),
                               .points = POINTS,
                               .replicates = REPLICATES,
                               .seed = 1,
                               .quantile = {0.05, 0.5, 0.95},
                               .n_quantiles = s->n_quantiles};
    for (int k = 0; k < 2; k++) {
        imp_distribution d = {IMP_UNIFORM, s->uncertain[k].from, s->uncertain[k].to, -INFINITY,
                              INFINITY};
        plan.parameter[k] =
            (imp_uncertain_parameter){.parameter = parameter_of(solver, s->uncertain[k].name),
                                      .distribution = d,
                                      .dimension = k};
    }
    plan.n_parameters = plan.n_dimensions = 2;
    for (int o = 0; o < MOST_OF && s->of[o]; o++) {
        plan.of[plan.n_of++] = imp_output_index(solver, s->of[o]);
    }
    return imp_uncertain_make(&plan);
}

/* Columns of examples for every input that has no default. */
static void fill(const imp_solver *solver, size_t n, double **in) {
    for (int p = 0; p < imp_input_count(solver); p++) {
        const imp_parameter *of = imp_input_at(solver, p);
        in[p] = isnan(of->fallback) && !of->stands_for ? calloc(n, sizeof *in[p]) : NULL;
        for (size_t i = 0; in[p] && i < n; i++) {
            in[p][i] = of->example;
        }
    }
}

static double seconds_of(imp_solver *solver, size_t n, double **in, double **out) {
    static uint8_t outcome[DRAWS];
    double start = measure_processor();
    imp_solve(solver, n, (const double *const *)in, out, outcome);
    return measure_processor() - start;
}

/* The draws of the cell as a sample. */
static void draw_sample(const sample *s, const imp_solver *inner, double **in) {
    for (int k = 0; k < 2; k++) {
        double *column = in[imp_input(inner, s->uncertain[k].name)];
        for (int r = 0; r < REPLICATES; r++) {
            imp_sample_sobol(k, imp_sample_seed(1, (uint64_t)r), POINTS, column + r * POINTS);
        }
        for (int i = 0; i < DRAWS; i++) {
            column[i] =
                s->uncertain[k].from + (s->uncertain[k].to - s->uncertain[k].from) * column[i];
        }
    }
}

static void report(const sample *s) {
    imp_solver *inner, *outer;
    double *in[IMP_MAX_PARAMETERS], *cell[IMP_MAX_PARAMETERS], *out[IMP_MAX_OUTPUTS] = {NULL};
    double *value[IMP_MAX_OUTPUTS] = {NULL}, draw[CELLS], single[CELLS], ratio[CELLS];
    imp_open(s->theory, s->choices, &inner);
    imp_uncertain *uncertain = make(s, inner);
    const imp_theory *made = imp_uncertain_theory(uncertain);
    imp_signature signature = imp_signature_of(made, imp_solver_signature(inner)->chosen);
    imp_solver_open(&signature, &outer);
    fill(inner, DRAWS, in);
    fill(outer, 1, cell);
    draw_sample(s, inner, in);
    for (int o = 0; o < MOST_OF && s->of[o]; o++) {
        out[imp_output_index(inner, s->of[o])] = calloc(DRAWS, sizeof **out);
    }
    for (int o = 0; o < made->n_outputs; o++) {
        value[o] = calloc(imp_output_length(&made->outputs[o]), sizeof **value);
    }
    for (int c = 0; c < CELLS; c++) {
        single[c] = seconds_of(inner, DRAWS, in, out);
        draw[c] = seconds_of(outer, 1, cell, value);
        ratio[c] = draw[c] / single[c];
    }
    double times = measure_median(ratio, CELLS);
    printf("%-12s %-28s %-46s %7.1f ns a draw, %7.1f ns a cell, %.3f times\n", s->theory,
           s->choices,
           s->n_quantiles ? "mode, restitution, loss, quantiles"
           : s->of[1]     ? "mode, restitution, loss"
                          : "mode",
           1e9 * measure_median(draw, CELLS) / DRAWS, 1e9 * measure_median(single, CELLS) / DRAWS,
           times);
    imp_close(&outer);
    imp_close(&inner);
    imp_uncertain_free(&uncertain);
}

int main(void) {
    static const sample samples[] = {
        {"compliant",
         "body=pendulum law=linear",
         {{"friction", 0.1, 1}, {"stiffness_ratio", 1, 1.4}},
         {"mode"},
         0},
        {"compliant",
         "body=pendulum law=linear",
         {{"friction", 0.1, 1}, {"stiffness_ratio", 1, 1.4}},
         {"mode", "kinematic_restitution", "energy_loss"},
         0},
        {"compliant",
         "body=pendulum law=linear",
         {{"friction", 0.1, 1}, {"stiffness_ratio", 1, 1.4}},
         {"mode", "kinematic_restitution", "energy_loss"},
         3},
        {"compliant",
         "body=rod law=hertz",
         {{"friction", 0.1, 1}, {"stiffness_ratio", 1, 1.4}},
         {"mode", "kinematic_restitution", "energy_loss"},
         3},
        {"rigid",
         "body=rod law=energetic",
         {{"friction", 0.1, 1}, {"restitution", 0.4, 0.9}},
         {"mode", "kinematic_restitution", "energy_loss"},
         3},
        {"swerve",
         "body=rod3d law=energetic",
         {{"friction", 0.1, 1}, {"restitution", 0.4, 0.9}},
         {"mode", "kinematic_restitution", "energy_loss"},
         3},
    };
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        report(&samples[s]);
    }
    return 0;
}
