/* Stick under the law `dashpot` in lanes: as dashpot_stick.c. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_STICK_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_STICK_LANES_H

#include "models/compliant/dashpot_guided_lanes.h"
#include "models/compliant/dashpot_losses_lanes.h"
#include "models/compliant/dashpot_shares_lanes.h"
#include "models/compliant/dashpot_signs_lanes.h"

/* ---- losses ---- */

/* The integral of v^2 of a guided body along one direction, as in dashpot_stick.c. Slow motions
 * hardly change, and lose what the integrals of the motion say. */
CODE real square_of_guided(const damped *d, const real x[2], const real v[2], real push, real kept,
                           real time) {
    const double slow = 1e-3, weak = IMP_COMPLIANT_HARDLY_DAMPED;
    real lost = (v[0] - v[1]) * (v[0] + v[1]) + d->q * (x[0] - x[1]) * (x[0] + x[1]);
    if (any(d->q < slow)) {
        real way = push * v[0] - d->q * kept * x[0];
        real area = (push + d->p * kept) * x[0] + kept * v[0];
        real less = (d->p * way + d->q * area) * (v[0] + v[1]) - d->q * way * (x[0] + x[1]);
        put(d->q < slow, &lost, less);
    }
    real square = pick(lost == 0, number(0), lost * d->over_p / 2);
    if (any(d->p < weak)) {
        real keeps = (v[0] * v[0] + d->q * x[0] * x[0]) * time + (x[1] * v[1] - x[0] * v[0]);
        put(d->p < weak, &square, keeps / 2);
    }
    return square;
}

CODE void put_guided_losses(const imp_compliant_problem *p, const shares *m, real time,
                            const moved now[2], const real kept[2], real loss[2]) {
    const real damping[2] = {p->drag, p->damping};
    const damped *d = &m->m.d[0];
    for (int i = 0; i < 2; i++) {
        const real x = m->x[0][i], v = m->v[0][i];
        const real xs[2] = {x, now[0].rest * x + now[0].push * v};
        const real vs[2] = {v, now[0].rate * v - d->q * now[0].push * x};
        put(p->constrained, &loss[i],
            damping[i] * square_of_guided(d, xs, vs, now[0].push, kept[0], time));
    }
}

/* ---- the contact at a time ---- */

CODE void find_stuck(const contacts *k, const shares *m, real time, const moved now[2], stuck *a) {
    const imp_compliant_problem *p = k->p;
    const real none = number(0);
    real area[2] = {m->rest[0] * time, m->rest[1] * time}, kept[2];
    real at[2] = {m->rest[0], m->rest[1]}, rate[2] = {none, none};
    for (int j = 0; j < 2; j++) {
        const damped *d = &m->m.d[j];
        kept[j] = kept_of(d, time, &now[j]);
        real held = now[j].push + d->p * kept[j];
        for (int i = 0; i < 2; i++) {
            real x = m->x[j][i], v = m->v[j][i];
            at[i] += now[j].rest * x + now[j].push * v;
            rate[i] += now[j].rate * v - d->q * now[j].push * x;
            area[i] += held * x + kept[j] * v;
        }
    }
    a->u = at[ALONG_T];
    a->delta = -at[ALONG_N];
    a->v_t = rate[ALONG_T];
    a->v_n = rate[ALONG_N];
    a->p_t = -(area[ALONG_T] + p->drag * (at[ALONG_T] - k->now.u));
    a->p_n = -(area[ALONG_N] + p->damping * (at[ALONG_N] + k->now.delta));
    real loss[2];
    const stuck_way way = {.x = {{k->now.u, -k->now.delta}, {at[ALONG_T], at[ALONG_N]}},
                           .v = {{k->now.v_t, k->now.v_n}, {rate[ALONG_T], rate[ALONG_N]}},
                           .p = {a->p_t, a->p_n}};
    stick_losses(p, &way, loss);
    if (any(p->constrained)) {
        put_guided_losses(p, m, time, now, kept, loss);
    }
    a->loss_t = loss[ALONG_T];
    a->loss_n = loss[ALONG_N];
}

