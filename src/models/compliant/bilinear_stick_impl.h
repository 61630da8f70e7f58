/* Stick under the linear law with restitution below 1, cut where the side of the normal spring
 * changes. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_BILINEAR_STICK_IMPL_H
#define IMP_MODELS_COMPLIANT_BILINEAR_STICK_IMPL_H

#include "models/compliant/bilinear_impl.h"

/* Adds what the tangential force has done in stick: it has moved its spring from u to where it is
 * now. */
CODE void note_stick_work(contact *k, const state *now, real u, truth here) {
    put(here, &k->work_t, k->work_t + (u - now->u) * (u + now->u) / 2);
}

/* ---- stick of a constrained body: one mode ---- */

/* The oscillation along (c, 1): x is the displacement of the contact along n, and oscillates about
 * `middle` with the angular frequency w. */
typedef struct swinging {
    real middle, w, speed;
} swinging;

CODE swinging swinging_of(const imp_compliant_problem *p, const state *now) {
    real square = 1 + p->c * p->c;
    return (swinging){
        .middle = (now->delta - p->c * now->u) / square, .w = root_of(square), .speed = now->v_n};
}

/* The amplitude of the oscillation. */
CODE real amplitude_of(const swinging *m) {
    real swing = m->speed / m->w;
    return root_of(m->middle * m->middle + swing * swing);
}

/* Phase of the oscillation at x, where v_n has the given sign; 0 at the lowest x. */
CODE real phase_angle(const swinging *m, real x, real sign) {
    real amplitude = amplitude_of(m), y = x - m->middle;
    real across = root_of(positive_part((amplitude - y) * (amplitude + y)));
    real angle = imp_lanes_half_turn(across, -y);
    return pick(sign < 0, 2 * IMP_PI - angle, angle);
}

/* Time until x is reached; infinite if v_n vanishes before. */
CODE real time_to(const swinging *m, real x) {
    const real never = number(INFINITY);
    real amplitude = amplitude_of(m), sign = m->speed, lift = x / m->middle;
    real from_rest = 2 * imp_lanes_angle(root_of(lift), root_of(2 - lift)) / m->w;
    from_rest = pick((lift >= 0) & (lift <= 2), from_rest, never);
    real from = phase_angle(m, number(0), sign), to = phase_angle(m, x, sign);
    real moving = positive_part(to - from) / m->w;
    moving = pick((sign * x >= 0) & (sign * (x - m->middle) <= amplitude), moving, never);
    return pick(m->speed == 0, from_rest, moving);
}

CODE void swing_for(contact *k, const imp_compliant_problem *p, const swinging *m, state *now,
                    real x, real time, truth here) {
    if (is_observed(p)) {
        linear_path path = path_of(k, p, now, number(0));
        show_linear(&path, time, here);
    }
    real delta = positive_part(now->delta - x), square = m->w * m->w, sine, cosine;
    imp_lanes_sine(pick(here, m->w * time, number(0)), &sine, &cosine);
    real v_n = m->w * m->middle * sine + m->speed * cosine;
    real area = m->middle * time - (v_n - m->speed) / square; /* of x in time */
    put(here, &now->p_n, now->p_n + (now->delta * time - area));
    put(here, &now->p_t, now->p_t - (now->u * time + p->c * area));
    put(here, &now->work, now->work + (now->delta - delta) * (now->delta + delta) / 2);
    put(here, &now->time, now->time + time);
    real u = now->u;
    put(here, &now->u, u + p->c * x);
    note_stick_work(k, now, u, here);
    put(here, &now->delta, delta);
    put(here, &now->v_n, v_n);
    put(here, &now->v_t, p->c * v_n);
    note_tangential(p, now->u, pace_of(k) * now->time, here);
}

/* Finds the face of the cone that the oscillation reaches first, other than the face `from` that it
 * leaves. Returns x there, NaN without one. */
