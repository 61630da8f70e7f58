/* A phase of the laws of power 1.5 as it is integrated, and shown to an observer. */
#include "models/compliant/power_impl.h"
#include "num/bracket.h"

march imp_power_march_from(const contact *c, const state *now, double slip) {
    march m = {.problem = c->problem, .k = c->k, .impulse = INFINITY};
    m.k.slip = slip;
    m.k.q = 1 - m.k.mu * slip * m.k.c;
    m.k.g = m.k.constrained ? m.k.c * m.k.q : m.k.c - m.k.mu * slip * m.k.a;
    m.y = (imp_rk_row){{now->u, now->delta, now->v_t, now->v_n}};
    m.h = 0.05 / sqrt(1 + m.k.a + m.k.mu * fabs(m.k.c));
    imp_power_rates(&m.k, &m.y, &m.rate);
    return m;
}

/* A step as a piece of the contact. */
typedef struct step_path {
    const march *m;
    const point *end;
} step_path;

/* The tangential force and its rate. */
static void friction_of(const springs *k, const point *p, double f_n_rate, imp_instant *now) {
    const double *y = p->y.x;
    if (k->slip != 0) {
        now->u = k->slip * limit(k, y[DELTA], y[V_N]);
        now->f_t = -k->mu * k->slip * now->f_n;
        now->f_t_rate = -k->mu * k->slip * f_n_rate;
        now->slip = k->slip * positive(imp_power_slip_speed(k, p));
        return;
    }
    double root = sqrt(k->coupled ? positive(y[DELTA]) : fabs(y[U]));
    now->f_t = spring_force(k, y[U], y[DELTA]);
    now->f_t_rate = !k->coupled ? -1.5 * root * y[V_T]
                    : root > 0  ? y[U] * y[V_N] / (2 * root) - root * y[V_T]
                                : 0;
}

/* Work of the tangential force and friction loss since the start of the step. */
static void works_of(const springs *k, const point *from, const point *to, double u_from,
                     imp_instant *now) {
    const double *a = from->y.x, *b = to->y.x;
    double stored = energy(fabs(u_from)) - energy(fabs(now->u));
    double impulse = b[P_T] - a[P_T];
    if (k->slip != 0) {
        now->work_t = impulse * (a[V_T] + b[V_T]) / 2;
        double before = imp_power_slip_speed(k, from), after = imp_power_slip_speed(k, to);
        now->loss =
            k->damping > 0 ? stored - now->work_t : -k->slip * impulse * (before + after) / 2;
        return;
    }
    /* Work of both forces, less that of the normal one. */
    double p_n = b[P_N] - a[P_N];
    now->work_t = !k->coupled
                      ? stored
                      : impulse * (a[V_T] + b[V_T]) / 2 + p_n * (a[V_N] + b[V_N]) / 2 - now->work_n;
}

/* The point of a step at a time. */
static point point_at_time(const march *m, const point *end, double time) {
    enum { MOST = 60 };
    imp_bracket b = {0, end->h};
    point p = *end;
    if (time >= end->y.x[TIME]) {
        return *end;
    }
    for (int i = 0; i < MOST; i++) {
        double late = p.y.x[TIME] - time;
        if (fabs(late) <= 1e-15 * (1 + time)) {
            break;
        }
        imp_bracket_cut(&b, p.h, !(late > 0));
        double next = imp_bracket_next(&b, p.h - late / imp_power_pace(m->by, &p.y));
        p = imp_power_point_after(m, next);
    }
    return p;
}

static imp_instant step_at(const imp_compliant_piece *piece, double time) {
    const step_path *path = piece->motion;
    const springs *k = &path->m->k;
    point start = {.h = 0, .y = path->m->y, .rate = path->m->rate};
    point p = time <= 0 ? start : point_at_time(path->m, path->end, start.y.x[TIME] + time);
    const double *y = p.y.x;
    double d = positive(y[DELTA]), held = positive(1 - k->damping * y[V_N]), root = sqrt(d);
    imp_instant now = {
        .time = time,
        .u = y[U],
        .delta = d,
        .v_t = y[V_T],
        .v_n = y[V_N],
        .f_n = d * root * held,
        .f_n_rate = -root * (1.5 * y[V_N] * held + k->damping * d * p.rate.x[V_N]),
        .p_t = y[P_T] - start.y.x[P_T],
        .p_n = y[P_N] - start.y.x[P_N],
        .work_n = y[WORK] - start.y.x[WORK],
        .stored_n = energy(d),
    };
    double u = k->slip == 0 ? start.y.x[U] : k->slip * limit(k, start.y.x[DELTA], start.y.x[V_N]);
    friction_of(k, &p, now.f_n_rate, &now);
    works_of(k, &start, &p, u, &now);
    now.stored_t = spring_energy(k, now.u, d);
    return now;
}

static void show(const march *m, const state *now, const point *end) {
    imp_observer *observer = m->problem->observer;
    step_path path = {m, end};
    imp_compliant_piece piece = {
        .span.phase = m->k.slip == 0  ? IMP_STICK
                      : m->k.slip < 0 ? IMP_SLIP_BACK
                                      : IMP_SLIP_FORTH,
        .span.number = now->phases - 1,
        .span.duration = end->y.x[TIME] - m->y.x[TIME],
        .pace = INFINITY,
        .turn = now->greatest.time - now->time - m->y.x[TIME],
        .elastic = m->k.damping == 0,
        .motion = &path,
        .at = step_at,
    };
    observer->see_piece(observer, &piece);
}

void imp_power_note_turn(const point *turn, state *now) {
    const double *y = turn->y.x;
    note_turn(now, (peak){y[DELTA], now->p_n + y[P_N], now->time + y[TIME], now->work + y[WORK]});
}

int imp_power_march_on(march *m, state *now, int64_t *budget) {
    bool spent = false;
    for (;;) {
        point start = {.h = 0, .y = m->y, .rate = m->rate},
              end = imp_power_good_step(m, budget, &spent);
        if (spent) {
            return -1;
        }
        int event = imp_power_event(m, &start, &end);
        point turn = imp_power_turn(m, &start, &end);
        if (turn.h < INFINITY && m->rest == 0) {
            imp_power_note_turn(&turn, now);
        } else if (turn.h < end.h) {
            event = TURN;
            end = turn;
        }
        if (m->problem->observer) {
            show(m, now, &end);
        }
        m->y = end.y;
        m->rate = end.rate;
        m->touches[FIRST] = m->touches[SECOND] = false;
        if (event >= 0) {
            return event;
        }
    }
}

void imp_power_take_over(contact *c, const march *m, state *now) {
    const double *y = m->y.x;
    c->damped += energy(now->delta) - energy(positive(y[DELTA])) - y[WORK];
    now->v_t = y[V_T];
    now->v_n = y[V_N];
    now->delta = positive(y[DELTA]);
    now->p_t += y[P_T];
    now->p_n += y[P_N];
    now->work += y[WORK];
    now->time += y[TIME];
}
