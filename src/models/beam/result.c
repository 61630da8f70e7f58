#include "models/beam/result.h"

#include <math.h>

#include "models/beam/sums.h"

void imp_beam_result_begin(const imp_beam_problem *problem, imp_beam_result *result) {
    *result = (imp_beam_result){.outcome = IMP_SOLVED,
                                .velocity_in = problem->approach,
                                .tolerance = problem->tolerance,
                                .compression_time = NAN,
                                .impulse_compression = NAN,
                                .uncertainty = NAN,
                                .closeness = INFINITY};
    for (int i = 0; i < IMP_BEAM_SUB_IMPACTS; i++) {
        result->begin[i] = result->end[i] = NAN;
    }
}

void imp_beam_result_count(imp_beam_result *result, double begin, double end) {
    if (result->sub_impacts < IMP_BEAM_SUB_IMPACTS) {
        result->begin[result->sub_impacts] = begin;
        result->end[result->sub_impacts] = end;
    }
    result->sub_impacts++;
}

void imp_beam_result_separate(const imp_beam_problem *problem, double time, const double *state,
                              imp_beam_result *result) {
    int n = problem->n;
    result->duration = time;
    result->velocity_out = imp_beam_relative_velocity(problem, state + problem->n);
    result->impulse = state[2 * n];
    result->dissipated = state[2 * n + 1] / problem->energy;
    result->rigid_energy = imp_beam_rigid_energy(problem, state) / problem->energy;
    result->vibration_energy = imp_beam_vibration_energy(problem, state) / problem->energy;
    for (int i = 0; i < IMP_BEAM_MODE_ENERGIES; i++) {
        int j = problem->rigid + i;
        double v = j < problem->beam ? state[n + j] : NAN;
        result->mode_energy[i] =
            j < problem->beam
                ? (v * v + problem->lambda[j] * state[j] * state[j]) / (2 * problem->energy)
                : NAN;
    }
    result->residual =
        fabs(result->rigid_energy + result->vibration_energy + result->dissipated - 1);
}
