/* The laws of power 1.5, hertz and coupled. Slip without damping is straight in the normal impulse,
 * as with linear springs: the slip speed is affine in v_n whatever the normal force. Stick, damped
 * slip and the duration of a slip are integrated by Runge-Kutta steps of order 8; events are found
 * by redoing a step with another length. */
#include "models/compliant/power_impl.h"
#include "num/exponential.h"
#include "num/larger.h"

/* ratio: tangential over normal force; q: deceleration per delta^1.5. */
static void show_gross_stick(const contact *c, const state *now, double ratio, double q,
                             double depth, double time) {
    imp_observer *observer = c->problem->observer;
    if (c->problem->every_instant) {
        march m = imp_power_march_from(c, now, 0);
        state copy = *now;
        int64_t free_of_charge = c->budget;
        m.apex = m.touches[SECOND] = true;
        copy.greatest.delta = 0;
        imp_power_march_on(&m, &copy, &free_of_charge);
        return;
    }
    double slope = c->k.c, force = depth * sqrt(depth);
    imp_instant start = {.v_t = now->v_t, .v_n = now->v_n};
    imp_instant turn = {
        .time = time,
        .u = -slope * depth,
        .delta = depth,
        .f_t = copysign(ratio, slope) * force,
        .f_n = force,
        .p_t = copysign(ratio, slope) / q,
        .p_n = 1 / q,
        .work_t = -0.5 * (q - 1) / q,
        .work_n = -0.5 / q,
        .stored_t = 0.5 * (q - 1) / q,
        .stored_n = 0.5 / q,
    };
    monotone_part loading = {start, turn}, unloading = {turn, start};
    unloading.start.time = unloading.start.work_t = unloading.start.work_n = 0;
    unloading.start.p_t = unloading.start.p_n = 0;
    unloading.end = (imp_instant){.time = time,
                                  .v_t = -now->v_t,
                                  .v_n = -now->v_n,
                                  .p_t = turn.p_t,
                                  .p_n = turn.p_n,
                                  .work_t = -turn.work_t,
                                  .work_n = -turn.work_n};
    imp_power_show_ends(observer, &loading, IMP_STICK, now->phases - 1, true);
    imp_power_show_ends(observer, &unloading, IMP_STICK, now->phases - 1, false);
}

/* All of the contact in stick along a line through the apex of the cone: one spring of power 1.5. */
static phase_end gross_stick(contact *c, state *now) {
    note_phase(now, IMP_STICK);
    double slope = fabs(c->k.c);
    double ratio = c->k.coupled ? slope : slope * sqrt(slope);
    double q = 1 + slope * ratio;
    double depth = imp_two_fifths(1.25 / q), time = imp_power_arc_time(now, 0, depth, q);
    if (c->problem->observer) {
        show_gross_stick(c, now, ratio, q, depth, time);
    }
    now->greatest = (peak){depth, 1 / q, time, -0.5 / q};
    now->time = 2 * time;
    now->p_n = 2 / q;
    now->p_t = (c->k.c > 0 ? 2 : -2) * ratio / q;
    now->v_t = -now->v_t;
    now->v_n = -now->v_n;
    return SEPARATED;
}

/* A constrained body that sticks comes to rest again and again. Without damping it has covered its
 * whole path after one swing from rest; with damping after three, because every cycle lies within
 * the one before. */
static bool rings_on(const contact *c, march *m, state *now, int *turns) {
    point here = {.h = 0, .y = m->y, .rate = m->rate};
    if (m->rest < 0) {
        imp_power_note_turn(&here, now);
    }
    m->rest = -m->rest;
    return ++*turns >= (c->k.damping > 0 ? 3 : 1);
}

/* *s: direction of the slip before, 0 at the start; on return the direction of the slip that
 * follows. */
static phase_end stick(contact *c, state *now, double *s) {
    note_phase(now, IMP_STICK);
    march m = imp_power_march_from(c, now, 0);
    m.touches[FIRST] = *s <= 0;
    m.touches[SECOND] = *s >= 0;
    if (c->k.constrained) {
        double v_n = now->v_n != 0 ? now->v_n : m.rate.x[V_N];
        m.rest = v_n < 0 ? -1 : 1;
    }
    bool first = *s == 0;
    int turns = 0, event;
    while ((event = imp_power_march_on(&m, now, &c->budget)) == TURN) {
        if (rings_on(c, &m, now, &turns)) {
            return WEDGED;
        }
    }
    if (event < 0) {
        return OUT_OF_BUDGET;
    }
    imp_power_take_over(c, &m, now);
    *s = event == FIRST ? -1 : 1;
    /* If a constrained body sticks from the start, both springs are released together. For a free
     * body this happens only in a gross stick at its boundary; elsewhere the face is reached
     * earlier, however slightly. */
    const double rounding = c->k.constrained ? 1e-12 : 1e-15;
    if (first && now->delta <= rounding && now->v_n > 0) {
        now->delta = now->u = 0;
        return SEPARATED;
    }
    now->u = m.y.x[U];
    put_on_face(now, *s, limit(&c->k, 1, now->v_n));
    return TO_SLIP;
}

