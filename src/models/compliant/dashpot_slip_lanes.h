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
} slide;

CODE void set_follower(const contacts *k, slide *w) {
    const damped *d = &w->m.d[0];
    const real none = number(0);
    truth follows = k->p->drag > 0;
    real r = pick(follows, 1 / k->p->drag, none), far = d->q + r * (r - d->p),
         a = r * w->size / far;
    w->m.relax = r;
    w->by_rate = pick(follows, a * (r - d->p), w->size);
    w->by_bend = pick(follows, -a, none);
    real drawn = w->by_rate * w->force[1] + w->by_bend * w->force[2];
    w->own = pick(follows, k->u_rate - drawn, none);
}

CODE void set_slide(const contacts *k, slide *w) {
    const imp_compliant_problem *p = k->p;
    real size = k->s * k->side * p->mu, q = 1 - size * p->c, force = force_of(k);
    w->q = q;
    w->size = size;
    w->g = pick(p->constrained, p->c * q, p->c - size * p->a);
    w->m.d[0] = damped_of(q * p->damping, q);
    w->m.relaxes = true;
    w->m.rests = false;
    w->force[0] = force;
    w->force[1] = -k->now.v_n - p->damping * q * force;
    w->force[2] = -w->m.d[0].p * w->force[1] - q * force;
    set_follower(k, w);
}

/* Slips whose sums would cancel. */
CODE truth is_hard_slide(const slide *w) {
    const damped *d = &w->m.d[0];
    real r = w->m.relax, far = d->q + r * (r - d->p),
         whole = r * (r + size_of(d->p)) + size_of(d->q);
    return not(size_of(w->q) > 0.02) | is_near_critical(d) |
           ((r > 0) & (size_of(far) < 0.05 * whole));
}

/* Contacts at a time since the slip began. */
typedef struct slid {
    real force, rate, p_n, v_t, v_n, delta, u_rate;
} slid;

CODE slid slid_by(const contacts *k, const slide *w, const moved now[2]) {
    const damped *d = &w->m.d[0];
    const state *from = &k->now;
    slid a;
    real kept = (1 - now[0].rest) * d->over_q;
    a.force = now[0].rest * w->force[0] + now[0].push * w->force[1];
    a.rate = now[0].rate * w->force[1] - w->q * now[0].push * w->force[0];
    a.p_n = (now[0].push + d->p * kept) * w->force[0] + kept * w->force[1];
    a.v_n = now[0].rate * from->v_n + w->q * now[0].push * from->delta;
    a.delta = now[0].rest * from->delta - now[0].push * from->v_n;
    a.v_t = pick(k->p->constrained, k->p->c * a.v_n, from->v_t + w->g * a.p_n);
    real bend = -d->p * a.rate - d->q * a.force;
    a.u_rate = w->by_rate * a.rate + w->by_bend * bend + w->own * now[1].rest;
    return a;
}

CODE slid slid_at(const contacts *k, const slide *w, real time) {
    moved now[2];
    motions_at(&w->m, time, now);
    return slid_by(k, w, now);
}

/* What friction and the tangential dashpot take together. */
CODE real slid_loss(const contacts *k, const slide *w, const slid *a, real u) {
    real work = w->size * a->p_n * (k->now.v_t + a->v_t) / 2;
    return work - (u - k->now.u) * (u + k->now.u) / 2;
}

CODE real slid_work(const contacts *k, const slid *a) {
    return a->p_n * (k->now.v_n + a->v_n) / 2;
}

/* As imp_compliant_dashpot_flat. */
CODE real flat_of(const damped *d, real delta, real speed, real force, real rate, truth here) {
    real time = fall_of(d, positive_part(force), rate, here);
    real near = speed - d->slow * delta, far = speed - d->fast * delta;
    truth apart = here & not(d->swings) & (d->q > 0) & (d->fast < 1.5 * d->slow) & (force > 0) &
                  (near > 0) & (far > 0);
    if (any(apart)) {
        real ratio = pick(apart, d->fast / d->slow, number(2));
        real other = pick(apart, near / far, number(1));
        real twice = 2 * imp_lanes_log_near(ratio, 0) + imp_lanes_log_near(other, 0);
        real strong = twice * (d->over_size / 2);
        put(apart, &time, pick(strong > 0, strong, number(INFINITY)));
    }
    return time;
}

/* When the force vanishes, or the elongation where that ends the contact. */
CODE real end_of(const contacts *k, const slide *w, truth *releases, truth here) {
    const damped *d = &w->m.d[0];
    const state *now = &k->now;
    real end =
        flat_of(d, now->delta, -now->v_n, k->side * w->force[0], k->side * w->force[1], here);
    truth pulls = here & (k->side < 0);
    *releases = k->p->by_elongation == 0;
    if (any(pulls)) {
        real gone = fall_of(d, now->delta, -now->v_n, pulls);
        *releases = *releases | (pulls & (gone <= end));
        put(pulls & (gone <= end), &end, gone);
    }
    return end;
}

