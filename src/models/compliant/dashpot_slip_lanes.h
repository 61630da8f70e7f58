/* Slip under the law `dashpot` in lanes: as dashpot_slip.c, with losses in closed form. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_SLIP_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_SLIP_LANES_H

#include "models/compliant/dashpot_contacts_lanes.h"
#include "models/compliant/dashpot_swings_lanes.h"
#include "num/lanes/polynomial.h"

/* Slips on their way. T = s mu F, with mu of the sign of F. The rate of u is by_rate F' + by_bend
 * F'' and a part that relaxes. */
typedef struct slide {
    motions m;
    real q, g, size; /* rates of v_n and v_t over F; s mu */
    real force[3];   /* F and its derivatives at the start */
    real by_rate, by_bend, own;
    truth steady; /* u is found before its rate: otherwise one would be a difference of the other */
    truth meets;  /* u relaxes as the force does, but for a part in 10,000 */
} slide;

/* Of a relaxation only what is left is read. */
CODE void put_motions(truth here, moved x[2], const moved value[2]) {
    put_moved(here, &x[0], &value[0]);
    put(here, &x[1].rest, value[1].rest);
}

CODE void set_follower(const contacts *k, slide *w) {
    const double strong = 8, near = 0.2;
    const damped *d = &w->m.d[0];
    const real none = number(0);
    truth follows = k->p->drag > 0;
    real r = pick(follows, 1 / k->p->drag, none), far = d->q + r * (r - d->p),
         a = r * w->size / far;
    w->m.relax = r;
    w->by_rate = pick(follows, a * (r - d->p), w->size);
    w->by_bend = pick(follows, -a, none);
    /* Where u relaxes about as fast as the force creeps the parts of its rate nearly cancel. */
    real whole = r * (r + size_of(d->p)) + size_of(d->q);
    truth about = follows & creeps_apart(d) & (size_of(far) < near * whole);
    w->meets = follows & (size_of(far) < 0.0001 * whole);
    w->steady = about | w->meets |
                (k->p->drag >= pick(k->p->damping < strong, number(strong), number(0.5)));
    real drawn = w->by_rate * w->force[1] + w->by_bend * w->force[2];
    w->own = pick(follows, k->u_rate - drawn, none);
}

CODE void set_slide(const contacts *k, slide *w) {
    const imp_compliant_problem *p = k->p;
    real size = k->s * k->side * p->mu, q = 1 - size * p->c, force = force_of(k);
    w->q = q;
    w->size = size;
    w->g = pick(p->constrained, p->c * q, p->c - size * p->a);
    set_damped(&w->m.d[0], q * p->damping, q);
    w->m.relaxes = true;
    w->m.rests = false;
    w->force[0] = force;
    w->force[1] = -k->now.v_n - p->damping * q * force;
    w->force[2] = -w->m.d[0].p * w->force[1] - q * force;
    set_follower(k, w);
}

/* Slips whose force hardly changes. */
CODE truth is_hard_slide(const slide *w) {
    return not(size_of(w->q) > 0.0005);
}

/* Where u relaxes as the force does a search for a halt lacks digits, and so does u itself at the
 * end of a long slip, unless both roots lie apart. seeks: those that need the search. */
CODE truth lacks_digits(const slide *w, real end, truth seeks) {
    const damped *d = &w->m.d[0];
    real r = w->m.relax, far = d->q + r * (r - d->p);
    truth brief = is_short((d->p - 2 * r) * end, far * end * end);
    return w->meets & (seeks | not(creeps_apart(d) | brief));
}

/* Contacts at a time since the slip began. */
typedef struct slid {
    real force, rate, p_n, v_t, v_n, delta, u, u_rate;
} slid;

/* (exp(a t) - exp(b t)) / (a - b) by both exponentials. */
CODE real divided(real a, real b, real time, real of_a, real of_b) {
    real gap = a - b, x = gap * time, whole = (of_a - of_b) / gap;
    truth brief = size_of(x) < 1;
    if (any(brief)) {
        real inside = smaller(larger(x, number(-1)), number(1));
        put(brief, &whole, time * of_a * lost_by_creep(inside));
    }
    return whole;
}

/* What u keeps of a push of the force: the integral of exp(-relax (time - t)) push(t). */
CODE real followed(const slide *w, real time, const moved now[2]) {
    const damped *d = &w->m.d[0];
    real r = w->m.relax, left = now[1].rest, slowed = d->slow * now[0].push, kept = number(0);
    truth apart = creeps_apart(d);
    if (any(w->steady & not(apart))) {
        real far = d->q + r * (r - d->p); /* over the relaxation the push moves with p - 2 r */
        kept = (left - now[0].rest + r * now[0].push) / far;
        if (any(w->meets)) {
            put(w->meets, &kept,
                left * kept_by_series((d->p - 2 * r) * time, far * time * time, time));
        }
    }
    if (any(w->steady & apart)) {
        real slow = divided(d->slow, -r, time, now[0].rest + slowed, left);
        real fast = divided(d->fast, -r, time, now[0].rate - slowed, left);
        put(apart, &kept, (slow - fast) * (d->over_size / 2));
    }
    return kept;
}

CODE slid slid_by(const contacts *k, const slide *w, real time, const moved now[2]) {
    const damped *d = &w->m.d[0];
    const state *from = &k->now;
    slid a;
    real kept = kept_of(d, time, &now[0]);
    a.force = now[0].rest * w->force[0] + now[0].push * w->force[1];
    a.rate = now[0].rate * w->force[1] - w->q * now[0].push * w->force[0];
    a.p_n = now[0].push * w->force[0] - kept * from->v_n;
    a.v_n = now[0].rate * from->v_n + w->q * now[0].push * from->delta;
    a.delta = now[0].rest * from->delta - now[0].push * from->v_n;
    a.v_t = pick(k->p->constrained, k->p->c * a.v_n, from->v_t + w->g * a.p_n);
    real bend = -d->p * a.rate - d->q * a.force;
    a.u_rate = w->by_rate * a.rate + w->by_bend * bend + w->own * now[1].rest;
    a.u = w->size * a.force - k->p->drag * a.u_rate;
    if (any(w->steady)) {
        real r = w->m.relax, drawn = now[0].push * w->force[0] -
                                     followed(w, time, now) * (from->v_n + r * w->force[0]);
        put(w->steady, &a.u, from->u * now[1].rest + r * w->size * drawn);
        put(w->steady, &a.u_rate, r * (w->size * a.force - a.u));
    }
    return a;
}

