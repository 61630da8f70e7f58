/* Steps of a contact as functions of time, for an observer. */
#include <math.h>

#include "models/continuum/contact.h"
#include "num/larger.h"
#include "num/lanes/polynomial.h"

static double at_lambda(const imp_continuum_motion *motion, int variable, double lambda) {
    return imp_lanes_polynomial_at(motion->step->c[variable], IMP_CONTINUUM_ORDER, lambda);
}

static imp_continuum_moment moment_at(const imp_continuum_motion *motion, double lambda) {
    const imp_continuum_problem *p = motion->problem;
    double m = p->mu * p->eta, x = imp_larger(0, at_lambda(motion, ROOT, lambda));
    double delta = x * x, rate = at_lambda(motion, RATE, lambda);
    imp_continuum_moment now = {.time = at_lambda(motion, TIME, lambda),
                                .delta = delta,
                                .f_n = delta * x,
                                .v_n = -rate,
                                .p_n = at_lambda(motion, IMPULSE, lambda)};
    if (motion->ray) {
        double impulse = at_lambda(motion, IMPULSE, lambda) - motion->impulse;
        now.taken_up = m * motion->h * delta;
        now.f_t = -p->mu * motion->h * now.f_n;
        now.v_t = motion->v_t + motion->push * impulse;
        now.p_t = -p->mu * (motion->shear + motion->h * impulse);
        now.slip = now.v_t - m * motion->h * rate;
        now.stuck = motion->rests ? 1 : 0;
        /* Slip changes in proportion to the impulse. */
        now.loss = motion->lost +
                   (motion->rests ? 0 : p->mu * impulse * fabs(motion->slip + now.slip) / 2);
        return now;
    }
    double inner = imp_larger(0, at_lambda(motion, INNER, lambda));
    now.taken_up = m * at_lambda(motion, TAKEN, lambda);
    now.f_t = -p->mu * at_lambda(motion, FORCE, lambda);
    now.v_t = m * at_lambda(motion, DRIFT, lambda);
    now.p_t = -p->mu * at_lambda(motion, SHEAR, lambda);
    now.stuck = inner < x ? inner / x : 1;
    now.loss = motion->lost + p->mu * m * at_lambda(motion, LOSS, lambda);
    return now;
}

static imp_continuum_moment at(const imp_continuum_piece *piece, double time) {
    const imp_continuum_motion *motion = piece->motion;
    double lambda = !(time > 0) ? 0
                    : time >= piece->span.duration
                        ? motion->lambda
                        : imp_continuum_crossing(motion->step->c[TIME], piece->span.start + time, 0,
                                                 motion->lambda);
    return moment_at(motion, lambda);
}

void imp_continuum_show(const imp_continuum_contact *contact, const imp_continuum_motion *motion) {
    imp_observer *observer = contact->problem->observer;
    double start = motion->step->c[TIME][0];
    imp_continuum_piece piece = {
        .span = {.phase = contact->phase,
                 .number = contact->phases - 1,
                 .start = start,
                 .duration = at_lambda(motion, TIME, motion->lambda) - start},
        .motion = motion,
        .at = at,
    };
    observer->see_piece(observer, &piece);
}
