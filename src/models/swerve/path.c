#include "models/swerve/path.h"

#include <math.h>

#include "num/polynomial.h"

typedef imp_swerve_state state;
typedef imp_swerve_problem problem;

/* ---- the goal of a part of the path ---- */

typedef enum quantity { OF_VELOCITY, OF_IMPULSE, OF_WORK } quantity;

/* Reached when the quantity first comes up to the value. */
typedef struct goal {
    quantity of;
    double value;
} goal;

static double quantity_of(const state *now, quantity of) {
    return of == OF_VELOCITY ? now->v3 : of == OF_IMPULSE ? now->p : now->work;
}

static void set_quantity(state *now, goal to) {
    if (to.of == OF_VELOCITY) {
        now->v3 = to.value;
    } else if (to.of == OF_IMPULSE) {
        now->p = to.value;
    } else {
        now->work = to.value;
    }
}

/* What the law asks of the restitution; a state counts anew from the end of compression. */
static goal goal_of(const problem *p, const state *compressed) {
    double e = p->restitution;
    switch (p->law) {
    case IMP_SWERVE_NEWTON:
        return (goal){OF_VELOCITY, e};
    case IMP_SWERVE_POISSON:
        return (goal){OF_IMPULSE, e * compressed->p};
    default:
        return (goal){OF_WORK, -e * e * compressed->work};
    }
}

/* ---- straight pieces: everything is known in the normal impulse ---- */

typedef struct straight {
    double e1, e2;   /* direction of slip; 0 in stick */
    double speed;    /* of slip at the start */
    double growth;   /* ds/dp */
    double lift;     /* dv3/dp */
    double t1, t2;   /* dP_t/dp */
    double friction; /* 0 in stick */
} straight;

static state along_straight(const straight *way, const state *from, double p) {
    double speed = way->speed + way->growth * p;
    return (state){
        .v1 = way->e1 * speed,
        .v2 = way->e2 * speed,
        .v3 = from->v3 + way->lift * p,
        .p = from->p + p,
        .p1 = from->p1 + way->t1 * p,
        .p2 = from->p2 + way->t2 * p,
        .work = from->work + p * (from->v3 + way->lift * p / 2),
        .loss = from->loss + way->friction * p * (way->speed + way->growth * p / 2),
    };
}

/* Normal impulse until the goal is reached; infinite if it never is. */
static double straight_to(const straight *way, const state *from, goal to) {
    double rest = to.value - quantity_of(from, to.of);
    if (rest <= 0) {
        return 0;
    }
    if (to.of == OF_IMPULSE) {
        return rest;
    }
    if (to.of == OF_VELOCITY) {
        return way->lift > 0 ? rest / way->lift : INFINITY;
    }
    double v = from->v3, square = v * v + 2 * way->lift * rest;
    if (!(square >= 0)) {
        return INFINITY;
    }
    double root = sqrt(square);
    double p = v > 0 ? 2 * rest / (v + root) : (root - v) / way->lift;
    return p >= 0 ? p : INFINITY;
}

/* ---- curved slip: Taylor series in tau ---- */

enum { ORDER = 24, TERMS = ORDER + 1 };

/* Coefficients of the powers of tau, in units of 1 / fastest. The integrals have one term more; their
 * first is the value at the start of the step. */
typedef struct series {
    double v1[TERMS], v2[TERMS], s[TERMS];
    double v3[TERMS + 1], p[TERMS + 1], work[TERMS + 1], loss[TERMS + 1];
} series;

/* The equations of slip per scaled tau. */
typedef struct rates {
    double unit;          /* 1 / fastest */
    double m11, m12, m22; /* mu Btt */
    double d1, d2;        /* bt */
    double n1, n2, n3;    /* mu bt, b33 */
    double friction;      /* mu */
} rates;

static rates rates_of(const imp_flow *flow) {
    double unit = 1 / flow->fastest, mu = flow->friction * unit;
    const imp_inverse_mass *b = &flow->b;
    return (rates){
        .unit = unit,
        .m11 = mu * b->b11,
        .m12 = mu * b->b12,
        .m22 = mu * b->b22,
        .d1 = unit * b->b13,
        .d2 = unit * b->b23,
        .n1 = mu * b->b13,
        .n2 = mu * b->b23,
        .n3 = unit * b->b33,
        .friction = mu,
    };
}

/* 1 / k */
static const double inverse[TERMS + 1] = {
    0,        1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
    1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17,
    1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25};

