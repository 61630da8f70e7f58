/* Events in a step of the laws of power 1.5, found by redoing the step with another length. */
#include "models/compliant/power_impl.h"
#include "num/bracket.h"

/* The search for an instant ends when the instant moves by less than this. */
static const double instant_found = 2e-15;

/* A quantity that falls to 0 at an event, and its rates in time or in the variable of the step. */
typedef struct sight {
    double value, slope, bend;
} sight;

static inline double cube(double x) {
    return x * x * x;
}

/* The rate of f_n. */
static double normal_force_rate(const springs *k, const point *p) {
    const double *y = p->y.x;
    double d = positive(y[DELTA]), held = positive(1 - k->damping * y[V_N]);
    return -sqrt(d) * (1.5 * y[V_N] * held + k->damping * d * p->rate.x[V_N]);
}

/* The distance from the face s of the cone, kappa delta - s u. */
static sight plain_margin(const springs *k, const point *p, double s) {
    const double *y = p->y.x, *rate = p->rate.x;
    return (sight){k->kappa * y[DELTA] - s * y[U], -k->kappa * y[V_N] - s * y[V_T],
                   -k->kappa * rate[V_N] - s * rate[V_T]};
}

/* The same with damping, (mu f_n)^2 - (s u)^3. It is smooth even where 1 - damping v_n is small, at
 * friction so great that next to no normal force is enough to hold. */
static sight damped_margin(const springs *k, const point *p, double s) {
    const double *y = p->y.x, *rate = p->rate.x;
    double d = positive(y[DELTA]), v = y[V_N], z = k->damping, u = s * y[U], v_t = s * y[V_T];
    double x = positive(1 - z * v), falls = x > 0 ? z : 0, f_t_rate = -1.5 * sqrt(fabs(u)) * y[V_T];
    double jerk = k->c * f_t_rate + normal_force_rate(k, p);
    double dx = d * x, dx_rate = -v * x - d * falls * rate[V_N];
    double dx_bend = -rate[V_N] * x + 2 * v * falls * rate[V_N] - d * falls * jerk;
    double square = k->mu * k->mu;
    /* d (d x)^2 */
    double held = d * dx * dx, held_rate = -v * dx * dx + 2 * d * dx * dx_rate;
    double held_bend =
        -rate[V_N] * dx * dx - 4 * v * dx * dx_rate + 2 * d * (dx_rate * dx_rate + dx * dx_bend);
    return (sight){square * held - cube(u), square * held_rate - 3 * u * u * v_t,
                   square * held_bend - 6 * u * v_t * v_t - 3 * u * u * s * rate[V_T]};
}

/* The slip speed of a damped slip, s v_t + kappa x^(2/3) (v_n + 2/3 z q delta^2.5) where x = 1 - z v_n
 * and z is the damping: u follows the normal force. */
static sight slip_speed(const springs *k, const point *p) {
    const double *y = p->y.x;
    double d = positive(y[DELTA]), root = sqrt(d), d15 = d * root, v = y[V_N], z = k->damping;
    double x = positive(1 - z * v), pull = k->kappa * relief(k, v), along = k->slip * k->g;
    double inner = v + 2.0 / 3 * z * k->q * d * d15;
    double j = x - 5.0 / 3 * z * v - 2.0 / 3 * z * inner;
    double per_force = along * x + pull * k->q * j; /* the slope over delta^1.5 */
    double decay = z * k->q * d15;
    double bend = along * x + pull * k->q * (2.0 / 3 * j + 10.0 / 3 * x - 10.0 / 9 * z * v);
    return (sight){k->slip * y[V_T] + pull * inner, d15 * per_force,
                   -1.5 * root * v * per_force - d15 * decay * bend};
}

double imp_power_slip_speed(const springs *k, const point *p) {
    return slip_speed(k, p).value;
}

static sight sight_in_time(const march *m, const point *p, int which) {
    const double *y = p->y.x, *rate = p->rate.x;
    const springs *k = &m->k;
    if (which == TURN) {
        double sign = m->rest != 0 ? m->rest : -1;
        return (sight){sign * y[V_N], sign * rate[V_N], 0};
    }
    if (k->slip == 0 && !m->apex) {
        double s = which == FIRST ? -1 : 1;
        return k->damping > 0 ? damped_margin(k, p, s) : plain_margin(k, p, s);
    }
    if (which == SECOND) {
        return (sight){y[DELTA], -y[V_N], -rate[V_N]};
    }
    if (m->apex) {
        return (sight){1, 0, 0};
    }
    return m->impulse < INFINITY
               ? (sight){m->impulse - y[P_N], -rate[P_N], -normal_force_rate(k, p)}
               : slip_speed(k, p);
}

