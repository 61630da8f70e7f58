/* Stick between three springs is linear: Taylor series in time, events as zeros of polynomials. */
#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "num/circle.h"
#include "num/larger.h"
#include "num/polynomial.h"

enum { ORDER = 24, TERMS = ORDER + 1 };

typedef struct series {
    double u1[TERMS], u2[TERMS], w[TERMS], v1[TERMS], v2[TERMS], v3[TERMS];
    double margin[TERMS];  /* |u|^2 - kappa^2 w^2 */
    double falling[TERMS]; /* -w */
} series;

static void expand(series *x, const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    double soft = -1 / a->p->stiffness_ratio, square = a->kappa * a->kappa;
    x->u1[0] = a->now.u1;
    x->u2[0] = a->now.u2;
    x->w[0] = a->now.w;
    x->v1[0] = a->now.v1;
    x->v2[0] = a->now.v2;
    x->v3[0] = a->now.v3;
    for (int k = 0; k < ORDER; k++) {
        double next = 1.0 / (k + 1);
        double f1 = soft * x->u1[k], f2 = soft * x->u2[k], f3 = a->stiffness * x->w[k];
        x->v1[k + 1] = next * (b->b11 * f1 + b->b12 * f2 + b->b13 * f3);
        x->v2[k + 1] = next * (b->b12 * f1 + b->b22 * f2 + b->b23 * f3);
        x->v3[k + 1] = next * (b->b13 * f1 + b->b23 * f2 + b->b33 * f3);
        x->u1[k + 1] = next * x->v1[k];
        x->u2[k + 1] = next * x->v2[k];
        x->w[k + 1] = -next * x->v3[k];
    }
    for (int k = 0; k < TERMS; k++) {
        double sum = 0;
        for (int j = 0; j <= k; j++) {
            sum +=
                x->u1[j] * x->u1[k - j] + x->u2[j] * x->u2[k - j] - square * x->w[j] * x->w[k - j];
        }
        x->margin[k] = sum;
        x->falling[k] = -x->w[k];
    }
}

/* Nothing stretches the tangential springs. */
static bool is_straight(const series *x) {
    double stretch = 0;
    for (int k = 0; k < TERMS; k++) {
        stretch += fabs(x->u1[k]) + fabs(x->u2[k]);
    }
    return stretch == 0;
}

/* Time until stick reaches the friction circle. A phase that begins on the circle has a double zero
 * there, which is divided out. A straight contact stays at the centre until the circle vanishes: it
 * never slips. */
static double time_to_circle(const contact *a, const series *x, double end) {
    if (is_straight(x)) {
        return INFINITY;
    }
    if (a->fresh) {
        return imp_polynomial_first_rise(x->margin + 2, ORDER - 2, 0, end);
    }
    return imp_polynomial_first_rise(x->margin, ORDER, 0, end);
}

/* The instant near t at which stick reaches the circle, by Newton's method on |u| - kappa w. */
static double improved_circle(const contact *a, const series *x, double t) {
    for (int i = 0; i < 4 && t < INFINITY; i++) {
        double u1 = imp_polynomial_at(x->u1, ORDER, t), u2 = imp_polynomial_at(x->u2, ORDER, t);
        double v1 = imp_polynomial_at(x->v1, ORDER, t), v2 = imp_polynomial_at(x->v2, ORDER, t);
        double size = sqrt(u1 * u1 + u2 * u2);
        double over = size - a->kappa * imp_polynomial_at(x->w, ORDER, t);
        double rate = (u1 * v1 + u2 * v2) / size + a->kappa * imp_polynomial_at(x->v3, ORDER, t);
        t = rate > 0 ? imp_larger(t - over / rate, 0) : t;
    }
    return t;
}

/* Time until the compression is back at its last maximum, from which it falls as the square of
 * time. */
static double time_to_reload(const contact *a, const series *x, double reload, double end) {
    if (a->peaked) {
        return imp_polynomial_first_rise(x->w + 2, ORDER - 2, 0, end);
    }
    return a->now.w < reload ? imp_polynomial_first_rise(x->w, ORDER, reload, end) : INFINITY;
}

