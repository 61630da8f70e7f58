/* Motion along a ray, G = h delta^1.5: gross slip, and rest of a contact whose velocity keeps its
 * direction. The velocities are straight in the normal impulse; only the time needs series. */
#include <math.h>

#include "models/continuum/contact.h"
#include "num/lanes/polynomial.h"
#include "num/larger.h"

typedef imp_continuum_ray_path ray;

/* Variables that have series along a ray. */
static const int used[] = {TIME, ROOT, RATE, IMPULSE};

/* Normal impulse until delta is 0, for any sign of the resistance; infinite if it never is. */
static double impulse_to_separation(double w, double x, double resistance) {
    double stored = 0.8 * (x * x * x * x * x), square = w * w + resistance * stored;
    if (!(square > 0)) {
        return INFINITY;
    }
    double root = sqrt(square);
    double impulse = w < 0 ? stored / (root - w) : (root + w) / resistance;
    return impulse >= 0 ? impulse : INFINITY;
}

static double ray_work(const imp_continuum_contact *contact, const ray *r, double impulse) {
    return -contact->problem->mu * r->h * impulse * (r->v_t + r->push * impulse / 2);
}

/* x: root of delta there. */
static void see_turn(imp_continuum_contact *contact, const ray *r, double x, double time) {
    imp_continuum_note_turn(contact, x, time, r->first + r->turn, ray_work(contact, r, r->turn));
    imp_continuum_note_shear(contact, r->h * (x * x * x), time);
}

static void take(imp_continuum_contact *contact, const imp_continuum_block *block, int lane) {
    const ray *r = &contact->ray;
    for (int i = 0; i < 4; i++) {
        contact->v[used[i]] = block->v[used[i]][lane];
    }
    if (contact->problem->observer) {
        imp_continuum_step step = imp_continuum_step_of(block, lane);
        imp_continuum_show(contact,
                           &(imp_continuum_motion){.problem = contact->problem,
                                                   .step = &step,
                                                   .lambda = block->lambda[lane],
                                                   .ray = true,
                                                   .rests = r->rests,
                                                   .h = r->h,
                                                   .lost = contact->result->loss,
                                                   .v_t = r->v_t,
                                                   .slip = r->v_t - contact->mobility * r->h * r->w,
                                                   .push = r->push,
                                                   .impulse = r->first,
                                                   .shear = contact->v[SHEAR]});
    }
}

/* Steps follow a ray to its end for the time and the root of delta; settle then sets the variables
 * that are linear in the impulse. */
static imp_continuum_next follow(imp_continuum_contact *contact, ray r) {
    double root = contact->v[ROOT];
    r.turned = !(r.turn <= r.end);
    imp_continuum_note_shear(contact, r.h * (root * root * root), contact->v[TIME]);
    contact->ray = r;
    contact->wait = FOR_RAY;
    return WAITS;
}

/* Sets the variables that are linear in the impulse to their values at the end of the ray. */
static void settle(imp_continuum_contact *contact, const ray *r) {
    double work = ray_work(contact, r, r->end);
    contact->v[IMPULSE] = r->first + r->end;
    contact->v[SHEAR] += r->h * r->end;
    contact->v[RATE] = r->w - r->resistance * r->end;
    contact->v_t = r->v_t + r->push * r->end;
    if (r->separates) {
        contact->v[ROOT] = 0;
    }
    double x = contact->v[ROOT];
    contact->v[FORCE] = r->h * (x * x * x);
    contact->v[TAKEN] = r->h * (x * x);
    imp_continuum_note_shear(contact, contact->v[FORCE], contact->v[TIME]);
    imp_continuum_note_energy(contact, 0, work);
}

static ray ray_along(const imp_continuum_contact *contact, double h) {
    const imp_continuum_problem *p = contact->problem;
    ray r = {
        .h = h,
        .resistance = 1 - p->mu * h * p->c,
        .push = p->c - p->mu * h * p->a,
        .v_t = contact->v_t,
        .w = contact->v[RATE],
        .first = contact->v[IMPULSE],
    };
    double turn = r.w > 0 ? r.w / r.resistance : INFINITY;
    r.turn = turn >= 0 ? turn : INFINITY;
    r.end = impulse_to_separation(r.w, contact->v[ROOT], r.resistance);
    r.separates = true;
    return r;
}

imp_continuum_next imp_continuum_begin_rest(imp_continuum_contact *contact, double h) {
    ray r = ray_along(contact, h);
    r.rests = true;
    imp_continuum_note_phase(contact, IMP_STICK);
    return follow(contact, r);
}

/* Impulse until slip halts; the slip of a constrained body halts together with its contact
 * point. */
