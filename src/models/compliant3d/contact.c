#include "models/compliant3d/contact.h"

#include <math.h>

#include "models/compliant3d/slip_step.h"
#include "models/theory.h"
#include "num/circle.h"
#include "num/polynomial.h"

enum { STICK = 1, SLIP = 3 };

typedef imp_springs_problem problem;

typedef struct state {
    double u1, u2, w; /* elongations; w: compression along the present line */
    double v1, v2, v3;
    double p1, p2, p3, work, friction_loss, time;
} state;

typedef struct peak {
    double force, p, time, work;
} peak;

typedef enum motion {
    STICKS,
    SLIPS,
    SEPARATED,
    WEDGED,
    OUT_OF_BUDGET,
    STALLED,
    LOST,
    FLEETING /* a phase ended as it began */
} motion;

typedef struct contact {
    const problem *p;
    double friction; /* as given, or a neighbour of it */
    bool lenient;    /* goes on after a fleeting phase */
    state now;
    state began;        /* of the phase */
    bool unloading;     /* the normal spring is on the steeper line */
    double stiffness;   /* of the present line */
    double kappa;       /* radius of the friction circle over w */
    peak greatest;      /* of the indentation */
    double spring_loss; /* in the bilinear spring */
    double phi;         /* direction of slip */
    double step;        /* of slip, to be tried next */
    bool refused;       /* the step before was too long */
    bool fresh;         /* the phase begins: stick starts on the circle, at its centre or its rim */
    bool peaked;        /* unloading begins: w is at its greatest */
    imp_slip_step last; /* step of slip, if it is solved: the iteration starts from it */
    motion motion;
    uint64_t sequence;
    int phases;
    int64_t steps;
} contact;

/* Bound of the frequencies. */
static double fastest(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    return sqrt((b->b11 + b->b22) / a->p->stiffness_ratio + b->b33 * a->stiffness);
}

/* Where sequences of phases meet, rounding alone makes phases that end as they begin, one after the
 * other. The first phase and the last may be as short as they like. */
static bool is_fleeting(const contact *a) {
    const double shortest = 1e-12;
    return a->phases > 1 && (a->now.time - a->began.time) * fastest(a) < shortest;
}

static void begin(contact *a, int phase) {
    bool fleeting = is_fleeting(a) && !a->lenient;
    if (a->phases < IMP_SEQUENCE_PHASES) {
        a->sequence |= (uint64_t)phase << (2 * a->phases);
    }
    a->phases++;
    a->motion = fleeting ? FLEETING : phase == STICK ? STICKS : SLIPS;
    a->began = a->now;
    a->fresh = true;
}

static void set_line(contact *a, bool unloading) {
    double e = a->p->restitution;
    a->unloading = unloading;
    a->stiffness = unloading ? 1 / (e * e) : 1;
    a->kappa = a->friction * a->p->stiffness_ratio * a->stiffness;
}

/* v3 comes up through 0: a greatest indentation, from where the spring unloads along its other line. */
static void turn(contact *a) {
    double force = a->stiffness * a->now.w, e = a->p->restitution;
    a->now.v3 = 0;
    if (force > a->greatest.force) {
        a->greatest = (peak){force, a->now.p3, a->now.time, a->now.work};
    }
    if (!a->unloading && e < 1) {
        set_line(a, true);
        a->now.w = e * e * force;
        a->peaked = true;
    }
}

/* A second compression comes up to the greatest so far: on along the line of loading. */
static void load_again(contact *a) {
    set_line(a, false);
    a->now.w = a->greatest.force;
}

static void separate(contact *a) {
    a->now.w = a->now.u1 = a->now.u2 = 0;
    a->motion = SEPARATED;
}

/* Compression of the unloading line at which it meets that of loading; infinite where there is none. */
static double reload_at(const contact *a) {
    double e = a->p->restitution;
    return a->unloading && e < 1 ? e * e * a->greatest.force : INFINITY;
}

/* ---- stick ---- */

enum { ORDER = 24, TERMS = ORDER + 1 };

