/* The state of a contact between its phases, and slip in the normal impulse: what the laws share.
 * In lanes; `here` is the lanes that a step concerns. */
#ifndef IMP_MODELS_COMPLIANT_STATE_IMPL_H
#define IMP_MODELS_COMPLIANT_STATE_IMPL_H

#include <math.h>

#include "models/compliant/problem.h"
#include "models/theory.h"
#include "num/lanes/exponential.h"
#include "num/lanes/trigonometry.h"

typedef struct peak {
    real delta, p_n, time, work;
    real work_t; /* of the tangential force; set where its spring is linear */
} peak;

typedef struct state {
    real u, delta, v_t, v_n;
    real p_t, p_n, work, loss, time;
    peak greatest;         /* of the indentation, so far */
    real sequence, weight; /* weight: of the next phase in the sequence, 0 when that is full */
    real phases;           /* their number */
} state;

/* LOST: the motion cannot be followed, because numbers overflow. BLURRED: it cannot, because one
 * mode of stick is so much faster than the other. MARCHES: the phase has not ended; it is
 * integrated. */
typedef enum phase_end {
    TO_STICK,
    TO_SLIP,
    SEPARATED,
    WEDGED,
    OUT_OF_BUDGET,
    LOST,
    BLURRED,
    MARCHES
} phase_end;

CODE state first_touch(const imp_compliant_problem *p) {
    return (state){.v_t = p->v_t, .v_n = number(-1), .weight = number(1)};
}

/* The greatest indentation, where it is in the state `now`. */
CODE peak peak_in(const state *now, real work_t) {
    return (peak){.delta = now->delta,
                  .p_n = now->p_n,
                  .time = now->time,
                  .work = now->work,
                  .work_t = work_t};
}

CODE void put_peak(truth here, peak *x, const peak *value) {
    put(here, &x->delta, value->delta);
    put(here, &x->p_n, value->p_n);
    put(here, &x->time, value->time);
    put(here, &x->work, value->work);
    put(here, &x->work_t, value->work_t);
}

/* All but phases, losses and the greatest indentation. */
CODE void put_motion(truth here, state *now, const state *value) {
    put(here, &now->u, value->u);
    put(here, &now->delta, value->delta);
    put(here, &now->v_t, value->v_t);
    put(here, &now->v_n, value->v_n);
    put(here, &now->p_t, value->p_t);
    put(here, &now->p_n, value->p_n);
    put(here, &now->work, value->work);
    put(here, &now->time, value->time);
}

CODE void note_phase(state *now, real code, truth here) {
    const double room = (double)(INT64_C(1) << 2 * (IMP_SEQUENCE_PHASES - 1));
    put(here, &now->sequence, now->sequence + code * now->weight);
    put(here, &now->weight, pick(now->weight < room, 4 * now->weight, number(0)));
    put(here, &now->phases, now->phases + 1);
}

CODE void note_turn(state *now, const peak *turn, truth here) {
    put_peak(here & (turn->delta > now->greatest.delta), &now->greatest, turn);
}

/* Puts a state that has reached the face s of the cone exactly on that face: s u = slope delta. The
 * larger of u and delta is kept, because its relative rounding error is smaller. */
CODE void put_on_face(state *now, real s, real slope, truth here) {
    put(here & (slope > 1), &now->delta, positive_part(s * now->u) / slope);
    put(here, &now->u, s * slope * now->delta);
}

/* Change of the slip speed per normal impulse; s: direction of slip. */
CODE real slip_rate(const imp_compliant_problem *p, real s) {
    return pick(p->constrained, (1 - p->mu * s * p->c) * (p->mu + s * p->c),
                p->mu * (1 - p->a) + s * p->c * (1 - p->mu * p->mu));
}

/* ---- slip: straight in the normal impulse ---- */

/* Normal impulse until the spring is released, for any sign of q; infinite if it never is, or only
 * after an infinite time, when the body comes to rest at the plane. */
CODE real impulse_to_separation(real v, real delta, real q) {
    real square = v * v + q * delta * delta;
    truth ends = (square > 0) | ((square == 0) & (v <= 0));
    real root = root_of(square);
    real above = pick(v > 0, delta * delta, root - v);
    real below = pick(v > 0, root + v, q);
    real impulse = above / below;
    return pick(ends & (impulse >= 0), impulse, number(INFINITY));
}

/* Whether a slip begins with the speed 0 as the body touches the plane, and changes its speed per
 * impulse only by rounding; size: of the parts of that rate. A contact begins so where its motion
 * keeps the direction of a start on the rim of the cone: the speed stays 0. A halt at once would
 * end the contact before it began. */
CODE truth runs_along_rim(const state *now, real speed, real rate, real size) {
    const double rounding = 1e-13;
    return (speed == 0) & (now->delta == 0) & (now->v_n < 0) & (size_of(rate) <= rounding * size);
}

/* Normal impulse until the slip halts; speed: of the slip. Infinite if it never does. */
CODE real impulse_to_halt(const imp_compliant_problem *p, const state *now, real s, real speed) {
    real rate = slip_rate(p, s), q = 1 - p->mu * s * p->c, stop = -now->v_n / q;
    real size = p->mu * (1 + p->a) + size_of(p->c) * (1 + p->mu * p->mu);
    truth halts = (p->mu > 0) & (rate < 0) & not(runs_along_rim(now, speed, rate, size));
    real halt = pick(halts, speed / -rate, number(INFINITY));
    /* The slip speed of a constrained body is a multiple of v_n: both vanish together. */
    return pick(p->constrained, pick(stop > 0, stop, number(INFINITY)), halt);
}