CODE real first_face(const imp_compliant_problem *p, const swinging *m, const state *now, real from,
                     real *face) {
    real first = number(INFINITY), x = number(NAN);
    /* From the plane the motion runs along a line through the apex of the cone. */
    truth above = now->delta > 0;
    for (double s = -1; s <= 1; s += 2) {
        real at = (p->mu * now->delta - s * now->u) / (p->mu + s * p->c);
        real time = pick(above & not(from == s), time_to(m, at), number(INFINITY));
        truth sooner = time < first;
        put(sooner, &first, time);
        put(sooner, &x, at);
        put(sooner, face, number(s));
    }
    return x;
}

/* Whether a body rests where it rested on the same face before: slip between the faces is lost in
 * rounding, and the motion repeats itself forever. s: the direction of the slip that has ended, 0
 * at the start. */
CODE truth rests_again(contact *k, const state *now, real s, truth here) {
    const double rounding = 1e-15;
    real place = pick(k->unloads, -now->delta, now->delta), *rest = k->rest;
    real before = pick(s < 0, rest[0], rest[1]);
    put(here & (s < 0), &rest[0], place);
    put(here & (s > 0), &rest[1], place);
    return here & (s != 0) & (size_of(place - before) <= rounding * now->delta);
}

/* A stretch of the oscillation on one side, until v_n = 0 at the latest. Returns the lanes that
 * stick on. */
CODE truth constrained_piece(contact *k, state *now, real *s, bool begins, real *ending,
                             truth here) {
    imp_compliant_problem p = side_of(k);
    swinging m = swinging_of(&p, now);
    real face = number(0), x = first_face(&p, &m, now, begins ? *s : number(0), &face);
    real exit = pick(is_nan(x), number(INFINITY), time_to(&m, x));
    real limit = pick(k->unloads, now->delta - k->e * k->greatest, m.middle - amplitude_of(&m));
    truth again = begins ? rests_again(k, now, *s, here) : imp_lanes_all(false);
    truth rises = (now->v_n > 0) | ((now->v_n == 0) & (m.middle >= 0));
    real change = pick(rises, number(INFINITY), time_to(&m, limit));
    truth changes = here & (change < exit) & not(again);
    truth wedges = here & not(changes) & (again | not(exit < INFINITY));
    truth leaves = here & not(changes | wedges);
    put(wedges, ending, number(WEDGED));
    if (is_observed(&p) && any(wedges)) {
        linear_path path = path_of(k, &p, now, number(0));
        show_wedge(&path, wedges);
    }
    swing_for(k, &p, &m, now, pick(changes, limit, x), pick(changes, change, exit),
              changes | leaves);
    change_side(k, now, changes);
    put(leaves, s, face);
    put(leaves, &now->u, face * p.mu * now->delta);
    put(leaves, ending, pick(now->delta > 0, number(TO_SLIP), number(SEPARATED)));
    return changes;
}

/* ---- stick of a free body ---- */

/* A motion of two modes that ends as a phase at `end`, and its piece until the side changes. */
typedef struct stretch {
    const modes *m;
    motion x;
    event end;
    state after; /* at the end */
} stretch;

/* The instant at which the indentation, which grows between the two times, passes the limit. */
static inline event passage(const stretch *w, real from, real to, real limit, truth here) {
    enum { MOST = 200 };
    real low = from, high = to, time = to;
    instant now = at_time(w->m, &w->x, pick(here, time, number(0))), at = now;
    for (int i = 0; i < MOST && any(here); i++) {
        put_instant(here, &at, &now);
        real excess = -sum_of(w->m->n, now.y) - limit, rate = -sum_of(w->m->n, now.v);
        put(here & (excess < 0), &low, time);
        put(here & not(excess < 0), &high, time);
        real guess = time - excess / rate;
        real next = pick((guess > low) & (guess < high), guess, (low + high) / 2);
        here = here & not(size_of(next - time) <= 1e-16 * (1 + size_of(time))) & (next > low) &
               (next < high);
        put(here, &time, next);
        now = at_time(w->m, &w->x, pick(here, time, number(0)));
    }
    return event_at(w->m, &w->x, time, &at);
}

