#include "models/swerve/flow.h"

#include <math.h>

#include "base/constants.h"
#include "num/bracket.h"
#include "num/larger.h"

/* A relative part up to this is rounding. */
static const double no_part = 1e-14;
static const double stick_slack = 1e-12;

/* Principal values and directions of the tangential block, and bt along them. */
typedef struct principal {
    double value[2]; /* value[0] >= value[1] >= 0 */
    double x[2];     /* unit vector of the first; the second is (-x[1], x[0]) */
    double coupling[2];
} principal;

static principal principal_of(const imp_inverse_mass *b, bool singular) {
    double mean = (b->b11 + b->b22) / 2, half = (b->b11 - b->b22) / 2;
    double radius = sqrt(half * half + b->b12 * b->b12), large = mean + radius;
    double small = large > 0 ? (b->b11 * b->b22 - b->b12 * b->b12) / large : 0;
    double x = half >= 0 ? radius + half : b->b12, y = half >= 0 ? b->b12 : radius - half;
    double size = sqrt(x * x + y * y);
    principal p = {.value = {large, small}, .x = {1, 0}};
    if (size > 0) {
        p.x[0] = x / size;
        p.x[1] = y / size;
    }
    p.coupling[0] = p.x[0] * b->b13 + p.x[1] * b->b23;
    p.coupling[1] = p.x[0] * b->b23 - p.x[1] * b->b13;
    /* With a singular B nothing couples to a direction in which no impulse moves the contact. */
    for (int i = 0; i < 2; i++) {
        if (p.value[i] < 0 || (singular && p.value[i] <= stick_slack * imp_larger(b->b33, large))) {
            p.value[i] = 0;
            p.coupling[i] = singular ? 0 : p.coupling[i];
        }
    }
    return p;
}

/* a / b, with 0 / 0 = 0. */
static double quotient(double a, double b) {
    return a == 0 ? 0 : a / b;
}

/* ds/dp of the slip that starts from rest: the root f of |(mu Btt + f)^-1 bt| = 1, whose left side
 * falls with f. Newton's method on the inverse of that norm, which is nearly linear, starts below
 * the root. */
static double growth_of(const principal *p, double mu) {
    imp_bracket b = {.low = 0, .high = 0};
    for (int i = 0; i < 2; i++) {
        b.low = imp_larger(fabs(p->coupling[i]) - mu * p->value[i], b.low);
        b.high += p->coupling[i] * p->coupling[i];
    }
    b.high = sqrt(b.high);
    double f = b.low;
    for (int i = 0; i < 100; i++) {
        double square = 0, cube = 0;
        for (int k = 0; k < 2; k++) {
            double below = mu * p->value[k] + f, ratio = quotient(p->coupling[k], below);
            square += ratio * ratio;
            cube += quotient(ratio * ratio, below);
        }
        double size = sqrt(square), next = f + square * (size - 1) / cube;
        imp_bracket_cut(&b, f, size > 1);
        if (fabs(next - f) <= 2e-16 * next) {
            return next;
        }
        f = imp_bracket_next(&b, next);
    }
    return f;
}

/* The inverse of the tangential block, without directions in which nothing moves. */
static void set_inertia(const principal *p, imp_swerve_rest *rest) {
    double one = p->value[0] > 0 ? 1 / p->value[0] : 0;
    double other = p->value[1] > 0 ? 1 / p->value[1] : 0;
    rest->k11 = one * p->x[0] * p->x[0] + other * p->x[1] * p->x[1];
    rest->k12 = (one - other) * p->x[0] * p->x[1];
    rest->k22 = one * p->x[1] * p->x[1] + other * p->x[0] * p->x[0];
}

double imp_swerve_locked_energy(const imp_swerve_rest *rest, double v1, double v2) {
    return (rest->k11 * v1 * v1 + 2 * rest->k12 * v1 * v2 + rest->k22 * v2 * v2) / 2;
}

