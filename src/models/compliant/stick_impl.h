/* Stick of a free body with linear springs: two normal modes, and safe searches, which cannot pass
 * a root, for the instants at which a weighted sum of the modes vanishes. */
#ifndef IMP_MODELS_COMPLIANT_STICK_IMPL_H
#define IMP_MODELS_COMPLIANT_STICK_IMPL_H

#include <math.h>

#include "models/compliant/state_impl.h"

typedef imp_linear_modes modes;

static inline modes normal_modes(const imp_compliant_problem *p) {
    double half = (p->a - 1) / 2, r = sqrt(half * half + p->c * p->c);
    double t = half >= 0 ? half + r : p->c, n = half >= 0 ? p->c : r - half;
    double length = sqrt(t * t + n * n);
    if (length > 0) {
        t /= length;
        n /= length;
    } else {
        t = 1;
    }
    double first = (p->a + 1) / 2 + r;
    imp_pair square = {first, p->determinant / first};
    imp_pair w = imp_pair_sqrt(square);
    return (modes){p->a, p->c, p->determinant, {t, -n}, {n, t}, w, square, 1 / w};
}

/* Both modes move as y cos(w t) + z sin(w t). */
typedef struct motion {
    imp_pair y, z, size;
} motion;

static inline motion motion_from(const modes *m, const state *now) {
    imp_pair y = m->t * now->u - m->n * now->delta;
    imp_pair z = (m->t * now->v_t + m->n * now->v_n) * m->inverse;
    return (motion){y, z, imp_pair_sqrt(y * y + z * z)};
}

/* Elongations and velocities of the modes at an instant. */
typedef struct instant {
    imp_pair y, v;
    imp_pair_sincos turn; /* of w t */
} instant;

static inline instant at_time(const modes *m, const motion *x, double time) {
    imp_pair_sincos turn = imp_pair_sine_cosine(m->w * time);
    return (instant){.y = x->y * turn.cosine + x->z * turn.sine,
                     .v = m->w * (x->z * turn.cosine - x->y * turn.sine),
                     .turn = turn};
}

/* A time, elongations and velocities then, and the area under the elongations until then. */
typedef struct event {
    double time; /* infinite: no event; NaN: the budget is spent */
    imp_pair y, v, area;
} event;

static inline event event_at(const modes *m, const motion *x, double time, const instant *now) {
    imp_pair s = now->turn.sine, c = now->turn.cosine;
    /* 1 - cos without loss of digits, also for a slow mode. */
    imp_pair_bits right = c > 0;
    imp_pair rise = imp_pair_select(right, s * s, 1 - c) / imp_pair_select(right, 1 + c, s * 0 + 1);
    return (event){time, now->y, now->v, (x->y * s + x->z * rise) * m->inverse};
}

/* A little later (or earlier), by series: a phase w d of 0.4 leaves no error above rounding. */
static inline event later(const modes *m, const event *now, double d) {
    imp_pair q = m->square * (d * d), q2 = q * q;
    imp_pair rise = (0.5 - q * (1.0 / 24)) + q2 * (1.0 / 720 - q * (1.0 / 40320)) +
                    q2 * q2 * (1.0 / 3628800 - q * (1.0 / 479001600));
    imp_pair sine = (1 - q * (1.0 / 6)) + q2 * (1.0 / 120 - q * (1.0 / 5040)) +
                    q2 * q2 * (1.0 / 362880 - q * (1.0 / 39916800));
    imp_pair cosine = 1 - q * rise;
    sine *= d;
    return (event){now->time + d, now->y * cosine + now->v * sine,
                   now->v * cosine - now->y * m->square * sine,
                   now->area + now->y * sine + now->v * (rise * (d * d))};
}

/* A function of time whose first root is sought while it is positive: a weighted sum of the
 * elongations of the modes (the margins to the two faces of the cone) or of their velocities
 * (v_n). */
typedef struct sample {
    double value, slope;
} sample;

/* First positive roots of f + f' d - second d^2 / 2, where |f''| <= second: f has no root before.
 * The sign of f' decides which of two forms loses no digits; it is unpredictable, so parts are
 * selected instead of branches. */
