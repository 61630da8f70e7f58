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
 * rates. falls: to 0, at about that time; exact: at that time. */
typedef struct descent {
    real from, to, high, low, high_rate, low_rate, about;
    truth falls, hard, exact;
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

/* It lasts a whole swing at most, and no later bottom is lower. Turns lie as far from the level as
 * an amplitude that decays. */
CODE void search_descent(const swing *s, truth here, descent *w) {
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
    w->about = about_fall(w);
}

/* Without decay a swing falls to 0 at an angle that has a closed form, and around no level with
 * decay, too. root: minus its slope then, over the angle; size: of its parts. */
typedef struct foresight {
    real angle, square, root, size;
} foresight;

CODE void foresee(const swing *s, foresight *x) {
    const damped *d = s->d;
    if (!any(d->swings)) {
        x->angle = x->square = x->root = x->size = number(0);
        return;
    }
    real rate = pick(s->halted, positive_part(s->rate), s->rate), level = s->level;
    real z = s->z, side = (rate + d->half * z) * d->over_size;
    x->square = (z - level) * (z + level) + side * side;
    x->root = root_of(positive_part(x->square));
    x->size = size_of(z) + size_of(side) + size_of(level);
    truth rises = side > 0;
    real up = pick(rises, x->root + side, z + level);
    x->angle = 2 * imp_lanes_half_turn(positive_part(up), pick(rises, z - level, x->root - side));
}

/* exp(x) for small x, but for x^4 / 12000. */
CODE real about_exponential(real x) {
    real eighth = x * 0.125, e = 1 + eighth * (1 + eighth * (0.5 + eighth * (1.0 / 6)));
    e *= e;
    e *= e;
    return e * e;
}

/* How far with decay the fall is from that angle, by the series there; rest: what is left of the
 * way, about. grown: the level over the decay until then, slope: of both over the decay. */
typedef struct outset {
    real step, rest, slope, grown;
} outset;

CODE outset step_beyond(const swing *s, const foresight *x, truth here) {
    outset o = {.step = number(0), .rest = number(0), .slope = -x->root, .grown = number(0)};
    if (any(here & (s->level != 0))) {
        real k = s->d->half * s->d->over_size, k2 = k * k;
        o.grown = s->level * about_exponential(k * x->angle);
        o.slope = k * o.grown - x->root;
        const view sees = {.f = o.grown - s->level,
                           .f1 = o.slope,
                           .f2 = k2 * o.grown + s->level,
                           .f3 = k * k2 * o.grown + x->root,
                           .f4 = k2 * k2 * o.grown - s->level};
        o.step = way_to_root(&sees, &o.rest);
    }
    return o;
}

/* Its fall, if that is near the angle. Within half a swing there is no other, nor within a whole
 * one where it rises first. Before the angle a level above 0 keeps it above 0, and after it a level
 * that the swing no longer reaches. Returns the lanes that this decides. */
CODE truth see_descent(const swing *s, const foresight *x, truth here, descent *w) {
    const double steep = 0.1, close = 0.01, clearly = 1.01, faint = 300; /* exp(-300) is left */
    const damped *d = s->d;
    w->falls = w->hard = w->exact = here & not(here);
    w->from = w->to = w->about = number(0);
    if (!any(here & d->swings)) {
        return w->falls;
    }
    const outset o = step_beyond(s, x, here);
    real angle = x->angle + o.step;
    real most = pick(s->rate > 0, number(2 * IMP_PI), number(IMP_PI));
    truth starts = pick(s->leaves, s->rate, s->level + s->z) > 0;
    here = here & d->swings & starts & (d->half >= 0);
    w->falls =
        here & (x->root > steep * x->size) & (o.rest < close) & (o.slope < 0) & (angle < most);
    w->from = number(0);
    w->to = most * d->over_size;
    w->about = angle * d->over_size;
    w->hard = w->falls & (d->half * w->about > faint);
    w->exact = w->falls & (s->level == 0);
    truth never =
        (s->level > 0) & (o.grown * o.grown > clearly * (x->square + s->level * s->level));
    return w->falls | (here & never);
}

/* log(x), x >= 1, but for a part in 200. */
CODE real about_log(real x) {
    const uint64_t two_to_52 = UINT64_C(0x4330000000000000), one = UINT64_C(0x3ff) << 52;
    imp_lane_bits bits = imp_lanes_bits(x);
    real doublings = imp_lanes_of_bits(bits >> 52 | two_to_52) - (0x1p52 + 1023);
    real rest = imp_lanes_of_bits((bits & ~UINT64_C(0) >> 12) | one) - 1;
    real slope = 1 - rest * (0.49 - rest * (0.26 - rest * 0.08));
    return doublings * 0.6931471805599453 + rest * slope;
}

/* About how long a motion that creeps to rest takes to fall from z to an e^drop-th of it. Its rate
 * of decay, fall at first, goes to that of its slow part; the drop is taken for a quotient of
 * polynomials that begins and ends so, and bends as it does at first. */
CODE real about_drop(const damped *d, real fall, real drop) {
    real bend = -(d->fast + fall) / 2, far = -d->slow * bend, k = fall - drop * bend;
    real root = root_of(positive_part(k * k + 4 * far * drop));
    truth near = k > 0;
    return pick(near, 2 * drop, root - k) / pick(near, k + root, 2 * far);
}

/* The fall of a motion that creeps to rest: around no level it has a closed form, which behind a
 * strong dashpot is a guess, and to a level below 0 there is one. The motion is less than y (1 + x)
 * exp(-x) after x of its slow decay, if it rises by less than y in all. Returns the lanes that this
 * decides. */
CODE truth see_creep(const swing *s, truth here, descent *w) {
    const double faint = 300; /* exp(-300) is left */
    const damped *d = s->d;
    real rate = pick(s->halted, positive_part(s->rate), s->rate), z = s->z;
    truth starts = pick(s->leaves, rate, s->level + z) > 0;
    truth rests = here & not(d->swings) & (d->slow < 0) & starts;
    /* Behind a strong dashpot z and its rate nearly cancel. */
    truth strong = not(d->size < 0.93 * d->half), below = rests & (s->level < 0) & (z > 0);
    truth plain = rests & (s->level == 0);
    if (any(plain)) {
        real time = fall_of(d, z, rate, plain);
        truth falls = plain & (time < INFINITY);
        put(falls, &w->about, time);
        put(falls, &w->to, 2 * time);
        w->falls = w->falls | falls;
        w->exact = w->exact | (falls & not(strong));
        w->hard = w->hard | (falls & (-d->slow * time > faint));
    }
    if (any(below)) {
        real drop = about_log(pick(below, z / -s->level, number(1)));
        real fall = pick(below, -rate / z, number(0)), rises = positive_part(-fall);
        put(below, &w->from, number(0));
        put(below, &w->to, (1 + 2 * (drop - rises / d->slow)) / -d->slow);
        put(below, &w->about, about_drop(d, fall, drop));
        w->falls = w->falls | below;
    }
    return plain | below;
}

CODE void come_to_descent(const swing *s, const foresight *x, truth here, descent *w) {
    truth open = here & not(see_descent(s, x, here, w));
    if (any(open & not(s->d->swings))) {
        open = open & not(see_creep(s, open, w));
    }
    if (any(open)) {
        descent found;
        search_descent(s, open, &found);
        put(open, &w->from, found.from);
        put(open, &w->to, found.to);
        put(open, &w->about, found.about);
        w->falls = (w->falls & not(open)) | found.falls;
        w->hard = w->hard | found.hard;
    }
}

CODE void find_descent(const swing *s, truth here, descent *w) {
    foresight x;
    foresee(s, &x);
    come_to_descent(s, &x, here, w);
}

/* The way to the root on a descent, and the motion at the last place looked at. */
typedef struct pursuit {
    real time, low, high, last; /* low, high: the root is between them; last: the last step */
    moved now;
    truth here, open;
} pursuit;

CODE void begin_pursuit(const swing *s, const descent *on, truth here, pursuit *w) {
    truth exact = here & on->exact;
    w->time = pick(here, on->about, number(0));
    w->low = on->from;
    w->high = on->to;
    w->last = number(0);
    w->now = not_moved();
    w->here = here;
    w->open = here & not(exact);
    if (any(exact)) {
        moved there = moved_at_fall(s->d, s->z, s->rate, w->time);
        put_moved(exact, &w->now, &there);
    }
}

CODE void pursue(const swing *s, pursuit *w) {
    const double negligible = 1e-17, brief = 1e-3;
    const damped *d = s->d;
    moved there = moved_at(d, w->time);
    view sees;
    sees.f = swing_by(s, &there);
    sees.f1 = rate_of_swing(s, &there);
    sees.f2 = -d->p * sees.f1 - d->q * (sees.f - s->level);
    sees.f3 = -d->p * sees.f2 - d->q * sees.f1;
    sees.f4 = -d->p * sees.f3 - d->q * sees.f2;
    real rest, step = way_to_root(&sees, &rest);
    put(sees.f > 0, &w->low, w->time);
    put(not(sees.f > 0), &w->high, w->time);
    truth inside = (sees.f1 < 0) & (w->time + step >= w->low) & (w->time + step <= w->high);
    step = pick(inside, step, (w->low + w->high) / 2 - w->time);
    put(w->open, &w->last, step);
    put_moved(w->open, &w->now, &there);
    put(w->open, &w->time, w->time + step);
    truth close =
        (rest <= negligible * w->time) & (size_of(step) * (d->size + size_of(d->p)) < brief);
    w->open = w->open & not(inside & close);
}

/* Sets the motion at the root. Returns the lanes that did not find it. */
CODE truth end_pursuit(const swing *s, pursuit *w) {
    moved there = shifted(s->d, &w->now, w->last);
    put_moved(w->here, &w->now, &there);
    return w->open;
}

enum { MOST_PURSUITS = 20 };

/* The root on a descent. Returns the lanes that did not find it. */
CODE truth find_on_descent(const swing *s, const descent *on, truth here, pursuit *w) {
    begin_pursuit(s, on, here, w);
    for (int i = 0; i < MOST_PURSUITS && any(w->open); i++) {
        pursue(s, w);
    }
    return end_pursuit(s, w);
}

#endif
