/* A phase of the laws of power 1.5 as it is integrated, and shown to an observer. */
#include "models/compliant/power_impl.h"

#include <string.h>

#include "num/bracket.h"
#include "num/lane_width.h"

/* ---- points and their places in a block ---- */

enum { NUMBERS = sizeof(point) / sizeof(double) };
_Static_assert(sizeof(imp_power_points) == NUMBERS * sizeof(imp_power_column),
               "a point has a number for each column of points");

point imp_power_point_of(const imp_power_points *points, int lane) {
    const double *from = (const double *)points + lane;
    point p;
    double *to = (double *)&p;
    for (int k = 0; k < NUMBERS; k++) {
        to[k] = from[k * IMP_POWER_LANES];
    }
    return p;
}

void imp_power_put_point(const point *p, imp_power_points *points, int lane) {
    const double *from = (const double *)p;
    double *to = (double *)points + lane;
    for (int k = 0; k < NUMBERS; k++) {
        to[k * IMP_POWER_LANES] = from[k];
    }
}

/* ---- marches ---- */

#define FOR_WIDTH(lanes)                                                                           \
    void imp_power_enter_##lanes(imp_power_block *block);                                          \
    void imp_power_round_##lanes(imp_power_block *block);
FOR_WIDTH(2)
FOR_WIDTH(4)
FOR_WIDTH(8)

#if IMP_WIDE_LANES
#define OF_WIDTH(name, lanes) ((lanes) == 8 ? name##_8 : (lanes) == 4 ? name##_4 : name##_2)
#else
#define OF_WIDTH(name, lanes) name##_2
#endif

void imp_power_enter(imp_power_block *block) {
    OF_WIDTH(imp_power_enter, block->width)(block);
}

void imp_power_round(imp_power_block *block) {
    OF_WIDTH(imp_power_round, block->width)(block);
}

static void enter_law(const springs *k, imp_power_block *b, int lane) {
    b->coupled = k->coupled;
    b->a[lane] = k->a;
    b->c[lane] = k->c;
    b->mu[lane] = k->mu;
    b->kappa[lane] = k->kappa;
    b->damping[lane] = k->damping;
    b->slip[lane] = k->slip;
    b->q[lane] = k->q;
    b->g[lane] = k->g;
}

void imp_power_march_from(const contact *c, const state *now, double slip, const bool *touches,
                          march *m) {
    imp_power_block *b = m->block;
    int lane = m->lane;
    springs *k = &m->k;
    m->problem = &c->problem;
    m->search.purpose = STEP;
    *k = c->k;
    k->slip = slip;
    k->q = 1 - k->mu * slip * k->c;
    k->g = k->constrained ? k->c * k->q : k->c - k->mu * slip * k->a;
    enter_law(k, b, lane);
    imp_power_put_point(&(point){.y = {now->u, now->delta, now->v_t, now->v_n}}, &b->start, lane);
    b->time_step[lane] = 0.05 / sqrt(1 + k->a + k->mu * fabs(k->c));
    b->impulse[lane] = INFINITY;
    b->rest[lane] = b->apex[lane] = b->from[lane] = 0;
    b->tries[lane] = b->whole[lane] = 1;
    b->shown[lane] = c->problem.observer != NULL;
    b->touches[FIRST][lane] = touches[FIRST];
    b->touches[SECOND][lane] = touches[SECOND];
    imp_power_enter(b);
}

int imp_power_march_alone(march *m, state *now, int64_t budget) {
    int event = -1;
    imp_power_enter(m->block);
    while (event < 0 && (m->search.purpose != STEP || (budget -= IMP_RK_STAGES) > 0)) {
        imp_power_round(m->block);
        if (m->block->came[m->lane] == STOPPED) {
            event = imp_power_heed(m, now);
        }
    }
    return event;
}

point imp_power_start_of(const march *m) {
    point start = imp_power_point_of(&m->block->start, m->lane);
    start.h = 0;
    return start;
}

/* ---- the step at hand as a piece of the contact ---- */

typedef struct step_path {
    const march *m;
    point start;
    imp_power_block *alone; /* for further points of this step */
} step_path;

