/* Slip of a contact with three springs: steps of slip_step.h, cut short at the first event. */
#include <math.h>

#include "base/constants.h"
#include "models/compliant3d/contact_impl.h"
#include "num/larger.h"
#include "num/polynomial.h"
#include "num/trigonometry.h"

static imp_compliant3d_slip_law law_of(const contact *a) {
    return (imp_compliant3d_slip_law){
        .b = a->p->contact->b,
        .mu = a->side * a->friction,
        .stiffness = a->stiffness,
        .kappa = a->side * a->kappa,
    };
}

static imp_compliant3d_slip_dashpots dashpots_of(const contact *a) {
    return (imp_compliant3d_slip_dashpots){
        .damping = a->p->damping,
        .drag = a->drag,
        .lag = a->lag,
        .speed = a->now.speed,
    };
}

static imp_compliant3d_slip_state slip_state_of(const contact *a) {
    const state *s = &a->now;
    return (imp_compliant3d_slip_state){
        .phi = a->phi,
        .w = s->w,
        .v1 = s->v1,
        .v2 = s->v2,
        .v3 = s->v3,
    };
}

/* Moves a state to the end of a step. */
static void move(const contact *a, const imp_compliant3d_slip_step *step, double h, state *s) {
    const imp_compliant3d_slip_state *y = &step->end;
    double w = imp_larger(y->w, 0), reach = a->kappa * w, back = 0;
    if (a->damped) {
        reach = a->side * a->kappa * step->force + a->lag * step->speed;
        back = a->lag;
        s->work -= step->normal_loss;
        s->normal_loss += step->normal_loss;
        s->tangential_loss += step->tangential_loss;
        s->speed = step->speed;
    }
    s->work += a->stiffness * (s->w - w) * (s->w + w) / 2;
    s->w = w;
    s->v1 = y->v1;
    s->v2 = y->v2;
    s->v3 = y->v3;
    s->u1 = reach * step->c - back * y->v1;
    s->u2 = reach * step->s - back * y->v2;
    s->p1 += step->p1;
    s->p2 += step->p2;
    s->p3 += step->p3;
    s->friction_loss += step->loss;
    s->time += h;
}

static void take(const contact *a, imp_compliant3d_slip_trial *trial) {
    (a->damped ? imp_compliant3d_damped_slip_advance
               : imp_compliant3d_slip_advance)(&(imp_compliant3d_slip_trial *){trial}, 1);
}

/* A step of slip as an observer sees it: the motion is a contact that has not yet taken it. */
static imp_compliant3d_instant slip_at(const imp_compliant3d_piece *piece, double time) {
    const contact *a = piece->motion;
    state then = a->now;
    if (!(time > 0)) {
        imp_sincos turn = imp_sine_cosine(a->phi);
        return imp_compliant3d_instant_of(a, &then,
                                          imp_larger(imp_compliant3d_slip_speed_at_start(a), 0),
                                          (direction){.c = turn.cosine, .s = turn.sine});
    }
    imp_compliant3d_slip_trial part = a->slip;
    if (time < piece->span.duration) {
        part.length = time;
        part.known = &a->slip.step;
        part.since = 0;
        take(a, &part);
    }
    move(a, &part.step, time, &then);
    return imp_compliant3d_instant_of(a, &then, imp_larger(part.step.speed, 0),
                                      (direction){.c = part.step.c, .s = part.step.s});
}

/* Separates shortly before or after w is 0, where there is no force. */
static void leave(contact *a, double w, double v3) {
    a->now.time += v3 > 0 ? w / v3 : 0;
    imp_compliant3d_separate(a);
}

/* The same with dashpots, where the force vanishes, or w does. */
static void leave_damped(contact *a) {
    if (a->p->by_elongation) {
        a->now.time += a->now.v3 > 0 ? a->now.w / a->now.v3 : 0;
        a->now.w = 0;
    }
    imp_compliant3d_separate(a);
}

static void meet(contact *a, event which) {
    switch (which) {
    case HALT:
        if (a->now.w > 0) {
            imp_compliant3d_begin(a, STICK);
            a->order = a->lag > 0 ? 1 : 2;
        } else {
            imp_compliant3d_separate(a);
        }
        break;
    case TURN:
        imp_compliant3d_turn(a);
        break;
    case RELOAD:
        imp_compliant3d_load_again(a);
        break;
    case LEAVE:
        if (a->damped) {
            leave_damped(a);
        } else {
            leave(a, a->slip.step.end.w, a->slip.step.end.v3);
        }
        break;
    case FLIP:
        imp_compliant3d_flip(a);
        break;
    case NONE:
        break;
    }
}

