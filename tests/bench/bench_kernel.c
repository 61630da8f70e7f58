/* Time of a cell in maps, on one core, with six common outputs and with all: median and least of
 * several runs over a map, and the ratio to a reference loop timed in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common_outputs.h"
#include "bench/measure.h"
#include "impact.h"

enum { SIDE = 1000, RUNS = 9 };

typedef struct map {
    const char *name, *theory, *choices;
    double angle_from, angle_to; /* degrees */
    double stiffness_ratio, inertia_coupling, restitution;
    double friction_from, friction_to, velocity_from, velocity_to; /* along the rows */
    int rows;
} map;

/* Every mode of a rigid rod occurs in this map. */
#define RIGID(law)                                                                                 \
    {                                                                                              \
        "rigid rod, " law ", over velocity", "rigid", "body=rod law=" law, -89, 89, 0, 0, 0.8,     \
            0.7, 0.7, -3, 3, SIDE                                                                  \
    }
#define PENDULUM(title, law, ratio, restitution, rows)                                             \
    {                                                                                              \
        "pendulum, " title, "compliant", "body=pendulum law=" law, 0.1, 89.9, ratio, 0,            \
            restitution, 0.005, 1.5, 0, 0, rows                                                    \
    }
#define FREE(title, law, coupling, restitution, rows)                                              \
    {                                                                                              \
        "free, " title, "compliant", "body=general law=" law, -89, 89, 1.21, coupling,             \
            restitution, 0.005, 1.5, 1, 1, rows                                                    \
    }
#define STICK(title, law, rows)                                                                    \
    {                                                                                              \
        "free, " title, "compliant", "body=general law=" law, -89, 89, 1.21, 0.6, 1, 0.3, 1.5, 0,  \
            0, rows                                                                                \
    }
/* The integrated laws take longer. */
enum { FEW = 20 };

static const map maps[] = {
    PENDULUM("stiffness ratio 1.21", "linear", 1.21, 1, SIDE),
    PENDULUM("stiffness ratio 0.1", "linear", 0.1, 1, SIDE),
    PENDULUM("restitution 0.5", "linear", 1.21, 0.5, SIDE / 5),
    {"free, coupling 0.6, over velocity", "compliant", "body=general law=linear", -89, 89, 1.21,
     0.6, 1, 0.5, 0.5, -5, 5, SIDE},
    FREE("coupling 0.6", "linear", 0.6, 1, SIDE),
    STICK("coupling 0.6, all stick first", "linear", SIDE),
    FREE("coupling 0.95", "linear", 0.95, 1, SIDE),
    FREE("coupling 0.6, restitution 0.5", "linear", 0.6, 0.5, SIDE / 5),
    PENDULUM("hertz", "hertz", 1.21, 1, FEW),
    FREE("coupling 0.6, hertz", "hertz", 0.6, 1, FEW),
    STICK("hertz, all stick first", "hertz", FEW),
    PENDULUM("coupled", "coupled", 1.21, 1, FEW),
    FREE("coupling 0.6, coupled", "coupled", 0.6, 1, FEW),
    RIGID("newton"),
    RIGID("poisson"),
    RIGID("energetic"),
    RIGID("compromise"),
    RIGID("impulse_ratio"),
};

/* A row of values. */
static double *filled(double from, double to) {
    double *values = malloc(SIDE * sizeof *values);
    for (int i = 0; values && i < SIDE; i++) {
        values[i] = from + (to - from) * (i + 0.5) / SIDE;
    }
    return values;
}

static void give(const imp_solver *solver, const char *name, double *values, const double **in) {
    int index = imp_input(solver, name);
    if (index >= 0) {
        in[index] = values;
    }
}

enum { ANGLE, COLUMNS = 7 };

/* Makes the columns of a row of a map, which the caller frees, and gives the solver those that it
 * takes. */
static void fill_columns(const map *m, const imp_solver *solver, double **columns,
                         const double **in) {
    const struct {
        const char *name;
        double *values;
    } made[COLUMNS] = {
        [ANGLE] = {"angle", filled(0, 0)},
        {"friction", filled(m->friction_from, m->friction_to)},
        {"stiffness_ratio", filled(m->stiffness_ratio, m->stiffness_ratio)},
        {"inertia_coupling", filled(m->inertia_coupling, m->inertia_coupling)},
        {"velocity_ratio", filled(m->velocity_from, m->velocity_to)},
        {"restitution", filled(m->restitution, m->restitution)},
        {"impulse_ratio", filled(-0.5, 0.5)},
    };
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = made[i].values;
        give(solver, made[i].name, columns[i], in);
    }
}

/* The whole map, row by row out of the same memory and into the same, as in a sweep, which fills
 * the columns of each row and writes its outputs into a file. */
static void solve_map(const map *m, imp_solver *solver, double *angle, const double *const *in,
                      double *const *out, uint8_t *outcome) {
    const double degree = 3.14159265358979323846 / 180;
    for (int row = 0; row < m->rows; row++) {
        double at = m->angle_from + (m->angle_to - m->angle_from) * (row + 0.5) / m->rows;
        for (int i = 0; i < SIDE; i++) {
            angle[i] = at * degree;
        }
        imp_solve(solver, SIDE, in, out, outcome);
    }
}

/* The outputs to compute. */
static void want(const imp_theory *theory, bool every, double **out) {
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        size_t length = (size_t)(output->length > 0 ? output->length : 1);
        bool wanted = every || is_common_output(output->name);
        out[o] = wanted ? calloc(SIDE * length, sizeof *out[o]) : NULL;
    }
}

static void report(const map *m, bool every, double *times, double *ratios) {
    const int cells = m->rows * SIDE;
    double middle = measure_median(times, RUNS), least = times[0];
    printf("%-33s %s outputs: median %.3f us, least %.3f us, %5.1f reference steps\n", m->name,
           every ? "every " : "common", middle / cells * 1e6, least / cells * 1e6,
           measure_median(ratios, RUNS));
}

static void measure(const map *m, bool every) {
    imp_solver *solver;
    if (imp_open(m->theory, m->choices, &solver)) {
        fprintf(stderr, "%s\n", imp_last_error());
        exit(1);
    }
    const int cells = m->rows * SIDE;
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *columns[COLUMNS], *out[IMP_MAX_OUTPUTS] = {NULL}, times[RUNS], ratios[RUNS];
    uint8_t *outcome = malloc(SIDE);
    fill_columns(m, solver, columns, in);
    want(imp_solver_theory(solver), every, out);
    solve_map(m, solver, columns[ANGLE], in, out, outcome);
    for (int run = 0; run < RUNS; run++) {
        double unit = measure_reference(cells), start = measure_processor();
        solve_map(m, solver, columns[ANGLE], in, out, outcome);
        times[run] = measure_processor() - start;
        ratios[run] = times[run] / unit;
    }
    report(m, every, times, ratios);
    for (int i = 0; i < COLUMNS; i++) {
        free(columns[i]);
    }
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(out[o]);
    }
    free(outcome);
    imp_close(&solver);
}

/* bench_kernel [PART OF A NAME] */
int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        if (argc < 2 || strstr(maps[i].name, argv[1])) {
            measure(&maps[i], false);
            measure(&maps[i], true);
        }
    }
    return 0;
}
