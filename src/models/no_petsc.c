/* In place of petsc.c where the program is built without PETSc. */
#include <stddef.h>

#include "models/petsc.h"

const char *imp_petsc_version(void) {
    return NULL;
}

imp_err imp_petsc_finish(void) {
    return IMP_OK;
}