/* Time as a function of the step's variable, at a point. */
typedef struct clock {
    double pace, turning; /* its first two derivatives */
} clock;

static clock clock_of(const march *m, const point *p) {
    const double *y = p->y.x, *rate = p->rate.x;
    double pace = imp_power_pace(m->by, &p->y), v_n = y[V_N], v_t = y[V_T];
    switch (m->by) {
    case BY_ROOT_OF_DELTA:
        return (clock){pace, -2 / v_n - 4 * y[DELTA] * rate[V_N] / cube(v_n)};
    case BY_ROOT_OF_U: {
        bool leaves = y[U] != 0 ? y[U] * v_t > 0 : p->h == 0;
        return (clock){pace,
                       (leaves ? 2 : -2) / fabs(v_t) - 4 * fabs(y[U]) * rate[V_T] / cube(v_t)};
    }
    default:
        return (clock){1, 0};
    }
}

/* Value and rates in the variable. */
static inline sight sight_by(const march *m, const point *p, int which, clock time) {
    sight f = sight_in_time(m, p, which);
    return (sight){f.value, f.slope * time.pace,
                   f.bend * time.pace * time.pace + f.slope * time.turning};
}

/* A root between a point where the value is above 0 and one where it is not, by Newton's method kept
 * inside the bracket. */
static point root_between(const march *m, int which, double low, const point *high) {
    enum { MOST = 80 };
    point at = *high;
    imp_bracket b = {low, high->h};
    for (int i = 0; i < MOST; i++) {
        sight f = sight_in_time(m, &at, which);
        if (f.value == 0) {
            break;
        }
        imp_bracket_cut(&b, at.h, f.value > 0);
        double next =
            imp_bracket_next(&b, at.h - f.value / (f.slope * imp_power_pace(m->by, &at.y)));
        if (fabs(next - at.h) <= instant_found * (1 + m->y.x[TIME]) ||
            !imp_bracket_holds(&b, next)) {
            break;
        }
        at = imp_power_point_after(m, next);
    }
    return at;
}

/* After a start at 0 that is not an event: a length at which the value has risen above 0; 0 if
 * there is none. */
static double risen(const march *m, int which, double h) {
    enum { HALVINGS = 30 };
    for (int i = 0; i < HALVINGS; i++) {
        h /= 2;
        point p = imp_power_point_after(m, h);
        if (sight_in_time(m, &p, which).value > 0) {
            return h;
        }
    }
    return 0;
}

typedef enum roots { NONE, ONE, UNKNOWN } roots;

/* Counts roots between two points from the quintic through values, slopes and bends. As a sum of
 * Bernstein polynomials the quintic has no more roots than its coefficients have changes of sign.
 * It is trusted if its inner coefficients exceed a part of its distance from the cubic through
 * values and slopes. */
static roots roots_between(sight a, sight b, double h) {
    const double trust = 0.25;
    double chord = 6 * (b.value - a.value), square = h * h / 20;
    double apart = fabs(a.bend * h * h - chord + h * (4 * a.slope + 2 * b.slope)) +
                   fabs(b.bend * h * h + chord - h * (2 * a.slope + 4 * b.slope));
    double doubt = trust * apart / 20;
    double first = a.value + h * a.slope / 5, last = b.value - h * b.slope / 5;
    double second = a.value + 2 * h * a.slope / 5 + square * a.bend;
    double third = b.value - 2 * h * b.slope / 5 + square * b.bend;
    if (!(fabs(second) > doubt && fabs(third) > doubt)) {
        return UNKNOWN;
    }
    bool up[] = {first >= 0, second > 0, third > 0, last > 0, b.value > 0};
    bool above = true;
    for (int i = 0; i < (int)(sizeof up / sizeof *up); i++) {
        if (up[i] && !above) {
            return UNKNOWN;
        }
        above = up[i];
    }
    return above ? NONE : ONE;
}

