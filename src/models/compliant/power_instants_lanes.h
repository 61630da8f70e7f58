/* Forces, works and energies in a step, in lanes. */
#ifndef IMP_MODELS_COMPLIANT_POWER_INSTANTS_LANES_H
#define IMP_MODELS_COMPLIANT_POWER_INSTANTS_LANES_H

#include "models/compliant/power_sights_lanes.h"
#include "models/compliant/problem.h"

/* 2/5 x^2.5, the energy of a spring. */
CODE real energy(real x) {
    return 0.4 * x * x * imp_lanes_sqrt(size_of(x));
}

/* In slip u follows the normal force; see limit() of power_impl.h. */
CODE real elongation(const phase *m, const row *y) {
    if (!any(~m->sticks)) {
        return y->x[U];
    }
    real x = positive(1 - m->damping * y->x[V_N]);
    real relief = pick(m->damping == 0, number(1), imp_lanes_two_thirds(x));
    return pick(m->sticks, y->x[U], m->slip * (m->kappa * y->x[DELTA] * relief));
}

/* Forces and their rates. The forces are the rates of the impulses, too: to take them from there
 * costs hertz a tenth of its time. */
CODE void forces_at(const phase *m, const row *y, const row *rate, imp_compliant_instant *now) {
    real d = positive(y->x[DELTA]), v = y->x[V_N], held = positive(1 - m->damping * v);
    real root = imp_lanes_sqrt(d), u = y->x[U], v_t = y->x[V_T], half = imp_lanes_sqrt(size_of(u));
    now->f_n = d * root * held;
    now->f_n_rate = -root * (1.5 * v * held + m->damping * d * rate->x[V_N]);
    real f_t = -u * (m->coupled ? root : half);
    real f_t_rate =
        m->coupled ? pick(root > 0, u * v / (2 * root) - root * v_t, number(0)) : -1.5 * half * v_t;
    now->f_t = pick(m->sticks, f_t, m->along * now->f_n);
    now->f_t_rate = pick(m->sticks, f_t_rate, m->along * now->f_n_rate);
}

/* The energy of the tangential spring of `hertz`. */
CODE real tangential_energy(const phase *m, const row *y) {
    return energy(size_of(elongation(m, y)));
}

/* A point of a march, with what only its instant needs. */
typedef struct place {
    row y;
    real speed, stored; /* of slip; energy of the tangential spring of `hertz` */
} place;

/* Works of the forces and friction loss between two points. */
CODE void works_of(const phase *m, const place *from, const place *to, imp_compliant_instant *now) {
    const row *a = &from->y, *b = &to->y;
    real stored = from->stored - to->stored;
    real sum = now->p_t * (a->x[V_T] + b->x[V_T]) / 2;
    /* Work of both forces, less that of the normal one. */
    real both = sum + now->p_n * (a->x[V_N] + b->x[V_N]) / 2;
    real stick = m->coupled ? both - now->work_n : stored;
    real rubbed = -m->slip * now->p_t * (from->speed + to->speed) / 2;
    now->work_t = pick(m->sticks, stick, sum);
    now->loss = pick(m->damping > 0, stored - now->work_t, rubbed);
    now->loss = pick(m->sticks, number(0), now->loss);
}

/* The instant at a point of a step that leads from one place to another. */
CODE imp_compliant_instant instant_at(const phase *m, const place *from, const place *to,
                                      const row *rate) {
    const row *y = &to->y;
    real d = positive(y->x[DELTA]), u = elongation(m, y);
    imp_compliant_instant now = {.time = number(0),
                                 .u = u,
                                 .delta = d,
                                 .v_t = y->x[V_T],
                                 .v_n = y->x[V_N],
                                 .slip = m->slip * positive(to->speed),
                                 .p_t = y->x[P_T] - from->y.x[P_T],
                                 .p_n = y->x[P_N] - from->y.x[P_N],
                                 .work_n = y->x[WORK] - from->y.x[WORK],
                                 .stored_n = energy(d)};
    forces_at(m, y, rate, &now);
    works_of(m, from, to, &now);
    now.stored_t = m->coupled ? u * u * imp_lanes_sqrt(d) / 2 : to->stored;
    return now;
}