/* The instant before the end of the stick at which the side changes; infinite if it does not. */
static inline event side_change(const contact *k, const imp_compliant_problem *p, const state *now,
                                const stretch *w, real *budget, truth here) {
    turn_search t = turns_from(p, now);
    real limit = k->e * k->greatest;
    event change = {.time = number(INFINITY)};
    while (any(here)) {
        event next = next_turn(p, w->m, &w->x, &t, w->end.time, &w->after, budget, here);
        truth found = here & (next.time > t.time) & (next.time < w->end.time),
              spent = here & is_nan(next.time);
        truth falls = here & (t.sign < 0), turns_here = falls & not(k->unloads);
        put_event(spent | (found & turns_here), &change, &next);
        here = here & not(spent | turns_here);
        real until = pick(found, next.time, w->end.time);
        real delta = pick(found, -sum_of(w->m->n, next.y), w->after.delta);
        truth passes = here & falls & (delta > limit);
        if (any(passes)) {
            event there = passage(w, t.time, until, limit, passes);
            put_event(passes, &change, &there);
        }
        here = here & found & not(passes);
        state there;
        put_motion(imp_lanes_all(true), &there, now);
        swing(w->m, &next, &there, here);
        pass_turn(&t, p, &next, &there, here);
    }
    return change;
}

/* The modes of the side of each lane. */
CODE modes modes_of(const contact *k) {
    modes m = *modes_for(&k->unloading, &k->memory->unloading);
    const modes *loading = modes_for(&k->loading, &k->memory->loading);
    truth loads = not(k->unloads);
    for (int i = 0; i < 2; i++) {
        put(loads, &m.t[i], loading->t[i]);
        put(loads, &m.n[i], loading->n[i]);
        put(loads, &m.w[i], loading->w[i]);
        put(loads, &m.square[i], loading->square[i]);
        put(loads, &m.inverse[i], loading->inverse[i]);
    }
    return m;
}

CODE void show_stretch(const contact *k, const imp_compliant_problem *p, const state *start,
                       const stretch *w, real duration, truth here) {
    if (is_observed(p)) {
        linear_path path = path_of(k, p, start, number(0));
        path.m = w->m;
        path.x = &w->x;
        show_linear(&path, duration, here);
    }
}

/* A stretch on one side, to the end of the stick or to the change of the side. Returns the lanes
 * that stick on. */
CODE truth free_piece(contact *k, state *now, real *s, bool begins, real *ending, truth here) {
    imp_compliant_problem p = side_of(k);
    modes m = modes_of(k);
    stretch w = {.m = &m, .x = motion_from(&m, now)};
    cone faces = cone_of(&p, w.m, &w.x);
    truth face, blurred = here & blurs(w.m, &w.x, &faces, now);
    put(blurred, ending, number(BLURRED));
    here = here & not(blurred);
    real start = begins ? first_step(w.m, &w.x, &faces, *s) : number(0);
    w.end = cone_exit(w.m, &w.x, &faces, start, &k->budget, &face, here);
    put(here, ending, pick(is_nan(w.end.time), number(OUT_OF_BUDGET), number(LOST)));
    here = here & (w.end.time < INFINITY);
    put_motion(imp_lanes_all(true), &w.after, now);
    swing(w.m, &w.end, &w.after, here);
    event change = side_change(k, &p, now, &w, &k->budget, here);
    put(here & is_nan(change.time), ending, number(OUT_OF_BUDGET));
    here = here & not(is_nan(change.time));
    truth changes = here & (change.time < w.end.time), leaves = here & not(changes);
    real duration = pick(changes, change.time, w.end.time);
    show_stretch(k, &p, now, &w, duration, here);
    if (wants_peaks(&p) && any(here)) {
        note_turns_of_u(&p, w.m, &w.x, now, duration, pace_of(k), here);
    }
    real u = now->u;
    swing(w.m, &change, now, changes);
    note_stick_work(k, now, u, changes);
    note_tangential(&p, now->u, pace_of(k) * now->time, changes);
    change_side(k, now, changes);
    put_motion(leaves, now, &w.after);
    real left = leave_stick(&p, w.m, &w.x, face, now, s, leaves);
    note_stick_work(k, now, u, leaves);
    note_tangential(&p, now->u, pace_of(k) * now->time, leaves);
    put(leaves, ending, left);
    return changes;
}

