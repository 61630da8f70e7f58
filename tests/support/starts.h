/* Drops of `bounce` that start on the plane: their first impact as a cell of another theory. */
#ifndef TESTS_SUPPORT_STARTS_H
#define TESTS_SUPPORT_STARTS_H

#include "models/bounce/state.h"
#include "support/batch.h"

/* The impact with which drop p began, which was solved as *cell, as a cell of body=lamina; the
 * test gives what else the theory needs, solves and closes it. */
batch starts_impact(const imp_bounce_problem *p, const imp_bounce_cell *cell, const char *theory,
                    const char *choices);

#endif
