/* The linear law with an energetic coefficient e of restitution below 1 (Stronge 1994): the normal
 * spring gives back e^2 of the energy that it stored. Loading F3 = delta; unloading F3 = w / e^2
 * with w = delta - (1 - e^2) delta_max. A second compression reloads along that line up to
 * delta_max.
 *
 * Either side is a linear problem of its own. Scaled so that its stiffness is 1 again, time and
 * normal lengths shrink by e and the tangential velocity with them, u keeps its unit (the collapse
 * of the stiffness ratio, eta -> eta / e^2). So every phase is solved as in the linear law; it is
 * only cut where the side changes, which adds nothing to the sequence.
 *
 * In lanes. This file: the sides, and slip. */
#ifndef IMP_MODELS_COMPLIANT_BILINEAR_IMPL_H
#define IMP_MODELS_COMPLIANT_BILINEAR_IMPL_H

#include "models/compliant/linear_impl.h"

typedef struct contact {
    imp_compliant_problem loading, unloading;
    imp_compliant_memory *memory;
    real e, greatest; /* coefficient; greatest indentation so far */
    real work_t;      /* of the tangential force since then */
    /* Indentation where a constrained body last came to rest on either face; below 0: unloading. */
    real rest[2];
    truth unloads; /* on the unloading side; the state is in the units of its side */
    real budget;
} contact;

/* The problem of the side of each lane. */
CODE imp_compliant_problem side_of(const contact *k) {
    imp_compliant_problem p = k->loading;
    put(k->unloads, &p.a, k->unloading.a);
    put(k->unloads, &p.c, k->unloading.c);
    put(k->unloads, &p.determinant, k->unloading.determinant);
    put(k->unloads, &p.mu, k->unloading.mu);
    return p;
}

/* The instant of greatest indentation so far: the spring turns to its steep side. From here on the
 * normal impulse and both works are summed anew: at a small coefficient they would be lost in a sum
 * with those before. */
CODE void turn_side(contact *k, state *now, truth here) {
    const real none = number(0);
    put(here, &now->greatest.delta, now->delta);
    put(here, &now->greatest.p_n, now->greatest.p_n + now->p_n);
    put(here, &now->greatest.time, now->time / k->e);
    put(here, &now->greatest.work, now->greatest.work + now->work);
    put(here, &now->greatest.work_t, tangential_work(now->loss, now->u));
    put(here, &now->p_n, none);
    put(here, &now->work, none);
    put(here, &k->work_t, none);
    put(here, &k->greatest, now->delta);
    k->unloads = k->unloads | here;
    put(here, &now->delta, now->delta * k->e);
    put(here, &now->v_n, none);
    put(here, &now->v_t, now->v_t * k->e);
    put(here, &now->p_t, now->p_t / k->e);
    put(here, &now->time, now->time / k->e);
}

/* Back on the loading line, at the greatest indentation so far. */
CODE void reload(contact *k, state *now, truth here) {
    k->unloads = k->unloads & not(here);
    put(here, &now->delta, k->greatest);
    put(here, &now->v_t, now->v_t / k->e);
    put(here, &now->p_t, now->p_t * k->e);
    put(here, &now->time, now->time * k->e);
    put(here, &now->greatest.time, now->greatest.time * k->e);
}

CODE void change_side(contact *k, state *now, truth here) {
    truth unloads = k->unloads;
    reload(k, now, here & unloads);
    turn_side(k, now, here & not(unloads));
}

/* The time of the contact in units of that of the side. */
CODE real pace_of(const contact *k) {
    return pick(k->unloads, k->e, number(1));
}

/* A path of the side; slip: its direction, 0 in stick. */
CODE linear_path path_of(const contact *k, const imp_compliant_problem *side, const state *start,
                         real slip) {
    real e = pace_of(k);
    return (linear_path){.problem = side,
                         .start = start,
                         .e = e,
                         .set = (1 - e) * (1 + e) * k->greatest,
                         .slip = slip};
}

/* ---- slip ---- */

/* Normal impulse until the spring is compressed to the limit again; infinite if it never is. */
CODE real impulse_to_reload(real v, real delta, real q, real limit) {
    real room = (limit - delta) * (limit + delta), square = v * v - q * room,
         root = root_of(square);
    truth never = not(square >= 0) | not((v < 0) | (q < 0));
    real impulse = pick(v < 0, positive_part(room) / (root - v), (root + v) / -q);
    return pick(never, number(INFINITY), impulse);
}

/* Time of a slip by the impulse `end` to the indentation delta. If v_n changes sign on the way, it
 * has two parts, and the force between them may be the greatest. */
