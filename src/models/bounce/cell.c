#include "models/bounce/state.h"

#include <math.h>

#include "models/bounce/stages.h"
#include "models/bounce/watch.h"
#include "models/theory.h"

/* What comes next. */
typedef enum stage { FLIES, TOUCHES, TOUCHES_TWICE, RESTS, LIES } stage;

/* ---- the start ---- */

/* Places the body above the plane, and returns what comes next. */
static stage place(imp_bounce_cell *c) {
    const double no_gap = 1e-12; /* over the reach */
    imp_bounce_body *body = &c->p.body;
    c->m.alpha = c->p.tilt - (body->n > 1 ? body->flat[0].angle : 0);
    imp_bounce_set_pose(c);
    int lowest = 0;
    for (int j = 1; j < body->n; j++) {
        lowest = c->pose.y[j] < c->pose.y[lowest] ? j : lowest;
    }
    imp_bounce_refer(c, lowest);
    c->m.base = lowest;
    c->m.gap = c->p.drop;
    c->m.velocity_t = c->p.velocity_t;
    c->m.spin = c->p.spin;
    c->m.rate = c->p.velocity_n + c->m.spin * c->pose.x[lowest];
    c->initial_energy = imp_bounce_energy(c);
    if (c->p.drop > 0) {
        return FLIES;
    }
    bool flat = body->n > 1 && fabs(c->m.alpha) * body->reach <= no_gap * body->reach;
    if (flat) {
        c->m.alpha = 0;
        imp_bounce_set_pose(c);
    }
    return flat ? TOUCHES_TWICE : TOUCHES;
}

/* ---- stages ---- */

/* Whether a single point sticks from the first contact that lasts on, and did so in the hops
 * before: between them the turning body drags it along. */
static bool sticks_from_now_on(const imp_bounce_cell *c) {
    const double hardly = 1e-5;
    bool slips_in_hops = c->dragged > hardly;
    return c->sticks && !slips_in_hops && (c->p.body.n == 1 || imp_bounce_holds(c));
}

/* The first contact that lasts; number: of the point, 0 where there is none. */
static void settle(imp_bounce_cell *c, int number) {
    imp_bounce_tally *t = &c->tally;
    if (!t->settled) {
        bool single = number > 0 && number < IMP_BOUNCE_BOTH;
        t->settled = true;
        t->settled_sticking = single && sticks_from_now_on(c);
        t->settle_number = number;
        t->settle = c->m;
        t->settle_angle = imp_bounce_angle(c);
    }
}

static stage touch(imp_bounce_cell *c) {
    int point = c->m.base;
    if (imp_bounce_collide(c, &point, 1)) {
        return RESTS;
    }
    if (c->outcome != IMP_PENDING) {
        return FLIES;
    }
    if (imp_bounce_clatter_ends(c)) {
        return LIES;
    }
    return c->m.rate > 0 && imp_bounce_chatter_ends(c) ? RESTS : FLIES;
}

/* Two points of the flat are on the plane. */
static stage touch_twice(imp_bounce_cell *c) {
    int left = c->m.flat, points[2] = {left, imp_bounce_next(&c->p.body, left)};
    if (imp_bounce_rate(c, points[0]) < 0 && imp_bounce_rate(c, points[1]) < 0) {
        c->mode = IMP_BOUNCE_AMBIGUOUS;
        return FLIES;
    }
    unsigned resting = imp_bounce_collide(c, points, 2);
    bool flat = resting == 3 || (c->outcome == IMP_PENDING && imp_bounce_clatter_ends(c));
    return flat ? LIES : resting ? RESTS : FLIES;
}

static stage fly(imp_bounce_cell *c) {
    c->sticks = false;
    imp_bounce_fly(c);
    if (c->mode == IMP_BOUNCE_LEAVES) {
        settle(c, 0);
    }
    return TOUCHES;
}

/* Whether a body without gravity is so near a flat that the other point strikes at this instant:
 * without rebound each strike squares the angle. */
static bool falls_flat(imp_bounce_cell *c) {
    const double flat = 1e-13;
    if (c->p.gravity > 0 || c->p.body.n < 2 || fabs(c->m.alpha) > flat ||
        imp_bounce_rate(c, imp_bounce_other(c)) >= 0) {
        return false;
    }
    c->m.alpha = 0;
    imp_bounce_set_pose(c);
    return true;
}

static stage rest(imp_bounce_cell *c) {
    if (c->p.gravity + c->m.spin * c->m.spin * c->pose.y[c->m.base] <= 0) {
        return falls_flat(c) ? TOUCHES_TWICE : FLIES;
    }
    settle(c, c->p.body.number[c->m.base]);
    return imp_bounce_rest_on(c) == IMP_BOUNCE_TOUCHES ? TOUCHES_TWICE : FLIES;
}

static stage lie(imp_bounce_cell *c) {
    c->sticks |= c->m.velocity_t == 0;
    settle(c, IMP_BOUNCE_BOTH);
    return imp_bounce_lie(c) ? RESTS : FLIES;
}

/* Whether every output is finite. */
static bool is_finite_at_the_end(const imp_bounce_cell *c) {
    const imp_bounce_tally *t = &c->tally;
    double energies = c->initial_energy + imp_bounce_energy(c) + t->normal_loss + t->friction_loss;
    double motion = c->m.time + c->m.x + imp_bounce_angle(c) + c->m.velocity_t + c->m.spin;
    double settled =
        t->settle.time + t->settle.x + t->settle_angle + t->settle.velocity_t + t->settle.spin;
    double first = t->first.impulse > 0 ? t->largest.impulse / t->first.impulse : 0;
    double sum = energies + motion + settled + t->largest.impulse + first + t->margin;
    /* A speed whose square vanishes leaves no energy to compare with. */
    bool counted = t->impacts == 0 || (t->first.impulse > 0 && c->initial_energy > 0x1p-1000);
    return sum - sum == 0 && counted;
}

/* A cell that does not keep its energy is not solved. */
static imp_outcome judge(const imp_bounce_cell *c) {
    return !is_finite_at_the_end(c)                             ? IMP_NOT_FINITE
           : fabs(imp_bounce_balance(c)) > IMP_ENERGY_TOLERANCE ? IMP_NO_CONVERGENCE
                                                                : IMP_SOLVED;
}

void imp_bounce_run(const imp_bounce_problem *problem, imp_bounce_cell *c) {
    static stage (*const go_on[])(imp_bounce_cell *) = {[FLIES] = fly,
                                                        [TOUCHES] = touch,
                                                        [TOUCHES_TWICE] = touch_twice,
                                                        [RESTS] = rest,
                                                        [LIES] = lie};
    *c = (imp_bounce_cell){.p = *problem, .outcome = IMP_PENDING, .tally.margin = 1};
    stage next = place(c);
    while (c->mode == IMP_BOUNCE_GOES_ON && imp_bounce_spend(c) &&
           !(c->p.only_settle && (next == RESTS || next == LIES))) {
        next = go_on[next](c);
    }
    if (c->outcome == IMP_PENDING) {
        c->outcome = judge(c);
    }
    if (c->outcome == IMP_SOLVED) {
        imp_bounce_show_event(c, IMP_BOUNCE_ENDS, 0);
    }
}
