/* For tests that hold for every theory with any choices. */
#ifndef TESTS_SUPPORT_EVERY_H
#define TESTS_SUPPORT_EVERY_H

#include "impact.h"

/* Calls `visit` with every combination of options of every theory, hidden ones too, that this build
 * can solve; of slow theories with every option but not every combination. `choices` is what
 * imp_open takes, and valid during the call. */
void every_choice(void (*visit)(const imp_theory *theory, const char *choices));

/* Whether cells of the theory take long: PETSc may solve them. */
bool every_is_slow(const imp_theory *theory);

/* Whether cells of the theory take tenths of a millisecond: digests have fewer of them. */
bool every_is_long(const imp_theory *theory);

/* Whether choices as every_choice gives them need PETSc. */
bool every_needs_petsc(const imp_theory *theory, const char *choices);

#endif
