#include "models/beam/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/lanes/width.h"
#include "num/larger.h"

IMP_EACH_WIDTH(imp_beam_go_back, (imp_beam_slopes * slopes), imp_lane_width(), (slopes))

void imp_beam_kicks_clear(imp_beam_kicks *kicks) {
    kicks->n = 0;
    memset(kicks->size, 0, sizeof kicks->size);
    kicks->pending = 0;
    kicks->lost = false;
}

void imp_beam_kicks_free(imp_beam_kicks *kicks) {
    free(kicks->kick);
    *kicks = (imp_beam_kicks){.kick = NULL};
}

void imp_beam_kicks_add(imp_beam_kicks *kicks, double length, double slope) {
    if (kicks->n == kicks->room) {
        size_t room = kicks->room > 0 ? 2 * kicks->room : 1024;
        imp_beam_kick *more = realloc(kicks->kick, room * sizeof *more);
        if (!more) {
            kicks->lost = true;
            return;
        }
        kicks->kick = more;
        kicks->room = room;
    }
    kicks->kick[kicks->n++] = (imp_beam_kick){.time = kicks->pending + length / 2, .slope = slope};
    kicks->pending = length / 2;
}

void imp_beam_kicks_contact(imp_beam_kicks *kicks, const imp_beam_problem *problem, double length,
                            double before, double after) {
    double root = (sqrt(imp_larger(before, 0)) + sqrt(imp_larger(after, 0))) / 2;
    imp_beam_kicks_add(kicks, length, 1.5 * problem->stiffness * root * length);
}

void imp_beam_kicks_see(imp_beam_kicks *kicks, const imp_beam_problem *problem,
                        const double *state) {
    for (int j = 0; j < problem->n; j++) {
        double speed = state[problem->n + j], place = state[j];
        double size = sqrt(speed * speed + problem->lambda[j] * place * place);
        kicks->size[j] = imp_larger(size, kicks->size[j]);
    }
}

void imp_beam_kicks_flight(imp_beam_kicks *kicks, double time) {
    kicks->pending += time;
}

/* Values of n modes, or 0 if there are none; the places behind them in whole groups become 0. */
static void fill(double *column, const double *value, int n) {
    for (int j = 0; j < n || j % IMP_BEAM_GROUP != 0; j++) {
        column[j] = value && j < n ? value[j] : 0;
    }
}

double imp_beam_uncertainty(const imp_beam_kicks *kicks, const imp_beam_problem *problem,
                            double tolerance, imp_beam_slopes *slopes) {
    int n = problem->n;
    slopes->kicks = kicks;
    slopes->n = n;
    slopes->damped = problem->damped;
    fill(slopes->omega, problem->omega, n);
    fill(slopes->damping, problem->damping, n);
    fill(slopes->shape, problem->shape, n);
    fill(slopes->place_error, problem->place_error, n);
    fill(slopes->speed_error, problem->speed_error, n);
    fill(slopes->size, kicks->size, n);
    fill(slopes->place, NULL, n);
    fill(slopes->speed, NULL, n);
    fill(slopes->turned, NULL, n);
    imp_beam_go_back(slopes);
    double steps = tolerance * sqrt(2 * problem->energy) * sqrt(slopes->steps);
    double modes = problem->mode_error * sqrt(slopes->modes);
    double change = (steps + modes) / (problem->effective_mass * problem->approach);
    return isnan(change) ? INFINITY : change;
}