/* Moves the state, all but v_t, time and loss, along a slip by a normal impulse. v_n, delta: at the
 * end; work: of the normal force until then. */
CODE void move_in_slip(const imp_compliant_problem *p, state *now, real s, real impulse, real v_n,
                       real delta, real work, truth here) {
    put(here, &now->v_n, v_n);
    put(here, &now->delta, delta);
    put(here, &now->u, s * p->mu * delta);
    put(here, &now->p_n, now->p_n + impulse);
    put(here, &now->p_t, now->p_t - p->mu * s * impulse);
    put(here, &now->work, now->work + work);
}

/* Time in which delta'' = -q delta leads from one indentation to another, given their sum and the
 * impulse between them. Half the phase angle of this motion is at most a right angle. */
CODE real slip_time(real impulse, real sum, real q, truth here) {
    real z = q * impulse * impulse, square = sum * sum, w = root_of(size_of(q)), time = number(0);
    truth moves = here & (impulse > 0), brief = size_of(z) < 1e-3 * square;
    if (any(moves & brief)) {
        real x = z / square;
        time = 2 * impulse / sum * (1 - x * (1.0 / 3 - x * (1.0 / 5 - x * (1.0 / 7 - x / 9))));
    }
    truth turns = moves & not(brief) & (q > 0), grows = moves & not(brief) & not(q > 0);
    if (any(turns)) {
        time = pick(turns, 2 / w * imp_lanes_angle(w * impulse, sum), time);
    }
    if (any(grows)) {
        real tangent = pick(grows, w * impulse / sum, number(0));
        time = pick(grows, 2 / w * imp_lanes_atanh(tangent), time);
    }
    return pick(moves, time, number(0));
}

/* ---- the end ---- */

/* The whole part of x, a multiple of 1/4 or 1/16 below 2^48. */
CODE real whole_part(real x) {
    const double round = 0x1.8p52;
    return ((x - 0.46875) + round) - round;
}

CODE real classify(const state *now, real end) {
    /* Codes of the first and of the third phase, if they are three or fewer. */
    real first = now->sequence - 4 * whole_part(now->sequence / 4);
    real third = whole_part(now->sequence / 16);
    truth sticks = first == IMP_STICK;
    const real other = number(IMP_COMPLIANT_MULTIPLE);
    real one = pick(sticks, number(IMP_COMPLIANT_GROSS_STICK), number(IMP_COMPLIANT_GROSS_SLIP));
    real two = pick(sticks, number(IMP_COMPLIANT_STICK_SLIP), other);
    real three = pick(first == third, number(IMP_COMPLIANT_SAME), number(IMP_COMPLIANT_REVERSED));
    real four = pick(sticks, number(IMP_COMPLIANT_STICK_SLIP_STICK_SLIP), other);
    real mode = pick(now->phases == 1, one, other);
    mode = pick(now->phases == 2, two, mode);
    mode = pick(now->phases == 3, pick(sticks, other, three), mode);
    mode = pick(now->phases == 4, four, mode);
    return pick(end == WEDGED, number(IMP_COMPLIANT_WEDGE), mode);
}

/* Kinetic energy that an impulse at the contact can take away: v . B^-1 v / 2. */
CODE real kinetic_energy(const imp_compliant_problem *p, real v_t, real v_n) {
    real along = v_t - p->c * v_n, other = number(0);
    if (any(not(p->constrained))) {
        other = pick(p->constrained, number(0), along * along / p->determinant);
    }
    return (other + v_n * v_n) / 2;
}

/* A cell that does not conserve energy is not solved: with friction above about 1e10 the end of the
 * stick is lost in rounding. */
CODE real judge(real accounted, real initial) {
    truth finite = is_finite(accounted) & is_finite(initial);
    real verdict = pick(size_of(accounted - initial) <= IMP_ENERGY_TOLERANCE * initial,
                        number(IMP_SOLVED), number(IMP_NO_CONVERGENCE));
    return pick(finite, verdict, number(IMP_NOT_FINITE));
}

/* Energy at the end of a contact; elastic: that in the springs. */
CODE real kept_energy(const imp_compliant_problem *p, const state *now, real end, real elastic) {
    return kinetic_energy(p, now->v_t, now->v_n) + pick(end == WEDGED, elastic, number(0));
}

/* The result of a contact that ended in `now`, or was not followed to its end. */
CODE imp_compliant_result result_of(const imp_compliant_problem *p, const state *now, real end,
                                    real loss, real elastic) {
    real initial = kinetic_energy(p, p->v_t, number(-1)), kept = kept_energy(p, now, end, elastic);
    real outcome = judge(kept + loss, initial);
    /* A body that has had no impulse has not left: an event was found where there is none. */
    put((end == SEPARATED) & (now->p_n == 0), &outcome, number(IMP_NO_CONVERGENCE));
    outcome = pick(end == LOST, number(IMP_NOT_FINITE), outcome);
    outcome = pick(end == BLURRED, number(IMP_OUTSIDE), outcome);
    return (imp_compliant_result){
        .outcome = pick(end == OUT_OF_BUDGET, number(IMP_BUDGET), outcome),
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
        .trapped = pick(end == WEDGED, elastic, number(0)),
        .initial = initial,
        .balance = (kept + loss - initial) / initial,
    };
}

#endif
