/* Forces, works and energies in a step, in lanes. Compiled once for each width, after power_sights_lanes.h. */

/* As imp_instant. */
typedef struct moment {
    real time, u, delta, v_t, v_n;
    real f_t, f_n;
    real slip;
    real p_t, p_n, work_t, work_n, loss;
    real stored_t, stored_n;
} moment;

/* 2/5 x^2.5, the energy of a spring. */
CODE real energy(real x) {
    return 0.4 * x * x * imp_lanes_sqrt(size_of(x));
}

/* In slip u follows the normal force; see limit() of power_impl.h. */
CODE real elongation(const march *m, const row *y) {
    if (!any(~m->sticks)) {
        return y->x[U];
    }
    real x = positive(1 - m->damping * y->x[V_N]);
    real relief = pick(m->damping == 0, number(1), imp_lanes_two_thirds(x));
    return pick(m->sticks, y->x[U], m->slip * (m->kappa * y->x[DELTA] * relief));
}

/* The energy of the tangential spring of `hertz`. */
CODE real tangential_energy(const march *m, const row *y) {
    return energy(size_of(elongation(m, y)));
}

/* A point of a march, with what only its moment needs. */
typedef struct place {
    row y;
    real speed, stored; /* of slip; energy of the tangential spring of `hertz` */
} place;

/* Works of the forces and friction loss between two points. */
CODE void works_of(const march *m, const place *from, const place *to, moment *now) {
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

/* The moment at a point of a step that leads from one place to another; rate: in time. */
CODE moment moment_at(const march *m, const place *from, const place *to, const row *rate) {
    const row *y = &to->y;
    real d = positive(y->x[DELTA]), u = elongation(m, y);
    moment now = {.time = number(0),
                  .u = u,
                  .delta = d,
                  .v_t = y->x[V_T],
                  .v_n = y->x[V_N],
                  .f_t = rate->x[P_T],
                  .f_n = rate->x[P_N],
                  .slip = m->slip * positive(to->speed),
                  .p_t = y->x[P_T] - from->y.x[P_T],
                  .p_n = y->x[P_N] - from->y.x[P_N],
                  .work_n = y->x[WORK] - from->y.x[WORK],
                  .stored_n = energy(d)};
    works_of(m, from, to, &now);
    now.stored_t = m->coupled ? u * u * imp_lanes_sqrt(d) / 2 : to->stored;
    return now;
}

/* ---- the account ---- */

/* The rate of f_t, given that of f_n. */
CODE real tangential_force_rate(const march *m, const row *y, real normal) {
    real root = imp_lanes_sqrt(positive(y->x[DELTA])), u = y->x[U], v_t = y->x[V_T];
    real stick = m->coupled ? pick(root > 0, u * y->x[V_N] / (2 * root) - root * v_t, number(0))
                            : -1.5 * imp_lanes_sqrt(size_of(u)) * v_t;
    return pick(m->sticks, stick, m->along * normal);
}

/* Forces are the rates of their impulses. */
CODE void store_forces(const march *m, const row *y, const row *rate, imp_power_points *to) {
    real normal = normal_force_rate(m, y, rate);
    imp_lanes_store(to->force[NORMAL], rate->x[P_N]);
    imp_lanes_store(to->force[TANGENTIAL], rate->x[P_T]);
    imp_lanes_store(to->force_rate[NORMAL], normal);
    imp_lanes_store(to->force_rate[TANGENTIAL], tangential_force_rate(m, y, normal));
}

/* Whether a force turns in the step and may be the greatest so far: as a rule it stays below the tangents at
 * both ends. */
CODE truth may_peak(const imp_power_block *b, int which, real took) {
    real f = load(b->start.force[which]), rate = load(b->start.force_rate[which]);
    real end = load(b->at.force[which]), end_rate = load(b->at.force_rate[which]);
    truth turns = rate * end_rate < 0;
    if (!any(turns)) {
        return turns;
    }
    real top = f + rate * ((end - f - end_rate * took) / (rate - end_rate));
    return turns & (size_of(top) > load(b->sums.peak[which].size));
}

/* Makes known what the steps to the points `at` would add to accounts; returns where no force has a peak. The normal force
 * without damping, and the tangential one in slip then, have their peak at the greatest indentation. */
CODE truth weigh(imp_power_block *b, const step *s, real speed) {
    const march *m = &s->m;
    place from = {s->y, load(b->start.speed), load(b->start.stored)};
    place to = {s->end.y, speed, tangential_energy(m, &s->end.y)};
    moment now = moment_at(m, &from, &to, &s->end_rate);
    store_forces(m, &to.y, &s->end_rate, &b->at);
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

CODE void note_force(imp_power_peak *peak, real force, real time, truth here) {
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
CODE void add_steps(imp_power_block *b, truth here) {
    here &= load(b->accounts) != 0;
    add_to(b->sums.time, load(b->at.y[TIME]) - load(b->start.y[TIME]), here);
    add_to(b->sums.rebound, load(b->at.work_t), here);
    add_to(b->sums.loss, load(b->at.loss), here);
    here &= load(b->peaks) != 0;
    for (int k = NORMAL; k < IMP_POWER_FORCES; k++) {
        note_force(&b->sums.peak[k], load(b->at.force[k]), load(b->sums.time), here);
    }
}
