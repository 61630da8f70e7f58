#include "models/swerve/pieces.h"

#include <math.h>

#include "num/bracket.h"
#include "num/larger.h"
#include "num/polynomial.h"

typedef imp_swerve_state state;
typedef imp_swerve_goal goal;
typedef imp_swerve_quantity quantity;
typedef imp_swerve_straight straight;
typedef imp_swerve_series series;
typedef imp_swerve_rates rates;

/* ---- the goal of a part of the path ---- */

goal imp_swerve_goal_of(const imp_swerve_problem *p, const state *compressed) {
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

/* The impulse stands for the compromise, which no goal of impulse 0 has. */
double imp_swerve_quantity_of(const state *now, quantity of) {
    return of == IMP_SWERVE_OF_VELOCITY ? now->v3 : of == IMP_SWERVE_OF_WORK ? now->work : now->p;
}

void imp_swerve_set_quantity(state *now, goal to) {
    if (to.of == IMP_SWERVE_OF_VELOCITY) {
        now->v3 = to.value;
    } else if (to.of == IMP_SWERVE_OF_IMPULSE) {
        now->p = to.value;
    } else if (to.of == IMP_SWERVE_OF_WORK) {
        now->work = to.value;
    }
}

/* ---- the compromise ---- */

/* A straight piece in the normal impulse, or a curved one in tau. */
typedef struct track {
    const straight *way;
    const state *from;
    const series *curve;
} track;

/* With x = impulse / value and y = sqrt(work / to.work): half the derivative of w1 (x - 1)^2 + w2 (y - 1)^2 with
 * respect to x, times y. It is negative before the compromise. */
static double pull_at(const track *t, goal to, double at) {
    const series *c = t->curve;
    double v3 =
        c ? imp_polynomial_at(c->v3, IMP_SWERVE_TERMS, at) : t->from->v3 + t->way->lift * at;
    double p = c ? imp_polynomial_at(c->p, IMP_SWERVE_TERMS, at) : t->from->p + at;
    double work = c ? imp_polynomial_at(c->work, IMP_SWERVE_TERMS, at)
                    : t->from->work + at * (t->from->v3 + v3) / 2;
    double y = sqrt(imp_larger(work, 0) / to.work);
    return to.weight[0] * (p / to.value - 1) * y +
           to.weight[1] * (y - 1) * v3 * to.value / (2 * to.work);
}

/* The place of the compromise between the goals of both laws, which are reached at `one` and `other`, infinite if not
 * before `end`; infinite if the compromise is not reached before `end` either. */
static double compromise_on(const track *t, goal to, double one, double other, double end) {
    double last = imp_larger(one, other);
    imp_bracket b = {imp_smaller(one, other), imp_smaller(last, end)};
    if (!(b.low <= end)) {
        return INFINITY;
    }
    if (!(pull_at(t, to, b.low) < 0)) {
        b = (imp_bracket){0, b.low};
    } else if (last > end && pull_at(t, to, b.high) < 0) {
        return INFINITY;
    }
    for (int i = 0; i < 60; i++) {
        double middle = imp_bracket_middle(&b);
        imp_bracket_cut(&b, middle, pull_at(t, to, middle) < 0);
    }
    return b.high;
}

/* ---- straight pieces: everything is known in the normal impulse ---- */

state imp_swerve_along_straight(const straight *way, const state *from, double p) {
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

static double straight_to_one(const straight *way, const state *from, goal to) {
    double rest = to.value - imp_swerve_quantity_of(from, to.of);
    if (rest <= 0) {
        return 0;
    }
    if (to.of == IMP_SWERVE_OF_IMPULSE) {
        return rest;
    }
    if (to.of == IMP_SWERVE_OF_VELOCITY) {
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

double imp_swerve_straight_to(const straight *way, const state *from, goal to) {
    if (to.of != IMP_SWERVE_OF_COMPROMISE) {
        return straight_to_one(way, from, to);
    }
    track t = {.way = way, .from = from};
    double one = straight_to_one(way, from, (goal){.of = IMP_SWERVE_OF_IMPULSE, .value = to.value});
    double other = straight_to_one(way, from, (goal){.of = IMP_SWERVE_OF_WORK, .value = to.work});
    /* The work grows until v3 is 0. */
    double most = way->lift < 0 ? imp_larger(one, -from->v3 / way->lift) : one;
    return compromise_on(&t, to, one, other, other < INFINITY ? imp_larger(one, other) : most);
}

/* ---- curved slip: Taylor series in tau ---- */

rates imp_swerve_rates_of(const imp_flow *flow) {
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
static const double inverse[IMP_SWERVE_TERMS + 1] = {
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

void imp_swerve_expand(series *x, const rates *r, const state *now) {
    double square = now->v1 * now->v1 + now->v2 * now->v2;
    x->v1[0] = now->v1;
    x->v2[0] = now->v2;
    x->s[0] = sqrt(square);
    x->v3[0] = now->v3;
    x->p[0] = now->p;
    x->work[0] = now->work;
    x->loss[0] = now->loss;
    for (int k = 0; k < IMP_SWERVE_TERMS; k++) {
        double work = 0, next = inverse[k + 1];
        for (int j = 0; j <= k; j++) {
            work += x->v3[j] * x->s[k - j];
        }
        x->p[k + 1] = r->unit * x->s[k] * next;
        x->work[k + 1] = r->unit * work * next;
        x->loss[k + 1] = r->friction * square * next;
        x->v3[k + 1] = (r->n3 * x->s[k] - r->n1 * x->v1[k] - r->n2 * x->v2[k]) * next;
        if (k < IMP_SWERVE_ORDER) {
            x->v1[k + 1] = (r->d1 * x->s[k] - r->m11 * x->v1[k] - r->m12 * x->v2[k]) * next;
            x->v2[k + 1] = (r->d2 * x->s[k] - r->m12 * x->v1[k] - r->m22 * x->v2[k]) * next;
            square = square_term(x, k + 1);
        }
    }
}

static double size_of_term(const series *x, int k) {
    return imp_larger(fabs(x->s[k]), imp_larger(fabs(x->v2[k]), fabs(x->v1[k])));
}

double imp_swerve_step_of(const series *x) {
    const double lost = 1e-16, least = 1e-290, safety = 0.9;
    double limit = lost * x->s[0];
    double last = imp_coarse_root(limit / imp_larger(size_of_term(x, IMP_SWERVE_ORDER), least),
                                  IMP_SWERVE_ORDER);
    double before = imp_coarse_root(
        limit / imp_larger(size_of_term(x, IMP_SWERVE_ORDER - 1), least), IMP_SWERVE_ORDER - 1);
    return safety * imp_smaller(before, last);
}

state imp_swerve_along_curve(const series *x, const rates *r, const state *from, double tau) {
    return (state){
        .v1 = imp_polynomial_at(x->v1, IMP_SWERVE_ORDER, tau),
        .v2 = imp_polynomial_at(x->v2, IMP_SWERVE_ORDER, tau),
        .v3 = imp_polynomial_at(x->v3, IMP_SWERVE_TERMS, tau),
        .p = imp_polynomial_at(x->p, IMP_SWERVE_TERMS, tau),
        .p1 = from->p1 - r->friction * imp_polynomial_integral(x->v1, IMP_SWERVE_ORDER, tau),
        .p2 = from->p2 - r->friction * imp_polynomial_integral(x->v2, IMP_SWERVE_ORDER, tau),
        .work = imp_polynomial_at(x->work, IMP_SWERVE_TERMS, tau),
        .loss = imp_polynomial_at(x->loss, IMP_SWERVE_TERMS, tau),
    };
}

double imp_swerve_curve_to(const series *x, goal to, double end) {
    if (to.of == IMP_SWERVE_OF_COMPROMISE) {
        track t = {.curve = x};
        return compromise_on(
            &t, to, imp_polynomial_first_rise(x->p, IMP_SWERVE_TERMS, to.value, end),
            imp_polynomial_first_rise(x->work, IMP_SWERVE_TERMS, to.work, end), end);
    }
    const double *c = to.of == IMP_SWERVE_OF_VELOCITY  ? x->v3
                      : to.of == IMP_SWERVE_OF_IMPULSE ? x->p
                                                       : x->work;
    return imp_polynomial_first_rise(c, IMP_SWERVE_TERMS, to.value, end);
}

double imp_swerve_slowest_in(const series *x, double end) {
    double rate[IMP_SWERVE_ORDER];
    for (int k = 0; k < IMP_SWERVE_ORDER; k++) {
        rate[k] = (k + 1) * x->s[k + 1];
    }
    imp_bracket b = {0, end};
    if (!(rate[0] < 0 && imp_polynomial_at(rate, IMP_SWERVE_ORDER - 1, end) > 0)) {
        return end;
    }
    for (int i = 0; i < 50; i++) {
        double tau = imp_bracket_middle(&b);
        imp_bracket_cut(&b, tau, imp_polynomial_at(rate, IMP_SWERVE_ORDER - 1, tau) < 0);
    }
    return b.high;
}
