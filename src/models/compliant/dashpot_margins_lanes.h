/* A quick swing beside a slower motion. As long as the slower motion is more than the swing can
 * reach no sum of both falls to 0, however often it swings; afterwards a sum falls before a trough
 * of the swing. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_MARGINS_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_MARGINS_LANES_H

#include "models/compliant/dashpot_swings_lanes.h"

/* Of a sum at a time: each motion and its rate. */
typedef struct parts {
    real z[2], v[2];
} parts;

CODE parts parts_of(const motions *m, const sight *s, const moved now[2]) {
    parts x;
    for (int j = 0; j < 2; j++) {
        x.z[j] = now[j].rest * s->value[j] + now[j].push * s->rate[j];
        x.v[j] = now[j].rate * s->rate[j] - m->d[j].q * now[j].push * s->value[j];
    }
    return x;
}

/* ---- how fast both parts of a sum near each other ---- */

/* A sum as the difference of two positive ones, and how fast these fall. */
typedef struct balance {
    real above, below, above_falls, below_falls;
} balance;

CODE void weigh(balance *x, real value, real rate) {
    const real none = number(0);
    x->above += positive_part(value);
    x->below += positive_part(-value);
    x->above_falls -= pick(value > 0, rate, none);
    x->below_falls += pick(value > 0, none, rate);
}

/* The way to the fall if both go on to fall as exponentials; infinite if they do not meet. */
CODE real way_to_fall(const balance *b) {
    real more = larger(b->above, b->below), less = smaller(b->above, b->below);
    real nears = b->above_falls * b->below - b->below_falls * b->above;
    truth meets = (less > 0) & (nears > 0);
    real way = about_log(pick(meets, more / less, number(1))) * (b->above * b->below) / nears;
    return pick(meets, pick(b->above > b->below, way, -way), number(INFINITY));
}

/* The rate at which it turns. */
CODE real turning_of(const damped *d) {
    return pick(d->swings, d->size, number(0));
}

/* ---- a quick swing ---- */

/* Two motions of which one swings faster than any rate of the other one, and much faster than that
 * would swing without decay. second: the quick one is the second of both. Where their rates are
 * closer, other guesses are as good and cost less. */
typedef struct quick {
    truth here, second;
    real half, size, over_size; /* of the swing */
    damped other;
} quick;

CODE truth is_quicker(const damped *one, const damped *other) {
    const double more = 1.5, much = 5;
    real rate = turning_of(one);
    return (rate > more * (other->size + size_of(other->half))) &
           (rate * rate > much * much * other->q);
}

CODE truth is_quick(const motions *m) {
    return is_quicker(&m->d[0], &m->d[1]) | is_quicker(&m->d[1], &m->d[0]);
}

static __attribute__((noinline)) quick quick_of(const motions *m, truth here) {
    const damped *d = m->d;
    truth second = turning_of(&d[1]) > turning_of(&d[0]);
    quick u;
    u.second = second;
    u.half = pick(second, d[1].half, d[0].half);
    u.size = pick(second, turning_of(&d[1]), turning_of(&d[0]));
    u.over_size = pick(second, d[1].over_size, d[0].over_size);
    u.other.q = pick(second, d[0].q, d[1].q);
    u.other.half = pick(second, d[0].half, d[1].half);
    u.other.size = pick(second, d[0].size, d[1].size);
    u.other.over_size = pick(second, d[0].over_size, d[1].over_size);
    u.other.slow = pick(second, d[0].slow, d[1].slow);
    u.other.fast = pick(second, d[0].fast, d[1].fast);
    u.other.swings = (second & d[0].swings) | (not(second) & d[1].swings);
    u.here = here & is_quick(m);
    return u;
}

/* Of a sum at the start: the swing (z) and its rate over the angle, without decay (side), how far
 * both together reach, and the slower motion with its rate. */
typedef struct margin {
    real z, side, reach, slower, rate;
} margin;

CODE margin margin_of(const quick *u, const parts *x) {
    margin w = {.z = pick(u->second, x->z[1], x->z[0]),
                .slower = pick(u->second, x->z[0], x->z[1]),
                .rate = pick(u->second, x->v[0], x->v[1])};
    w.side = (pick(u->second, x->v[1], x->v[0]) + u->half * w.z) * u->over_size;
    w.reach = root_of(w.z * w.z + w.side * w.side);
    return w;
}

/* ---- how long the slower motion is more ---- */

/* now: the slower motion, which is weighed as two exponentials where it creeps, and fades: the
 * decay of the swing. */
CODE balance weigh_margin(const quick *u, const margin *w, const moved *now, real fades) {
    const real none = number(0);
    const damped *d = &u->other;
    balance b = {.above = none, .below = none, .above_falls = none, .below_falls = none};
    truth apart = creeps_apart(d);
    real first = now->rest + d->slow * now->push,
         first_rate = d->slow * now->rate - d->q * now->push;
    real other = now->rate - d->slow * now->push, lags = w->rate - d->slow * w->slower;
    real part = pick(apart, -lags * (d->over_size / 2), none), value = w->slower - part;
    weigh(&b, value * first, value * first_rate);
    weigh(&b, pick(apart, part * other, lags * now->push),
          pick(apart, d->fast * part * other, lags * now->rate));
    weigh(&b, -w->reach * fades, u->half * w->reach * fades);
    return b;
}

CODE truth is_ahead(const balance *b) {
    const double clearly = 1e-9;
    return b->above - b->below > clearly * (b->above + b->below);
}

