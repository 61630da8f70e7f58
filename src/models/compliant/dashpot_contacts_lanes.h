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

/* Whether the directions of free bodies act on each other by rounding at most. */
CODE truth is_apart(const imp_compliant_problem *p) {
    const double rounding = 1e-15;
    return size_of(p->c) <= rounding * smaller(p->a, number(1));
}

/* As creeps of dashpot.c, which says how they end. */
CODE truth hardly_moves(const contacts *k) {
    const double least = 1e-30;
    return (k->side < 0) & (size_of(k->now.v_n) < least) & (size_of(k->now.delta) < least);
}

/* The contacts whose next phase is this one. What the phase costs is added to what they spent. */
CODE truth begin_phase(contacts *k, double phase) {
    const double phase_costs = IMP_COMPLIANT_DASHPOT_PHASE;
    truth here = k->here & not(k->hard) & (k->ending == phase);
    k->hard = k->hard | (here & hardly_moves(k));
    put(here, &k->spent, k->spent + phase_costs);
    return here & not(k->hard);
}

CODE real force_of(const contacts *k) {
    real force = pick(k->on_face, k->face_force, k->now.delta - k->p->damping * k->now.v_n);
    return pick(k->turns_over, number(0), force);
}

/* Contacts at a time in stick, with the losses since it began. */
typedef struct stuck {
    real u, delta, v_t, v_n, p_t, p_n, loss_t, loss_n;
} stuck;

/* Of the normal force. */
CODE real stick_work(const contacts *k, const stuck *a) {
    return (k->now.delta - a->delta) * (k->now.delta + a->delta) / 2 - a->loss_n;
}

/* Notes the turn at a time in stick. */
CODE void note_turn_there(contacts *k, const stuck *a, real time, truth here) {
    state *from = &k->now;
    note_turn(from,
              &(peak){.delta = a->delta,
                      .p_n = from->p_n + a->p_n,
                      .time = from->time + time,
                      .work = from->work + stick_work(k, a),
                      .work_t = -(from->loss + a->loss_t + a->u * a->u / 2)},
              here);
}

/* Carries contacts to the end of a stick. */
CODE void carry_stick(contacts *k, const stuck *a, real end, truth here) {
    state *now = &k->now;
    real work = stick_work(k, a);
    put(here, &now->u, a->u);
    put(here, &now->delta, a->delta);
    put(here, &now->v_t, a->v_t);
    put(here, &now->v_n, a->v_n);
    put(here, &now->p_t, now->p_t + a->p_t);
    put(here, &now->p_n, now->p_n + a->p_n);
    put(here, &now->work, now->work + work);
    put(here, &now->loss, now->loss + a->loss_t);
    put(here, &now->time, now->time + end);
    put(here, &k->normal_loss, k->normal_loss + a->loss_n);
    put(here, &k->tangential_loss, k->tangential_loss + a->loss_t);
    k->on_face = k->on_face & not(here);
}

CODE void put_pull_on_face(contacts *k, real pull, truth here) {
    real held = k->p->drag * k->now.v_t;
    put(here & not(size_of(held) > 4 * size_of(k->now.u)), &k->now.u, pull - held);
}

#endif