typedef struct series {
    double u1[TERMS], u2[TERMS], w[TERMS], v1[TERMS], v2[TERMS], v3[TERMS];
    double margin[TERMS];  /* kappa^2 w^2 - |u|^2, reversed in sign */
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

/* When stick reaches the friction circle. A phase that begins on it has a double zero there, which is
 * divided out. */
static double time_to_circle(const contact *a, const series *x, double end) {
    if (a->fresh) {
        return imp_polynomial_first_rise(x->margin + 2, ORDER - 2, 0, end);
    }
    return imp_polynomial_first_rise(x->margin, ORDER, 0, end);
}

/* From this size of kappa on, kappa w has lost digits where it is small. */
static const double steep = 100;

/* The instant near t at which stick reaches the circle, by Newton's method on |u| - kappa w. */
static double improved_circle(const contact *a, const series *x, double t) {
    for (int i = 0; i < 4 && t < INFINITY; i++) {
        double u1 = imp_polynomial_at(x->u1, ORDER, t), u2 = imp_polynomial_at(x->u2, ORDER, t);
        double v1 = imp_polynomial_at(x->v1, ORDER, t), v2 = imp_polynomial_at(x->v2, ORDER, t);
        double size = sqrt(u1 * u1 + u2 * u2);
        double over = size - a->kappa * imp_polynomial_at(x->w, ORDER, t);
        double rate = (u1 * v1 + u2 * v2) / size + a->kappa * imp_polynomial_at(x->v3, ORDER, t);
        t = rate > 0 ? fmax(0, t - over / rate) : t;
    }
    return t;
}

/* When the compression comes up to where it turned last; from there it falls as the square of time. */
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

/* Slip speed if slip began now, in the direction of the springs' pull. */
static double speed_at_rim(const contact *a) {
    double size = sqrt(a->now.u1 * a->now.u1 + a->now.u2 * a->now.u2);
    double along = size > 0 ? (a->now.v1 * a->now.u1 + a->now.v2 * a->now.u2) / size : 0;
    return along + a->kappa * a->now.v3;
}

/* Whether stick has come back to where it began: it is periodic then and lasts for good. */
static bool has_returned(const contact *a) {
    const double near_enough = 1e-6;
    const state *s = &a->now, *b = &a->began;
    double moved = fabs(s->u1 - b->u1) + fabs(s->u2 - b->u2) + fabs(s->w - b->w) +
                   fabs(s->v1 - b->v1) + fabs(s->v2 - b->v2) + fabs(s->v3 - b->v3);
    return moved <= near_enough * (fabs(b->w) + fabs(b->u1) + fabs(b->u2));
}

/* Of a constrained body stick can touch the rim without leaving it: as at its start. A touch is a double
 * zero, found to the root of rounding only. */
static void reach_circle(contact *a, double t) {
    const double grazing = 1e-6;
    a->fresh = true;
    if (t > 0 && a->p->contact->singular && !(speed_at_rim(a) > grazing)) {
        a->motion = has_returned(a) ? WEDGED : STICKS;
        return;
    }
    a->phi = imp_heading(a->now.u2, a->now.u1);
    a->step = 0.1 / fastest(a);
    if (a->kappa > steep) {
        a->now.w = sqrt(a->now.u1 * a->now.u1 + a->now.u2 * a->now.u2) / a->kappa;
    }
    begin(a, SLIP);
}

/* The normal spring is released. The tangential ones are still stretched then, and the friction circle is
 * reached before, however shortly; unless stick lasts from the first touch, and they never were or a
 * constrained body lets all go together. */
static void leave_in_stick(contact *a) {
    bool straight = a->now.u1 == 0 && a->now.u2 == 0;
    if (a->phases > 1 || !(straight || a->p->contact->singular)) {
        begin(a, SLIP);
    }
    separate(a);
}

static void stick(contact *a) {
    series x;
    expand(&x, a);
    double end = 2 / fastest(a), circle = time_to_circle(a, &x, end), reload = reload_at(a);
    double rise = a->now.v3 < 0 ? imp_polynomial_first_rise(x.v3, ORDER, 0, end) : INFINITY;
    double load = time_to_reload(a, &x, reload, end);
    double leave = a->now.w > 0 ? imp_polynomial_first_rise(x.falling, ORDER, 0, end) : INFINITY;
    if (a->kappa > steep && !(a->fresh && circle == 0)) {
        circle = improved_circle(a, &x, fmin(circle, leave));
    }
    double first = fmin(fmin(circle, rise), fmin(load, leave)), t = fmin(first, end);
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
        turn(a);
    } else {
        load_again(a);
    }
}