static inline imp_pair safe_steps(imp_pair f, imp_pair slope, imp_pair second) {
    imp_pair root = imp_pair_sqrt(slope * slope + 2 * second * f);
    imp_pair_bits falls = slope < 0;
    return imp_pair_select(falls, 2 * f, root + slope) /
           imp_pair_select(falls, root - slope, second);
}

static inline double safe_step(sample f, double second) {
    return safe_steps((imp_pair){f.value, 1}, (imp_pair){f.slope, 1}, (imp_pair){second, 1})[0];
}

/* Whether f is certain to fall until its root, and the root is so near (within 1.25 Newton steps)
 * that three steps of root_step find it to rounding. If rounding has already passed the root, the
 * same holds backward. */
static inline bool near_root(sample f, double second, double fastest) {
    double size = fabs(f.value);
    return f.slope < 0 && second * size <= 0.3 * f.slope * f.slope &&
           fastest * size <= -0.3 * f.slope;
}

/* Step to the root by reversion of the series in d up to its fourth power. */
static inline double root_step(sample f, double second, double third, double fourth) {
    double scale = 1 / f.slope, t = -f.value * scale;
    double a = second * scale / 2, b = third * scale / 6, c = fourth * scale / 24;
    return t * (1 - t * (a - t * (2 * a * a - b + t * (5 * a * b - 5 * a * a * a - c))));
}

/* Positive roots of a + b x - c x^2, with c > 0 and a > 0, or a = 0 and b > 0; 0 without one. */
static inline imp_pair safe_roots(imp_pair a, imp_pair b, imp_pair c) {
    imp_pair root = imp_pair_sqrt(b * b + 4 * a * c);
    imp_pair_bits falls = b < 0;
    imp_pair x = imp_pair_select(falls, 2 * a, root + b) / imp_pair_select(falls, root - b, 2 * c);
    return imp_pair_select(x > 0, x, (imp_pair){0, 0});
}

/* The cone: the margins mu delta - s u, positive inside. Lane 0 is the face s = -1, lane 1 s = +1. */
typedef struct cone {
    imp_pair r[2], pull[2];         /* by mode: weight of its elongation; the weight times w^2 */
    imp_pair second, fourth, fifth; /* bounds of derivatives */
    double fastest;
} cone;

static inline cone cone_of(const imp_compliant_problem *p, const modes *m, const motion *x) {
    const imp_pair s = {-1, 1};
    cone k = {.fastest = m->w[0]};
    for (int i = 0; i < 2; i++) {
        k.r[i] = -(p->mu * m->n[i] + s * m->t[i]);
        k.pull[i] = k.r[i] * m->square[i];
        imp_pair part = imp_pair_abs(k.pull[i]) * x->size[i];
        k.second += part;
        k.fourth += part * m->square[i];
        k.fifth += part * (m->square[i] * m->w[i]);
    }
    return k;
}

static inline imp_pair weigh(const imp_pair weight[2], imp_pair modal) {
    return weight[0] * modal[0] + weight[1] * modal[1];
}

/* From rest on the plane the margins are odd in time: f' d + f3 d^3 / 6, less the bound of the
 * fifth derivative. */
static inline imp_pair steps_from_rest(const cone *k, const instant *start) {
    imp_pair slope = weigh(k->r, start->v), none = {0, 0};
    imp_pair third = -weigh(k->pull, start->v);
    return imp_pair_sqrt(
        safe_roots(imp_pair_select(slope > 0, slope, none), third / 6, k->fifth / 120));
}

/* Where margin and slope are 0 and must not be found again: divided by d^2 the margin is f2 / 2 +
 * f3 d / 6, less the bound of the fourth derivative. */
static inline imp_pair double_root_steps(const cone *k, const instant *start) {
    imp_pair second = -weigh(k->pull, start->y), none = {0, 0};
    imp_pair third = -weigh(k->pull, start->v);
    return safe_roots(imp_pair_select(second > 0, second, none) / 2, third / 6, k->fourth / 24);
}

/* The first step of a stick phase, which begins at rest (slip_before = 0), or on the face of the
 * slip before it. */