/* Term k of |v|^2 and from it, with the terms before, that of s. */
static double square_term(series *x, int k) {
    double squares = 0, speeds = 0;
    for (int j = 1; 2 * j < k; j++) {
        squares += x->v1[j] * x->v1[k - j] + x->v2[j] * x->v2[k - j];
        speeds += x->s[j] * x->s[k - j];
    }
    squares = 2 * (squares + x->v1[0] * x->v1[k] + x->v2[0] * x->v2[k]);
    speeds *= 2;
    if (k % 2 == 0) {
        int j = k / 2;
        squares += x->v1[j] * x->v1[j] + x->v2[j] * x->v2[j];
        speeds += x->s[j] * x->s[j];
    }
    x->s[k] = (squares - speeds) / (2 * x->s[0]);
    return squares;
}

static void expand(series *x, const rates *r, const state *now) {
    double square = now->v1 * now->v1 + now->v2 * now->v2;
    x->v1[0] = now->v1;
    x->v2[0] = now->v2;
    x->s[0] = sqrt(square);
    x->v3[0] = now->v3;
    x->p[0] = now->p;
    x->work[0] = now->work;
    x->loss[0] = now->loss;
    for (int k = 0; k < TERMS; k++) {
        double work = 0, next = inverse[k + 1];
        for (int j = 0; j <= k; j++) {
            work += x->v3[j] * x->s[k - j];
        }
        x->p[k + 1] = r->unit * x->s[k] * next;
        x->work[k + 1] = r->unit * work * next;
        x->loss[k + 1] = r->friction * square * next;
        x->v3[k + 1] = (r->n3 * x->s[k] - r->n1 * x->v1[k] - r->n2 * x->v2[k]) * next;
        if (k < ORDER) {
            x->v1[k + 1] = (r->d1 * x->s[k] - r->m11 * x->v1[k] - r->m12 * x->v2[k]) * next;
            x->v2[k + 1] = (r->d2 * x->s[k] - r->m12 * x->v1[k] - r->m22 * x->v2[k]) * next;
            square = square_term(x, k + 1);
        }
    }
}

static double size_of_term(const series *x, int k) {
    return fmax(fmax(fabs(x->v1[k]), fabs(x->v2[k])), fabs(x->s[k]));
}

/* So long that the last two terms are lost in rounding. */
static double step_of(const series *x) {
    const double lost = 1e-16, least = 1e-290, safety = 0.9;
    double limit = lost * x->s[0];
    double last = imp_coarse_root(limit / fmax(least, size_of_term(x, ORDER)), ORDER);
    double before = imp_coarse_root(limit / fmax(least, size_of_term(x, ORDER - 1)), ORDER - 1);
    return safety * fmin(last, before);
}

static state along_curve(const series *x, const rates *r, const state *from, double tau) {
    return (state){
        .v1 = imp_polynomial_at(x->v1, ORDER, tau),
        .v2 = imp_polynomial_at(x->v2, ORDER, tau),
        .v3 = imp_polynomial_at(x->v3, TERMS, tau),
        .p = imp_polynomial_at(x->p, TERMS, tau),
        .p1 = from->p1 - r->friction * imp_polynomial_integral(x->v1, ORDER, tau),
        .p2 = from->p2 - r->friction * imp_polynomial_integral(x->v2, ORDER, tau),
        .work = imp_polynomial_at(x->work, TERMS, tau),
        .loss = imp_polynomial_at(x->loss, TERMS, tau),
    };
}

static double curve_to(const series *x, goal to, double end) {
    const double *c = to.of == OF_VELOCITY ? x->v3 : to.of == OF_IMPULSE ? x->p : x->work;
    return imp_polynomial_first_rise(c, TERMS, to.value, end);
}

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
    return along_straight(piece->way, piece->start, impulse);
}

