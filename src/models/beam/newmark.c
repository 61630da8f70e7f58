
#include <math.h>
#include <string.h>

#include "models/beam/march.h"
#include "models/beam/sums.h"
#include "num/larger.h"

typedef struct newmark {
    imp_beam_march march;
    double *curve; /* q'' */
    double force;
} newmark;

/* Approach of striker and beam with the striker after the step and the beam still before it. */
static double late_indentation(const newmark *m) {
    const imp_beam_problem *p = m->march.problem;
    const double *q = m->march.state, *v = m->march.state + p->n;
    double sum = 0, step = m->march.step;
    for (int j = 0; j < p->beam; j++) {
        sum += p->shape[j] * q[j];
    }
    for (int j = p->beam; j < p->n; j++) {
        sum += p->shape[j] * (q[j] + step * (v[j] + step / 2 * m->curve[j]));
    }
    return -sum;
}

static void take_step(newmark *m) {
    const imp_beam_problem *p = m->march.problem;
    int n = p->n;
    double h = m->march.step, *q = m->march.state, *v = q + n, before = m->force;
    imp_beam_march_keep(&m->march);
    double lost = imp_beam_march_power(&m->march);
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
    q[2 * n + 1] += h / 2 * (lost + imp_beam_march_power(&m->march));
    m->march.time += h;
}

/* Notes the events of the last step. */
static void note(newmark *m) {
    imp_beam_march *march = &m->march;
    const imp_beam_problem *p = march->problem;
    march->result->peak_force = imp_larger(m->force, march->result->peak_force);
    if (m->force > 0 && !march->contact) {
        imp_beam_march_touch(march, march->time);
    }
    if (!march->compressed && imp_beam_relative_velocity(p, march->state + p->n) <= 0) {
        imp_beam_march_compress(march, march->time, march->state[2 * p->n]);
    }
    if (m->force == 0 && march->contact) {
        imp_beam_march_separate(march, march->time);
    }
    imp_beam_march_show_rest(march);
}

/* Steps to the end of the window; IMP_BUDGET if the end of the collision is not proved by then. */
static imp_outcome go(newmark *m, imp_beam_flight *flight, double window, int64_t budget) {
    imp_beam_march *march = &m->march;
    int64_t *steps = &march->result->steps;
    bool over = false;
    while (!over && march->time < window) {
        take_step(m);
        note(m);
        if (!isfinite(march->state[march->problem->n])) {
            return IMP_NOT_FINITE;
        }
        ++*steps;
        budget -= imp_beam_work(march->problem);
        if (budget <= 0) {
            return IMP_BUDGET;
        }
        over = imp_beam_march_is_over(march, flight, march->time >= window);
    }
    return over && march->compressed && march->result->sub_impacts > 0 ? IMP_SOLVED : IMP_BUDGET;
}

void imp_beam_newmark(imp_beam_workspace *work, const imp_beam_problem *problem, double step,
                      double window, int64_t budget, imp_observer *observer,
                      imp_beam_result *result) {
    newmark m = {.march = {.problem = problem,
                           .result = result,
                           .observer = observer,
                           .state = work->state,
                           .before = work->before},
                 .curve = work->curve};
    imp_beam_flight_prepare(&work->flight, problem);
    imp_beam_march_begin(&m.march);
    for (int j = 0; j < problem->n; j++) {
        m.curve[j] = -problem->damping[j] * problem->speed[j];
    }
    m.march.step = step;
    take_step(&m); /* the force is late, so the first step is free */
    imp_beam_march_show_rest(&m.march);
    result->outcome = go(&m, &work->flight, window, budget);
    /* The scheme gains a percent of energy; with steps that are too long it explodes. */
    const double most_residual = 1;
    if (result->outcome == IMP_SOLVED && result->residual > most_residual) {
        result->outcome = IMP_NO_CONVERGENCE;
    }
}
