/* Where a stick of two modes leaves the cone of friction. In lanes; quantities of a face are pairs:
 * first the face s = -1, then s = +1. */
#ifndef IMP_MODELS_COMPLIANT_CONE_IMPL_H
#define IMP_MODELS_COMPLIANT_CONE_IMPL_H

#include "models/compliant/stick_impl.h"

/* The margins mu delta - s u, positive inside. */
typedef struct cone {
    real r[2][2], pull[2][2]; /* by face and mode: weight of its elongation; the weight times w^2 */
    real second[2], fourth[2], fifth[2]; /* bounds of derivatives */
    real fast[2],
        slow[2]; /* bounds: of the faster mode's part, of the second derivative of the other's */
    real fastest, slowest;
    truth trembles;
    truth alike;  /* the modes are almost equally fast, */
    real lead[2]; /* and then: the bound of the faster one's part, times w0^2 / w1^2 - 1 */
} cone;

/* Whether both modes swing almost in step, so that their parts of a margin may cancel throughout a
 * stick. */
CODE truth swing_alike(const modes *m) {
    return m->square[0] - m->square[1] < 1e-3 * m->square[0];
}

CODE cone cone_of(const imp_compliant_problem *p, const modes *m, const motion *x) {
    cone k = {
        .fastest = m->w[0], .slowest = m->w[1], .trembles = trembles(m), .alike = swing_alike(m)};
    for (int face = 0; face < 2; face++) {
        for (int i = 0; i < 2; i++) {
            real side = face == 0 ? -m->t[i] : m->t[i];
            k.r[face][i] = -(p->mu * m->n[i] + side);
            k.pull[face][i] = k.r[face][i] * m->square[i];
            real part = size_of(k.pull[face][i]) * x->size[i];
            k.second[face] += part;
            k.fourth[face] += part * m->square[i];
            k.fifth[face] += part * (m->square[i] * m->w[i]);
        }
        k.fast[face] = size_of(k.r[face][0]) * x->size[0];
        k.slow[face] = size_of(k.pull[face][1]) * x->size[1];
    }
    if (any(k.alike)) {
        real excess = (m->square[0] - m->square[1]) / m->square[1];
        k.lead[0] = k.fast[0] * excess;
        k.lead[1] = k.fast[1] * excess;
    }
    return k;
}

/* Whether a stick in approach, which lasts as long as a swing of the slower mode, cannot be
 * followed: safe steps through the trembling of the faster one would be more than any budget. */
CODE truth blurs(const modes *m, const motion *x, const cone *k, const state *now) {
    const double most_steps = 1e8;
    real share = number(0);
    for (int face = 0; face < 2; face++) {
        real most = k->fast[face] + size_of(k->r[face][1]) * x->size[1];
        share = larger(k->second[face] / most, share);
    }
    return (now->v_n < 0) & (share > most_steps * most_steps * m->square[1]);
}

/* Where margin and slope are 0 and must not be found again: divided by d^2 the margin is f2 / 2 +
 * f3 d / 6, less the bound of the fourth derivative. */
CODE real double_root_step(const cone *k, int face, const instant *start) {
    real second = -sum_of(k->pull[face], start->y), third = -sum_of(k->pull[face], start->v);
    return safe_root(pick(second > 0, second, number(0)) / 2, third / 6, k->fourth[face] / 24);
}

/* Only a much longer step takes the place of another: nearly everywhere the usual one is as
 * good. */
CODE real unless_far_longer(real step, real longer, truth here) {
    return pick(here & (longer > 256 * step), longer, step);
}

/* The first positive root of f cos w1 d + f' / w1 sin w1 d - lead (1 - cos w1 d), which no margin
 * >= 0 of modes that are alike passes, by the tangent of half the phase. */
CODE real step_of_alike(const cone *k, int face, sample f, real step, truth here) {
    real a = positive_part(f.value), b = 2 * f.slope / k->slowest, c = a + 2 * k->lead[face];
    real root = root_of(b * b + 4 * a * c);
    truth falls = b < 0;
    real phase = 2 * imp_lanes_angle(pick(falls, 2 * a, root + b), pick(falls, root - b, 2 * c));
    return unless_far_longer(step, phase / k->slowest, here);
}

CODE sample margin(const cone *k, int face, const instant *now) {
    return (sample){.value = sum_of(k->r[face], now->y), .slope = sum_of(k->r[face], now->v)};
}

/* From 0, where its slope is not negative, a margin of modes that are alike stays positive while
 * the part of the faster one, which swings back sooner, is negative. */
