/* For tests that hold for every theory with any choices. */
#ifndef TESTS_SUPPORT_EVERY_H
#define TESTS_SUPPORT_EVERY_H

#include "impact.h"

/* Calls `visit` with every combination of options of every theory, hidden ones too; of theories
 * that need PETSc, whose cells are slow, with every option but not every combination. `choices` is
 * what imp_open takes, and valid during the call. */
void every_choice(void (*visit)(const imp_theory *theory, const char *choices));

#endif
