/* A contact of the linear law with restitution 1. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_LINEAR_IMPL_H
#define IMP_MODELS_COMPLIANT_LINEAR_IMPL_H

#include "models/compliant/linear_stick_impl.h"

/* Shows a phase from the state at its start. The code for observers is kept out of line: it runs
 * only when something watches. */
__attribute__((noinline, cold)) static void show_phase(const imp_compliant_problem *p,
                                                       const state *start, const real *s,
                                                       const real *duration, const truth *here) {
    show_linear(&(linear_path){.problem = p, .start = start, .e = number(1), .slip = *s}, *duration,
                *here);
}

CODE void show(const imp_compliant_problem *p, const state *start, real s, real duration,
               truth here) {
    if (is_observed(p)) {
        show_phase(p, start, &s, &duration, &here);
    }
}

/* Notes the turn of a slip that ends after the impulse `end`; speed, rate: of the slip, and per
 * normal impulse. */
CODE void note_slip_turn(const imp_compliant_problem *p, state *now, real q, real end, real speed,
                         real rate, truth here) {
    real impulse = -now->v_n / q;
    truth turns = here & (now->v_n < 0) & (impulse > 0) & (impulse <= end);
    if (!p->want_turn || !any(turns)) {
        return;
    }
    real work = impulse * now->v_n / 2;
    real delta = root_of(now->delta * now->delta - 2 * work), u = p->mu * delta;
    real time = p->want_time ? slip_time(impulse, now->delta + delta, q, turns) : number(0);
    real loss = friction_loss(p, impulse, speed, positive_part(speed + rate * impulse));
    note_turn(now,
              &(peak){.delta = delta,
                      .p_n = now->p_n + impulse,
                      .time = now->time + time,
                      .work = now->work + work,
                      .work_t = tangential_work(now->loss + loss, u)},
              turns);
    note_tangential(p, u, now->time + time, turns);
}

/* Slips of direction s, each to its end. */
CODE void slip(const imp_compliant_problem *p, state *now, real s, real *ending, truth here) {
    note_phase(now, pick(s < 0, number(IMP_SLIP_BACK), number(IMP_SLIP_FORTH)), here);
    real q = 1 - p->mu * s * p->c, rate = slip_rate(p, s);
    real speed = positive_part(s * now->v_t + p->mu * now->v_n);
    real separation = impulse_to_separation(now->v_n, now->delta, q);
    real halt = impulse_to_halt(p, now, s, speed);
    truth halts = halt <= separation;
    real end = pick(halts, halt, separation);
    put(here, ending, number(LOST));
    here = here & (end < INFINITY);
    note_slip_turn(p, now, q, end, speed, rate, here);
    real v_n = pick(p->constrained & halts, number(0), now->v_n + q * end);
    real work = end * (now->v_n + v_n) / 2;
    real square = pick(halts, now->delta * now->delta - 2 * work, number(0));
    /* Nothing sticks once the spring is released. */
    truth sticks = (p->constrained & halts) | (not(p->constrained) & (square > 0));
    real delta = root_of(positive_part(square));
    real after = pick(sticks, number(0), positive_part(speed + rate * end));
    note_loss(p, now, friction_loss(p, end, speed, after), here);
    if (p->want_time) {
        real time = slip_time(end, now->delta + delta, q, here);
        show(p, now, s, time, here);
        put(here, &now->time, now->time + time);
    }
    real gain = pick(p->constrained, p->c * q, p->c - p->mu * s * p->a);
    put(here, &now->v_t, pick(sticks, -s * p->mu * v_n, now->v_t + gain * end));
    move_in_slip(p, now, s, end, v_n, delta, work, here);
    note_tangential(p, now->u, now->time, here);
    put(here, ending, pick(sticks, number(TO_STICK), number(SEPARATED)));
}

/* ---- stick of a constrained body: one mode, closed form ---- */

/* The whole contact in stick: half a period of the only motion that the constraint allows. */
CODE void gross_stick(const imp_compliant_problem *p, state *now, truth here) {
    note_phase(now, number(IMP_STICK), here);
    real stiffness = 1 + p->c * p->c, w = root_of(stiffness);
    real u = p->c / w, duration = IMP_PI / w, impulse = 1 / stiffness; /* u, impulse: at the turn */
    real work_t = tangential_work(number(0), u);
    note_turn(now,
              &(peak){.delta = 1 / w,
                      .p_n = impulse,
                      .time = duration / 2,
                      .work = -impulse / 2,
                      .work_t = work_t},
              here);
    note_tangential(p, u, duration / 2, here);
    show(p, now, number(0), duration, here);
    put(here, &now->time, duration);
    put(here, &now->p_n, 2 * impulse);
    put(here, &now->p_t, 2 * p->c / stiffness);
    put(here, &now->v_t, -now->v_t);
    put(here, &now->v_n, -now->v_n);
}

