#include "models/swerve/path.h"

#include <math.h>

#include "models/swerve/pieces.h"
#include "models/theory.h"
#include "num/bracket.h"
#include "num/larger.h"
#include "num/polynomial.h"

typedef imp_swerve_goal goal;
typedef imp_swerve_series series;
typedef imp_swerve_straight straight;
typedef imp_swerve_rates rates;
typedef imp_swerve_state state;
typedef imp_swerve_problem problem;

/* ---- the path ---- */

typedef enum motion { SLIPS, RESTS, ENDS, STOPS_WEDGED, NEVER_ENDS, SPENDS_ALL } motion;

typedef struct path {
    const problem *p;
    state now;
    goal to;
    motion motion;
    imp_swerve_phase phase;
    bool compressed, halted, started, turned;
    int64_t steps;
    imp_swerve_result result;
    double e1, e2, g; /* direction and rate of turning at the start */
    double speed;     /* |v| at the start */
} path;

typedef struct curve_way {
    const series *x;
    const rates *r;
    double end;
} curve_way;

static state piece_of_straight(const imp_swerve_piece *piece, double impulse) {
    return imp_swerve_along_straight(piece->way, piece->start, impulse);
}

/* The state at an impulse, which grows with tau. Only a history asks for this state, so bisection
 * is fast enough. */
static state piece_of_curve(const imp_swerve_piece *piece, double impulse) {
    const curve_way *way = piece->way;
    imp_bracket b = {0, way->end};
    double value = impulse + piece->start->p;
    for (int i = 0; i < 60; i++) {
        double tau = imp_bracket_middle(&b);
        imp_bracket_cut(&b, tau, imp_polynomial_at(way->x->p, IMP_SWERVE_TERMS, tau) < value);
    }
    return imp_swerve_along_curve(way->x, way->r, piece->start, b.high);
}

static void show_event(const path *a, imp_impulse_event event, imp_swerve_phase next) {
    imp_observer *observer = a->p->observer;
    if (observer) {
        observer->see_event(observer, (int)event, (int)next, &a->now);
    }
}

/* Moves the path to a new state and shows the piece: `at` reads a state on the piece `way`. */
static void move(path *a, const state *to, const void *way,
                 state (*at)(const imp_swerve_piece *, double)) {
    imp_observer *observer = a->p->observer;
    if (observer) {
        imp_swerve_piece piece = {
            .phase = a->phase, .start = &a->now, .impulse = to->p - a->now.p, .way = way, .at = at};
        observer->see_piece(observer, &piece);
    }
    a->now = *to;
}

/* The goal of the present part is reached: compression turns into restitution, or restitution ends.
 * lift: dv3/dp from here on. */
static void reach_goal(path *a, double lift) {
    imp_swerve_set_quantity(&a->now, a->to);
    if (a->compressed) {
        a->motion = ENDS;
        return;
    }
    show_event(a, IMP_COMPRESSED, a->phase);
    a->compressed = true;
    a->result.compressed = a->now;
    a->result.lift = lift;
    a->to = imp_swerve_goal_of(a->p, &a->now);
    a->now.p = a->now.p1 = a->now.p2 = a->now.work = a->now.loss = 0;
    if (imp_swerve_quantity_of(&a->now, a->to.of) >= a->to.value) {
        a->motion = ENDS;
    }
}

/* Follows a straight piece to the goal, which the piece reaches before its end. */
static void go_straight_to_goal(path *a, const straight *way, double impulse) {
    state next = imp_swerve_along_straight(way, &a->now, impulse);
    move(a, &next, way, piece_of_straight);
    reach_goal(a, way->lift);
}

/* ---- at rest ---- */

