/* The state of a contact between its phases, and slip in the normal impulse: what the laws share. */
#ifndef IMP_MODELS_COMPLIANT_STATE_IMPL_H
#define IMP_MODELS_COMPLIANT_STATE_IMPL_H

#include <math.h>

#include "base/constants.h"
#include "models/compliant/problem.h"
#include "models/theory.h"
#include "num/exponential.h"
#include "num/larger.h"
#include "num/trigonometry.h"

/* A start nearer to the cone than this counts as on the cone. */
static const double on_the_cone = 1e-11;

typedef struct peak {
    double delta, p_n, time, work;
} peak;

typedef struct state {
    double u, delta, v_t, v_n;
    double p_t, p_n, work, loss, time;
    peak greatest; /* of the indentation, so far */
    uint64_t sequence;
    int phases;
} state;

/* LOST: the motion cannot be followed, because numbers overflow. MARCHES: the phase has not ended; it is
 * integrated. */
typedef enum phase_end {
    TO_STICK,
    TO_SLIP,
    SEPARATED,
    WEDGED,
    OUT_OF_BUDGET,
    LOST,
    MARCHES
} phase_end;

static inline void note_phase(state *now, int code) {
    if (now->phases < IMP_SEQUENCE_PHASES) {
        now->sequence |= (uint64_t)code << (2 * now->phases);
    }
    now->phases++;
}

static inline void note_turn(state *now, peak turn) {
    if (turn.delta > now->greatest.delta) {
        now->greatest = turn;
    }
}

/* Puts a state that has reached the face s of the cone exactly on that face: s u = slope delta. The
 * larger of u and delta is kept, because its relative rounding error is smaller. */
static inline void put_on_face(state *now, double s, double slope) {
    if (slope > 1) {
        now->delta = imp_larger(0, s * now->u) / slope;
    }
    now->u = s * slope * now->delta;
}

/* Change of the slip speed per normal impulse; s: direction of slip. */
static inline double slip_rate(const imp_compliant_problem *p, double s) {
    if (p->constrained) {
        return (1 - p->mu * s * p->c) * (p->mu + s * p->c);
    }
    return p->mu * (1 - p->a) + s * p->c * (1 - p->mu * p->mu);
}

/* ---- slip: straight in the normal impulse ---- */

/* Normal impulse until the spring is released, for any sign of q; infinite if it never is, or only
 * after an infinite time, when the body comes to rest at the plane. */
static inline double impulse_to_separation(double v, double delta, double q) {
    double square = v * v + q * delta * delta;
    if (!(square > 0) && !(square == 0 && v <= 0)) {
        return INFINITY;
    }
    double root = sqrt(square);
    double above = v > 0 ? delta * delta : root - v;
    double below = v > 0 ? root + v : q;
    double impulse = above / below;
    return impulse >= 0 ? impulse : INFINITY;
}

/* Time in which delta'' = -q delta leads from one indentation to another, given their sum and the
 * impulse between them. Half the phase angle of this motion is at most a right angle. */
static inline double slip_time(double impulse, double sum, double q) {
    if (!(impulse > 0)) {
        return 0;
    }
    double z = q * impulse * impulse;
    double square = sum * sum;
    if (fabs(z) < 1e-3 * square) {
        double x = z / square;
        return 2 * impulse / sum * (1 - x * (1.0 / 3 - x * (1.0 / 5 - x * (1.0 / 7 - x / 9))));
    }
    double w = sqrt(fabs(q));
    return 2 / w * (q > 0 ? imp_angle(w * impulse, sum) : imp_atanh(w * impulse / sum));
}

static inline void note_slip_turn(const imp_compliant_problem *p, state *now, double q,
                                  double end) {
    double impulse = -now->v_n / q;
    if (!(p->want_turn && now->v_n < 0 && impulse > 0 && impulse <= end)) {
        return;
    }
    double work = impulse * now->v_n / 2;
    double delta = sqrt(now->delta * now->delta - 2 * work);
    double time = p->want_time ? slip_time(impulse, now->delta + delta, q) : 0;
    note_turn(now, (peak){delta, now->p_n + impulse, now->time + time, now->work + work});
}

