#include "models/beam/petsc/collision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/beam/course.h"
#include "models/beam/petsc/stepper.h"
#include "models/beam/sums.h"
#include "num/bracket.h"

typedef struct indentation {
    double depth, rate; /* positive: compressed, compressing */
} indentation;

/* A collision under way. */
typedef struct run {
    imp_beam_course course;
    imp_beam_stepper *stepper;
    PetscErrorCode error;    /* of a state that the observer asked for */
    indentation before, now; /* at the ends of the last step */
} run;

/* ---- events within the last step ---- */

typedef enum event { GAP, RATE, APPROACH } event;

/* The quantity that is 0 at an event, and its rate. */
static double value_of(const run *r, event kind, const double *state, double *rate) {
    const imp_beam_problem *p = r->course.problem;
    if (kind == GAP) {
        *rate = imp_beam_indentation_rate(p, state);
        return imp_beam_indentation(p, state);
    }
    if (kind == RATE) {
        *rate = imp_beam_indentation_curve(p, state);
        return imp_beam_indentation_rate(p, state);
    }
    *rate = imp_beam_relative_acceleration(p, state, imp_beam_indentation(p, state));
    return imp_beam_relative_velocity(p, state + p->n);
}

/* Bisections of a step for a first guess. */
static const int roughly = 24;

/* Finds in the last step the place between 0 and `high` at which a value changes its sign: *at,
 * from the beginning of the step, with the state in stepper->trial. Newton's method, kept within a
 * bracket, on the length of the step. f0, f1: values at the ends of the bracket. */
static PetscErrorCode locate(run *r, event kind, double high, double f0, double f1, double *at) {
    enum { MOST_TRIALS = 60 };
    const double tolerance = 1e-13 * r->course.problem->approach;
    imp_beam_stepper *s = r->stepper;
    imp_bracket b = {0, high};
    double g0, rate;
    PetscFunctionBeginUser;
    value_of(r, kind, s->before, &g0);
    double h = high * f0 / (f0 - f1);
    /* At the end of the step the slopes are known and give a better guess. */
    if (high == s->time - s->before_time) {
        double g1;
        value_of(r, kind, s->now, &g1);
        imp_beam_cubic c = {.f0 = f0, .g0 = g0, .f1 = f1, .g1 = g1, .h = high};
        h = imp_beam_cubic_root(&c, roughly);
    }
    for (int i = 0; i < MOST_TRIALS; i++) {
        PetscCall(imp_beam_stepper_try(s, h));
        r->course.result->steps++;
        double f = value_of(r, kind, s->trial, &rate);
        if (s->failed || fabs(f) <= tolerance || b.high - b.low <= 1e-15 * b.high) {
            break;
        }
        imp_bracket_cut(&b, h, (f > 0) == (f0 > 0));
        h = imp_bracket_next(&b, h - f / rate);
    }
    *at = h;
    PetscFunctionReturn(0);
}

/* ---- contact ---- */

/* imp_beam_stepper_try for an observer, who spends nothing of the budget. */
static PetscErrorCode look_at(imp_beam_stepper *stepper, double length) {
    int64_t left = stepper->left;
    PetscFunctionBeginUser;
    stepper->left = INT64_MAX;
    PetscCall(imp_beam_stepper_try(stepper, length));
    stepper->left = left;
    PetscFunctionReturn(0);
}

static const double *contact_at(const imp_beam_piece *piece, double time) {
    run *r = piece->motion;
    r->error = look_at(r->stepper, fmax(0, time - r->stepper->before_time));
    return r->error ? NULL : r->stepper->trial;
}

/* Shows the part that has not been shown of the first `length` of the last step. */
static PetscErrorCode show_contact(run *r, double length) {
    PetscFunctionBeginUser;
    imp_beam_course_show(&r->course, IMP_BEAM_IN_CONTACT, r->stepper->before_time + length, r,
                         contact_at);
    PetscCall(r->error);
    PetscFunctionReturn(0);
}

/* The end of compression, if it lies in the first `length` of the last step, at whose end the state
 * is `end`. */
static PetscErrorCode note_compression(run *r, double length, const double *end) {
    const imp_beam_problem *p = r->course.problem;
    imp_beam_stepper *s = r->stepper;
    double at, f0 = imp_beam_relative_velocity(p, s->before + p->n);
    double f1 = imp_beam_relative_velocity(p, end + p->n);
    PetscFunctionBeginUser;
    if (r->course.compressed || !(f1 <= 0)) {
        PetscFunctionReturn(0);
    }
    PetscCall(locate(r, APPROACH, length, f0, f1, &at));
    imp_beam_course_end_compression(&r->course, s->before_time + at, s->trial[2 * p->n]);
    if (r->course.observer) {
        PetscCall(show_contact(r, at));
        PetscCall(look_at(s, at));
        imp_beam_course_show_event(&r->course, IMP_BEAM_IN_CONTACT, IMP_BEAM_GREATEST_COMPRESSION,
                                   s->before_time + at, s->trial);
    }
    PetscFunctionReturn(0);
}