static void rest(path *a) {
    const imp_rest *r = &a->p->flow->rest;
    a->phase = r->sticks ? IMP_SWERVE_IN_STICK : IMP_SWERVE_IN_RESUMED_SLIP;
    straight way = {.lift = r->lift, .t1 = r->t1, .t2 = r->t2};
    if (!r->sticks) {
        way.e1 = r->e1;
        way.e2 = r->e2;
        /* Not 0 if this piece began in compression. */
        way.speed = a->now.v1 * r->e1 + a->now.v2 * r->e2;
        way.growth = r->growth;
        way.friction = a->p->flow->friction;
    }
    double impulse = imp_swerve_straight_to(&way, &a->now, a->to);
    if (!(impulse < INFINITY)) {
        a->motion = NEVER_ENDS;
        return;
    }
    go_straight_to_goal(a, &way, impulse);
}

/* Slip comes to rest: the contact sticks (for good if the body is locked) or slips again. */
static void halt(path *a) {
    const imp_rest *r = &a->p->flow->rest;
    const double resting = 1e-9;
    a->now.v1 = a->now.v2 = 0;
    a->halted = true;
    a->result.halt = a->now.p + (a->compressed ? a->result.compressed.p : 0);
    a->motion = RESTS;
    if (r->locked && fabs(a->now.v3) <= resting * a->speed) {
        a->now.v3 = 0;
    }
    bool wedged = r->sticks && r->locked && a->now.v3 <= 0;
    imp_swerve_phase next = r->sticks ? IMP_SWERVE_IN_STICK : IMP_SWERVE_IN_RESUMED_SLIP;
    show_event(a, wedged ? IMP_WEDGED : IMP_HALT, next);
    if (wedged) {
        a->motion = STOPS_WEDGED;
    }
}

/* ---- slip ---- */

/* The flow at the present velocity. */
typedef struct local {
    double speed, e1, e2, f, g, g_prime;
} local;

static local local_of(const path *a) {
    const imp_flow *flow = a->p->flow;
    double speed = sqrt(a->now.v1 * a->now.v1 + a->now.v2 * a->now.v2);
    double c = a->now.v1 / speed, s = a->now.v2 / speed;
    return (local){
        .speed = speed,
        .e1 = c,
        .e2 = s,
        .f = imp_harmonics_at(&flow->f, c, s),
        .g = imp_harmonics_at(&flow->g, c, s),
        .g_prime = imp_harmonics_slope(&flow->g, c, s),
    };
}

/* Slip is straight along an invariant direction, exactly or within rounding, and where it is so
 * near to an attracting direction that the rest of the turn changes nothing. */
static bool is_straight(const path *a, const local *l) {
    double fastest = a->p->flow->fastest, g = fabs(l->g);
    const double nothing = 1e-15, rounding = 4e-16, unresolved = 1e-8;
    if (g == 0 || (!a->started && g <= rounding * fastest)) {
        return true;
    }
    if (!(l->g_prime < 0)) {
        return false;
    }
    /* The rest of the turn, g / g', moves the path by g / g' times fastest / g'. */
    double left = l->f < 0 ? a->p->flow->b.b33 * l->speed / -l->f : 1;
    double moved = imp_smaller(left, 1) * g * fastest / (l->g_prime * l->g_prime);
    return moved <= nothing || (g <= rounding * fastest && moved <= unresolved);
}

/* With a locked body slip and normal velocity vanish together. */
static bool halts_compressed(const path *a, const local *l) {
    return a->p->flow->rest.locked && l->f < 0;
}