/* ---- the end ---- */

static inline imp_compliant_mode classify(const state *now, phase_end end) {
    int first = now->sequence & 3, third = (int)(now->sequence >> 4) & 3;
    if (end == WEDGED) {
        return IMP_COMPLIANT_WEDGE;
    }
    switch (now->phases) {
    case 1:
        return first == IMP_STICK ? IMP_COMPLIANT_GROSS_STICK : IMP_COMPLIANT_GROSS_SLIP;
    case 2:
        return first == IMP_STICK ? IMP_COMPLIANT_STICK_SLIP : IMP_COMPLIANT_MULTIPLE;
    case 3:
        return first == IMP_STICK ? IMP_COMPLIANT_MULTIPLE
               : first == third   ? IMP_COMPLIANT_SAME
                                  : IMP_COMPLIANT_REVERSED;
    case 4:
        return first == IMP_STICK ? IMP_COMPLIANT_STICK_SLIP_STICK_SLIP : IMP_COMPLIANT_MULTIPLE;
    default:
        return IMP_COMPLIANT_MULTIPLE;
    }
}

/* Kinetic energy that an impulse at the contact can take away: v . B^-1 v / 2. */
static inline double kinetic_energy(const imp_compliant_problem *p, double v_t, double v_n) {
    if (p->constrained) {
        return v_n * v_n / 2;
    }
    double along = v_t - p->c * v_n;
    return (along * along / p->determinant + v_n * v_n) / 2;
}

/* A cell that does not conserve energy is not solved: with friction above about 1e10 the end of the
 * stick is lost in rounding. */
static inline imp_outcome judge(double accounted, double initial) {
    if (!isfinite(accounted) || !isfinite(initial)) {
        return IMP_NOT_FINITE;
    }
    return fabs(accounted - initial) <= IMP_ENERGY_TOLERANCE * initial ? IMP_SOLVED
                                                                       : IMP_NO_CONVERGENCE;
}

/* Whether a contact was not followed to its end. */
static inline bool is_unfinished(phase_end end) {
    return end == OUT_OF_BUDGET || end == LOST;
}

static inline imp_compliant_result unfinished(phase_end end) {
    return (imp_compliant_result){.outcome = end == LOST ? IMP_NOT_FINITE : IMP_BUDGET};
}

/* Energy at the end of a contact; elastic: that in the springs. */
static inline double kept_energy(const imp_compliant_problem *p, const state *now, phase_end end,
                                 double elastic) {
    return kinetic_energy(p, now->v_t, now->v_n) + (end == WEDGED ? elastic : 0);
}

/* The result of a contact that ended in `now`. */
static inline imp_compliant_result result_of(const imp_compliant_problem *p, const state *now,
                                             phase_end end, double loss, double elastic) {
    double initial = kinetic_energy(p, p->v_t, -1), kept = kept_energy(p, now, end, elastic);
    return (imp_compliant_result){
        .outcome = judge(kept + loss, initial),
        .mode = classify(now, end),
        .sequence = now->sequence,
        .v_t = now->v_t,
        .v_n = now->v_n,
        .p_t = now->p_t,
        .p_n = now->p_n,
        .p_n_turn = now->greatest.p_n,
        .t_turn = now->greatest.time,
        .work_approach = now->greatest.work,
        .p_n_rebound = now->p_n - now->greatest.p_n,
        .work_rebound = now->work - now->greatest.work,
        .duration = now->time,
        .loss = loss,
        .trapped = end == WEDGED ? elastic : 0,
        .initial = initial,
        .balance = (kept + loss - initial) / initial,
    };
}

#endif
