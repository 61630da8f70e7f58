#include <math.h>
#include <stddef.h>
#include <string.h>

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
        r->normal = (imp_continuum_peak){.size = force, .time = time};
    }
}

void imp_continuum_note_shear(imp_continuum_contact *contact, double force, double time) {
    imp_continuum_result *r = contact->result;
    double size = fabs(force) * contact->problem->mu;
    if (size > r->tangential.size) {
        r->tangential = (imp_continuum_peak){.size = size, .time = time};
    }
}

/* ---- the whole contact ---- */

static const double rounding = 1e-14;

/* Whether the body strikes along the normal, and b12 is rounding, as that of an upright rod: over
 * the root of b11 b22, the normal velocity and the velocities that friction can hold. */
static bool keeps_to_the_normal(const imp_continuum_contact *contact) {
    const imp_continuum_problem *p = contact->problem;
    double least = imp_smaller(imp_smaller(1, sqrt(p->a)), contact->mobility);
    return fabs(p->c) <= rounding * least && fabs(p->v_t) <= fabs(p->c);
}

/* Whether nothing slips from first touch to separation, because the velocity keeps its direction
 * and friction can hold it; *h: the ratio u / w. */
static bool rests(const imp_continuum_contact *contact, double *h) {
    const imp_continuum_problem *p = contact->problem;
    *h = p->v_t / contact->mobility;
    if (p->mu > 0 && keeps_to_the_normal(contact)) {
        *h = 0;
        return true;
    }
    if (p->constrained) {
        return p->mu > 0 && fabs(*h) <= 1 + rounding;
    }
    if (!(p->mu > 0) || !(fabs(*h) <= 1)) {
        return false;
    }
    double turn = contact->beta - contact->gamma * *h + *h * (1 - contact->alpha * *h);
    double size = fabs(contact->beta) + fabs(contact->gamma * *h) +
                  fabs(*h) * (1 + fabs(contact->alpha * *h));
    return fabs(turn) <= rounding * size;
}

/* At the limit of friction the contact sticks if friction can hold it: if slip would slow down. */
static imp_continuum_next first_phase(imp_continuum_contact *contact) {
    const imp_continuum_problem *p = contact->problem;
    double speed = fabs(p->v_t), limit = contact->mobility, s = p->v_t < 0 ? -1 : 1;
    double braking = p->mu * p->a - s * p->c + limit * (p->mu * s * p->c - 1);
    contact->direction = s;
    contact->v[DRIFT] = p->v_t / limit;
    return speed < limit || (speed == limit && limit > 0 && braking > 0) ? TO_STICK : TO_GROSS;
}