imp_swerve_pull imp_swerve_pull_along(const imp_swerve_rest *rest, double friction, double e1,
                                      double e2) {
    double rise = rest->n1 * e1 + rest->n2 * e2, power = rise - friction;
    double growth = power / (2 * imp_swerve_locked_energy(rest, e1, e2));
    return (imp_swerve_pull){.power = power, .growth = growth, .lift = growth * rise};
}

static imp_swerve_rest slip_from_rest(const principal *p, const imp_inverse_mass *b, double mu,
                                      imp_swerve_rest rest) {
    rest.growth = growth_of(p, mu);
    double along = quotient(p->coupling[0], mu * p->value[0] + rest.growth);
    double across = quotient(p->coupling[1], mu * p->value[1] + rest.growth);
    double size = sqrt(along * along + across * across);
    rest.e1 = (p->x[0] * along - p->x[1] * across) / size;
    rest.e2 = (p->x[1] * along + p->x[0] * across) / size;
    rest.t1 = -mu * rest.e1;
    rest.t2 = -mu * rest.e2;
    rest.lift = b->b33 - mu * (b->b13 * rest.e1 + b->b23 * rest.e2);
    if (rest.locked) {
        imp_swerve_pull pull = imp_swerve_pull_along(&rest, mu, rest.e1, rest.e2);
        rest.power = pull.power;
        rest.growth = pull.growth;
        rest.lift = pull.lift;
    }
    return rest;
}

/* Whether B and its tangential block have the same rank: then the contact cannot move along the
 * normal without slip. For a singular B. */
static bool is_locked(const principal *p, const imp_inverse_mass *b) {
    if (p->value[1] > 0) {
        return true;
    }
    double held = quotient(p->coupling[0] * p->coupling[0], p->value[0]);
    return b->b33 - held <= stick_slack * b->b33;
}

static imp_swerve_rest rest_of(const imp_inverse_mass *b, double mu, bool singular) {
    principal p = principal_of(b, singular);
    double along = -quotient(p.coupling[0], p.value[0]),
           across = -quotient(p.coupling[1], p.value[1]);
    imp_swerve_rest rest = {.critical = sqrt(along * along + across * across),
                            .locked = singular && is_locked(&p, b)};
    rest.n1 = p.x[1] * across - p.x[0] * along;
    rest.n2 = -p.x[1] * along - p.x[0] * across;
    if (rest.locked) {
        set_inertia(&p, &rest);
    }
    rest.sticks = rest.critical <= mu * (1 + stick_slack) || rest.critical <= no_part;
    rest.barely = rest.sticks && rest.critical > no_part && rest.critical >= mu * (1 - stick_slack);
    if (!rest.sticks) {
        return slip_from_rest(&p, b, mu, rest);
    }
    rest.t1 = p.x[0] * along - p.x[1] * across;
    rest.t2 = p.x[1] * along + p.x[0] * across;
    rest.lift = rest.locked ? 0 : b->b33 + along * p.coupling[0] + across * p.coupling[1];
    return rest;
}

static bool is_uniform(const imp_inverse_mass *b, double mu) {
    double trace = b->b11 + b->b22;
    bool round = imp_larger(fabs(b->b22 - b->b11), fabs(b->b12)) <= no_part * trace;
    bool uncoupled = imp_larger(fabs(b->b23), fabs(b->b13)) <= no_part * sqrt(trace * b->b33);
    return (mu == 0 || round) && uncoupled;
}

/* Tiny friction and coupling have a unit, in which no square of theirs leaves the range of
 * doubles. */
static double unit_of(const imp_inverse_mass *b, double friction) {
    const double tiny = 0x1p-300;
    double largest = imp_larger(friction, imp_larger(fabs(b->b13), fabs(b->b23)));
    if (largest == 0 || largest >= tiny) {
        return 1;
    }
    int exponent;
    (void)frexp(largest, &exponent);
    return exponent > -1000 ? ldexp(1, exponent) : 0x1p-1000;
}

