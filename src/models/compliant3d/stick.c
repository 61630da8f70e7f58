/* Stick of a contact with three springs: steps of stick_step.h, and the events that end them. */
#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "num/circle.h"

/* A step of stick as an observer sees it: the motion is a contact that has not yet taken it. */
static imp_compliant3d_instant stick_at(const imp_compliant3d_piece *piece, double time) {
    const contact *a = piece->motion;
    imp_compliant3d_stick_trial part = a->stick;
    part.given.until = time;
    (a->damped ? imp_compliant3d_damped_stick_advance
               : imp_compliant3d_stick_advance)(&(imp_compliant3d_stick_trial *){&part}, 1);
    return imp_compliant3d_instant_of(a, &part.step.end, 0, (direction){.c = 1, .s = 0});
}

/* Slip speed if slip began now, in the direction in which the springs are stretched. */
static double speed_at_rim(const contact *a) {
    if (a->damped) {
        return imp_compliant3d_driven_speed(a, imp_compliant3d_pull(a));
    }
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
    a->order = a->lag > 0 ? 1 : 2;
    if (t > 0 && a->p->contact->singular && !(speed_at_rim(a) > grazing)) {
        a->motion = has_returned(a) ? WEDGED : STICKS;
        return;
    }
    if (a->damped) {
        imp_compliant3d_turn_slip(a, imp_compliant3d_pull(a));
        a->now.speed = 0;
        imp_compliant3d_begin(a, SLIP);
        return;
    }
    a->phi = imp_heading(a->now.u2, a->now.u1);
    a->step = 0.1 / imp_compliant3d_fastest(a);
    if (a->kappa > imp_compliant3d_steep) {
        a->now.w = sqrt(a->now.u1 * a->now.u1 + a->now.u2 * a->now.u2) / a->kappa;
    }
    imp_compliant3d_begin(a, SLIP);
}

/* The normal spring is released in stick. As a rule the tangential springs are still stretched
 * then, so the friction circle was reached before, however shortly, and slip begins. The contact
 * separates only if stick lasts from first touch, and the tangential springs were never stretched
 * or a constrained body releases all springs together. */
static void leave_in_stick(contact *a) {
    bool straight = a->now.u1 == 0 && a->now.u2 == 0;
    if (a->damped && a->p->by_elongation) {
        a->now.w = 0;
    }
    if (a->phases > 1 || !(straight || a->p->contact->singular)) {
        imp_compliant3d_begin(a, SLIP);
    }
    imp_compliant3d_separate(a);
}

void imp_compliant3d_stick(contact *a) {
    if (a->p->contact->singular && !a->fresh && !a->damped) {
        imp_compliant3d_leap(a);
    }
    double longest = a->damped ? 1 : 2; /* two dashpots make products that converge later */
    a->stick.given = (imp_compliant3d_stick_given){
        .b = a->p->contact->b,
        .soft = -1 / a->p->stiffness_ratio,
        .damping = a->p->damping,
        .drag = a->drag,
        .lag = a->lag,
        .stiffness = a->stiffness,
        .kappa = a->kappa,
        .fresh = a->fresh ? a->order : 0,
        .peaked = a->peaked,
        .reload = imp_compliant3d_reload_at(a),
        .by_elongation = a->p->by_elongation,
        .longest = longest / imp_compliant3d_fastest(a),
        .until = INFINITY,
        .from = a->now,
    };
    a->wait = a->damped ? FOR_DAMPED_STICK : FOR_STICK;
}

void imp_compliant3d_stick_on(contact *a) {
    const imp_compliant3d_stick_step *step = &a->stick.step;
    double t = step->length;
    a->wait = FOR_NOTHING;
    if (a->observer) {
        imp_compliant3d_show(a, t, a, stick_at);
    }
    bool compresses = a->now.v3 < 0;
    a->now = step->end;
    a->fresh = a->fresh && t == 0;
    a->peaked = a->peaked && t == 0;
    if (compresses && (step->rise <= t || a->now.v3 >= 0)) {
        imp_compliant3d_turn(a); /* slip may begin with it, or, in rounding, just before */
    }
    if (!(step->first <= a->stick.given.longest)) {
        return;
    }
    if (step->first == step->leave || (a->now.w <= 0 && !a->damped)) {
        leave_in_stick(a);
    } else if (step->first == step->circle) {
        reach_circle(a, t);
    } else if (step->first != step->rise) {
        imp_compliant3d_load_again(a);
    }
}
