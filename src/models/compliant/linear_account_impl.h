/* What a contact with linear springs enters into its account: the phases themselves know energies
 * and forces at their ends, in closed form. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_LINEAR_ACCOUNT_IMPL_H
#define IMP_MODELS_COMPLIANT_LINEAR_ACCOUNT_IMPL_H

#include "base/constants.h"
#include "models/compliant/account_impl.h"
#include "models/compliant/state_impl.h"
#include "models/compliant/turn_impl.h"

/* ---- energies ---- */

/* Work of the tangential force so far: friction and the tangential spring have it. */
CODE real tangential_work(real loss, real u) {
    return 0 - (loss + u * u / 2);
}

/* What friction takes from a slip by a normal impulse, given the slip speeds before and after
 * it. */
CODE real friction_loss(const imp_compliant_problem *p, real impulse, real before, real after) {
    return p->mu * impulse * (before + after) / 2;
}

/* Adds a loss of the present phase. */
CODE void note_loss(const imp_compliant_problem *p, state *now, real loss, truth here) {
    put(here, &now->loss, now->loss + loss);
    if (p->account) {
        add_slip_loss(p->account, now->phases - 1, loss, here);
    }
}

/* ---- forces ---- */

CODE bool wants_peaks(const imp_compliant_problem *p) {
    return p->account && p->account->want_peaks;
}

/* Notes the tangential force, whose size is that of u, at a time since the first touch. */
CODE void note_tangential(const imp_compliant_problem *p, real u, real time, truth here) {
    if (wants_peaks(p)) {
        note_force(&p->account->tangential, u, time, here);
    }
}

/* The tangential force at a time, but for its sign. */
typedef struct thrust {
    real time, force;
} thrust;

/* The turn of u between two times near each other, between which its rate changes its sign; guess:
 * a time between them. Newton's method of higher order, and halves of the bracket where it leaves
 * it. */
CODE thrust turn_between(const modes *m, const motion *x, const weights *k, real low, real high,
                         real guess, truth rises, truth here) {
    enum { MOST = 100 };
    thrust top = {.time = guess, .force = number(0)};
    for (int i = 0; i < MOST && any(here); i++) {
        instant now = at_time(m, x, pick(here, guess, number(0)));
        sample f = velocity(k, now.y, now.v);
        real step = velocity_step(m, k, now.y, now.v), phase = m->w[0] * step;
        real jerk = -sum_of(k->pull, now.v), snap = sum_of_three(k->pull, m->square, now.y);
        truth settles = phase * phase <= 1e-7;
        real last = pick(settles, step, number(0));
        real rise = f.value + last * (f.slope / 2 + last * (jerk / 6 + last * (snap / 24)));
        put(here, &top.time, guess + last);
        put(here, &top.force, sum_of(m->t, now.y) + last * rise);
        truth before = (f.value > 0) == rises;
        put(here & before, &low, guess);
        put(here & not(before), &high, guess);
        real next = guess + step;
        guess = pick((next > low) & (next < high), next, (low + high) / 2);
        here = here & not(settles) & (guess > low) & (guess < high);
    }
    return top;
}

/* Both modes a little later. */
CODE motion turned(const motion *x, const real sine[2], const real cosine[2]) {
    motion next = *x;
    for (int k = 0; k < 2; k++) {
        next.y[k] = x->y[k] * cosine[k] + x->z[k] * sine[k];
        next.z[k] = x->z[k] * cosine[k] - x->y[k] * sine[k];
    }
    return next;
}

/* Into how many stretches a stick is divided; period: of the faster mode. */
CODE real stretches_of(real duration, real period) {
    const double most = 4096, whole = 0x1.8p52;
    real parts = smaller(8 * duration / period, number(most));
    real rounded = (parts + whole) - whole;
    return larger(pick(rounded < parts, rounded + 1, rounded), number(1));
}

/* Notes the tangential force where it turns in a stick. Evenly spaced instants show between which
 * of them it does: eight in a period of the faster mode, but at most 4096 in all, so that in a
 * stick of more than 512 periods a peak can be missed. Stretches in which the force stays below the
 * greatest so far are left out. Of forces that are equal but for rounding, as those of one mode
 * are, the first counts. now: the contact when the stick begins; pace: of the time since the first
 * touch, in the units of the motion. */
static inline void note_turns_of_u(const imp_compliant_problem *p, const modes *m, const motion *x,
                                   const state *now, real duration, real pace, truth here) {
    const double above = 1 + 4e-15;
    const weights k = weights_of(m, m->t, x, number(1));
    imp_compliant_peak_force *greatest = &p->account->tangential;
    real n = stretches_of(duration, 2 * IMP_PI / m->w[0]), sine[2], cosine[2];
    real step = pick(here, duration, number(0)) / n;
    real swell =
        (size_of(k.pull[0]) * x->size[0] + size_of(k.pull[1]) * x->size[1]) * (step * step / 8);
    imp_lanes_sines((real[2]){m->w[0] * step, m->w[1] * step}, sine, cosine);
    const real speed[2] = {m->t[0] * m->w[0], m->t[1] * m->w[1]};
    motion from = *x;
    for (double i = 0; any(here); i++) {
        motion to = turned(&from, sine, cosine);
        real before = sum_of(speed, from.z), after = sum_of(speed, to.z);
        real most = larger(size_of(sum_of(m->t, from.y)), size_of(sum_of(m->t, to.y))) + swell;
        truth rises = before > 0, turns = here & (rises != (after > 0)) & (most > greatest->size);
        if (any(turns)) {
            real guess = step * (i + before / (before - after));
            thrust top = turn_between(m, x, &k, step * i, step * (i + 1), guess, rises, turns);
            truth exceeds = turns & (size_of(top.force) > above * greatest->size);
            note_force(greatest, top.force, pace * (now->time + top.time), exceeds);
        }
        from = to;
        here = here & (i + 1 < n);
    }
}

/* ---- the end ---- */

/* Completes the account. The normal force is greatest when the indentation is. rebound: work of the
 * tangential force since then. */
CODE void close_account(const imp_compliant_problem *p, const state *now, real rebound,
                        truth here) {
    imp_compliant_account *account = p->account;
    if (!account) {
        return;
    }
    put(here, &account->work_t_approach, now->greatest.work_t);
    put(here, &account->work_t_rebound, rebound);
    put(here, &account->normal.size, now->greatest.delta);
    put(here, &account->normal.time, now->greatest.time);
}

#endif
