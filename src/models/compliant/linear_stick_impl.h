/* Stick of free bodies under the linear law. Several contacts in each lane take their steps in
 * turn: while one waits for its roots and divisions, others go on. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_LINEAR_STICK_IMPL_H
#define IMP_MODELS_COMPLIANT_LINEAR_STICK_IMPL_H

#include <limits.h>

#include "models/compliant/linear_account_impl.h"
#include "models/compliant/pieces_impl.h"

/* A stick from its start to the exit from the cone, with the turns of v_n on the way. */
typedef struct linear_stick {
    truth here;
    const modes *m;
    motion x;
    cone faces;
    exit_search exit;
    event end;
    state after; /* at the end */
    truth seeks; /* the next turn */
    real budget; /* for turns */
    turn_search turns;
    next_search next;
    event turn;
} linear_stick;

/* A contact of each lane, on its way from phase to phase. */
typedef struct linear_contact {
    const imp_compliant_problem *p;
    modes *last; /* that were known last */
    truth here;
    state now;
    real budget;
    real s;      /* direction of the last slip, or of the next; 0 at the start in stick */
    real ending; /* of the last phase */
    linear_stick stick;
} linear_contact;

__attribute__((noinline, cold)) static void show_stick(const imp_compliant_problem *p,
                                                       const state *start, const modes *m,
                                                       const motion *x, const real *duration,
                                                       const truth *here) {
    linear_path path = {.problem = p, .start = start, .e = number(1), .m = m, .x = x};
    show_linear(&path, *duration, *here);
}

/* What a contact does next; returns whether it has more to do. */
typedef bool linear_act(linear_contact *k);

/* All contacts act in turn, until none has more to do, but at most so many times. Returns whether
 * any has more to do. */
CODE bool in_turn(linear_contact *all, int n, linear_act *act, int most) {
    bool more = true;
    for (int times = 0; more && times < most; times++) {
        more = false;
        for (int i = 0; i < n; i++) {
            more |= act(&all[i]);
        }
    }
    return more;
}

/* ---- the exit from the cone ---- */

CODE bool enter_stick(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here)) {
        note_phase(&k->now, number(IMP_STICK), w->here);
        w->m = modes_for(k->p, k->last);
        w->x = motion_from(w->m, &k->now);
        w->faces = cone_of(k->p, w->m, &w->x);
        truth blurred = w->here & blurs(w->m, &w->x, &w->faces, &k->now);
        put(blurred, &k->ending, number(BLURRED));
        w->here = w->here & not(blurred);
        begin_exit(&w->exit, first_step(w->m, &w->x, &w->faces, k->s), w->here);
    }
    return false;
}

CODE bool seek_exit(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here & w->exit.going)) {
        step_to_exit(&w->exit, w->m, &w->x, &w->faces, &k->budget);
    }
    return any(w->here & w->exit.going);
}

CODE bool come_near_exit(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here)) {
        w->end = event_at(w->m, &w->x, w->exit.found, &w->exit.at);
    }
    return false;
}

CODE bool come_nearer_exit(linear_contact *k) {
    linear_stick *w = &k->stick;
    truth near = w->here & w->exit.near;
    if (any(near)) {
        w->exit.near = polish_exit(w->m, &w->faces, w->exit.face, &w->end, near);
    }
    return any(w->here & w->exit.near);
}

/* ---- turns of v_n ---- */

/* Turns are few and do not count against the budget, unless one mode is much faster: then they are
 * always sought, and count, because the outcome must not depend on whether turns are wanted. */
CODE truth has_many_turns(const linear_stick *w) {
    return w->m->w[0] > 1e3 * w->m->w[1];
}

/* Where there may be another turn. v_n that grows turns at most once, from approach to rebound. */
CODE truth may_turn(const linear_contact *k) {
    const linear_stick *w = &k->stick;
    return not(only_grows(k->p) & ((w->turns.sign > 0) | (w->after.v_n < 0))) | has_many_turns(w);
}