/* ---- turns and peaks ---- */

/* What may stop to rise in a stick. */
typedef enum top { INDENTATION, NORMAL_FORCE, PULL } top;

static __attribute__((noinline)) void see_turn(contacts *k, const shares *m, real time,
                                               const moved now[2], truth here) {
    stuck a;
    find_stuck(k, m, time, now, &a);
    note_turn_there(k, &a, time, here);
}

CODE void see_top(contacts *k, const shares *m, top what, const sight *of, const search *found,
                  truth here) {
    const moved *now = found->now;
    real time = found->time;
    if (what == INDENTATION) {
        see_turn(k, m, time, now, here);
        return;
    }
    real force = view_of(&m->m, of, now).f;
    imp_compliant_account *account = k->p->account;
    note_force(what == PULL ? &account->tangential : &account->normal, force, k->now.time + time,
               here);
}

/* Peaks are hard by themselves: whether they are wanted changes nothing else. */
CODE void found_hard(contacts *k, top what, truth hard) {
    if (what == INDENTATION) {
        k->hard = k->hard | hard;
    } else {
        k->peaks_hard = k->peaks_hard | hard;
    }
}

/* Sees every instant at which `of` stops to rise, a pull also where it stops to fall, all of which
 * lie between two times; one: there is no second. */
static __attribute__((noinline)) void each_top(contacts *k, const shares *m, top what,
                                               const sight *of, const bounds *within,
                                               const truth *seeks, const truth *one) {
    enum { MOST = 24 };
    sight rate = rate_of(&m->m, of, number(1));
    truth here = *seeks;
    real start = rate.value[0] + rate.value[1], bend = rate.rate[0] + rate.rate[1];
    truth leaves = start == 0;
    real sign = pick(pick(leaves, bend, start) < 0, number(-1), number(1)), time = within->low;
    for (int i = 0; any(here); i++) {
        search way = {
            .n = 1, .from = time, .limit = within->high, .at_start = i == 0, .here = here};
        way.s[0] = rate_of(&m->m, of, sign);
        way.leaves[0] = leaves;
        way.halted[0] = not(leaves) & leaves;
        find_fall(&m->m, &way, not(k->p->constrained));
        found_hard(k, what, here & way.hard);
        here = here & not(way.hard) & (way.which >= 0) & (way.time > time);
        truth tops = what == PULL ? here : here & (sign > 0);
        if (any(tops)) {
            see_top(k, m, what, of, &way, tops);
        }
        here = here & not(*one & tops);
        time = way.time;
        sign = -sign;
        leaves = here;
        if (i == MOST) {
            found_hard(k, what, here);
            return;
        }
    }
}

/* u and -delta, and their rates, in the sums that a stick follows. */
CODE sight force_in(const contacts *k, const shares *m) {
    const real none = number(0), of_x[2] = {none, number(-1)}, of_v[2] = {none, -k->p->damping};
    return sight_of(m, of_x, of_v);
}

CODE sight pull_in(const contacts *k, const shares *m) {
    const real none = number(0), of_x[2] = {number(1), none}, of_v[2] = {k->p->drag, none};
    return sight_of(m, of_x, of_v);
}

/* About when v_n grows from below 0 to above. a: at the end. */
CODE real about_turn(const contacts *k, const shares *m, real end, const stuck *a, truth here) {
    const imp_compliant_problem *p = k->p;
    const truth apart = here & is_apart(p);
    real along = a->u + p->drag * a->v_t, across = p->damping * a->v_n - a->delta;
    real first = force_of(k) - p->c * (k->now.u + p->drag * k->now.v_t);
    real last = -across - p->c * along, speed = pick(here, -k->now.v_n, number(1));
    real time = number(0);
    if (any(here & not(apart))) {
        time = about_zero(2, pick(here, end, number(1)), speed, -first,
                          pick(here, -a->v_n, number(-1)), -last);
    }
    if (any(apart)) {
        real fall = fall_of(&m->m.d[1], speed, -first, apart);
        put(apart, &time, smaller(fall, end));
    }
    return time;
}

