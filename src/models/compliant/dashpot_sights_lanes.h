/* Motions of damped oscillators, sums of them, and when the first of several sums falls to 0. In
 * lanes, by the steps of dashpot_sights.c and longer ones. What a lane cannot decide is `hard`, and
 * left to the code for one cell. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_SIGHTS_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_SIGHTS_LANES_H

#include "models/compliant/state_impl.h"

/* ---- one motion ---- */

/* As imp_damped. Where q < 0 it grows. */
typedef struct damped {
    real p, q, half, size, over_size, slow, fast, over_q;
    real over_p, reach; /* set by set_bounds; reach: 1 over the root of q */
    truth swings;
} damped;

/* Roots that meet are kept apart by a size that changes q by less than its rounding. */
CODE void set_damped(damped *d, real p, real q) {
    const double least = 1e-9;
    real half = p / 2, square = half * half - q;
    real size = larger(root_of(size_of(square)), least * size_of(half));
    d->p = p;
    d->q = q;
    d->half = half;
    d->size = size;
    d->over_size = 1 / size;
    d->over_q = 1 / q;
    d->swings = square < 0;
    d->slow = d->fast = -half;
    if (any(not(d->swings))) {
        real far = pick(half < 0, size - half, -(half + size)), near = q / far;
        put(not(d->swings), &d->slow, larger(near, far));
        put(not(d->swings), &d->fast, smaller(near, far));
    }
}

/* What bounds, and losses in stick, take. */
CODE void set_bounds(damped *d) {
    d->over_p = 1 / d->p;
    d->reach = root_of(d->over_q);
}

/* Whether both roots are so near each other that their difference lacks digits. */
CODE truth is_near_critical(const damped *d) {
    return d->size < 0.1 * size_of(d->half);
}

CODE truth creeps_apart(const damped *d) {
    return not(d->swings) & not(is_near_critical(d));
}