CODE bool arrive(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here)) {
        put(w->here, &k->ending, pick(is_nan(w->end.time), number(OUT_OF_BUDGET), number(LOST)));
        w->here = w->here & (w->end.time < INFINITY);
        put_motion(imp_lanes_all(true), &w->after, &k->now);
        swing(w->m, &w->end, &w->after, w->here);
        truth many = has_many_turns(w);
        w->turns = turns_from(k->p, &k->now);
        w->seeks = w->here & (k->p->want_turn ? may_turn(k) : many);
        w->budget = pick(many, k->budget, number((double)(INT64_C(1) << 24)));
    }
    return any(w->here & w->seeks);
}

CODE bool look_for_turn(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here & w->seeks)) {
        begin_next(&w->next, k->p, w->m, &w->x, &w->turns, &w->after, w->here & w->seeks);
    }
    return false;
}

CODE bool seek_turn(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here & w->seeks & w->next.going)) {
        step_to_turn(&w->next, w->m, &w->x, w->end.time, &w->budget);
    }
    return any(w->here & w->seeks & w->next.going);
}

CODE bool come_near_turn(linear_contact *k) {
    linear_stick *w = &k->stick;
    if (any(w->here & w->seeks)) {
        w->turn = turn_near(&w->next, w->m, &w->x);
    }
    return false;
}

CODE bool come_nearer_turn(linear_contact *k) {
    linear_stick *w = &k->stick;
    truth near = w->here & w->seeks & w->next.near;
    if (any(near)) {
        w->next.near = polish_turn(w->m, &w->next.k, &w->turn, near);
    }
    return any(w->here & w->seeks & w->next.near);
}

/* Notes the turn that was found, at which the indentation is greatest or least. */
CODE bool pass_found_turn(linear_contact *k) {
    linear_stick *w = &k->stick;
    truth seeks = w->here & w->seeks;
    if (!any(seeks)) {
        return false;
    }
    truth spent = seeks & is_nan(w->turn.time);
    put(spent, &k->ending, number(OUT_OF_BUDGET));
    w->here = w->here & not(spent);
    w->seeks = seeks & (w->turn.time > w->turns.time) & (w->turn.time < w->end.time);
    state there;
    put_motion(imp_lanes_all(true), &there, &k->now);
    swing(w->m, &w->turn, &there, w->seeks);
    real work_t = tangential_work(k->now.loss, there.u);
    peak turn = peak_in(&there, work_t);
    note_turn(&k->now, &turn, w->seeks & (w->turns.sign < 0));
    pass_turn(&w->turns, k->p, &w->turn, &there, w->seeks);
    w->seeks = w->seeks & may_turn(k);
    return any(w->seeks);
}

/* Notes every local maximum of the indentation, because the body can be compressed more than
 * once. */
CODE void note_turns(linear_contact *all, int n) {
    do {
        in_turn(all, n, look_for_turn, 1);
        in_turn(all, n, seek_turn, INT_MAX);
        in_turn(all, n, come_near_turn, 1);
        in_turn(all, n, come_nearer_turn, MAX_POLISH);
    } while (in_turn(all, n, pass_found_turn, 1));
}

/* ---- the end ---- */

CODE bool leave(linear_contact *k) {
    linear_stick *w = &k->stick;
    truth here = w->here;
    if (!any(here)) {
        return false;
    }
    put(here & has_many_turns(w), &k->budget, w->budget);
    if (is_observed(k->p)) {
        show_stick(k->p, &k->now, w->m, &w->x, &w->end.time, &here);
    }
    if (wants_peaks(k->p)) {
        note_turns_of_u(k->p, w->m, &w->x, &k->now, w->end.time, number(1), here);
    }
    put_motion(here, &k->now, &w->after);
    real left = leave_stick(k->p, w->m, &w->x, w->exit.face, &k->now, &k->s, here);
    note_tangential(k->p, k->now.u, k->now.time, here);
    put(here, &k->ending, left);
    return false;
}

/* The sticks of those contacts that are to stick. */
CODE void free_sticks(linear_contact *all, int n) {
    in_turn(all, n, enter_stick, 1);
    in_turn(all, n, seek_exit, INT_MAX);
    in_turn(all, n, come_near_exit, 1);
    in_turn(all, n, come_nearer_exit, MAX_POLISH);
    if (in_turn(all, n, arrive, 1)) {
        note_turns(all, n);
    }
    in_turn(all, n, leave, 1);
}

#endif
