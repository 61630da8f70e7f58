/* Where one motion that swings around a level first falls to 0. In lanes. Its tops and bottoms are
 * known in closed form, and between them it falls once: there is nothing to search for. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_SWINGS_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_SWINGS_LANES_H

#include "models/compliant/dashpot_sights_lanes.h"

/* level + z, z and its rate at the start. leaves, halted: as in search. */
typedef struct swing {
    const damped *d;
    real level, z, rate;
    truth leaves, halted;
} swing;

/* Not so slowly that little is left at its bottoms: other motions have one turn at most that
 * counts. */
CODE truth swings_freely(const damped *d) {
    return d->swings & (4 * d->size > size_of(d->half));
}

CODE real swing_by(const swing *s, const moved *now) {
    return s->level + now->rest * s->z + now->push * s->rate;
}

CODE void swap_where(truth here, real *one, real *other) {
    real kept = *one;
    put(here, one, *other);
    put(here, other, kept);
}

/* From a top, or from the start, to the bottom after it: the times there, the values and their
 * rates. falls: to 0. */
typedef struct descent {
    real from, to, high, low, high_rate, low_rate;
    truth falls, hard;
} descent;

CODE real rate_of_swing(const swing *s, const moved *now) {
    return now->rate * s->rate - s->d->q * now->push * s->z;
}

/* Of motions that creep, or hardly swing: z and its rate at a time. */
CODE void value_at(const swing *s, real rate, real time, real *value, real *slope) {
    moved now = moved_at(s->d, time);
    *value = s->level + now.rest * s->z + now.push * rate;
    *slope = now.rate * rate - s->d->q * now.push * s->z;
}

/* The descent of a motion that creeps, or hardly swings. down, turn: as in find_descent. From a top
 * of the height y it falls at least as (1 + x) exp(-x) y, so that it is below y exp(-l) where x is
 * 1 + 2 l. */
CODE void find_creep(const swing *s, real rate, truth down, real turn, truth here, descent *w) {
    const damped *d = s->d;
    real from = pick(here & not(down), turn, number(0));
    truth tops = here & (from < INFINITY);
    real high, slope, low;
    value_at(s, rate, pick(tops, from, number(0)), &high, &slope);
    real height = high - s->level, ratio = -height / s->level;
    truth deep = tops & (s->level < 0) & (ratio > 1);
    real long_enough = (1 + 2 * imp_lanes_log_near(pick(deep, ratio, number(1)), 0)) / -d->slow;
    put(d->swings, &long_enough, smaller(long_enough, IMP_PI * d->over_size));
    real to = from + pick(deep, long_enough, number(0));
    truth bottoms = tops & down & (turn < INFINITY);
    to = pick(bottoms & not(deep & (to < turn)), turn, to);
    value_at(s, rate, pick(tops, to, number(0)), &low, &slope);
    put(here, &w->from, from);
    put(here, &w->to, to);
    put(here, &w->high, pick(tops, high, number(0)));
    put(here, &w->high_rate, pick(down, rate, number(0)));
    put(here, &w->low, pick(tops, low, number(0)));
    put(here, &w->low_rate, slope);
    /* Of a motion that hardly swings a second bottom could be below 0. */
    w->hard = here & d->swings & (s->level > 0) & (s->level < 1e-5 * size_of(height));
}

/* It lasts a whole swing at most, and no later bottom is lower. Turns lie as far from the level as
 * an amplitude that decays. */
CODE void find_descent(const swing *s, truth here, descent *w) {
    const double clearly = 1e-9;
    const damped *d = s->d;
    real rate = pick(s->halted, positive_part(s->rate), s->rate), start = s->level + s->z;
    real bend = -(d->p * rate + d->q * s->z), back = rate + d->half * s->z, across = d->size * s->z;
    truth down = not(s->leaves) & ((rate < 0) | ((rate == 0) & (bend <= 0)));
    real sign = pick(down, number(-1), number(1)), half_swing = IMP_PI * d->over_size;
    real turn = fall_of(d, positive_part(sign * rate), sign * bend, here);
    real far = root_of((across * across + back * back) * d->over_q) * exponential(-d->half * turn);
    w->from = pick(down, number(0), turn);
    w->to = pick(down, turn, turn + half_swing);
    w->high = pick(down, start, s->level + far);
    w->high_rate = pick(down, rate, number(0));
    w->low = s->level - far;
    w->low_rate = number(0);
    if (any(here & not(down))) {
        w->low = pick(down, w->low, s->level - far * exponential(-d->half * half_swing));
    }
    truth creeps = here & not(swings_freely(d));
    w->hard = not(here) & here;
    if (any(creeps)) {
        find_creep(s, rate, down, turn, creeps, w);
    }
    truth starts = (s->leaves & ((rate > 0) | (bend > 0))) | (not(s->leaves) & (start > 0));
    w->falls = here & (w->to > w->from) & (w->low < 0);
    truth high = w->high > clearly * (size_of(s->level) + size_of(s->z));
    w->hard = w->hard | (here & not(starts & (high | not(w->falls))));
}

/* About where a function falls to 0 that only falls, by its values and slopes at both ends, and by
 * some steps of Newton's method. */
CODE real about_zero(int steps, real length, real high, real high_slope, real low, real low_slope) {
    real whole = 1 / (high - low), rest = high * whole;
    real a = -length * high_slope * whole, b = -length * low_slope * whole;
    real c = 3 - 2 * a - b, d = a + b - 2, less = smaller(rest, 1 - rest), root = root_of(less);
    real near = root * (0.64 + 0.13 * less), x = pick(rest < 0.5, near, 1 - near);
    for (int i = 0; i < steps; i++) {
        real fallen = x * (a + x * (c + x * d)), slope = a + x * (2 * c + 3 * x * d);
        x = x + (rest - fallen) / slope;
        x = smaller(larger(x, number(0)), number(1));
    }
    return length * x;
}

CODE real about_fall(const descent *w) {
    real from = pick(w->falls, w->from, number(0)),
         length = pick(w->falls, w->to, number(1)) - from;
    return from + about_zero(1, length, w->high, w->high_rate, w->low, w->low_rate);
}

/* The root on a descent from about *time, and the motion there. */
static __attribute__((noinline)) void find_on_descent(const swing *s, const descent *on, real *time,
                                                      moved *now, truth here, truth *hard) {
    enum { MOST = 20 };
    const double negligible = 1e-17, brief = 1e-3;
    real haste = s->d->size + size_of(s->d->p), last = number(0), low = on->from, high = on->to;
    truth open = here;
    for (int i = 0; i < MOST && any(open); i++) {
        moved there = moved_at(s->d, *time);
        view w;
        w.f = swing_by(s, &there);
        w.f1 = rate_of_swing(s, &there);
        w.f2 = -s->d->p * w.f1 - s->d->q * (w.f - s->level);
        w.f3 = -s->d->p * w.f2 - s->d->q * w.f1;
        w.f4 = -s->d->p * w.f3 - s->d->q * w.f2;
        real rest, step = way_to_root(&w, &rest);
        put(w.f > 0, &low, *time);
        put(not(w.f > 0), &high, *time);
        truth inside = (w.f1 < 0) & (*time + step >= low) & (*time + step <= high);
        step = pick(inside, step, (low + high) / 2 - *time);
        put(open, &last, step);
        put_moved(open, now, &there);
        put(open, time, *time + step);
        truth close = (rest <= negligible * *time) & (size_of(step) * haste < brief);
        open = open & not(inside & close);
    }
    *hard = *hard | open;
    moved there = shifted(s->d, now, last);
    put_moved(here, now, &there);
}

#endif