CODE real first_step_of_alike(const cone *k, int face, const motion *x, real step, truth here) {
    real y = -k->r[face][0] * x->y[0], z = -k->r[face][0] * x->z[0];
    real phase = pick(y >= 0, imp_lanes_half_turn(positive_part(y), -z), number(0));
    return unless_far_longer(step, phase / k->fastest, here);
}

/* The first step of a stick phase to a face. It begins at rest on the plane (slip_before = 0),
 * where the margin is odd in time: f' d + f3 d^3 / 6, less the bound of the fifth derivative; or on
 * one of the faces, that of the slip before it, where margin and slope are 0; or away from the
 * face. All three are roots of a polynomial of the second degree. */
CODE real first_step_to(const cone *k, int face, const motion *x, const instant *start,
                        real slip_before) {
    truth rests = slip_before == 0, entered = face == 0 ? slip_before < 0 : slip_before > 0;
    sample f = margin(k, face, start);
    real second = -sum_of(k->pull[face], start->y), third = -sum_of(k->pull[face], start->v);
    real lowest = pick(entered, second / 2, f.slope);
    lowest = pick(rests | entered, positive_part(lowest), f.value);
    real middle = pick(rests | entered, third / 6, f.slope);
    real bound =
        pick(rests, k->fifth[face] / 120, pick(entered, k->fourth[face] / 24, k->second[face] / 2));
    real step = safe_root(lowest, middle, bound);
    step = any(rests) ? pick(rests, root_of(step), step) : step;
    if (any(k->alike)) {
        truth from_0 = entered | (rests & (f.slope > 0));
        step = first_step_of_alike(k, face, x, step, k->alike & from_0);
        step = step_of_alike(k, face, f, step, k->alike & not(entered));
    }
    return step;
}

CODE real first_step(const modes *m, const motion *x, const cone *k, real slip_before) {
    instant start = {.y = {x->y[0], x->y[1]}, .v = {m->w[0] * x->z[0], m->w[1] * x->z[1]}};
    real step[2] = {first_step_to(k, 0, x, &start, slip_before),
                    first_step_to(k, 1, x, &start, slip_before)};
    return pick(step[1] < step[0], step[1], step[0]);
}

/* face: whether the second one. */
CODE real margin_step(const modes *m, const cone *k, truth face, const event *now) {
    real r[2], pull[2];
    for (int i = 0; i < 2; i++) {
        r[i] = pick(face, k->r[1][i], k->r[0][i]);
        pull[i] = r[i] * m->square[i];
    }
    sample f = {.value = sum_of(r, now->y), .slope = sum_of(r, now->v)};
    return root_step(f, -sum_of(pull, now->y), -sum_of(pull, now->v),
                     sum_of_three(pull, m->square, now->y));
}

/* A step from near the root of the margin to the root. Returns the lanes that need another. */
CODE truth polish_exit(const modes *m, const cone *k, truth face, event *near, truth here) {
    real step = margin_step(m, k, face, near);
    event next = later(m, near, step);
    put_event(here, near, &next);
    return here & needs_polish(m, step);
}

/* Where the motion touches a face from inside, rounding can leave the margin at or below 0: the
 * motion leaves if the margin falls, and otherwise goes on past the touch. */
CODE real step_at_touch(const cone *k, int face, sample f, const instant *now) {
    real past = 2 * f.slope / k->second[face], curved = double_root_step(k, face, now);
    real touch = pick(f.slope < 0, number(0), pick(past > curved, past, curved));
    sample inside = {.value = pick(f.value > 0, f.value, number(0)), .slope = f.slope};
    return pick(f.value > 0, safe_step(inside, k->second[face]), touch);
}

/* The faces' margins at one time, and safe steps from there. */
typedef struct approach {
    sample f[2];
    real step[2];
    truth second; /* the nearer face is the second one */
} approach;

CODE approach approach_at(const cone *k, const instant *now, truth here) {
    approach a = {.f = {margin(k, 0, now), margin(k, 1, now)}};
    truth touches = here & not((a.f[0].value > 0) & (a.f[1].value > 0));
    truth trembling = here & k->trembles, alike = here & k->alike;
    for (int face = 0; face < 2; face++) {
        a.step[face] = safe_step(a.f[face], k->second[face]);
        if (any(trembling)) {
            sample slow = {.value = k->r[face][1] * now->y[1] - k->fast[face],
                           .slope = k->r[face][1] * now->v[1]};
            a.step[face] = step_of_slow(a.step[face], slow, k->slow[face], trembling);
        }
        if (any(touches)) {
            put(touches, &a.step[face], step_at_touch(k, face, a.f[face], now));
        }
        if (any(alike)) {
            a.step[face] = step_of_alike(k, face, a.f[face], a.step[face], alike);
        }
    }
    a.second = a.step[1] < a.step[0];
    return a;
}

