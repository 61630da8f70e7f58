/* The energy account of a contact and its peak forces, gathered from its pieces. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_ACCOUNT_IMPL_H
#define IMP_MODELS_COMPLIANT_ACCOUNT_IMPL_H

#include "models/compliant/account.h"

/* The moment of a piece at a time. Functions take it besides the piece, although the piece names it, because where it is
 * a constant the compiler leaves out what nobody asks for. */
typedef imp_instant moment_at(const imp_compliant_piece *piece, real time);

/* A force at an instant, and its derivative in time. */
typedef struct thrust {
    real time, force, rate;
} thrust;

CODE thrust thrust_of(const imp_instant *m, bool tangential) {
    return (thrust){m->time, tangential ? m->f_t : m->f_n, tangential ? m->f_t_rate : m->f_n_rate};
}

CODE thrust thrust_at(const imp_compliant_piece *piece, moment_at *at, bool tangential, real time) {
    imp_instant m = at(piece, time);
    return thrust_of(&m, tangential);
}

CODE void put_thrust(truth here, thrust *x, thrust value) {
    put(here, &x->time, value.time);
    put(here, &x->force, value.force);
    put(here, &x->rate, value.rate);
}

CODE void note_force(imp_peak_force *peak, real force, real time, truth here) {
    truth higher = here & (size_of(force) > peak->size);
    put(higher, &peak->size, size_of(force));
    put(higher, &peak->time, time);
}

/* False position by the Illinois rule, as imp_chord of num/bracket.h. */
typedef struct secant {
    real low, high, low_value, high_value, stays;
} secant;

CODE real secant_next(const secant *c) {
    return c->high - c->high_value * (c->high - c->low) / (c->high_value - c->low_value);
}

CODE void secant_cut(secant *c, real x, real value, truth here) {
    truth above = here & (value > 0), below = here & not(value > 0);
    put(above & (c->stays > 0), &c->high_value, c->high_value / 2);
    put(below & (c->stays < 0), &c->low_value, c->low_value / 2);
    put(above, &c->low, x);
    put(above, &c->low_value, value);
    put(above, &c->stays, number(1));
    put(below, &c->high, x);
    put(below, &c->high_value, value);
    put(below, &c->stays, number(-1));
}

/* The zero of a rate that has opposite signs at the two ends. A peak is flat: its force converges
 * long before its time. */
CODE thrust turning_point(const imp_compliant_piece *piece, moment_at *at, bool tangential,
                          const thrust *low, const thrust *high, truth here) {
    enum { MOST = 100 };
    const double near_enough = 1e-13;
    real sign = pick(low->rate > 0, number(1), number(-1));
    secant c = {low->time, high->time, sign * low->rate, sign * high->rate, number(0)};
    thrust top = *high;
    put_thrust(c.low_value < -c.high_value, &top, *low);
    for (int i = 0; i < MOST; i++) {
        real time = secant_next(&c);
        truth settled = size_of(time - top.time) <= near_enough * (piece->duration + time);
        here = here & (time > c.low) & (time < c.high);
        here = i > 0 ? here & not(settled) : here;
        if (!any(here)) {
            break;
        }
        thrust next = thrust_at(piece, at, tangential, time);
        put_thrust(here, &top, next);
        secant_cut(&c, time, sign * next.rate, here);
    }
    return top;
}

/* Notes the greatest force in a piece, in `n` stretches; the force turns at most once in each. */
CODE void seek_peak(const imp_compliant_piece *piece, moment_at *at, bool tangential, real n,
                    const imp_instant *end, real since, imp_peak_force *peak, truth here) {
    thrust from = thrust_at(piece, at, tangential, number(0)), last = thrust_of(end, tangential);
    note_force(peak, from.force, since, here);
    for (double i = 1; any(here); i++) {
        thrust to = last;
        if (any(here & (i < n))) {
            put_thrust(i < n, &to, thrust_at(piece, at, tangential, piece->duration * i / n));
        }
        note_force(peak, to.force, since + to.time, here);
        truth turns = here & (from.rate * to.rate < 0);
        if (any(turns)) {
            thrust top = turning_point(piece, at, tangential, &from, &to, turns);
            note_force(peak, top.force, since + top.time, turns);
        }
        from = to;
        here = here & (i < n);
    }
}

