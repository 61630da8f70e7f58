/* When the first of several sums of two motions falls to 0, without a look at each part of the way:
 * the fall is guessed, and signs at the start and there tell whether another root can lie between.
 * In lanes. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_SIGNS_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_SIGNS_LANES_H

#include "models/compliant/dashpot_margins_lanes.h"

/* ---- how many roots there may be ---- */

/* For how long signs may tell: until then the motion that turns faster falls to 0 twice at most,
 * and the other one once. */
CODE real longest_of(const motions *m) {
    const double half = 3, whole = 6;
    real one = turning_of(&m->d[0]), other = turning_of(&m->d[1]);
    return smaller(whole / larger(one, other), half / smaller(one, other));
}

/* How often a motion falls to 0, or rises, in less than a whole turn if it has the same sign at
 * both ends; infinite where half a turn is too near to tell. With other signs it does once. */
CODE real returns_of(const damped *d, real time) {
    const double near = 1e-6;
    real beyond = turned(d, time) - IMP_PI,
         inside = pick(beyond > near, number(2), number(INFINITY));
    return pick(beyond < -near, number(0), inside);
}

/* A function and its rate at a time, with the sizes of their terms. */
typedef struct point {
    real f, rate, of_f, of_rate;
} point;

CODE point point_of(const parts *x) {
    return (point){.f = x->z[0] + x->z[1],
                   .rate = x->v[0] + x->v[1],
                   .of_f = size_of(x->z[0]) + size_of(x->z[1]),
                   .of_rate = size_of(x->v[0]) + size_of(x->v[1])};
}

/* Not rounding of terms of such a size. */
CODE truth is_clear(real x, real of) {
    const double clearly = 1e-12;
    return size_of(x) > clearly * of;
}

/* How a motion goes on from a point; and from where it came to one, but for a factor. */
CODE point after(const damped *d, const moved *now, point x) {
    real pull = d->q * now->push, push = size_of(now->push);
    return (point){.f = now->rest * x.f + now->push * x.rate,
                   .rate = now->rate * x.rate - pull * x.f,
                   .of_f = size_of(now->rest) * x.of_f + push * x.of_rate,
                   .of_rate = size_of(now->rate) * x.of_rate + size_of(pull) * x.of_f};
}

CODE point before(const damped *d, const moved *now, point x) {
    const moved back = {.rest = now->rate, .push = -now->push, .rate = now->rest};
    return after(d, &back, x);
}

/* What is left of a sum of two motions if d is taken away: it moves as the other one. */
typedef struct remains {
    real g;
    truth clear;
} remains;

CODE remains remains_of(const damped *d, const damped *other, real z, real v) {
    real by_z = (d->q - other->q) * z, by_v = (d->p - other->p) * v;
    return (remains){.g = by_z + by_v,
                     .clear = is_clear(by_z + by_v, size_of(by_z) + size_of(by_v))};
}

/* A sum at the start and at the end of a stretch of at most longest_of, and the motions at the end.
 * It begins above 0 or, leaves, at 0, and rises; it ends above 0 or, falls, below, or has just
 * fallen to 0. turns: a motion may turn by more than half a turn. */
typedef struct stretch {
    parts from, to;
    point first, last;
    real time;
    bool turns;
    const moved *now;
    truth leaves, falls;
} stretch;

/* 1 where two signs differ. */
CODE real differ(truth one, truth other) {
    return pick(one ^ other, number(1), number(0));
}

/* A function y > 0 that moves in a stretch as one motion does, at the end of it that the sum does
 * not touch. vanishes: it touches nowhere, but is 0 just outside the other end. */
typedef struct guide {
    point y;
    truth vanishes;
} guide;

/* It touches the sum at the start or, at_end, at the end, if it stays above 0 then. */
CODE guide guide_of(const damped *d, const moved *now, const stretch *w, bool at_end) {
    const real none = number(0), one = number(1);
    const point edge = {.f = none, .rate = at_end ? -one : one, .of_f = none, .of_rate = one};
    const point touching = at_end ? before(d, now, w->last) : after(d, now, w->first);
    const point vanishing = at_end ? before(d, now, edge) : after(d, now, edge);
    truth low = not((touching.f > 0) & is_clear(touching.f, touching.of_f));
    truth vanishes = at_end ? low | w->falls : low & not(w->leaves);
    return (guide){.y = {.f = pick(vanishes, vanishing.f, touching.f),
                         .rate = pick(vanishes, vanishing.rate, touching.rate),
                         .of_f = pick(vanishes, vanishing.of_f, touching.of_f),
                         .of_rate = pick(vanishes, vanishing.of_rate, touching.of_rate)},
                   .vanishes = vanishes};
}