/* As never_halts of dashpot_slip.c. last: at the end. */
CODE truth never_halts(const contacts *k, const slide *w, const slid *last) {
    const double clearly = 1e-6, rounding = 1e-12;
    const imp_compliant_problem *p = k->p;
    real sg = k->s * w->g, by_force = sg + p->mu * w->q,
         by_rate = p->drag * sg + p->mu * w->m.d[0].p;
    real first = k->s * k->now.v_t, end = k->s * last->v_t;
    real at_first = first + p->drag * sg * w->force[0] - p->mu * w->force[1];
    real at_end = end + p->drag * sg * last->force - p->mu * last->rate;
    real size = size_of(first) + size_of(end) +
                p->mu * (size_of(w->force[1]) + size_of(last->rate)) +
                p->drag * size_of(sg) * size_of(w->force[0]);
    truth one_way = (by_rate > 0) | (by_force * w->force[0] + by_rate * w->force[1] > 0);
    truth starts = (k->halted & (at_first >= -rounding * size)) |
                   (not(k->halted) & (at_first > clearly * size));
    return (k->side > 0) & (w->q > 0) & one_way & starts & (at_end > clearly * size);
}

/* The slip speed is a sum of the motion of the force and the relaxation. */
CODE sight slip_speed(const contacts *k, const slide *w) {
    const damped *d = &w->m.d[0];
    const real *f = w->force;
    real f3 = -d->p * f[2] - d->q * f[1], whole = w->g * (f[1] + d->p * f[0]) * d->over_q;
    return (sight){
        .value = {-k->s * (whole + w->by_rate * f[1] + w->by_bend * f[2]), -k->s * w->own},
        .rate = {k->s * (w->g * f[0] - w->by_rate * f[2] - w->by_bend * f3), number(0)},
        .constant = k->s * (k->now.v_t + whole),
    };
}

/* Of a body that swings the slip speed has no constant: times exp(relax t) it is a swing. now: the
 * motions at the end; afterwards those at the halt. */
CODE real halt_of_swing(contacts *k, const slide *w, const sight *s, real end, moved now[2],
                        truth here) {
    real r = w->m.relax, time;
    damped d = w->m.d[0];
    d.q = d.q + r * (r - d.p);
    d.p = d.p - 2 * r;
    d.half = d.half - r;
    d.slow = -d.half;
    swing speed = {.d = &d,
                   .level = s->value[1],
                   .z = s->value[0],
                   .rate = s->rate[0] + r * s->value[0],
                   .leaves = k->halted,
                   .halted = k->halted};
    descent fall;
    real over = 1 / now[1].rest, push = now[0].push * over, rate = now[0].rate * over + r * push;
    moved there = {.rest = rate + d.p * push, .push = push, .rate = rate};
    find_descent(&speed, end, &there, here, &fall);
    truth halts = fall.falls & not(fall.hard);
    time = pick(halts, about_fall(&fall), number(0));
    find_on_descent(&speed, &fall, &time, &there, halts, &fall.hard);
    k->hard = k->hard | fall.hard;
    real left = exponential(-r * time);
    push = left * there.push;
    rate = left * (there.rate - r * there.push);
    put_moved(halts, &now[0],
              &(moved){.rest = rate + w->m.d[0].p * push, .push = push, .rate = rate});
    put(halts, &now[1].rest, left);
    return pick(halts, time, number(INFINITY));
}

