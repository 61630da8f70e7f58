/* Events in a step of the laws of power 1.5, found by redoing the step with another length. */
#include "models/compliant/power_impl.h"

/* An instant is found when it moves by less than this. */
static const double instant_found = 2e-15;

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
sight imp_power_slip_speed(const springs *k, const point *p) {
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
    return m->impulse < INFINITY ? (sight){m->impulse - y[P_N], -rate[P_N]}
                                 : imp_power_slip_speed(&m->k, p);
}

/* Value and slope in the variable. */
static sight sight_of(const march *m, const point *p, int which) {
    sight f = sight_in_time(m, p, which);
    f.slope *= imp_power_pace(m->by, &p->y);
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
        at = imp_power_point_after(m, next);
    }
    return at;
}

/* After a start at 0 that is no event: a length at which the value has risen above it; 0 if none. */
static double risen(const march *m, int which, double h) {
    enum { HALVINGS = 30 };
    for (int i = 0; i < HALVINGS; i++) {
        h /= 2;
        point p = imp_power_point_after(m, h);
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
    point p = imp_power_point_after(m, at);
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
        p = imp_power_point_after(m, (low + high) / 2);
    }
    return p;
}

/* The first event of one kind in the step that ends at `end`; h infinite without one. */
point imp_power_event(const march *m, int which, const point *start, const point *end) {
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