/* At most so many roots a sum has in a stretch, by Rolle's theorem: the slope of the sum over a
 * guide y, which moves as the motion `one`, is h / y^2, and h rises where the remains g of the sum
 * are above 0. So its roots are at most those of g and the changes of sign from the sum to h and to
 * g at the start, less those at the end. Where y touches the sum h has the sign that leaves the
 * least. Infinite where a sign is not clear, and where y may turn for too long to stay above 0. */
CODE real roots_by(const motions *m, int one, const stretch *w, bool at_end) {
    const damped *d = &m->d[one], *other = &m->d[1 - one];
    const guide by = guide_of(d, &w->now[one], w, at_end);
    const point y = by.y, far = at_end ? w->first : w->last;
    const real z = w->from.z[1 - one], v = w->from.v[1 - one];
    const remains from = remains_of(d, other, z, v);
    const remains to = remains_of(d, other, w->to.z[1 - one], w->to.v[1 - one]);
    const real h = far.rate * y.f - far.f * y.rate;
    truth clear = from.clear & to.clear & (y.f > 0) &
                  is_clear(h, far.of_rate * y.of_f + far.of_f * y.of_rate);
    const truth up = number(0) == 0, last = not(w->falls), rises = h > 0;
    const truth first_g = from.g > 0, last_g = to.g > 0;
    real sum = differ(first_g, last_g), only = differ(up, last);
    if (w->turns) {
        clear = clear & (returns_of(d, w->time) == 0);
        sum = pick(first_g ^ last_g, sum, returns_of(other, w->time));
        only = pick(up ^ last, only, returns_of(d, w->time));
    }
    if (at_end) {
        sum += differ(up, rises) + differ(rises, first_g);
        sum -= pick(by.vanishes, differ(last, last_g), 1 + differ(not(up), last_g));
    } else {
        sum += pick(by.vanishes, 1 + differ(not(up), first_g), differ(up, first_g));
        sum -= differ(last, rises) + differ(rises, last_g);
    }
    truth alone = (z == 0) & (v == 0);
    return pick(alone, only, pick(clear, sum, number(INFINITY)));
}

/* By either motion and touching either end: the least of four bounds. No further one is asked for
 * where a bound is 1 of a sum that falls, or 0 of another one. */
static __attribute__((noinline)) real roots_in(const motions *m, const sight *s, const moved now[2],
                                               real time, truth leaves, truth falls, truth here) {
    const moved start[2] = {not_moved(), not_moved()};
    stretch w = {.from = parts_of(m, s, start),
                 .to = parts_of(m, s, now),
                 .time = time,
                 .turns = any(here & (turned(&m->d[0], time) + turned(&m->d[1], time) > 3)),
                 .now = now,
                 .leaves = leaves,
                 .falls = falls};
    w.first = point_of(&w.from);
    w.last = point_of(&w.to);
    put(leaves, &w.first.f, number(0));
    real most = number(INFINITY), begins = pick(leaves, w.first.rate, w.first.f);
    truth clear = is_clear(begins, pick(leaves, w.first.of_rate, w.first.of_f)) & (begins > 0);
    clear = clear & (falls | ((w.last.f > 0) & is_clear(w.last.f, w.last.of_f)));
    here = here & clear;
    for (int i = 0; i < 4 && any(here); i++) {
        put(here, &most, smaller(most, roots_by(m, i / 2, &w, i % 2)));
        here = here & (most > pick(falls, number(1), number(0)));
    }
    return pick(clear, most, number(INFINITY));
}

/* ---- a swing beside a motion that creeps ---- */

/* second: which of both swings. */
typedef struct uneven {
    truth here, second;
    real p, q, half, over_size; /* of the swing */
    real slow, fast, over_gap;  /* of the other one */
} uneven;