/* Whether both forces are so small that the rest of the contact changes nothing. */
static bool all_but_separated(const contact *a) {
    double force = a->stiffness * a->now.w * imp_larger(a->friction, 1);
    return !a->damped && a->now.v3 > 0 && force < 1e-9 * a->greatest.force;
}

/* Tolerance of the velocities in a step. The faster the circle shrinks, the more energy an error of
 * an impulse costs. */
static double tolerance_of(const contact *a) {
    return 3e-9 / imp_larger(a->kappa / imp_compliant3d_steep, 1);
}

static bool is_good(const contact *a) {
    return a->slip.step.solved && a->slip.step.error <= tolerance_of(a) && !a->search.refused;
}

/* Not 0. */
static double error_of(const imp_compliant3d_slip_step *step) {
    return imp_larger(step->error, 1e-30);
}

/* How much longer the step may safely be for this tolerance. */
static double stretch(const contact *a) {
    return 0.85 * imp_coarse_root(tolerance_of(a) / error_of(&a->slip.step), 9);
}

/* How much longer the next step may be: less than this one might have been, if errors grow from
 * step to step (Gustafsson, ACM Trans. Math. Softw. 20 (1994) 496). */
static double growth(const contact *a) {
    const imp_compliant3d_slip_step *step = &a->slip.step, *last = &a->last;
    double errors = error_of(last) / error_of(step);
    double trend = last->solved ? step->length / last->length * imp_coarse_root(errors, 9) : 1;
    return imp_smaller(stretch(a) * imp_larger(0.3, imp_smaller(trend, 1)), 4);
}

/* The length with which a step is tried again that is not good. */
static double shorter(const contact *a) {
    const imp_compliant3d_slip_step *step = &a->slip.step;
    double part = step->solved ? imp_larger(stretch(a), 0.2) : 0.3;
    return step->length * (a->search.refused ? imp_smaller(part, 0.5) : part);
}

/* ---- the search for an event ---- */

enum { MOST_TRIALS = 60, MOST_SEARCHES = 4 };

static void search_for(contact *a, const imp_compliant3d_slip_passage *p, double length) {
    a->search.which = p->which;
    a->search.bracket = (imp_bracket){.low = 0, .high = INFINITY};
    a->search.farthest = p->behind * length;
    a->search.scale = 0;
    a->search.trials = 0;
    a->slip.length = (p->near > 0 ? p->near : p->behind / 2) * length;
}

/* Whether a search for the event at `length` is in vain, because the step will have to be
 * shorter. */
static bool is_far(const contact *a, double length) {
    return a->slip.step.solved && !is_good(a) && shorter(a) < length;
}

/* How near a step must end to the event, as a part of the way there. At separation only a little
 * time would be left, and no force. */
static double nearness(event which) {
    return which == LEAVE ? 1e-9 : 1e-13;
}

/* The next trial, for a step that ends `left` before the event. */
static double next_trial(const contact *a, double left, double rate) {
    const search *at = &a->search;
    const imp_compliant3d_slip_step *step = &a->slip.step;
    double next = step->solved ? imp_bracket_next(&at->bracket, step->length - left / rate)
                               : imp_bracket_middle(&at->bracket);
    return imp_smaller(next, at->farthest);
}

/* Of the velocities whose difference is the slip speed. */
static double size_of_speed(const contact *a) {
    const imp_compliant3d_slip_state *y = &a->slip.step.end;
    return fabs(y->v1) + fabs(y->v2) + a->kappa * fabs(y->v3);
}

/* The scale of the distance from the event, with the step that was taken. Where friction is low the
 * rate of the slip speed can be as large as the direction turns fast. */
static double scale_of(const contact *a, double rate) {
    double scale = fabs(rate) * a->slip.step.length;
    if (a->search.which == HALT && a->slip.step.solved) {
        double start = imp_larger(imp_compliant3d_slip_speed_at_start(a), 0);
        scale = imp_smaller(scale, start + size_of_speed(a));
    }
    return imp_larger(scale, a->search.scale);
}

/* Whether a step that ends `left` before the event, or behind it, ends at the event but for
 * rounding. */
