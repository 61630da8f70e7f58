#include "models/compliant3d/contact.h"

#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "models/theory.h"
#include "num/circle.h"
#include "num/larger.h"

/* ---- from one phase to the next ---- */

static double fastest_on(const contact *a, double stiffness) {
    const imp_inverse_mass *b = &a->p->contact->b;
    double swing = sqrt((b->b11 + b->b22) / a->p->stiffness_ratio + b->b33 * stiffness);
    return a->damped ? swing + a->drag * (b->b11 + b->b22) + a->p->damping * b->b33 : swing;
}

double imp_compliant3d_fastest(const contact *a) {
    return fastest_on(a, a->stiffness);
}

direction imp_compliant3d_pull(const contact *a) {
    double q1 = a->now.u1 + a->lag * a->now.v1, q2 = a->now.u2 + a->lag * a->now.v2;
    double size = sqrt(q1 * q1 + q2 * q2);
    return size > 0 ? (direction){.c = q1 / size, .s = q2 / size} : (direction){.c = 1, .s = 0};
}

double imp_compliant3d_driven_speed(const contact *a, direction e) {
    const imp_inverse_mass *b = &a->p->contact->b;
    double f = imp_compliant3d_force(a), t = a->friction * a->side * f;
    double r1 = -b->b11 * t * e.c - b->b12 * t * e.s + b->b13 * f;
    double r2 = -b->b12 * t * e.c - b->b22 * t * e.s + b->b23 * f;
    double r3 = -b->b13 * t * e.c - b->b23 * t * e.s + b->b33 * f;
    return (a->now.v1 + a->lag * r1) * e.c + (a->now.v2 + a->lag * r2) * e.s +
           a->side * a->kappa * (a->now.v3 + a->p->damping * r3);
}

/* Where sequences of phases meet, rounding alone makes phases that end as they begin, one after the
 * other. The first phase and the last may have any length. */
static bool is_fleeting(const contact *a) {
    const double shortest = 1e-12;
    return a->phases > 1 && (a->now.time - a->began.time) * imp_compliant3d_fastest(a) < shortest;
}

