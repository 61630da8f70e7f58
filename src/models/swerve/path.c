#include "models/swerve/path.h"

#include <math.h>

#include "num/lanes/width.h"
#include "num/larger.h"

typedef imp_swerve_path path;
typedef imp_swerve_leg leg;
typedef imp_swerve_straight straight;
typedef imp_swerve_state state;
typedef imp_swerve_goal goal;
typedef imp_swerve_problem problem;

/* ---- pieces and events ---- */

/* A state with its velocity of slip over a scale, and itself. */
static state unscaled(state now, double scale) {
    now.v1 *= scale;
    now.v2 *= scale;
    return now;
}

state imp_swerve_along(const imp_swerve_piece *piece, double impulse) {
    const leg *l = piece->leg;
    state at = l->from;
    if (impulse > 0 && l->curved) {
        imp_swerve_along_curve(l, impulse, &at);
    } else if (impulse > 0) {
        at = imp_swerve_along_straight(l, impulse);
    }
    return unscaled(at, l->scale);
}

/* Gives a velocity of slip with that largest component another scale, by which it is about 1. */
static void rescale(path *a, double size) {
    int exponent;
    (void)frexp(size, &exponent);
    double by = ldexp(1, exponent - 1);
    a->now.v1 /= by;
    a->now.v2 /= by;
    a->first /= by;
    a->leg.scale *= by;
}

static void end_scale(path *a) {
    a->now.v1 *= a->leg.scale;
    a->now.v2 *= a->leg.scale;
    a->leg.scale = 1;
}

static void show_event(const path *a, imp_impulse_event event, imp_swerve_phase next) {
    imp_observer *observer = a->problem->observer;
    if (observer) {
        state now = unscaled(a->now, a->leg.scale);
        observer->see_event(observer, (int)event, (int)next, &now);
    }
}

/* Adds the works of a leg. Near a wedge those of straight slip are huge and cancel. */
static void add_works(path *a, const state *to) {
    const straight *way = &a->leg.way;
    double p = to->p - a->now.p;
    a->works += !a->leg.curved && way->friction > 0
                    ? way->power * p * (way->speed + way->growth * p / 2)
                    : to->work - a->now.work - (to->loss - a->now.loss);
}

/* Moves the path along its leg to a new state and shows the piece. */
static void move(path *a, const state *to) {
    imp_observer *observer = a->problem->observer;
    if (observer) {
        imp_swerve_piece piece = {.phase = a->phase, .leg = &a->leg, .impulse = to->p - a->now.p};
        observer->see_piece(observer, &piece);
    }
    if (a->problem->flow->rest.locked) {
        add_works(a, to);
    }
    a->now = *to;
}

/* ---- goals ---- */

/* The goal that the law sets for restitution; states count from the end of compression. */
static goal goal_of(const problem *p, const state *compressed) {
    double e = p->restitution, w1 = p->weight[0], w2 = p->weight[1];
    goal velocity = {.of = IMP_SWERVE_OF_VELOCITY, .value = e};
    goal impulse = {.of = IMP_SWERVE_OF_IMPULSE, .value = e * compressed->p};
    goal work = {.of = IMP_SWERVE_OF_WORK, .value = -e * e * compressed->work};
    switch (p->law) {
    case IMP_SWERVE_NEWTON:
        return velocity;
    case IMP_SWERVE_POISSON:
        return impulse;
    case IMP_SWERVE_ENERGETIC:
        return work;
    default:
        return w1 == 0             ? work
               : w2 == 0 || e == 0 ? impulse
                                   : (goal){.of = IMP_SWERVE_OF_COMPROMISE,
                                            .value = impulse.value,
                                            .work = work.value,
                                            .weight = {w1, w2}};
    }
}

/* The goal of the present part is reached: compression turns into restitution, or restitution ends.
 * lift: dv3/dp from here on. */
static void reach_goal(path *a, double lift) {
    goal *to = &a->leg.to;
    imp_swerve_set_quantity(&a->now, *to);
    if (a->compressed) {
        a->motion = IMP_SWERVE_ENDS;
        return;
    }
    show_event(a, IMP_COMPRESSED, a->phase);
    a->compressed = true;
    a->result.compressed = unscaled(a->now, a->leg.scale);
    a->result.lift = lift;
    *to = goal_of(a->problem, &a->now);
    a->now.p = a->now.p1 = a->now.p2 = a->now.work = a->now.loss = 0;
    if (imp_swerve_quantity_of(&a->now, to->of) >= to->value) {
        a->motion = IMP_SWERVE_ENDS;
    }
}

