/* Time of one cell of the beam over 400 positions on one core, at the default tolerance: least and
 * median of several runs, with PETSc, and with the eigenproblem solved once in each run; also the
 * share of free flight (the linker wraps its search). */
#include <math.h>
#include <petscvec.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "models/beam/flight.h"
#include "models/petsc.h"

enum { CELLS = 400, RUNS = 7 };

imp_beam_flight_end __real_imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                                  double *closeness);
imp_beam_flight_end __wrap_imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                                  double *closeness);

static double in_flight;

imp_beam_flight_end __wrap_imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                                  double *closeness) {
    double start = measure_processor();
    imp_beam_flight_end end = __real_imp_beam_flight_search(flight, left, closeness);
    in_flight += measure_processor() - start;
    return end;
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
    double start = measure_processor();
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
    double seconds = measure_processor() - start;
    *steps = 0;
    for (int i = 0; i < CELLS; i++) {
        *steps += counts[i];
    }
    return seconds;
}

/* Seconds of the inevitable part of PETSc: the sums of the stages of so many explicit steps, and of
 * their results and errors. */
static double bare_sums(int stages, int steps) {
    enum { STATE = 52, MOST_STAGES = 13 };
    PetscScalar factor[MOST_STAGES];
    Vec state, *slope;
    VecCreateSeq(PETSC_COMM_SELF, STATE, &state);
    VecDuplicateVecs(state, MOST_STAGES, &slope);
    for (int i = 0; i < MOST_STAGES; i++) {
        factor[i] = 1e-3 * i; /* sums of zeros are skipped */
    }
    double start = measure_processor();
    for (int i = 0; i < steps; i++) {
        for (int stage = 1; stage < stages + 2; stage++) {
            VecMAXPY(state, stage < stages ? stage : stages, factor, slope);
        }
    }
    double seconds = measure_processor() - start;
    VecDestroyVecs(MOST_STAGES, &slope);
    VecDestroy(&state);
    return seconds;
}

static const struct {
    double damping, bound; /* ms; infinite: none */
    int stages;
} maps[] = {{0, 4, 13}, {1e6, INFINITY, 7}};

int main(void) {
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        double milliseconds[RUNS], ratio[RUNS], flight = 0, steps = 0;
        for (int r = 0; r < RUNS; r++) {
            in_flight = 0;
            double seconds = run(maps[m].damping, &steps);
            milliseconds[r] = 1e3 * seconds / CELLS;
            flight += in_flight / seconds / RUNS;
            ratio[r] = seconds / bare_sums(maps[m].stages, (int)steps);
        }
        double middle = measure_median(milliseconds, RUNS), sums = measure_median(ratio, RUNS);
        printf(
            "internal damping %-8g %.2f ms per cell (least; median %.2f, bound %.0f), %.0f steps, "
            "%.2f times their bare sums, %.0f %% of the time in free flight\n",
            maps[m].damping, milliseconds[0], middle, maps[m].bound, steps / CELLS, sums,
            100 * flight);
    }
    return imp_petsc_finish() != IMP_OK;
}