/* Whether the nearer face is left at a root that is near, and the other face later. */
CODE truth is_certain(const cone *k, const approach *a) {
    sample nearest = {.value = pick(a->second, a->f[1].value, a->f[0].value),
                      .slope = pick(a->second, a->f[1].slope, a->f[0].slope)};
    real other = pick(a->second, a->step[0], a->step[1]);
    return near_root(nearest, pick(a->second, k->second[1], k->second[0]), k->fastest) &
           (-nearest.slope * other >= 1.25 * nearest.value);
}

/* A search for when the motion leaves the cone, and through which face. */
typedef struct exit_search {
    real time, found;        /* found: as the time of an event */
    truth going, near, face; /* near: the exit is near `found`; face: whether the second one */
    instant at;              /* the instant `found` */
} exit_search;

/* A search that begins with the time `start`. */
CODE void begin_exit(exit_search *e, real start, truth here) {
    e->time = start;
    e->found = number(NAN);
    e->going = here;
    e->near = e->face = imp_lanes_all(false);
    clear_instant(&e->at);
}

/* A step of the search, in lanes in which it goes on. */
CODE void step_to_exit(exit_search *e, const modes *m, const motion *x, const cone *k,
                       real *budget) {
    put(e->going, budget, *budget - 1);
    truth going = e->going & (*budget > 0);
    instant now = at_time(m, x, pick(going, e->time, number(0)));
    approach a = approach_at(k, &now, going);
    truth certain = going & is_certain(k, &a);
    real next = e->time + pick(a.second, a.step[1], a.step[0]);
    truth leaves = certain | (going & not(next > e->time)),
          never = going & not(leaves) & not(next < INFINITY);
    put_instant(leaves, &e->at, &now);
    put(leaves, &e->found, e->time);
    put(never, &e->found, number(INFINITY));
    e->near = e->near | certain;
    e->face = e->face | (leaves & a.second);
    e->going = going & not(leaves | never);
    put(e->going, &e->time, next);
}

/* When the motion leaves the cone, and through which face. */
static inline event cone_exit(const modes *m, const motion *x, const cone *k, real start,
                              real *budget, truth *face, truth here) {
    exit_search e;
    begin_exit(&e, start, here);
    while (any(e.going)) {
        step_to_exit(&e, m, x, k, budget);
    }
    event end = event_at(m, x, e.found, &e.at);
    for (int i = 0; i < MAX_POLISH && any(e.near); i++) {
        e.near = polish_exit(m, k, e.face, &end, e.near);
    }
    *face = e.face;
    return end;
}

/* Leaves a stick of a free body through a face of the cone; *s: direction of the slip before, 0 at
 * the start, and then of the slip that follows. Both springs are released together only in a
 * contact that sticks from the start, where the slip after it turns its direction; elsewhere the
 * tangential spring is still stretched when the normal one is nearly released, and a slip, however
 * short, comes before separation. A stick that begins just before the release ends at the other
 * face, as the cube of what is left of the contact: there margins are rounding, and the stick runs
 * on. Returns the end of the phase. */
CODE real leave_stick(const imp_compliant_problem *p, const modes *m, const motion *x, truth face,
                      state *now, real *s, truth here) {
    const double rounding = 1e-15, released = 1e-7, brief = 1e-4;
    const real none = number(0);
    real size[2] = {size_of(m->n[0]), size_of(m->n[1])}, before = *s;
    real began = -sum_of(m->n, x->y) * m->w[0], ended = now->delta * m->w[0];
    truth apart =
        here & (before == 0) & (now->v_n > 0) & (now->delta <= rounding * sum_of(size, x->size));
    truth slips = here & not(apart);
    put(apart, &now->delta, none);
    put(apart, &now->u, none);
    put(slips, &now->delta, positive_part(now->delta));
    put(slips, s, pick(face, number(1), number(-1)));
    truth runs =
        slips & (*s == before) & (began <= brief * now->v_n) & (ended <= released * now->v_n);
    if (any(runs)) {
        put(runs, s, -before);
        put(runs, &now->time, now->time + now->delta / now->v_n);
        put(runs, &now->work, now->work + now->delta * now->delta / 2);
        put(runs, &now->delta, none);
        put(runs, &now->u, none);
    }
    put_on_face(now, *s, p->mu, slips);
    return pick(apart, number(SEPARATED), number(TO_SLIP));
}

#endif
