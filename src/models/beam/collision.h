/* One collision from first touch to the proved end: contacts by PETSc, exact flights between. */
#ifndef IMP_MODELS_BEAM_COLLISION_H
#define IMP_MODELS_BEAM_COLLISION_H

#include <petscsys.h>

#include "models/beam/flight.h"
#include "models/beam/result.h"
#include "models/beam/sensitivity.h"
#include "models/beam/stepper.h"

/* Memory for one collision, too large for a stack. Begins as 0; the caller frees the kicks. */
typedef struct imp_beam_workspace {
    imp_beam_flight flight;
    imp_beam_stepper stepper;
    imp_beam_kicks kicks;
    double state[IMP_BEAM_MOST_STATE];
    /* For schemes that cannot repeat a step: the state before the last step, and accelerations. */
    double before[IMP_BEAM_MOST_STATE], curve[IMP_BEAM_MOST_STATE];
} imp_beam_workspace;

/* Solves a problem by a modal scheme within a budget of work (imp_beam_work), each step with the
 * given relative error. `observer` may be NULL. Errors: those of PETSc, from which the caller
 * derives the outcome. */
PetscErrorCode imp_beam_collide(imp_beam_workspace *work, const imp_beam_problem *problem,
                                imp_beam_scheme scheme, double tolerance, int64_t budget,
                                imp_observer *observer, imp_beam_result *result);

#endif
