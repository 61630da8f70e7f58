/* PETSc's life in a process. No header of PETSc is included here. */
#ifndef IMP_MODELS_BEAM_SESSION_H
#define IMP_MODELS_BEAM_SESSION_H

#include "impact.h"

/* Starts PETSc, and MPI if nobody has, unless it runs. Theories that need PETSc call it when they are
 * opened; each process uses it for itself, so ranks need not agree. IMP_ERR_LIBRARY. */
imp_err imp_petsc_start(void);

/* Ends PETSc if it was started, and MPI if PETSc had started it. To be called before MPI ends,
 * after the last solver is closed. IMP_ERR_LIBRARY. */
imp_err imp_petsc_finish(void);

#endif