/* Where between two points to look next, as a share of the distance: at the minimum of the cubic,
 * or halfway. */
static double split(sight a, sight b, double h) {
    double mean = (b.value - a.value) / h;
    double square = 3 * mean - 2 * a.slope - b.slope, cubic = a.slope + b.slope - 2 * mean;
    double root = sqrt(positive(square * square - 3 * cubic * a.slope));
    double least = square > 0 ? -a.slope / (square + root) : (root - square) / (3 * cubic);
    return least > 0.05 && least < 0.95 ? least : 0.5;
}

/* A stretch of a step. */
typedef struct stretch {
    double from;
    const point *to;
    sight a, b; /* at its ends */
} stretch;

/* The event in a stretch that begins above 0, or at 0 and rises, and ends below. */
static point end_of(const march *m, int which, const stretch *way) {
    double low = way->a.value > 0 ? way->from : risen(m, which, way->to->h);
    return low > way->from || way->a.value > 0 ? root_between(m, which, low, way->to)
                                               : imp_power_point_after(m, way->from);
}

/* The first event in a stretch that begins above 0, or at 0 and rises; h infinite without one. If
 * the ends of the stretch do not decide, the function looks between them, as often as `looks`
 * allows. */
static point first_in(const march *m, int which, const stretch *way, int *looks) {
    point none = {.h = INFINITY};
    double length = way->to->h - way->from;
    roots known = roots_between(way->a, way->b, length);
    if (known == NONE) {
        return none;
    }
    if (known == UNKNOWN && --*looks > 0) {
        point middle = imp_power_point_after(m, way->from + length * split(way->a, way->b, length));
        sight f = sight_by(m, &middle, which, clock_of(m, &middle));
        stretch left = {way->from, &middle, way->a, f}, right = {middle.h, way->to, f, way->b};
        point found = first_in(m, which, &left, looks);
        return found.h < INFINITY || f.value <= 0 ? found : first_in(m, which, &right, looks);
    }
    return way->b.value > 0 ? none : end_of(m, which, way);
}

/* Whether the quantity stays far above 0 between two points, by the cubic through its values and
 * slopes. This test is cheap, and not used with damping, which bends the quantity more than a cubic
 * shows. */
static bool is_far(const march *m, int which, const point *start, const point *end) {
    if (m->k.damping > 0 || m->touches[which]) {
        return false;
    }
    sight a = sight_in_time(m, start, which), b = sight_in_time(m, end, which);
    double third = (end->h - start->h) / 3;
    double first = a.value + third * a.slope * imp_power_pace(m->by, &start->y);
    double last = b.value - third * b.slope * imp_power_pace(m->by, &end->y);
    return a.value > 0 && b.value > 0 && first > 0.5 * a.value && last > 0.5 * b.value;
}

/* The first event of one kind. */
static point event_in(const march *m, int which, const point *start, const point *end) {
    enum { LOOKS = 48 };
    int looks = LOOKS;
    if (is_far(m, which, start, end)) {
        return (point){.h = INFINITY};
    }
    clock at_start = clock_of(m, start), at_end = clock_of(m, end);
    stretch way = {0, end, sight_by(m, start, which, at_start), sight_by(m, end, which, at_end)};
    if (way.a.value <= 0 && !m->touches[which]) {
        return *start;
    }
    if (m->touches[which] && (m->k.slip == 0 || way.a.value <= 0)) {
        way.a = (sight){0, positive(way.a.slope), way.a.bend};
    }
    /* From first touch u and delta grow in proportion: signs are enough. */
    if (start->y.x[DELTA] == 0) {
        return way.b.value > 0 ? (point){.h = INFINITY} : end_of(m, which, &way);
    }
    return first_in(m, which, &way, &looks);
}

int imp_power_event(const march *m, const point *start, point *end) {
    int event = -1;
    for (int which = FIRST; which <= SECOND; which++) {
        point found = event_in(m, which, start, end);
        if (found.h < INFINITY && (event < 0 || found.h < end->h)) {
            event = which;
            *end = found;
        }
    }
    return event;
}

point imp_power_turn(const march *m, const point *start, const point *end) {
    bool passes = sight_in_time(m, start, TURN).value > 0 && sight_in_time(m, end, TURN).value <= 0;
    return passes ? root_between(m, TURN, 0, end) : (point){.h = INFINITY};
}