static void slip_straight(path *a, const local *l) {
    const imp_flow *flow = a->p->flow;
    double mu = flow->friction;
    straight way = {
        .e1 = l->e1,
        .e2 = l->e2,
        .speed = l->speed,
        .growth = l->f,
        .lift = flow->b.b33 - mu * (flow->b.b13 * l->e1 + flow->b.b23 * l->e2),
        .t1 = -mu * l->e1,
        .t2 = -mu * l->e2,
        .friction = mu,
    };
    double to_halt = l->f < 0 ? l->speed / -l->f : INFINITY;
    bool together = !a->compressed && halts_compressed(a, l);
    double to_goal = together ? INFINITY : imp_swerve_straight_to(&way, &a->now, a->to);
    if (to_goal <= to_halt && to_goal < INFINITY) {
        go_straight_to_goal(a, &way, to_goal);
        return;
    }
    if (!(to_halt < INFINITY)) {
        a->motion = NEVER_ENDS;
        return;
    }
    state next = imp_swerve_along_straight(&way, &a->now, to_halt);
    move(a, &next, &way, piece_of_straight);
    if (together) {
        a->now.v3 = 0;
        reach_goal(a, flow->rest.lift);
    }
    if (a->motion == SLIPS || together) {
        halt(a);
    }
}

/* Slip below this part of the initial speed has halted. */
static const double no_slip = 1e-12;

/* The length of a step of curved slip. It ends at the minimum of the slip speed if slip halts
 * there: no step may leap over a halt. */
static double end_of_curve(const path *a, const series *x, bool *halts) {
    const double most_lost = 100; /* no step slows slip down by as much */
    double end = imp_swerve_step_of(x), limit = no_slip * a->speed;
    *halts = false;
    if (x->s[0] > most_lost * limit) {
        return end;
    }
    double slowest = imp_swerve_slowest_in(x, end);
    *halts = slowest < end && imp_polynomial_at(x->s, IMP_SWERVE_ORDER, slowest) <= limit;
    return *halts ? slowest : end;
}

static void slip_curved(path *a) {
    rates r = imp_swerve_rates_of(a->p->flow);
    series x;
    bool halts;
    a->turned = true;
    imp_swerve_expand(&x, &r, &a->now);
    double end = end_of_curve(a, &x, &halts), event = imp_swerve_curve_to(&x, a->to, end);
    bool reached = event < INFINITY;
    curve_way way = {&x, &r, reached ? event : end};
    state next = imp_swerve_along_curve(&x, &r, &a->now, way.end);
    move(a, &next, &way, piece_of_curve);
    if (reached) {
        local l = local_of(a);
        reach_goal(a, a->p->flow->b.b33 - a->p->flow->friction * (a->p->flow->b.b13 * l.e1 +
                                                                  a->p->flow->b.b23 * l.e2));
    } else if (halts) {
        halt(a);
    }
}

/* Slip that has all but halted goes straight to rest along a node. Without a node ahead, in a
 * narrow passage of the flow, this is its slowest point: it halts here. */
static void slip_out(path *a, const local *l) {
    double sign = a->g < 0 ? -1 : 1;
    if (l->f < 0 &&
        (!a->turned || imp_flow_next_attractor(a->p->flow, imp_heading(l->e2, l->e1), sign).node)) {
        slip_straight(a, l);
    } else {
        halt(a);
    }
}

static void slip(path *a) {
    local l = local_of(a);
    a->phase = IMP_SWERVE_IN_SLIP;
    if (!a->started) {
        a->e1 = l.e1;
        a->e2 = l.e2;
        a->g = l.g;
    }
    if (!(l.speed > no_slip * a->speed)) {
        slip_out(a, &l);
    } else if (is_straight(a, &l)) {
        slip_straight(a, &l);
    } else {
        slip_curved(a);
    }
    a->started = true;
}

/* ---- the whole contact ---- */

/* phi changes in one sense, and never passes an invariant direction. Slip that halts tends to the
 * next attracting direction, however slowly. If that direction is not a node, slip has all but
 * halted in a narrow passage, and turns into the direction in which it resumes. Either limit
 * belongs to the exact flow and does not depend on the speed that counts as a halt. */
static double swerve_of(const path *a, double e1, double e2) {
    if (!a->turned) {
        return 0;
    }
    double from = imp_heading(a->e2, a->e1), sign = a->g < 0 ? -1 : 1;
    double whole = a->halted ? imp_flow_next_attractor(a->p->flow, from, sign).turn : INFINITY;
    return fabs(whole) < INFINITY ? whole : imp_turn_between(from, imp_heading(e2, e1), sign);
}

