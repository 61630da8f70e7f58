/* Slip of a contact with three springs: steps of slip_step.h, cut short at the first event. */
#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "num/larger.h"
#include "num/polynomial.h"
#include "num/trigonometry.h"

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

/* The quantity that is positive before an event and 0 at the event, and its rate at the end of a
 * step. */
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
        return (distance){imp_springs_reload_at(a) - step->end.w, step->end.v3};
    default:
        return (distance){step->end.w, -step->end.v3};
    }
}

/* The first event that the stages of a step, and then its end, have passed, other than the known
 * one at its end; *part: the part of the step until then. */
static event event_in(const contact *a, const imp_slip_step *step, event known, double *part) {
    bool turns = a->now.v3 < 0;
    double reload = imp_springs_reload_at(a);
    for (int i = 0; i <= IMP_SLIP_STAGES; i++) {
        bool end = i == IMP_SLIP_STAGES;
        double w = end ? step->end.w : step->stage_w[i];
        double v3 = end ? step->end.v3 : step->stage_v3[i];
        double speed = end ? step->speed : step->stage_speed[i];
        *part = end ? 1 : imp_slip_point[i];
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

/* Moves a state to the end of a step. */
static void move(const contact *a, const imp_slip_step *step, double h, state *s) {
    const imp_slip_state *y = &step->end;
    double w = imp_larger(y->w, 0);
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
}

static void take(contact *a, const imp_slip_step *step, double h) {
    move(a, step, h, &a->now);
    a->phi = step->end.phi;
    a->fresh = a->peaked = false;
}

/* A step of slip as an observer sees it: the motion is a contact that has not yet taken it. */
static imp_springs_instant slip_at(const imp_springs_piece *piece, double time) {
    const contact *a = piece->motion;
    state then = a->now;
    if (!(time > 0)) {
        imp_sincos turn = imp_sine_cosine(a->phi);
        double along = then.v1 * turn.cosine + then.v2 * turn.sine;
        return imp_springs_instant_of(a, &then, imp_larger(along + a->kappa * then.v3, 0));
    }
    imp_slip_trial part = a->slip;
    if (time < piece->span.duration) {
        part.length = time;
        part.known = &a->slip.step;
        part.since = 0;
        imp_slip_advance(&(imp_slip_trial *){&part}, 1);
    }
    move(a, &part.step, time, &then);
    return imp_springs_instant_of(a, &then, imp_larger(part.step.speed, 0));
}

static void meet(contact *a, event which) {
    switch (which) {
    case HALT:
        if (a->now.w > 0) {
            imp_springs_begin(a, STICK);
        } else {
            imp_springs_separate(a);
        }
        break;
    case TURN:
        imp_springs_turn(a);
        break;
    case RELOAD:
        imp_springs_load_again(a);
        break;
    case LEAVE:
        imp_springs_separate(a);
        break;
    case NONE:
        break;
    }
}

/* Whether both forces are so small that the rest of the contact changes nothing. */
static bool all_but_separated(const contact *a) {
    double force = a->stiffness * a->now.w * imp_larger(a->friction, 1);
    return a->now.v3 > 0 && force < 1e-9 * a->greatest.force;
}

/* Tolerance of the velocities in a step. The faster the circle shrinks, the more energy an error of
 * an impulse costs. */
static double tolerance_of(const contact *a) {
    return 3e-9 / imp_larger(a->kappa / imp_springs_steep, 1);
}

/* ---- the search for an event ---- */

static void search_for(contact *a, event which, double high) {
    a->search.which = which;
    a->search.bracket = (imp_bracket){0, high};
    a->search.scale = 0;
    a->search.trials = 0;
    a->slip.length = high;
}

/* Whether the search ends with the step that was taken; if not, the next trial is set. */
static bool is_found(contact *a) {
    search *at = &a->search;
    const imp_slip_step *step = &a->slip.step;
    double length = step->length;
    distance d = step->solved ? distance_of(a, at->which, step) : (distance){-1, 0};
    a->steps++;
    imp_bracket_cut(&at->bracket, length, !(d.left < 0));
    at->scale = imp_larger(fabs(d.rate) * length, at->scale);
    if (step->solved && fabs(d.left) <= 1e-13 * at->scale) {
        return true;
    }
    double next = step->solved ? imp_bracket_next(&at->bracket, length - d.left / d.rate)
                               : imp_bracket_middle(&at->bracket);
    a->slip.length = next;
    return !imp_bracket_holds(&at->bracket, next) || ++at->trials == 60;
}

/* Whether the step that was taken ends at the first event on its way, or without any; if not, the next trial is set. */
static bool ends_at_first(contact *a) {
    search *at = &a->search;
    const imp_slip_step *step = &a->slip.step;
    double part = 1;
    if (at->which != NONE && !is_found(a)) {
        return false;
    }
    event sooner = step->solved ? event_in(a, step, at->which, &part) : NONE;
    if (sooner == NONE) {
        return true;
    }
    if (at->searches++ == LEAVE) {
        at->which = sooner;
        return true;
    }
    search_for(a, sooner, part * step->length);
    return false;
}

/* ---- a step ---- */

void imp_springs_slip(contact *a) {
    const double longest = 1 / imp_springs_fastest(a), shortest = 1e-12;
    if (all_but_separated(a)) {
        a->now.time += a->now.w / a->now.v3;
        imp_springs_separate(a);
        return;
    }
    double h = imp_smaller(longest, a->step);
    if (!(h > shortest * longest)) {
        a->motion = STALLED;
        return;
    }
    a->slip.law = law_of(a);
    a->slip.from = slip_state_of(a);
    a->slip.length = h;
    a->slip.known = a->last.solved ? &a->last : NULL;
    a->slip.since = a->last.length;
    a->search = (search){.which = NONE};
    a->wait = FOR_SLIP;
}

/* The step was too long for the iteration or for the tolerance. */
static void refuse(contact *a, double tolerance) {
    const imp_slip_step *step = &a->slip.step;
    double root = step->solved ? imp_coarse_root(tolerance / step->error, 7) : 0;
    a->step = step->length * (step->solved ? imp_larger(0.8 * root, 0.2) : 0.3);
}

static void accept(contact *a, double tolerance) {
    const imp_slip_step *step = &a->slip.step;
    double h = step->length;
    event which = a->search.which;
    bool compresses = a->now.v3 < 0;
    if (a->observer) {
        imp_springs_show(a, h, a, slip_at);
    }
    take(a, step, h);
    if (compresses && a->now.v3 >= 0 && which != TURN) {
        imp_springs_turn(a); /* both velocities of a constrained body vanish together */
    }
    a->last = *step;
    a->last.solved = which == NONE;
    double grow = imp_coarse_root(tolerance / imp_larger(step->error, 1e-30), 7);
    a->step = which == NONE ? h * imp_smaller(0.8 * grow, 3) : imp_larger(a->step / 2, h);
    meet(a, which);
}

void imp_springs_slip_on(contact *a) {
    const imp_slip_step *step = &a->slip.step;
    const double tolerance = tolerance_of(a);
    if (!ends_at_first(a)) {
        a->slip.known = step->solved ? step : NULL;
        a->slip.since = 0;
        return;
    }
    a->wait = FOR_NOTHING;
    if (!step->solved || !(step->error <= tolerance)) {
        refuse(a, tolerance);
    } else {
        accept(a, tolerance);
    }
}
