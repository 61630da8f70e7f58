/* What the laws share for accounts, and for observers. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_ACCOUNT_IMPL_H
#define IMP_MODELS_COMPLIANT_ACCOUNT_IMPL_H

#include "models/compliant/problem.h"

CODE void note_force(imp_compliant_peak_force *peak, real force, real time, truth here) {
    truth higher = here & (size_of(force) > peak->size);
    put(higher, &peak->size, size_of(force));
    put(higher, &peak->time, time);
}

/* Stick and slip alternate: whichever comes first, slip phases are every second one. */
CODE void add_slip_loss(imp_compliant_account *account, real phase, real loss, truth here) {
    const double whole = 0x1.8p52;
    real slip = smaller((phase / 2 - 0.25 + whole) - whole, number(IMP_COMPLIANT_SLIPS - 1));
    for (int k = 0; k < IMP_COMPLIANT_SLIPS; k++) {
        put(here & (slip == k), &account->slip_loss[k], account->slip_loss[k] + loss);
    }
    put(here, &account->slips, slip + 1);
}

/* At the greatest indentation so far the tangential force has done `work_t` in the piece at hand:
 * this and *rebound belong to *approach. The work of the whole piece is added to *rebound
 * afterwards. */
CODE void split_work(real *approach, real *rebound, real work_t, truth here) {
    put(here, approach, *approach + (*rebound + work_t));
    put(here, rebound, -work_t);
}

/* Whether somebody sees the pieces, or keeps an account of them. */
CODE bool is_watched(const imp_compliant_problem *p) {
    return p->observer || p->account;
}

/* Shows a piece to an observer, which sees one lane. */
CODE void observe_piece(const imp_compliant_problem *p, imp_compliant_piece *piece,
                        imp_compliant_instant (*at)(const imp_compliant_piece *, real)) {
    piece->span = (imp_phase_span){.phase = (int)imp_lanes_get(piece->phase, 0),
                                   .number = (int)imp_lanes_get(piece->number, 0),
                                   .duration = imp_lanes_get(piece->duration, 0)};
    piece->at = at;
    p->observer->see_piece(p->observer, piece);
}

#endif