/* How fast the indentation grows. */
CODE sight approach_in(const shares *m) {
    const real none = number(0), of_x[2] = {none, none}, of_v[2] = {none, number(-1)};
    return sight_of(m, of_x, of_v);
}

/* Where a sum falls to 0, about and between which bounds. */
typedef struct place {
    bounds within;
    real about;
} place;

/* Whether a sum, which has not fallen to 0 before the onset, falls through it once until the end,
 * by signs, and by a margin behind. w: its margin at the start. at: the bounds, which hold though
 * it may fall more often between them. */
CODE truth crosses_once(const motions *m, const quick *u, const sight *s, const margin *w,
                        const onset *from, real end, place *at, truth here) {
    const double beyond = 1.3, more = 0.5;
    const sight later = seen_from(m, s, from);
    real about = fall_of(&u->other, w->slower, w->rate, here) - from->time;
    real left = pick(here, end - from->time, number(0));
    real span = pick(here & (about > 0), about + (about * beyond + more * u->over_size), left);
    span = smaller(span, left);
    moved on[2];
    motions_at(m, span, on);
    parts then = parts_of(m, &later, on);
    for (int j = 0; j < 2; j++) {
        then.z[j] = -then.z[j];
        then.v[j] = -then.v[j];
    }
    truth behind = here & (left > span), open = behind;
    if (any(behind)) {
        const margin below = margin_of(u, &then);
        const margin both[2] = {below, below};
        open = behind & not(stay_ahead(u, both, pick(behind, left - span, number(0)), behind));
    }
    put(here, &at->within.low, from->time);
    put(here & not(open), &at->within.high, from->time + span);
    put(here, &at->about, from->time + about);
    here = here & not(open) & (span < longest_of(m));
    return here & (roots_in(m, &later, on, span, not(here) & here, here, here) == 1);
}

/* Whether a sum that begins above 0 falls through it once until the end, if it turns, and otherwise
 * never: margins tell before and behind where it falls, and signs between. */
static __attribute__((noinline)) truth crosses_as_ends_say(const motions *m, const sight *s,
                                                           real end, truth turns, place *at,
                                                           truth here) {
    const quick u = quick_of(m, here);
    onset from = at_once();
    const parts first = parts_of(m, s, from.there);
    const margin start = margin_of(&u, &first);
    const margin w[2] = {start, start};
    truth stays = u.here & not(turns);
    if (any(stays)) {
        stays = stay_ahead(&u, w, pick(stays, end, number(0)), stays);
    }
    here = u.here & turns;
    if (any(here)) {
        from.time = clear_until(&u, w, here);
        here = here & (from.time > 0) & (from.time < end);
    }
    if (any(here)) {
        from.time = pick(here, from.time, number(0));
        motions_at(m, from.time, from.there);
        here = crosses_once(m, &u, s, &start, &from, end, at, here);
    }
    return stays | here;
}

/* Whether signs tell that the indentation turns in a stick as often as v_n at both ends says, once
 * or never. now: the motions at the end, and v_n. at: where, if it is known. */
CODE truth turns_as_ends_say(const contacts *k, const shares *m, real end, const moved now[2],
                             real v_n, place *at, truth here) {
    const double clearly = 1e-9;
    const motions *of = &m->m;
    truth nears = k->now.v_n < 0, turns = nears ^ (v_n < 0);
    real sign = pick(nears, number(1), number(-1));
    sight speed = approach_in(m);
    for (int j = 0; j < 2; j++) {
        speed.value[j] *= sign;
        speed.rate[j] *= sign;
    }
    const real wanted = pick(turns, number(1), number(0));
    const truth no = here & not(here);
    here =
        here & not(k->p->constrained) & (size_of(k->now.v_n) > clearly) & (size_of(v_n) > clearly);
    const truth brief = here & (end < longest_of(of));
    truth sure = brief & (roots_in(of, &speed, now, end, no, turns, brief) == wanted);
    truth open = brief & not(sure);
    if (any(open)) {
        sure = sure | (open & (roots_by_bottom(of, &speed, end, no, turns, open) == wanted));
    }
    open = here & not(sure) & is_quick(of);
    if (any(open)) {
        sure = sure | crosses_as_ends_say(of, &speed, end, turns, at, open);
    }
    return sure;
}

