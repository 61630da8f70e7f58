/* The laws of power 1.5, hertz and coupled. Slip without damping is straight in the normal impulse,
 * as with linear springs: the slip speed is affine in v_n whatever the normal force. Stick, damped
 * slip and the duration of a slip are integrated by Runge-Kutta steps of order 8; events are found
 * by redoing a step with another length. The steps of several contacts are taken together:
 * power_crowd.c. */
#include "models/compliant/power_impl.h"
#include "num/exponential.h"
#include "num/larger.h"

/* The end of an unloading that mirrors the loading from `start` to `turn`. */
static imp_compliant_instant mirrored(const state *start, const imp_compliant_instant *turn) {
    return (imp_compliant_instant){.time = turn->time,
                                   .v_t = -start->v_t,
                                   .v_n = -start->v_n,
                                   .p_t = turn->p_t,
                                   .p_n = turn->p_n,
                                   .work_t = -turn->work_t,
                                   .work_n = -turn->work_n};
}

/* ratio: tangential over normal force; q: deceleration per delta^1.5. */
static void show_gross_stick(const contact *c, const state *now, double ratio, double q,
                             double depth, double time) {
    if (c->problem.observer) {
        imp_compliant_power_block alone = {.coupled = c->k.coupled, .width = IMP_LEAST_LANES};
        march m = {.block = &alone};
        state copy = *now;
        imp_compliant_power_march_from(c, now, 0, (const bool[]){false, true}, &m);
        alone.apex[0] = 1;
        copy.greatest.delta = 0;
        imp_compliant_power_march_alone(&m, &copy, c->budget);
        return;
    }
    double slope = c->k.c, force = depth * sqrt(depth);
    imp_compliant_instant start = {.v_t = now->v_t, .v_n = now->v_n};
    imp_compliant_instant turn = {
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
    monotone_part loading = {.start = start, .end = turn};
    monotone_part unloading = {.start = turn, .end = start};
    unloading.start.time = unloading.start.work_t = unloading.start.work_n = 0;
    unloading.start.p_t = unloading.start.p_n = 0;
    unloading.end = mirrored(now, &turn);
    imp_compliant_power_add_part(c->problem.account, &loading, false, now->phases - 1, true);
    imp_compliant_power_add_part(c->problem.account, &unloading, false, now->phases - 1, false);
}

/* All of the contact in stick along a line through the apex of the cone: one spring of power
 * 1.5. */
static phase_end gross_stick(contact *c) {
    state *now = &c->now;
    note_phase(now, IMP_STICK, true);
    double slope = fabs(c->k.c);
    double ratio = c->k.coupled ? slope : slope * sqrt(slope);
    double q = 1 + slope * ratio;
    double depth = imp_two_fifths(1.25 / q), time = imp_compliant_power_arc_time(now, 0, depth, q);
    if (is_watched(&c->problem)) {
        show_gross_stick(c, now, ratio, q, depth, time);
    }
    now->greatest = (peak){.delta = depth, .p_n = 1 / q, .time = time, .work = -0.5 / q};
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
static bool rings_on(contact *c) {
    imp_compliant_power_block *b = c->march.block;
    int lane = c->march.lane;
    if (b->rest[lane] < 0) {
        point here = imp_compliant_power_start_of(&c->march);
        imp_compliant_power_note_turn(&c->march, &here, &c->now);
    }
    b->rest[lane] = -b->rest[lane];
    b->begins[lane] = 1;
    return ++c->turns >= (c->k.damping > 0 ? 3 : 1);
}

/* Whether a stick in approach, which lasts as long as a swing of the slower mode, cannot be
 * followed: the other one swings so often meanwhile that no budget is enough. Under hertz it is the
 * slower, the less it swings. */
static bool blurs(const contact *c) {
    const imp_compliant_problem *p = &c->problem;
    double often = c->k.coupled ? 1e8 : 1e11, sum = 1 + p->a;
    bool apart = !p->constrained && !(sum * sum <= often * often * p->determinant);
    return apart && c->now.v_n < 0 && (p->c != 0 || c->now.v_t != 0 || c->now.u != 0);
}

/* Whether nothing ever moves along the plane. Strong damping leaves a normal force below rounding
 * long before separation, which no tangential force exceeds here. */
static bool keeps_to_apex(const contact *c) {
    const state *now = &c->now;
    return c->k.damping > 0 && c->k.c == 0 && now->v_t == 0 && now->u == 0;
}

/* c->s: direction of the slip before, 0 at the start. */
static phase_end stick(contact *c) {
    march *m = &c->march;
    if (blurs(c)) {
        return BLURRED;
    }
    note_phase(&c->now, IMP_STICK, true);
    imp_compliant_power_march_from(c, &c->now, 0, (const bool[]){c->s <= 0, c->s >= 0}, m);
    m->block->rest[m->lane] = c->k.constrained ? RESTS_UNDECIDED : FREE;
    m->block->apex[m->lane] = keeps_to_apex(c);
    c->turns = 0;
    c->integral = OF_STICK;
    return MARCHES;
}

/* Leaves the direction of the slip that follows in c->s. */
static phase_end end_stick(contact *c, int event) {
    state *now = &c->now;
    if (event == TURN) {
        return rings_on(c) ? WEDGED : MARCHES;
    }
    imp_compliant_power_take_over(c);
    bool first = c->s == 0;
    c->s = event == FIRST ? -1 : 1;
    /* If a constrained body sticks from the start, both springs are released together. For a free
     * body this happens only in a gross stick at its boundary; elsewhere the face is reached
     * earlier, however slightly. */
    const double rounding = c->k.constrained ? 1e-12 : 1e-15;
    if (first && now->delta <= rounding && now->v_n > 0) {
        now->delta = now->u = 0;
        return SEPARATED;
    }
    now->u = c->march.block->start.y[U][c->march.lane];
    put_on_face(now, c->s, limit(&c->k, 1, now->v_n), true);
    return TO_SLIP;
}

/* ---- the whole contact ---- */

/* Change of the slip speed per normal impulse where a contact begins on the rim of the cone:
 * damping lets the normal force rise with the speed of approach. */
static double first_change(const springs *k, double s, double rim) {
    double along = s * k->c - k->mu * k->a, q = 1 - k->mu * s * k->c, z = k->damping;
    return along * (1 + z) + rim * q * (1 + 10.0 / 3 * z);
}

/* At the rim of the cone the body sticks if friction can hold it: if slip would slow down. */
static bool sticks_first(const contact *c, double s) {
    double speed = fabs(c->problem.v_t), rim = limit(&c->k, 1, -1);
    if (c->k.constrained) {
        return speed <= rim;
    }
    return speed < rim || (speed == rim && c->k.mu > 0 && first_change(&c->k, s, rim) < 0);
}

static phase_end begin_phases(contact *c) {
    c->s = c->now.v_t < 0 ? -1 : 1;
    if (!sticks_first(c, c->s)) {
        return TO_SLIP;
    }
    if (c->k.constrained && c->k.damping == 0) {
        return gross_stick(c);
    }
    c->s = 0;
    return TO_STICK;
}

/* dv - B P, relative to the velocities. */
static double momentum_error(const imp_compliant_problem *p, const state *now) {
    double t = now->v_t - p->v_t - (p->a * now->p_t + p->c * now->p_n);
    double n = now->v_n + 1 - (p->c * now->p_t + now->p_n);
    return sqrt(t * t + n * n) / (1 + fabs(p->v_t));
}

static imp_compliant_result result_at(const contact *c, phase_end end) {
    const imp_compliant_problem *p = &c->problem;
    const state *now = &c->now;
    const springs *k = &c->k;
    if (end == OUT_OF_BUDGET || end == LOST || end == BLURRED) {
        return (imp_compliant_result){.outcome = end == LOST      ? IMP_NOT_FINITE
                                                 : end == BLURRED ? IMP_OUTSIDE
                                                                  : IMP_BUDGET};
    }
    double elastic = energy(now->delta) + spring_energy(k, now->u, now->delta);
    /* The forces of `coupled` derive from no potential: the energy that is not kept counts as lost,
     * and momentum is checked instead. */
    double loss = k->coupled ? kinetic_energy(p, p->v_t, -1) - kept_energy(p, now, end, elastic)
                             : now->loss + c->damped;
    imp_compliant_result result = result_of(p, now, end, loss, elastic);
    if (k->coupled) {
        result.balance = end == WEDGED ? 0 : momentum_error(p, now);
        result.outcome = judge(result.initial * (1 + result.balance), result.initial);
    }
    /* With extreme numbers the turn is lost in rounding. */
    bool turned = end == WEDGED || (now->greatest.p_n > 0 && now->greatest.work < 0);
    result.outcome = turned ? result.outcome : IMP_NOT_FINITE;
    return result;
}

/* Follows a contact through its phases until it marches; returns false if it ends. */
static bool follow(contact *c, phase_end end) {
    while (end == TO_STICK || end == TO_SLIP) {
        if (--c->budget <= 0) {
            end = OUT_OF_BUDGET;
        } else {
            end = end == TO_STICK ? stick(c) : imp_compliant_power_slip(c);
        }
    }
    if (end == MARCHES && (c->budget -= IMP_RK_STAGES) <= 0) {
        end = OUT_OF_BUDGET;
    }
    if (end == MARCHES) {
        return true;
    }
    c->result = result_at(c, end);
    return false;
}

/* Pays for a point of a search. Peaks are sought only where they are wanted, and cost nothing: the
 * outcome must not depend on what is wanted. Returns false if the budget is spent. */
static bool pays_to_look(contact *c) {
    bool free = c->march.search.which >= IMP_COMPLIANT_POWER_SIGHTS;
    return free || follow(c, MARCHES);
}

bool imp_compliant_power_go_on(contact *c) {
    march *m = &c->march;
    int event = -1;
    if (m->block->came[m->lane] == STOPPED) {
        event = imp_compliant_power_heed(m, c->integral == OF_SLIP_TIME ? &c->notes : &c->now);
        if (event < 0 && m->search.purpose != STEP) {
            return pays_to_look(c);
        }
    }
    if (event < 0) {
        return follow(c, MARCHES);
    }
    return follow(c, c->integral == OF_STICK ? end_stick(c, event)
                                             : imp_compliant_power_end_slip(c, event));
}

/* ---- the begin of a contact ---- */

/* Above this damping the body hardly rebounds: it leaves with the speed 1 / damping. */
static const double most_damping = 1e6;

/* Without friction a damped slip has no cone to return to: a trace of friction provides one. */
static const double least_friction = 1e-12;

/* A contact before its first phase. */
static void enter(const imp_compliant_problem *p, bool coupled, contact *c) {
    c->problem = *p;
    if (p->damping > 0 && !coupled) {
        c->problem.mu = imp_larger(p->mu, least_friction);
    }
    c->k = (springs){.a = p->a,
                     .c = p->c,
                     .mu = c->problem.mu,
                     .kappa = coupled ? p->mu : imp_two_thirds(c->problem.mu),
                     .damping = coupled ? 0 : p->damping,
                     .coupled = coupled,
                     .constrained = p->constrained};
    c->budget = p->budget;
    c->damped = 0;
    c->now = first_touch(p);
}

bool imp_compliant_power_begin(const imp_compliant_problem *problem, contact *c) {
    enter(problem, c->march.block->coupled, c);
    if (!(c->k.damping <= most_damping)) {
        c->result = (imp_compliant_result){.outcome = IMP_OUTSIDE};
        return false;
    }
    return follow(c, begin_phases(c));
}
