#include "models/bounce/series.h"

#include <math.h>

#include "models/bounce/watch.h"
#include "num/lanes/polynomial.h"
#include "num/larger.h"
#include "num/trigonometry.h"

imp_bounce_pivot imp_bounce_pivot_of(const imp_bounce_cell *c) {
    const imp_bounce_body *body = &c->p.body;
    int k = c->m.base;
    const imp_bounce_flat *flat = &body->flat[c->m.flat];
    return (imp_bounce_pivot){.a = flat->a[k],
                              .b = flat->b[k],
                              .radius = body->radius,
                              .reach = body->reach,
                              .square = body->gyration * body->gyration,
                              .gravity = c->p.gravity,
                              .friction = c->p.friction,
                              .corner = body->corner[k],
                              .left = c->m.flat == k,
                              .alpha = c->m.alpha,
                              .spin = c->m.spin,
                              .velocity = c->m.velocity_t,
                              .x = c->m.x};
}

imp_bounce_force imp_bounce_force_of(const imp_bounce_pivot *p) {
    imp_sincos turned = imp_sine_cosine(p->alpha);
    double x = p->a * turned.cosine - p->b * turned.sine;
    double height = p->a * turned.sine + p->b * turned.cosine, y = height - p->radius;
    double turning = p->spin * p->spin, weight = p->gravity + turning * height;
    imp_bounce_force f;
    if (p->slip == 0) {
        double angular = x * (p->gravity + turning * p->radius) / (p->square + x * x + y * y);
        f.tangential = angular * y + turning * x;
        f.normal = weight - angular * x;
        f.inertia = p->square;
    } else {
        f.inertia = p->square + x * (x + p->friction * p->slip * y);
        f.normal = weight * p->square / f.inertia;
        f.tangential = -p->friction * p->slip * f.normal;
    }
    return f;
}

double imp_bounce_rim_of(const imp_bounce_pivot *p) {
    const double of_forces = 1e-12, of_angle = 1e-15;
    double pull = p->gravity + p->spin * p->spin * p->reach;
    return (of_forces * p->friction + of_angle * fabs(p->alpha)) * pull;
}

/* ---- events ---- */

/* A series without its first powers. */
typedef struct sign {
    imp_bounce_powers power; /* of what is positive up to the event */
    int order;
} sign;

/* Takes out factors of t. */
static void deflate(sign *of, int factors) {
    of->order -= factors;
    for (int k = 0; k <= of->order; k++) {
        of->power[k] = of->power[k + factors];
    }
}

/* constant + factor a + other b */
static sign sum_of(const imp_bounce_series *s, double constant, double factor, const double *a,
                   double other, const double *b) {
    sign sum = {.order = s->order};
    for (int k = 0; k <= s->order; k++) {
        sum.power[k] = factor * a[k] + other * b[k];
    }
    sum.power[0] += constant;
    return sum;
}

/* The first event of a search so far. */
typedef struct first {
    double time;
    imp_bounce_event event;
} first;

static void look(const sign *of, imp_bounce_event event, first *f) {
    if (of->power[0] <= 0) {
        return;
    }
    double time = imp_bounce_first_zero(of->power, of->order, f->time);
    if (time < f->time) {
        *f = (first){time, event};
    }
}

/* From a flat the body turns away; where it does not, the event is now. */
static void look_at_flats(const imp_bounce_pivot *p, const imp_bounce_series *s, first *f) {
    double side = p->left ? 1 : -1;
    sign flat = sum_of(s, 0, side, s->alpha, 0, s->alpha);
    sign other = sum_of(s, p->corner, -side, s->alpha, 0, s->alpha);
    deflate(&flat, p->alpha != 0 ? 0 : p->spin != 0 ? 1 : 2);
    if (flat.power[0] < 0) {
        *f = (first){0, IMP_BOUNCE_AT_FLAT};
        return;
    }
    look(&flat, IMP_BOUNCE_AT_FLAT, f);
    look(&other, IMP_BOUNCE_AT_FLAT, f);
}

/* What is left to the limit of friction in one direction. At the limit, or beyond it by rounding,
 * the rate of the force decides, or that of its rate where the body is at rest: where the force
 * grows, the event is now. */
static void look_at_limit(const imp_bounce_pivot *p, const imp_bounce_series *s, double direction,
                          first *f) {
    sign left = sum_of(s, 0, p->friction, s->normal, -direction, s->tangential);
    if (left.power[0] <= 0) {
        deflate(&left, left.power[1] != 0 ? 1 : 2);
        if (left.power[0] < 0) {
            *f = (first){0, IMP_BOUNCE_STICK_OR_SLIP};
            return;
        }
    }
    look(&left, IMP_BOUNCE_STICK_OR_SLIP, f);
}

static void look_at_stick(const imp_bounce_pivot *p, const imp_bounce_series *s, first *f) {
    sign normal = sum_of(s, 0, 1, s->normal, 0, s->normal);
    look(&normal, IMP_BOUNCE_NO_FORCE, f);
    look_at_limit(p, s, 1, f);
    look_at_limit(p, s, -1, f);
}