/* Returns the contacts whose turn it found. late: those that may swing for long until then. */
CODE truth note_only_turn(contacts *k, const shares *m, real end, const stuck *a, place *at,
                          truth late, truth here) {
    const sight speed = approach_in(m);
    moved now[2] = {not_moved(), not_moved()};
    real time = about_turn(k, m, end, a, here);
    truth placed = at->within.low > 0;
    late = late & not(placed);
    if (any(late)) {
        search way = {.n = 1};
        way.s[0] = speed;
        guess x = no_guess(&m->m, here);
        guess_by_level(&m->m, &way, &x, late);
        put(x.found, &time, x.time);
    }
    put(placed, &time, larger(smaller(at->about, at->within.high), at->within.low));
    here = here & not(come_between(&m->m, &speed, &at->within, &time, now, here));
    here = here & (time > 0) & (time < end);
    see_turn(k, m, time, now, here);
    return here;
}

/* a: at the end, and now: the motions then. In the cone v_n only grows if mu |c| < 1: then its
 * signs tell of the turn. */
CODE void note_stick_turns(contacts *k, const shares *m, real end, const stuck *a,
                           const moved now[2], truth here) {
    const double clearly = 1e-9;
    real v_n = a->v_n;
    truth grows = (k->side > 0) & (k->p->mu * size_of(k->p->c) < 1 - clearly);
    truth turns = (k->now.v_n < clearly) & (v_n > -clearly);
    truth only = here & grows & (k->now.v_n < -clearly) & (v_n > clearly);
    truth seeks = here & (turns | not(grows));
    /* A guess by both ends misses a turn between motions that creep; signs tell of it. */
    truth swings = m->m.d[0].swings | m->m.d[1].swings;
    truth guessed = only & (is_apart(k->p) | swings);
    place at = {.within = {.low = number(0), .high = end}};
    if (any(seeks & not(guessed))) {
        truth told = turns_as_ends_say(k, m, end, now, v_n, &at, seeks & not(only));
        truth tops = told & (k->now.v_n < 0) & (v_n > 0);
        guessed = guessed | (tops & swings);
        seeks = seeks & not(told & not(tops));
    }
    const bounds within = at.within; /* note_only_turn makes it narrower */
    if (any(guessed)) {
        seeks = seeks & not(note_only_turn(k, m, end, a, &at, guessed & not(only), guessed));
    }
    if (any(seeks)) {
        const real none = number(0), of_x[2] = {none, number(-1)}, of_v[2] = {none, none};
        sight indentation = sight_of(m, of_x, of_v);
        each_top(k, m, INDENTATION, &indentation, &within, &seeks, &grows);
    }
    /* The turn is at the end, or behind it by rounding. */
    k->hard = k->hard | (here & (k->now.v_n < 0) & (v_n >= 0) & (a->delta > k->now.greatest.delta));
}

CODE void note_stick_peaks(contacts *k, const shares *m, real end, truth here) {
    imp_compliant_account *account = k->p->account;
    const sight force = force_in(k, m), pull = pull_in(k, m);
    const truth none = here & not(here);
    const bounds whole = {.low = number(0), .high = end};
    each_top(k, m, NORMAL_FORCE, &force, &whole, &here, &none);
    each_top(k, m, PULL, &pull, &whole, &here, &none);
    note_force(&account->normal, force.constant + (force.value[0] + force.value[1]), k->now.time,
               here);
    note_force(&account->tangential, pull.constant + (pull.value[0] + pull.value[1]), k->now.time,
               here);
}

