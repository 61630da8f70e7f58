#include "models/beam/newmark.h"

#include <math.h>
#include <string.h>

typedef struct march {
    const imp_beam_problem *problem;
    imp_beam_result *result;
    imp_beam_witness *witness;
    double step, time;
    double *state, *curve, *before; /* curve: q''; before: the state before the last step */
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
    memcpy(m->before, m->state, (2 * (size_t)n + 2) * sizeof *m->state);
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

static imp_beam_step last_step(const march *m) {
    return (imp_beam_step){m->problem, m->time - m->step, m->time, m->before, m->state};
}

static void see_now(march *m, int code) {
    imp_beam_step now = {m->problem, m->time, m->time, m->state, m->state};
    imp_beam_see_instant(m->witness, &now, m->time, m->contact, code);
}

/* What changed with the last step. */
static void note(march *m) {
    const imp_beam_problem *p = m->problem;
    imp_beam_result *r = m->result;
    imp_beam_step step = last_step(m);
    imp_beam_see_samples(m->witness, &step, m->time, m->contact);
    r->peak_force = fmax(r->peak_force, m->force);
    if (m->force > 0 && !m->contact) {
        m->contact = true;
        m->touch = m->time;
        see_now(m, IMP_BEAM_TOUCH);
    }
    if (!m->compressed && imp_beam_relative_velocity(p, m->state) <= 0) {
        m->compressed = true;
        r->compression_time = m->time;
        r->impulse_compression = m->state[2 * p->n];
        see_now(m, IMP_BEAM_GREATEST_COMPRESSION);
    }
    if (m->force == 0 && m->contact) {
        m->contact = false;
        imp_beam_result_count(m->touch, m->time, r);
        imp_beam_result_separate(p, m->time, m->state, r);
        double rate = imp_beam_indentation_rate(p, m->state);
        r->closeness = fmin(r->closeness, imp_beam_closeness(p, rate, 0, 0));
        see_now(m, IMP_BEAM_SEPARATION);
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
               .curve = room->curve,
               .before = room->before,
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
    see_now(&m, IMP_BEAM_TOUCH);
    take_step(&m); /* touches: the force is late, so that the first one is 0 */
    imp_beam_step first = last_step(&m);
    imp_beam_see_samples(witness, &first, m.time, true);
    bool over = false;
    while (!over && m.time < window) {
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
        if (!m.contact && (result->steps % BETWEEN_PROOFS == 0 || m.time >= window)) {
            imp_beam_flight_start(&room->flight, m.state);
            over = imp_beam_flight_is_over(&room->flight);
        }
    }
    /* The scheme gains a percent of energy; with steps that are too long it explodes. */
    const double most_residual = 1;
    bool ended = over && m.compressed && result->sub_impacts > 0;
    result->outcome = !ended                             ? IMP_BUDGET
                      : result->residual > most_residual ? IMP_NO_CONVERGENCE
                                                         : IMP_SOLVED;
}
