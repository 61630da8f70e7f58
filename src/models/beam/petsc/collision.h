/* One collision from first touch to the proved end: contacts by PETSc, exact flights between. */
#ifndef IMP_MODELS_BEAM_PETSC_COLLISION_H
#define IMP_MODELS_BEAM_PETSC_COLLISION_H

#include <petscsys.h>

#include "models/beam/result.h"
#include "models/beam/workspace.h"
#include "models/beam/modes.h"

/* Solves a problem by a modal scheme within a budget of work (imp_beam_work), each step with the
 * given relative error. `observer` may be NULL. Errors: those of PETSc, from which the caller
 * derives the outcome. */
PetscErrorCode imp_beam_collide(imp_beam_workspace *work, const imp_beam_problem *problem,
                                imp_beam_scheme scheme, double tolerance, int64_t budget,
                                imp_observer *observer, imp_beam_result *result);

/* ---- full.c ---- */

/* The problem has every mode of `modes`, from which the end and the energies are computed. step: in
 * units of 1/S. Errors: those of PETSc. */
PetscErrorCode imp_beam_full(imp_beam_workspace *work, const imp_beam_problem *problem,
                             const imp_beam_modes *modes, double position, double step,
                             int64_t budget, imp_observer *observer, imp_beam_result *result);

#endif
