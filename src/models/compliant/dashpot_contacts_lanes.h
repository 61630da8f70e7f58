/* Contacts of the law `dashpot` on their way, in lanes. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_CONTACTS_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_CONTACTS_LANES_H

#include "models/compliant/account_impl.h"
#include "models/compliant/dashpot_sights_lanes.h"

/* How many groups of cells are solved in turn. Numbers of more groups leave the nearest cache. */
enum { IN_TURN = 2 };

/* Contacts on their way. hard: those that are left to the code for one cell. */
typedef struct contacts {
    const imp_compliant_problem *p;
    state now; /* its loss: friction and the tangential dashpot together */
    real s;    /* direction of the last slip, or of the next; 0 at the start in stick */
    real u_rate;
    truth halted, turns_over, on_face; /* as in dashpot_contact */
    real side, face_force;
    real normal_loss, tangential_loss; /* the second only for accounts */
    real spent, ending;                /* spent: of the budget, as the code for one cell counts */
    truth here, hard, peaks_hard;      /* peaks_hard: of these only the peak forces */
} contacts;

/* The contacts whose next phase is this one. What the phase costs is added to what they spent. */
CODE truth begin_phase(contacts *k, double phase) {
    const double phase_costs = IMP_COMPLIANT_DASHPOT_PHASE;
    truth here = k->here & not(k->hard) & (k->ending == phase);
    put(here, &k->spent, k->spent + phase_costs);
    return here;
}

CODE real force_of(const contacts *k) {
    real force = pick(k->on_face, k->face_force, k->now.delta - k->p->damping * k->now.v_n);
    return pick(k->turns_over, number(0), force);
}

CODE void put_pull_on_face(contacts *k, real pull, truth here) {
    real held = k->p->drag * k->now.v_t;
    put(here & not(size_of(held) > 4 * size_of(k->now.u)), &k->now.u, pull - held);
}

#endif