imp_swerve_flow imp_swerve_flow_of(const imp_spatial_contact *contact, double friction) {
    const imp_inverse_mass *b = &contact->b;
    double unit = unit_of(b, friction), mu = friction / unit, b13 = b->b13 / unit,
           b23 = b->b23 / unit;
    double mean = mu * (b->b11 + b->b22) / 2, half = mu * (b->b11 - b->b22) / 2;
    double cross = mu * b->b12;
    double normal = sqrt(b13 * b13 + b23 * b23);
    bool uniform = is_uniform(b, friction);
    return (imp_swerve_flow){
        .b = *b,
        .friction = friction,
        .fastest = unit * (mean + sqrt(half * half + cross * cross) + normal),
        .unit = unit,
        .f = {.mean = -mean, .c1 = b13, .s1 = b23, .c2 = -half, .s2 = -cross},
        .g = {.c1 = uniform ? 0 : b23,
              .s1 = uniform ? 0 : -b13,
              .c2 = uniform ? 0 : -cross,
              .s2 = uniform ? 0 : half},
        .uniform = uniform,
        .rest = rest_of(b, friction, contact->singular),
        .invariant_count = -1,
    };
}

/* The invariant directions are looked for when they are first asked for. */
static void find_invariant(imp_swerve_flow *flow) {
    if (flow->invariant_count < 0) {
        flow->invariant_count = flow->uniform ? 0 : imp_harmonics_zeros(&flow->g, flow->invariant);
    }
}

/* Whether an invariant direction attracts slip. Of a double one, a node and a saddle in one, the
 * first entry does, from one side; rounding is all that is left of the slope of g. */
static bool attracts(const imp_swerve_flow *flow, int i) {
    const imp_direction *all = flow->invariant, *it = &all[i];
    if (i > 0 && it->c == it[-1].c && it->s == it[-1].s) {
        return false;
    }
    bool twice = i + 1 < flow->invariant_count && it->c == it[1].c && it->s == it[1].s;
    return twice || imp_harmonics_falls(&flow->g, it->c, it->s);
}

/* Whether a direction attracts slip and halts it. Where the contact sticks there is a node for each
 * attracting direction; of the least friction rounding is all that is left of its f. */
static bool is_node(const imp_swerve_flow *flow, double f, int i) {
    return (f < 0 || flow->rest.barely) && attracts(flow, i);
}

imp_swerve_flow_directions imp_swerve_flow_directions_of(imp_swerve_flow *flow) {
    imp_swerve_flow_directions d = {.invariant_count = -1};
    d.change_count = imp_harmonics_zeros(&flow->f, d.change);
    if (flow->uniform) {
        return d;
    }
    find_invariant(flow);
    d.invariant_count = flow->invariant_count;
    for (int i = 0; i < d.invariant_count; i++) {
        double c = flow->invariant[i].c, s = flow->invariant[i].s;
        d.invariant[i] = flow->invariant[i];
        d.f[i] = flow->unit * imp_harmonics_at(&flow->f, c, s);
        d.g_prime[i] = flow->unit * imp_harmonics_slope(&flow->g, c, s);
        d.nodes += is_node(flow, d.f[i], i);
    }
    d.saddles = d.invariant_count - d.nodes;
    return d;
}

double imp_swerve_turn_between(double from, double to, double sign) {
    const double full = 2 * IMP_PI, rounding = 1e-9;
    double turn = sign * (to - from);
    while (turn < -rounding) {
        turn += full;
    }
    while (turn > full - rounding) {
        turn -= full;
    }
    return sign * imp_larger(turn, 0);
}

imp_swerve_flow_attractor imp_swerve_flow_next_attractor(imp_swerve_flow *flow, double from,
                                                         double sign) {
    imp_swerve_flow_attractor next = {.turn = INFINITY};
    find_invariant(flow);
    for (int i = 0; i < flow->invariant_count; i++) {
        const imp_direction *zero = &flow->invariant[i];
        double turn = imp_swerve_turn_between(from, zero->angle, sign);
        if (attracts(flow, i) && fabs(turn) < fabs(next.turn)) {
            next = (imp_swerve_flow_attractor){.turn = turn, .c = zero->c, .s = zero->s};
        }
    }
    return next;
}
