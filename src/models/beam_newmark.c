#include "models/beam_newmark.h"

#include <math.h>
#include <string.h>

typedef struct march {
    const imp_beam_problem *problem;
    imp_beam_result *result;
    imp_beam_witness *witness;
    double step, time;
    double *state, *curve; /* curve: q'' */
    double force;
    double touch;
    bool contact, compressed;
} march;

/* Approach of striker and beam where the beam is still where it was before the step. */
static double late_indentation(const march *m) {
    const imp_beam_problem *p = m->problem;
    const double *q = m->state, *v = m->state + p->n;
    double sum = 0;
    for (int j = 0; j < p->beam; j++) {
        sum += p->shape[j] * q[j];
    }
    for (int j = p->beam; j < p->n; j++) {
        sum += p->shape[j] * (q[j] + m->step * (v[j] + m->step / 2 * m->curve[j]));
    }
    return -sum;
}

static double power_of_damping(const march *m) {
    const imp_beam_problem *p = m->problem;
    double sum = 0;
    for (int j = 0; p->damped && j < p->n; j++) {
        sum += p->damping[j] * m->state[p->n + j] * m->state[p->n + j];
    }
    return sum;
}

static void take_step(march *m) {
    const imp_beam_problem *p = m->problem;
    int n = p->n;
    double h = m->step, *q = m->state, *v = m->state + n, before = m->force;
    double lost = power_of_damping(m);
    m->force = imp_beam_force(p, late_indentation(m));
    for (int j = 0; j < n; j++) {
        double d = p->damping[j], lambda = p->lambda[j], a = m->curve[j];
        double speed = v[j] + h / 2 * a, place = q[j] + h * (v[j] + h / 4 * a);
        double next = (p->shape[j] * m->force - d * speed - lambda * place) /
                      (1 + h / 2 * d + h * h / 4 * lambda);
        q[j] = place + h * h / 4 * next;
        v[j] = speed + h / 2 * next;
        m->curve[j] = next;
    }
    q[2 * n] += h / 2 * (before + m->force);
    q[2 * n + 1] += h / 2 * (lost + power_of_damping(m));
    m->time += h;
}

static void see(march *m, int code) {
    if (m->witness) {
        m->witness->see(m->witness, m->time, m->state, m->contact, code);
    }
}

/* What changed with the last step. */
static void note(march *m) {
    const imp_beam_problem *p = m->problem;
    imp_beam_result *r = m->result;
    r->peak_force = fmax(r->peak_force, m->force);
    if (m->force > 0 && !m->contact) {
        m->contact = true;
        m->touch = m->time;
        see(m, IMP_BEAM_TOUCH);
    }
    if (!m->compressed && imp_beam_relative_velocity(p, m->state) <= 0) {
        m->compressed = true;
        r->compression_time = m->time;
        r->impulse_compression = m->state[2 * p->n];
        see(m, IMP_BEAM_GREATEST_COMPRESSION);
    }
    if (m->force == 0 && m->contact) {
        m->contact = false;
        imp_beam_result_count(m->touch, m->time, r);
        imp_beam_result_separate(p, m->time, m->state, r);
        double rate = imp_beam_indentation_rate(p, m->state);
        r->closeness = fmin(r->closeness, imp_beam_closeness(p, rate, 0, 0));
        see(m, IMP_BEAM_SEPARATION);
    }
    while (m->witness && (double)m->witness->next * m->witness->spacing <= m->time) {
        m->witness->next++;
        see(m, 0);
    }
}

void imp_beam_newmark(imp_beam_room *room, const imp_beam_problem *problem, double step,
                      double window, int64_t budget, imp_beam_witness *witness,
                      imp_beam_result *result) {
    enum { BETWEEN_PROOFS = 64 };
    march m = {.problem = problem,
               .result = result,
               .witness = witness,
               .step = step,
               .state = room->state,
               .curve = room->after,
               .contact = true};
    size_t n = (size_t)problem->n;
    imp_beam_result_begin(problem, result);
    imp_beam_flight_prepare(&room->flight, problem);
    memset(m.state, 0, (2 * n + 2) * sizeof *m.state);
    memset(m.curve, 0, n * sizeof *m.curve);
    memcpy(m.state + n, problem->speed, n * sizeof *m.state);
    for (size_t j = 0; j < n; j++) {
        m.curve[j] = -problem->damping[j] * problem->speed[j];
    }
    see(&m, IMP_BEAM_TOUCH);
    take_step(&m); /* touches: the force is late, so that the first one is 0 */
    for (bool over = false; !over && m.time < window;) {
        take_step(&m);
        note(&m);
        if (!isfinite(m.state[n])) {
            result->outcome = IMP_NOT_FINITE;
            return;
        }
        if (++result->steps >= budget) {
            result->outcome = IMP_BUDGET;
            return;
        }
        if (!m.contact && result->steps % BETWEEN_PROOFS == 0) {
            imp_beam_flight_start(&room->flight, m.state);
            over = imp_beam_flight_is_over(&room->flight);
        }
    }
    bool ended = m.compressed && !m.contact && result->sub_impacts > 0;
    result->outcome = ended ? IMP_SOLVED : IMP_BUDGET;
}
