/* The session of PETSc in a process, and its version. This header includes none of PETSc's. */
#ifndef IMP_MODELS_PETSC_H
#define IMP_MODELS_PETSC_H

#include "impact.h"

/* Version of the PETSc that this program was built with, "major.minor.subminor"; NULL if it was
 * built without. */
const char *imp_petsc_version(void);

/* Starts PETSc unless it runs already, and MPI too if MPI has not been started. Theories that need
 * PETSc call this function when they are opened; not collective. IMP_ERR_LIBRARY. */
imp_err imp_petsc_start(void);

/* Ends PETSc if it was started, and MPI if PETSc had started it. To be called before MPI ends,
 * after the last solver is closed. IMP_ERR_LIBRARY. */
imp_err imp_petsc_finish(void);

#endif
