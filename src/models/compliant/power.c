/* The laws of power 1.5, hertz and coupled. Slip without damping is straight in the normal impulse, as
 * with linear springs: the slip speed is affine in v_n whatever the normal force. What is left, stick
 * and damped slip (and the time that a slip takes), is integrated by Runge-Kutta steps of order 8;
 * events are found by redoing a step with another length. */
#include <math.h>

#include "models/compliant/state_impl.h"
#include "num/runge_kutta.h"

/* A row of the integration. Integrals that come along: impulses, work of the normal force, time. */
enum { U, DELTA, V_T, V_N, P_T, P_N, WORK, TIME };

/* Powers of 1.5 are smooth but at 0. Where the indentation or u goes through 0 the root of it is the
 * variable, in which everything is smooth on either side; elsewhere time. */
typedef enum variable { BY_TIME, BY_ROOT_OF_U, BY_ROOT_OF_DELTA } variable;

/* Error of a step relative to 1 + |y|. */
static const double tolerance = 1e-12;
/* An instant is found when it moves by less than this. */
static const double instant_found = 2e-15;

typedef struct springs {
    double a, c, mu;
    double kappa;   /* stick while |u| <= kappa delta (1 - damping v_n)^(2/3) */
    double damping; /* hertz only */
    double slip;    /* direction; 0: stick */
    double q, g;    /* slip: dv_n and dv_t per normal impulse */
    double sense;   /* in which the root that is the variable changes: -1 or 1 */
    bool coupled;   /* the law */
    bool constrained;
} springs;

/* One phase as it is integrated. */
typedef struct march {
    const imp_compliant_problem *problem;
    springs k;
    variable by;
    imp_rk_row y, rate; /* rate: in time */
    double h;           /* time that the next step may take */
    double impulse;     /* undamped slip: the normal impulse at which it ends; otherwise infinite */
    double rest;        /* constrained stick: sign of v_n, which ends it; otherwise 0 */
    bool touches[2];    /* events that are at 0 as the phase begins, and not to be found there */
    bool apex;          /* stick on a line through the apex of the cone, which it never leaves */
} march;

/* ---- forces ---- */

static inline double positive(double x) {
    return x > 0 ? x : 0;
}

static inline double normal_force(const springs *k, double delta, double v_n) {
    double d = positive(delta);
    return d * sqrt(d) * positive(1 - k->damping * v_n);
}

static inline double spring_force(const springs *k, double u, double delta) {
    return -u * sqrt(k->coupled ? positive(delta) : fabs(u));
}

/* (1 - damping v_n)^(2/3) */
static double relief(const springs *k, double v_n) {
    double x = positive(1 - k->damping * v_n);
    return k->damping == 0 ? 1 : cbrt(x * x);
}

/* The greatest |u| that friction holds, which is that of slip. */
static double limit(const springs *k, double delta, double v_n) {
    return k->kappa * delta * relief(k, v_n);
}

/* 2/5 x^2.5, the energy of a spring. */
static inline double energy(double x) {
    return 0.4 * x * x * sqrt(fabs(x));
}

/* Rates in time of stick, where the tangential force is known, and of slip. */
static inline void stick_rates(const springs *k, const imp_rk_row *y, double f_t,
                               imp_rk_row *rate) {
    double v_n = y->x[V_N], f_n = normal_force(k, y->x[DELTA], v_n);
    *rate = (imp_rk_row){
        {y->x[V_T], -v_n, k->a * f_t + k->c * f_n, k->c * f_t + f_n, f_t, f_n, f_n * v_n, 1}};
}

static inline void slip_rates(const springs *k, const imp_rk_row *y, imp_rk_row *rate) {
    double v_n = y->x[V_N], f_n = normal_force(k, y->x[DELTA], v_n);
    *rate =
        (imp_rk_row){{0, -v_n, k->g * f_n, k->q * f_n, -k->mu * k->slip * f_n, f_n, f_n * v_n, 1}};
}

static inline void scale_rates(imp_rk_row *rate, double pace) {
    for (int p = 0; p < IMP_RK_PAIRS; p++) {
        rate->pair[p] *= pace;
    }
}

static void hertz_by_time(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    stick_rates(system, y, -y->x[U] * sqrt(fabs(y->x[U])), rate);
}

static void coupled_by_time(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    stick_rates(system, y, -y->x[U] * sqrt(positive(y->x[DELTA])), rate);
}

static void slip_by_time(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    slip_rates(system, y, rate);
}

/* The row's place of u holds its root x, u = x |x|. */
static void hertz_by_u(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    const springs *k = system;
    double x = y->x[U];
    stick_rates(k, y, -x * x * x, rate);
    scale_rates(rate, 2 * fabs(x / y->x[V_T]));
    rate->x[U] = k->sense;
}

/* The row's place of delta holds its root. */
static inline imp_rk_row squared(const imp_rk_row *y) {
    imp_rk_row natural = *y;
    natural.x[DELTA] *= natural.x[DELTA];
    return natural;
}

static inline void by_delta(const springs *k, const imp_rk_row *y, imp_rk_row *rate) {
    scale_rates(rate, 2 * fabs(y->x[DELTA] / y->x[V_N]));
    rate->x[DELTA] = k->sense;
}

static void hertz_by_delta(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    imp_rk_row natural = squared(y);
    hertz_by_time(system, &natural, rate);
    by_delta(system, y, rate);
}

