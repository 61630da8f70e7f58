/* Checks of uncertain parameters against the sweep. */
#ifndef IMP_CONFIG_UNCERTAIN_CHECK_H
#define IMP_CONFIG_UNCERTAIN_CHECK_H

#include "config/draft.h"
#include "config/scope.h"

/* Checks what depends on the choices: each cell has the uncertain parameters and the outputs that
 * are asked for. */
void imp_uncertain_resolve(imp_draft *draft, imp_scope *in);

/* Checks, once axes have their values, that no draw leaves the range of its parameter. */
void imp_uncertain_check_ranges(imp_draft *draft, imp_scope *in);

#endif
