/* The solvers that integrate by PETSc: a table that the program fills in. */
#ifndef IMP_MODELS_BEAM_PETSC_INTERFACE_H
#define IMP_MODELS_BEAM_PETSC_INTERFACE_H

#include "models/beam/problem.h"
#include "models/beam/result.h"
#include "models/beam/workspace.h"

typedef struct imp_beam_petsc {
    /* Starts PETSc unless it runs. IMP_ERR_LIBRARY. */
    imp_err (*start)(void);
    /* The collision by a modal scheme; see imp_beam_collocate. A failure of PETSc in a cell becomes
     * result->outcome. IMP_ERR_MEMORY. */
    imp_err (*collide)(imp_beam_workspace *work, const imp_beam_problem *problem,
                       imp_beam_scheme scheme, double tolerance, int64_t budget,
                       imp_observer *observer, imp_beam_result *result);
    /* By all finite elements; see imp_beam_full. */
    imp_err (*solve_full)(imp_beam_workspace *work, const imp_beam_problem *problem,
                          const imp_beam_modes *modes, double position, double step, int64_t budget,
                          imp_observer *observer, imp_beam_result *result);
} imp_beam_petsc;

/* Its address is NULL where there is no PETSc: in libimpact, pages, programs built without. */
extern const imp_beam_petsc imp_beam_by_petsc __attribute__((weak));

#endif