/* The impulse grows with tau, and nobody waits for a history: by bisection. */
static state piece_of_curve(const imp_swerve_piece *piece, double impulse) {
    const curve_way *way = piece->way;
    double low = 0, high = way->end, value = impulse + piece->start->p;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (imp_polynomial_at(way->x->p, TERMS, middle) < value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return along_curve(way->x, way->r, piece->start, high);
}

static void show_event(const path *a, imp_swerve_event event, imp_swerve_phase next) {
    const imp_swerve_witness *witness = a->p->witness;
    if (witness) {
        witness->event(witness->context, event, next, &a->now);
    }
}

/* Takes the path to a new state; `way` and `at` say how it got there. */
static void move(path *a, const state *to, const void *way,
                 state (*at)(const imp_swerve_piece *, double)) {
    const imp_swerve_witness *witness = a->p->witness;
    if (witness) {
        imp_swerve_piece piece = {
            .phase = a->phase, .start = &a->now, .impulse = to->p - a->now.p, .way = way, .at = at};
        witness->piece(witness->context, &piece);
    }
    a->now = *to;
}

/* The goal of the present part is reached: compression turns into restitution, which ends. `lift` is
 * dv3/dp from here on. */
static void reach_goal(path *a, double lift) {
    set_quantity(&a->now, a->to);
    if (a->compressed) {
        a->motion = ENDS;
        return;
    }
    show_event(a, IMP_SWERVE_IS_COMPRESSED, a->phase);
    a->compressed = true;
    a->result.compressed = a->now;
    a->result.lift = lift;
    a->to = goal_of(a->p, &a->now);
    a->now.p = a->now.p1 = a->now.p2 = a->now.work = a->now.loss = 0;
    if (quantity_of(&a->now, a->to.of) >= a->to.value) {
        a->motion = ENDS;
    }
}

/* Follows a straight piece to the goal, which comes before its end. */
static void go_straight_to_goal(path *a, const straight *way, double impulse) {
    state next = along_straight(way, &a->now, impulse);
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
        /* Not 0 once the end of compression has been passed. */
        way.speed = a->now.v1 * r->e1 + a->now.v2 * r->e2;
        way.growth = r->growth;
        way.friction = a->p->flow->friction;
    }
    double impulse = straight_to(&way, &a->now, a->to);
    if (!(impulse < INFINITY)) {
        a->motion = NEVER_ENDS;
        return;
    }
    go_straight_to_goal(a, &way, impulse);
}

/* Slip comes to rest: it sticks, for good if the body is locked then, or sets out again. */
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
    show_event(a, wedged ? IMP_SWERVE_WEDGES : IMP_SWERVE_HALTS, next);
    if (wedged) {
        a->motion = STOPS_WEDGED;
    }
}

/* ---- slip ---- */

/* From one angle to another in the sense of the sign, 0 up to a full turn. */
static double turn_between(double from, double to, double sign) {
    const double full = 6.28318530717958647693, rounding = 1e-9;
    double turn = sign * (to - from);
    while (turn < -rounding) {
        turn += full;
    }
    while (turn > full - rounding) {
        turn -= full;
    }
    return sign * fmax(turn, 0);
}

/* The invariant direction that attracts a heading which turns in the sense of the sign. */
typedef struct attractor {
    double turn; /* from the heading to it; infinite where there is none */
    bool node;   /* slip halts along it */
} attractor;

static attractor next_attractor(const imp_flow *flow, double from, double sign) {
    imp_direction zero[IMP_MOST_ZEROS];
    int n = imp_flow_invariant(flow, zero);
    attractor next = {.turn = INFINITY};
    for (int i = 0; i < n; i++) {
        double turn = turn_between(from, zero[i].angle, sign);
        bool attracts = imp_harmonics_slope(&flow->g, zero[i].c, zero[i].s) < 0;
        if (attracts && fabs(turn) < fabs(next.turn)) {
            bool node = imp_harmonics_at(&flow->f, zero[i].c, zero[i].s) < 0;
            next = (attractor){turn, node};
        }
    }
    return next;
}

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

/* Slip is straight along an invariant direction, exactly or as far as rounding tells, and once it has
 * come so near to one that attracts that the rest of the turn changes nothing. */
static bool is_straight(const path *a, const local *l) {
    double fastest = a->p->flow->fastest, g = fabs(l->g);
    const double nothing = 1e-15, rounding = 4e-16, unresolved = 1e-8;
    if (g == 0 || (!a->started && g <= rounding * fastest)) {
        return true;
    }
    if (!(l->g_prime < 0)) {
        return false;
    }
    /* What is left of the turn, g / g', moves the path by that times fastest / g'. */
    double left = l->f < 0 ? a->p->flow->b.b33 * l->speed / -l->f : 1;
    double moved = fmin(left, 1) * g * fastest / (l->g_prime * l->g_prime);
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
    double to_goal = together ? INFINITY : straight_to(&way, &a->now, a->to);
    if (to_goal <= to_halt && to_goal < INFINITY) {
        go_straight_to_goal(a, &way, to_goal);
        return;
    }
    if (!(to_halt < INFINITY)) {
        a->motion = NEVER_ENDS;
        return;
    }
    state next = along_straight(&way, &a->now, to_halt);
    move(a, &next, &way, piece_of_straight);
    if (together) {
        a->now.v3 = 0;
        reach_goal(a, flow->rest.lift);
    }
    if (a->motion == SLIPS || together) {
        halt(a);
    }
}