/* ---- the whole contact ---- */

/* A stick, to its end. *s: direction of the slip before, 0 at the start; on return the direction of
 * the slip that follows. */
CODE void bilinear_stick(contact *k, state *now, real *s, real *ending, truth here) {
    note_phase(now, number(IMP_STICK), here);
    for (bool begins = true; any(here); begins = false) {
        here = pay(&k->budget, ending, here);
        truth free = here & not(k->loading.constrained), guided = here & k->loading.constrained;
        truth on = guided;
        if (any(guided)) {
            on = constrained_piece(k, now, s, begins, ending, guided);
        }
        here = any(free) ? on | free_piece(k, now, s, begins, ending, free) : on;
    }
}

CODE real run_bilinear(contact *k, state *now, truth here) {
    real s = pick(k->loading.v_t < 0, number(-1), number(1));
    truth rests = sticks_at_start(&k->loading, s);
    real end = pick(rests, number(TO_STICK), number(TO_SLIP));
    put(rests, &s, number(0));
    for (;;) {
        truth slips = here & (end == TO_SLIP);
        if (any(slips)) {
            bilinear_slip(k, now, s, &end, slips);
        }
        truth sticks = here & (end == TO_STICK);
        if (any(sticks)) {
            bilinear_stick(k, now, &s, &end, sticks);
        }
        if (!any(here & ((end == TO_SLIP) | (end == TO_STICK)))) {
            return end;
        }
    }
}

/* The unloading spring is stiffer by 1 / e^2: the stiffness ratio grows by as much. */
CODE contact contact_of(const imp_compliant_problem *p, imp_compliant_memory *memory) {
    real e = p->restitution;
    contact k = {.loading = *p,
                 .unloading = *p,
                 .memory = memory,
                 .e = e,
                 .work_t = number(0),
                 .rest = {number(0), number(0)},
                 .budget = number((double)p->budget)};
    k.unloading.a *= e * e;
    k.unloading.c *= e;
    k.unloading.determinant *= e * e;
    k.unloading.mu /= e;
    return k;
}

/* In lanes other than `here` the result is without meaning. */
static inline imp_compliant_result solve_bilinear(const imp_compliant_problem *problem,
                                                  imp_compliant_memory *memory, truth here) {
    /* Below this coefficient the energy that comes back is lost in rounding. */
    const double least_coefficient = 1e-12;
    truth outside = problem->restitution < least_coefficient;
    contact k = contact_of(problem, memory);
    state now = first_touch(problem);
    real end = run_bilinear(&k, &now, here & not(outside));
    real elastic = (now.delta * now.delta + now.u * now.u) / 2;
    reload(&k, &now, k.unloads);
    close_account(problem, &now, k.work_t, here);
    /* What the normal spring dissipates. */
    real normal_loss = (1 - k.e) * (1 + k.e) * k.greatest * k.greatest / 2;
    imp_compliant_result result = result_of(problem, &now, end, now.loss + normal_loss, elastic);
    /* Impulse and work have been summed anew since the turn. */
    result.p_n = now.greatest.p_n + now.p_n;
    result.p_n_rebound = now.p_n;
    result.work_rebound = now.work;
    put(outside, &result.outcome, number(IMP_OUTSIDE));
    return result;
}

#endif
