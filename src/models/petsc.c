#include "models/petsc.h"

#include <petscsys.h>

#include "base/error.h"

const char *imp_petsc_version(void) {
    return IMP_PETSC_VERSION;
}

static PetscErrorCode start(void) {
    PetscFunctionBeginUser;
    /* The program handles signals itself, and a file in a home directory must not change
     * results. */
    PetscCall(PetscOptionsSetValue(NULL, "-no_signal_handler", NULL));
    PetscCall(PetscOptionsSetValue(NULL, "-skip_petscrc", NULL));
    PetscCall(PetscInitializeNoArguments());
    /* Errors come back as codes; nothing is printed, nothing aborts. */
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    PetscFunctionReturn(0);
}

imp_err imp_petsc_start(void) {
    PetscBool running = PETSC_FALSE, ended = PETSC_FALSE;
    int mpi = 0;
    PetscInitialized(&running);
    PetscFinalized(&ended);
    if (running) {
        return IMP_OK;
    }
    if (ended) {
        return imp_fail(IMP_ERR_LIBRARY, "PETSc was ended and cannot start again");
    }
    MPI_Initialized(&mpi);
    if (mpi) {
        PETSC_COMM_WORLD = MPI_COMM_SELF;
    }
    PetscErrorCode error = start();
    return error ? imp_fail(IMP_ERR_LIBRARY, "PETSc did not start: error %d", (int)error) : IMP_OK;
}

imp_err imp_petsc_finish(void) {
    PetscBool running = PETSC_FALSE;
    PetscInitialized(&running);
    if (!running) {
        return IMP_OK;
    }
    PetscPopErrorHandler();
    PetscErrorCode error = PetscFinalize();
    return error ? imp_fail(IMP_ERR_LIBRARY, "PETSc did not end: error %d", (int)error) : IMP_OK;
}
