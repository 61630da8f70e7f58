#include "models/bounce/pivot.h"

#include <math.h>

#include "num/larger.h"
#include "num/trigonometry.h"

imp_bounce_pivot imp_bounce_pivot_of(const imp_bounce_cell *c) {
    const imp_bounce_body *body = &c->p.body;
    int k = c->m.base;
    const imp_bounce_flat *flat = &body->flat[c->m.flat];
    imp_bounce_pivot p = {.a = flat->a[k],
                          .b = flat->b[k],
                          .radius = body->radius,
                          .reach = body->reach,
                          .square = body->gyration * body->gyration,
                          .gravity = c->p.gravity,
                          .friction = c->p.friction,
                          .corner = body->corner[k],
                          .left = c->m.flat == k};
    const double state[] = {c->m.alpha, c->m.spin, c->m.velocity_t, c->m.x};
    for (int i = 0; i < IMP_BOUNCE_LOST; i++) {
        p.y.x[i] = state[i];
    }
    return p;
}

imp_bounce_force imp_bounce_force_of(const imp_bounce_pivot *p, double alpha, double spin) {
    imp_sincos turned = imp_sine_cosine(alpha);
    double x = p->a * turned.cosine - p->b * turned.sine;
    double height = p->a * turned.sine + p->b * turned.cosine, y = height - p->radius;
    double weight = p->gravity + spin * spin * height;
    imp_bounce_force f = {.arm = y};
    if (p->slip == 0) {
        f.angular = x * (p->gravity + spin * spin * p->radius) / (p->square + x * x + y * y);
        f.tangential = f.angular * y + spin * spin * x;
        f.normal = weight - f.angular * x;
        f.inertia = p->square;
    } else {
        double lever = x + p->friction * p->slip * y;
        f.inertia = p->square + x * lever;
        f.normal = weight * p->square / f.inertia;
        f.angular = lever * weight / f.inertia;
        f.tangential = -p->friction * p->slip * f.normal;
    }
    return f;
}

IMP_LANE_CODE void rates(const void *system, const imp_rk_lanes *y, imp_rk_lanes *rate) {
    const imp_bounce_pivot *p = system;
    double spin = y->x[IMP_BOUNCE_SPIN];
    imp_bounce_force f = imp_bounce_force_of(p, y->x[IMP_BOUNCE_ALPHA], spin);
    double velocity = p->slip == 0 ? spin * f.arm : y->x[IMP_BOUNCE_VELOCITY];
    *rate = (imp_rk_lanes){{spin, f.angular, f.tangential, velocity,
                            p->slip == 0 ? 0 : -f.tangential * (velocity - spin * f.arm)}};
}

/* ---- events ---- */

enum { FLAT, OTHER_FLAT, FORCE, SLIP, INERTIA, N_EVENTS };

/* What is positive up to each event. */
static void signs_of(const imp_bounce_pivot *p, const imp_rk_lanes *y, double sign[N_EVENTS]) {
    double alpha = y->x[IMP_BOUNCE_ALPHA], spin = y->x[IMP_BOUNCE_SPIN];
    imp_bounce_force f = imp_bounce_force_of(p, alpha, spin);
    double raised = p->left ? alpha : -alpha;
    sign[FLAT] = raised;
    sign[OTHER_FLAT] = p->corner - raised;
    sign[FORCE] = p->slip == 0 ? f.normal : f.normal * f.inertia;
    sign[SLIP] = p->slip == 0 ? p->friction * f.normal - fabs(f.tangential)
                              : p->slip * (y->x[IMP_BOUNCE_VELOCITY] - spin * f.arm);
    sign[SLIP] = p->friction > 0 ? sign[SLIP] : 1; /* without friction slip has no direction */
    sign[INERTIA] = f.inertia;
}

/* The state a time after the one at the start of the step. */
static imp_rk_lanes after(const imp_bounce_pivot *p, const imp_rk_lanes *rate, double time) {
    imp_rk_lanes_end end;
    imp_rk_lanes_step(rates, p, &p->y, rate, time, &end);
    return end.y;
}

/* The time at which sign k vanishes, between 0 and `late`, where it is negative or 0: by regula
 * falsi that halves the weight of an end that stays. */
static double locate(const imp_bounce_pivot *p, const imp_rk_lanes *rate, int k, double at_start,
                     double late, double at_end) {
    double early = 0, sign[N_EVENTS];
    for (int i = 0; i < 60 && late - early > 0x1p-51 * late && at_end < 0; i++) {
        double time = late - at_end * ((late - early) / (at_end - at_start));
        time = time > early && time < late ? time : (early + late) / 2;
        imp_rk_lanes y = after(p, rate, time);
        signs_of(p, &y, sign);
        if (sign[k] > 0) {
            early = time;
            at_start = sign[k];
            at_end /= 2;
        } else {
            late = time;
            at_end = sign[k];
            at_start /= 2;
        }
    }
    return late;
}

