/* Stick of a free body with linear springs: two normal modes, and safe searches, which cannot pass
 * a root (models/SAFE_STEPS.md), for the instants at which a weighted sum of the modes vanishes. In
 * lanes; quantities of a mode are pairs, the faster one first. */
#ifndef IMP_MODELS_COMPLIANT_STICK_IMPL_H
#define IMP_MODELS_COMPLIANT_STICK_IMPL_H

#include "models/compliant/state_impl.h"

typedef imp_compliant_linear_modes modes;

CODE real sum_of(const real x[2], const real y[2]) {
    return x[0] * y[0] + x[1] * y[1];
}

CODE real sum_of_three(const real x[2], const real y[2], const real z[2]) {
    return x[0] * y[0] * z[0] + x[1] * y[1] * z[1];
}

static inline modes normal_modes(const imp_compliant_problem *p) {
    real half = (p->a - 1) / 2, r = root_of(half * half + p->c * p->c);
    real t = pick(half >= 0, half + r, p->c), n = pick(half >= 0, p->c, r - half);
    real length = root_of(t * t + n * n);
    truth apart = length > 0;
    t = pick(apart, t / length, number(1));
    n = pick(apart, n / length, n);
    real first = (p->a + 1) / 2 + r;
    modes m = {.a = p->a,
               .c = p->c,
               .determinant = p->determinant,
               .t = {t, -n},
               .n = {n, t},
               .square = {first, p->determinant / first}};
    for (int k = 0; k < 2; k++) {
        m.w[k] = root_of(m.square[k]);
        m.inverse[k] = 1 / m.w[k];
    }
    return m;
}

/* No modes yet. */
CODE void forget_modes(modes *last) {
    last->a = last->c = last->determinant = number(0);
}

/* The modes of the problem; those of the last one, if it has the same B. */
CODE const modes *modes_for(const imp_compliant_problem *p, modes *last) {
    if (any(not((last->a == p->a) & (last->c == p->c) & (last->determinant == p->determinant)))) {
        *last = normal_modes(p);
    }
    return last;
}

/* Both modes move as y cos(w t) + z sin(w t). */
typedef struct motion {
    real y[2], z[2], size[2];
} motion;

CODE motion motion_from(const modes *m, const state *now) {
    motion x;
    for (int k = 0; k < 2; k++) {
        x.y[k] = m->t[k] * now->u - m->n[k] * now->delta;
        x.z[k] = (m->t[k] * now->v_t + m->n[k] * now->v_n) * m->inverse[k];
        x.size[k] = root_of(x.y[k] * x.y[k] + x.z[k] * x.z[k]);
    }
    return x;
}

/* Elongations and velocities of the modes at an instant; sine and cosine of w t. */
typedef struct instant {
    real y[2], v[2], sine[2], cosine[2];
} instant;

CODE instant at_time(const modes *m, const motion *x, real time) {
    instant now;
    const real angle[2] = {m->w[0] * time, m->w[1] * time};
    imp_lanes_sines(angle, now.sine, now.cosine);
    for (int k = 0; k < 2; k++) {
        now.y[k] = x->y[k] * now.cosine[k] + x->z[k] * now.sine[k];
        now.v[k] = m->w[k] * (x->z[k] * now.cosine[k] - x->y[k] * now.sine[k]);
    }
    return now;
}

/* A time, elongations and velocities then, and the area under the elongations until then. */
typedef struct event {
    real time; /* infinite: no event; NaN: the budget is spent */
    real y[2], v[2], area[2];
} event;

CODE void clear_instant(instant *now) {
    for (int k = 0; k < 2; k++) {
        now->y[k] = now->v[k] = now->sine[k] = now->cosine[k] = number(0);
    }
}

CODE event event_at(const modes *m, const motion *x, real time, const instant *now) {
    event e = {.time = time};
    for (int k = 0; k < 2; k++) {
        real s = now->sine[k], c = now->cosine[k];
        /* 1 - cos without loss of digits, also for a slow mode. */
        truth right = c > 0;
        real rise = pick(right, s * s, 1 - c) / pick(right, 1 + c, number(1));
        e.y[k] = now->y[k];
        e.v[k] = now->v[k];
        e.area[k] = (x->y[k] * s + x->z[k] * rise) * m->inverse[k];
    }
    return e;
}

CODE void put_instant(truth here, instant *now, const instant *value) {
    for (int k = 0; k < 2; k++) {
        put(here, &now->y[k], value->y[k]);
        put(here, &now->v[k], value->v[k]);
        put(here, &now->sine[k], value->sine[k]);
        put(here, &now->cosine[k], value->cosine[k]);
    }
}

CODE void put_event(truth here, event *e, const event *value) {
    put(here, &e->time, value->time);
    for (int k = 0; k < 2; k++) {
        put(here, &e->y[k], value->y[k]);
        put(here, &e->v[k], value->v[k]);
        put(here, &e->area[k], value->area[k]);
    }
}

/* A little later (or earlier), by series: no error is above rounding up to a phase w d of 0.3; at
 * 0.375, which near_root allows, the sine has one of 1.3e-15. */
