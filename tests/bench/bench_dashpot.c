/* The law `dashpot` of `compliant` beside `linear`, on one core: maps of every body over friction,
 * with six common outputs and with all. Both laws solve the same map in turn; time of a cell, and
 * the median of the ratios of several rounds.
 *
 *   bench_dashpot [PART OF A BODY'S NAME [NORMAL RATIO [TANGENTIAL RATIO]]]   ratios of damping */
#include <stdio.h>
#include <string.h>

#include "bench/common_outputs.h"
#include "bench/measure.h"
#include "support/batch.h"

enum { SIDE = 1000, ROWS = 40, ROUNDS = 9 };

/* Along the rows a parameter goes from one value to another. */
typedef struct map {
    const char *body, *parameter;
    double from, to;
} map;

static const map maps[] = {
    {"sphere", "velocity_ratio", -3, 3}, {"rod", "angle", -1.55, 1.55},
    {"general", "angle", -1.55, 1.55},   {"general", "velocity_ratio", -3, 3},
    {"matrix", "b12", -0.9, 0.9},        {"capsule", "angle", -1.55, 1.55},
    {"lamina", "offset_t", -1, 1},       {"two_laminae", "offset_t", -1, 1},
    {"pendulum", "angle", 0.002, 1.569}, {"double_pendulum", "q1", -1.5, 1.5},
};

static batch open_law(const map *m, const char *law, const double *ratio) {
    char choices[80];
    snprintf(choices, sizeof choices, "body=%s law=%s", m->body, law);
    batch b = batch_open("compliant", choices, SIDE);
    for (size_t i = 0; i < SIDE; i++) {
        batch_in(&b, "friction")[i] = 0.005 + 1.5 * (double)i / SIDE;
    }
    batch_set(&b, "stiffness_ratio", 1.21);
    if (strcmp(law, "dashpot") == 0) {
        batch_set(&b, "normal_damping_ratio", ratio[0]);
        batch_set(&b, "tangential_damping_ratio", ratio[1]);
    }
    return b;
}

/* Seconds of the whole map, row by row. */
static double solve_map(const map *m, const batch *b, double *const *out) {
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    batch_inputs(b, 0, in);
    double start = measure_processor();
    for (int row = 0; row < ROWS; row++) {
        batch_set(b, m->parameter, m->from + (m->to - m->from) * (row + 0.5) / ROWS);
        imp_solve(b->solver, SIDE, in, out, b->outcome);
    }
    return measure_processor() - start;
}

static void choose_outputs(const batch *b, bool every, double **out) {
    for (int o = 0; o < b->theory->n_outputs; o++) {
        out[o] = every || is_common_output(b->theory->outputs[o].name) ? b->out[o] : NULL;
    }
}

static void measure(const map *m, bool every, const double *ratio) {
    batch linear = open_law(m, "linear", ratio), dashpot = open_law(m, "dashpot", ratio);
    double *of_linear[IMP_MAX_OUTPUTS] = {NULL}, *of_dashpot[IMP_MAX_OUTPUTS] = {NULL};
    double times[2][ROUNDS], ratios[ROUNDS];
    choose_outputs(&linear, every, of_linear);
    choose_outputs(&dashpot, every, of_dashpot);
    for (int i = -1; i < ROUNDS; i++) {
        double one = solve_map(m, &linear, of_linear), other = solve_map(m, &dashpot, of_dashpot);
        if (i >= 0) {
            times[0][i] = one;
            times[1][i] = other;
            ratios[i] = other / one;
        }
    }
    double us = 1e6 / (SIDE * ROWS);
    printf("%-16s over %-15s %s  linear %.3f us, dashpot %.3f us, %5.2f times\n", m->body,
           m->parameter, every ? "every " : "common", us * measure_median(times[0], ROUNDS),
           us * measure_median(times[1], ROUNDS), measure_median(ratios, ROUNDS));
    fflush(stdout);
    BATCH_CLOSE(&linear, &dashpot);
}

int main(int argc, char **argv) {
    const double normal = argc > 2 ? atof(argv[2]) : 0.2;
    const double ratio[] = {normal, argc > 3 ? atof(argv[3]) : normal / 2};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        for (int every = 0; every < 2; every++) {
            if (argc < 2 || strstr(maps[i].body, argv[1])) {
                measure(&maps[i], every, ratio);
            }
        }
    }
    return 0;
}
