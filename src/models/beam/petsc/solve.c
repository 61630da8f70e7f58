/* The entry to the solvers that integrate by PETSc. */
#include "base/error.h"
#include "models/beam/petsc/interface.h"
#include "models/beam/petsc/collision.h"
#include "models/petsc.h"

/* The outcome of a cell after an error of PETSc. */
static imp_outcome outcome_of(PetscErrorCode error) {
    switch (error) {
    case PETSC_ERR_FP:
        return IMP_NOT_FINITE;
    case PETSC_ERR_CONV_FAILED:
    case PETSC_ERR_NOT_CONVERGED:
        return IMP_NO_CONVERGENCE;
    default:
        return IMP_LIBRARY_ERROR;
    }
}

/* A lack of memory is an error of the program; others belong to the cell. */
static imp_err judge(PetscErrorCode error, imp_beam_result *result) {
    if (error == PETSC_ERR_MEM) {
        return imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
    }
    if (error) {
        result->outcome = outcome_of(error);
    }
    return IMP_OK;
}

static imp_err collide(imp_beam_workspace *work, const imp_beam_problem *problem,
                       imp_beam_scheme scheme, double tolerance, int64_t budget,
                       imp_observer *observer, imp_beam_result *result) {
    return judge(imp_beam_collide(work, problem, scheme, tolerance, budget, observer, result),
                 result);
}

static imp_err solve_full(imp_beam_workspace *work, const imp_beam_problem *problem,
                          const imp_beam_modes *modes, double position, double step, int64_t budget,
                          imp_observer *observer, imp_beam_result *result) {
    return judge(imp_beam_full(work, problem, modes, position, step, budget, observer, result),
                 result);
}

const imp_beam_petsc imp_beam_by_petsc = {
    .start = imp_petsc_start, .collide = collide, .solve_full = solve_full};