/* By a polynomial: a table of powers is read lane by lane. */
CODE real exponential(real x) {
    const double most = 600, /* of exp(-600) nothing remains in a sum */
        per_unit = 0x1.71547652b82fep+0, high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45,
                 round = 0x1.8p52;
    x = smaller(larger(x, number(-most)), number(most));
    real shifted = x * per_unit + round, whole = shifted - round;
    real r = (x - whole * high) - whole * low, r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    real first = (0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    real second = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    real third =
        (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    real sum = 1 + (r + r2 * (first + (r4 * second + r8 * third)));
    imp_lane_bits steps = imp_lanes_bits(shifted) << 52;
    return imp_lanes_of_bits(imp_lanes_bits(sum) + steps);
}

/* As imp_damped_now. */
typedef struct moved {
    real rest, push, rate;
} moved;

CODE moved not_moved(void) {
    return (moved){.rest = number(1), .push = number(0), .rate = number(1)};
}

/* With the sine and the cosine of half a swing more; the decay is the same. */
CODE moved opposite(const moved *now) {
    return (moved){.rest = -now->rest, .push = -now->push, .rate = -now->rate};
}

/* (1 - exp(-x)) / x for x in [-1, 1]. */
CODE real lost_by_creep(real x) {
    static const double c[] = {1.0,
                               -1.0 / 2,
                               1.0 / 6,
                               -1.0 / 24,
                               1.0 / 120,
                               -1.0 / 720,
                               1.0 / 5040,
                               -1.0 / 40320,
                               1.0 / 362880,
                               -1.0 / 3628800,
                               1.0 / 39916800,
                               -1.0 / 479001600,
                               1.0 / 6227020800,
                               -1.0 / 87178291200,
                               1.0 / 1307674368000,
                               -1.0 / 20922789888000,
                               1.0 / 355687428096000,
                               -1.0 / 6402373705728000};
    real x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, part[4];
    for (int i = 0; i < 4; i++) {
        const double *a = c + 4 * i;
        part[i] = (a[0] + x * a[1]) + x2 * (a[2] + x * a[3]);
    }
    real last = part[2] + x4 * part[3];
    return part[0] + (x4 * part[1] + x8 * (last + x8 * (c[16] + x * c[17])));
}

/* creeping: exp(slow t) is `decay`. */
CODE moved crept(const damped *d, real time, real decay) {
    real fast = exponential(d->fast * time), gap = 2 * d->size * time;
    real push = (decay - fast) / (2 * d->size);
    truth brief = not(d->swings) & (gap < 1);
    if (any(brief)) {
        put(brief, &push, time * decay * lost_by_creep(smaller(gap, number(1))));
    }
    return (moved){.rest = decay - d->slow * push, .push = push, .rate = fast + d->slow * push};
}

CODE moved moved_by(const damped *d, real time, real decay, real sine, real cosine) {
    if (!any(d->swings)) {
        return crept(d, time, decay);
    }
    real push = decay * (sine * d->over_size), swing = decay * cosine, lag = d->half * push;
    moved now = {.rest = swing + lag, .push = push, .rate = swing - lag};
    if (any(not(d->swings))) {
        moved creeping = crept(d, time, decay);
        now.rest = pick(d->swings, now.rest, creeping.rest);
        now.push = pick(d->swings, now.push, creeping.push);
        now.rate = pick(d->swings, now.rate, creeping.rate);
    }
    return now;
}

/* The angle by which it swings. */
CODE real turned(const damped *d, real time) {
    return pick(d->swings, d->size * time, number(0));
}

static __attribute__((noinline)) moved moved_at(const damped *d, real time) {
    real sine = number(0), cosine = number(1), decay = exponential(d->slow * time);
    if (any(d->swings)) {
        imp_lanes_sine(turned(d, time), &sine, &cosine);
    }
    return moved_by(d, time, decay, sine, cosine);
}

/* log(1 + x), x >= 0. */
CODE real log_of_one_and(real x) {
    real sum = 1 + x, lost = x - (sum - 1);
    return imp_lanes_log_near(sum, 0) + lost / sum;
}

/* As imp_damped_fall, from z >= 0. */
static __attribute__((noinline)) real fall_of(const damped *d, real z, real rate, truth here) {
    real time = number(INFINITY);
    if (any(d->swings)) {
        time = imp_lanes_half_turn(d->size * z, -(rate + d->half * z)) * d->over_size;
    }
    truth creeps = here & not(d->swings);
    if (any(creeps)) {
        real back = d->fast * z - rate, gap = 2 * d->size;
        truth falls = creeps & (back > 0) & (z > 0);
        real x = pick(falls, gap * z / back, number(0));
        put(creeps, &time, pick(falls, log_of_one_and(x) / gap, number(INFINITY)));
    }
    return pick((z > 0) | (rate > 0), time, number(INFINITY));
}

/* As imp_compliant_dashpot_flat. */
CODE real flat_of(const damped *d, real delta, real speed, real force, real rate, truth here) {
    real time = number(INFINITY), near = speed - d->slow * delta, far = speed - d->fast * delta;
    truth apart = here & not(d->swings) & (d->q > 0) & (d->fast < 1.5 * d->slow) & (force > 0) &
                  (near > 0) & (far > 0);
    if (any(here & not(apart))) {
        time = fall_of(d, positive_part(force), rate, here);
    }
    if (any(apart)) {
        real ratio = d->fast / d->slow, whole = pick(apart, ratio * ratio * near / far, number(1));
        real strong = imp_lanes_log_near(whole, 0) * (d->over_size / 2);
        put(apart, &time, pick(strong > 0, strong, number(INFINITY)));
    }
    return time;
}

/* At least the length of a vector, at most 9 % more. */
CODE real longest_side(real a, real b) {
    return larger(a, b) + 0.4142135623730951 * smaller(a, b);
}

/* Whether the series below has enough terms. */
CODE truth is_short(real pt, real qtt) {
    return (size_of(pt) < 0.5) & (size_of(qtt) < 0.5);
}

/* The integral of a push until a time, by its series. pt, qtt: p and q of the motion by the time
 * and its square. */
CODE real kept_by_series(real pt, real qtt, real time) {
    enum { TERMS = 14 };
    real before = number(0), next = time * time / 2, sum = next;
    for (int k = 3; k <= TERMS; k++) {
        real after = -(pt * next) * (1.0 / k) - qtt * before * (1.0 / (k * (k - 1)));
        before = next;
        next = after;
        sum += next;
    }
    return sum;
}

/* The integral of a push until a time, whose motion is `now`. Where q is small it is lost in
 * rounding unless its series gives it. */
CODE real kept_of(const damped *d, real time, const moved *now) {
    real kept = (1 - now->rest) * d->over_q, pt = d->p * time, qtt = d->q * time * time;
    truth brief = (size_of(d->q) < 0.02) & is_short(pt, qtt);
    if (any(brief)) {
        put(brief, &kept, kept_by_series(pt, qtt, time));
    }
    return kept;
}

/* The motion at the time of fall_of: its angle is known by the sides of a triangle. */
static __attribute__((noinline)) moved moved_at_fall(const damped *d, real z, real rate,
                                                     real time) {
    real across = d->size * z, back = rate + d->half * z, decay = exponential(d->slow * time);
    real over = number(0);
    if (any(d->swings)) {
        over = 1 / root_of(across * across + back * back);
    }
    return moved_by(d, time, decay, across * over, -back * over);
}

/* A bound of |z| from now on; of a motion that grows, for as long as it takes to grow e times. */
CODE real bound_of(const damped *d, real z, real rate, bool may_grow) {
    const double e = 2.7182818284590456;
    real size = size_of(z), speed = size_of(rate), swing = speed * d->reach;
    real bound = smaller(size + speed * d->over_p, longest_side(size, swing));
    if (may_grow) {
        real growing = (rate - d->fast * z) * d->over_size / 2;
        put(d->q < 0, &bound, e * size_of(growing) + size_of(z - growing));
    }
    return bound;
}

/* ---- two motions ---- */

/* The second one may be a relaxation at the rate `relax` instead. Then only the first one may
 * grow. */
typedef struct motions {
    damped d[2];
    bool relaxes, rests; /* rests: sums may have a constant */
    real relax;
} motions;

/* For how long bounds hold. */
CODE real span_of(const motions *m) {
    return m->relaxes ? pick(m->d[0].q < 0, 1 / m->d[0].slow, number(INFINITY)) : number(INFINITY);
}

static __attribute__((noinline)) void motions_at(const motions *m, real time, moved now[2]) {
    if (m->relaxes) {
        now[0] = moved_at(&m->d[0], time);
        now[1] = (moved){.rest = exponential(-m->relax * time)};
        return;
    }
    const real angle[2] = {turned(&m->d[0], time), turned(&m->d[1], time)};
    real sine[2] = {number(0), number(0)}, cosine[2] = {number(1), number(1)};
    if (any(m->d[0].swings & m->d[1].swings)) {
        imp_lanes_sines(angle, sine, cosine);
    } else if (any(m->d[0].swings | m->d[1].swings)) { /* one of both angles is 0 */
        real of_one, beside;
        imp_lanes_sine(angle[0] + angle[1], &of_one, &beside);
        for (int j = 0; j < 2; j++) {
            put(m->d[j].swings, &sine[j], of_one);
            put(m->d[j].swings, &cosine[j], beside);
        }
    }
    for (int j = 0; j < 2; j++) {
        real decay = exponential(m->d[j].slow * time);
        now[j] = moved_by(&m->d[j], time, decay, sine[j], cosine[j]);
    }
}

/* A sum of elongations and rates as it moves: of each motion the value and its rate at the start.
 * Of a relaxation there is no rate. */
typedef struct sight {
    real value[2], rate[2], constant;
} sight;

CODE sight rate_of(const motions *m, const sight *s, real sign) {
    sight rate = {.constant = number(0)};
    for (int j = 0; j < 2; j++) {
        const damped *d = &m->d[j];
        rate.value[j] = sign * s->rate[j];
        rate.rate[j] = -sign * (d->p * s->rate[j] + d->q * s->value[j]);
    }
    return rate;
}

/* It and its derivatives at a time, with a bound of the second from then on. reach: of what is
 * not constant. */
typedef struct view {
    real f, f1, f2, f3, f4, bend, reach;
    real third[2], fourth[2]; /* of each motion */
} view;

CODE void add_motion(view *w, const motions *m, int j, const moved *now, real value, real rate) {
    const damped *d = &m->d[j];
    real f = now->rest * value + now->push * rate;
    real f1 = now->rate * rate - d->q * now->push * value;
    real f2 = -d->p * f1 - d->q * f, f3 = -d->p * f2 - d->q * f1, f4 = -d->p * f3 - d->q * f2;
    w->f += f;
    w->f1 += f1;
    w->f2 += f2;
    w->f3 += f3;
    w->f4 += f4;
    w->bend += bound_of(d, f2, f3, m->relaxes);
    w->third[j] = f3;
    w->fourth[j] = f4;
    if (m->rests) {
        w->reach += bound_of(d, f, f1, m->relaxes);
    }
}

CODE void add_relaxation(view *w, const motions *m, const moved *now, real value) {
    real f = now->rest * value, f1 = -m->relax * f, f2 = -m->relax * f1, f3 = -m->relax * f2;
    w->f += f;
    w->f1 += f1;
    w->f2 += f2;
    w->f3 += f3;
    w->f4 -= m->relax * f3;
    w->bend += size_of(f2);
    w->third[1] = f3;
    w->reach += size_of(f);
}

CODE view view_of(const motions *m, const sight *s, const moved now[2]) {
    view w = {.f = s->constant};
    add_motion(&w, m, 0, &now[0], s->value[0], s->rate[0]);
    if (m->relaxes) {
        add_relaxation(&w, m, &now[1], s->value[1]);
    } else {
        add_motion(&w, m, 1, &now[1], s->value[1], s->rate[1]);
    }
    return w;
}

/* A bound of the third derivative from then on. */
CODE real jerk_of(const motions *m, const view *w) {
    real first = bound_of(&m->d[0], w->third[0], w->fourth[0], m->relaxes);
    real second =
        m->relaxes ? size_of(w->third[1]) : bound_of(&m->d[1], w->third[1], w->fourth[1], false);
    return first + second;
}

/* A motion a short time later, by its series. */
CODE moved shifted(const damped *d, const moved *now, real h) {
    real d0 = now->push, d1 = now->rate, d2 = -d->p * d1 - d->q * d0, d3 = -d->p * d2 - d->q * d1,
         d4 = -d->p * d3 - d->q * d2, d5 = -d->p * d4 - d->q * d3;
    real push = d0 + h * (d1 + h * (d2 / 2 + h * (d3 * (1.0 / 6) + h * (d4 * (1.0 / 24)))));
    real rate = d1 + h * (d2 + h * (d3 / 2 + h * (d4 * (1.0 / 6) + h * (d5 * (1.0 / 24)))));
    return (moved){.rest = rate + d->p * push, .push = push, .rate = rate};
}

CODE void shift(const motions *m, real h, moved now[2]) {
    now[0] = shifted(&m->d[0], &now[0], h);
    if (m->relaxes) {
        real x = m->relax * h;
        now[1].rest *= 1 - x * (1 - x * (0.5 - x * (1.0 / 6 - x * (1.0 / 24))));
    } else {
        now[1] = shifted(&m->d[1], &now[1], h);
    }
}

CODE void put_moved(truth here, moved *x, const moved *value) {
    put(here, &x->rest, value->rest);
    put(here, &x->push, value->push);
    put(here, &x->rate, value->rate);
}

/* What a sum has gained shortly after the start, by its series; the sum of the motions themselves
 * has less digits then. */
CODE real gain_of(const motions *m, const sight *s, real time) {
    enum { TERMS = 16 };
    real sum = number(0);
    for (int j = 0; j < 2; j++) {
        const damped *d = &m->d[j];
        bool relaxes = j == 1 && m->relaxes;
        real before = s->value[j];
        real next = relaxes ? -m->relax * time * before : s->rate[j] * time;
        real pt = relaxes ? m->relax * time : d->p * time, qtt = d->q * time * time;
        real part = next;
        for (int k = 2; k <= TERMS; k++) {
            real after = -(pt * next) * (1.0 / k);
            after = relaxes ? after : after - qtt * before * (1.0 / (k * (k - 1)));
            before = next;
            next = after;
            part += next;
        }
        sum += part;
    }
    return sum;
}

/* The largest rate of all, at least. */
CODE real haste_of(const motions *m) {
    real first = m->d[0].size + size_of(m->d[0].p);
    return larger(first, m->relaxes ? m->relax : m->d[1].size + size_of(m->d[1].p));
}

/* ---- falls ---- */

enum { SIGHTS = 3 };

/* Of n sums the first that falls to 0 after `from`, before `limit`. */
typedef struct search {
    int n;
    sight s[SIGHTS];
    truth leaves[SIGHTS]; /* it begins at 0, which it leaves upward; */
    truth halted[SIGHTS]; /* a negative rate there is rounding */
    real from, limit;
    bool at_start; /* `from` is 0 */
    truth here;
    /* found: which is -1 where none falls; looks: at how many places it looked */
    real time, which, looks;
    moved now[2]; /* then, where one falls */
    truth hard;
} search;

/* The nearest of roots that may lie ahead; as outlook of dashpot_sights.c. */
typedef struct outlook {
    real step, second, which, newton;
} outlook;

/* The positive step within which f + f1 h - bend h^2 / 2 does not fall to 0. */
CODE real step_within(real f, real f1, real bend) {
    real root = root_of(f1 * f1 + 2 * bend * f);
    truth rises = f1 > 0;
    return pick(rises, f1 + root, 2 * f) / pick(rises, bend, root - f1);
}

/* What bends less does not move, or has come to rest but for what doubles can hold. */
static const double nothing = 1e-200;

/* On a part of the way the second derivative is above what it is now, less the third. */
CODE real safe_step(const motions *m, const view *w, real constant) {
    const double farther = 2;
    real first = step_within(w->f, w->f1, w->bend), jerk = jerk_of(m, w);
    real bend = larger(jerk * first * (farther / 3) - w->f2, w->bend * 1e-3);
    real step = larger(first, smaller(farther * first, step_within(w->f, w->f1, bend)));
    truth rises = (w->f1 >= 0) & (w->f2 > 0);
    if (any(rises)) {
        put(rises, &step, larger(step, 2.9 * w->f2 / jerk));
    }
    truth never = (constant == 0) & (w->bend < nothing);
    if (m->rests) {
        never = never | (constant > w->reach);
    }
    return pick(w->f > 0, pick(never, number(INFINITY), step), number(0));
}

CODE real step_from_root(const motions *m, const view *w, truth halted) {
    real by_bend = pick(w->f2 > 0, 1.5 * w->f2 / jerk_of(m, w), number(0));
    truth rises = (w->f1 >= 0) | (halted & (-w->f1 <= 1e-6 * by_bend * w->f2));
    real by_slope = pick(w->f1 > 0, w->f1 / w->bend, number(0));
    real step = larger(by_slope, pick(rises, by_bend, number(0)));
    return pick(w->bend < nothing, number(INFINITY), step);
}

/* Whether Newton's method finds the root nearby: the second derivative, from now on until 1.2 of
 * its first steps later, does not bend the sum back before. All of it times the slope. */
CODE truth is_near(const motions *m, const view *w) {
    real bend = 1.2 * jerk_of(m, w) * w->f - w->f2 * w->f1;
    return (w->f1 < 0) & (2 * bend * w->f <= -0.3 * w->f1 * w->f1 * w->f1);
}

/* The way to the root nearby, by the inverse of the series where that has few terms, otherwise by
 * Newton's method. *rest: what is left of it, about. */
CODE real way_to_root(const view *w, real *rest) {
    real inverse = 1 / w->f1, u = -w->f * inverse, a = w->f2 * inverse * u / 2;
    real b = w->f3 * inverse * (u * u) * (1.0 / 6), c = w->f4 * inverse * (u * u * u) * (1.0 / 24);
    real small = a * a + size_of(b), more = (2 * a * a - b) - (5 * a * (a * a - b) + c) - a;
    truth brief = small + size_of(c) < 0.1;
    *rest = size_of(u) * pick(brief, 60 * small * small, size_of(a));
    return pick(brief, u * (1 + more), u);
}

CODE void consider(outlook *ahead, real which, real step, real newton) {
    truth nearer = step < ahead->step;
    ahead->second = pick(nearer, ahead->step, smaller(step, ahead->second));
    put(nearer, &ahead->which, which);
    put(nearer, &ahead->newton, newton);
    put(nearer, &ahead->step, step);
}

CODE outlook look_ahead(const motions *m, const search *k, real time, const moved now[2],
                        bool first) {
    const real far = number(INFINITY);
    outlook ahead = {.step = far, .second = far, .which = number(-1), .newton = far};
    truth early = haste_of(m) * time < 0.5;
    for (int i = 0; i < k->n; i++) {
        view w = view_of(m, &k->s[i], now);
        truth gains = k->leaves[i] & early;
        if (!first && k->at_start && any(gains)) {
            put(gains, &w.f, gain_of(m, &k->s[i], time));
        }
        real step = safe_step(m, &w, k->s[i].constant);
        truth near = (step > 0) & is_near(m, &w);
        if (first) {
            step = pick(k->leaves[i], step_from_root(m, &w, k->halted[i]), step);
            near = near & not(k->leaves[i]);
        }
        real newton = far, rest;
        if (any(near)) {
            newton = pick(near, way_to_root(&w, &rest), far);
        }
        consider(&ahead, number(i), step, newton);
    }
    return ahead;
}

CODE sight chosen(const search *k) {
    sight s = k->s[0];
    for (int i = 1; i < k->n; i++) {
        truth other = k->which == i;
        for (int j = 0; j < 2; j++) {
            put(other, &s.value[j], k->s[i].value[j]);
            put(other, &s.rate[j], k->s[i].rate[j]);
        }
        put(other, &s.constant, k->s[i].constant);
    }
    return s;
}

/* Between two places of which the sum falls to 0. */
typedef struct bounds {
    real low, high;
} bounds;

/* Goes on to the root of a sum nearby, which may be known to be the only one between two bounds,
 * and sets the motions there. Returns the lanes that do not find it. */
static __attribute__((noinline)) truth come_between(const motions *m, const sight *s,
                                                    bounds *within, real *time, moved now[2],
                                                    truth here) {
    enum { MOST = 12 };
    const double negligible = 1e-17, brief = 1e-3;
    real haste = haste_of(m), last = number(0);
    truth open = here, lost = not(here) & here;
    for (int i = 0; i < MOST && any(open); i++) {
        moved there[2];
        motions_at(m, *time, there);
        view w = view_of(m, s, there);
        real rest, step = way_to_root(&w, &rest);
        truth falls = w.f1 < 0,
              close = (rest <= negligible * *time) & (size_of(step) * haste < brief);
        if (within) {
            put(w.f > 0, &within->low, *time);
            put(not(w.f > 0), &within->high, *time);
            real next = *time + step;
            truth inside = falls & (next >= within->low) & (next <= within->high);
            step = pick(inside, step, (within->low + within->high) / 2 - *time);
            close = close & inside;
        } else {
            lost = lost | (open & not(falls));
        }
        put(open, time, *time + step);
        put(open, &last, step);
        put_moved(open, &now[0], &there[0]);
        put_moved(open, &now[1], &there[1]);
        open = open & not(lost | close);
    }
    shift(m, last, now);
    return lost | open;
}

CODE truth come_near(const motions *m, const sight *s, real *time, moved now[2], truth here) {
    return come_between(m, s, NULL, time, now, here);
}

static __attribute__((noinline)) void first_fall(const motions *m, search *k) {
    enum { MOST = 40 };
    const moved start = not_moved();
    const real far = number(INFINITY), span = span_of(m);
    moved now[2] = {start, start};
    truth open = k->here, near = not(k->here) & k->here;
    k->hard = near;
    k->time = pick(k->here, k->from, number(0));
    k->which = number(-1);
    k->looks = number(1);
    k->now[0] = k->now[1] = start;
    if (any(k->time > 0)) {
        motions_at(m, k->time, now);
    }
    outlook ahead = look_ahead(m, k, k->time, now, true);
    for (int i = 0;; i++) {
        real most = smaller(ahead.second, span), next = k->time + smaller(ahead.step, span);
        truth arrives = open & (ahead.newton <= most) & (ahead.newton < far);
        put(arrives, &k->which, ahead.which);
        put(arrives, &k->time, k->time + ahead.newton);
        near = near | arrives;
        open = open & not(arrives) & (next < k->limit);
        k->hard = k->hard | (open & not(next > k->time));
        open = open & not(k->hard);
        put(open, &k->time, next);
        put(open, &k->looks, k->looks + 1);
        if (!any(open) || i == MOST) {
            break;
        }
        motions_at(m, k->time, now);
        ahead = look_ahead(m, k, k->time, now, false);
    }
    k->hard = k->hard | open;
    if (any(near)) {
        const sight s = chosen(k);
        k->hard = k->hard | come_near(m, &s, &k->time, k->now, near);
        put(near & not(k->time < k->limit), &k->which, number(-1));
    }
}

#endif