static void coupled_by_delta(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    imp_rk_row natural = squared(y);
    coupled_by_time(system, &natural, rate);
    by_delta(system, y, rate);
}

static void slip_by_delta(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    imp_rk_row natural = squared(y);
    slip_rates(system, &natural, rate);
    by_delta(system, y, rate);
}

static void rates_of(const springs *k, const imp_rk_row *y, imp_rk_row *rate) {
    if (k->slip != 0) {
        slip_rates(k, y, rate);
    } else if (k->coupled) {
        coupled_by_time(k, y, rate);
    } else {
        hertz_by_time(k, y, rate);
    }
}

/* Time per variable. */
static double pace_of(variable by, const imp_rk_row *y) {
    return by == BY_TIME        ? 1
           : by == BY_ROOT_OF_U ? 2 * sqrt(fabs(y->x[U])) / fabs(y->x[V_T])
                                : 2 * sqrt(y->x[DELTA]) / fabs(y->x[V_N]);
}

static imp_rk_end step_by_time(const march *m, double h) {
    if (m->k.slip != 0) {
        return imp_rk_step(slip_by_time, &m->k, &m->y, &m->rate, h);
    }
    return m->k.coupled ? imp_rk_step(coupled_by_time, &m->k, &m->y, &m->rate, h)
                        : imp_rk_step(hertz_by_time, &m->k, &m->y, &m->rate, h);
}

static imp_rk_end step_by_u(const march *m, double h) {
    imp_rk_row y = m->y, rate;
    y.x[U] = copysign(sqrt(fabs(y.x[U])), y.x[U]);
    hertz_by_u(&m->k, &y, &rate);
    imp_rk_end end = imp_rk_step(hertz_by_u, &m->k, &y, &rate, h);
    double x = y.x[U] + m->k.sense * h;
    end.y.x[U] = x * fabs(x);
    return end;
}

static imp_rk_end step_by_delta(const march *m, double h) {
    imp_rk_row y = m->y, rate;
    imp_rk_end end;
    y.x[DELTA] = sqrt(y.x[DELTA]);
    if (m->k.slip != 0) {
        slip_by_delta(&m->k, &y, &rate);
        end = imp_rk_step(slip_by_delta, &m->k, &y, &rate, h);
    } else if (m->k.coupled) {
        coupled_by_delta(&m->k, &y, &rate);
        end = imp_rk_step(coupled_by_delta, &m->k, &y, &rate, h);
    } else {
        hertz_by_delta(&m->k, &y, &rate);
        end = imp_rk_step(hertz_by_delta, &m->k, &y, &rate, h);
    }
    double x = y.x[DELTA] + m->k.sense * h;
    end.y.x[DELTA] = x * x;
    return end;
}

/* A step by h of the variable. */
static imp_rk_end step_of(const march *m, double h) {
    return m->by == BY_TIME        ? step_by_time(m, h)
           : m->by == BY_ROOT_OF_U ? step_by_u(m, h)
                                   : step_by_delta(m, h);
}

/* ---- what is watched; it ends a phase, or marks a turn, where it falls to 0 ---- */

enum { FIRST, SECOND, TURN, WATCHED }; /* stick: the faces s = -1, 1. Slip: its end, separation */

typedef struct sight {
    double value, slope;
} sight;

/* A point on the way: where the march would be after a step by h. The rates are those in time. */
typedef struct point {
    double h;
    imp_rk_row y, rate;
} point;

static point point_at(const march *m, double h, const imp_rk_row *y) {
    point p = {.h = h, .y = *y};
    rates_of(&m->k, y, &p.rate);
    return p;
}

static point point_after(const march *m, double h) {
    imp_rk_end end = step_of(m, h);
    return point_at(m, h, &end.y);
}

static sight face_margin(const springs *k, const point *p, double s) {
    const double *y = p->y.x, *rate = p->rate.x;
    double held = relief(k, y[V_N]), reach = k->kappa * y[DELTA], slope = -k->kappa * y[V_N] * held;
    if (k->damping > 0 && held > 0) {
        slope -= reach * (2.0 / 3) * k->damping * rate[V_N] / sqrt(held);
    }
    return (sight){reach * held - s * y[U], slope - s * y[V_T]};
}

/* The slip speed. Damped, u follows the total force: du/dt = -s kappa (1 - damping v_n)^(2/3)
 * (v_n + 2/3 damping q delta^2.5). */
static sight slip_speed(const springs *k, const point *p) {
    const double *y = p->y.x, *rate = p->rate.x;
    double d = positive(y[DELTA]), d15 = d * sqrt(d), held = relief(k, y[V_N]), z = k->damping;
    double inner = y[V_N] + 2.0 / 3 * z * k->q * d * d15;
    double inner_rate = rate[V_N] - 5.0 / 3 * z * k->q * d15 * y[V_N];
    double held_rate = -2.0 / 3 * z * k->q * d15 * held;
    return (sight){k->slip * y[V_T] + k->kappa * held * inner,
                   k->slip * rate[V_T] + k->kappa * (held * inner_rate + held_rate * inner)};
}

static sight sight_in_time(const march *m, const point *p, int which) {
    const double *y = p->y.x, *rate = p->rate.x;
    if (which == TURN) {
        double sign = m->rest != 0 ? m->rest : -1;
        return (sight){sign * y[V_N], sign * rate[V_N]};
    }
    if (m->k.slip == 0 && !m->apex) {
        return face_margin(&m->k, p, which == FIRST ? -1 : 1);
    }
    if (which == SECOND) {
        return (sight){y[DELTA], rate[DELTA]};
    }
    if (m->apex) {
        return (sight){1, 0};
    }
    return m->impulse < INFINITY ? (sight){m->impulse - y[P_N], -rate[P_N]} : slip_speed(&m->k, p);
}

