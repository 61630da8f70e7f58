/* Slip of a contact with three springs: steps of slip_step.h, cut short at the first event. */
#include <math.h>

#include "models/compliant3d/passage.h"
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

/* Tolerance of the velocities in a step. The faster the circle shrinks, the more energy an error of an impulse
 * costs. */
static double tolerance_of(const contact *a) {
    return 3e-9 / imp_larger(a->kappa / imp_springs_steep, 1);
}

static bool is_good(const contact *a) {
    return a->slip.step.solved && a->slip.step.error <= tolerance_of(a);
}

/* How much longer the step may safely be for this tolerance. */
static double stretch(const contact *a) {
    double error = imp_larger(a->slip.step.error, 1e-30);
    return 0.85 * imp_coarse_root(tolerance_of(a) / error, 9);
}

/* The length with which a step is tried again that is not good. */
static double shorter(const contact *a) {
    const imp_slip_step *step = &a->slip.step;
    return step->length * (step->solved ? imp_larger(stretch(a), 0.2) : 0.3);
}

/* ---- the search for an event ---- */

static void search_for(contact *a, const imp_slip_passage *p, double length) {
    a->search.which = p->which;
    a->search.bracket = (imp_bracket){0, p->behind * length};
    a->search.scale = 0;
    a->search.trials = 0;
    a->slip.length = p->near * length;
}

/* Whether a search for the event at `length` is in vain, because the step will have to be shorter. */
static bool is_far(const contact *a, double length) {
    return a->slip.step.solved && !is_good(a) && shorter(a) < length;
}

/* Whether the search ends with the step that was taken; if not, the next trial is set. */
static bool is_found(contact *a) {
    search *at = &a->search;
    const imp_slip_step *step = &a->slip.step;
    double length = step->length;
    double left = step->solved ? imp_slip_distance(a, at->which, step, IMP_SLIP_STAGES) : -1;
    double rate = step->solved ? imp_slip_rate(at->which, step) : 0;
    a->steps++;
    imp_bracket_cut(&at->bracket, length, !(left < 0));
    at->scale = imp_larger(fabs(rate) * length, at->scale);
    if (step->solved && fabs(left) <= 1e-13 * at->scale) {
        return true;
    }
    double next = step->solved ? imp_bracket_next(&at->bracket, length - left / rate)
                               : imp_bracket_middle(&at->bracket);
    a->slip.length = next;
    return is_far(a, next) || !imp_bracket_holds(&at->bracket, next) || ++at->trials == 60;
}

/* Whether the step that was taken ends at the first event on its way, or without any, or is not good; if not, the next
 * trial is set. */
static bool ends_at_first(contact *a) {
    search *at = &a->search;
    const imp_slip_step *step = &a->slip.step;
    if (at->which != NONE && !is_found(a)) {
        return false;
    }
    if (!step->solved) {
        return true;
    }
    imp_slip_passage sooner = imp_slip_passage_in(a, step, at->which);
    if (sooner.which == NONE || is_far(a, sooner.near * step->length)) {
        return true;
    }
    if (at->searches++ == LEAVE) {
        at->which = sooner.which;
        return true;
    }
    search_for(a, &sooner, step->length);
    return false;
}

/* ---- a step ---- */

/* About the time until the normal spring is released, if v3 > 0; infinite if
 * not. While w'' / w is constant it is an arc tangent. */
static double time_to_leave(const contact *a) {
    const state *s = &a->now;
    const imp_inverse_mass *b = &a->p->contact->b;
    double soft = -1 / a->p->stiffness_ratio;
    double rate = soft * (b->b13 * s->u1 + b->b23 * s->u2) + b->b33 * a->stiffness * s->w;
    double bend = 0.28 * rate * s->w / (s->v3 * s->v3);
    return s->v3 > 0 ? s->w / s->v3 / (1 + imp_larger(bend, 0)) : INFINITY;
}

/* A length up to h. The direction of slip turns fast shortly before the normal spring is released: a step goes beyond
 * that, if it may be much longer, or ends long before. The numbers are those that need the fewest steps. */
static double fitted(const contact *a, double h) {
    const double much = 3, beyond = 1.02, before = 0.7;
    double end = time_to_leave(a);
    return h > much * end ? beyond * end : imp_smaller(h, before * end);
}

void imp_springs_slip(contact *a) {
    const double longest = 1 / imp_springs_fastest(a), shortest = 1e-12;
    if (all_but_separated(a)) {
        a->now.time += a->now.w / a->now.v3;
        imp_springs_separate(a);
        return;
    }
    double h = fitted(a, imp_smaller(longest, a->step));
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

static void accept(contact *a) {
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
    a->step = which == NONE ? h * imp_smaller(stretch(a), 4) : imp_larger(a->step / 2, h);
    meet(a, which);
}

void imp_springs_slip_on(contact *a) {
    const imp_slip_step *step = &a->slip.step;
    if (!ends_at_first(a)) {
        a->slip.known = step->solved ? step : NULL;
        a->slip.since = 0;
        return;
    }
    a->wait = FOR_NOTHING;
    if (is_good(a)) {
        accept(a);
    } else {
        a->step = shorter(a);
    }
}