CODE slid slid_at(const contacts *k, const slide *w, real time) {
    moved now[2];
    motions_at(&w->m, time, now);
    return slid_by(k, w, time, now);
}

/* What friction and the tangential dashpot take together. */
CODE real slid_loss(const contacts *k, const slide *w, const slid *a) {
    real work = w->size * a->p_n * (k->now.v_t + a->v_t) / 2;
    return work - (a->u - k->now.u) * (a->u + k->now.u) / 2;
}

CODE real slid_work(const contacts *k, const slid *a) {
    return a->p_n * (k->now.v_n + a->v_n) / 2;
}

/* When the force vanishes, or the elongation where that ends the contact; now: the motions then,
 * or at the start if they never do. */
CODE real end_of(const contacts *k, const slide *w, truth *releases, moved now[2], truth here) {
    const damped *d = &w->m.d[0];
    real z = positive_part(k->side * w->force[0]), rate = k->side * w->force[1];
    real delta = k->now.delta, speed = -k->now.v_n;
    real end = flat_of(d, delta, speed, k->side * w->force[0], rate, here);
    truth pulls = here & (k->side < 0);
    *releases = k->p->by_elongation == 0;
    if (any(pulls)) {
        real gone = fall_of(d, delta, speed, pulls);
        truth earlier = pulls & (gone <= end);
        *releases = *releases | earlier;
        put(earlier, &end, gone);
        put(earlier, &z, delta);
        put(earlier, &rate, speed);
    }
    truth ends = here & (end < INFINITY);
    real time = pick(ends, end, number(0));
    const moved start = not_moved();
    now[0] = moved_at_fall(d, z, rate, time);
    now[1] = (moved){.rest = exponential(-w->m.relax * time)};
    put_moved(not(ends), &now[0], &start);
    return end;
}

/* The slip speed and `drag` times its rate together: the speed follows it by its relaxation. It is
 * a motion around a level, and turns once at most while the force presses. */
typedef struct lead {
    real first, slope, bend; /* at the start: it, its rate and the rate of that */
    real last, last_slope;   /* at the end */
    real size;               /* of its terms */
    real by_rate;            /* its rate over that of the force, where this vanishes */
} lead;

CODE lead lead_of(const contacts *k, const slide *w, const slid *last) {
    const imp_compliant_problem *p = k->p;
    real sg = k->s * w->g, by_force = sg + p->mu * w->q,
         by_rate = p->drag * sg + p->mu * w->m.d[0].p;
    real first = k->s * k->now.v_t, end = k->s * last->v_t;
    return (lead){.first = first + p->drag * sg * w->force[0] - p->mu * w->force[1],
                  .slope = by_force * w->force[0] + by_rate * w->force[1],
                  .bend = by_force * w->force[1] + by_rate * w->force[2],
                  .last = end + p->drag * sg * last->force - p->mu * last->rate,
                  .last_slope = by_force * last->force + by_rate * last->rate,
                  .size = size_of(first) + size_of(end) +
                          p->mu * (size_of(w->force[1]) + size_of(last->rate)) +
                          p->drag * size_of(sg) * size_of(w->force[0]),
                  .by_rate = by_rate};
}

/* As never_halts of dashpot_slip.c. last: at the end. */
CODE truth never_halts(const contacts *k, const slide *w, const slid *last) {
    const double clearly = 1e-6, rounding = 1e-12;
    const imp_compliant_problem *p = k->p;
    const lead x = lead_of(k, w, last);
    truth one_way = (x.by_rate >= 0) | (x.slope >= 0);
    truth starts = (k->halted & (x.first >= -rounding * x.size)) |
                   (not(k->halted) & (x.first > clearly * x.size));
    truth ends_tell = ((w->q > 0) & one_way) | (p->constrained & not(w->m.d[0].swings));
    return (k->side > 0) & ends_tell & starts & (x.last > clearly * x.size);
}

/* The slip speed is a sum of the motion of the force and the relaxation. Of a guided body nothing
 * is left over, not even by rounding. */
CODE sight slip_speed(const contacts *k, const slide *w) {
    const damped *d = &w->m.d[0];
    const real *f = w->force;
    real f3 = -d->p * f[2] - d->q * f[1], whole = w->g * (f[1] + d->p * f[0]) * d->over_q;
    return (sight){
        .value = {-k->s * (whole + w->by_rate * f[1] + w->by_bend * f[2]), -k->s * w->own},
        .rate = {k->s * (w->g * f[0] - w->by_rate * f[2] - w->by_bend * f3), number(0)},
        .constant = pick(k->p->constrained, number(0), k->s * (k->now.v_t + whole)),
    };
}

/* The view of the slip speed of a body that swings as its first motion falls to 0; left: of the
 * relaxation. */
CODE view view_at_fall(const slide *w, const sight *s, const moved *now, real left) {
    const damped *d = &w->m.d[0];
    real r = w->m.relax, own = left * s->value[1];
    real f1 = now->rate * s->rate[0] - d->q * now->push * s->value[0], f2 = -d->p * f1;
    real f3 = -d->p * f2 - d->q * f1, f4 = -d->p * f3 - d->q * f2;
    return (view){.f = own,
                  .f1 = f1 - r * own,
                  .f2 = f2 + r * r * own,
                  .f3 = f3 - r * r * r * own,
                  .f4 = f4 + r * r * r * r * own};
}

/* Whether the slip speed begins above 0, or leaves it. */
CODE truth begins_above(const contacts *k, const slide *w, const sight *s) {
    const damped *d = &w->m.d[0];
    real r = w->m.relax, z = s->value[0], rate = s->rate[0] + r * z;
    truth rises = (rate > 0) | (-((d->p - 2 * r) * rate + (d->q + r * (r - d->p)) * z) > 0);
    return (k->halted & rises) | (not(k->halted) & (z + s->value[1] > 0));
}

