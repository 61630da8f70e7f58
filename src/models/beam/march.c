#include "models/beam/march.h"

#include <string.h>

#include "models/beam/sums.h"
#include "num/larger.h"

static size_t size_of_state(const imp_beam_march *march) {
    return (2 * (size_t)march->problem->n + 2) * sizeof *march->state;
}

/* The last step, and the state at a time within it. */
typedef struct straight {
    const imp_beam_march *march;
    double state[IMP_BEAM_MOST_STATE];
} straight;

static const double *state_at(straight *s, double time) {
    const imp_beam_march *march = s->march;
    double begin = march->time - march->step;
    double share = march->step > 0 ? (time - begin) / march->step : 1;
    for (int i = 0; i < 2 * march->problem->n + 2; i++) {
        s->state[i] = (1 - share) * march->before[i] + share * march->state[i];
    }
    return s->state;
}

static const double *piece_at(const imp_beam_piece *piece, double time) {
    return state_at(piece->motion, time);
}

static int phase_of(const imp_beam_march *march) {
    return march->contact ? IMP_BEAM_IN_CONTACT : IMP_BEAM_APART;
}

static void show_event(const imp_beam_march *march, double time, int event) {
    if (march->observer) {
        straight s = {.march = march};
        imp_beam_instant now = {.time = time, .state = state_at(&s, time)};
        march->observer->see_event(march->observer, event, phase_of(march), &now);
    }
}

/* Shows the part of the last step that has not been shown, until `end`. */
static void show_until(const imp_beam_march *march, double end) {
    if (march->observer) {
        straight s = {.march = march};
        imp_beam_piece piece = {
            .phase = phase_of(march), .end = end, .closed = true, .motion = &s, .at = piece_at};
        march->observer->see_piece(march->observer, &piece);
    }
}

void imp_beam_march_begin(imp_beam_march *march) {
    const imp_beam_problem *p = march->problem;
    imp_beam_result_begin(p, march->result);
    memset(march->state, 0, size_of_state(march));
    memcpy(march->state + p->n, p->speed, (size_t)p->n * sizeof *march->state);
    imp_beam_march_keep(march);
    march->contact = true;
    show_event(march, 0, IMP_BEAM_TOUCH);
}

void imp_beam_march_keep(imp_beam_march *march) {
    memcpy(march->before, march->state, size_of_state(march));
}

void imp_beam_march_touch(imp_beam_march *march, double time) {
    show_until(march, time);
    march->contact = true;
    march->touch = time;
    show_event(march, time, IMP_BEAM_TOUCH);
}

void imp_beam_march_compress(imp_beam_march *march, double time, double impulse) {
    show_until(march, time);
    march->compressed = true;
    march->result->compression_time = time;
    march->result->impulse_compression = impulse;
    show_event(march, time, IMP_BEAM_GREATEST_COMPRESSION);
}

void imp_beam_march_separate(imp_beam_march *march, double time) {
    const imp_beam_problem *p = march->problem;
    imp_beam_result *result = march->result;
    double rate = imp_beam_indentation_rate(p, march->state);
    show_until(march, time);
    march->contact = false;
    imp_beam_result_count(result, march->touch, time);
    imp_beam_result_separate(p, time, march->state, result);
    result->closeness = imp_smaller(imp_beam_closeness(p, rate, 0, 0), result->closeness);
    show_event(march, time, IMP_BEAM_SEPARATION);
}

void imp_beam_march_show_rest(imp_beam_march *march) {
    show_until(march, march->time);
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
