#include "models/bounce/stages.h"

#include <math.h>

#include "models/bounce/series.h"
#include "models/bounce/watch.h"

/* ---- one point ---- */

/* Whether the contact sticks, from where its tangential velocity is 0; otherwise the direction of
 * the slip that begins. */
static double slip_from_rest(const imp_bounce_pivot *p, bool slides) {
    imp_bounce_force f = imp_bounce_force_of(p);
    bool holds = !slides && p->friction > 0 && f.normal > 0 &&
                 fabs(f.tangential) <= p->friction * f.normal + imp_bounce_rim_of(p);
    return holds ? 0 : f.tangential > 0 ? -1 : 1;
}

bool imp_bounce_holds(const imp_bounce_cell *c) {
    imp_bounce_pivot p = imp_bounce_pivot_of(c);
    return slip_from_rest(&p, false) == 0;
}

/* Chooses stick or slip for the point as it moves now; slides: a force outside the cone has just
 * ended a stick. Returns NO_FORCE or NO_INERTIA where the point cannot stay on the plane. */
static imp_bounce_event choose(imp_bounce_cell *c, imp_bounce_pivot *p, bool slides) {
    double slip = imp_bounce_slip(c, c->m.base);
    double arm = c->m.spin * (c->pose.y[c->m.base] - c->p.body.radius);
    const double no_slip = 1e-15;
    c->sticks |= fabs(slip) <= no_slip * (fabs(c->m.velocity_t) + fabs(arm));
    p->slip = 0;
    if (c->p.gravity + c->m.spin * c->m.spin * c->pose.y[c->m.base] <= 0) {
        return IMP_BOUNCE_NO_FORCE;
    }
    p->slip = c->sticks ? slip_from_rest(p, slides) : slip > 0 ? 1 : -1;
    p->sets_off = c->sticks && p->slip != 0;
    if (p->slip != 0 && imp_bounce_force_of(p).inertia <= 0) {
        return IMP_BOUNCE_NO_INERTIA;
    }
    if (c->sticks && p->slip == 0) {
        c->m.velocity_t = p->velocity = arm;
    }
    return IMP_BOUNCE_NO_EVENT;
}

/* A disc that rolls, or that nothing brakes, goes on for ever; so does a body that stands in
 * balance on a corner. */
static bool stays(imp_bounce_cell *c, const imp_bounce_pivot *p) {
    bool disc = c->p.body.n == 1;
    bool balanced = !disc && p->slip == 0 && c->m.spin == 0 && c->pose.x[c->m.base] == 0;
    if (disc && p->slip == 0) {
        c->mode = IMP_BOUNCE_ROLL;
    } else if (disc && c->p.friction == 0) {
        c->mode = IMP_BOUNCE_SLIDE;
    } else if (balanced) {
        c->mode = IMP_BOUNCE_REST;
    } else {
        return false;
    }
    c->rest_left = c->p.body.number[c->m.base];
    return true;
}

/* A disc slips to where it rolls: its deceleration is constant. */
static void brake_disc(imp_bounce_cell *c) {
    imp_bounce_cell before;
    imp_bounce_keep(c, &before);
    double slip = imp_bounce_slip(c, 0), radius = c->p.body.radius;
    double braking = c->p.friction * c->p.gravity;
    double per_slip = 1 + radius * radius / (c->p.body.gyration * c->p.body.gyration);
    double time = fabs(slip) / (braking * per_slip), lost = -slip / per_slip;
    double spun = lost * radius / (c->p.body.gyration * c->p.body.gyration);
    c->m.time += time;
    c->m.x += (c->m.velocity_t + lost / 2) * time;
    c->m.alpha += (c->m.spin + spun / 2) * time;
    c->tally.friction_loss += slip * slip / (2 * per_slip);
    c->tally.upward += c->p.gravity * time;
    c->m.velocity_t += lost;
    c->m.spin = -c->m.velocity_t / radius;
    c->sticks = true;
    imp_bounce_show_glide(c, &before, IMP_BOUNCE_SLIP);
}