/* ---- the account ---- */

CODE void store_forces(const imp_compliant_instant *now, imp_compliant_power_points *to) {
    imp_lanes_store(to->force[NORMAL], now->f_n);
    imp_lanes_store(to->force[TANGENTIAL], now->f_t);
    imp_lanes_store(to->force_rate[NORMAL], now->f_n_rate);
    imp_lanes_store(to->force_rate[TANGENTIAL], now->f_t_rate);
}

/* Whether a force turns in the step and may be the greatest so far: as a rule it stays below the
 * tangents at both ends. */
CODE truth may_peak(const imp_compliant_power_block *b, int which, real took) {
    real f = load(b->start.force[which]), rate = load(b->start.force_rate[which]);
    real end = load(b->at.force[which]), end_rate = load(b->at.force_rate[which]);
    truth turns = rate * end_rate < 0;
    if (!any(turns)) {
        return turns;
    }
    real top = f + rate * ((end - f - end_rate * took) / (rate - end_rate));
    return turns & (size_of(top) > load(b->sums.peak[which].size));
}

/* Makes known what the steps to the points `at` would add to accounts; returns where no force has a
 * peak. The normal force without damping, and the tangential one in slip then, have their peak at
 * the greatest indentation. */
CODE truth weigh(imp_compliant_power_block *b, const step *s, real speed) {
    const phase *m = &s->m;
    place from = {.y = s->y, .speed = load(b->start.speed), .stored = load(b->start.stored)};
    place to = {.y = s->end.y, .speed = speed, .stored = tangential_energy(m, &s->end.y)};
    imp_compliant_instant now = instant_at(m, &from, &to, &s->end_rate);
    store_forces(&now, &b->at);
    imp_lanes_store(b->at.work_t, now.work_t);
    imp_lanes_store(b->at.loss, now.loss);
    imp_lanes_store(b->at.stored, to.stored);
    real took = to.y.x[TIME] - from.y.x[TIME];
    truth damped = m->damping > 0, wanted = load(b->peaks) != 0;
    truth normal = wanted & damped & may_peak(b, NORMAL, took);
    truth tangential = wanted & (damped | m->sticks) & may_peak(b, TANGENTIAL, took);
    imp_lanes_store(b->at.peaks[NORMAL], pick(normal, number(1), number(0)));
    imp_lanes_store(b->at.peaks[TANGENTIAL], pick(tangential, number(1), number(0)));
    return ~(normal | tangential);
}

CODE void note_force(imp_compliant_power_peak *peak, real force, real time, truth here) {
    real size = load(peak->size);
    truth higher = here & (size_of(force) > size);
    imp_lanes_store(peak->size, pick(higher, size_of(force), size));
    imp_lanes_store(peak->time, pick(higher, time, load(peak->time)));
}

CODE void add_to(double *sum, real part, truth here) {
    real before = load(sum);
    imp_lanes_store(sum, pick(here, before + part, before));
}

/* Adds the steps from the points `start` to the points `at` to the accounts. */
CODE void add_steps(imp_compliant_power_block *b, truth here) {
    here &= load(b->accounts) != 0;
    add_to(b->sums.time, load(b->at.y[TIME]) - load(b->start.y[TIME]), here);
    add_to(b->sums.rebound, load(b->at.work_t), here);
    add_to(b->sums.loss, load(b->at.loss), here);
    here &= load(b->peaks) != 0;
    for (int k = NORMAL; k < IMP_COMPLIANT_POWER_FORCES; k++) {
        note_force(&b->sums.peak[k], load(b->at.force[k]), load(b->sums.time), here);
    }
}

#endif
