#include "models/beam/sums.h"

#include <math.h>

int64_t imp_beam_work(const imp_beam_problem *problem) {
    return 1 + problem->n / 32;
}

double imp_beam_indentation(const imp_beam_problem *problem, const double *state) {
    /* In four chains, because additions wait for each other; the order is fixed. */
    double sum[4] = {0, 0, 0, 0};
    int j = 0;
    for (; j + 4 <= problem->n; j += 4) {
        for (int k = 0; k < 4; k++) {
            sum[k] += problem->shape[j + k] * state[j + k];
        }
    }
    for (; j < problem->n; j++) {
        sum[0] += problem->shape[j] * state[j];
    }
    return -((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

double imp_beam_indentation_rate(const imp_beam_problem *problem, const double *state) {
    return imp_beam_indentation(problem, state + problem->n);
}

double imp_beam_indentation_curve(const imp_beam_problem *problem, const double *state) {
    double force = imp_beam_force(problem, imp_beam_indentation(problem, state)), sum = 0;
    for (int j = 0; j < problem->n; j++) {
        double rate = state[problem->n + j];
        sum += problem->shape[j] * (problem->shape[j] * force - problem->damping[j] * rate -
                                    problem->lambda[j] * state[j]);
    }
    return -sum;
}

double imp_beam_relative_velocity(const imp_beam_problem *problem, const double *rate) {
    double sum = 0;
    for (int j = 0; j < problem->rigid; j++) {
        sum += problem->shape[j] * rate[j];
    }
    for (int j = problem->beam; j < problem->n; j++) {
        sum += problem->shape[j] * rate[j];
    }
    return -sum;
}

double imp_beam_force(const imp_beam_problem *problem, double indentation) {
    return indentation > 0 ? problem->stiffness * indentation * sqrt(indentation) : 0;
}

double imp_beam_contact_energy(const imp_beam_problem *problem, double indentation) {
    return indentation > 0 ? 0.4 * imp_beam_force(problem, indentation) * indentation : 0;
}

double imp_beam_relative_acceleration(const imp_beam_problem *p, const double *state,
                                      double indentation) {
    double sum = -imp_beam_force(p, indentation) / p->effective_mass;
    for (int j = 0; p->external > 0 && j < p->rigid; j++) {
        sum += p->shape[j] * p->damping[j] * state[p->n + j];
    }
    return sum;
}

double imp_beam_rigid_energy(const imp_beam_problem *problem, const double *state) {
    const double *rate = state + problem->n;
    double sum = 0;
    for (int j = 0; j < problem->rigid; j++) {
        sum += rate[j] * rate[j];
    }
    for (int j = problem->beam; j < problem->n; j++) {
        sum += rate[j] * rate[j];
    }
    return sum / 2;
}

double imp_beam_vibration_energy(const imp_beam_problem *problem, const double *state) {
    const double *rate = state + problem->n;
    double sum = 0;
    for (int j = problem->rigid; j < problem->beam; j++) {
        sum += rate[j] * rate[j] + problem->lambda[j] * state[j] * state[j];
    }
    return sum / 2;
}

double imp_beam_curve_bound(const imp_beam_problem *problem, const double *state) {
    const double *rate = state + problem->n;
    double sum = 0;
    for (int j = 0; j < problem->n; j++) {
        double size = rate[j] * rate[j] + problem->lambda[j] * state[j] * state[j];
        sum += fabs(problem->shape[j]) * (problem->damping[j] + problem->omega[j]) * sqrt(size);
    }
    return sum;
}

double imp_beam_closeness(const imp_beam_problem *problem, double rate, double distance,
                          double curve) {
    return sqrt(rate * rate + 2 * fabs(curve) * fabs(distance)) / problem->approach;
}