/* Stretches of a piece in which a force turns at most once; pace: see imp_compliant_piece. */
CODE real stretches_of(real duration, real pace) {
    const double most = 4096, whole = 0x1.8p52;
    real parts = smaller(8 * duration / pace, number(most));
    real rounded = (parts + whole) - whole;
    return larger(pick(rounded < parts, rounded + 1, rounded), number(1));
}

CODE void seek_peaks(const imp_compliant_piece *piece, moment_at *at, const imp_instant *turn,
                     const imp_instant *end, imp_account *account, truth turns, truth here) {
    real since = account->time, n = stretches_of(piece->duration, piece->pace);
    if (piece->elastic) {
        note_force(&account->normal, turn->f_n, since + turn->time, turns);
    } else {
        seek_peak(piece, at, false, n, end, since, &account->normal, here);
    }
    if (!piece->elastic || piece->sticks) {
        seek_peak(piece, at, true, n, end, since, &account->tangential, here);
        return;
    }
    note_force(&account->tangential, turn->f_t, since + turn->time, turns);
    if (any(here & not(turns))) {
        seek_peak(piece, at, true, number(1), end, since, &account->tangential, here & not(turns));
    }
}

/* Stick and slip alternate: whichever comes first, slip phases are every second one. */
CODE void add_slip_loss(imp_account *account, real phase, real loss, truth here) {
    const double whole = 0x1.8p52;
    real slip = smaller((phase / 2 - 0.25 + whole) - whole, number(IMP_COMPLIANT_SLIPS - 1));
    for (int k = 0; k < IMP_COMPLIANT_SLIPS; k++) {
        put(here & (slip == k), &account->slip_loss[k], account->slip_loss[k] + loss);
    }
    put(here, &account->slips, slip + 1);
}

/* The greatest indentation so far is `work_t` of the tangential force after what *rebound has. */
CODE void split_work(real *approach, real *rebound, real work_t, truth here) {
    put(here, approach, *approach + (*rebound + work_t));
    put(here, rebound, -work_t);
}

/* Adds a piece of the lanes `here`. */
CODE void account_for(imp_account *account, const imp_compliant_piece *piece, moment_at *at,
                      truth here) {
    truth turns = here & (piece->turn >= 0);
    imp_instant end = at(piece, piece->duration), turn = end;
    if (any(turns)) {
        turn = at(piece, smaller(piece->duration, piece->turn));
        split_work(&account->work_t_approach, &account->work_t_rebound, turn.work_t, turns);
    }
    put(here, &account->work_t_rebound, account->work_t_rebound + end.work_t);
    if (!piece->sticks) {
        add_slip_loss(account, piece->number, end.loss, here);
    }
    if (account->want_peaks) {
        seek_peaks(piece, at, &turn, &end, account, turns, here);
    }
    put(here, &account->time, account->time + piece->duration);
}

/* Whether somebody sees the pieces. */
CODE bool is_watched(const imp_compliant_problem *p) {
    return p->observer || p->account;
}

/* Shows a piece to an observer, which sees one lane. */
CODE void observe_piece(const imp_compliant_problem *p, imp_compliant_piece *piece, moment_at *at) {
    piece->span = (imp_phase_span){.phase = (int)imp_lanes_get(piece->phase, 0),
                                   .number = (int)imp_lanes_get(piece->number, 0),
                                   .duration = imp_lanes_get(piece->duration, 0)};
    piece->at = at;
    p->observer->see_piece(p->observer, piece);
}

/* Shows a piece of the lanes `here` to those who watch. */
CODE void show_piece(const imp_compliant_problem *p, imp_compliant_piece *piece, moment_at *at,
                     truth here) {
    if (p->account) {
        account_for(p->account, piece, at, here);
    }
    if (p->observer && any(here)) {
        observe_piece(p, piece, at);
    }
}

#endif