/* When the first motion of the slip speed falls to 0, infinite where it never does, and the motion
 * then. From below 0 a swing is above 0 for half a swing before. */
CODE real fall_of_motion(const slide *w, const sight *s, moved *then, truth here) {
    const damped *d = &w->m.d[0];
    truth later = s->value[0] < 0;
    real sign = pick(later, number(-1), number(1)), z = sign * s->value[0],
         rate = sign * s->rate[0];
    real fall = fall_of(d, z, rate, here);
    fall = pick(later, fall + IMP_PI * d->over_size, fall);
    *then = moved_at_fall(d, z, rate, pick(here & (fall < INFINITY), fall, number(0)));
    const moved back = opposite(then);
    put_moved(later, then, &back);
    return fall;
}

/* Divides a motion by a relaxation: what it is then swings as fast. */
CODE damped over_relaxation(const damped *d, real relax) {
    damped over = *d;
    over.p = d->p - 2 * relax;
    over.half = d->half - relax;
    over.q = d->q + relax * (relax - d->p);
    over.over_q = 1 / over.q;
    over.slow = d->slow + relax;
    over.fast = d->fast + relax;
    return over;
}

/* The slip speed over its relaxation. */
CODE swing speed_over(const contacts *k, const slide *w, const sight *s, const damped *over) {
    return (swing){.d = over,
                   .level = s->value[1],
                   .z = s->value[0],
                   .rate = s->rate[0] + w->m.relax * s->value[0],
                   .leaves = k->halted,
                   .halted = k->halted};
}

/* Sets the motions at a time from the first one over the relaxation. */
CODE void put_relaxed(const slide *w, real time, const moved *over, moved now[2], truth here) {
    real r = w->m.relax, left = exponential(-r * pick(here, time, number(0)));
    real push = left * over->push, rate = left * over->rate - r * push;
    const moved there = {.rest = rate + w->m.d[0].p * push, .push = push, .rate = rate};
    put_motions(here, now, (moved[2]){there, {.rest = left}});
}

/* The halt of guided bodies whose force swings, infinite if that is not before `end`: the slip
 * speed over its relaxation is a motion around a level. Before the force vanishes it has one
 * descent. */
CODE truth find_swung(const contacts *k, const slide *w, const sight *s, const damped *over,
                      real end, real *halt, moved now[2], truth here) {
    const swing speed = speed_over(k, w, s, over);
    descent fall;
    find_descent(&speed, here, &fall);
    truth falls = fall.falls & not(fall.hard);
    pursuit way;
    truth hard = fall.hard | find_on_descent(&speed, &fall, falls, &way);
    falls = falls & not(hard);
    truth halts = falls & (way.time < end);
    here = here & not(hard);
    put(here, halt, pick(halts, way.time, number(INFINITY)));
    put_relaxed(w, way.time, &way.now, now, halts);
    return here;
}

/* The slip speed over its relaxation, of guided bodies whose force creeps: a sum of three
 * exponentials, which has one turn at most. first: its value and rate at the start, last: at the
 * end. */
typedef struct crawl {
    swing speed;
    real end, first, last, last_rate;
} crawl;

/* Whether it may have two zeros before the end: the signs of the three, from the slowest on, change
 * twice. clear: they are not rounding, nor is the sign of the speed at the end. now: the motions
 * then. */
CODE truth may_turn_back(const slide *w, const sight *s, const moved now[2], crawl *x,
                         truth *clear) {
    const double clearly = 1e-9;
    const damped *d = &w->m.d[0], *over = x->speed.d;
    real own = s->value[1], z = s->value[0], rate = s->rate[0], over_left = 1 / now[1].rest;
    real moves = now[0].rest * z + now[0].push * rate, left = now[1].rest * own;
    real change = now[0].rate * rate - d->q * now[0].push * z, last = moves + left;
    real slow = rate - d->fast * z, fast = d->slow * z - rate;
    truth first = (over->slow < 0), final = (over->fast > 0);
    real middle = pick(first, slow, pick(final, fast, own));
    *clear = (size_of(own) > clearly * size_of(z)) &
             (size_of(last) > clearly * (size_of(moves) + size_of(left))) &
             (size_of(slow) > clearly * size_of(d->fast * z)) &
             (size_of(fast) > clearly * size_of(d->slow * z)) &
             (x->speed.halted | (z + own > clearly * (size_of(z) + size_of(own))));
    x->first = z + own;
    x->last = last * over_left;
    x->last_rate = (change + w->m.relax * moves) * over_left;
    return (pick(first, own, slow) * middle < 0) & (pick(final, own, fast) * middle < 0);
}

/* Takes the way from its top, or to its bottom, where that is before the end and the value there
 * has the sign that counts. Returns the bodies that this decides. */
CODE truth cut_at_turn(const crawl *x, truth to_top, truth to_bottom, descent *w) {
    const double clearly = 1e-9;
    const swing *s = &x->speed;
    real sign = pick(to_bottom, number(-1), number(1)), bend = s->d->p * s->rate + s->d->q * s->z;
    real value, slope, turn = fall_of(s->d, sign * s->rate, -sign * bend, to_top | to_bottom);
    truth before = turn < x->end, late = to_bottom & not(before);
    value_at(s, s->rate, pick((to_top | to_bottom) & before, turn, number(0)), &value, &slope);
    truth clear = size_of(value) > clearly * (size_of(s->level) + size_of(value - s->level));
    to_top = to_top & before & clear & (value > 0);
    to_bottom = to_bottom & before & clear;
    truth low = to_bottom & (value < 0);
    put(to_top, &w->from, turn);
    put(to_top, &w->high, value);
    put(to_top, &w->high_rate, number(0));
    put(low, &w->to, turn);
    put(low, &w->low, value);
    put(low, &w->low_rate, number(0));
    w->falls = w->falls | to_top | low;
    return to_top | to_bottom | late;
}