CODE uneven uneven_of(const motions *m, truth here) {
    const damped *d = m->d;
    truth second = d[1].swings;
    return (uneven){.here = here & (d[0].swings ^ second),
                    .second = second,
                    .p = pick(second, d[1].p, d[0].p),
                    .q = pick(second, d[1].q, d[0].q),
                    .half = pick(second, d[1].half, d[0].half),
                    .over_size = pick(second, d[1].over_size, d[0].over_size),
                    .slow = pick(second, d[0].slow, d[1].slow),
                    .fast = pick(second, d[0].fast, d[1].fast),
                    .over_gap = pick(second, d[0].over_size, d[1].over_size) / 2};
}

/* A sum of them at the start: the swing and its rate, and what creeps slowly and fast. */
typedef struct trio {
    real z, rate, slow, fast;
} trio;

CODE trio trio_of(const uneven *u, const sight *s) {
    real creeps = pick(u->second, s->value[0], s->value[1]);
    real rate = pick(u->second, s->rate[0], s->rate[1]);
    real slow = (rate - u->fast * creeps) * u->over_gap;
    return (trio){.z = pick(u->second, s->value[1], s->value[0]),
                  .rate = pick(u->second, s->rate[1], s->rate[0]),
                  .slow = slow,
                  .fast = creeps - slow};
}

/* About where a sum that sinks with what is fast has its bottom, because the rest of it rises, and
 * its value there. */
typedef struct dip {
    real time, value;
} dip;

CODE dip about_bottom(const uneven *u, const trio *x) {
    enum { TIMES = 2 };
    real over = -1 / u->fast, time = over, slow = u->slow * x->slow;
    real bends = -u->p * x->rate - u->q * x->z, rise = slow + x->rate;
    real bend = u->slow * slow + bends;
    real turn = u->slow * u->slow * slow - u->p * bends - u->q * x->rate;
    for (int i = 0; i < TIMES; i++) {
        real rises = rise + time * (bend + time * turn / 2), more = -u->fast * x->fast / rises;
        truth turns = (rises > 0) & (more > 1);
        time = pick(turns, about_log(pick(turns, more, number(1))) * over, over);
    }
    real value = x->slow + x->z + time * (rise + time * (bend + time * turn / 3) / 2);
    real left = over * (rise + time * (bend + time * turn / 2)); /* of what is fast */
    return (dip){.time = time, .value = value + left};
}

/* As roots_in, by signs at a place between, too. */
static __attribute__((noinline)) real roots_around(const motions *m, const sight *s, real between,
                                                   real time, truth leaves, truth falls,
                                                   truth here) {
    const truth no = here & not(here);
    here = here & (between < time);
    if (!any(here)) {
        return number(INFINITY);
    }
    moved there[2], on[2];
    motions_at(m, pick(here, between, number(0)), there);
    motions_at(m, pick(here, time - between, number(0)), on);
    const parts at = parts_of(m, s, there);
    const sight later = {.value = {at.z[0], at.z[1]}, .rate = {at.v[0], at.v[1]}};
    here = here & (roots_in(m, s, there, between, leaves, no, here) == 0);
    return roots_in(m, &later, on, time - between, no, falls, here);
}

/* At the bottom of a swing beside a motion that creeps. */
static __attribute__((noinline)) real roots_by_bottom(const motions *m, const sight *s, real time,
                                                      truth leaves, truth falls, truth here) {
    const uneven u = uneven_of(m, here);
    const trio x = trio_of(&u, s);
    return roots_around(m, s, about_bottom(&u, &x).time, time, leaves, falls, u.here);
}

/* At the trough of a quick swing, or half way to the end. */
CODE real roots_by_trough(const motions *m, const sight *s, real time, truth leaves, truth falls,
                          truth here) {
    const moved start[2] = {not_moved(), not_moved()};
    const quick u = quick_of(m, here);
    const parts at = parts_of(m, s, start);
    const margin w = margin_of(&u, &at);
    real trough = angle_to_trough(&w) * u.over_size;
    return roots_around(m, s, pick(trough < time, trough, time / 2), time, leaves, falls, u.here);
}

/* ---- a guess ---- */

/* A motion that creeps is weighed as two exponentials, unless it is slow beside the other one. */
CODE balance balance_of(const motions *m, const parts *x) {
    const real none = number(0);
    balance b = {.above = none, .below = none, .above_falls = none, .below_falls = none};
    for (int j = 0; j < 2; j++) {
        const damped *d = &m->d[j], *other = &m->d[1 - j];
        truth whole = d->swings | (2 * d->fast > other->slow);
        real slow = pick(whole, x->z[j], (x->v[j] - d->fast * x->z[j]) * (d->over_size / 2));
        weigh(&b, slow, pick(whole, x->v[j], d->slow * slow));
        weigh(&b, x->z[j] - slow, pick(whole, none, d->fast * (x->z[j] - slow)));
    }
    return b;
}