/* Whether the margin, with the decay of the swing taken out, grows. */
CODE truth gains(const quick *u, const balance *b) {
    return u->half * (b->above - b->below) > b->above_falls - b->below_falls;
}

/* The way to where a margin falls to 0: by exponentials where the slower motion creeps, otherwise
 * along a straight line, with the decay of the slower motion taken out, which takes fewer steps. */
CODE real way_to_reach(const quick *u, const balance *b) {
    real more = b->above - b->below;
    real falls = b->above_falls - b->below_falls + u->other.slow * more;
    real even = pick(falls > 0, more / falls, number(INFINITY));
    return pick(creeps_apart(&u->other), way_to_fall(b), even);
}

/* About when the first of two margins falls to 0: back from where the slower motion in both
 * together does. */
CODE real about_reached(const quick *u, const margin w[2], truth here) {
    enum { STEPS = 2 };
    const double back = 0.03;
    real both = w[0].slower + w[1].slower, rate = w[0].rate + w[1].rate, last = number(0);
    real time = fall_of(&u->other, positive_part(both), rate, here);
    put(not(time < INFINITY), &time, number(0));
    for (int j = 0; j < STEPS && any(here); j++) {
        const moved now = moved_at(&u->other, time);
        real fades = exponential(-u->half * time), step = number(INFINITY);
        for (int i = 0; i < 2; i++) {
            const balance b = weigh_margin(u, &w[i], &now, fades);
            step = smaller(step, way_to_reach(u, &b));
        }
        here = here & (step < INFINITY) & (time + step > 0);
        put(here, &last, step);
        put(here, &time, time + step);
    }
    return pick(here, time - (back * u->over_size + size_of(last) / 16), number(0));
}

/* Whether two sums stay above 0 until a time because their margins do. With the decay of the swing
 * taken out the slope of a margin is a motion as the slower one, which has one root at most in less
 * than half a turn of it: above 0 at both ends the margin stays there, unless it falls first, and
 * rises last. */
static __attribute__((noinline)) truth stay_ahead(const quick *u, const margin w[2], real time,
                                                  truth here) {
    const double half_turn = 3;
    const moved start = not_moved(), now = moved_at(&u->other, time);
    real fades = exponential(-u->half * time);
    here = here & (turned(&u->other, time) < half_turn);
    for (int i = 0; i < 2; i++) {
        const balance first = weigh_margin(u, &w[i], &start, number(1)),
                      last = weigh_margin(u, &w[i], &now, fades);
        here =
            here & is_ahead(&first) & is_ahead(&last) & (gains(u, &first) | not(gains(u, &last)));
    }
    return here;
}

/* Until when neither of two sums falls, at least; 0 where margins do not tell. */
static __attribute__((noinline)) real clear_until(const quick *u, const margin w[2], truth here) {
    const double long_enough = 2;
    here = here & (w[0].slower > w[0].reach) & (w[1].slower > w[1].reach);
    /* A swing does not last much longer than its first slope says. */
    truth goes_on = (w[0].slower + w[1].slower) * u->size > -long_enough * (w[0].rate + w[1].rate);
    here = here & (not(u->other.swings) | goes_on);
    if (!any(here)) {
        return number(0);
    }
    real time = about_reached(u, w, here);
    here = here & (time > long_enough * u->over_size);
    return pick(stay_ahead(u, w, pick(here, time, number(0)), here), time, number(0));
}

/* ---- the fall before a trough ---- */

/* 1 - cos(x) for x in [0, pi], about, and the sine. */
CODE real about_versine(real x, real *sine) {
    real x2 = x * x;
    *sine = x * (1 - x2 * (1.0 / 6 - x2 * (1.0 / 120 - x2 * (1.0 / 5040 - x2 * (1.0 / 362880)))));
    return x2 *
           (0.5 - x2 * (1.0 / 24 - x2 * (1.0 / 720 - x2 * (1.0 / 40320 - x2 * (1.0 / 3628800)))));
}

/* How far the swing has to go to its next trough. */
CODE real angle_to_trough(const margin *w) {
    truth rises = w->side > 0;
    real ahead = imp_lanes_half_turn(size_of(w->side), pick(rises, w->z, -w->z));
    return ahead + pick(rises, number(IMP_PI), number(0));
}

/* About when a sum falls on the way to the next trough of the swing. With the decay of the swing
 * taken out the slower motion is taken for a parabola, with its values now and at the trough and
 * its slope there. Infinite where it is more than the reach at the trough. */
CODE real about_fall_to_trough(const quick *u, const margin *w) {
    real ahead = angle_to_trough(w);
    real time = ahead * u->over_size, over = 1 / ahead, fades = exponential(-u->half * time);
    const moved now = moved_at(&u->other, time);
    real low = now.rest * w->slower + now.push * w->rate, reach = w->reach * fades;
    real rate = now.rate * w->rate - u->other.q * now.push * w->slower;
    real slope = -(rate + u->half * low) * u->over_size, below = reach - low;
    real bend = ((w->slower * fades - low) * over - slope) * over;
    real root = root_of(positive_part(slope * slope + (2 * reach + 4 * bend) * below));
    real back = 2 * below / (slope + root), sine, versine = about_versine(back, &sine);
    back += (below - reach * versine - back * (slope + bend * back)) /
            (reach * sine + slope + 2 * bend * back);
    truth falls = (below > 0) & (back > 0) & (back < smaller(ahead, number(IMP_PI)));
    return pick(falls, (ahead - back) * u->over_size, number(INFINITY));
}

#endif