/* The part of the way on which it falls to 0, if there is one: to the end, from its top if it
 * begins at 0, or to a bottom below 0. Returns the bodies that this decides. */
CODE truth find_crawl(const crawl *x, truth twice, truth here, descent *w) {
    const swing *s = &x->speed;
    truth falls = here & (x->last < 0), rises = here & not(falls);
    truth to_bottom = rises & not(s->halted) & twice & (s->rate < 0);
    truth to_top = falls & s->halted & (s->rate > 0);
    truth decided = (falls & not(s->halted)) | (rises & not(to_bottom));
    w->from = number(0);
    w->to = x->end;
    w->high = x->first;
    w->high_rate = s->rate;
    w->low = x->last;
    w->low_rate = x->last_rate;
    w->falls = falls & not(s->halted);
    if (any(to_top | to_bottom)) {
        decided = decided | cut_at_turn(x, to_top, to_bottom, w);
    }
    w->about = about_fall(w);
    w->hard = w->exact = here & not(here);
    return decided;
}

/* The halt of such bodies, infinite if it is not before `end`. Returns the bodies that this
 * decides. now: the motions at the end; of bodies that halt at the halt. */
CODE truth find_crept(const contacts *k, const slide *w, const sight *s, real end, real *halt,
                      moved now[2], truth here) {
    const double most = 300;
    const damped over = over_relaxation(&w->m.d[0], w->m.relax);
    crawl x = {.speed = speed_over(k, w, s, &over), .end = end};
    truth clear, twice = may_turn_back(w, s, now, &x, &clear);
    here = here & clear & begins_above(k, w, s) & (w->m.relax * end < most);
    descent fall;
    here = find_crawl(&x, twice, here, &fall);
    truth halts = here & fall.falls;
    put(here & not(halts), halt, number(INFINITY));
    if (any(halts)) {
        pursuit way;
        truth lost = find_on_descent(&x.speed, &fall, halts, &way);
        here = here & not(halts & lost);
        halts = halts & not(lost);
        put(halts, halt, way.time);
        put_relaxed(w, way.time, &way.now, now, halts);
    }
    return here;
}

/* Sets *halt to the halt of guided bodies, infinite if that is not before `end`, where it is near
 * the fall of the first motion of the slip speed: then no other fall is within half a swing, and
 * none before. A speed that rises while that motion creeps and never falls rises for ever. Returns
 * the bodies that this decides. now: the motions at the end; of bodies that halt at the halt. */
CODE truth find_soon(const contacts *k, const slide *w, const sight *s, real end, real *halt,
                     moved now[2], truth here) {
    const double negligible = 1e-17, brief = 1e-3;
    const damped *d = &w->m.d[0];
    truth rises = s->rate[0] + w->m.relax * s->value[0] > 0, guided = here & (k->side > 0);
    moved there[2];
    here = here & begins_above(k, w, s) & ((s->value[0] >= 0) | (rises & d->swings));
    real rest, fall = fall_of_motion(w, s, &there[0], here);
    truth falls = here & (fall < INFINITY), hard = here & not(here);
    truth never = here & not(falls) & not(d->swings) & rises & (d->slow + w->m.relax > 0);
    fall = pick(falls, fall, number(0));
    there[1] = (moved){.rest = exponential(-w->m.relax * fall)};
    view sees = view_at_fall(w, s, &there[0], there[1].rest);
    real step = way_to_root(&sees, &rest), time = pick(falls, fall + step, number(0));
    truth close = (rest <= negligible * fall) & (size_of(step) * haste_of(&w->m) < brief);
    truth open = falls & not(close);
    shift(&w->m, step, there);
    if (any(open)) {
        moved near[2] = {not_moved(), not_moved()};
        hard = come_near(&w->m, s, &time, near, open);
        put_motions(open, there, near);
    }
    falls = falls & not(hard) & (2 * time > fall) & (size_of(time - fall) * d->size < 1);
    truth halts = falls & (time < end);
    put(falls | never, halt, pick(halts, time, number(INFINITY)));
    put_motions(halts, now, there);
    truth swung = guided & not(falls | never) & d->swings;
    if (any(swung)) {
        const damped over = over_relaxation(d, w->m.relax);
        swung = find_swung(k, w, s, &over, end, halt, now, swung & swings_freely(&over));
    }
    return falls | never | swung;
}

/* Where the slip speed falls to 0, from about a time on. Returns the bodies that halt there. */
CODE truth come_to_halt(const slide *w, const sight *s, real end, real about, real *halt,
                        moved now[2], truth falls) {
    moved at[2] = {not_moved(), not_moved()};
    falls = falls & not(come_near(&w->m, s, &about, at, falls)) & (about > 0) & (about < end);
    put(falls, halt, about);
    put_motions(falls, now, at);
    return falls;
}

/* Whether the slip speed stays above 0 where its lead rises once through 0 on the way from `low` at
 * the time `from` to the end: the speed falls until then, and would rise from below 0 after that.
 * It is looked at near that instant, and the lead that is left there moves it little. now: the
 * motions at the end. */
CODE truth stays_above_dip(const slide *w, const sight *s, const lead *x, real from, real low,
                           real slope, real least, real end, const moved now[2], truth here) {
    const double clearly = 1e-9, surely = 1.01;
    const damped *d = &w->m.d[0];
    real length = pick(here, end - from, number(1)), time = from;
    time += about_zero(2, length, pick(here, -low, number(1)), -slope,
                       pick(here, -x->last, number(-1)), -x->last_slope);
    moved there[2];
    motions_at(&w->m, pick(here, time, number(0)), there);
    real rate = there[0].rest * x->slope + there[0].push * x->bend;
    real bend = there[0].rate * x->bend - d->q * there[0].push * x->slope;
    real now_led = x->first + (x->bend - bend + d->p * (x->slope - rate)) * d->over_q;
    real z = there[0].rest * s->value[0] + there[0].push * s->rate[0];
    real left = there[1].rest, own = left * s->value[1], speed = s->constant + z + own;
    real lost = pick(now_led < 0, now_led * (now[1].rest - left), now_led * (1 - left));
    real size = size_of(s->constant) + size_of(z) + size_of(own);
    return here & (rate > 0) & (speed > least) & (speed > clearly * size) &
           (speed * pick(now_led < 0, now[1].rest, number(1)) > surely * lost);
}

