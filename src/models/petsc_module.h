/* What the module beside the program offers: the session of PETSc, and the solvers that need it. It
 * is a file of its own, which petsc_loader.c loads, with its own copy of base, num and models. */
#ifndef IMP_MODELS_PETSC_MODULE_H
#define IMP_MODELS_PETSC_MODULE_H

#include "models/beam/petsc/interface.h"

typedef struct imp_petsc_module {
    const char *version;             /* IMP_VERSION */
    const char *(*last_error)(void); /* what imp_last_error returns in the module */
    imp_err (*finish)(void);         /* imp_petsc_finish */
    const imp_beam_petsc *beam;
} imp_petsc_module;

extern IMP_API const imp_petsc_module imp_petsc_solvers;

#endif
