#include <math.h>

#include "models/continuum/contact.h"
#include "models/theory.h"
#include "num/larger.h"

/* ---- notes of the phases ---- */

void imp_continuum_note_phase(imp_continuum_contact *contact, int code) {
    imp_continuum_result *r = contact->result;
    bool centre_slips = code == IMP_SLIP_BACK || code == IMP_SLIP_FORTH;
    int centre = centre_slips ? code : IMP_STICK;
    if (contact->phases < IMP_SEQUENCE_WIDE_PHASES) {
        r->sequence |= (uint64_t)code << (3 * contact->phases);
    }
    if (code != IMP_STICK) {
        contact->slips++;
        r->slips = contact->slips < IMP_CONTINUUM_SLIPS ? contact->slips : IMP_CONTINUUM_SLIPS;
    }
    if (contact->centres == 0 || centre != contact->last_centre) {
        if (contact->centres < 3) {
            contact->centre[contact->centres] = centre;
        }
        contact->centres++;
        contact->last_centre = centre;
    }
    contact->phases++;
    contact->phase = code;
}

void imp_continuum_note_energy(imp_continuum_contact *contact, double loss, double work) {
    imp_continuum_result *r = contact->result;
    r->loss += loss;
    r->work_t += work;
    if (contact->phase != IMP_STICK) {
        r->slip_loss[r->slips - 1] += loss;
    }
}

void imp_continuum_note_turn(imp_continuum_contact *contact, double root, double time,
                             double impulse, double work) {
    imp_continuum_result *r = contact->result;
    if (root > contact->greatest) {
        double force = root * root * root;
        contact->greatest = root;
        r->p_n_turn = impulse;
        r->t_turn = time;
        r->work_turn = -0.4 * force * root * root;
        r->work_t_turn = r->work_t + work;
        r->normal = (imp_continuum_peak){force, time};
    }
}

void imp_continuum_note_shear(imp_continuum_contact *contact, double force, double time) {
    imp_continuum_result *r = contact->result;
    double size = fabs(force) * contact->problem->mu;
    if (size > r->tangential.size) {
        r->tangential = (imp_continuum_peak){size, time};
    }
}

/* ---- the whole contact ---- */

/* Whether nothing slips from first touch to separation, because the velocity keeps its direction
 * and friction can hold it; *h: the ratio u / w. */
static bool rests(const imp_continuum_contact *contact, double *h) {
    const imp_continuum_problem *p = contact->problem;
    const double rounding = 1e-14;
    const imp_continuum_body *b = &contact->body;
    *h = p->v_t / contact->mobility;
    if (!(p->mu > 0) || !(fabs(*h) <= 1)) {
        return false;
    }
    if (p->constrained) {
        return true;
    }
    double turn = b->beta - b->gamma * *h + *h * (1 - b->alpha * *h);
    double size = fabs(b->beta) + fabs(b->gamma * *h) + fabs(*h) * (1 + fabs(b->alpha * *h));
    return fabs(turn) <= rounding * size;
}

/* At the limit of friction the contact sticks if friction can hold it: if slip would slow down. */
static imp_continuum_end first_phase(imp_continuum_contact *contact) {
    const imp_continuum_problem *p = contact->problem;
    double speed = fabs(p->v_t), limit = contact->mobility, s = p->v_t < 0 ? -1 : 1;
    double braking = p->mu * p->a - s * p->c + limit * (p->mu * s * p->c - 1);
    contact->direction = s;
    contact->v[DRIFT] = p->v_t / limit;
    return speed < limit || (speed == limit && limit > 0 && braking > 0) ? TO_STICK : TO_GROSS;
}

static imp_continuum_end run_phases(imp_continuum_contact *contact) {
    double h;
    if (rests(contact, &h)) {
        return imp_continuum_rest(contact, h);
    }
    imp_continuum_end next = first_phase(contact);
    while (next <= TO_GROSS) {
        next = next == TO_STICK     ? imp_continuum_stick_phase(contact)
               : next == TO_PARTIAL ? imp_continuum_partial_phase(contact)
                                    : imp_continuum_gross(contact);
    }
    return next;
}