/* The halt where the lead begins above 0: it is below 0 in one stretch at most. least: of leads
 * that are not rounding, and of speeds. last: at the end. */
CODE truth find_later(const contacts *k, const slide *w, const sight *s, const lead *x, real least,
                      real end, const slid *last, real *halt, moved now[2], truth here) {
    const damped *d = &w->m.d[0];
    truth sinks = here & (x->slope < 0);
    real turn = fall_of(d, positive_part(-x->slope), -x->bend, sinks), low = x->last, until = end;
    truth bottoms = sinks & (turn < end);
    real time = pick(bottoms, turn, number(0));
    const moved there = moved_at_fall(d, -x->slope, -x->bend, time);
    real bend = there.rate * x->bend - d->q * there.push * x->slope; /* at the bottom */
    real bottom = x->first + (x->bend + d->p * x->slope - bend) * d->over_q;
    put(bottoms, &low, bottom);
    put(bottoms, &until, turn);
    truth never = here & (x->last > least) & not(bottoms & not(bottom > least));
    truth falls = here & (low < -least), dips = falls & (x->last > least);
    never = never | (falls & (x->last < -least) & (k->s * (last->v_t - last->u_rate) > least));
    if (any(dips)) {
        never = never | stays_above_dip(w, s, x, time, low, number(0), least, end, now, dips);
    }
    falls = falls & not(never);
    put(never, halt, number(INFINITY));
    if (any(falls)) {
        real length = pick(falls, until, number(1)), high = pick(falls, x->first, number(1));
        real about = about_zero(2, length, high, x->slope, pick(falls, low, number(-1)), number(0));
        about += smaller(k->p->drag, (end - about) / 2);
        falls = come_to_halt(w, s, end, about, halt, now, falls);
    }
    return never | falls;
}

/* The halt where the lead is below 0 from the start on, in one stretch: there the slip speed only
 * falls, and its sign at the end of that tells whether it does to 0. */
CODE truth find_drawn(const contacts *k, const slide *w, const sight *s, const lead *x, real least,
                      real end, const slid *last, real *halt, moved now[2], truth here) {
    const double straight = 0.9;
    real high = k->s * (k->now.v_t - k->u_rate), low = k->s * (last->v_t - last->u_rate);
    here = here & not(k->halted) & (k->p->drag > 0) & (high > least);
    truth below = (x->last < 0) & ((x->slope < 0) | (x->by_rate < 0));
    truth falls = here & (below | (x->last > 0)) & (low < -least), never = here & below;
    never = never & (low > least);
    truth dips = here & (x->last > least) & (low > least);
    if (any(dips)) {
        never =
            never | stays_above_dip(w, s, x, number(0), x->first, x->slope, least, end, now, dips);
    }
    put(never, halt, number(INFINITY));
    if (any(falls)) {
        real r = w->m.relax, length = pick(falls, end, number(1)), fall = r * (high - x->first);
        real about = about_zero(2, length, pick(falls, high, number(1)), -fall,
                                pick(falls, low, number(-1)), r * (x->last - low));
        /* As an exponential falls that bends alike: -log(1 - y) / y times as late as a line. */
        real y = high * r * (x->slope + fall) / (fall * fall);
        put(size_of(y) < straight, &about, high / fall * (6 - y) / (6 - 4 * y));
        falls = come_to_halt(w, s, end, about, halt, now, falls);
    }
    return never | falls;
}

/* The halt of free bodies, infinite if it is not before `end`. The slip speed can only fall to 0
 * where its lead is below 0, and in a stretch of it only once. Returns the bodies that this
 * decides. last: at the end, now: the motions then; of bodies that halt at the halt. */
CODE truth find_led(const contacts *k, const slide *w, const sight *s, real end, const slid *last,
                    real *halt, moved now[2], truth here) {
    const double clearly = 1e-6;
    const lead x = lead_of(k, w, last);
    real least = clearly * x.size;
    here = here & (k->side > 0) & (w->q > 0) & (end < INFINITY);
    truth later = here & (x.first > least), drawn = here & (x.first < -least);
    later = find_later(k, w, s, &x, least, end, last, halt, now, later);
    if (any(drawn)) {
        drawn = find_drawn(k, w, s, &x, least, end, last, halt, now, drawn);
    }
    return later | drawn;
}

/* A slip on its way to its end, by a halt or else with the force or the elongation. now: the
 * motions then. asked: of find_soon, which decided some of them; until seek_end these have their
 * halt, infinite where there is none, and the motions then as `end` and `now`. */
typedef struct slipping {
    contacts *k;
    slide w;
    moved now[2];
    slid last; /* the contact then, where nothing halts */
    real end;
    truth here, halts, releases, asked, decided;
} slipping;

/* When the slip halts; infinite if it does not before `end`. now: the motions then. */
CODE real halt_of(slipping *x, real end, moved now[2], truth here) {
    const double soon_looks = 2;
    contacts *k = x->k;
    slide *w = &x->w;
    truth soon = here & x->decided, open = here & k->p->constrained & not(x->asked);
    truth known = soon & (x->end < end);
    real halt = pick(known, x->end, number(INFINITY)), looks = number(soon_looks);
    put_motions(known, now, x->now);
    search way;
    way.n = 1;
    way.from = number(0);
    way.limit = end;
    way.at_start = true;
    way.s[0] = slip_speed(k, w);
    way.leaves[0] = way.halted[0] = k->halted;
    if (any(open)) {
        soon = soon | find_soon(k, w, &way.s[0], end, &halt, now, open);
    }
    truth creeps = here & k->p->constrained & not(soon | w->m.d[0].swings) & (end < INFINITY);
    if (any(creeps)) {
        soon = soon | find_crept(k, w, &way.s[0], end, &halt, now, creeps);
    }
    truth free = here & not(k->p->constrained | soon);
    if (any(free)) {
        soon = soon | find_led(k, w, &way.s[0], end, &x->last, &halt, now, free);
    }
    way.here = here & not(soon);
    if (any(way.here)) {
        set_bounds(&w->m.d[0]);
        first_fall(&w->m, &way);
        k->hard = k->hard | way.hard;
        truth halts = way.here & (way.which >= 0);
        put_motions(halts, now, way.now);
        put(halts, &halt, way.time);
        put(way.here, &looks, way.looks);
    }
    put(here, &k->spent, k->spent + looks);
    return halt;
}