/* Sets all but the layers. */
static void set(imp_continuum_contact *contact, const imp_continuum_problem *p,
                imp_continuum_result *r) {
    /* A step's share of the tolerance, which is smaller where the tangential displacement is
     * small. */
    const double share = 0.01, least = 1e-16;
    double m = p->mu * p->eta;
    memset(contact, 0, offsetof(imp_continuum_contact, layers));
    contact->problem = p;
    contact->result = r;
    contact->alpha = p->mu * p->c;
    contact->beta = p->c / m;
    contact->gamma = p->a / p->eta;
    contact->mobility = m;
    double taken = p->mu > 0 ? imp_smaller(1, fabs(p->v_t) / m + fabs(contact->beta)) : 1;
    contact->tolerance = imp_larger(share * p->tolerance * imp_larger(taken, 1e-8), least);
    contact->budget = p->budget;
    contact->v_t = p->v_t;
    contact->turned = -1;
    contact->v[RATE] = 1;
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

static void set_result(const imp_continuum_contact *contact) {
    const imp_continuum_problem *p = contact->problem;
    imp_continuum_result *r = contact->result;
    bool wedged = contact->next == WEDGED;
    if (contact->next == OUT_OF_BUDGET || contact->next == LOST) {
        r->outcome = contact->next == LOST ? IMP_NOT_FINITE : IMP_BUDGET;
        return;
    }
    r->mode = classify(contact, wedged);
    r->v_t = contact->v_t;
    r->v_n = -contact->v[RATE];
    r->p_n = contact->v[IMPULSE];
    r->p_t = -p->mu * contact->v[SHEAR];
    r->duration = contact->v[TIME];
    r->trapped = wedged ? stored_energy(contact, contact->direction) : 0;
    double kept = wedged ? r->trapped : kinetic_energy(p, r->v_t, r->v_n);
    r->balance = (kept + r->loss - r->initial) / r->initial;
    r->outcome = judge(p, r->balance);
}

/* ---- phase after phase ---- */

static void follow(imp_continuum_contact *contact, imp_continuum_next next) {
    while (next < WAITS) {
        next = next == TO_STICK     ? imp_continuum_begin_stick(contact)
               : next == TO_PARTIAL ? imp_continuum_begin_partial(contact)
                                    : imp_continuum_begin_gross(contact);
    }
    contact->next = next;
    if (next != WAITS) {
        contact->wait = ENDED;
        set_result(contact);
    }
}

void imp_continuum_begin(imp_continuum_contact *contact, const imp_continuum_problem *p,
                         imp_continuum_result *r) {
    double h;
    *r = (imp_continuum_result){.sequence = IMP_SEQUENCE_WIDE,
                                .initial = kinetic_energy(p, p->v_t, -1)};
    set(contact, p, r);
    follow(contact,
           rests(contact, &h) ? imp_continuum_begin_rest(contact, h) : first_phase(contact));
}

/* The loss of a ring is told in units of mu m, over which rounding grows with the square of
 * friction: from here on in a way that does not subtract its edges. */
static const double strong_friction = 1e3;

static void enter(const imp_continuum_contact *contact, imp_continuum_block *block, int lane) {
    const imp_continuum_ray_path *r = &contact->ray;
    for (int i = 0; i < N_VARIABLES; i++) {
        block->v[i][lane] = contact->v[i];
    }
    block->alpha[lane] = contact->alpha;
    block->beta[lane] = contact->beta;
    block->gamma[lane] = contact->gamma;
    block->tolerance[lane] = contact->tolerance;
    block->direction[lane] = contact->direction;
    block->strong[lane] = contact->problem->mu > strong_friction;
    block->seeks_shear = contact->problem->want_peaks;
    if (contact->wait == FOR_RAY) {
        block->resistance[lane] = r->resistance;
        block->separates[lane] = r->separates;
        block->goal[lane] = r->first + r->end;
        block->turn[lane] = r->turned ? INFINITY : r->first + r->turn;
    } else if (contact->wait != FOR_STICK) {
        block->bottom[lane] = contact->layers[contact->n_layers - 1].bottom;
        /* The slip of a constrained body spreads faster than the contact shrinks, but hardly where
         * friction could hold it from the start. */
        block->sheds[lane] = !contact->problem->constrained;
    }
}

static void heed(imp_continuum_contact *contact, imp_continuum_block *block, int lane) {
    double sum = block->v[ROOT][lane] + block->v[RATE][lane];
    bool good = block->stride[lane] > 0 && sum - sum == 0;
    if (--contact->budget <= 0 || !good) {
        follow(contact, contact->budget <= 0 ? OUT_OF_BUDGET : LOST);
        return;
    }
    follow(contact, contact->wait == FOR_RAY ? imp_continuum_ray_goes_on(contact, block, lane)
                    : contact->wait == FOR_STICK
                        ? imp_continuum_stick_goes_on(contact, block, lane)
                        : imp_continuum_partial_goes_on(contact, block, lane));
}

void imp_continuum_go_on(imp_continuum_contact *const *contacts, int n,
                         imp_continuum_block *block) {
    static void (*const steps[])(imp_continuum_block *, int) = {
        [FOR_RAY] = imp_continuum_ray,
        [FOR_STICK] = imp_continuum_stick,
        [FOR_SLIPPED] = imp_continuum_over_slipped,
        [FOR_STUCK] = imp_continuum_over_stuck,
        [FOR_ONSET] = imp_continuum_onset,
    };
    for (int lane = 0; lane < IMP_MOST_LANES;
         lane++) { /* lanes without a contact repeat the first */
        enter(contacts[lane < n ? lane : 0], block, lane);
    }
    steps[contacts[0]->wait](block, n);
    for (int lane = 0; lane < n; lane++) {
        heed(contacts[lane], block, lane);
    }
}

imp_continuum_result imp_continuum_solve(const imp_continuum_problem *p, imp_continuum_work *work) {
    imp_continuum_contact *contact = &work->contact;
    imp_continuum_result r;
    imp_continuum_begin(contact, p, &r);
    while (contact->wait != ENDED) {
        imp_continuum_go_on(&contact, 1, &work->block);
    }
    return r;
}
