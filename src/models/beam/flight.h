/* Free flight of the modes: exact motion, a search for the next contact that cannot jump over one,
 * and the proof that none follows. */
#ifndef IMP_MODELS_BEAM_FLIGHT_H
#define IMP_MODELS_BEAM_FLIGHT_H

#include "models/beam/beam.h"

/* The motions of the modes: q = q0 C + (v0 + a q0) S, v = v0 C - (a v0 + lambda q0) S with a = d/2;
 * C = exp(-a t) cos(w t), S = exp(-a t) sin(w t)/w, or the same with cosh and sinh, where C = (slow
 * + fast)/2 and S = (slow - fast)/(2 w) of two exponentials. */
typedef struct imp_beam_flying {
    double a[IMP_BEAM_MOST_GROUPED], w[IMP_BEAM_MOST_GROUPED], lambda[IMP_BEAM_MOST_GROUPED];
    double over_w[IMP_BEAM_MOST_GROUPED]; /* 1/w, 0 for w = 0 */
    double creeps[IMP_BEAM_MOST_GROUPED]; /* 1: overdamped, w belongs to cosh and sinh */
    double slow[IMP_BEAM_MOST_GROUPED];   /* the slow rate of an overdamped mode */
    double shape[IMP_BEAM_MOST_GROUPED];  /* B_j */
    double swing[IMP_BEAM_MOST_GROUPED];  /* |B_j|/omega_j of flexible modes, 0 of others */
    double bend[IMP_BEAM_MOST_GROUPED];   /* |B_j| (d_j + omega_j) */
    double place0[IMP_BEAM_MOST_GROUPED], rate0[IMP_BEAM_MOST_GROUPED];
    double place[IMP_BEAM_MOST_GROUPED], rate[IMP_BEAM_MOST_GROUPED];
} imp_beam_flying;

/* Sums over the modes at one time: indentation and its rate; the most by which the flexible modes
 * can change the indentation, and the most of its second derivative, from then on. */
typedef struct imp_beam_flight_sums {
    double depth, rate, swing, bend;
} imp_beam_flight_sums;

typedef struct imp_beam_flight {
    const imp_beam_problem *problem;
    imp_beam_flying flying;
    double start[IMP_BEAM_MOST_STATE], now[IMP_BEAM_MOST_STATE]; /* `now` is at `time` */
    double time;                                                 /* since the start */
    imp_beam_flight_sums sums;                                   /* at `time` */
} imp_beam_flight;

/* Moves places and rates of n modes to a time after the start, and sums over them. bounds: whether
 * swing and bend are summed, too; without damping they stay as at the start. */
void imp_beam_fly(imp_beam_flying *flying, int n, bool damped, bool bounds, double time,
                  imp_beam_flight_sums *sums);

typedef enum imp_beam_flight_end {
    IMP_BEAM_OVER,
    IMP_BEAM_CONTACT,
    IMP_BEAM_LOST
} imp_beam_flight_end;

/* Sets everything that does not depend on a state; the problem must outlive the flight. */
void imp_beam_flight_prepare(imp_beam_flight *flight, const imp_beam_problem *problem);

/* Starts from a state at separation. */
void imp_beam_flight_start(imp_beam_flight *flight, const double *state);

/* Moves `now` to `time` after the start; impulse and dissipated energy stay as at the start. */
void imp_beam_flight_move(imp_beam_flight *flight, double time);

/* Energy dissipated from the start to `now`, by exact integrals. */
double imp_beam_flight_dissipated(const imp_beam_flight *flight);

/* Whether the rigid motions stop approaching between the start and `now`, as they can where
 * external damping slows the beam; *after: when, from the start. */
bool imp_beam_flight_turns(const imp_beam_flight *flight, double *after);

/* Whether no contact can follow `now`. */
bool imp_beam_flight_is_over(imp_beam_flight *flight);

/* Moves `now` to the next contact, or until no contact can follow. Spends at most *left of the
 * budget, returns IMP_BEAM_LOST if these do not suffice, and lowers *closeness to the closest call
 * on the way. */
imp_beam_flight_end imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                           double *closeness);

#endif