/* Of several sums the one that seems to fall first, and where. */
typedef struct guess {
    real time, which, most; /* most: how long signs tell */
    truth found;
} guess;

/* About where a function falls to 0 that leaves it upward: by slopes and values at both ends. */
CODE real about_return(real length, real slope, real low, real low_slope) {
    real a = length * slope, b = length * low_slope, c = 3 * low - b - 2 * a, d = b - 2 * low + a;
    return length * 2 * a / (root_of(positive_part(c * c - 4 * d * a)) - c);
}

/* Of two sums together, each motion at the start. */
CODE void add_both(const search *k, real z[2], real v[2]) {
    for (int j = 0; j < 2; j++) {
        z[j] = k->s[0].value[j] + k->s[1].value[j];
        v[j] = k->s[0].rate[j] + k->s[1].rate[j];
    }
}

/* Whether one motion swings and is most of two sums together, and the other one creeps, much faster
 * at first. Neither sum falls with that one: the swing in it is above 0. */
CODE truth swings_for_both(const motions *m, const search *k) {
    const double most = 2, faster = 4;
    const sight *one = &k->s[0], *other = &k->s[1];
    truth second = m->d[1].swings;
    real first_swing = pick(second, one->value[1], one->value[0]);
    real other_swing = pick(second, other->value[1], other->value[0]);
    real creeps = pick(second, one->value[0] + other->value[0], one->value[1] + other->value[1]);
    real half = pick(second, m->d[1].half, m->d[0].half);
    real fast = pick(second, m->d[0].fast, m->d[1].fast);
    return (m->d[0].swings ^ second) & (smaller(first_swing, other_swing) > 0) &
           (-fast > faster * half) & (first_swing + other_swing > most * size_of(creeps));
}

/* About when a sum that begins above 0, or leaves it upward, falls to 0 before `end`, from how it
 * moves at both ends. Where it does not keep its first slope the end alone tells. */
CODE real about_fall_before(const motions *m, const sight *s, truth leaves, real end,
                            const parts *last, truth falls) {
    const double hasty = 4;
    const point there = point_of(last);
    real high = s->value[0] + s->value[1], rate = s->rate[0] + s->rate[1], bend = number(0);
    real low = pick(falls, there.f, number(-1)), length = pick(falls, end, number(1));
    real about = about_zero(2, length, pick(falls, high, number(1)), rate, low, there.rate);
    put(leaves, &about, about_return(length, rate, low, there.rate));
    for (int j = 0; j < 2; j++) {
        bend -= m->d[j].p * last->v[j] + m->d[j].q * last->z[j];
    }
    real size = size_of(s->value[0]) + size_of(s->value[1]) - low, back = low / there.rate;
    back *= 1 + back * bend / (2 * there.rate);
    truth keeps = size_of(rate) * length < hasty * size;
    put(not(keeps) & (back > 0) & (back < length), &about, length - back);
    return about;
}

/* About when the first of two sums falls to 0, where one motion swings and the other one creeps: by
 * how they move as the swing in both together falls, when mostly one of them has fallen. */
static __attribute__((noinline)) void guess_by_swing(const motions *m, const search *k, guess *x,
                                                     truth here) {
    const damped *d = m->d;
    real fall[2], z[2], v[2], first = number(INFINITY);
    add_both(k, z, v);
    for (int j = 0; j < 2; j++) {
        fall[j] = fall_of(&d[j], positive_part(z[j]), v[j], here);
    }
    truth second = d[1].swings;
    real end = pick(second, fall[1], fall[0]), other = pick(second, fall[0], fall[1]);
    end = pick(end < x->most, end, smaller(other, x->most * 0.95));
    here = here & (d[0].swings ^ second);
    moved now[2];
    motions_at(m, pick(here, end, number(0)), now);
    for (int i = 0; i < 2; i++) {
        const parts last = parts_of(m, &k->s[i], now);
        truth leaves = k->leaves[i], falls = here & (last.z[0] + last.z[1] < 0);
        falls = falls & not(leaves & not(k->s[i].rate[0] + k->s[i].rate[1] > 0));
        real about = about_fall_before(m, &k->s[i], leaves, end, &last, falls);
        falls = falls & (about < first);
        put(falls, &first, about);
        put(falls, &x->which, number(i));
    }
    truth found = here & (first < INFINITY);
    put(found, &x->time, first);
    x->found = x->found | found;
}