/* Whether the force with which the contact would stick is at the limit of friction. */
static bool is_at_rim(const imp_bounce_pivot *p) {
    imp_bounce_pivot stick = *p;
    stick.slip = 0;
    imp_bounce_force force = imp_bounce_force_of(&stick);
    double beyond = fabs(force.tangential) - p->friction * force.normal;
    return fabs(beyond) <= imp_bounce_rim_of(p);
}

/* A slip that sets off at the rim of the cone begins with the rate of its acceleration, or from
 * rest with that of its rate; its acceleration is rounding. Where the slip goes against its
 * direction, the event is now. */
static void look_at_slip(const imp_bounce_pivot *p, const imp_bounce_series *s, first *f) {
    const double no_inertia = 1e-9;
    sign weight = sum_of(s, 0, 1, s->weight, 0, s->weight);
    sign inertia = sum_of(s, -no_inertia * p->square, 1, s->inertia, 0, s->inertia);
    sign speed = sum_of(s, 0, 1, s->speed, 0, s->speed);
    int first_rate = s->speed[2] != 0 ? 2 : 3;
    deflate(&speed, !p->sets_off ? 0 : is_at_rim(p) ? first_rate : 1);
    if (p->friction > 0 && speed.power[0] < 0) {
        *f = (first){0, IMP_BOUNCE_STICK_OR_SLIP};
        return;
    }
    look(&weight, IMP_BOUNCE_NO_FORCE, f);
    look(&inertia, IMP_BOUNCE_NO_INERTIA, f);
    if (p->friction > 0) { /* without friction slip has no direction */
        look(&speed, IMP_BOUNCE_STICK_OR_SLIP, f);
    }
}

static first first_event(const imp_bounce_pivot *p, const imp_bounce_series *s) {
    first f = {s->length, IMP_BOUNCE_NO_EVENT};
    look_at_flats(p, s, &f);
    if (p->slip == 0) {
        look_at_stick(p, s, &f);
    } else {
        look_at_slip(p, s, &f);
    }
    return f;
}

/* ---- steps ---- */

static void advance(imp_bounce_pivot *p, const imp_bounce_series *s, double time) {
    p->alpha = imp_lanes_polynomial_at(s->alpha, s->order, time);
    p->spin = imp_lanes_polynomial_at(s->spin, s->order, time);
    p->velocity = imp_lanes_polynomial_at(s->velocity, s->order, time);
    p->x = imp_lanes_polynomial_at(s->x, s->order, time);
    p->lost = imp_lanes_polynomial_at(s->lost, s->order, time);
    p->sets_off &= time == 0;
}

/* Writes the state into the cell, with a time of motion before it. */
static void settle(imp_bounce_cell *c, const imp_bounce_pivot *p, double time) {
    double before = imp_bounce_velocity_n(c);
    c->m.time += time;
    c->m.alpha = p->alpha;
    c->m.spin = p->spin;
    c->m.x = p->x;
    imp_bounce_set_pose(c);
    double arm = c->pose.y[c->m.base] - p->radius;
    c->m.velocity_t = p->slip == 0 ? c->m.spin * arm : p->velocity;
    c->tally.friction_loss += p->lost;
    c->tally.upward += c->p.gravity * time + imp_bounce_velocity_n(c) - before;
}

/* What is shown of a step. */
typedef struct step {
    const imp_bounce_pivot *from;
    const imp_bounce_series *series;
    double before; /* time of motion */
} step;

static void in_step(const imp_bounce_piece *piece, double within, imp_bounce_cell *now) {
    const step *shown = piece->more;
    imp_bounce_pivot p = *shown->from;
    advance(&p, shown->series, within);
    settle(now, &p, shown->before + within);
    imp_bounce_ground(now, now->m.base, 0);
}

static void show_step(const imp_bounce_cell *c, const step *shown, double duration) {
    imp_bounce_piece piece = {.phase = shown->from->slip == 0 ? IMP_BOUNCE_STICK : IMP_BOUNCE_SLIP,
                              .start = c->m.time + shown->before,
                              .duration = duration,
                              .at = in_step,
                              .cell = c,
                              .more = shown};
    imp_bounce_show_piece(c, &piece);
}

imp_bounce_event imp_bounce_follow(imp_bounce_cell *c, imp_bounce_pivot *p) {
    double fall = sqrt(c->p.body.reach / p->gravity), time = 0;
    imp_bounce_series s;
    first next = {0, IMP_BOUNCE_NO_EVENT};
    while (next.event == IMP_BOUNCE_NO_EVENT) {
        if (++c->spent > c->p.budget) {
            c->outcome = IMP_BUDGET;
            break;
        }
        imp_bounce_expand(p, fall / imp_larger(fabs(p->spin) * fall, 1), &s);
        next = first_event(p, &s);
        if (!(next.time < INFINITY)) {
            c->outcome = IMP_NOT_FINITE;
            break;
        }
        show_step(c, &(step){.from = p, .series = &s, .before = time}, next.time);
        advance(p, &s, next.time);
        time += next.time;
    }
    settle(c, p, time);
    c->sticks = p->slip == 0 || next.event == IMP_BOUNCE_STICK_OR_SLIP;
    return next.event;
}
