/* Time of one cell of every kernel that has a bound, on one core, every output computed: the median
 * of several runs over a map, and its ratio to a reference loop timed in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "impact.h"

enum { SIDE = 1000, CELLS = SIDE * SIDE, RUNS = 9 };

typedef struct map {
    const char *name, *theory, *choices;
    double angle_from, angle_to; /* degrees */
    double stiffness_ratio, inertia_coupling;
    double friction_from, friction_to, velocity_from, velocity_to; /* along the rows */
    double bound;                                                  /* microseconds; 0: none */
} map;

/* Every mode of a rigid rod occurs in this map. */
#define RIGID(law, bound)                                                                          \
    {                                                                                              \
        "rigid rod, " law ", over velocity", "rigid", "body=rod law=" law, -89, 89, 0, 0, 0.7,     \
            0.7, -3, 3, bound                                                                      \
    }

static const map maps[] = {
    {"pendulum, stiffness ratio 1.21", "compliant", "body=pendulum law=linear", 0.1, 89.9, 1.21, 0,
     0.005, 1.5, 0, 0, 0.25},
    {"pendulum, stiffness ratio 0.1", "compliant", "body=pendulum law=linear", 0.1, 89.9, 0.1, 0,
     0.005, 1.5, 0, 0, 0},
    {"free, coupling 0.6, over velocity", "compliant", "body=general law=linear", -89, 89, 1.21,
     0.6, 0.5, 0.5, -5, 5, 0.35},
    {"free, coupling 0.6, over friction", "compliant", "body=general law=linear", -89, 89, 1.21,
     0.6, 0.005, 1.5, 1, 1, 0.35},
    {"free, coupling 0.6, all stick first", "compliant", "body=general law=linear", -89, 89, 1.21,
     0.6, 0.3, 1.5, 0, 0, 0},
    {"free, coupling 0.95, over friction", "compliant", "body=general law=linear", -89, 89, 1.21,
     0.95, 0.005, 1.5, 1, 1, 0},
    RIGID("newton", 0.1),
    RIGID("poisson", 0.1),
    RIGID("energetic", 0.1),
    RIGID("compromise", 1),
    RIGID("impulse_ratio", 0),
};

/* Of this process: the machine may be shared. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double median(double *times) {
    qsort(times, RUNS, sizeof *times, ascending);
    return times[RUNS / 2];
}

/* A chain of square roots and divisions: what a machine can do one after another. */
static double reference(void) {
    volatile double sink;
    double x = 2, start = now();
    for (int i = 0; i < CELLS; i++) {
        x = 1 + 1 / sqrt(x);
    }
    sink = x;
    (void)sink;
    return now() - start;
}

static double *filled(double from, double to, int stride) {
    double *values = malloc(CELLS * sizeof *values);
    for (int i = 0; values && i < CELLS; i++) {
        values[i] = from + (to - from) * (i / stride % SIDE + 0.5) / SIDE;
    }
    return values;
}

static void give(const imp_solver *solver, const char *name, double *values, const double **in) {
    int index = imp_input(solver, name);
    if (index >= 0) {
        in[index] = values;
    }
}

/* The whole map, row by row into the same room: as a sweep does, whose results leave for a file. */
static void solve_map(imp_solver *solver, const double *const *in, double *const *out,
                      uint8_t *outcome) {
    for (size_t first = 0; first < CELLS; first += SIDE) {
        const double *row[IMP_MAX_PARAMETERS] = {NULL};
        for (int p = 0; p < imp_input_count(solver); p++) {
            row[p] = in[p] ? in[p] + first : NULL;
        }
        imp_solve(solver, SIDE, row, out, outcome);
    }
}

static void measure(const map *m) {
    const double degree = 3.14159265358979323846 / 180;
    imp_solver *solver;
    if (imp_open(m->theory, m->choices, &solver)) {
        fprintf(stderr, "%s\n", imp_last_error());
        exit(1);
    }
    const imp_theory *theory = imp_solver_theory(solver);
    double *columns[] = {filled(m->angle_from * degree, m->angle_to * degree, SIDE),
                         filled(m->friction_from, m->friction_to, 1),
                         filled(m->stiffness_ratio, m->stiffness_ratio, 1),
                         filled(m->inertia_coupling, m->inertia_coupling, 1),
                         filled(m->velocity_from, m->velocity_to, 1),
                         filled(0.8, 0.8, 1),
                         filled(-0.5, 0.5, 1)};
    const char *names[] = {"angle",          "friction",    "stiffness_ratio", "inertia_coupling",
                           "velocity_ratio", "restitution", "impulse_ratio"};
    const size_t n_columns = sizeof names / sizeof *names;
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    uint8_t *outcome = malloc(SIDE);
    for (size_t i = 0; i < n_columns; i++) {
        give(solver, names[i], columns[i], in);
    }
    for (int o = 0; o < theory->n_outputs; o++) {
        out[o] = calloc(SIDE, sizeof *out[o]);
    }
    double times[RUNS], ratios[RUNS];
    solve_map(solver, in, out, outcome);
    for (int run = 0; run < RUNS; run++) {
        double unit = reference(), start = now();
        solve_map(solver, in, out, outcome);
        times[run] = now() - start;
        ratios[run] = times[run] / unit;
    }
    double middle = median(times), least = times[0]; /* median sorts */
    printf("%-37s median %.3f us, least %.3f us, %5.1f reference steps", m->name,
           middle / CELLS * 1e6, least / CELLS * 1e6, median(ratios));
    printf(m->bound > 0 ? " (bound %.2f us)\n" : "\n", m->bound);
    for (size_t i = 0; i < n_columns; i++) {
        free(columns[i]);
    }
    for (int o = 0; o < theory->n_outputs; o++) {
        free(out[o]);
    }
    free(outcome);
    imp_close(&solver);
}

/* bench_kernel [PART OF A NAME] */
int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        if (argc < 2 || strstr(maps[i].name, argv[1])) {
            measure(&maps[i]);
        }
    }
    return 0;
}
