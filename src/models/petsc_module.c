#include "models/petsc_module.h"

#include "models/petsc.h"

const imp_petsc_module imp_petsc_solvers = {
    .version = IMP_VERSION,
    .last_error = imp_last_error,
    .finish = imp_petsc_finish,
    .beam = &imp_beam_by_petsc,
};