/* ---- halts ---- */

/* Slip comes to rest: the contact sticks (for good if the body is locked) or slips again. */
static void halt(path *a) {
    const imp_swerve_rest *r = &a->problem->flow->rest;
    const double resting = 1e-9;
    a->now.v1 = a->now.v2 = 0;
    a->halted = true;
    a->result.halt = a->now.p + (a->compressed ? a->result.compressed.p : 0);
    a->motion = IMP_SWERVE_RESTS;
    if (r->locked && fabs(a->now.v3) <= resting * a->speed) {
        a->now.v3 = 0;
    }
    bool wedged = r->sticks && r->locked && a->now.v3 <= 0;
    imp_swerve_phase next = r->sticks ? IMP_SWERVE_IN_STICK : IMP_SWERVE_IN_RESUMED_SLIP;
    show_event(a, wedged ? IMP_WEDGED : IMP_HALT, next);
    if (wedged) {
        a->motion = IMP_SWERVE_STOPS_WEDGED;
    }
}

/* ---- straight legs ---- */

/* Compression ends at this state of a straight leg on which slip slows down, and so does slip:
 * nothing of it is left, or rounding has turned it round. */
static bool halts_there(const path *a, const state *there) {
    const straight *way = &a->leg.way;
    double along = there->v1 * way->e1 + there->v2 * way->e2;
    return !a->compressed && way->growth < 0 && !(along > 0);
}

/* Slip halts as compression ends. A law may ask for no restitution: then the contact ends first. */
static void halt_compressed(path *a) {
    a->now.v3 = 0;
    reach_goal(a, a->problem->flow->rest.lift);
    if (a->together || a->motion != IMP_SWERVE_ENDS) {
        halt(a);
    } else {
        a->now.v1 = a->now.v2 = 0;
    }
}

/* Goes to the goal of a straight leg, or to the halt if that is earlier. */
static void end_straight(path *a) {
    leg *l = &a->leg;
    double to_halt = l->way.growth < 0 ? l->way.speed / -l->way.growth : INFINITY;
    bool reached = l->goal <= to_halt && l->goal < INFINITY;
    if (!reached && !(to_halt < INFINITY)) {
        a->motion = IMP_SWERVE_NEVER_ENDS;
        return;
    }
    state next = imp_swerve_along_straight(l, reached ? l->goal : to_halt);
    bool both = reached ? halts_there(a, &next) : a->together;
    move(a, &next);
    if (both) {
        halt_compressed(a);
    } else if (reached) {
        reach_goal(a, l->way.lift);
    } else {
        halt(a);
    }
}

/* Follows a straight leg. together: slip halts as compression ends, in one point. */
static void go_straight(path *a, straight way, bool together) {
    end_scale(a);
    a->leg.from = a->now;
    a->leg.curved = false;
    a->leg.way = way;
    a->together = together;
    if (together) {
        a->leg.goal = INFINITY;
    } else {
        imp_swerve_find_goal(&a->leg);
        if (imp_swerve_may_compromise(&a->leg)) {
            a->wait = IMP_SWERVE_FOR_COMPROMISE;
            return;
        }
    }
    end_straight(a);
}

/* At rest: in stick, or in slip that starts from rest. */
static void rest(path *a) {
    const imp_swerve_rest *r = &a->problem->flow->rest;
    a->phase = r->sticks ? IMP_SWERVE_IN_STICK : IMP_SWERVE_IN_RESUMED_SLIP;
    straight way = {.lift = r->lift, .t1 = r->t1, .t2 = r->t2};
    if (!r->sticks) {
        way.e1 = r->e1;
        way.e2 = r->e2;
        /* Not 0 if this leg began in compression. */
        way.speed = a->now.v1 * r->e1 + a->now.v2 * r->e2;
        way.growth = r->growth;
        way.power = r->power;
        way.friction = a->problem->flow->friction;
    }
    go_straight(a, way, false);
}

/* ---- slip ---- */

/* The flow at the present velocity. f, g: in the unit of the flow. */
typedef struct local {
    double speed, e1, e2, f, g, g_prime;
} local;

