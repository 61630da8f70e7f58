#include "models/swerve/leg.h"

#include <math.h>

#include "num/lanes/width.h"
#include "num/larger.h"

typedef imp_swerve_leg leg;
typedef imp_swerve_state state;
typedef imp_swerve_straight straight;

double imp_swerve_speed_of(const state *now) {
    const double least = 0x1p-500, most = 0x1p500;
    double size = imp_larger(fabs(now->v1), fabs(now->v2));
    double unit = size > 0 && !(size > least && size < most) ? size : 1;
    double v1 = now->v1 / unit, v2 = now->v2 / unit;
    return unit * sqrt(v1 * v1 + v2 * v2);
}

/* ---- goals ---- */

/* The impulse stands for the compromise, which no goal of impulse 0 has. */
double imp_swerve_quantity_of(const state *now, imp_swerve_quantity of) {
    return of == IMP_SWERVE_OF_VELOCITY ? now->v3 : of == IMP_SWERVE_OF_WORK ? now->work : now->p;
}

void imp_swerve_set_quantity(state *now, imp_swerve_goal to) {
    if (to.of == IMP_SWERVE_OF_VELOCITY) {
        now->v3 = to.value;
    } else if (to.of == IMP_SWERVE_OF_IMPULSE) {
        now->p = to.value;
    } else if (to.of == IMP_SWERVE_OF_WORK) {
        now->work = to.value;
    }
}

bool imp_swerve_may_compromise(const leg *l) {
    return l->to.of == IMP_SWERVE_OF_COMPROMISE && imp_smaller(l->one, l->other) <= l->last;
}

/* ---- straight legs: everything is known in the normal impulse ---- */

state imp_swerve_along_straight(const leg *l, double p) {
    const straight *way = &l->way;
    const state *from = &l->from;
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

/* The impulse until a quantity reaches a value; infinite if it never does. */
static double straight_to(const straight *way, const state *from, imp_swerve_quantity of,
                          double value) {
    double rest = value - imp_swerve_quantity_of(from, of);
    if (rest <= 0) {
        return 0;
    }
    if (of == IMP_SWERVE_OF_IMPULSE) {
        return rest;
    }
    if (of == IMP_SWERVE_OF_VELOCITY) {
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

void imp_swerve_find_goal(leg *l) {
    const straight *way = &l->way;
    const state *from = &l->from;
    if (l->to.of != IMP_SWERVE_OF_COMPROMISE) {
        l->goal = straight_to(way, from, l->to.of, l->to.value);
        return;
    }
    l->goal = INFINITY;
    l->one = straight_to(way, from, IMP_SWERVE_OF_IMPULSE, l->to.value);
    l->other = straight_to(way, from, IMP_SWERVE_OF_WORK, l->to.work);
    /* The work grows until v3 is 0. */
    double most = way->lift < 0 ? imp_larger(l->one, -from->v3 / way->lift) : l->one;
    l->last = l->other < INFINITY ? imp_larger(l->one, l->other) : most;
}

/* ---- curved slip ---- */

imp_swerve_rates imp_swerve_rates_of(const imp_swerve_flow *flow, double scale) {
    double tiny = flow->unit, unit = 1 / (flow->fastest / tiny), mu = flow->friction / tiny * unit;
    const imp_inverse_mass *b = &flow->b;
    return (imp_swerve_rates){
        .m11 = mu * b->b11,
        .m12 = mu * b->b12,
        .m22 = mu * b->b22,
        .d1 = unit * (b->b13 / tiny),
        .d2 = unit * (b->b23 / tiny),
        .unit = unit * (scale / tiny),
        .n1 = mu * b->b13 * scale,
        .n2 = mu * b->b23 * scale,
        .n3 = unit * b->b33 * (scale / tiny),
        .friction = mu * scale,
        .loss = mu * scale * scale,
    };
}

IMP_EACH_WIDTH(imp_swerve_step, (leg *const *legs, int n), imp_lane_width(), (legs, n))
IMP_EACH_WIDTH(imp_swerve_seek_goal, (leg *const *legs, int n), imp_lane_width(), (legs, n))
IMP_EACH_WIDTH(imp_swerve_along_curve, (const leg *l, double impulse, state *at), imp_lane_width(),
               (l, impulse, at))
