#include "models/beam/march.h"

#include <math.h>
#include <string.h>

#include "models/beam/sums.h"

static size_t size_of_state(const imp_beam_march *march) {
    return (2 * (size_t)march->problem->n + 2) * sizeof *march->state;
}

/* Shows an instant of the last step. */
static void see_instant(const imp_beam_march *march, double time, int event) {
    double state[IMP_BEAM_MOST_STATE], begin = march->time - march->step;
    double share = march->step > 0 ? (time - begin) / march->step : 1;
    for (int i = 0; march->witness && i < 2 * march->problem->n + 2; i++) {
        state[i] = (1 - share) * march->before[i] + share * march->state[i];
    }
    if (march->witness) {
        march->witness->see(march->witness, time, state, march->contact, event);
    }
}

static void see_samples(const imp_beam_march *march, double until) {
    imp_beam_witness *witness = march->witness;
    while (witness && (double)witness->next * witness->spacing <= until) {
        see_instant(march, (double)witness->next++ * witness->spacing, 0);
    }
}

void imp_beam_march_begin(imp_beam_march *march) {
    const imp_beam_problem *p = march->problem;
    imp_beam_result_begin(p, march->result);
    memset(march->state, 0, size_of_state(march));
    memcpy(march->state + p->n, p->speed, (size_t)p->n * sizeof *march->state);
    imp_beam_march_keep(march);
    march->contact = true;
    see_instant(march, 0, IMP_BEAM_TOUCH);
}

void imp_beam_march_keep(imp_beam_march *march) {
    memcpy(march->before, march->state, size_of_state(march));
}

void imp_beam_march_touch(imp_beam_march *march, double time) {
    see_samples(march, time);
    march->contact = true;
    march->touch = time;
    see_instant(march, time, IMP_BEAM_TOUCH);
}

void imp_beam_march_compress(imp_beam_march *march, double time, double impulse) {
    see_samples(march, time);
    march->compressed = true;
    march->result->compression_time = time;
    march->result->impulse_compression = impulse;
    see_instant(march, time, IMP_BEAM_GREATEST_COMPRESSION);
}

void imp_beam_march_separate(imp_beam_march *march, double time) {
    const imp_beam_problem *p = march->problem;
    imp_beam_result *result = march->result;
    double rate = imp_beam_indentation_rate(p, march->state);
    see_samples(march, time);
    march->contact = false;
    imp_beam_result_count(result, march->touch, time);
    imp_beam_result_separate(p, time, march->state, result);
    result->closeness = fmin(result->closeness, imp_beam_closeness(p, rate, 0, 0));
    see_instant(march, time, IMP_BEAM_SEPARATION);
}

void imp_beam_march_sample(imp_beam_march *march) {
    see_samples(march, march->time);
}

double imp_beam_march_power(const imp_beam_march *march) {
    const imp_beam_problem *p = march->problem;
    double sum = 0;
    for (int j = 0; p->damped && j < p->n; j++) {
        sum += p->damping[j] * march->state[p->n + j] * march->state[p->n + j];
    }
    return sum;
}

bool imp_beam_march_is_over(const imp_beam_march *march, imp_beam_flight *flight, bool asked) {
    enum { BETWEEN_PROOFS = 64 };
    if (march->contact || (!asked && march->result->steps % BETWEEN_PROOFS != 0)) {
        return false;
    }
    imp_beam_flight_start(flight, march->state);
    return imp_beam_flight_is_over(flight);
}