/* At the second touch: the body is at the flat that it has come to. */
static void reach_flat(imp_bounce_cell *c) {
    imp_bounce_refer(c, c->m.base);
    c->m.alpha = 0;
    imp_bounce_set_pose(c);
}

/* How the rest ends after an event. */
static imp_bounce_end end_at(imp_bounce_cell *c, imp_bounce_event event) {
    if (event == IMP_BOUNCE_AT_FLAT) {
        reach_flat(c);
        return IMP_BOUNCE_TOUCHES;
    }
    if (event == IMP_BOUNCE_NO_INERTIA) {
        c->mode = IMP_BOUNCE_JAM;
    }
    if (event == IMP_BOUNCE_NO_FORCE) {
        imp_bounce_show_event(c, IMP_BOUNCE_LIFTS_OFF, IMP_BOUNCE_FLIGHT);
        return IMP_BOUNCE_LIFTS;
    }
    return IMP_BOUNCE_CELL_ENDS;
}

imp_bounce_end imp_bounce_rest_on(imp_bounce_cell *c) {
    for (bool slides = false;;) {
        imp_bounce_refer(c, c->m.base);
        imp_bounce_pivot p = imp_bounce_pivot_of(c);
        imp_bounce_event event = choose(c, &p, slides);
        if (event != IMP_BOUNCE_NO_EVENT) {
            return end_at(c, event);
        }
        imp_bounce_show_event(c, p.slip == 0 ? IMP_BOUNCE_STICKS : IMP_BOUNCE_SLIPS,
                              p.slip == 0 ? IMP_BOUNCE_STICK : IMP_BOUNCE_SLIP);
        if (stays(c, &p)) {
            return IMP_BOUNCE_CELL_ENDS;
        }
        if (!imp_bounce_spend(c)) {
            return IMP_BOUNCE_CELL_ENDS;
        }
        if (c->p.body.n == 1) {
            brake_disc(c);
            continue;
        }
        event = imp_bounce_follow(c, &p);
        slides = p.slip == 0;
        if (event != IMP_BOUNCE_STICK_OR_SLIP) {
            return end_at(c, event);
        }
    }
}

/* ---- two points ---- */

/* The body goes over one of the points. */
static bool goes_over(imp_bounce_cell *c, int point) {
    imp_bounce_ground(c, point, 0);
    return true;
}

/* Slips until friction has used up the velocity. */
static void stop(imp_bounce_cell *c) {
    imp_bounce_cell before;
    imp_bounce_keep(c, &before);
    double slip = c->m.velocity_t, braking = c->p.friction * c->p.gravity;
    double time = fabs(slip) / braking;
    c->m.time += time;
    c->m.x += slip / 2 * time;
    c->m.velocity_t = 0;
    c->tally.friction_loss += slip * slip / 2;
    c->tally.upward += c->p.gravity * time;
    imp_bounce_show_glide(c, &before, IMP_BOUNCE_FLAT);
}

bool imp_bounce_lie(imp_bounce_cell *c) {
    const imp_bounce_body *body = &c->p.body;
    int left = c->m.flat, right = imp_bounce_next(body, left);
    const imp_bounce_flat *flat = &body->flat[left];
    double slip = c->sticks ? 0 : c->m.velocity_t, height = body->radius - flat->b[left];
    c->m.spin = 0;
    c->m.velocity_t = slip;
    imp_bounce_show_event(c, IMP_BOUNCE_LIES_FLAT, IMP_BOUNCE_FLAT);
    if (c->p.gravity > 0 && c->p.friction > 0 && slip != 0) {
        double pressure = copysign(c->p.friction * height, slip); /* the place of its centre */
        if (pressure < flat->a[left] || pressure > flat->a[right]) {
            return goes_over(c, slip > 0 ? right : left);
        }
        stop(c);
    }
    c->sticks = c->m.velocity_t == 0;
    if (c->sticks && (flat->a[left] > 0 || flat->a[right] < 0)) {
        return goes_over(c, flat->a[left] > 0 ? left : right);
    }
    c->mode = c->sticks ? IMP_BOUNCE_REST : IMP_BOUNCE_SLIDE;
    c->rest_left = body->number[left];
    c->rest_right = body->number[right];
    return false;
}