/* ---- slip ---- */

typedef enum event { NONE, HALT, TURN, RELOAD, LEAVE } event;

static imp_slip_law law_of(const contact *a) {
    return (imp_slip_law){
        .b = a->p->contact->b,
        .mu = a->friction,
        .stiffness = a->stiffness,
        .kappa = a->kappa,
    };
}

static imp_slip_state slip_state_of(const contact *a) {
    const state *s = &a->now;
    return (imp_slip_state){
        .phi = a->phi,
        .w = s->w,
        .v1 = s->v1,
        .v2 = s->v2,
        .v3 = s->v3,
    };
}

/* How far an event is, positive before it, and its rate at the end of a step. */
typedef struct distance {
    double left, rate;
} distance;

static distance distance_of(const contact *a, event which, const imp_slip_step *step) {
    switch (which) {
    case HALT:
        return (distance){step->speed, step->speed_rate};
    case TURN:
        return (distance){-step->end.v3, -step->v3_rate};
    case RELOAD:
        return (distance){reload_at(a) - step->end.w, step->end.v3};
    default:
        return (distance){step->end.w, -step->end.v3};
    }
}

/* The first event that the stages of a step, and then its end, tell of, other than the one to which the
 * step leads; *part: where. */
static event event_in(const contact *a, const imp_slip_step *step, event known, double *part) {
    bool turns = a->now.v3 < 0;
    double reload = reload_at(a);
    for (int i = 0; i <= IMP_SLIP_STAGES; i++) {
        bool end = i == IMP_SLIP_STAGES;
        double w = end ? step->end.w : step->stage_w[i];
        double v3 = end ? step->end.v3 : step->stage_v3[i];
        double speed = end ? step->speed : step->stage_speed[i];
        *part = end ? 1 : step->at[i];
        if (known != HALT && a->friction > 0 && speed < 0) {
            return HALT;
        }
        if (known != TURN && turns && v3 > 0) {
            return TURN;
        }
        if (known != RELOAD && w > reload && v3 < 0) {
            return RELOAD;
        }
        if (known != LEAVE && w < 0) {
            return LEAVE;
        }
    }
    return NONE;
}

/* The step that ends at the event, which a step of length `high` has passed: Newton's method inside a
 * bracket. */
static imp_slip_step step_to(contact *a, const imp_slip_law *law, const imp_slip_state *from,
                             event which, const imp_slip_step *passed_by, double high, double *h) {
    double low = 0, next = high, scale = 0;
    imp_slip_step step = *passed_by;
    for (int i = 0; i < 60; i++) {
        imp_slip_step known = step;
        step = imp_slip_advance(law, from, next, known.solved ? &known : NULL, 0);
        *h = next;
        a->steps++;
        distance d = distance_of(a, which, &step);
        bool passed = !step.solved || d.left < 0;
        if (passed) {
            high = next;
        } else {
            low = next;
        }
        scale = fmax(scale, fabs(d.rate) * next);
        if (step.solved && fabs(d.left) <= 1e-13 * scale) {
            break;
        }
        double newton = next - d.left / d.rate;
        bool inside = step.solved && newton > low && newton < high;
        newton = inside ? newton : (low + high) / 2;
        if (!(newton > low && newton < high)) {
            break;
        }
        next = newton;
    }
    return step;
}

