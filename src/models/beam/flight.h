/* Free flight of the modes: exact motion, a search for the next contact that cannot jump over one,
 * and the proof that none follows. */
#ifndef IMP_MODELS_BEAM_FLIGHT_H
#define IMP_MODELS_BEAM_FLIGHT_H

#include "models/beam/beam.h"

/* The motion of one mode: q = q0 C + (v0 + a q0) S, v = v0 C - (a v0 + lambda q0) S with a = d/2; C
 * = exp(-a t) cos(w t), S = exp(-a t) sin(w t)/w, or the same with cosh and sinh. */
typedef struct imp_beam_motion {
    double a, w;
    bool creeps; /* overdamped: w belongs to cosh and sinh */
} imp_beam_motion;

typedef struct imp_beam_flight {
    const imp_beam_problem *problem;
    imp_beam_motion motion[IMP_BEAM_MOST_FREEDOMS];
    double start[IMP_BEAM_MOST_STATE], now[IMP_BEAM_MOST_STATE]; /* `now` is at `time` */
    double time;                                                 /* since the start */
} imp_beam_flight;

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

/* Energy dissipated from the start to `time`, by exact integrals. */
double imp_beam_flight_dissipated(const imp_beam_flight *flight, double time);

/* Whether no contact can follow `now`. */
bool imp_beam_flight_is_over(const imp_beam_flight *flight);

/* Moves `now` to the next contact, or until no contact can follow. Spends at most *left of the
 * budget, returns IMP_BEAM_LOST if these do not suffice, and lowers *closeness to the closest call
 * on the way. */
imp_beam_flight_end imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                           double *closeness);

#endif