/* No guess yet. */
CODE guess no_guess(const motions *m, truth here) {
    return (guess){
        .time = number(0), .which = number(-1), .most = longest_of(m), .found = not(here) & here};
}

/* About when a sum falls to 0 once what creeps fast has faded, infinite where it does not so: what
 * is left is a swing around a level, over the slow part. */
CODE real about_late_fall(const uneven *u, const trio *x, truth here) {
    const double less = 0.8, steep = 0.1, close = 0.3;
    const truth no = here & not(here);
    const damped over = {.half = u->half + u->slow, .over_size = u->over_size, .swings = here};
    const swing s = {.d = &over,
                     .level = x->slow,
                     .z = x->z,
                     .rate = x->rate - u->slow * x->z,
                     .leaves = no,
                     .halted = no};
    foresight f;
    foresee(&s, &f);
    const outset o = step_beyond(&s, &f, here);
    real time = (f.angle + o.step) * u->over_size;
    truth falls = here & (f.root > steep * f.size) & (o.rest < close) & (o.slope < 0) & (time > 0);
    time = pick(falls, time, number(0));
    real left = x->fast * exponential((u->fast - u->slow) * time);
    real swings = f.root * exponential(-over.half * time);
    time += left / (swings / u->over_size + (u->slow - u->fast) * size_of(left));
    return pick(falls & (size_of(left) < less * swings), time, number(INFINITY));
}

/* Of sums that stay above 0 while what creeps fast fades. */
static __attribute__((noinline)) void guess_by_level(const motions *m, const search *k, guess *x,
                                                     truth here) {
    const uneven u = uneven_of(m, here);
    trio sum[2];
    here = u.here;
    for (int i = 0; i < k->n && any(here); i++) {
        sum[i] = trio_of(&u, &k->s[i]);
        here = here & not((sum[i].fast > 0) & (about_bottom(&u, &sum[i]).value < 0));
    }
    for (int i = 0; i < k->n && any(here); i++) {
        real time = about_late_fall(&u, &sum[i], here);
        truth nearer = here & (time < pick(x->found, x->time, x->most));
        put(nearer, &x->time, time);
        put(nearer, &x->which, number(i));
        x->found = x->found | nearer;
    }
}

CODE void guess_by_exponentials(const motions *m, const search *k, guess *x, truth here) {
    enum { MOST = 8 };
    const double close = 0.2, patient = 6;
    const real haste = -smaller(m->d[0].fast, m->d[1].fast);
    moved now[2] = {not_moved(), not_moved()};
    truth open = here;
    for (int times = 0; times < MOST && any(open); times++) {
        if (times > 0) {
            motions_at(m, x->time, now);
        }
        real step = number(INFINITY), which = number(-1);
        for (int i = 0; i < k->n; i++) {
            const parts there = parts_of(m, &k->s[i], now);
            const balance b = balance_of(m, &there);
            real way = way_to_fall(&b);
            truth nearer = way < step;
            if (times == 0) {
                nearer = nearer & not(k->leaves[i]);
            }
            put(nearer, &which, number(i));
            put(nearer, &step, way);
        }
        real next = x->time + step;
        if (times == 0) {
            truth late = open & (m->d[0].swings ^ m->d[1].swings) & not(next * haste < patient);
            if (any(late)) {
                guess_by_level(m, k, x, late);
                open = open & not(x->found);
            }
        }
        open = open & (next < x->most) & (next > 0);
        put(open, &x->time, next);
        put(open, &x->which, which);
        truth found = open & (size_of(step) < close * next);
        x->found = x->found | found;
        open = open & not(found);
    }
}

/* The time from which on signs tell; until then margins do, if it is not 0. there: the motions at
 * that time. */
typedef struct onset {
    real time;
    moved there[2];
} onset;

CODE onset at_once(void) {
    return (onset){.time = number(0), .there = {not_moved(), not_moved()}};
}