static bool is_there(const contact *a, double left) {
    const double rounding = 1e-9;
    double size = a->search.which == HALT ? size_of_speed(a) : 0;
    return a->slip.step.solved && fabs(left) <= rounding * (a->search.scale + size);
}

/* Ends a search that has not come near enough, `left` before the event, where no trial is left.
 * Longer steps may have been wrong: only those up to the lower end of the bracket are known not to
 * pass the event, and the upper end may be a step without a solution, or one that jumps over a
 * distance that shorter steps never lose. So there is an event only where the step ends at it, or
 * where every step passes it, however short: it is at the beginning. Without one a step on this
 * side of it is a step like others, and one beyond it is refused. */
static void close_search(contact *a, double left) {
    search *at = &a->search;
    bool passed = at->bracket.high < INFINITY;
    bool at_once = a->slip.step.solved && at->bracket.low == 0;
    if (passed && (at_once || is_there(a, left))) {
        return;
    }
    at->refused = passed && left < 0;
    at->which = NONE;
}

/* Whether the search ends with the step that was taken; if not, the next trial is set. */
static bool is_found(contact *a) {
    search *at = &a->search;
    const imp_compliant3d_slip_step *step = &a->slip.step;
    double left = step->solved ? imp_compliant3d_slip_distance(a, at->which, step,
                                                               IMP_COMPLIANT3D_SLIP_STAGES)
                               : -1;
    double rate = step->solved ? imp_compliant3d_slip_rate(a, at->which, step) : 0;
    a->steps++;
    imp_bracket_cut(&at->bracket, step->length, !(left < 0));
    at->scale = scale_of(a, rate);
    if (step->solved && fabs(left) <= nearness(at->which) * at->scale) {
        return true;
    }
    a->slip.length = next_trial(a, left, rate);
    if (is_far(a, a->slip.length)) {
        return true;
    }
    bool ends = !imp_bracket_holds(&at->bracket, a->slip.length) || ++at->trials == MOST_TRIALS;
    if (ends) {
        close_search(a, left);
    }
    return ends;
}

/* Whether the step that was taken ends at the first event on its way, or without any, or is not
 * good; if not, the next trial is set. */
static bool ends_at_first(contact *a) {
    search *at = &a->search;
    const imp_compliant3d_slip_step *step = &a->slip.step;
    if (at->which != NONE && !is_found(a)) {
        return false;
    }
    if (!step->solved || at->refused) {
        return true;
    }
    imp_compliant3d_slip_passage sooner = imp_compliant3d_slip_passage_in(a, step, at->which);
    if (sooner.which == NONE || is_far(a, sooner.near * step->length)) {
        return true;
    }
    if (at->searches++ == MOST_SEARCHES) {
        at->refused = true;
        return true;
    }
    search_for(a, &sooner, step->length);
    return false;
}

/* ---- a step ---- */

/* About the time until the normal spring is released, if v3 > 0; infinite if not. While w'' / w is
 * constant it is an arc tangent, of the root of `square` over the frequency. It only chooses the
 * lengths of steps: where it is wrong there are more of them, and the separation is searched for
 * all the same. */
static double time_to_leave(const contact *a) {
    const state *s = &a->now;
    if (!(s->v3 > 0)) {
        return INFINITY;
    }
    const imp_inverse_mass *b = &a->p->contact->b;
    double soft = -1 / a->p->stiffness_ratio;
    double rate = soft * (b->b13 * s->u1 + b->b23 * s->u2) + b->b33 * a->stiffness * s->w;
    double square = rate * s->w / (s->v3 * s->v3);
    return square > 1 ? IMP_PI / 2 * sqrt(s->w / rate) - s->v3 / rate / (1 + 0.28 / square)
                      : s->w / s->v3 / (1 + 0.28 * imp_larger(square, 0));
}

/* The normal acceleration over the normal force. */
static double normal_drive(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    imp_sincos e = imp_sine_cosine(a->phi);
    double mu = a->side * a->friction;
    return b->b33 - mu * (b->b13 * e.cosine + b->b23 * e.sine);
}

/* The same with dashpots, until the force vanishes. */
static double time_to_flat(const contact *a, double drive) {
    double force = imp_compliant3d_force(a);
    double fall = a->now.v3 + a->p->damping * drive * force;
    return a->side > 0 && fall > 0 ? force / fall : INFINITY;
}

/* A length up to `longest` in which the normal dashpot does not change the force by much more than
 * its own size: friction may drive the normal motion many times harder than the force does. Such a
 * step has a solution up to about twice that length, but one that is off by up to 1e-6. */
