/* A cell of the theory from the drop to the end. */
#ifndef IMP_MODELS_BOUNCE_CELL_H
#define IMP_MODELS_BOUNCE_CELL_H

#include "models/bounce/state.h"

/* Follows the problem to its end: c->outcome, and c->mode where it is IMP_SOLVED. */
void imp_bounce_run(const imp_bounce_problem *problem, imp_bounce_cell *c);

#endif