/* A sum from there on. */
CODE sight seen_from(const motions *m, const sight *s, const onset *o) {
    const parts x = parts_of(m, s, o->there);
    return (sight){.value = {x.z[0], x.z[1]}, .rate = {x.v[0], x.v[1]}, .constant = s->constant};
}

/* The margins of the first n of both sums from the onset on, in the order of guess_by_trough. */
static __attribute__((noinline)) void put_margins(const motions *m, search *k, const quick *u,
                                                  const onset *from, truth swapped, int n,
                                                  margin w[2]) {
    for (int i = 0; i < n; i++) {
        k->which = pick(swapped, number(1 - i), number(i));
        const sight s = chosen(k);
        const parts at = parts_of(m, &s, from->there);
        w[i] = margin_of(u, &at);
    }
    if (k->n == 1) {
        w[1] = w[0];
    }
}

/* A guess for the lanes in which one motion swings quickly, after the time for which margins tell.
 * A sum that leaves 0 mostly falls after one that does not. Returns these lanes. */
static __attribute__((noinline)) truth guess_by_trough(const motions *m, search *k, guess *x,
                                                       onset *from, truth here) {
    const quick u = quick_of(m, here);
    here = u.here;
    const bool two = k->n == 2;
    const truth leaves = two ? k->leaves[0] | k->leaves[1] : k->leaves[0];
    const truth single = two ? k->leaves[0] ^ k->leaves[1] : here & not(here);
    const truth swapped = single & k->leaves[0];
    int known = any(here & not(single)) ? k->n : 1;
    margin w[2];
    put_margins(m, k, &u, from, swapped, known, w);
    if (any(here & not(leaves))) {
        from->time = clear_until(&u, w, here & not(leaves));
        if (any(from->time > 0)) {
            motions_at(m, from->time, from->there);
            put_margins(m, k, &u, from, swapped, known, w);
        }
    }
    here = here & (not(u.other.swings) | (from->time > 0));
    for (int i = 0; i < k->n && any(here & not(single & x->found)); i++) {
        if (i == known) {
            put_margins(m, k, &u, from, swapped, k->n, w);
        }
        real time = from->time + about_fall_to_trough(&u, &w[i]);
        truth nearer = here & not(single & x->found);
        nearer = nearer & (time < pick(x->found, x->time, from->time + x->most));
        put(nearer, &x->time, time);
        put(nearer, &x->which, pick(swapped, number(1 - i), number(i)));
        x->found = x->found | nearer;
    }
    put(here, &x->most, from->time + x->most);
    return u.here;
}

/* The swing tells best where it is most of both sums. */
CODE guess guess_fall(const motions *m, search *k, onset *from, truth here) {
    guess x = no_guess(m, here);
    if (any(here & is_quick(m))) {
        here = here & not(guess_by_trough(m, k, &x, from, here));
    }
    truth by_swing = k->n == 2 ? here & swings_for_both(m, k) : x.found;
    if (any(by_swing)) {
        guess_by_swing(m, k, &x, by_swing);
    }
    truth open = here & not(x.found);
    if (any(open)) {
        guess_by_exponentials(m, k, &x, open);
    }
    return x;
}

/* ---- both together ---- */

/* Whether a sum that is above 0 at both ends of a stretch stays there: it only falls, or has one
 * bottom, above 0. */
CODE truth stays_up(const motions *m, const sight *s, real time, const moved last[2], truth here) {
    search k = {.n = 1};
    k.s[0] = rate_of(m, s, number(-1));
    k.leaves[0] = not(here) & here;
    const parts end = parts_of(m, &k.s[0], last);
    const point drop = point_of(&end);
    const truth rises = drop.f < 0;
    real turns = roots_in(m, &k.s[0], last, time, k.leaves[0], rises, here);
    truth falls = here & not(rises) & (turns == 0);
    here = here & is_clear(drop.f, drop.of_f) & (turns == pick(rises, number(1), number(2)));
    if (!any(here)) {
        return falls;
    }
    guess x = no_guess(m, here);
    guess_by_exponentials(m, &k, &x, here);
    moved now[2] = {not_moved(), not_moved()};
    here = x.found & not(come_near(m, &k.s[0], &x.time, now, x.found)) & (x.time < time);
    const parts bottom = parts_of(m, s, now);
    const point low = point_of(&bottom);
    return falls | (here & (low.f > 0) & is_clear(low.f, low.of_f));
}