static double followed(const contact *a, double longest, double drive) {
    const double most = 1.5;
    double decay = a->p->damping * fabs(drive);
    return longest * decay > most ? most / decay : longest;
}

/* A length up to h. The direction of slip turns fast shortly before the normal spring is released:
 * a step goes beyond that, if it may be much longer, or ends long before. The numbers are those
 * that need the fewest steps. */
static double fitted(double h, double end) {
    const double much = 1.7, beyond = 1.02, before = 0.7;
    return h > much * end ? beyond * end : imp_smaller(h, before * end);
}

/* Over the tangential stiffness: without a normal force it is the lag times the slip speed. */
static double size_of_pull(const contact *a) {
    double q1 = a->now.u1 + a->lag * a->now.v1, q2 = a->now.u2 + a->lag * a->now.v2;
    return sqrt(q1 * q1 + q2 * q2);
}

/* The normal force vanishes before anything else changes. A large friction may have stretched the
 * tangential springs all the same: the foot slips back at once, and friction takes their energy. */
static void leave_at_once(contact *a) {
    state *s = &a->now;
    if (a->damped && a->p->by_elongation) {
        imp_compliant3d_flip(a);
        a->now.speed = a->lag > 0 ? size_of_pull(a) / a->lag : 0;
    } else if (a->damped) {
        imp_compliant3d_separate(a);
    } else {
        s->friction_loss += (s->u1 * s->u1 + s->u2 * s->u2) / (2 * a->p->stiffness_ratio);
        leave(a, s->w, s->v3);
    }
}

void imp_compliant3d_slip(contact *a) {
    const double longest = 1.2 / imp_compliant3d_fastest(a), shortest = 1e-12 * longest;
    if (all_but_separated(a)) {
        leave(a, a->now.w, a->now.v3);
        return;
    }
    double drive = a->damped ? normal_drive(a) : 0;
    double end = a->damped ? time_to_flat(a, drive) : time_to_leave(a);
    double most = a->damped ? followed(a, longest, drive) : longest;
    double h = fitted(imp_smaller(most, a->step), end);
    if (!(h > shortest)) {
        if (end < 2 * shortest) {
            leave_at_once(a);
        } else {
            a->motion = STALLED;
        }
        return;
    }
    a->slip.law = law_of(a);
    if (a->damped) {
        a->slip.dashpots = dashpots_of(a);
    }
    a->slip.from = slip_state_of(a);
    a->slip.length = h;
    a->search = (search){.which = NONE};
    a->wait = a->damped ? FOR_DAMPED_SLIP : FOR_SLIP;
}

static void accept(contact *a) {
    const imp_compliant3d_slip_step *step = &a->slip.step;
    double h = step->length;
    event which = a->search.which;
    bool compresses = a->now.v3 < 0;
    if (a->observer) {
        imp_compliant3d_show(a, h, a, slip_at);
    }
    move(a, step, h, &a->now);
    a->phi = step->end.phi;
    a->fresh = a->peaked = false;
    if (compresses && a->now.v3 >= 0 && which != TURN) {
        imp_compliant3d_turn(a); /* both velocities of a constrained body vanish together */
    }
    a->step = which == NONE ? h * growth(a) : imp_larger(a->step / 2, h);
    a->last = *step;
    a->last.solved = which == NONE;
    a->slip.known = which == NONE ? &a->last : NULL;
    a->slip.since = h;
    meet(a, which);
}

/* Whether the iteration of a shorter step may start from this one, which must not lose its slip
 * speed in its first half. Where friction is low the equations of the stages have other solutions,
 * too, with directions against the slip, however short the step. */
static bool leads_on(const imp_compliant3d_slip_step *step) {
    bool slips = step->solved;
    for (int i = 0; i < IMP_COMPLIANT3D_SLIP_STAGES / 2; i++) {
        slips &= step->stage_speed[i] >= 0;
    }
    return slips;
}

void imp_compliant3d_slip_on(contact *a) {
    const imp_compliant3d_slip_step *step = &a->slip.step;
    bool ends = ends_at_first(a);
    a->wait = ends ? FOR_NOTHING : a->wait;
    if (ends && is_good(a)) {
        accept(a);
        return;
    }
    a->step = ends ? shorter(a) : a->step;
    a->slip.known = leads_on(step) ? step : NULL;
    a->slip.since = 0;
}