/* The first event within a step; *time: when. -1: none. */
static int first_event(const imp_bounce_pivot *p, const imp_rk_lanes *rate, const imp_rk_lanes *end,
                       double step, double *time) {
    double from[N_EVENTS], to[N_EVENTS];
    int first = -1;
    signs_of(p, &p->y, from);
    signs_of(p, end, to);
    *time = step;
    for (int k = 0; k < N_EVENTS; k++) {
        if (from[k] > 0 && to[k] <= 0) {
            double own = locate(p, rate, k, from[k], step, to[k]);
            first = first < 0 || own < *time ? k : first;
            *time = own < *time ? own : *time;
        }
    }
    return first;
}

/* ---- steps ---- */

/* Tolerance of each number: angle and spin over their size within the step, because a body that
 * lies almost flat needs their digits; the others over the size of the body and its fall. */
static imp_rk_lanes weight_of(const imp_bounce_pivot *p, const imp_rk_lanes *end,
                              const imp_rk_lanes *rate, double step) {
    const double tolerance = 1e-14;
    const double energy = p->gravity * p->reach;
    const double least[] = {[IMP_BOUNCE_VELOCITY] = sqrt(energy),
                            [IMP_BOUNCE_X] = p->reach,
                            [IMP_BOUNCE_LOST] = energy};
    imp_rk_lanes weight = {{0}};
    for (int i = 0; i <= IMP_BOUNCE_LOST; i++) {
        double size = imp_larger(fabs(p->y.x[i]), fabs(end->x[i]));
        size = imp_larger(imp_larger(size, least[i]), fabs(rate->x[i]) * step);
        weight.x[i] = size > 0 ? 1 / (tolerance * size) : 0;
    }
    return weight;
}

/* A step that keeps the tolerance, as long as *step allows; *step: the next one. Returns the time
 * it takes; 0: the budget is spent. */
static double advance(imp_bounce_cell *c, const imp_bounce_pivot *p, const imp_rk_lanes *rate,
                      double *step, imp_rk_lanes *end) {
    for (;;) {
        double tried = *step;
        imp_rk_lanes_end ends;
        imp_rk_lanes_step(rates, p, &p->y, rate, tried, &ends);
        imp_rk_lanes weight = weight_of(p, &ends.y, rate, tried);
        double error = imp_rk_lanes_error(&ends, &weight, tried);
        *step = imp_rk_lanes_next(tried, error);
        if (++c->spent > c->p.budget) {
            c->outcome = IMP_BUDGET;
            return 0;
        }
        if (error <= 1) {
            *end = ends.y;
            return tried;
        }
    }
}

/* Writes the state into the cell, with a time of motion before it. */
static void settle(imp_bounce_cell *c, const imp_bounce_pivot *p, double time) {
    double before = imp_bounce_velocity_n(c);
    c->m.time += time;
    c->m.alpha = p->y.x[IMP_BOUNCE_ALPHA];
    c->m.spin = p->y.x[IMP_BOUNCE_SPIN];
    c->m.x = p->y.x[IMP_BOUNCE_X];
    imp_bounce_set_pose(c);
    double arm = c->pose.y[c->m.base] - p->radius;
    c->m.velocity_t = p->slip == 0 ? c->m.spin * arm : p->y.x[IMP_BOUNCE_VELOCITY];
    c->tally.friction_loss += p->y.x[IMP_BOUNCE_LOST];
    c->tally.upward += c->p.gravity * time + imp_bounce_velocity_n(c) - before;
}

/* Whether a point that starts at a flat or without slip is beyond it at the end of a step: the step
 * has passed over the way out and back. */
static bool passes_over(const imp_bounce_pivot *p, const imp_rk_lanes *end) {
    double from[N_EVENTS], to[N_EVENTS];
    signs_of(p, &p->y, from);
    signs_of(p, end, to);
    return (from[FLAT] <= 0 && to[FLAT] < 0) || (from[SLIP] <= 0 && to[SLIP] < 0 && p->slip != 0);
}

imp_bounce_event imp_bounce_follow(imp_bounce_cell *c, imp_bounce_pivot *p) {
    static const imp_bounce_event meaning[N_EVENTS] = {[FLAT] = IMP_BOUNCE_AT_FLAT,
                                                       [OTHER_FLAT] = IMP_BOUNCE_AT_FLAT,
                                                       [FORCE] = IMP_BOUNCE_NO_FORCE,
                                                       [SLIP] = IMP_BOUNCE_STICK_OR_SLIP,
                                                       [INERTIA] = IMP_BOUNCE_NO_INERTIA};
    double fall = sqrt(c->p.body.reach / p->gravity), time = 0;
    double step = 0.1 * fall / imp_larger(fabs(c->m.spin) * fall, 1), least = 1e-9 * step;
    for (;;) {
        imp_rk_lanes rate, end;
        rates(p, &p->y, &rate);
        double taken = advance(c, p, &rate, &step, &end);
        while (time == 0 && taken > least && passes_over(p, &end)) {
            step = taken / 8;
            taken = advance(c, p, &rate, &step, &end);
        }
        double lasts = taken;
        int event = taken > 0 ? first_event(p, &rate, &end, taken, &lasts) : -1;
        if (taken > 0) {
            p->y = event >= 0 ? after(p, &rate, lasts) : end;
            time += lasts;
        }
        if (event >= 0 || !(taken > 0)) {
            settle(c, p, time);
            c->sticks = p->slip == 0 || event == SLIP;
            return event >= 0 ? meaning[event] : IMP_BOUNCE_NO_EVENT;
        }
    }
}