/* Whether signs tell that a sum falls at a time, for the first time, or not until then. now: the
 * motions then. */
CODE truth is_sure(const motions *m, const sight *s, real time, const moved now[2], truth leaves,
                   truth falls, truth here) {
    real most = roots_in(m, s, now, time, leaves, falls, here);
    const real wanted = pick(falls, number(1), number(0));
    /* In less than half a turn of a swing stays_up costs less than a bottom. */
    const truth wide = turned(&m->d[0], time) + turned(&m->d[1], time) > 3;
    truth sure = most == wanted, quickly = is_quick(m);
    truth unsure = here & not(sure) & not(quickly) & (falls | wide);
    if (any(unsure)) {
        sure = sure | (roots_by_bottom(m, s, time, leaves, falls, unsure) == wanted);
    }
    unsure = here & not(sure) & quickly;
    if (any(unsure)) {
        sure = sure | (roots_by_trough(m, s, time, leaves, falls, unsure) == wanted);
    }
    truth open = here & not(falls | sure | wide) & (most == 2);
    if (any(open)) {
        sure = sure | stays_up(m, s, time, now, open);
    }
    return sure;
}

/* Falls of sums that signs are clear about: where they are found, as in search. Returns the lanes
 * that this decides. */
static __attribute__((noinline)) truth foresee_fall(const motions *m, search *k, truth here) {
    onset from = at_once();
    guess x = guess_fall(m, k, &from, here);
    k->from = larger(k->from, from.time);
    truth found = x.found;
    if (!any(found)) {
        return found;
    }
    k->which = x.which;
    const sight s = chosen(k);
    moved now[2] = {not_moved(), not_moved()};
    found = found & not(come_near(m, &s, &x.time, now, found)) & (x.time > from.time) &
            (x.time < x.most);
    moved on[2] = {now[0], now[1]};
    const truth late = found & (from.time > 0);
    const real time = x.time - from.time;
    if (any(late)) {
        moved rest[2];
        motions_at(m, pick(late, time, number(0)), rest);
        put_moved(late, &on[0], &rest[0]);
        put_moved(late, &on[1], &rest[1]);
    }
    for (int i = 0; i < k->n; i++) {
        const sight sum = any(late) ? seen_from(m, &k->s[i], &from) : k->s[i];
        found = found & is_sure(m, &sum, time, on, k->leaves[i], x.which == i, found);
    }
    put(found, &k->time, x.time);
    put(found, &k->which, pick(x.time < k->limit, x.which, number(-1)));
    put_moved(found, &k->now[0], &now[0]);
    put_moved(found, &k->now[1], &now[1]);
    return found;
}

/* As find_fall, of the first two sums at most where signs may tell. */
static __attribute__((noinline)) void put_foreseen(const motions *m, search *k, truth here) {
    const real looks = number(4);
    search seen = *k;
    seen.n = k->n < 2 ? k->n : 2;
    here = foresee_fall(m, &seen, here);
    k->here = k->here & not(here);
    if (any(k->here)) {
        k->from = seen.from;
        first_fall(m, k);
    } else {
        k->hard = k->here;
        k->looks = number(0);
        k->now[0] = k->now[1] = not_moved();
    }
    put(here, &k->time, seen.time);
    put(here, &k->which, seen.which);
    put(here, &k->looks, looks);
    put_moved(here, &k->now[0], &seen.now[0]);
    put_moved(here, &k->now[1], &seen.now[1]);
}

/* Whether a quick swing beside another one may last for long. */
CODE truth lasts(const motions *m, const search *k) {
    truth quickly = is_quick(m);
    for (int i = 0; i < 2 && i < k->n; i++) {
        quickly = quickly & not(k->leaves[i]);
    }
    return quickly;
}

/* As first_fall; plain: where sums are those of two motions alone, and a third one has nothing to
 * say. Between two swings bounds say more than signs. */
CODE void find_fall(const motions *m, search *k, truth plain) {
    truth here = k->here, both = m->d[0].swings & m->d[1].swings;
    truth foreseen = here & plain & (not(both) | lasts(m, k));
    if (k->at_start && any(foreseen)) {
        put_foreseen(m, k, foreseen);
    } else {
        first_fall(m, k);
    }
    k->here = here;
}

#endif