CODE event later(const modes *m, const event *now, real d) {
    event e = {.time = now->time + d};
    for (int k = 0; k < 2; k++) {
        real q = m->square[k] * (d * d), q2 = q * q;
        real rise = (0.5 - q * (1.0 / 24)) + q2 * (1.0 / 720 - q * (1.0 / 40320)) +
                    q2 * q2 * (1.0 / 3628800 - q * (1.0 / 479001600));
        real sine = (1 - q * (1.0 / 6)) + q2 * (1.0 / 120 - q * (1.0 / 5040)) +
                    q2 * q2 * (1.0 / 362880 - q * (1.0 / 39916800));
        real cosine = 1 - q * rise;
        sine *= d;
        e.y[k] = now->y[k] * cosine + now->v[k] * sine;
        e.v[k] = now->v[k] * cosine - now->y[k] * m->square[k] * sine;
        e.area[k] = now->area[k] + now->y[k] * sine + now->v[k] * (rise * (d * d));
    }
    return e;
}

/* A function of time whose first root is sought while it is positive: a weighted sum of the
 * elongations of the modes (the margins to the two faces of the cone) or of their velocities
 * (v_n). */
typedef struct sample {
    real value, slope;
} sample;

/* First positive root of f + f' d - second d^2 / 2, where |f''| <= second: f has no root before.
 * The sign of f' decides which of two forms loses no digits. */
CODE real safe_step(sample f, real second) {
    real root = root_of(f.slope * f.slope + 2 * second * f.value);
    truth falls = f.slope < 0;
    return pick(falls, 2 * f.value, root + f.slope) / pick(falls, root - f.slope, second);
}

/* Whether the faster mode trembles: it vibrates many times while the slower one hardly moves, so
 * that a step of the slower one alone, with the faster one at its worst (step_of_slow), is longer
 * than a safe step of both. Where the faster mode is faster still, its phase is below the
 * resolution of a double after such a step: searches then keep to the short steps, and spend their
 * budget. */
CODE truth trembles(const modes *m) {
    return (m->w[0] > 3 * m->w[1]) & (m->w[0] < 1e6 * m->w[1]);
}

/* The larger of a safe step and that of the slower mode alone, while the faster one is at its
 * worst: `slow` is what the slower one leaves above that. */
CODE real step_of_slow(real step, sample slow, real second, truth here) {
    here = here & (slow.value > 0);
    if (any(here)) {
        real longer = safe_step(slow, second);
        put(here & (longer > step), &step, longer);
    }
    return step;
}

/* Whether f is certain to fall until its root, and the root is so near (within 1.25 Newton steps)
 * that three steps of root_step find it to rounding. If rounding has already passed the root, the
 * same holds backward. */
CODE truth near_root(sample f, real second, real fastest) {
    real size = size_of(f.value);
    return (f.slope < 0) & (second * size <= 0.3 * f.slope * f.slope) &
           (fastest * size <= -0.3 * f.slope);
}

/* Step to the root by reversion of the series in d up to its fourth power. */
CODE real root_step(sample f, real second, real third, real fourth) {
    real scale = 1 / f.slope, t = -f.value * scale;
    real a = second * scale / 2, b = third * scale / 6, c = fourth * scale / 24;
    return t * (1 - t * (a - t * (2 * a * a - b + t * (5 * a * b - 5 * a * a * a - c))));
}

/* Positive root of a + b x - c x^2, with c > 0 and a > 0, or a = 0 and b > 0; 0 without one. */
CODE real safe_root(real a, real b, real c) {
    real root = root_of(b * b + 4 * a * c);
    truth falls = b < 0;
    real x = pick(falls, 2 * a, root + b) / pick(falls, root - b, 2 * c);
    return pick(x > 0, x, number(0));
}

/* Whether a step was so long that its error, of the fifth order, shows. */
CODE truth needs_polish(const modes *m, real step) {
    real phase = m->w[0] * step;
    return phase * phase > 1e-7;
}

enum { MAX_POLISH = 4 };

/* Moves the state at the start of a stick phase along the free vibration of both modes to the
 * instant. */
CODE void swing(const modes *m, const event *end, state *now, truth here) {
    real delta = -sum_of(m->n, end->y);
    put(here, &now->p_t, now->p_t - sum_of(m->t, end->area));
    put(here, &now->p_n, now->p_n - sum_of(m->n, end->area));
    put(here, &now->work, now->work + (now->delta - delta) * (now->delta + delta) / 2);
    put(here, &now->u, sum_of(m->t, end->y));
    put(here, &now->delta, delta);
    put(here, &now->v_t, sum_of(m->t, end->v));
    put(here, &now->v_n, sum_of(m->n, end->v));
    put(here, &now->time, now->time + end->time);
}

/* dv_n/dt in stick. */
CODE real normal_acceleration(const imp_compliant_problem *p, const state *now) {
    return now->delta - p->c * now->u;
}

/* At the rim of the cone the body sticks if friction can hold it: if slip would slow down. Without
 * friction nothing sticks. */
CODE truth sticks_at_start(const imp_compliant_problem *p, real s) {
    real speed = size_of(p->v_t);
    truth held = (p->mu > 0) & (slip_rate(p, s) < 0);
    truth free = ((speed == p->mu) & held) | (speed < p->mu);
    return (p->constrained & (speed <= p->mu)) | (not(p->constrained) & free);
}

#endif