CODE void note_tops(contacts *k, const shares *m, real end, const stuck *a, const moved now[2],
                    truth here) {
    note_stick_turns(k, m, end, a, now, here);
    if (k->p->account && k->p->account->want_peaks) {
        note_stick_peaks(k, m, end, here);
    }
}

/* ---- the end of a stick ---- */

/* As apex_blur of dashpot_stick.c. */
CODE real apex_blur(const imp_compliant_problem *p, const state *now, real s) {
    const double part = 0.02, most = 20;
    real rate = part * p->mu * now->v_n, slope = size_of(p->mu * now->v_n + s * now->v_t);
    truth blurs = rate > most * slope;
    return pick(blurs, number(most), larger(rate / pick(blurs, number(1), slope), number(1)));
}

/* which: of the sights, where contacts are that leave a stick. */
CODE void leave(contacts *k, real which, truth here) {
    const double rounding = 1e-10;
    const imp_compliant_problem *p = k->p;
    truth releases = here & (which == RELEASE);
    put(releases, &k->now.delta, number(0));
    real force = force_of(k), pull = k->now.u + p->drag * k->now.v_t;
    real apex = 1e-13 * (size_of(k->now.delta) + (1 + p->damping) * size_of(k->now.v_n));
    apex *= apex_blur(p, &k->now, pick(which == FACE_BACK, number(-1), number(1)));
    /* Where the pull and the force vanish together the body does not slip first. */
    truth flat = here & not(releases) & (size_of(force) <= apex) &
                 (size_of(pull) <= apex * (1 + p->mu)) & (k->now.v_n > 0) & (p->by_elongation == 0);
    put(releases | flat, &k->ending, number(SEPARATED));
    here = here & not(releases | flat);
    k->hard = k->hard | (here & not(k->side * force > apex));
    put(here, &k->s, pick(which == FACE_BACK, number(-1), number(1)));
    put(here, &k->u_rate, k->now.v_t);
    real size = size_of(k->now.delta) + p->damping * size_of(k->now.v_n);
    put(here, &k->face_force, k->side * positive_part(k->s * pull) / p->mu);
    truth on_face = here & (p->mu > 1) & (size_of(k->face_force - force) <= rounding * size);
    put_pull_on_face(k, k->s * p->mu * k->side * force, here & not(on_face));
    k->on_face = k->on_face | on_face;
    k->halted = (here & (p->drag > 0)) | (k->halted & not(here));
    put(here, &k->ending, number(TO_SLIP));
}

/* Quartics whose factors share a root, nearly; and slow motions. */
CODE truth is_hard_stick(const contacts *k, const shares *m, truth here) {
    const damped *d = m->m.d;
    const imp_compliant_problem *p = k->p;
    real stiff = d[0].q + d[1].q; /* apart: about the resultant if no roots were near each other */
    real apart = stiff * stiff + (d[0].p + d[1].p) * (d[0].p * d[1].q + d[1].p * d[0].q);
    kinds are = kinds_of(p, here);
    /* Four roots of nearly critical motions lie farther apart at the same resultant. */
    truth critical = (d[0].size < 0.3 * d[0].half) & (d[1].size < 0.3 * d[1].half);
    real least = pick(critical, number(5e-6), number(5e-4)) * apart;
    truth near = are.quartic & (size_of(resultant(&d[0], &d[1])) < least);
    truth apex = (k->now.time > 0) & not(k->side * force_of(k) > 0);
    truth slow = smaller(d[0].q, d[1].q) < 1e-6;
    return here & (near | apex | slow);
}

/* Whether nothing moves along the plane, so that a stick ends with the normal force. */
CODE truth lies_still(const contacts *k, const shares *m, truth here) {
    return kinds_of(k->p, here).apart & (m->x[0][ALONG_T] == 0) & (m->v[0][ALONG_T] == 0) &
           (k->side > 0);
}