/* The tangential force and its rate. */
static void friction_of(const springs *k, const point *p, double f_n_rate, imp_instant *now) {
    const double *y = p->y;
    if (k->slip != 0) {
        now->u = k->slip * limit(k, y[DELTA], y[V_N]);
        now->f_t = -k->mu * k->slip * now->f_n;
        now->f_t_rate = -k->mu * k->slip * f_n_rate;
        now->slip = k->slip * positive(p->speed);
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
    const double *a = from->y, *b = to->y;
    double stored = energy(fabs(u_from)) - energy(fabs(now->u));
    double impulse = b[P_T] - a[P_T];
    if (k->slip != 0) {
        now->work_t = impulse * (a[V_T] + b[V_T]) / 2;
        double before = from->speed, after = to->speed;
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

/* The march alone in a block, at the start of its step. */
static void copy_step(const march *m, imp_power_block *to) {
    const imp_power_block *from = m->block;
    int lane = m->lane;
    memset(to, 0, sizeof *to);
    to->width = 2;
    enter_law(&m->k, to, 0);
    point start = imp_power_start_of(m);
    imp_power_put_point(&start, &to->start, 0);
    to->impulse[0] = from->impulse[lane];
    to->rest[0] = from->rest[lane];
    to->apex[0] = from->apex[lane];
    to->time_step[0] = from->time_step[lane];
    to->by_u[0] = from->by_u[lane];
    to->by_delta[0] = from->by_delta[lane];
    to->sense[0] = from->sense[lane];
}

/* The point of a step at a time. */
static point point_at_time(const step_path *path, double time) {
    enum { MOST = 60 };
    const point *end = &path->m->end;
    imp_bracket b = {0, end->h};
    point p = *end;
    if (time >= end->y[TIME]) {
        return *end;
    }
    for (int i = 0; i < MOST; i++) {
        double late = p.y[TIME] - time;
        if (fabs(late) <= 1e-15 * (1 + time)) {
            break;
        }
        imp_bracket_cut(&b, p.h, !(late > 0));
        path->alone->at.h[0] = imp_bracket_next(&b, p.h - late / p.pace);
        imp_power_round(path->alone);
        p = imp_power_point_of(&path->alone->at, 0);
    }
    return p;
}

static imp_instant step_at(const imp_compliant_piece *piece, double time) {
    const step_path *path = piece->motion;
    const springs *k = &path->m->k;
    point start = path->start;
    point p = time <= 0 ? start : point_at_time(path, start.y[TIME] + time);
    const double *y = p.y;
    double d = positive(y[DELTA]), held = positive(1 - k->damping * y[V_N]), root = sqrt(d);
    imp_instant now = {
        .time = time,
        .u = y[U],
        .delta = d,
        .v_t = y[V_T],
        .v_n = y[V_N],
        .f_n = d * root * held,
        .f_n_rate = -root * (1.5 * y[V_N] * held + k->damping * d * p.rate[V_N]),
        .p_t = y[P_T] - start.y[P_T],
        .p_n = y[P_N] - start.y[P_N],
        .work_n = y[WORK] - start.y[WORK],
        .stored_n = energy(d),
    };
    double u = k->slip == 0 ? start.y[U] : k->slip * limit(k, start.y[DELTA], start.y[V_N]);
    friction_of(k, &p, now.f_n_rate, &now);
    works_of(k, &start, &p, u, &now);
    now.stored_t = spring_energy(k, now.u, d);
    return now;
}

void imp_power_show(const march *m, const state *now) {
    imp_observer *observer = m->problem->observer;
    imp_power_block alone;
    step_path path = {m, imp_power_start_of(m), &alone};
    copy_step(m, &alone);
    imp_compliant_piece piece = {
        .span.phase = m->k.slip == 0  ? IMP_STICK
                      : m->k.slip < 0 ? IMP_SLIP_BACK
                                      : IMP_SLIP_FORTH,
        .span.number = now->phases - 1,
        .span.duration = m->end.y[TIME] - path.start.y[TIME],
        .pace = INFINITY,
        .turn = now->greatest.time - now->time - path.start.y[TIME],
        .elastic = m->k.damping == 0,
        .motion = &path,
        .at = step_at,
    };
    observer->see_piece(observer, &piece);
}

void imp_power_note_turn(const point *turn, state *now) {
    const double *y = turn->y;
    note_turn(now, (peak){y[DELTA], now->p_n + y[P_N], now->time + y[TIME], now->work + y[WORK]});
}

void imp_power_take_over(contact *c) {
    state *now = &c->now;
    point end = imp_power_start_of(&c->march);
    const double *y = end.y;
    c->damped += energy(now->delta) - energy(positive(y[DELTA])) - y[WORK];
    now->v_t = y[V_T];
    now->v_n = y[V_N];
    now->delta = positive(y[DELTA]);
    now->p_t += y[P_T];
    now->p_n += y[P_N];
    now->work += y[WORK];
    now->time += y[TIME];
}