/* The greatest indentation near a time in the last step: that of steps up to there, and on to where
 * their rate is 0. Between the ends of a step that damping makes stiff no polynomial is near it. */
static PetscErrorCode find_top(run *r, double length, double near, double *most) {
    enum { MOST_TRIALS = 8 };
    const double flat = 1e-11;
    const imp_beam_problem *p = r->course.problem;
    imp_beam_stepper *s = r->stepper;
    imp_bracket b = {0, length};
    double rate, curve, rise = INFINITY;
    PetscFunctionBeginUser;
    for (int i = 0; i < MOST_TRIALS && rise > flat * *most; i++) {
        PetscCall(imp_beam_stepper_try(s, near));
        r->course.result->steps++;
        if (s->failed || s->left < 0) {
            break;
        }
        rate = value_of(r, RATE, s->trial, &curve);
        rise = curve < 0 ? -rate * rate / (2 * curve) : INFINITY;
        *most = fmax(*most, imp_beam_indentation(p, s->trial));
        imp_bracket_cut(&b, near, rate > 0);
        near = imp_bracket_next(&b, near - rate / curve);
    }
    PetscFunctionReturn(0);
}

/* The greatest indentation in the last step. */
static PetscErrorCode note_peak(run *r) {
    const imp_beam_problem *p = r->course.problem;
    const imp_beam_stepper *s = r->stepper;
    double f0 = r->before.depth, f1 = r->now.depth, g0 = r->before.rate, g1 = r->now.rate;
    double most = fmax(f0, f1), h = s->time - s->before_time;
    double *peak = &r->course.result->peak_force;
    PetscFunctionBeginUser;
    if (g0 > 0 && g1 < 0 && imp_beam_force(p, f0 + g0 * h) > *peak) {
        imp_beam_cubic slope = {.f0 = g0,
                                .g0 = imp_beam_indentation_curve(p, s->before),
                                .f1 = g1,
                                .g1 = imp_beam_indentation_curve(p, s->now),
                                .h = h};
        PetscCall(find_top(r, h, imp_beam_cubic_root(&slope, roughly), &most));
    }
    *peak = fmax(*peak, imp_beam_force(p, most));
    PetscFunctionReturn(0);
}

/* Whether contact breaks in the last step, at *at with the state in stepper->trial. Also finds a
 * separation that begins and ends within the step. */
static PetscErrorCode find_break(run *r, bool *breaks, double *at) {
    const imp_beam_problem *p = r->course.problem;
    imp_beam_stepper *s = r->stepper;
    double h = s->time - s->before_time;
    double f0 = r->before.depth, f1 = r->now.depth, g0 = r->before.rate, g1 = r->now.rate;
    PetscFunctionBeginUser;
    *breaks = false;
    if (f1 > 0 && g0 < 0 && g1 > 0) {
        imp_beam_cubic gap = {.f0 = f0, .g0 = g0, .f1 = f1, .g1 = g1, .h = h};
        imp_beam_cubic rate = {.f0 = g0,
                               .g0 = imp_beam_indentation_curve(p, s->before),
                               .f1 = g1,
                               .g1 = imp_beam_indentation_curve(p, s->now),
                               .h = h};
        double least = imp_beam_cubic_at(&gap, imp_beam_cubic_root(&rate, roughly));
        if (least < 0.5 * fmin(f0, f1)) {
            PetscCall(locate(r, RATE, h, g0, g1, &h));
            double curve;
            value_of(r, RATE, s->trial, &curve);
            f1 = imp_beam_indentation(p, s->trial);
            r->course.result->closeness =
                fmin(r->course.result->closeness, imp_beam_closeness(p, 0, f1, curve));
        }
    }
    if (f1 > 0 || (f0 <= 0 && g1 > 0)) {
        PetscFunctionReturn(0);
    }
    *breaks = true;
    *at = h;
    if (f0 > 0) {
        PetscCall(locate(r, GAP, h, f0, f1, at));
    } else {
        PetscCall(imp_beam_stepper_try(s, h));
    }
    PetscFunctionReturn(0);
}

/* A first step that neither misses the end of a feeble contact nor is rejected. It is short: the
 * force begins with the power 1.5 of time, and the estimate of errors, made for smooth forces, is
 * too small there. */
static double first_step(const imp_beam_problem *p, const double *state) {
    double rate = imp_beam_indentation_rate(p, state), bound = imp_beam_curve_bound(p, state);
    double least = 1e-9 * p->contact_time, first = 1e-3 * p->contact_time;
    return bound > 0 ? fmax(least, fmin(first, 0.1 * fabs(rate) / bound)) : first;
}