static double impulse_to_halt(const imp_continuum_contact *contact, const ray *r, double speed) {
    const imp_continuum_problem *p = contact->problem;
    double s = r->h, m = contact->mobility;
    if (p->constrained) {
        double halt = r->w / r->resistance;
        return halt >= 0 ? halt : INFINITY;
    }
    double braking = p->mu * p->a - s * p->c + m * (p->mu * s * p->c - 1);
    return p->mu > 0 && braking > 0 ? imp_larger(speed, 0) / braking : INFINITY;
}

/* (v_n(f) / v_n(0))^2 of a constrained body that slips, the same as with two linear springs (Birlik
 * 2012). */
static double square_of_restitution(const imp_continuum_contact *contact) {
    const imp_continuum_problem *p = contact->problem;
    double grip = fabs(p->mu * p->c);
    return (1 - grip + 4 * grip * contact->mobility / (contact->mobility + fabs(p->v_t))) /
           (1 + grip);
}

/* Sets the speed of a constrained body that slips until separation from its known restitution,
 * which removes the errors of earlier steps; returns false if it never separates. */
static bool correct_speed(imp_continuum_contact *contact) {
    const imp_continuum_problem *p = contact->problem;
    double x = contact->v[ROOT], resistance = 1 - p->mu * contact->direction * p->c;
    double square = square_of_restitution(contact) - 0.8 * resistance * (x * x * x * x * x);
    if (!(square > 0)) {
        return false;
    }
    contact->v[RATE] = -sqrt(square);
    contact->v_t = -p->c * contact->v[RATE];
    return true;
}

imp_continuum_next imp_continuum_begin_gross(imp_continuum_contact *contact) {
    double s = contact->direction;
    if (contact->problem->constrained && contact->v[RATE] < 0 && !correct_speed(contact)) {
        return WEDGED;
    }
    ray r = ray_along(contact, s);
    imp_continuum_note_phase(contact, s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH);
    r.speed = s * r.v_t - contact->mobility * r.w;
    double halt = impulse_to_halt(contact, &r, r.speed);
    r.whole = r.end;
    r.separates = r.end < halt;
    r.end = imp_smaller(halt, r.end);
    return isfinite(r.end) ? follow(contact, r) : LOST;
}

/* Gross slip has come to an end. */
static imp_continuum_next end_gross(imp_continuum_contact *contact, const ray *r) {
    double s = r->h, m = contact->mobility, mu = contact->problem->mu;
    double left = r->separates ? s * contact->v_t - m * contact->v[RATE] : 0;
    imp_continuum_note_energy(contact, mu * r->end * (imp_larger(r->speed, 0) + left) / 2, 0);
    if (r->separates) {
        return SEPARATED;
    }
    double x = contact->v[ROOT];
    contact->n_layers = 1;
    contact->layers[0] = (imp_continuum_layer){.slipped = s, .top = x, .force = contact->v[FORCE]};
    contact->onset = false;
    if (contact->problem->constrained) {
        contact->v[RATE] = contact->v[DRIFT] = contact->v_t = 0;
        contact->direction = -s;
        return r->w > 0 ? TO_PARTIAL : WEDGED;
    }
    contact->v[DRIFT] = s * contact->v[RATE];
    contact->direction = contact->v[RATE] > 0 ? s : -s;
    return contact->v[RATE] > 0 ? TO_STICK : TO_PARTIAL;
}

/* Slip that halts just before separation may do so behind it in a step with its error: then it goes
 * on to separation, at which the step ends. */
static bool separates_first(ray *r, imp_continuum_block *block, int lane) {
    if (r->separates || !(block->v[ROOT][lane] < 0)) {
        return false;
    }
    imp_continuum_step step = imp_continuum_step_of(block, lane);
    double lambda = imp_continuum_crossing(step.c[ROOT], 0, 0, block->lambda[lane]);
    for (int i = 0; i < 4; i++) {
        block->v[used[i]][lane] =
            imp_lanes_polynomial_at(step.c[used[i]], IMP_CONTINUUM_ORDER, lambda);
    }
    block->lambda[lane] = lambda;
    r->separates = true;
    r->end = r->whole;
    return true;
}

imp_continuum_next imp_continuum_ray_goes_on(imp_continuum_contact *contact,
                                             imp_continuum_block *block, int lane) {
    ray *r = &contact->ray;
    bool arrives = separates_first(r, block, lane) || block->stop[lane] == ARRIVES;
    if (!r->turned && (arrives || block->turned[lane] != 0)) {
        see_turn(contact, r, block->turn_root[lane], block->turn_time[lane]);
        r->turned = true;
    }
    take(contact, block, lane);
    if (!arrives) {
        return WAITS;
    }
    settle(contact, r);
    return r->rests ? SEPARATED : end_gross(contact, r);
}