/* Stick from rest (a constrained slip ends where v_n = 0). The body swings to the other face of the
 * cone or, if it does not reach that face within half a period, swings without end: it wedges. s:
 * direction of the slip before; lift = 1 - cos(phase), 0 at the start and 2 after half a period. */
CODE void constrained_stick(const imp_compliant_problem *p, state *now, real *s, real *ending,
                            truth here) {
    note_phase(now, number(IMP_STICK), here);
    real c = p->c, stiffness = 1 + c * c, q = 1 - p->mu * *s * c;
    real lift = 2 * p->mu * stiffness / (q * (p->mu - *s * c));
    truth reaches = (lift >= 0) & (lift <= 2);
    truth wedges = here & not(reaches);
    put(wedges, ending, number(WEDGED));
    if (is_observed(p) && any(wedges)) {
        show_wedge(&(linear_path){.problem = p, .start = now, .e = number(1)}, wedges);
    }
    here = here & reaches;
    if (!any(here)) {
        return;
    }
    real w = root_of(stiffness), turned = -now->delta * q / stiffness;
    real sine = root_of(lift * (2 - lift)),
         phase = 2 * imp_lanes_angle(root_of(lift), root_of(2 - lift));
    real shortfall = (phase - sine) / w, time = phase / w;
    real delta = positive_part(now->delta + turned * lift), v_n = -turned * w * sine;
    show(p, now, number(0), time, here);
    put(here, &now->p_n, now->p_n + (now->delta * time + turned * shortfall));
    put(here, &now->p_t, now->p_t - (now->u * time - c * turned * shortfall));
    put(here, &now->work, now->work + (now->delta - delta) * (now->delta + delta) / 2);
    put(here, &now->time, now->time + time);
    put(here, &now->v_n, v_n);
    put(here, &now->v_t, c * v_n);
    put(here, &now->delta, delta);
    put(here, s, -*s);
    put(here, &now->u, *s * p->mu * delta);
    note_tangential(p, now->u, now->time, here);
    put(here, ending, number(TO_SLIP));
}

/* ---- the whole contact ---- */

/* Pays for a phase of the lanes; returns those whose budget was enough. */
CODE truth pay(real *budget, real *end, truth here) {
    put(here, budget, *budget - 1);
    truth spent = here & not(*budget > 0);
    put(spent, end, number(OUT_OF_BUDGET));
    return here & not(spent);
}

/* In lanes other than `here` there is no contact. */
CODE void begin_contact(linear_contact *k, const imp_compliant_problem *p,
                        imp_compliant_memory *memory, truth here) {
    k->p = p;
    k->last = &memory->loading;
    k->here = here;
    k->now = first_touch(p);
    k->budget = number((double)p->budget);
    k->s = pick(p->v_t < 0, number(-1), number(1));
    truth rests = sticks_at_start(p, k->s), whole = here & rests & p->constrained;
    k->ending = pick(rests, number(TO_STICK), number(TO_SLIP));
    put(rests, &k->s, number(0));
    if (any(whole)) {
        gross_stick(p, &k->now, whole);
        put(whole, &k->ending, number(SEPARATED));
    }
}

/* The slip that comes next, and the stick of a constrained body after it. Returns whether free
 * bodies stick then. */
CODE bool pass_closed_phases(linear_contact *k) {
    truth slips = pay(&k->budget, &k->ending, k->here & (k->ending == TO_SLIP));
    if (any(slips)) {
        slip(k->p, &k->now, k->s, &k->ending, slips);
    }
    truth sticks = pay(&k->budget, &k->ending, k->here & (k->ending == TO_STICK));
    truth guided = sticks & k->p->constrained;
    if (any(guided)) {
        constrained_stick(k->p, &k->now, &k->s, &k->ending, guided);
    }
    k->stick.here = sticks & not(guided);
    return any(k->stick.here);
}

CODE bool has_phases_left(linear_contact *k) {
    return any(k->here & ((k->ending == TO_SLIP) | (k->ending == TO_STICK)));
}

/* Follows contacts to their ends. */
CODE void run_contacts(linear_contact *all, int n) {
    do {
        if (in_turn(all, n, pass_closed_phases, 1)) {
            free_sticks(all, n);
        }
    } while (in_turn(all, n, has_phases_left, 1));
}

/* In lanes without a contact the result is without meaning. */
CODE imp_compliant_result end_contact(const linear_contact *k) {
    const state *now = &k->now;
    close_account(k->p, now, tangential_work(now->loss, now->u) - now->greatest.work_t, k->here);
    real elastic = (now->delta * now->delta + now->u * now->u) / 2;
    return result_of(k->p, now, k->ending, now->loss, elastic);
}

#endif