/* ---- what the tangential dashpot takes in slip ---- */

/* The integral of exp(-rate t) until a time. */
CODE real integral_of_decay(real rate, real time) {
    real x = rate * time, whole = (1 - exponential(-x)) / rate;
    truth brief = size_of(x) < 1;
    real inside = smaller(larger(x, number(-1)), number(1));
    return any(brief) ? pick(brief, time * lost_by_creep(inside), whole) : whole;
}

/* The integral of z^2 for a motion that leads from z and its rate to those at the end, where its
 * roots nearly meet: from the changes of z^2, z'^2 and z z'. */
CODE real square_near_critical(const damped *d, const real z[2], const real rate[2]) {
    real of_z = (z[1] - z[0]) * (z[1] + z[0]), of_rate = (rate[1] - rate[0]) * (rate[1] + rate[0]);
    real of_both = rate[1] * z[1] - rate[0] * z[0];
    real of_rates = -(of_rate + d->q * of_z) / (2 * d->p); /* the integral of z'^2 */
    return (of_rates - d->p * of_z / 2 - of_both) * d->over_q;
}

/* The integral of z^2 for a motion, from z and its rate at the start. */
CODE real integral_of_square(const damped *d, real z, real rate, real time) {
    real back = (rate + d->half * z) * d->over_size; /* z cos + back sin, times a decay */
    real mean = integral_of_decay(d->p, time) / 2, sine, cosine;
    imp_lanes_sine(2 * turned(d, time), &sine, &cosine);
    real decay = exponential(-d->p * time);
    /* The integrals of the decay by the cosine and the sine of twice the angle. */
    real even = (d->half * (1 - decay * cosine) + d->size * decay * sine) * d->over_q / 2;
    real odd = (d->size * (1 - decay * cosine) - d->half * decay * sine) * d->over_q / 2;
    real swung = (z * z + back * back) * mean + (z * z - back * back) / 2 * even + z * back * odd;
    if (!any(not(d->swings))) {
        return swung;
    }
    real slow = (rate - d->fast * z) * d->over_size / 2, fast = z - slow;
    real crept = slow * slow * integral_of_decay(-2 * d->slow, time) +
                 fast * fast * integral_of_decay(-2 * d->fast, time) + 4 * slow * fast * mean;
    return pick(d->swings, swung, crept);
}

/* The integral of the square of the rate of u in a short slip: that rate by its series, at the
 * points of Gauss's rule. */
CODE real short_square(const contacts *k, const slide *w, real end) {
    enum { TERMS = 18 };
    static const double node[] = {0.1834346424956498, 0.525532409916329, 0.7966664774136267,
                                  0.9602898564975363};
    static const double weight[] = {0.362683783378362, 0.31370664587788727, 0.22238103445337448,
                                    0.10122853629037626};
    const damped *d = &w->m.d[0];
    real f[3] = {w->force[1] * end, w->force[2] * end, number(0)}, c[TERMS], sum = number(0);
    c[0] = k->u_rate;
    for (int i = 1; i < TERMS; i++) { /* f: terms i - 1 and i of the series of F', but for 1/end */
        c[i] = w->m.relax * (w->size * f[0] - c[i - 1] * end) * (1.0 / i);
        f[1] = i == 1 ? f[1] * end : f[1];
        f[2] = -(d->p * end * f[1] + d->q * end * end * f[0] * (1.0 / i)) * (1.0 / (i + 1));
        f[0] = f[1];
        f[1] = f[2];
    }
    for (int i = 0; i < 4; i++) {
        real low = imp_lanes_polynomial_at(c, TERMS - 1, number((1 - node[i]) / 2));
        real high = imp_lanes_polynomial_at(c, TERMS - 1, number((1 + node[i]) / 2));
        sum += weight[i] * (low * low + high * high);
    }
    return sum * end / 2;
}

/* Of the square of the rate w of u, which relaxes as w' = r (size F' - w): the integral of F'^2 and
 * the changes of w^2, F' w and F'' w give those of F' w and of w^2. a: at the end. */
CODE real tangential_loss(const contacts *k, const slide *w, real end, const slid *a) {
    const damped *d = &w->m.d[0];
    const real z[2] = {w->force[1], a->rate},
               bend[2] = {w->force[2], -d->p * a->rate - d->q * a->force};
    real square = integral_of_square(d, z[0], bend[0], end);
    truth near = is_near_critical(d);
    if (any(near)) {
        put(near, &square, square_near_critical(d, z, bend));
    }
    real r = w->m.relax, first = k->u_rate, last = a->u_rate, drawn = r * w->size;
    real of_both = z[1] * last - z[0] * first, of_bend = bend[1] * last - bend[0] * first;
    real of_z = (z[1] - z[0]) * (z[1] + z[0]), of_w = (last - first) * (last + first);
    real both = (drawn * of_z / 2 - of_bend - (r + d->p) * (of_both - drawn * square)) /
                (r * (r + d->p) + d->q);
    real sum = w->size * both - k->p->drag * of_w / 2;
    truth brief = haste_of(&w->m) * end < 1;
    if (any(brief)) {
        put(brief, &sum, short_square(k, w, end));
    }
    return pick(k->p->drag > 0, k->p->drag * sum, number(0));
}

/* The same from u where the dashpot is strong: u' is r (size F - u), and the integral of F^2 with
 * the changes of F^2, F u and F' u gives that of F u. */