static local local_of(const path *a) {
    const imp_swerve_flow *flow = a->problem->flow;
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

/* Friction and coupling are so weak that they change nothing of slip, nor of the normal force. */
static bool is_free(const path *a) {
    const double nothing = 1e-60;
    const imp_swerve_flow *flow = a->problem->flow;
    double slowest = flow->b.b33 * imp_smaller(a->first * a->leg.scale, 1);
    return flow->friction <= 1 && flow->fastest <= nothing * slowest;
}

/* Slip is straight along an invariant direction, exactly or within rounding, and where it is so
 * near to an attracting direction that the rest of the turn changes nothing: no velocity relative
 * to the initial one of the normal or of slip, whichever is smaller. */
static bool is_straight(const path *a, const local *l) {
    const imp_swerve_flow *flow = a->problem->flow;
    double fastest = flow->fastest / flow->unit, g = fabs(l->g);
    const double nothing = 1e-15, rounding = 4e-16, unresolved = 1e-8, near = 0.01;
    bool settled = g <= rounding * fastest;
    if (a->straight || g == 0 || (!a->started && (settled || is_free(a)))) {
        return true;
    }
    /* Nearly as at the attracting direction: so near that the speed, too, falls or grows as there,
     * unless it does neither. */
    double slowest = settled ? -l->g_prime : imp_smaller(-l->g_prime, fabs(l->f));
    if (!(l->g_prime < 0) || g * fastest > near * -l->g_prime * slowest) {
        return false;
    }
    /* The rest of the turn, g / g', moves the path by g / g' times fastest / g'. */
    double rate = imp_larger(flow->b.b33 * a->leg.scale, flow->fastest / a->first);
    double left = l->f < 0 ? l->speed * rate / -(flow->unit * l->f) : 1;
    double moved = imp_smaller(left, 1) * g * fastest / (l->g_prime * l->g_prime);
    return moved <= nothing || (settled && moved <= unresolved);
}

/* With a locked body slip and normal velocity vanish together. */
static bool halts_compressed(const path *a, const local *l) {
    return a->problem->flow->rest.locked && l->f < 0;
}

static double lift_of(const path *a, double e1, double e2) {
    const imp_swerve_flow *flow = a->problem->flow;
    return flow->b.b33 - flow->friction * (flow->b.b13 * e1 + flow->b.b23 * e2);
}

static void slip_straight(path *a, const local *l) {
    double mu = a->problem->flow->friction;
    straight way = {
        .e1 = l->e1,
        .e2 = l->e2,
        .speed = l->speed * a->leg.scale,
        .growth = a->problem->flow->unit * l->f,
        .lift = lift_of(a, l->e1, l->e2),
        .t1 = -mu * l->e1,
        .t2 = -mu * l->e2,
        .friction = mu,
    };
    if (a->problem->flow->rest.locked) {
        imp_swerve_pull pull = imp_swerve_pull_along(&a->problem->flow->rest, mu, l->e1, l->e2);
        way.power = pull.power;
        way.growth = pull.growth;
        way.lift = pull.lift;
    }
    a->straight = true;
    go_straight(a, way, !a->compressed && halts_compressed(a, l));
}

static void slip_curved(path *a) {
    leg *l = &a->leg;
    if (l->scale != a->rated) {
        l->rates = imp_swerve_rates_of(a->problem->flow, l->scale);
        a->rated = l->scale;
    }
    l->from = a->now;
    l->curved = true;
    a->turned = true;
    a->wait = IMP_SWERVE_FOR_STEP;
}

static void end_curved(path *a) {
    leg *l = &a->leg;
    const imp_swerve_rest *r = &a->problem->flow->rest;
    move(a, &l->next);
    if (r->locked) {
        /* So that rounding does not end compression before slip. */
        a->now.v3 = (r->n1 * a->now.v1 + r->n2 * a->now.v2) * l->scale;
    }
    if (l->goal < INFINITY) {
        local here = local_of(a);
        reach_goal(a, lift_of(a, here.e1, here.e2));
    }
}

/* Slip that is lost in rounding beside the initial slip turns to the next attracting direction:
 * along a node it comes to rest, along another direction it grows again, without a halt. */
static void slip_out(path *a, const local *l) {
    double sign = a->g < 0 ? -1 : 1;
    imp_swerve_flow_attractor ahead =
        imp_swerve_flow_next_attractor(a->problem->flow, imp_heading(l->e2, l->e1), sign);
    if (fabs(ahead.turn) < INFINITY) {
        a->now.v1 = l->speed * ahead.c;
        a->now.v2 = l->speed * ahead.s;
    }
    local out = local_of(a);
    slip_straight(a, &out);
}

/* The equations of slip need no scale of their own while its velocity is between these. */
static const double least_size = 0x1p-100, greatest_size = 0x1p100;

static void slip(path *a) {
    /* The normal velocity of a locked body falls with slip, and the sign of it counts as long as
     * slip turns. */
    const double lost = a->problem->flow->rest.locked ? 0x1p-500 : 0x1p-60;
    double size = imp_larger(fabs(a->now.v1), fabs(a->now.v2));
    if (size < least_size || size > greatest_size) {
        rescale(a, size);
    }
    local l = local_of(a);
    a->phase = IMP_SWERVE_IN_SLIP;
    a->v1 = a->now.v1;
    a->v2 = a->now.v2;
    if (!a->started) {
        a->first = l.speed;
        a->e1 = l.e1;
        a->e2 = l.e2;
        a->g = l.g;
    }
    if (is_straight(a, &l)) {
        slip_straight(a, &l);
    } else if (l.speed < lost * a->first) {
        slip_out(a, &l);
    } else {
        slip_curved(a);
    }
    a->started = true;
}

static void end_leg(path *a) {
    if (a->leg.curved) {
        end_curved(a);
    } else {
        end_straight(a);
    }
}

/* ---- the whole contact ---- */

/* Follows a path until it waits, or ends. */
static void follow(path *a) {
    while (a->wait == IMP_SWERVE_FOR_NOTHING &&
           (a->motion == IMP_SWERVE_SLIPS || a->motion == IMP_SWERVE_RESTS)) {
        if (a->steps++ >= a->problem->budget) {
            a->motion = IMP_SWERVE_SPENDS_ALL;
        } else if (a->motion == IMP_SWERVE_SLIPS) {
            slip(a);
        } else {
            rest(a);
        }
    }
    if (a->wait == IMP_SWERVE_FOR_NOTHING) {
        end_scale(a);
        imp_swerve_end(a);
        if (a->motion == IMP_SWERVE_ENDS) {
            show_event(a, IMP_SEPARATION, a->phase);
        }
    }
}

void imp_swerve_begin(path *a, const problem *p) {
    const imp_spatial_contact *b = p->contact;
    *a = (path){.problem = p,
                .now = {.v1 = b->v1, .v2 = b->v2, .v3 = -1},
                .leg = {.to = {.of = IMP_SWERVE_OF_VELOCITY}, .scale = 1},
                .slips_first = b->v1 != 0 || b->v2 != 0,
                .speed = sqrt(b->v1 * b->v1 + b->v2 * b->v2 + 1)};
    a->motion = a->slips_first ? IMP_SWERVE_SLIPS : IMP_SWERVE_RESTS;
    a->phase = a->slips_first         ? IMP_SWERVE_IN_SLIP
               : p->flow->rest.sticks ? IMP_SWERVE_IN_STICK
                                      : IMP_SWERVE_IN_RESUMED_SLIP;
    show_event(a, IMP_TOUCH, a->phase);
    follow(a);
}

void imp_swerve_go_on(path *const *paths, int n) {
    leg *legs[IMP_MOST_LANES] = {NULL};
    int wait = paths[0]->wait;
    for (int i = 0; i < n; i++) {
        legs[i] = &paths[i]->leg;
    }
    if (wait == IMP_SWERVE_FOR_STEP) {
        imp_swerve_step(legs, n);
    } else {
        imp_swerve_seek_goal(legs, n);
    }
    for (int i = 0; i < n; i++) {
        path *a = paths[i];
        bool seeks = wait == IMP_SWERVE_FOR_STEP && legs[i]->near;
        a->wait = seeks ? IMP_SWERVE_FOR_GOAL : IMP_SWERVE_FOR_NOTHING;
        if (!seeks) {
            end_leg(a);
            follow(a);
        }
    }
}

void imp_swerve_follow(path *a) {
    while (a->wait != IMP_SWERVE_FOR_NOTHING) {
        imp_swerve_go_on(&a, 1);
    }
}