static inline double first_step(const modes *m, const motion *x, const cone *k,
                                double slip_before) {
    instant start = {.y = x->y, .v = m->w * x->z};
    imp_pair step;
    if (slip_before == 0) {
        step = steps_from_rest(k, &start);
    } else {
        imp_pair_bits entered = {-(slip_before < 0), -(slip_before > 0)};
        step = imp_pair_select(entered, double_root_steps(k, &start),
                               safe_steps(weigh(k->r, start.y), weigh(k->r, start.v), k->second));
    }
    return step[1] < step[0] ? step[1] : step[0];
}

static inline double margin_step(const modes *m, const cone *k, int face, const event *now) {
    imp_pair r = {k->r[0][face], k->r[1][face]}, pull = r * m->square;
    sample f = {imp_pair_sum(r * now->y), imp_pair_sum(r * now->v)};
    return root_step(f, -imp_pair_sum(pull * now->y), -imp_pair_sum(pull * now->v),
                     imp_pair_sum(pull * m->square * now->y));
}

/* Whether a step was so long that its error, of the fifth order, shows. */
static inline bool needs_polish(const modes *m, double step) {
    double phase = m->w[0] * step;
    return phase * phase > 1e-7;
}

enum { MAX_POLISH = 4 };

/* From near the root of the margin to the root. */
static inline event exit_from(const modes *m, const cone *k, int face, event near) {
    for (int i = 0; i < MAX_POLISH; i++) {
        double step = margin_step(m, k, face, &near);
        near = later(m, &near, step);
        if (!needs_polish(m, step)) {
            break;
        }
    }
    return near;
}

/* Where the motion touches a face from inside, rounding can leave the margin at or below 0: the
 * motion leaves if the margin falls, and otherwise goes on past the touch. */
static inline imp_pair steps_at_touch(const cone *k, imp_pair f, imp_pair slope,
                                      const instant *now) {
    imp_pair none = {0, 0}, past = 2 * slope / k->second, curved = double_root_steps(k, now);
    imp_pair touch = imp_pair_select(slope < 0, none, imp_pair_select(past > curved, past, curved));
    return imp_pair_select(f > 0, safe_steps(imp_pair_select(f > 0, f, none), slope, k->second),
                           touch);
}

/* When the motion leaves the cone, and through which face. */
static inline event cone_exit(const modes *m, const motion *x, const cone *k, double start,
                              int64_t *budget, int *face) {
    double time = start;
    while (--*budget > 0) {
        instant now = at_time(m, x, time);
        imp_pair f = weigh(k->r, now.y), slope = weigh(k->r, now.v);
        imp_pair step = ((f[0] > 0) & (f[1] > 0)) ? safe_steps(f, slope, k->second)
                                                  : steps_at_touch(k, f, slope, &now);
        int first = step[1] < step[0];
        *face = first;
        sample nearest = {f[first], slope[first]};
        if (near_root(nearest, k->second[first], k->fastest) &&
            -nearest.slope * step[1 - first] >= 1.25 * nearest.value) {
            return exit_from(m, k, first, event_at(m, x, time, &now));
        }
        double next = time + step[first];
        if (!(next > time)) {
            return event_at(m, x, time, &now);
        }
        if (!(next < INFINITY)) {
            return (event){.time = INFINITY};
        }
        time = next;
    }
    return (event){.time = NAN};
}

/* Moves the state at the start of a stick phase to the instant. */
static inline void swing(const modes *m, const event *end, state *now) {
    double delta = -imp_pair_sum(m->n * end->y);
    now->p_t -= imp_pair_sum(m->t * end->area);
    now->p_n -= imp_pair_sum(m->n * end->area);
    now->work += (now->delta - delta) * (now->delta + delta) / 2;
    now->u = imp_pair_sum(m->t * end->y);
    now->delta = delta;
    now->v_t = imp_pair_sum(m->t * end->v);
    now->v_n = imp_pair_sum(m->n * end->v);
    now->time += end->time;
}

/* sign v_n as a function of time, and the step to its root from near by. */
static inline sample velocity(imp_pair weight, imp_pair pull, const instant *at) {
    return (sample){imp_pair_sum(weight * at->v), -imp_pair_sum(pull * at->y)};
}

static inline double velocity_step(const modes *m, imp_pair weight, imp_pair pull,
                                   const event *at) {
    sample f = {imp_pair_sum(weight * at->v), -imp_pair_sum(pull * at->y)};
    return root_step(f, -imp_pair_sum(pull * at->v), imp_pair_sum(pull * m->square * at->y),
                     imp_pair_sum(pull * m->square * at->v));
}