/* Value and slope in the variable. */
static sight sight_of(const march *m, const point *p, int which) {
    sight f = sight_in_time(m, p, which);
    f.slope *= pace_of(m->by, &p->y);
    return f;
}

/* A root between a point where the value is above 0 and one where it is not, by Newton's method kept
 * inside the bracket. */
static point root_between(const march *m, int which, double low, const point *high) {
    enum { MOST = 80 };
    point at = *high;
    double up = high->h;
    for (int i = 0; i < MOST; i++) {
        sight f = sight_of(m, &at, which);
        if (f.value == 0) {
            break;
        }
        if (f.value > 0) {
            low = at.h;
        } else {
            up = at.h;
        }
        double next = at.h - f.value / f.slope;
        next = next > low && next < up ? next : (low + up) / 2;
        if (fabs(next - at.h) <= instant_found * (1 + m->y.x[TIME]) || !(next > low && next < up)) {
            break;
        }
        at = point_after(m, next);
    }
    return at;
}

/* After a start at 0 that is no event: a length at which the value has risen above it; 0 if none. */
static double risen(const march *m, int which, double h) {
    enum { HALVINGS = 30 };
    for (int i = 0; i < HALVINGS; i++) {
        h /= 2;
        point p = point_after(m, h);
        if (sight_of(m, &p, which).value > 0) {
            return h;
        }
    }
    return 0;
}

/* Whether a value that falls at the start and rises at the end of the step may touch 0 between, by the
 * cubic through both; and where it is least. */
static bool may_touch(sight start, sight end, double h, double *least) {
    double mean = (end.value - start.value) / h;
    double b = 3 * mean - 2 * start.slope - end.slope, c = start.slope + end.slope - 2 * mean;
    double root = sqrt(positive(b * b - 3 * c * start.slope)), t;
    t = b > 0 ? -start.slope / (b + root) : (root - b) / (3 * c);
    t = t > 0 && t < 1 ? t : 0.5;
    *least = t * h;
    double value = start.value + h * t * (start.slope + t * (b + t * c));
    return value <= 0.05 * (start.value + end.value);
}

/* The point where a value above 0 at both ends is least, as far as it matters. */
static point least_between(const march *m, int which, double at, double h) {
    enum { MOST = 60 };
    double low = 0, high = h;
    point p = point_after(m, at);
    for (int i = 0; i < MOST; i++) {
        sight f = sight_of(m, &p, which);
        if (f.value <= 0 || high - low <= 1e-9 * h) {
            break;
        }
        if (f.slope < 0) {
            low = p.h;
        } else {
            high = p.h;
        }
        p = point_after(m, (low + high) / 2);
    }
    return p;
}

/* The first event of one kind in the step that ends at `end`; h infinite without one. */
static point event_in_step(const march *m, int which, const point *start, const point *end) {
    point none = {.h = INFINITY};
    sight f0 = sight_of(m, start, which), f1 = sight_of(m, end, which);
    bool touches = which != TURN && m->touches[which];
    if (f0.value <= 0 && !touches) {
        return which == TURN ? none : *start;
    }
    if (f1.value <= 0) {
        double low = touches ? risen(m, which, end->h) : 0;
        return touches && low == 0 ? *start : root_between(m, which, low, end);
    }
    double least;
    if (!(f0.slope < 0 && f1.slope > 0) || touches || !may_touch(f0, f1, end->h, &least)) {
        return none;
    }
    point p = least_between(m, which, least, end->h);
    return sight_of(m, &p, which).value <= 0 ? root_between(m, which, 0, &p) : none;
}

/* ---- steps ---- */

/* A step as a piece of the contact. */
typedef struct step_path {
    const march *m;
    const point *end;
} step_path;