static indentation indentation_of(const imp_beam_problem *p, const double *state) {
    return (indentation){.depth = imp_beam_indentation(p, state),
                         .rate = imp_beam_indentation_rate(p, state)};
}

/* Whether the collision can go on after the last step; if not, sets the outcome. */
static bool goes_on(run *r) {
    const imp_beam_stepper *s = r->stepper;
    r->before = r->now;
    r->now = indentation_of(r->course.problem, s->now);
    r->course.result->steps++;
    /* The sums contain every mode. */
    if (!isfinite(r->now.depth) || !isfinite(r->now.rate) ||
        !isfinite(s->now[2 * r->course.problem->n] + s->now[2 * r->course.problem->n + 1])) {
        r->course.result->outcome = IMP_NOT_FINITE;
    } else if (s->failed || !(s->time > s->before_time)) {
        r->course.result->outcome = IMP_NO_CONVERGENCE;
    } else if (s->left < 0) {
        r->course.result->outcome = IMP_BUDGET;
    }
    return r->course.result->outcome == IMP_SOLVED;
}

/* One contact, from the touch to its break. */
static PetscErrorCode contact(run *r) {
    imp_beam_stepper *s = r->stepper;
    double at = 0;
    bool breaks = false;
    PetscFunctionBeginUser;
    imp_beam_stepper_start(s, r->course.time, r->course.work->state,
                           first_step(r->course.problem, r->course.work->state));
    r->now = indentation_of(r->course.problem, s->now);
    while (!breaks) {
        PetscCall(imp_beam_stepper_step(s));
        if (!goes_on(r)) {
            PetscFunctionReturn(0);
        }
        PetscCall(find_break(r, &breaks, &at));
        double length = s->time - s->before_time, depth = r->now.depth;
        const double *end = s->now;
        if (breaks) {
            /* Later trials overwrite stepper->trial. */
            end = memcpy(r->course.work->state, s->trial, (size_t)s->size * sizeof *end);
            length = at;
            depth = imp_beam_indentation(r->course.problem, end);
        }
        PetscCall(note_peak(r));
        PetscCall(note_compression(r, length, end));
        PetscCall(show_contact(r, length));
        r->course.time = s->before_time + length;
        imp_beam_kicks_contact(&r->course.work->kicks, r->course.problem, length, r->before.depth,
                               depth);
        if (s->failed || s->left < 0) {
            r->course.result->outcome = s->failed ? IMP_NO_CONVERGENCE : IMP_BUDGET;
            PetscFunctionReturn(0);
        }
    }
    PetscFunctionReturn(0);
}

/* ---- the collision ---- */

static PetscErrorCode collide(run *r) {
    const imp_beam_problem *p = r->course.problem;
    double *state = r->course.work->state;
    bool touches = true;
    PetscFunctionBeginUser;
    memset(state, 0, (2 * (size_t)p->n + 2) * sizeof *state);
    memcpy(state + p->n, p->speed, (size_t)p->n * sizeof *state);
    while (touches) {
        imp_beam_course_touch(&r->course);
        PetscCall(contact(r));
        if (r->course.result->outcome == IMP_SOLVED) {
            imp_beam_course_separate(&r->course);
        }
        touches = r->course.result->outcome == IMP_SOLVED && imp_beam_course_fly(&r->course);
    }
    imp_beam_course_end(&r->course);
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_collide(imp_beam_workspace *work, const imp_beam_problem *problem,
                                imp_beam_scheme scheme, double tolerance, int64_t budget,
                                imp_observer *observer, imp_beam_result *result) {
    run r = {.course = {.problem = problem, .work = work, .result = result, .observer = observer},
             .stepper = calloc(1, sizeof *r.stepper)};
    PetscFunctionBeginUser;
    PetscCheck(r.stepper, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the integrator");
    r.course.left = &r.stepper->left;
    imp_beam_course_begin(&r.course);
    result->tolerance = tolerance;
    if (scheme == IMP_BEAM_MODAL) {
        scheme = imp_beam_choose_scheme(problem);
    }
    PetscErrorCode error = imp_beam_stepper_open(r.stepper, problem, scheme, tolerance, budget);
    error = error ? error : collide(&r);
    result->work = budget - r.stepper->left;
    PetscErrorCode closed = imp_beam_stepper_close(r.stepper);
    free(r.stepper);
    PetscCall(error);
    PetscCall(closed);
    PetscCheck(!work->kicks.lost, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the steps");
    result->uncertainty = imp_beam_uncertainty(&work->kicks, problem, tolerance, &work->slopes);
    PetscFunctionReturn(0);
}