/* Where in a step slip is slowest; `end` where it slows down to the end. */
static double slowest_in(const series *x, double end) {
    double rate[ORDER];
    for (int k = 0; k < ORDER; k++) {
        rate[k] = (k + 1) * x->s[k + 1];
    }
    double low = 0, high = end;
    if (!(rate[0] < 0 && imp_polynomial_at(rate, ORDER - 1, end) > 0)) {
        return end;
    }
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (imp_polynomial_at(rate, ORDER - 1, middle) < 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* Of the initial speed; slip that falls below has halted. */
static const double no_slip = 1e-12;

/* The step of a curve, cut short where slip passes its slowest so near to rest that it halts: no step
 * may leap over that. */
static double end_of_curve(const path *a, const series *x, bool *halts) {
    const double most_lost = 100; /* no step slows slip down by as much */
    double end = step_of(x), limit = no_slip * a->speed;
    *halts = false;
    if (x->s[0] > most_lost * limit) {
        return end;
    }
    double slowest = slowest_in(x, end);
    *halts = slowest < end && imp_polynomial_at(x->s, ORDER, slowest) <= limit;
    return *halts ? slowest : end;
}

static void slip_curved(path *a) {
    rates r = rates_of(a->p->flow);
    series x;
    bool halts;
    a->turned = true;
    expand(&x, &r, &a->now);
    double end = end_of_curve(a, &x, &halts), event = curve_to(&x, a->to, end);
    bool reached = event < INFINITY;
    curve_way way = {&x, &r, reached ? event : end};
    state next = along_curve(&x, &r, &a->now, way.end);
    move(a, &next, &way, piece_of_curve);
    if (reached) {
        local l = local_of(a);
        reach_goal(a, a->p->flow->b.b33 - a->p->flow->friction * (a->p->flow->b.b13 * l.e1 +
                                                                  a->p->flow->b.b23 * l.e2));
    } else if (halts) {
        halt(a);
    }
}

/* Slip that is all but over goes straight to its end along a node; in a narrow passage, past which
 * there is none, it is nowhere slower than here by anything that counts. */
static void slip_out(path *a, const local *l) {
    double sign = a->g < 0 ? -1 : 1;
    if (l->f < 0 &&
        (!a->turned || next_attractor(a->p->flow, imp_heading(l->e2, l->e1), sign).node)) {
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

/* phi moves in one sense, and never past an invariant direction. Slip that halts tends to the next one
 * that attracts, however slowly; where that is no node slip has all but halted in a narrow passage, and
 * turns into the direction in which it sets out again. Either is the limit of the exact flow, whatever
 * the speed that counts for a halt. */
static double swerve_of(const path *a, double e1, double e2) {
    if (!a->turned) {
        return 0;
    }
    double from = imp_heading(a->e2, a->e1), sign = a->g < 0 ? -1 : 1;
    double whole = a->halted ? next_attractor(a->p->flow, from, sign).turn : INFINITY;
    return fabs(whole) < INFINITY ? whole : turn_between(from, imp_heading(e2, e1), sign);
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

/* A free body cannot end below the plane (Poisson's law may ask for it). */
static imp_outcome judge(const path *a) {
    if (a->motion == SPENDS_ALL) {
        return IMP_BUDGET;
    }
    if (a->motion == NEVER_ENDS || a->now.v3 < 0) {
        return IMP_OUTSIDE;
    }
    double balance = a->result.balance;
    return !isfinite(balance)      ? IMP_NOT_FINITE
           : fabs(balance) <= 1e-6 ? IMP_SOLVED
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
              .to = {OF_VELOCITY, 0},
              .speed = sqrt(square + 1)};
    bool slips_first = sqrt(square) > no_slip * a.speed;
    a.motion = slips_first ? SLIPS : RESTS;
    a.phase = slips_first            ? IMP_SWERVE_IN_SLIP
              : p->flow->rest.sticks ? IMP_SWERVE_IN_STICK
                                     : IMP_SWERVE_IN_RESUMED_SLIP;
    show_event(&a, IMP_SWERVE_TOUCHES, a.phase);
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
        show_event(&a, IMP_SWERVE_SEPARATES, a.phase);
    }
    return a.result;
}
