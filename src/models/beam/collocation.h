/* A collision by collocation of the force: within a step of contact the force is a polynomial that
 * fulfils the law of the contact at eight places, and each mode moves exactly under this
 * polynomial. The steps resolve the force, not the vibrations of the fast modes. Flights are exact.
 */
#ifndef IMP_MODELS_BEAM_COLLOCATION_H
#define IMP_MODELS_BEAM_COLLOCATION_H

#include "models/beam/result.h"
#include "models/beam/workspace.h"

typedef struct imp_beam_collocation imp_beam_collocation;

/* Memory and constants for any number of collisions; NULL: out of memory. The caller owns it. */
imp_beam_collocation *imp_beam_collocation_create(void);
void imp_beam_collocation_destroy(imp_beam_collocation **collocation);

/* Solves a problem, each step with the given relative error, within a budget of work
 * (imp_beam_work). `observer` may be NULL. IMP_ERR_MEMORY. */
imp_err imp_beam_collocate(imp_beam_collocation *collocation, imp_beam_workspace *work,
                           const imp_beam_problem *problem, double tolerance, int64_t budget,
                           imp_observer *observer, imp_beam_result *result);

#endif