static state after_stick(const contact *a, const series *x, double t) {
    const state *from = &a->now;
    double soft = -1 / a->p->stiffness_ratio, w = imp_polynomial_at(x->w, ORDER, t);
    return (state){
        .u1 = imp_polynomial_at(x->u1, ORDER, t),
        .u2 = imp_polynomial_at(x->u2, ORDER, t),
        .w = w,
        .v1 = imp_polynomial_at(x->v1, ORDER, t),
        .v2 = imp_polynomial_at(x->v2, ORDER, t),
        .v3 = imp_polynomial_at(x->v3, ORDER, t),
        .p1 = from->p1 + soft * imp_polynomial_integral(x->u1, ORDER, t),
        .p2 = from->p2 + soft * imp_polynomial_integral(x->u2, ORDER, t),
        .p3 = from->p3 + a->stiffness * imp_polynomial_integral(x->w, ORDER, t),
        .work = from->work + a->stiffness * (from->w - w) * (from->w + w) / 2,
        .friction_loss = from->friction_loss,
        .time = from->time + t,
    };
}

/* A step of stick as an observer sees it. */
typedef struct path {
    const contact *a;
    const series *x;
} path;

static imp_springs_instant stick_at(const imp_springs_piece *piece, double time) {
    const path *of = piece->motion;
    state then = after_stick(of->a, of->x, time);
    return imp_springs_instant_of(of->a, &then, 0);
}

/* Slip speed if slip began now, in the direction in which the springs are stretched. */
static double speed_at_rim(const contact *a) {
    double size = sqrt(a->now.u1 * a->now.u1 + a->now.u2 * a->now.u2);
    double along = size > 0 ? (a->now.v1 * a->now.u1 + a->now.v2 * a->now.u2) / size : 0;
    return along + a->kappa * a->now.v3;
}

/* Whether stick has come back to the state in which it began: then it is periodic and never
 * ends. */
static bool has_returned(const contact *a) {
    const double near_enough = 1e-6;
    const state *s = &a->now, *b = &a->began;
    double moved = fabs(s->u1 - b->u1) + fabs(s->u2 - b->u2) + fabs(s->w - b->w) +
                   fabs(s->v1 - b->v1) + fabs(s->v2 - b->v2) + fabs(s->v3 - b->v3);
    return moved <= near_enough * (fabs(b->w) + fabs(b->u1) + fabs(b->u2));
}

/* A constrained body in stick can touch the rim without slipping, as at its start. A touch is a
 * double zero, found only to the square root of rounding. */
static void reach_circle(contact *a, double t) {
    const double grazing = 1e-6;
    a->fresh = true;
    if (t > 0 && a->p->contact->singular && !(speed_at_rim(a) > grazing)) {
        a->motion = has_returned(a) ? WEDGED : STICKS;
        return;
    }
    a->phi = imp_heading(a->now.u2, a->now.u1);
    a->step = 0.1 / imp_springs_fastest(a);
    if (a->kappa > imp_springs_steep) {
        a->now.w = sqrt(a->now.u1 * a->now.u1 + a->now.u2 * a->now.u2) / a->kappa;
    }
    imp_springs_begin(a, SLIP);
}

/* The normal spring is released in stick. As a rule the tangential springs are still stretched
 * then, so the friction circle was reached before, however shortly, and slip begins. The contact
 * separates only if stick lasts from first touch, and the tangential springs were never stretched
 * or a constrained body releases all springs together. */
static void leave_in_stick(contact *a) {
    bool straight = a->now.u1 == 0 && a->now.u2 == 0;
    if (a->phases > 1 || !(straight || a->p->contact->singular)) {
        imp_springs_begin(a, SLIP);
    }
    imp_springs_separate(a);
}

void imp_springs_stick(contact *a) {
    series x;
    expand(&x, a);
    double end = 2 / imp_springs_fastest(a), circle = time_to_circle(a, &x, end),
           reload = imp_springs_reload_at(a);
    double rise = a->now.v3 < 0 ? imp_polynomial_first_rise(x.v3, ORDER, 0, end) : INFINITY;
    double load = time_to_reload(a, &x, reload, end);
    double leave = a->now.w > 0 ? imp_polynomial_first_rise(x.falling, ORDER, 0, end) : INFINITY;
    if (a->kappa > imp_springs_steep && !(a->fresh && circle == 0)) {
        circle = improved_circle(a, &x, imp_smaller(leave, circle));
    }
    double first = imp_smaller(imp_smaller(leave, load), imp_smaller(rise, circle)),
           t = imp_smaller(end, first);
    if (a->observer) {
        imp_springs_show(a, t, &(path){a, &x}, stick_at);
    }
    a->now = after_stick(a, &x, t);
    a->fresh = a->fresh && t == 0;
    a->peaked = a->peaked && t == 0;
    if (!(first <= end)) {
        return;
    }
    if (first == leave || a->now.w <= 0) {
        leave_in_stick(a);
    } else if (first == circle) {
        reach_circle(a, t);
    } else if (first == rise) {
        imp_springs_turn(a);
    } else {
        imp_springs_load_again(a);
    }
}
