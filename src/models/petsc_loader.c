/* In place of petsc.c and the folders petsc in the program: loads the module that has them when a
 * solver needs it. PETSc brings a hundred libraries, which would cost every start 30 ms. */
#include <dlfcn.h>
#include <string.h>

#include "base/error.h"
#include "models/petsc.h"
#include "models/petsc_module.h"

static const imp_petsc_module *module; /* NULL: not loaded */

const char *imp_petsc_version(void) {
    return IMP_PETSC_VERSION;
}

/* The message of an error in the module, which it keeps for itself. */
static imp_err told(imp_err error) {
    return error ? imp_fail(error, "%s", module->last_error()) : IMP_OK;
}

/* The linker was told where the file may be: beside the program that was built, or in a folder of
 * the installation. It is never unloaded, because PETSc cannot start twice. */
static imp_err load(void) {
    void *file = dlopen(IMP_PETSC_MODULE, RTLD_NOW | RTLD_LOCAL);
    const imp_petsc_module *found = file ? dlsym(file, "imp_petsc_solvers") : NULL;
    if (!found) {
        return imp_fail(IMP_ERR_LIBRARY, "the module that calls PETSc cannot be loaded: %s",
                        dlerror());
    }
    if (strcmp(found->version, IMP_VERSION) != 0) {
        return imp_fail(IMP_ERR_LIBRARY, "%s is of version %s; the program is of " IMP_VERSION,
                        IMP_PETSC_MODULE, found->version);
    }
    module = found;
    return IMP_OK;
}

static imp_err start(void) {
    imp_err error = module ? IMP_OK : load();
    return error ? error : told(module->beam->start());
}

static imp_err collide(imp_beam_workspace *work, const imp_beam_problem *problem,
                       imp_beam_scheme scheme, double tolerance, int64_t budget,
                       imp_observer *observer, imp_beam_result *result) {
    return told(module->beam->collide(work, problem, scheme, tolerance, budget, observer, result));
}

static imp_err solve_full(imp_beam_workspace *work, const imp_beam_problem *problem,
                          const imp_beam_modes *modes, double position, double step, int64_t budget,
                          imp_observer *observer, imp_beam_result *result) {
    return told(
        module->beam->solve_full(work, problem, modes, position, step, budget, observer, result));
}

const imp_beam_petsc imp_beam_by_petsc = {
    .start = start, .collide = collide, .solve_full = solve_full};

imp_err imp_petsc_finish(void) {
    return module ? told(module->finish()) : IMP_OK;
}