CODE real time_of_slide(const contact *k, const imp_compliant_problem *p, const state *now, real q,
                        real end, real delta, truth here) {
    real least = root_of(positive_part(now->delta * now->delta + now->v_n * now->v_n / q)),
         middle = -now->v_n / q;
    truth parts = here & (middle > 0) & (middle < end), whole = here & not(parts);
    real time = number(0);
    if (any(parts)) {
        time = slip_time(middle, now->delta + least, q, parts);
        note_tangential(p, p->mu * least, pace_of(k) * (now->time + time), parts);
        time = time + slip_time(end - middle, least + delta, q, parts);
    }
    return any(whole) ? pick(parts, time, slip_time(end, now->delta + delta, q, whole)) : time;
}

/* Moves the state by the impulse `end`; the event at its end sets exact values afterwards.
 * released: no compression is left. */
CODE void slide(contact *k, const imp_compliant_problem *p, state *now, real s, real end,
                real speed, truth released, truth here) {
    real q = 1 - p->mu * s * p->c, v_n = now->v_n + q * end;
    real work = end * (now->v_n + v_n) / 2;
    real delta =
        pick(released, number(0), root_of(positive_part(now->delta * now->delta - 2 * work)));
    real after = positive_part(speed + slip_rate(p, s) * end);
    note_loss(p, now, friction_loss(p, end, speed, after), here);
    if (p->want_time) {
        real time = time_of_slide(k, p, now, q, end, delta, here);
        if (is_observed(p)) {
            linear_path path = path_of(k, p, now, s);
            show_linear(&path, time, here);
        }
        put(here, &now->time, now->time + time);
    }
    real gained = pick(p->constrained, p->c * q, p->c - p->mu * s * p->a) * end;
    put(here, &k->work_t, k->work_t - p->mu * s * end * (now->v_t + gained / 2));
    put(here, &now->v_t, now->v_t + gained);
    move_in_slip(p, now, s, end, v_n, delta, work, here);
    note_tangential(p, now->u, pace_of(k) * now->time, here);
}

/* Nothing sticks once the spring is released. Returns the end of the phase. */
CODE real end_slide(const imp_compliant_problem *p, state *now, real s, truth halts, truth here) {
    truth sticks = halts & (p->constrained | (now->delta > 0));
    put(here & p->constrained & sticks, &now->v_n, number(0));
    put(here & sticks, &now->v_t, -s * p->mu * now->v_n);
    return pick(sticks, number(TO_STICK), number(SEPARATED));
}

/* After the compression of a constrained body the slip speed is 0. Returns the lanes that stick
 * then. */
CODE truth rest_at_turn(contact *k, state *now, real s, truth here) {
    here = here & k->loading.constrained;
    put(here, &now->v_t, number(0));
    return here & (slip_rate(&k->unloading, s) < 0);
}

/* A stretch of slip on one side, to its end or to the change of the side. Returns the lanes that
 * slip on. */
CODE truth slip_piece(contact *k, state *now, real s, real *ending, truth here) {
    imp_compliant_problem p = side_of(k);
    real q = 1 - p.mu * s * p.c, speed = positive_part(s * now->v_t + p.mu * now->v_n);
    real halt = impulse_to_halt(&p, now, s, speed);
    real release =
        pick(k->unloads, impulse_to_separation(now->v_n, now->delta, q), number(INFINITY));
    real change = pick(k->unloads, impulse_to_reload(now->v_n, now->delta, q, k->e * k->greatest),
                       pick(q > 0, positive_part(-now->v_n / q), number(INFINITY)));
    /* A constrained slip ends together with the compression, whose end is handled first. */
    real end = smaller(change, smaller(release, halt));
    truth changes = change <= end * (1 + 1e-13);
    put(here & not(end < INFINITY), ending, number(LOST));
    here = here & (end < INFINITY);
    slide(k, &p, now, s, end, speed, not(changes) & (halt > end), here);
    truth ends = here & not(changes), turns = here & changes & not(k->unloads);
    put(ends, ending, end_slide(&p, now, s, halt == end, ends));
    change_side(k, now, here & changes);
    truth rests = rest_at_turn(k, now, s, turns);
    put(rests, ending, number(TO_STICK));
    return here & changes & not(rests);
}

CODE void bilinear_slip(contact *k, state *now, real s, real *ending, truth here) {
    note_phase(now, pick(s < 0, number(IMP_SLIP_BACK), number(IMP_SLIP_FORTH)), here);
    while (any(here)) {
        here = pay(&k->budget, ending, here);
        if (any(here)) {
            here = slip_piece(k, now, s, ending, here);
        }
    }
}

#endif