CODE real steady_loss(const contacts *k, const slide *w, real end, const slid *a) {
    const damped *d = &w->m.d[0];
    const real f[2] = {w->force[0], a->force}, rate[2] = {w->force[1], a->rate};
    const real u[2] = {k->now.u, a->u};
    real square = integral_of_square(d, f[0], rate[0], end);
    truth near = is_near_critical(d);
    if (any(near)) {
        put(near, &square, square_near_critical(d, f, rate));
    }
    real r = w->m.relax, drawn = r * w->size;
    real of_f = (f[1] - f[0]) * (f[1] + f[0]), of_u = (u[1] - u[0]) * (u[1] + u[0]);
    real of_both = f[1] * u[1] - f[0] * u[0], of_rate = rate[1] * u[1] - rate[0] * u[0];
    real both = (drawn * of_f / 2 - of_rate - (d->p + r) * (of_both - drawn * square)) /
                (d->q + r * (d->p + r));
    return drawn * (w->size * square - both) - of_u / 2;
}

CODE void note_slip_loss(contacts *k, const slide *w, real end, const slid *a, truth here) {
    real taken = tangential_loss(k, w, end, a), both = slid_loss(k, w, a);
    truth steady = (k->p->drag >= 1) & (w->q > 0);
    if (any(steady)) {
        put(steady, &taken, steady_loss(k, w, end, a));
    }
    put(here, &k->tangential_loss, k->tangential_loss + taken);
    add_slip_loss(k->p->account, k->now.phases - 1, both - taken, here);
}

CODE void note_slip_force(const contacts *k, real force, real time, truth here) {
    imp_compliant_account *account = k->p->account;
    note_force(&account->normal, force, k->now.time + time, here & (force > 0));
    note_force(&account->tangential, k->p->mu * force, k->now.time + time, here);
}

CODE void note_slip_peaks(const contacts *k, const slide *w, real end, const slid *a, truth here) {
    truth rises = here & (w->force[1] > 0);
    real top = pick(rises, fall_of(&w->m.d[0], w->force[1], w->force[2], rises), number(INFINITY));
    top = pick(here, smaller(top, end), number(0));
    note_slip_force(k, w->force[0], number(0), here);
    note_slip_force(k, slid_at(k, w, top).force, top, here);
    note_slip_force(k, a->force, end, here);
}

/* ---- the whole slip ---- */

/* A constrained body may halt as its indentation turns: which comes first is rounding. at_end: the
 * motions at the end, and v_n: within half a swing it says whether there was a turn. */
CODE void note_slip_turn(contacts *k, const slide *w, real end, const moved at_end[2], real v_n,
                         truth here) {
    const double at_once = 1e-12, clearly = 1e-6;
    state *now = &k->now;
    truth brief = not(w->m.d[0].swings) | (end * w->m.d[0].size < IMP_PI);
    truth falls = here & (now->v_n < 0) & not(brief & (v_n < -clearly));
    if (!any(falls)) {
        return;
    }
    real speed = -now->v_n, rate = -w->q * w->force[0];
    real turn = pick(falls, fall_of(&w->m.d[0], speed, rate, falls), number(INFINITY));
    truth turns = falls & (turn <= end * (1 + at_once)), late = turns & (turn > end);
    if (!any(turns)) {
        return;
    }
    turn = smaller(turn, end);
    real time = pick(turns, turn, number(0));
    moved there[2] = {moved_at_fall(&w->m.d[0], speed, rate, time), not_moved()};
    put_moved(late, &there[0], &at_end[0]);
    if (k->p->account) {
        there[1].rest = exponential(-w->m.relax * time);
    }
    slid a = slid_by(k, w, time, there);
    real work_t = number(0);
    if (k->p->account) {
        work_t = -(now->loss + slid_loss(k, w, &a) + a.u * a.u / 2);
    }
    note_turn(now,
              &(peak){.delta = a.delta,
                      .p_n = now->p_n + a.p_n,
                      .time = now->time + turn,
                      .work = now->work + slid_work(k, &a),
                      .work_t = work_t},
              turns);
}

/* a: at the end. */
CODE void carry_slip(contacts *k, const slide *w, real end, const slid *a, truth here) {
    state *now = &k->now;
    real work = slid_work(k, a);
    real stored = (a->delta - now->delta) * (a->delta + now->delta) / 2;
    if (k->p->account) {
        note_slip_loss(k, w, end, a, here);
    }
    put(here, &k->normal_loss, k->normal_loss - work - stored);
    put(here, &now->loss, now->loss + slid_loss(k, w, a));
    put(here, &now->u, a->u);
    put(here, &now->delta, a->delta);
    put(here, &now->v_t, a->v_t);
    put(here, &now->v_n, a->v_n);
    put(here, &now->p_n, now->p_n + a->p_n);
    put(here, &now->p_t, now->p_t - w->size * a->p_n);
    put(here, &now->work, now->work + work);
    put(here, &now->time, now->time + end);
    put(here, &k->u_rate, a->u_rate);
}

/* What comes after a slip: stick, separation, or slip with a force that pulls. */
CODE void pass_on(contacts *k, const slide *w, truth halts, truth releases, truth here) {
    const imp_compliant_problem *p = k->p;
    state *now = &k->now;
    truth turns = here & not(halts) & not(releases), flat = here & not(halts);
    put_pull_on_face(k, w->size * force_of(k), here & halts);
    put(flat, &now->delta, p->damping * now->v_n);
    put(flat & releases & (p->by_elongation != 0), &now->delta, number(0));
    put(turns, &now->u, -p->drag * k->u_rate);
    put(turns, &k->side, -k->side);
    k->turns_over = (k->turns_over & not(here)) | turns;
    k->halted = k->halted & not(here);
    put(here & not(turns), &k->ending, pick(halts, number(TO_STICK), number(SEPARATED)));
}

/* Guided bodies that approach and halt while the force presses: their end need not be known. For
 * less than half a swing a force that presses at the halt pressed before. */
