/* One collision from first touch to the proved end: contacts by PETSc, exact flights between. */
#ifndef IMP_MODELS_BEAM_PETSC_COLLISION_H
#define IMP_MODELS_BEAM_PETSC_COLLISION_H

#include <petscsys.h>

#include "models/beam/result.h"
#include "models/beam/workspace.h"
#include "models/beam/modes.h"
#include "num/bracket.h"

/* The cubic through values f and slopes g at both ends of 0..h, where f0 and f1 differ in sign. */
typedef struct imp_beam_cubic {
    double f0, g0, f1, g1, h;
} imp_beam_cubic;

static inline double imp_beam_cubic_at(const imp_beam_cubic *c, double t) {
    double x = t / c->h, y = 1 - x;
    return y * y * ((1 + 2 * x) * c->f0 + t * c->g0) +
           x * x * ((3 - 2 * x) * c->f1 - (c->h - t) * c->g1);
}

/* The root of the cubic, to a part 2^-halvings of h. */
static inline double imp_beam_cubic_root(const imp_beam_cubic *c, int halvings) {
    imp_bracket b = {0, c->h};
    bool positive = imp_beam_cubic_at(c, 0) > 0;
    for (int i = 0; i < halvings; i++) {
        double t = imp_bracket_middle(&b);
        imp_bracket_cut(&b, t, (imp_beam_cubic_at(c, t) > 0) == positive);
    }
    return imp_bracket_middle(&b);
}

/* Solves a problem by a modal scheme within a budget of work (imp_beam_work), each step with the
 * given relative error. `observer` may be NULL. Errors: those of PETSc, from which the caller
 * derives the outcome. */
PetscErrorCode imp_beam_collide(imp_beam_workspace *work, const imp_beam_problem *problem,
                                imp_beam_scheme scheme, double tolerance, int64_t budget,
                                imp_observer *observer, imp_beam_result *result);

/* ---- full.c: the unreduced finite elements ---- */

/* By PETSc's TSALPHA2 in even steps, in contact and in flight: another method for the same beam, to
 * check the modal ones. Second order in the step. The problem has every mode of `modes`, from which
 * the end and the energies are computed. step: in units of 1/S. Errors: those of PETSc. */
PetscErrorCode imp_beam_full(imp_beam_workspace *work, const imp_beam_problem *problem,
                             const imp_beam_modes *modes, double position, double step,
                             int64_t budget, imp_observer *observer, imp_beam_result *result);

#endif