static imp_swerve_mode mode_of(const path *a, bool slips_first) {
    bool sticks = a->p->flow->rest.sticks;
    if (a->motion == STOPS_WEDGED) {
        return IMP_SWERVE_WEDGE;
    }
    if (!slips_first) {
        return sticks ? IMP_SWERVE_STICK : IMP_SWERVE_SLIP_FROM_REST;
    }
    return !a->halted ? IMP_SWERVE_SLIP : sticks ? IMP_SWERVE_SLIP_STICK : IMP_SWERVE_SLIP_RESUMED;
}

/* Energy from the impulses (v0 + v) . P / 2, which holds for any B, against the works. */
static double balance_of(const path *a) {
    const state *c = &a->result.compressed, *r = &a->now;
    const imp_spatial_contact *b = a->p->contact;
    double gained = ((b->v1 + r->v1) * (c->p1 + r->p1) + (b->v2 + r->v2) * (c->p2 + r->p2) +
                     (r->v3 - 1) * (c->p + r->p)) /
                    2;
    return (gained - (c->work + r->work) + (c->loss + r->loss)) / b->energy;
}

/* No body separates with a velocity into the plane, which Poisson's law may ask for. */
static imp_outcome judge(const path *a) {
    if (a->motion == SPENDS_ALL) {
        return IMP_BUDGET;
    }
    if (a->motion == NEVER_ENDS || a->now.v3 < 0) {
        return IMP_OUTSIDE;
    }
    double balance = a->result.balance;
    return !isfinite(balance)                      ? IMP_NOT_FINITE
           : fabs(balance) <= IMP_ENERGY_TOLERANCE ? IMP_SOLVED
                                                   : IMP_NO_CONVERGENCE;
}

static void follow(path *a) {
    while (a->motion == SLIPS || a->motion == RESTS) {
        if (a->steps++ >= a->p->budget) {
            a->motion = SPENDS_ALL;
        } else if (a->motion == SLIPS) {
            double e1 = a->now.v1, e2 = a->now.v2;
            slip(a);
            if (a->motion != SLIPS) {
                a->result.swerve =
                    swerve_of(a, a->halted ? e1 : a->now.v1, a->halted ? e2 : a->now.v2);
            }
        } else {
            rest(a);
        }
    }
}

imp_swerve_result imp_swerve_solve(const imp_swerve_problem *p) {
    const imp_spatial_contact *b = p->contact;
    double square = b->v1 * b->v1 + b->v2 * b->v2;
    path a = {.p = p,
              .now = {.v1 = b->v1, .v2 = b->v2, .v3 = -1},
              .to = {.of = IMP_SWERVE_OF_VELOCITY},
              .speed = sqrt(square + 1)};
    bool slips_first = sqrt(square) > no_slip * a.speed;
    a.motion = slips_first ? SLIPS : RESTS;
    a.phase = slips_first            ? IMP_SWERVE_IN_SLIP
              : p->flow->rest.sticks ? IMP_SWERVE_IN_STICK
                                     : IMP_SWERVE_IN_RESUMED_SLIP;
    show_event(&a, IMP_TOUCH, a.phase);
    follow(&a);
    if (!a.compressed) {
        a.result.compressed = a.now;
        a.now = (state){.v3 = a.now.v3};
    }
    a.result.balance = balance_of(&a);
    a.result.outcome = judge(&a);
    a.result.mode = mode_of(&a, slips_first);
    a.result.rebound = a.now;
    if (a.now.v1 != 0 || a.now.v2 != 0) {
        a.result.heading = imp_heading(a.now.v2, a.now.v1);
    }
    if (a.motion == ENDS) {
        show_event(&a, IMP_SEPARATION, a.phase);
    }
    return a.result;
}
