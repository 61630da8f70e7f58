/* One collision from first touch to the proved end: contacts by PETSc, exact flights between. */
#ifndef IMP_MODELS_BEAM_COLLISION_H
#define IMP_MODELS_BEAM_COLLISION_H

#include <petscsys.h>

#include "models/beam/flight.h"
#include "models/beam/sensitivity.h"
#include "models/beam/stepper.h"

/* Room for one collision, too much for a stack. Begins as 0; the kicks are to be freed. */
typedef struct imp_beam_room {
    imp_beam_flight flight;
    imp_beam_stepper stepper;
    imp_beam_kicks kicks;
    double state[IMP_BEAM_MOST_STATE];
    /* Of schemes whose steps cannot be taken again: before the last one, and accelerations. */
    double before[IMP_BEAM_MOST_STATE], curve[IMP_BEAM_MOST_STATE];
} imp_beam_room;

/* Solves a problem within a budget of steps and samples. `witness` may be NULL. An error is one of
 * PETSc; result->outcome then is to be taken from it. Modal schemes only. */
PetscErrorCode imp_beam_collide(imp_beam_room *room, const imp_beam_problem *problem,
                                imp_beam_scheme scheme, int64_t budget, imp_beam_witness *witness,
                                imp_beam_result *result);

/* ---- bookkeeping, for other schemes too ---- */

void imp_beam_result_begin(const imp_beam_problem *problem, imp_beam_result *result);

/* A separation at which the collision may end. `dissipated`, `impulse`: since the beginning. */
void imp_beam_result_separate(const imp_beam_problem *problem, double time, const double *state,
                              imp_beam_result *result);

/* A step of such a scheme, straight between its ends as far as a witness sees. */
typedef struct imp_beam_step {
    const imp_beam_problem *problem;
    double begin, end; /* times */
    const double *before, *after;
} imp_beam_step;

/* Shows an instant of a step; the regular samples of a step up to a time. witness may be NULL. */
void imp_beam_see_instant(imp_beam_witness *witness, const imp_beam_step *step, double time,
                          bool contact, int code);
void imp_beam_see_samples(imp_beam_witness *witness, const imp_beam_step *step, double until,
                          bool contact);

/* Counts an interval of contact. */
void imp_beam_result_count(double begin, double end, imp_beam_result *result);

#endif