/* The tangential force and its rate. */
static void friction_of(const springs *k, const point *p, double f_n_rate, imp_moment *now) {
    const double *y = p->y.x;
    if (k->slip != 0) {
        now->u = k->slip * limit(k, y[DELTA], y[V_N]);
        now->f_t = -k->mu * k->slip * now->f_n;
        now->f_t_rate = -k->mu * k->slip * f_n_rate;
        now->slip = k->slip * positive(slip_speed(k, p).value);
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
                     imp_moment *now) {
    const double *a = from->y.x, *b = to->y.x;
    double stored = energy(fabs(u_from)) - energy(fabs(now->u));
    double impulse = b[P_T] - a[P_T];
    if (k->slip != 0) {
        now->work_t = impulse * (a[V_T] + b[V_T]) / 2;
        double before = slip_speed(k, from).value, after = slip_speed(k, to).value;
        now->loss =
            k->damping > 0 ? stored - now->work_t : -k->slip * impulse * (before + after) / 2;
        return;
    }
    /* dv B^-1 dv: what the forces did together, less the normal one. */
    double p_n = b[P_N] - a[P_N];
    now->work_t = !k->coupled
                      ? stored
                      : impulse * (a[V_T] + b[V_T]) / 2 + p_n * (a[V_N] + b[V_N]) / 2 - now->work_n;
}

/* The point of a step at a time. */
static point point_at_time(const march *m, const point *end, double time) {
    enum { MOST = 60 };
    double low = 0, high = end->h;
    point p = *end;
    if (time >= end->y.x[TIME]) {
        return *end;
    }
    for (int i = 0; i < MOST; i++) {
        double late = p.y.x[TIME] - time;
        if (fabs(late) <= 1e-15 * (1 + time)) {
            break;
        }
        if (late > 0) {
            high = p.h;
        } else {
            low = p.h;
        }
        double next = p.h - late / pace_of(m->by, &p.y);
        p = point_after(m, next > low && next < high ? next : (low + high) / 2);
    }
    return p;
}

static imp_moment step_at(const imp_piece *piece, double time) {
    const step_path *path = piece->motion;
    const springs *k = &path->m->k;
    point start = {.h = 0, .y = path->m->y, .rate = path->m->rate};
    point p = time <= 0 ? start : point_at_time(path->m, path->end, start.y.x[TIME] + time);
    const double *y = p.y.x;
    double d = positive(y[DELTA]), held = positive(1 - k->damping * y[V_N]), root = sqrt(d);
    imp_moment now = {
        .time = time,
        .u = y[U],
        .delta = d,
        .v_t = y[V_T],
        .v_n = y[V_N],
        .f_n = d * root * held,
        .f_n_rate = -root * (1.5 * y[V_N] * held + k->damping * d * p.rate.x[V_N]),
        .work_n = y[WORK] - path->m->y.x[WORK],
    };
    double u = k->slip == 0 ? start.y.x[U] : k->slip * limit(k, start.y.x[DELTA], start.y.x[V_N]);
    friction_of(k, &p, now.f_n_rate, &now);
    works_of(k, &start, &p, u, &now);
    return now;
}

static void show(const march *m, const state *now, const point *end) {
    imp_watch *watch = m->problem->watch;
    step_path path = {m, end};
    imp_piece piece = {
        .phase = m->k.slip == 0  ? IMP_STICK
                 : m->k.slip < 0 ? IMP_SLIP_BACK
                                 : IMP_SLIP_FORTH,
        .number = now->phases - 1,
        .duration = end->y.x[TIME] - m->y.x[TIME],
        .pace = INFINITY,
        .turn = now->greatest.time - now->time - m->y.x[TIME],
        .elastic = m->k.damping == 0,
        .motion = &path,
        .at = step_at,
    };
    watch->see(watch, &piece);
}

/* The turn in the step, if it is one to the greatest indentation so far. */
static void note_march_turn(const point *turn, state *now) {
    const double *y = turn->y.x;
    note_turn(now, (peak){y[DELTA], now->p_n + y[P_N], now->time + y[TIME], now->work + y[WORK]});
}

/* Whether the motion is so quick that it passes 0 of x, force x^1.5, almost evenly. */
static bool passes(double x, double v, double stiffness) {
    return v * v > 4 * stiffness * x * x * sqrt(x);
}

/* Chooses the variable of the next step. Returns its length, at most that which takes the time h or
 * reaches 0. */
static double choose_variable(march *m) {
    const double *y = m->y.x;
    double u = fabs(y[U]), across = u < 4 * m->h * fabs(y[V_T]);
    double stiffness = 1 + m->k.mu * fabs(m->k.c) + fabs(m->k.c);
    bool toward;
    double x, way;
    if (y[DELTA] < 4 * m->h * fabs(y[V_N]) && passes(y[DELTA], y[V_N], stiffness)) {
        m->by = BY_ROOT_OF_DELTA;
        toward = y[V_N] > 0;
        m->k.sense = toward ? -1 : 1;
        x = sqrt(y[DELTA]);
        way = fabs(y[V_N]) * m->h;
    } else if (m->k.slip == 0 && !m->k.coupled && across != 0 &&
               passes(u, y[V_T], m->k.a + fabs(m->k.c))) {
        m->by = BY_ROOT_OF_U;
        toward = y[U] * y[V_T] < 0;
        m->k.sense = y[V_T] < 0 ? -1 : 1;
        x = sqrt(u);
        way = fabs(y[V_T]) * m->h;
    } else {
        m->by = BY_TIME;
        return m->h;
    }
    if (toward) {
        return way >= 0.99 * x * x ? x : x - sqrt(x * x - way);
    }
    return sqrt(x * x + way) - x;
}

/* Where a force of power 1.5 goes through 0 within a step its estimated error says too little. */
static double doubt(const march *m, const imp_rk_row *end) {
    bool by_u = m->by == BY_ROOT_OF_U || m->k.coupled || m->k.slip != 0;
    bool across = !by_u && m->y.x[U] * end->x[U] < 0;
    return across || (m->by == BY_TIME && end->x[DELTA] < 0) ? 1e4 : 1;
}

/* A step that is good enough; m->h becomes what the next one may take. */
static point good_step(march *m, int64_t *budget, bool *spent) {
    double weight[IMP_RK_SIZE];
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        weight[i] = 1 / (tolerance * (1 + fabs(m->y.x[i])));
    }
    while ((*budget -= IMP_RK_STAGES) > 0) {
        double h = choose_variable(m);
        imp_rk_end end = step_of(m, h);
        double error = imp_rk_error(&end, weight, h) * doubt(m, &end.y);
        double next = imp_rk_next(h, error) / h;
        if (error <= 1) {
            double took = end.y.x[TIME] - m->y.x[TIME];
            m->h = took < 0.5 * m->h ? larger(m->h, took * next) : took * next;
            return point_at(m, h, &end.y);
        }
        m->h *= m->by == BY_TIME ? next : next * next;
    }
    *spent = true;
    return (point){.h = NAN};
}

