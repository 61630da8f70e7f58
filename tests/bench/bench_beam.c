/* Time of one cell of the beam over 400 positions on one core, at the default tolerance: least and
 * median of several runs, PETSc included and the eigenproblem solved once in each; and how much of it
 * free flight takes (the linker wraps its search). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "models/beam_flight.h"
#include "models/beam_session.h"

enum { CELLS = 400, RUNS = 7 };

imp_beam_flight_end __real_imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                                  double *closeness);
imp_beam_flight_end __wrap_imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                                  double *closeness);

static double in_flight;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

imp_beam_flight_end __wrap_imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                                  double *closeness) {
    double start = now();
    imp_beam_flight_end end = __real_imp_beam_flight_search(flight, left, closeness);
    in_flight += now() - start;
    return end;
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Seconds of a run; *steps: of the integrator, over all cells. */
static double run(double damping, double *steps) {
    static double position[CELLS], dampings[CELLS], restitution[CELLS], counts[CELLS];
    static uint8_t outcome[CELLS];
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    imp_solver *solver;
    for (int i = 0; i < CELLS; i++) {
        position[i] = fmin(1, 0.2 + 0.8 * i / (CELLS - 1));
        dampings[i] = damping;
    }
    double start = now();
    if (imp_open("beam", "", &solver)) {
        fprintf(stderr, "bench_beam: %s\n", imp_last_error());
        exit(1);
    }
    in[imp_input(solver, "position")] = position;
    in[imp_input(solver, "internal_damping")] = dampings;
    out[imp_output_index(solver, "kinematic_restitution")] = restitution;
    out[imp_output_index(solver, "steps")] = counts;
    imp_solve(solver, CELLS, in, out, outcome);
    imp_close(&solver);
    double seconds = now() - start;
    *steps = 0;
    for (int i = 0; i < CELLS; i++) {
        *steps += counts[i];
    }
    return seconds;
}

int main(void) {
    static const double dampings[] = {0, 1e6};
    for (int d = 0; d < 2; d++) {
        double milliseconds[RUNS], flight = 0, steps = 0;
        for (int r = 0; r < RUNS; r++) {
            in_flight = 0;
            milliseconds[r] = 1e3 * run(dampings[d], &steps) / CELLS;
            flight += 1e3 * in_flight / CELLS / milliseconds[r] / RUNS;
        }
        qsort(milliseconds, RUNS, sizeof *milliseconds, ascending);
        printf("internal damping %-8g %.2f ms per cell (least; median %.2f), %.0f steps, "
               "%.0f %% of the time in free flight\n",
               dampings[d], milliseconds[0], milliseconds[RUNS / 2], steps / CELLS, 100 * flight);
    }
    return imp_petsc_finish() != IMP_OK;
}