static void take(contact *a, const imp_slip_step *step, double h) {
    const imp_slip_state *y = &step->end;
    state *s = &a->now;
    double w = fmax(0, y->w);
    s->work += a->stiffness * (s->w - w) * (s->w + w) / 2;
    s->w = w;
    s->v1 = y->v1;
    s->v2 = y->v2;
    s->v3 = y->v3;
    s->u1 = a->kappa * w * y->c;
    s->u2 = a->kappa * w * y->s;
    s->p1 += step->p1;
    s->p2 += step->p2;
    s->p3 += step->p3;
    s->friction_loss += step->loss;
    s->time += h;
    a->phi = y->phi;
    a->fresh = a->peaked = false;
}

static void meet(contact *a, event which) {
    switch (which) {
    case HALT:
        if (a->now.w > 0) {
            begin(a, STICK);
        } else {
            separate(a);
        }
        break;
    case TURN:
        turn(a);
        break;
    case RELOAD:
        load_again(a);
        break;
    case LEAVE:
        separate(a);
        break;
    case NONE:
        break;
    }
}

/* What is left of the contact when both forces have become this small moves nothing. */
static bool all_but_separated(const contact *a) {
    double force = a->stiffness * a->now.w * fmax(1, a->friction);
    return a->now.v3 > 0 && force < 1e-9 * a->greatest.force;
}

/* Of the velocities in a step. Where the circle shrinks fast so do the springs, and what is missed of an
 * impulse costs energy in proportion. */
static double tolerance_of(const contact *a) {
    return 3e-9 / fmax(1, a->kappa / steep);
}

static void slip(contact *a) {
    const double tolerance = tolerance_of(a), longest = 1 / fastest(a), shortest = 1e-12;
    imp_slip_law law = law_of(a);
    imp_slip_state from = slip_state_of(a);
    if (all_but_separated(a)) {
        a->now.time += a->now.w / a->now.v3;
        separate(a);
        return;
    }
    double h = fmin(a->step, longest), part = 1;
    if (!(h > shortest * longest)) {
        a->motion = STALLED;
        return;
    }
    imp_slip_step step =
        imp_slip_advance(&law, &from, h, a->last.solved ? &a->last : NULL, a->last.length);
    event which = step.solved ? event_in(a, &step, NONE, &part) : NONE;
    for (int tries = 0; which != NONE && tries < LEAVE; tries++) {
        imp_slip_step passed_by = step;
        step = step_to(a, &law, &from, which, &passed_by, part * h, &h);
        event sooner = step.solved ? event_in(a, &step, which, &part) : NONE;
        if (sooner == NONE) {
            break;
        }
        which = sooner;
    }
    if (!step.solved || !(step.error <= tolerance)) {
        a->step =
            h * (step.solved ? fmax(0.2, 0.8 * imp_coarse_root(tolerance / step.error, 7)) : 0.3);
        return;
    }
    bool compresses = a->now.v3 < 0;
    take(a, &step, h);
    if (compresses && a->now.v3 >= 0 && which != TURN) {
        turn(a); /* at the same instant: with a constrained body both velocities vanish together */
    }
    a->last = step;
    a->last.solved = which == NONE;
    double grow = imp_coarse_root(tolerance / fmax(step.error, 1e-30), 7);
    a->step = which == NONE ? h * fmin(a->refused ? 1 : 3, 0.8 * grow) : fmax(h, a->step / 2);
    a->refused = false;
    meet(a, which);
}

/* ---- the whole contact ---- */

/* Long after the motion has shown all it can, stick lasts for good. */
static bool sticks_for_good(const contact *a, double since) {
    const double patience = 500;
    return a->p->contact->singular && a->motion == STICKS &&
           (a->now.time - since) * fastest(a) > patience;
}

static void start(contact *a) {
    const imp_spatial_contact *b = a->p->contact;
    double speed = sqrt(b->v1 * b->v1 + b->v2 * b->v2);
    set_line(a, false);
    a->now = (state){.v1 = b->v1, .v2 = b->v2, .v3 = -1};
    a->step = 0.5 / fastest(a);
    a->phi = speed > 0 ? imp_heading(b->v2, b->v1) : 0;
    begin(a, speed < a->kappa ? STICK : SLIP);
}