/* From rest v_n is even in time: f + f2 d^2 / 2, less the bound of the fourth derivative. */
static inline double step_to_turn_from_rest(const modes *m, const motion *x, imp_pair pull,
                                            double value) {
    double second = -imp_pair_sum(pull * m->w * x->z);
    double fourth = imp_pair_sum(imp_pair_abs(pull) * m->square * m->w * x->size);
    return sqrt(
        safe_roots((imp_pair){value, 1}, (imp_pair){second / 2, 1}, (imp_pair){fourth / 24, 1})[0]);
}

/* The first zero of v_n after `start`, if it lies before `end`. f is the sample of sign v_n at the
 * start, positive from there on; back is the one at the end, seen backward in time. Safe steps from
 * both sides soon show if there is no zero between. */
static inline event next_turn(const modes *m, const motion *x, double sign, double start, sample f,
                              double end, sample back, int64_t *budget) {
    imp_pair weight = sign * m->n, pull = weight * m->square;
    double limit = imp_pair_sum(imp_pair_abs(pull) * x->size * m->w);
    double reach = back.value > 0 ? safe_step(back, limit) : 0, time = start;
    double step = imp_pair_sum(imp_pair_abs(x->y)) > 0 || start > 0
                      ? safe_step(f, limit)
                      : step_to_turn_from_rest(m, x, pull, f.value);
    while (--*budget > 0) {
        double next = time + step;
        if (!(next + reach < end && next > time)) {
            return (event){.time = INFINITY};
        }
        time = next;
        instant at = at_time(m, x, time);
        f = velocity(weight, pull, &at);
        if (near_root(f, limit, m->w[0])) {
            event turn = event_at(m, x, time, &at);
            for (int i = 0; i < MAX_POLISH; i++) {
                step = velocity_step(m, weight, pull, &turn);
                turn = later(m, &turn, step);
                if (!needs_polish(m, step)) {
                    break;
                }
            }
            return turn;
        }
        f.value = imp_larger(0, f.value);
        step = safe_step(f, limit);
    }
    return (event){.time = NAN};
}

/* Leaves a stick of a free body through a face of the cone; *s: direction of the slip before, 0 at the
 * start, and then of the slip that follows. Both springs are released together only in a contact that
 * sticks from the start, where the slip after it turns its direction; elsewhere the tangential spring is
 * still stretched when the normal one is nearly released, and a slip, however short, comes before
 * separation. A stick that begins just before the release ends at the other face, as the cube of what is left
 * of the contact: there margins are rounding, and the stick runs on. */
static inline phase_end leave_stick(const imp_compliant_problem *p, const modes *m, const motion *x,
                                    int face, state *now, double *s) {
    const double rounding = 1e-15, released = 1e-7, brief = 1e-4;
    double scale = imp_pair_sum(imp_pair_abs(m->n) * x->size), before = *s;
    double began = -imp_pair_sum(m->n * x->y) * m->w[0], ended = now->delta * m->w[0];
    if (before == 0 && now->delta <= rounding * scale) {
        now->delta = now->u = 0;
        return SEPARATED;
    }
    now->delta = imp_larger(0, now->delta);
    *s = face == 0 ? -1 : 1;
    if (*s == before && began <= brief * now->v_n && ended <= released * now->v_n) {
        *s = -before;
        now->time += now->delta / now->v_n;
        now->work += now->delta * now->delta / 2;
        now->delta = now->u = 0;
    }
    put_on_face(now, *s, p->mu);
    return TO_SLIP;
}

/* dv_n/dt in stick. */
static inline double normal_acceleration(const imp_compliant_problem *p, const state *now) {
    return now->delta - p->c * now->u;
}

/* At the rim of the cone the body sticks if friction can hold it: if slip would slow down. Without
 * friction nothing sticks. */
static inline bool sticks_at_start(const imp_compliant_problem *p, double s) {
    double speed = fabs(p->v_t);
    if (p->constrained) {
        return speed <= p->mu;
    }
    if (fabs(speed - p->mu) <= on_the_cone * imp_larger(speed, p->mu)) {
        return p->mu > 0 && slip_rate(p, s) < 0;
    }
    return speed < p->mu;
}

#endif