static imp_continuum_contact contact_of(const imp_continuum_problem *p,
                                        imp_continuum_result *result) {
    /* A step's share of the tolerance, which is smaller where the tangential displacement is
     * small. */
    const double share = 0.01, least = 1e-16;
    double m = p->mu * p->eta, alpha = p->mu * p->c, beta = p->c / m;
    double taken = p->mu > 0 ? imp_smaller(1, fabs(p->v_t) / m + fabs(beta)) : 1;
    return (imp_continuum_contact){
        .problem = p,
        .result = result,
        .body = {alpha, beta, p->a / p->eta},
        .mobility = m,
        .tolerance = imp_larger(share * p->tolerance * imp_larger(taken, 1e-8), least),
        .budget = p->budget,
        .v_t = p->v_t,
        .v = {[RATE] = 1},
    };
}

/* ---- the result ---- */

static imp_continuum_mode classify(const imp_continuum_contact *contact, bool wedged) {
    const int *phase = contact->centre;
    bool sticks = phase[0] == IMP_STICK;
    if (wedged) {
        return IMP_CONTINUUM_WEDGE;
    }
    switch (contact->centres) {
    case 1:
        return sticks ? IMP_CONTINUUM_GROSS_STICK : IMP_CONTINUUM_GROSS_SLIP;
    case 2:
        return sticks ? IMP_CONTINUUM_STICK_SLIP : IMP_CONTINUUM_MULTIPLE;
    case 3:
        return sticks                 ? IMP_CONTINUUM_MULTIPLE
               : phase[0] == phase[2] ? IMP_CONTINUUM_SAME
                                      : IMP_CONTINUUM_REVERSED;
    case 4:
        return sticks ? IMP_CONTINUUM_STICK_SLIP_STICK_SLIP : IMP_CONTINUUM_MULTIPLE;
    default:
        return IMP_CONTINUUM_MULTIPLE;
    }
}

/* Kinetic energy that an impulse at the contact can take away: v . B^-1 v / 2. */
static double kinetic_energy(const imp_continuum_problem *p, double v_t, double v_n) {
    if (p->constrained) {
        return v_n * v_n / 2;
    }
    double along = v_t - p->c * v_n;
    return (along * along / p->determinant + v_n * v_n) / 2;
}

/* Integral of (a - b w)^2 k'(w) from 0 to w = y^2. */
static double stored_below(double a, double b, double y) {
    double w = y * y;
    return 0.75 * y * (2 * a * a - 4.0 / 3 * a * b * w + 0.4 * b * b * w * w);
}

/* Elastic energy of a constrained body at rest after slip in direction -s, in which the shells
 * outside `inner` slip back in direction s. */
static double stored_energy(const imp_continuum_contact *contact, double s) {
    double x = contact->v[ROOT], y = contact->v[INNER], zeta = contact->v[TAKEN], d = x * x;
    double outside = stored_below(d, 1, x) - stored_below(d, 1, y);
    double inside = stored_below(zeta, -s, y);
    return 0.4 * d * d * x + contact->problem->mu * contact->mobility * (outside + inside) / 2;
}

static imp_outcome judge(const imp_continuum_problem *p, double balance) {
    /* A cell that does not conserve energy is not solved. */
    double most = IMP_ENERGY_TOLERANCE + 10 * p->tolerance;
    return !isfinite(balance)      ? IMP_NOT_FINITE
           : fabs(balance) <= most ? IMP_SOLVED
                                   : IMP_NO_CONVERGENCE;
}

imp_continuum_result imp_continuum_solve(const imp_continuum_problem *p) {
    imp_continuum_result r = {.sequence = IMP_SEQUENCE_WIDE,
                              .initial = kinetic_energy(p, p->v_t, -1)};
    imp_continuum_contact contact = contact_of(p, &r);
    imp_continuum_end end = run_phases(&contact);
    if (end == OUT_OF_BUDGET || end == LOST) {
        r.outcome = end == LOST ? IMP_NOT_FINITE : IMP_BUDGET;
        return r;
    }
    r.mode = classify(&contact, end == WEDGED);
    r.v_t = contact.v_t;
    r.v_n = -contact.v[RATE];
    r.p_n = contact.v[IMPULSE];
    r.p_t = -p->mu * contact.v[SHEAR];
    r.duration = contact.v[TIME];
    r.trapped = end == WEDGED ? stored_energy(&contact, contact.direction) : 0;
    double kept = end == WEDGED ? r.trapped : kinetic_energy(p, r.v_t, r.v_n);
    r.balance = (kept + r.loss - r.initial) / r.initial;
    r.outcome = judge(p, r.balance);
    return r;
}