static void follow(contact *a) {
    double since = 0;
    int phases = 0;
    while (a->motion == STICKS || a->motion == SLIPS) {
        if (a->steps++ >= a->p->budget) {
            a->motion = OUT_OF_BUDGET;
        } else if (a->motion == STICKS) {
            stick(a);
        } else {
            slip(a);
        }
        since = a->phases == phases ? since : a->now.time;
        phases = a->phases;
        if (sticks_for_good(a, since)) {
            a->motion = WEDGED;
        } else if (!isfinite(a->now.w + a->now.v1 + a->now.v2 + a->now.v3)) {
            a->motion = LOST;
        }
    }
}

static imp_spatial_mode mode_of(const contact *a) {
    bool sticks_first = (a->sequence & 3) == STICK;
    if (a->motion == WEDGED) {
        return IMP_SPATIAL_WEDGE;
    }
    switch (a->phases) {
    case 1:
        return sticks_first ? IMP_SPATIAL_GROSS_STICK : IMP_SPATIAL_GROSS_SLIP;
    case 2:
        return sticks_first ? IMP_SPATIAL_STICK_SLIP : IMP_SPATIAL_MULTIPLE;
    case 3:
        return sticks_first ? IMP_SPATIAL_MULTIPLE : IMP_SPATIAL_SLIP_STICK_SLIP;
    case 4:
        return sticks_first ? IMP_SPATIAL_STICK_SLIP_STICK_SLIP : IMP_SPATIAL_MULTIPLE;
    default:
        return IMP_SPATIAL_MULTIPLE;
    }
}

static imp_outcome outcome_of(const contact *a, double balance) {
    if (a->motion == OUT_OF_BUDGET) {
        return IMP_BUDGET;
    }
    if (a->motion == STALLED) {
        return IMP_NO_CONVERGENCE;
    }
    if (a->motion == LOST || !isfinite(balance)) {
        return IMP_NOT_FINITE;
    }
    return fabs(balance) <= IMP_ENERGY_TOLERANCE ? IMP_SOLVED : IMP_NO_CONVERGENCE;
}

/* Of the greatest force, the bilinear spring keeps what lies between its two lines. */
static double spring_loss(const contact *a) {
    double e = a->p->restitution, force = a->greatest.force;
    return a->unloading ? (1 - e * e) * force * force / 2 : 0;
}

static contact solve_at(const problem *p, double friction, bool lenient) {
    contact a = {.p = p, .friction = friction, .lenient = lenient};
    start(&a);
    follow(&a);
    return a;
}

/* A cell exactly where sequences of phases meet is solved as its nearest neighbour that is not. */
static contact solve_nearby(const problem *p) {
    contact a = solve_at(p, p->friction, false);
    for (double off = 1e-12; a.motion == FLEETING && off<1e-8; off *= off> 0 ? -1 : -10) {
        a = solve_at(p, p->friction * (1 + off), false);
    }
    return a.motion == FLEETING ? solve_at(p, p->friction, true) : a;
}

imp_springs_result imp_springs_solve(const imp_springs_problem *p) {
    contact a = solve_nearby(p);
    const state *s = &a.now;
    const imp_spatial_contact *b = p->contact;
    double gained = ((b->v1 + s->v1) * s->p1 + (b->v2 + s->v2) * s->p2 + (s->v3 - 1) * s->p3) / 2;
    double elastic =
        (s->u1 * s->u1 + s->u2 * s->u2) / (2 * p->stiffness_ratio) + a.stiffness * s->w * s->w / 2;
    double loss = s->friction_loss + spring_loss(&a);
    double balance = (gained + loss + elastic) / b->energy;
    return (imp_springs_result){
        .outcome = outcome_of(&a, balance),
        .mode = mode_of(&a),
        .sequence = a.sequence,
        .v1 = s->v1,
        .v2 = s->v2,
        .v3 = s->v3,
        .p1 = s->p1,
        .p2 = s->p2,
        .p3 = s->p3,
        .p_turn = a.greatest.p,
        .t_turn = a.greatest.time,
        .work_approach = a.greatest.work,
        .work_rebound = s->work - a.greatest.work,
        .duration = s->time,
        .loss = loss,
        .balance = balance,
    };
}
