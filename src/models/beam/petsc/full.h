/* The unreduced finite elements by PETSc's TSALPHA2 in even steps, in contact and in flight:
 * another method for the same beam, to check the modal ones. Second order in the step. */
#ifndef IMP_MODELS_BEAM_PETSC_FULL_H
#define IMP_MODELS_BEAM_PETSC_FULL_H

#include <petscsys.h>

#include "models/beam/modes.h"
#include "models/beam/result.h"
#include "models/beam/workspace.h"

/* The problem has every mode of `modes`, from which the end and the energies are computed. step: in
 * units of 1/S. Errors: those of PETSc. */
PetscErrorCode imp_beam_full(imp_beam_workspace *work, const imp_beam_problem *problem,
                             const imp_beam_modes *modes, double position, double step,
                             int64_t budget, imp_observer *observer, imp_beam_result *result);

#endif
