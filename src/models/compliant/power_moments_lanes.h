/* Forces, works and energies in a step, in lanes. Compiled once for each width, after power_sights_lanes.h. */

/* As imp_instant. */
typedef struct moment {
    real time, u, delta, v_t, v_n;
    real f_t, f_n, f_t_rate, f_n_rate;
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

/* Forces and their rates. */
CODE void forces_at(const march *m, const row *y, const row *rate, moment *now) {
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

/* Works of the forces and friction loss between two points. */
CODE void works_of(const march *m, const row *a, const row *b, real speed_from, real speed_to,
                   moment *now) {
    real stored = energy(size_of(elongation(m, a))) - energy(size_of(now->u));
    real sum = now->p_t * (a->x[V_T] + b->x[V_T]) / 2;
    /* Work of both forces, less that of the normal one. */
    real both = sum + now->p_n * (a->x[V_N] + b->x[V_N]) / 2;
    real stick = m->coupled ? both - now->work_n : stored;
    real rubbed = -m->slip * now->p_t * (speed_from + speed_to) / 2;
    now->work_t = pick(m->sticks, stick, sum);
    now->loss = pick(m->damping > 0, stored - now->work_t, rubbed);
    now->loss = pick(m->sticks, number(0), now->loss);
}

/* The moment at a point of a step. */
CODE moment moment_at(const imp_power_block *b, const march *m, const row *from, const row *y,
                      const row *rate, real speed) {
    real d = positive(y->x[DELTA]);
    moment now = {.time = number(0),
                  .u = elongation(m, y),
                  .delta = d,
                  .v_t = y->x[V_T],
                  .v_n = y->x[V_N],
                  .slip = m->slip * positive(speed),
                  .p_t = y->x[P_T] - from->x[P_T],
                  .p_n = y->x[P_N] - from->x[P_N],
                  .work_n = y->x[WORK] - from->x[WORK],
                  .stored_n = energy(d)};
    forces_at(m, y, rate, &now);
    works_of(m, from, y, load(b->start.speed), speed, &now);
    real u = now.u;
    now.stored_t = m->coupled ? u * u * imp_lanes_sqrt(d) / 2 : energy(size_of(u));
    return now;
}

/* ---- the account ---- */

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

/* Adds steps in which no force and no indentation turns to the accounts; returns where there are others. */
CODE truth add_steps(imp_power_block *b, const step *s, real end_speed, truth here) {
    const march *m = &s->m;
    moment from, to = moment_at(b, m, &s->y, &s->end.y, &s->end_rate, end_speed);
    truth peaks = load(b->peaks) != 0, damped = m->damping > 0;
    real since = load(b->sums.time), took = s->end.y.x[TIME] - s->y.x[TIME];
    forces_at(m, &s->y, &s->rate, &from);
    truth turns = (from.f_t_rate * to.f_t_rate < 0) | (damped & (from.f_n_rate * to.f_n_rate < 0));
    truth plain = (load(b->turn) - s->y.x[TIME] < 0) & ~(peaks & turns);
    here &= plain;
    add_to(b->sums.work_t, to.work_t, here);
    add_to(b->sums.loss, to.loss, here);
    add_to(b->sums.time, took, here);
    note_force(&b->sums.normal, from.f_n, since, here & peaks & damped);
    note_force(&b->sums.normal, to.f_n, since + took, here & peaks & damped);
    note_force(&b->sums.tangential, from.f_t, since, here & peaks);
    note_force(&b->sums.tangential, to.f_t, since + took, here & peaks);
    return ~plain;
}