/* When the slip halts; infinite if it does not before `end`. now: the motions then. */
CODE real halt_of(contacts *k, const slide *w, real end, moved now[2], truth here) {
    search way;
    const double most = 30; /* more exp(relax t) does not hold */
    truth swings = here & k->p->constrained & swings_freely(&w->m.d[0]) & (w->m.relax * end < most);
    real halt = number(INFINITY);
    way.n = 1;
    way.from = number(0);
    way.limit = end;
    way.at_start = true;
    way.looks = number(2);
    way.s[0] = slip_speed(k, w);
    way.leaves[0] = way.halted[0] = k->halted;
    way.here = here & not(swings);
    if (any(swings)) {
        real time = halt_of_swing(k, w, &way.s[0], end, now, swings);
        put(swings, &halt, time);
    }
    if (any(way.here)) {
        first_fall(&w->m, &way);
        k->hard = k->hard | way.hard;
        truth halts = way.here & (way.which >= 0);
        put_moved(halts, &now[0], &way.now[0]);
        put_moved(halts, &now[1], &way.now[1]);
        put(halts, &halt, way.time);
    }
    put(here, &k->spent, k->spent + pick(swings, number(2), way.looks));
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

/* The integral of z exp(-r t) for a motion that leads from z and its rate to those at the end. */
CODE real integral_of_product(const damped *d, real r, const real z[2], const real rate[2],
                              real left) {
    real change = (left * rate[1] - rate[0]) + (r + d->p) * (left * z[1] - z[0]);
    return -change / (r * (r + d->p) + d->q);
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

/* a: at the end. */
CODE real tangential_loss(const contacts *k, const slide *w, real end, const slid *a) {
    const damped *d = &w->m.d[0];
    const real *f = w->force;
    real third = -d->p * f[2] - d->q * f[1];
    real bend = -d->p * a->rate - d->q * a->force, last = -d->p * bend - d->q * a->rate;
    const real z[2] = {w->by_rate * f[1] + w->by_bend * f[2],
                       w->by_rate * a->rate + w->by_bend * bend},
               rate[2] = {w->by_rate * f[2] + w->by_bend * third,
                          w->by_rate * bend + w->by_bend * last};
    real left = exponential(-w->m.relax * end);
    real both = integral_of_product(d, w->m.relax, z, rate, left);
    real own = w->own * integral_of_decay(2 * w->m.relax, end);
    real sum = integral_of_square(d, z[0], rate[0], end) + w->own * (2 * both + own);
    truth brief = haste_of(&w->m) * end < 1;
    if (any(brief)) {
        put(brief, &sum, short_square(k, w, end));
    }
    return pick(k->p->drag > 0, k->p->drag * sum, number(0));
}

CODE void note_slip_loss(contacts *k, const slide *w, real end, const slid *a, real u, truth here) {
    real taken = tangential_loss(k, w, end, a), both = slid_loss(k, w, a, u);
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

/* A constrained body may halt as its indentation turns: which comes first is rounding. */
CODE void note_slip_turn(contacts *k, const slide *w, real end, truth here) {
    const double at_once = 1e-9;
    state *now = &k->now;
    truth falls = here & (now->v_n < 0);
    real turn =
        pick(falls, fall_of(&w->m.d[0], -now->v_n, -w->q * w->force[0], falls), number(INFINITY));
    truth turns = falls & (turn <= end * (1 + at_once));
    if (!any(turns)) {
        return;
    }
    turn = smaller(turn, end);
    slid a = slid_at(k, w, pick(turns, turn, number(0)));
    real u = w->size * a.force - k->p->drag * a.u_rate;
    real work_t = -(now->loss + slid_loss(k, w, &a, u) + u * u / 2);
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
    real u = w->size * a->force - k->p->drag * a->u_rate, work = slid_work(k, a);
    real stored = (a->delta - now->delta) * (a->delta + now->delta) / 2;
    if (k->p->account) {
        note_slip_loss(k, w, end, a, u, here);
    }
    put(here, &k->normal_loss, k->normal_loss - work - stored);
    put(here, &now->loss, now->loss + slid_loss(k, w, a, u));
    put(here, &now->u, u);
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

CODE void slip(contacts *k, truth here) {
    const imp_compliant_problem *p = k->p;
    note_phase(&k->now, pick(k->s < 0, number(IMP_SLIP_BACK), number(IMP_SLIP_FORTH)),
               here & not(k->turns_over));
    slide w;
    set_slide(k, &w);
    truth releases;
    real end = end_of(k, &w, &releases, here);
    k->turns_over = k->turns_over & not(here);
    k->hard = k->hard | (here & is_hard_slide(&w));
    here = here & not(k->hard);
    truth ends = end < INFINITY, halts = not(here) & here;
    moved now[2];
    motions_at(&w.m, pick(here & ends, end, number(0)), now);
    slid last = slid_by(k, &w, now);
    truth seeks = here & (p->mu > 0) & not(ends & never_halts(k, &w, &last));
    if (any(seeks)) {
        real halt = halt_of(k, &w, end, now, seeks);
        halts = seeks & (halt < end);
        end = pick(halts, halt, end);
    }
    k->hard = k->hard | (here & not(end < INFINITY));
    here = here & not(k->hard);
    end = pick(here, end, number(0));
    if (any(halts)) {
        last = slid_by(k, &w, now);
    }
    note_slip_turn(k, &w, end, here);
    if (p->account && p->account->want_peaks) {
        note_slip_peaks(k, &w, end, &last, here);
    }
    carry_slip(k, &w, end, &last, here);
    k->on_face = k->on_face & not(here);
    pass_on(k, &w, halts, releases, here);
}

#endif