void imp_compliant3d_begin(contact *a, int phase) {
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

void imp_compliant3d_turn(contact *a) {
    double force = a->stiffness * a->now.w, e = a->p->restitution;
    a->now.v3 = 0;
    if (force > a->greatest.force) {
        a->greatest =
            (peak){.force = force, .p = a->now.p3, .time = a->now.time, .work = a->now.work};
    }
    if (!a->unloading && e < 1) {
        set_line(a, true);
        a->now.w = e * e * force;
        a->peaked = true;
    }
}

void imp_compliant3d_turn_slip(contact *a, direction e) {
    a->phi = imp_heading(e.s, e.c);
    a->step = 0.1 / imp_compliant3d_fastest(a);
    a->slip.known = NULL;
    a->last.solved = false;
    if (a->lag > 0) {
        a->step = imp_smaller(a->step, 0.1 * a->lag);
    }
}

/* A slip that lags goes on. Otherwise the circle has closed, and the contact goes on as it began:
 * it sticks where the circle opens faster than the springs are drawn. */
void imp_compliant3d_flip(contact *a) {
    a->now.w = a->p->damping * a->now.v3;
    a->side = -1;
    if (a->motion == STICKS) {
        a->fresh = true;
        a->order = 2;
        return;
    }
    double speed = sqrt(a->now.v1 * a->now.v1 + a->now.v2 * a->now.v2);
    if (a->lag > 0) {
        imp_compliant3d_turn_slip(a, imp_compliant3d_pull(a));
        return;
    }
    a->now.u1 = a->now.u2 = 0;
    if (speed < a->kappa * a->now.v3) {
        imp_compliant3d_begin(a, STICK);
    } else if (speed > 0) {
        imp_compliant3d_turn_slip(a, (direction){.c = a->now.v1 / speed, .s = a->now.v2 / speed});
    }
}

void imp_compliant3d_load_again(contact *a) {
    set_line(a, false);
    a->now.w = a->greatest.force;
}

/* Behind the end the springs with dashpots relax: what they have is lost. */
void imp_compliant3d_separate(contact *a) {
    if (!a->damped) {
        a->now.w = a->now.u1 = a->now.u2 = 0;
    }
    a->motion = SEPARATED;
}

double imp_compliant3d_reload_at(const contact *a) {
    double e = a->p->restitution;
    return a->unloading && e < 1 ? e * e * a->greatest.force : INFINITY;
}

double imp_compliant3d_crushed(const contact *a) {
    double e = a->p->restitution, force = a->greatest.force;
    return a->unloading ? (1 - e * e) * force * force / 2 : 0;
}

/* ---- the observer ---- */

/* The bilinear spring loses the energy between its two lines below the greatest force: while
 * loading, so much of its energy as unloading from there would not give back. */
imp_compliant3d_instant imp_compliant3d_instant_of(const contact *a, const state *now,
                                                   double slip_speed, direction slip) {
    double drag = a->drag, r1 = now->v1 - slip_speed * slip.c, r2 = now->v2 - slip_speed * slip.s;
    double soft = -1 / a->p->stiffness_ratio, e = a->p->restitution, force = a->stiffness * now->w;
    double set = a->unloading ? (1 - e * e) * a->greatest.force : 0;
    double stored = e * e * force * force / 2;
    double crushed = a->unloading ? imp_compliant3d_crushed(a) : (1 - e * e) * force * force / 2;
    return (imp_compliant3d_instant){
        .time = now->time,
        .u1 = now->u1,
        .u2 = now->u2,
        .delta = now->w + set,
        .f1 = a->damped ? soft * now->u1 - drag * r1 : soft * now->u1,
        .f2 = a->damped ? soft * now->u2 - drag * r2 : soft * now->u2,
        .f3 = a->damped ? force - a->p->damping * now->v3 : force,
        .v1 = now->v1,
        .v2 = now->v2,
        .v3 = now->v3,
        .slip = slip_speed,
        .p1 = now->p1,
        .p2 = now->p2,
        .p3 = now->p3,
        .work = now->work,
        .friction_loss = now->friction_loss,
        .spring_loss = a->damped ? now->normal_loss : crushed,
        .tangential_loss = now->tangential_loss,
        .stored_t = -soft * (now->u1 * now->u1 + now->u2 * now->u2) / 2,
        .stored_n = stored,
    };
}

void imp_compliant3d_show(const contact *a, double duration, const void *path,
                          imp_compliant3d_instant (*at)(const imp_compliant3d_piece *piece,
                                                        double time)) {
    imp_compliant3d_piece piece = {.span = {.phase = a->motion == STICKS ? STICK : SLIP,
                                            .number = a->phases - 1,
                                            .start = a->now.time,
                                            .duration = duration},
                                   .motion = path,
                                   .at = at};
    a->observer->see_piece(a->observer, &piece);
}

/* ---- the whole contact ---- */

/* The tangential springs take their time on either line: the steeper one alone would end the
 * patience of a contact that has just been loaded. */
double imp_compliant3d_patience(const contact *a) {
    const double all = 500; /* in units of 1 / fastest while loading */
    return all / fastest_on(a, 1) - (a->now.time - a->since);
}

/* A body with dashpots wedges when it cannot slip any more; with weak ones it may be as one
 * without. */

static bool sticks_for_good(const contact *a) {
    if (!a->p->contact->singular || a->motion != STICKS) {
        return false;
    }
    bool weak = a->p->damping < 0.01 && a->lag < 0.01;
    bool waited = (weak || !a->damped) && imp_compliant3d_patience(a) < 0;
    return waited || (a->damped && imp_compliant3d_rings_down(a));
}

/* Whether a contact with dashpots sticks at first: the forces of dashpots come at once, those of
 * springs do not. */
static bool sticks_at_first(const contact *a, double speed) {
    double pull = a->drag * speed, held = a->friction * a->p->damping;
    if (!a->damped || (pull == 0 && held == 0)) {
        return speed < a->kappa;
    }
    return pull < held;
}

/* How the first stick begins: without forces at the centre of the circle, which opens. */
static int first_order(const contact *a) {
    return !a->damped || a->p->damping == 0 ? 2 : 0;
}

static void start(contact *a, const imp_compliant3d_problem *p, double friction) {
    const imp_spatial_contact *b = p->contact;
    double speed = sqrt(b->v1 * b->v1 + b->v2 * b->v2);
    *a = (contact){.p = p, .friction = friction, .side = 1};
    a->drag = friction > 0 ? p->drag : 0;
    a->lag = a->drag * p->stiffness_ratio;
    a->damped = p->damping > 0 || a->drag > 0;
    set_line(a, false);
    a->now = (state){.v1 = b->v1, .v2 = b->v2, .v3 = -1};
    a->step = 0.5 / imp_compliant3d_fastest(a);
    a->phi = speed > 0 ? imp_heading(b->v2, b->v1) : 0;
    bool sticks = sticks_at_first(a, speed);
    a->now.speed = a->lag > 0 && !sticks ? speed - friction * p->damping / a->drag : 0;
    imp_compliant3d_begin(a, sticks ? STICK : SLIP);
    a->order = first_order(a);
}

/* After a step. */
static void check(contact *a) {
    a->since = a->phases == a->phases_then ? a->since : a->now.time;
    a->phases_then = a->phases;
    if (sticks_for_good(a)) {
        a->motion = WEDGED;
        if (a->damped) {
            imp_compliant3d_rest(a);
        }
    } else if (imp_compliant3d_creeps(a)) {
        a->motion = CREEPS;
    } else if (!isfinite(a->now.w + a->now.v1 + a->now.v2 + a->now.v3)) {
        a->motion = LOST;
    }
}

/* Until the contact waits, or ends. */
static void follow(contact *a) {
    while (a->wait == FOR_NOTHING && (a->motion == STICKS || a->motion == SLIPS)) {
        if (a->steps++ >= a->p->budget) {
            a->motion = OUT_OF_BUDGET;
        } else if (a->motion == STICKS) {
            imp_compliant3d_stick(a);
        } else {
            imp_compliant3d_slip(a);
        }
        if (a->wait == FOR_NOTHING) {
            check(a);
        }
    }
}

static imp_compliant3d_mode mode_of(const contact *a) {
    bool sticks_first = (a->sequence & 3) == STICK;
    if (a->motion == WEDGED) {
        return IMP_COMPLIANT3D_WEDGE;
    }
    switch (a->phases) {
    case 1:
        return sticks_first ? IMP_COMPLIANT3D_GROSS_STICK : IMP_COMPLIANT3D_GROSS_SLIP;
    case 2:
        return sticks_first ? IMP_COMPLIANT3D_STICK_SLIP : IMP_COMPLIANT3D_MULTIPLE;
    case 3:
        return sticks_first ? IMP_COMPLIANT3D_MULTIPLE : IMP_COMPLIANT3D_SLIP_STICK_SLIP;
    case 4:
        return sticks_first ? IMP_COMPLIANT3D_STICK_SLIP_STICK_SLIP : IMP_COMPLIANT3D_MULTIPLE;
    default:
        return IMP_COMPLIANT3D_MULTIPLE;
    }
}

static imp_outcome outcome_of(const contact *a, double balance) {
    if (a->motion == OUT_OF_BUDGET) {
        return IMP_BUDGET;
    }
    if (a->motion == CREEPS) {
        return IMP_OUTSIDE;
    }
    if (a->motion == STALLED) {
        return IMP_NO_CONVERGENCE;
    }
    if (a->motion == LOST || !isfinite(balance)) {
        return IMP_NOT_FINITE;
    }
    return fabs(balance) <= IMP_ENERGY_TOLERANCE ? IMP_SOLVED : IMP_NO_CONVERGENCE;
}

/* A cell exactly where sequences of phases meet is solved as its nearest neighbour away from there;
 * without one as it is. */
static void start_nearby(contact *a) {
    const double nearest = 1e-12, farthest = 1e-8;
    const imp_compliant3d_problem *p = a->p;
    double last = a->neighbour, off = last == 0 ? nearest : last > 0 ? -last : -10 * last;
    bool lenient = !(off < farthest);
    start(a, p, lenient ? p->friction : p->friction * (1 + off));
    a->neighbour = off;
    a->lenient = lenient;
}

/* Whether a contact has ended without a result where a neighbour may have one. */
static bool is_lost(const contact *a) {
    if (a->wait != FOR_NOTHING || a->lenient) {
        return false;
    }
    return a->motion == FLEETING || a->motion == STALLED ||
           imp_compliant3d_result_of(a).outcome == IMP_NO_CONVERGENCE;
}

static void follow_nearby(contact *a) {
    follow(a);
    while (is_lost(a)) {
        start_nearby(a);
        follow(a);
    }
}

void imp_compliant3d_touch(contact *a, const imp_compliant3d_problem *p) {
    start(a, p, p->friction);
    follow_nearby(a);
}

static void take_steps(contact *const *contacts, int n) {
    imp_compliant3d_stick_trial *sticks[IMP_MOST_LANES] = {NULL};
    imp_compliant3d_slip_trial *slips[IMP_MOST_LANES] = {NULL};
    for (int i = 0; i < n; i++) {
        sticks[i] = &contacts[i]->stick;
        slips[i] = &contacts[i]->slip;
    }
    switch (contacts[0]->wait) {
    case FOR_STICK:
        imp_compliant3d_stick_advance(sticks, n);
        break;
    case FOR_DAMPED_STICK:
        imp_compliant3d_damped_stick_advance(sticks, n);
        break;
    case FOR_DAMPED_SLIP:
        imp_compliant3d_damped_slip_advance(slips, n);
        break;
    default:
        imp_compliant3d_slip_advance(slips, n);
    }
}

void imp_compliant3d_go_on(contact *const *contacts, int n) {
    take_steps(contacts, n);
    for (int i = 0; i < n; i++) {
        contact *a = contacts[i];
        if (a->wait == FOR_STICK || a->wait == FOR_DAMPED_STICK) {
            imp_compliant3d_stick_on(a);
        } else {
            imp_compliant3d_slip_on(a);
        }
        if (a->wait == FOR_NOTHING) {
            check(a);
            follow_nearby(a);
        }
    }
}

static void end(contact *a) {
    while (a->wait != FOR_NOTHING) {
        imp_compliant3d_go_on(&a, 1);
    }
}

imp_compliant3d_result imp_compliant3d_solve(const imp_compliant3d_problem *p) {
    contact a;
    imp_compliant3d_touch(&a, p);
    end(&a);
    if (p->observer) {
        double friction = a.friction;
        bool lenient = a.lenient;
        start(&a, p, friction);
        a.lenient = lenient;
        a.observer = p->observer;
        follow(&a);
        end(&a);
    }
    return imp_compliant3d_result_of(&a);
}

imp_compliant3d_result imp_compliant3d_result_of(const contact *a) {
    const imp_compliant3d_problem *p = a->p;
    const state *s = &a->now;
    const imp_spatial_contact *b = p->contact;
    double gained = ((b->v1 + s->v1) * s->p1 + (b->v2 + s->v2) * s->p2 + (s->v3 - 1) * s->p3) / 2;
    double elastic =
        (s->u1 * s->u1 + s->u2 * s->u2) / (2 * p->stiffness_ratio) + a->stiffness * s->w * s->w / 2;
    gained = a->damped && a->motion == WEDGED ? -b->energy : gained; /* it has come to rest */
    double spent = s->friction_loss + s->normal_loss + s->tangential_loss;
    double loss = spent + imp_compliant3d_crushed(a);
    double balance = (gained + loss + elastic) / b->energy;
    bool relaxes = a->damped && a->motion == SEPARATED;
    return (imp_compliant3d_result){
        .outcome = outcome_of(a, balance),
        .mode = mode_of(a),
        .sequence = a->sequence,
        .v1 = s->v1,
        .v2 = s->v2,
        .v3 = s->v3,
        .p1 = s->p1,
        .p2 = s->p2,
        .p3 = s->p3,
        .p_turn = a->greatest.p,
        .t_turn = a->greatest.time,
        .work_approach = a->greatest.work,
        .work_rebound = s->work - a->greatest.work,
        .duration = s->time,
        .loss = relaxes ? loss + elastic : loss,
        .balance = balance,
        .friction_loss = s->friction_loss,
        .normal_loss = s->normal_loss,
        .tangential_loss = s->tangential_loss,
        .trapped = elastic,
    };
}