/* Marches to the end of the phase. Returns the event that ends it, -1 if the budget is spent; the march
 * is then at the event. A turn ends the phase only where it began at rest. */
static int march_on(march *m, state *now, int64_t *budget) {
    bool spent = false;
    for (;;) {
        point start = {.h = 0, .y = m->y, .rate = m->rate}, end = good_step(m, budget, &spent);
        if (spent) {
            return -1;
        }
        int event = -1;
        for (int w = FIRST; w <= SECOND; w++) {
            point found = event_in_step(m, w, &start, &end);
            if (found.h < INFINITY && (event < 0 || found.h < end.h)) {
                event = w;
                end = found;
            }
        }
        point turn = event_in_step(m, TURN, &start, &end);
        if (turn.h < INFINITY && m->rest == 0) {
            note_march_turn(&turn, now);
        } else if (turn.h < end.h) {
            event = TURN;
            end = turn;
        }
        if (m->problem->watch) {
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

/* ---- phases ---- */

/* All of a contact. */
typedef struct contact {
    const imp_compliant_problem *problem;
    springs k; /* of stick */
    int64_t budget;
    double damped; /* energy */
} contact;

static march march_from(const contact *c, const state *now, double slip) {
    march m = {.problem = c->problem, .k = c->k, .impulse = INFINITY};
    m.k.slip = slip;
    m.k.q = 1 - m.k.mu * slip * m.k.c;
    m.k.g = m.k.constrained ? m.k.c * m.k.q : m.k.c - m.k.mu * slip * m.k.a;
    m.y = (imp_rk_row){{now->u, now->delta, now->v_t, now->v_n}};
    m.h = 0.05 / sqrt(1 + m.k.a + m.k.mu * fabs(m.k.c));
    rates_of(&m.k, &m.y, &m.rate);
    return m;
}

/* Slip changes its speed by this per normal impulse. */
static double slip_change(const springs *k, double s) {
    double q = 1 - k->mu * s * k->c;
    return k->constrained ? q * (k->kappa + s * k->c) : k->kappa * q + s * k->c - k->mu * k->a;
}

/* sum of (x)_n / n! y^n / (n + w), |y| at most a half. */
static double series(double x, double w, double y) {
    double term = 1, sum = 1 / w;
    for (int n = 1; n < 64; n++) {
        term *= y * (x + n - 1) / n;
        double part = term / (n + w);
        sum += part;
        if (fabs(part) < 1e-17) {
            break;
        }
    }
    return sum;
}

/* An undamped slip as free motion delta'' = -q delta^1.5, with the velocity V that it has at
 * delta = 0: y = v_n / V, z = 1 - y^2 = 0.8 q delta^2.5 / V^2. */
typedef struct arc {
    double v, delta, z;
} arc;

static arc arc_of(double v_n, double delta, double q, double square) {
    return (arc){v_n / sqrt(square), delta, 2 * q * energy(delta) / square};
}

/* Time from the turn, where z is above a half; unit 0.8 D / V, D the indentation at the turn. */
static double from_turn(double y) {
    return y * series(0.6, 0.5, y * y) / 2;
}

/* Time between the instant at which delta is 0 and this one, where z is at most a half; unit 1 / V. */
static double from_plane(const arc *a) {
    return 0.4 * a->delta * series(0.5, 0.4, a->z);
}

/* Time from one state of an undamped slip to another; NaN if the series do not reach. */
static double arc_time(const state *from, double v_n, double delta, double q) {
    double square = from->v_n * from->v_n + 2 * q * energy(from->delta), speed = sqrt(square);
    if (!(square > 0)) {
        return NAN;
    }
    arc a = arc_of(from->v_n, from->delta, q, square), b = arc_of(v_n, delta, q, square);
    bool low_a = fabs(a.z) <= 0.5, low_b = fabs(b.z) <= 0.5;
    if (low_a && low_b && (a.v < 0) == (b.v < 0)) {
        return fabs(from_plane(&b) - from_plane(&a)) / speed;
    }
    if (q <= 0) {
        return NAN;
    }
    const double quarter = 1.471637592162352328690894; /* time from the plane to the turn, D / V */
    double depth = pow(1.25 * square / q, 0.4), unit = 0.8 * depth / speed;
    double clock[2];
    const arc *ends[2] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        double side = ends[i]->v < 0 ? -1 : 1;
        clock[i] = fabs(ends[i]->z) > 0.5 ? unit * from_turn(ends[i]->v)
                                          : side * (quarter * depth - from_plane(ends[i])) / speed;
    }
    return clock[1] - clock[0];
}

/* The same by integration; and shown to those who watch. */
static bool march_slip(contact *c, state *now, double s, double end, bool sticks, bool turned,
                       int64_t *budget) {
    state copy = *now;
    march m = march_from(c, now, s);
    m.impulse = sticks ? end : 2 * end + 1;
    m.touches[SECOND] = now->delta == 0;
    copy.greatest.delta = turned ? 0 : INFINITY;
    if (end > 0 && march_on(&m, &copy, budget) < 0) {
        return false;
    }
    now->time += m.y.x[TIME];
    if (turned) {
        now->greatest.time = copy.greatest.delta > 0 ? copy.greatest.time : now->time;
    }
    return true;
}

/* The turn of an undamped slip, without its time; false if there is none. */
static bool turns_in_slip(const springs *k, state *now, double s, double end) {
    double q = 1 - k->mu * s * k->c, impulse = -now->v_n / q;
    if (!(now->v_n < 0 && impulse > 0 && impulse <= end)) {
        return false;
    }
    double work = impulse * now->v_n / 2;
    double delta = pow(2.5 * (energy(now->delta) - work), 0.4);
    if (delta <= now->greatest.delta) {
        return false;
    }
    now->greatest = (peak){delta, now->p_n + impulse, now->time, now->work + work};
    return true;
}

/* An undamped slip. */
typedef struct slide {
    double s, q, rate;  /* direction; changes of v_n and of the slip speed per normal impulse */
    double impulse;     /* normal, to the end; infinite if it never ends */
    double speed;       /* of slip, at the start */
    double v_n, delta;  /* at the end */
    double work, time;  /* until then; time: NaN if it must be integrated */
    bool sticks, turns; /* ends in stick; passes the greatest indentation so far */
} slide;

static slide slide_from(const springs *k, const state *now, double s) {
    slide x = {.s = s, .q = 1 - k->mu * s * k->c, .rate = slip_change(k, s)};
    x.speed = larger(0, s * now->v_t + k->kappa * now->v_n);
    double separation = impulse_to_separation(now->v_n, sqrt(2 * energy(now->delta)), x.q);
    double halt = k->mu > 0 && x.rate < 0 ? x.speed / -x.rate : INFINITY;
    if (k->constrained) {
        halt = -now->v_n / x.q > 0 ? -now->v_n / x.q : INFINITY;
    }
    x.sticks = halt <= separation;
    x.impulse = x.sticks ? halt : separation;
    x.v_n = k->constrained && x.sticks ? 0 : now->v_n + x.q * x.impulse;
    x.work = x.impulse * (now->v_n + x.v_n) / 2;
    x.delta = x.sticks ? pow(2.5 * larger(0, energy(now->delta) - x.work), 0.4) : 0;
    x.time = arc_time(now, x.v_n, x.delta, x.q);
    return x;
}

/* A part of the contact in which both forces rise together, or fall: only the ends are asked for. */
typedef struct monotone_part {
    imp_moment start, end;
} monotone_part;

static imp_moment end_at(const imp_piece *piece, double time) {
    const monotone_part *part = piece->motion;
    return time <= 0 ? part->start : part->end;
}

static void show_ends(imp_watch *watch, const monotone_part *part, int phase, int number,
                      bool turns) {
    imp_piece piece = {
        .phase = phase,
        .number = number,
        .duration = part->end.time,
        .pace = INFINITY,
        .turn = turns ? part->end.time : -1,
        .elastic = true,
        .motion = part,
        .at = end_at,
    };
    watch->see(watch, &piece);
}

/* Where a slide that starts in `start` is after an impulse. */
static imp_moment slide_moment(const springs *k, const slide *x, const state *start, double impulse,
                               double v_n, double delta) {
    double root = sqrt(delta), force = delta * root, friction = -k->mu * x->s;
    double change = k->constrained ? k->c * x->q : k->c + friction * k->a;
    double after = larger(0, x->speed + x->rate * impulse);
    return (imp_moment){
        .u = x->s * k->kappa * delta,
        .delta = delta,
        .v_t = start->v_t + change * impulse,
        .v_n = v_n,
        .f_t = friction * force,
        .f_n = force,
        .f_t_rate = -1.5 * root * v_n * friction,
        .f_n_rate = -1.5 * root * v_n,
        .slip = x->s * after,
        .work_t = friction * impulse * (start->v_t + change * impulse / 2),
        .work_n = impulse * (start->v_n + v_n) / 2,
        .loss = k->mu * impulse * (x->speed + after) / 2,
    };
}

/* Shows a part, in which v_n has one sign, and moves to its end. */
static void show_part(const contact *c, slide *x, state *from, double impulse, double v_n,
                      double delta, bool turns) {
    monotone_part part = {slide_moment(&c->k, x, from, 0, from->v_n, from->delta),
                          slide_moment(&c->k, x, from, impulse, v_n, delta)};
    part.end.time = arc_time(from, v_n, delta, x->q);
    show_ends(c->problem->watch, &part, x->s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH, from->phases - 1,
              turns);
    x->speed = x->s * part.end.slip;
    from->v_t = part.end.v_t;
    from->v_n = v_n;
    from->delta = delta;
}

/* Who watches pays nothing: the outcome must not depend on it. */
static void show_slide(contact *c, const state *start, slide x) {
    state now = *start;
    if (c->problem->watch->every_instant) {
        int64_t free_of_charge = c->budget;
        march_slip(c, &now, x.s, x.impulse, x.sticks, x.turns, &free_of_charge);
        return;
    }
    double impulse = -now.v_n / x.q;
    if (now.v_n < 0 && impulse > 0 && impulse < x.impulse) {
        double delta = pow(2.5 * (energy(now.delta) - impulse * now.v_n / 2), 0.4);
        show_part(c, &x, &now, impulse, 0, delta, x.turns);
        show_part(c, &x, &now, x.impulse - impulse, x.v_n, x.delta, false);
        return;
    }
    show_part(c, &x, &now, x.impulse, x.v_n, x.delta, x.turns);
}

static phase_end slip_undamped(contact *c, state *now, double s) {
    const springs *k = &c->k;
    slide x = slide_from(k, now, s);
    if (!(x.impulse < INFINITY)) {
        return LOST;
    }
    state start = *now;
    x.turns = turns_in_slip(k, now, s, x.impulse);
    if (x.turns) {
        now->greatest.time = now->time + arc_time(now, 0, now->greatest.delta, x.q);
    }
    if (c->problem->watch && !isnan(x.time)) {
        show_slide(c, &start, x);
    }
    if (isnan(x.time)) {
        if (!march_slip(c, &start, s, x.impulse, x.sticks, x.turns, &c->budget)) {
            return OUT_OF_BUDGET;
        }
        x.time = start.time - now->time;
    }
    double after = x.sticks ? 0 : larger(0, x.speed + x.rate * x.impulse);
    now->time += x.time;
    now->loss += k->mu * x.impulse * (x.speed + after) / 2;
    now->v_t = x.sticks
                   ? -s * k->kappa * x.v_n
                   : now->v_t + (k->constrained ? k->c * x.q : k->c - k->mu * s * k->a) * x.impulse;
    now->v_n = x.v_n;
    now->delta = x.delta;
    now->u = s * k->kappa * x.delta;
    now->p_n += x.impulse;
    now->p_t -= k->mu * s * x.impulse;
    now->work += x.work;
    return x.sticks ? TO_STICK : SEPARATED;
}

/* Takes over where a march has ended. What friction did follows from the energy of the tangential
 * spring, and what damping did from that of the normal one. */
static void take_over(contact *c, const march *m, state *now) {
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

static phase_end slip_damped(contact *c, state *now, double s) {
    march m = march_from(c, now, s);
    double before = now->v_t, stored = energy(fabs(now->u));
    m.touches[FIRST] = true;
    m.touches[SECOND] = now->delta == 0;
    if (c->problem->constrained) {
        /* The slip speed is that of v_n where nothing is damped; here it is a function like others. */
        m.touches[FIRST] = now->v_n == 0;
    }
    int event = march_on(&m, now, &c->budget);
    if (event < 0) {
        return OUT_OF_BUDGET;
    }
    take_over(c, &m, now);
    bool apart = event == SECOND;
    now->delta = apart ? 0 : now->delta;
    now->u = s * limit(&c->k, now->delta, now->v_n);
    double work = m.y.x[P_T] * (before + now->v_t) / 2;
    now->loss += stored - energy(fabs(now->u)) - work;
    return apart ? SEPARATED : TO_STICK;
}

/* ratio: of the forces; q: what resists delta^1.5. */
static void show_gross_stick(const contact *c, const state *now, double ratio, double q,
                             double depth, double time) {
    imp_watch *watch = c->problem->watch;
    if (watch->every_instant) {
        march m = march_from(c, now, 0);
        state copy = *now;
        int64_t free_of_charge = c->budget;
        m.apex = m.touches[SECOND] = true;
        copy.greatest.delta = 0;
        march_on(&m, &copy, &free_of_charge);
        return;
    }
    double slope = c->k.c, force = depth * sqrt(depth);
    imp_moment start = {.v_t = now->v_t, .v_n = now->v_n};
    imp_moment turn = {
        .time = time,
        .u = -slope * depth,
        .delta = depth,
        .f_t = copysign(ratio, slope) * force,
        .f_n = force,
        .work_t = -0.5 * (q - 1) / q,
        .work_n = -0.5 / q,
    };
    monotone_part loading = {start, turn}, unloading = {turn, start};
    unloading.start.time = unloading.start.work_t = unloading.start.work_n = 0;
    unloading.end = (imp_moment){.time = time,
                                 .v_t = -now->v_t,
                                 .v_n = -now->v_n,
                                 .work_t = -turn.work_t,
                                 .work_n = -turn.work_n};
    show_ends(watch, &loading, IMP_STICK, now->phases - 1, true);
    show_ends(watch, &unloading, IMP_STICK, now->phases - 1, false);
}

/* All of the contact in stick along a line through the apex of the cone: one spring of power 1.5. */
static phase_end gross_stick(contact *c, state *now) {
    note_phase(now, IMP_STICK);
    double slope = fabs(c->k.c);
    double ratio = c->k.coupled ? slope : slope * sqrt(slope);
    double q = 1 + slope * ratio;
    double depth = pow(1.25 / q, 0.4), time = arc_time(now, 0, depth, q);
    if (c->problem->watch) {
        show_gross_stick(c, now, ratio, q, depth, time);
    }
    now->greatest = (peak){depth, 1 / q, time, -0.5 / q};
    now->time = 2 * time;
    now->p_n = 2 / q;
    now->p_t = (c->k.c > 0 ? 2 : -2) * ratio / q;
    now->v_t = -now->v_t;
    now->v_n = -now->v_n;
    return SEPARATED;
}

/* A constrained body that sticks comes to rest again and again. Without damping it has seen all of its
 * way after one swing from rest; with it after three, because every cycle lies within the last. */
static bool rings_on(const contact *c, march *m, state *now, int *turns) {
    point here = {.h = 0, .y = m->y, .rate = m->rate};
    if (m->rest < 0) {
        note_march_turn(&here, now);
    }
    m->rest = -m->rest;
    return ++*turns >= (c->k.damping > 0 ? 3 : 1);
}

/* s: direction of the slip before, 0 at the start; on return that of the slip that follows. */
static phase_end stick(contact *c, state *now, double *s) {
    note_phase(now, IMP_STICK);
    march m = march_from(c, now, 0);
    m.touches[FIRST] = *s <= 0;
    m.touches[SECOND] = *s >= 0;
    if (c->k.constrained) {
        double v_n = now->v_n != 0 ? now->v_n : m.rate.x[V_N];
        m.rest = v_n < 0 ? -1 : 1;
    }
    int turns = 0, event;
    while ((event = march_on(&m, now, &c->budget)) == TURN) {
        if (rings_on(c, &m, now, &turns)) {
            return WEDGED;
        }
    }
    if (event < 0) {
        return OUT_OF_BUDGET;
    }
    take_over(c, &m, now);
    *s = event == FIRST ? -1 : 1;
    if (now->delta <= 1e-12 && now->v_n > 0) {
        now->delta = now->u = 0;
        return SEPARATED;
    }
    now->u = *s * limit(&c->k, now->delta, now->v_n);
    return TO_SLIP;
}

/* ---- the whole contact ---- */

/* At the rim of the cone, stick is what friction can hold: slip that would slow down. */
static bool sticks_first(const contact *c, double s) {
    double speed = fabs(c->problem->v_t), rim = limit(&c->k, 1, -1);
    if (c->k.constrained) {
        return speed <= rim;
    }
    if (fabs(speed - rim) <= on_the_cone * larger(speed, rim)) {
        return c->k.mu > 0 && slip_change(&c->k, s) < 0;
    }
    return speed < rim;
}

static phase_end run_phases(contact *c, state *now) {
    double s = now->v_t < 0 ? -1 : 1;
    bool damped = c->k.damping > 0;
    phase_end end = TO_SLIP;
    if (sticks_first(c, s)) {
        if (c->k.constrained && !damped) {
            return gross_stick(c, now);
        }
        s = 0;
        end = TO_STICK;
    }
    while (end == TO_STICK || end == TO_SLIP) {
        if (--c->budget <= 0) {
            return OUT_OF_BUDGET;
        }
        if (end == TO_STICK) {
            end = stick(c, now, &s);
            continue;
        }
        note_phase(now, s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH);
        end = damped ? slip_damped(c, now, s) : slip_undamped(c, now, s);
    }
    return end;
}

/* dv - B P, relative to the velocities. */
static double momentum_error(const imp_compliant_problem *p, const state *now) {
    double t = now->v_t - p->v_t - (p->a * now->p_t + p->c * now->p_n);
    double n = now->v_n + 1 - (p->c * now->p_t + now->p_n);
    return hypot(t, n) / (1 + fabs(p->v_t));
}

static imp_compliant_result solve(const imp_compliant_problem *p, springs k) {
    contact c = {.problem = p, .k = k, .budget = p->budget};
    state now = {.v_t = p->v_t, .v_n = -1};
    phase_end end = run_phases(&c, &now);
    if (end == OUT_OF_BUDGET || end == LOST) {
        return (imp_compliant_result){.outcome = end == LOST ? IMP_NOT_FINITE : IMP_BUDGET};
    }
    double u = fabs(now.u);
    double elastic = energy(now.delta) + (k.coupled ? u * u * sqrt(now.delta) / 2 : energy(u));
    double trapped = end == WEDGED ? elastic : 0;
    double initial = kinetic_energy(p, p->v_t, -1);
    double kept = kinetic_energy(p, now.v_t, now.v_n) + trapped;
    double loss = k.coupled ? initial - kept : now.loss + c.damped;
    double balance = k.coupled ? (end == WEDGED ? 0 : momentum_error(p, &now))
                               : (kept + loss - initial) / initial;
    /* Numbers so extreme that the turn is lost in rounding. */
    bool turned = end == WEDGED || (now.greatest.p_n > 0 && now.greatest.work < 0);
    return (imp_compliant_result){
        .outcome = turned ? judge(initial * (1 + balance), initial) : IMP_NOT_FINITE,
        .mode = classify(&now, end),
        .sequence = now.sequence,
        .v_t = now.v_t,
        .v_n = now.v_n,
        .p_t = now.p_t,
        .p_n = now.p_n,
        .p_n_turn = now.greatest.p_n,
        .t_turn = now.greatest.time,
        .work_approach = now.greatest.work,
        .work_rebound = now.work - now.greatest.work,
        .duration = now.time,
        .loss = loss,
        .trapped = trapped,
        .initial = initial,
        .balance = balance,
    };
}

static springs springs_of(const imp_compliant_problem *p) {
    return (springs){.a = p->a, .c = p->c, .mu = p->mu, .constrained = p->constrained};
}

/* Above this the body sinks in and hardly rebounds: it leaves with 1 / damping. */
static const double most_damping = 1e6;

imp_compliant_result imp_hertz_solve(const imp_compliant_problem *problem,
                                     imp_compliant_memory *memory) {
    /* Without friction a damped slip has no cone to come back to: a trace of it serves. */
    const double least_friction = 1e-12;
    imp_compliant_problem rough = *problem;
    (void)memory;
    if (!(problem->damping <= most_damping)) {
        return (imp_compliant_result){.outcome = IMP_OUTSIDE};
    }
    if (problem->damping > 0) {
        rough.mu = larger(rough.mu, least_friction);
    }
    springs k = springs_of(&rough);
    k.kappa = cbrt(rough.mu * rough.mu);
    k.damping = problem->damping;
    return solve(&rough, k);
}

imp_compliant_result imp_coupled_solve(const imp_compliant_problem *problem,
                                       imp_compliant_memory *memory) {
    (void)memory;
    springs k = springs_of(problem);
    k.kappa = problem->mu;
    k.coupled = true;
    return solve(problem, k);
}
