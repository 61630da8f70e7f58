/* Where one motion that swings around a level first falls to 0. In lanes. Its tops and bottoms are
 * known in closed form, and between them it falls once: there is nothing to search for. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_SWINGS_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_SWINGS_LANES_H

#include "models/compliant/dashpot_sights_lanes.h"

/* level + z, z and its rate at the start. It may grow. leaves, halted: as in search. */
typedef struct swing {
    const damped *d;
    real level, z, rate;
    truth leaves, halted;
} swing;

/* Not so slowly that little is left at its bottoms. */
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

/* From a top, or from the start, to the bottom after it, or to the limit: the times there, the
 * values and their rates. falls: to 0. */
typedef struct descent {
    real from, to, high, low, high_rate, low_rate;
    truth falls, hard;
} descent;

CODE real rate_of_swing(const swing *s, const moved *now) {
    return now->rate * s->rate - s->d->q * now->push * s->z;
}

/* It lasts a whole swing at most, and no later bottom is lower unless the swing grows. at_limit:
 * the motion at the limit; NULL: that is a whole swing. Turns lie as far from the level as an
 * amplitude that decays. */
CODE void find_descent(const swing *s, real limit, const moved *at_limit, truth here, descent *w) {
    const double clearly = 1e-9;
    const damped *d = s->d;
    real rate = pick(s->halted, positive_part(s->rate), s->rate), start = s->level + s->z;
    real bend = -(d->p * rate + d->q * s->z), back = rate + d->half * s->z, across = d->size * s->z;
    truth down = not(s->leaves) & ((rate < 0) | ((rate == 0) & (bend <= 0)));
    real sign = pick(down, number(-1), number(1)), half_swing = IMP_PI * d->over_size;
    real turn = fall_of(d, positive_part(sign * rate), sign * bend, here);
    real far = root_of((across * across + back * back) / d->q) * exponential(-d->half * turn);
    w->from = pick(down, number(0), turn);
    w->to = pick(down, turn, turn + half_swing);
    w->high = pick(down, start, s->level + far);
    w->high_rate = pick(down, rate, number(0));
    w->low = s->level - far;
    w->low_rate = number(0);
    if (any(here & not(down))) {
        w->low = pick(down, w->low, s->level - far * exponential(-d->half * half_swing));
    }
    if (at_limit) {
        truth cut = limit < w->to;
        put(cut, &w->to, limit);
        put(cut, &w->low, swing_by(s, at_limit));
        put(cut, &w->low_rate, rate_of_swing(s, at_limit));
    }
    truth starts = (s->leaves & ((rate > 0) | (bend > 0))) | (not(s->leaves) & (start > 0));
    w->falls = here & (w->to > w->from) & (w->low < 0);
    truth high = w->high > clearly * (size_of(s->level) + size_of(s->z));
    w->hard = here & not(starts & (high | not(w->falls)));
}

/* About where a function falls to 0 that only falls, by its values and slopes at both ends. */
CODE real about_zero(real length, real high, real high_slope, real low, real low_slope) {
    real whole = 1 / (high - low), rest = high * whole;
    real a = -length * high_slope * whole, b = -length * low_slope * whole;
    real c = 3 - 2 * a - b, d = a + b - 2, less = smaller(rest, 1 - rest), root = root_of(less);
    real near = root * (0.64 + 0.13 * less), x = pick(rest < 0.5, near, 1 - near);
    for (int i = 0; i < 2; i++) {
        real fallen = x * (a + x * (c + x * d)), slope = a + x * (2 * c + 3 * x * d);
        x = x + (rest - fallen) / slope;
        x = smaller(larger(x, number(0)), number(1));
    }
    return length * x;
}

CODE real about_fall(const descent *w) {
    real from = pick(w->falls, w->from, number(0)),
         length = pick(w->falls, w->to, number(1)) - from;
    return from + about_zero(length, w->high, w->high_rate, w->low, w->low_rate);
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