CODE void set_faces(const contacts *k, const shares *m, search *way) {
    const imp_compliant_problem *p = k->p;
    const sight force = force_in(k, m), pull = pull_in(k, m);
    truth start = (k->now.time == 0) & (p->damping == 0);
    real mu = k->side * p->mu;
    for (int i = FACE_BACK; i <= FACE_FORTH; i++) {
        const double sign = i == FACE_BACK ? 1 : -1;
        for (int j = 0; j < 2; j++) {
            way->s[i].value[j] = mu * force.value[j] + sign * pull.value[j];
            way->s[i].rate[j] = mu * force.rate[j] + sign * pull.rate[j];
        }
        way->s[i].constant = mu * force.constant + sign * pull.constant;
        way->halted[i] = not(start) & (sign * k->s < 0);
        way->leaves[i] = start | way->halted[i];
    }
}

/* While the force pulls, the elongation ends the contact. */
CODE void set_release(const contacts *k, const shares *m, search *way) {
    const real none = number(0), of_x[2] = {none, number(-1)}, of_v[2] = {none, none};
    truth pulls = k->side < 0;
    sight s = sight_of(m, of_x, of_v);
    for (int j = 0; j < 2; j++) {
        put(not(pulls), &s.value[j], none);
        put(not(pulls), &s.rate[j], none);
    }
    put(not(pulls), &s.constant, number(1));
    way->s[RELEASE] = s;
    way->leaves[RELEASE] = way->halted[RELEASE] = pulls & not(pulls);
}

/* Whether both directions move as one. */
CODE truth moves_alike(const contacts *k, const shares *m, truth here) {
    const damped *d = m->m.d;
    return kinds_of(k->p, here).apart & (d[0].p == d[1].p) & (d[0].q == d[1].q) & (k->side > 0);
}

/* Then each face falls as a force does, and a pull from the first touch on falls with the force. */
CODE void find_face_alike(const contacts *k, const shares *m, search *way, truth here) {
    const imp_compliant_problem *p = k->p;
    const state *now = &k->now;
    real time = number(INFINITY), which = number(-1);
    for (int i = FACE_BACK; i <= FACE_FORTH; i++) {
        const double sign = i == FACE_BACK ? 1 : -1;
        real x = p->mu * now->delta + sign * now->u, speed = sign * now->v_t - p->mu * now->v_n;
        real force = pick(way->leaves[i], number(0), way->s[i].value[0] + way->s[i].value[1]);
        real fall = flat_of(&m->m.d[1], x, speed, force, speed - p->damping * force, here);
        put(fall < time, &which, number(i));
        time = smaller(fall, time);
    }
    put(here, &way->time, time);
    put(here, &way->which, which);
}

/* When sticks end, and which sight ends them, -1: none. */
CODE void find_end_of_stick(contacts *k, const shares *m, search *way, truth here) {
    const imp_compliant_problem *p = k->p;
    truth pulls = here & (k->side < 0), still = lies_still(k, m, here);
    truth alike = moves_alike(k, m, here & not(still)), known = still | alike;
    truth guided = here & p->constrained & m->m.d[0].swings;
    way->n = any(pulls) ? 3 : 2;
    way->from = number(0);
    way->at_start = true;
    way->here = here & not(known);
    way->limit = pick(guided, 2 * IMP_PI * m->m.d[0].over_size, number(INFINITY));
    set_faces(k, m, way);
    if (any(pulls)) {
        set_release(k, m, way);
    }
    if (any(way->here)) {
        find_fall(&m->m, way, not(pulls | k->p->constrained));
    } else {
        way->hard = pulls & not(pulls);
        way->now[0] = way->now[1] = not_moved();
        way->looks = way->which = way->time = number(0);
    }
    put(here & not(known), &k->spent, k->spent + way->looks);
    if (any(alike)) {
        find_face_alike(k, m, way, alike);
    }
    if (any(still)) {
        real force = force_of(k), speed = -k->now.v_n;
        put(still, &way->time,
            flat_of(&m->m.d[1], k->now.delta, speed, force, speed - p->damping * force, still));
        put(still, &way->which, number(FACE_FORTH));
    }
    if (any(known)) {
        moved now[2];
        motions_at(&m->m, pick(known & (way->time < INFINITY), way->time, number(0)), now);
        put_moved(known, &way->now[0], &now[0]);
        put_moved(known, &way->now[1], &now[1]);
    }
}