CODE void halt_first(slipping *x, truth here) {
    contacts *k = x->k;
    const slide *w = &x->w;
    const damped *d = &w->m.d[0];
    const sight s = slip_speed(k, w);
    x->asked = here;
    x->decided = find_soon(k, w, &s, number(INFINITY), &x->end, x->now, here);
    x->halts = x->decided & (x->end < INFINITY) & (not(d->swings) | (x->end * d->size < IMP_PI)) &
               (x->now[0].rest * w->force[0] + x->now[0].push * w->force[1] > 0);
    put(here, &k->spent, k->spent + 2);
}

CODE void enter_slip(slipping *x, contacts *k, truth here) {
    x->k = k;
    note_phase(&k->now, pick(k->s < 0, number(IMP_SLIP_BACK), number(IMP_SLIP_FORTH)),
               here & not(k->turns_over));
    set_slide(k, &x->w);
    k->turns_over = k->turns_over & not(here);
    k->hard = k->hard | (here & is_hard_slide(&x->w));
    x->here = here & not(k->hard);
    x->end = number(0);
    x->halts = x->releases = x->asked = x->decided = here & not(here);
    x->now[0] = x->now[1] = not_moved();
}

CODE void seek_first_halt(slipping *x) {
    contacts *k = x->k;
    const imp_compliant_problem *p = k->p;
    truth near = x->here & p->constrained & (k->side > 0) & (p->mu > 0) & (k->now.v_n < 0);
    near = near & not(x->w.meets);
    if (any(near)) {
        halt_first(x, near);
    }
}

CODE void seek_end(slipping *x) {
    contacts *k = x->k;
    truth here = x->here & not(x->halts);
    if (!any(here)) {
        return;
    }
    moved then[2];
    real last = end_of(k, &x->w, &x->releases, then, here);
    truth ends = here & (last < INFINITY);
    x->last = slid_by(k, &x->w, pick(ends, last, number(0)), then);
    truth seeks = here & (k->p->mu > 0) & not(ends & never_halts(k, &x->w, &x->last));
    truth lost = here & lacks_digits(&x->w, last, seeks);
    k->hard = k->hard | lost;
    seeks = seeks & not(lost);
    if (any(seeks)) {
        real halt = halt_of(x, last, then, seeks);
        truth earlier = seeks & (halt < last);
        put(earlier, &last, halt);
        x->halts = x->halts | earlier;
    }
    put(here, &x->end, last);
    put_motions(here, x->now, then);
}

/* Contacts that move on by a tiny step. */
CODE void step_on(const contacts *k, const slide *w, real step, slid *a) {
    const damped *d = &w->m.d[0];
    const real v_n_rate = w->q * a->force, bend = -d->p * a->rate - d->q * a->force;
    const real u_bend = w->m.relax * (w->size * a->rate - a->u_rate);
    a->u += step * a->u_rate;
    a->u_rate += step * u_bend;
    a->p_n += step * a->force;
    a->delta -= step * a->v_n;
    a->v_n += step * v_n_rate;
    a->v_t += step * pick(k->p->constrained, k->p->c * v_n_rate, w->g * a->force);
    a->force += step * a->rate;
    a->rate += step * bend;
}

#define PUT(member) put(here, &a->member, value->member);
CODE void put_slid(truth here, slid *a, const slid *value) {
    PUT(force) PUT(rate) PUT(p_n) PUT(v_t) PUT(v_n) PUT(delta) PUT(u) PUT(u_rate)
}
#undef PUT

/* Behind a strong dashpot a sum of motions tells the halt with less digits than u does: what is
 * left of the slip speed there would be a step of the pull. */
CODE void mend_halt(slipping *x, slid *a, truth here) {
    const double tiny = 1e-7, brief = 1e-3;
    const contacts *k = x->k;
    const slide *w = &x->w;
    real v_t_rate = pick(k->p->constrained, k->p->c * w->q, w->g) * a->force;
    real bend = w->m.relax * (w->size * a->rate - a->u_rate);
    real step = (a->u_rate - a->v_t) / (v_t_rate - bend), turns = size_of(step) * haste_of(&w->m);
    here = here & (turns < brief) & (x->end + step > 0);
    truth longer = here & not(turns < tiny);
    put(here, &x->end, x->end + step);
    if (any(longer)) {
        moved there[2] = {x->now[0], x->now[1]};
        shift(&w->m, pick(longer, step, number(0)), there);
        put_motions(longer, x->now, there);
        const slid later = slid_by(k, w, x->end, x->now);
        put_slid(longer, a, &later);
    }
    step_on(k, w, pick(here & not(longer), step, number(0)), a);
}

CODE void leave_slip(slipping *x) {
    contacts *k = x->k;
    const slide *w = &x->w;
    k->hard = k->hard | (x->here & not(x->end < INFINITY));
    truth here = x->here & not(k->hard);
    if (!any(here)) {
        return;
    }
    real end = pick(here, x->end, number(0));
    slid last = any(x->halts) ? slid_by(k, w, end, x->now) : x->last;
    truth mends = here & x->halts & w->steady;
    if (any(mends)) {
        mend_halt(x, &last, mends);
        end = pick(here, x->end, number(0));
    }
    note_slip_turn(k, w, end, x->now, last.v_n, here);
    if (k->p->account && k->p->account->want_peaks) {
        note_slip_peaks(k, w, end, &last, here);
    }
    carry_slip(k, w, end, &last, here);
    k->on_face = k->on_face & not(here);
    pass_on(k, w, x->halts, x->releases, here);
}

/* The contacts that are to slip; as sticks_of_guided, several at the same time. */
CODE void slips(contacts *all, int n) {
    slipping x[IN_TURN];
    int count = 0;
    for (int i = 0; i < n; i++) {
        truth here = begin_phase(&all[i], TO_SLIP);
        if (any(here)) {
            enter_slip(&x[count++], &all[i], here);
        }
    }
    for (int i = 0; i < count; i++) {
        seek_first_halt(&x[i]);
    }
    for (int i = 0; i < count; i++) {
        seek_end(&x[i]);
    }
    for (int i = 0; i < count; i++) {
        leave_slip(&x[i]);
    }
}

#endif