/* ---- the whole contact ---- */

/* At the rim of the cone the body sticks if friction can hold it: if slip would slow down. */
static bool sticks_first(const contact *c, double s) {
    double speed = fabs(c->problem->v_t), rim = limit(&c->k, 1, -1);
    if (c->k.constrained) {
        return speed <= rim;
    }
    if (fabs(speed - rim) <= on_the_cone * imp_larger(speed, rim)) {
        return c->k.mu > 0 && slip_change(&c->k, s) < 0;
    }
    return speed < rim;
}

static phase_end run_phases(contact *c, state *now) {
    double s = now->v_t < 0 ? -1 : 1;
    phase_end end = TO_SLIP;
    if (sticks_first(c, s)) {
        if (c->k.constrained && c->k.damping == 0) {
            return gross_stick(c, now);
        }
        s = 0;
        end = TO_STICK;
    }
    while (end == TO_STICK || end == TO_SLIP) {
        if (--c->budget <= 0) {
            return OUT_OF_BUDGET;
        }
        if (end == TO_STICK) {
            end = stick(c, now, &s);
            continue;
        }
        end = imp_power_slip(c, now, s);
    }
    return end;
}

/* dv - B P, relative to the velocities. */
static double momentum_error(const imp_compliant_problem *p, const state *now) {
    double t = now->v_t - p->v_t - (p->a * now->p_t + p->c * now->p_n);
    double n = now->v_n + 1 - (p->c * now->p_t + now->p_n);
    return sqrt(t * t + n * n) / (1 + fabs(p->v_t));
}

static imp_compliant_result solve(const imp_compliant_problem *p, springs k) {
    contact c = {.problem = p, .k = k, .budget = p->budget};
    state now = {.v_t = p->v_t, .v_n = -1};
    phase_end end = run_phases(&c, &now);
    if (is_unfinished(end)) {
        return unfinished(end);
    }
    double elastic = energy(now.delta) + spring_energy(&k, now.u, now.delta);
    /* The forces of `coupled` derive from no potential: the energy that is not kept counts as lost,
     * and momentum is checked instead. */
    double loss = k.coupled ? kinetic_energy(p, p->v_t, -1) - kept_energy(p, &now, end, elastic)
                            : now.loss + c.damped;
    imp_compliant_result result = result_of(p, &now, end, loss, elastic);
    if (k.coupled) {
        result.balance = end == WEDGED ? 0 : momentum_error(p, &now);
        result.outcome = judge(result.initial * (1 + result.balance), result.initial);
    }
    /* With extreme numbers the turn is lost in rounding. */
    bool turned = end == WEDGED || (now.greatest.p_n > 0 && now.greatest.work < 0);
    result.outcome = turned ? result.outcome : IMP_NOT_FINITE;
    return result;
}

static springs springs_of(const imp_compliant_problem *p) {
    return (springs){.a = p->a, .c = p->c, .mu = p->mu, .constrained = p->constrained};
}

/* Above this damping the body hardly rebounds: it leaves with the speed 1 / damping. */
static const double most_damping = 1e6;

imp_compliant_result imp_hertz_solve(const imp_compliant_problem *problem,
                                     imp_compliant_memory *memory) {
    /* Without friction a damped slip has no cone to return to: a trace of friction provides one. */
    const double least_friction = 1e-12;
    imp_compliant_problem rough = *problem;
    (void)memory;
    if (!(problem->damping <= most_damping)) {
        return (imp_compliant_result){.outcome = IMP_OUTSIDE};
    }
    if (problem->damping > 0) {
        rough.mu = imp_larger(rough.mu, least_friction);
    }
    springs k = springs_of(&rough);
    k.kappa = imp_two_thirds(rough.mu);
    k.damping = problem->damping;
    return solve(&rough, k);
}

imp_compliant_result imp_coupled_solve(const imp_compliant_problem *problem,
                                       imp_compliant_memory *memory) {
    (void)memory;
    springs k = springs_of(problem);
    k.kappa = problem->mu;
    k.coupled = true;
    return solve(problem, k);
}