CODE void leave_guided(guided_stick *w, known_roots *known) {
    contacts *k = w->k;
    const guided_motion *g = &w->g;
    moved now;
    real which, end = end_of_guided(w, &which, &now);
    truth here = w->here & not(k->hard);
    truth rests = here & not(end < INFINITY), ends = here & not(rests);
    real time = pick(ends, end, number(0)), stays = any(rests) ? whole_swing_of(&g->d) : time;
    stuck a = guided_at(k, g, time, &now);
    note_guided_turn(k, g, pick(rests, stays, time), pick(rests, number(0), a.v_n), here);
    if (k->p->account && k->p->account->want_peaks) {
        shares m;
        set_shares(k, known, &m, here);
        note_stick_peaks(k, &m, pick(rests, stays, time), here);
    }
    if (any(rests)) {
        guided_ring_down(k, g, rests);
    }
    if (any(ends)) {
        carry_stick(k, &a, time, ends);
        leave(k, which, ends);
    }
}

/* Whether the springs of a guided body would be at rest nearly without elongation, as behind a
 * brief slip: where a pull ends when the elongation does, this small difference tells when. */
CODE truth is_rest_lost(const contacts *k, truth here) {
    const double small = 1e-3;
    const state *now = &k->now;
    real pull = k->p->c * now->delta, rest = size_of(now->u + pull);
    return here & k->p->constrained & (k->side < 0) &
           (rest < small * (size_of(now->u) + size_of(pull)));
}

/* Those that never end while the force pulls are left to the code for one cell, too. */
CODE void stick_of_others(contacts *k, known_roots *known, truth here) {
    shares m;
    set_shares(k, known, &m, here);
    k->hard = k->hard | is_hard_stick(k, &m, here) | is_rest_lost(k, here);
    here = here & not(k->hard);
    search way;
    find_end_of_stick(k, &m, &way, here);
    k->hard = k->hard | (here & (way.hard | (way.which < 0) | not(way.time < INFINITY)));
    here = here & not(k->hard);
    if (any(here)) {
        real end = pick(here, way.time, number(0));
        stuck a;
        find_stuck(k, &m, end, way.now, &a);
        note_tops(k, &m, end, &a, way.now, here);
        put(k->p->constrained, &a.v_t, k->p->c * a.v_n);
        carry_stick(k, &a, end, here);
        leave(k, way.which, here);
    }
}

/* Several at the same time: while one waits for its roots and divisions, others go on. */
CODE void sticks_of_guided(guided_stick *w, int n, known_roots *known) {
    bool open = true;
    for (int i = 0; i < n; i++) {
        foresee(&w[i].face[0], &w[i].foresight);
    }
    for (int i = 0; i < n; i++) {
        near_face(&w[i]);
    }
    for (int times = 0; open && times < MOST_PURSUITS; times++) {
        open = false;
        for (int i = 0; i < n; i++) {
            if (any(w[i].way.open)) {
                pursue(&w[i].face[0], &w[i].way);
                open |= any(w[i].way.open);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        leave_guided(&w[i], known);
    }
}

/* The contacts that are to stick. */
CODE void sticks(contacts *all, int n, known_roots *known) {
    guided_stick w[IN_TURN];
    int count = 0;
    for (int i = 0; i < n; i++) {
        contacts *k = &all[i];
        truth here = begin_phase(k, TO_STICK), guided = here & k->p->constrained & (k->side > 0);
        truth others = here & not(guided);
        note_phase(&k->now, number(IMP_STICK), here);
        if (any(guided)) {
            enter_guided(&w[count++], k, guided);
        }
        if (any(others)) {
            stick_of_others(k, known, others);
        }
    }
    sticks_of_guided(w, count, known);
}

#endif
