/* Parameters that several cases share by name. */
#ifndef IMP_CONFIG_SHARED_H
#define IMP_CONFIG_SHARED_H

#include "config/scope.h"

/* Reports an axis of parameter p of the draft, which is given, that a case does not know. Without
 * cases it does nothing. */
void imp_shared_check(imp_draft *draft, const imp_scope *in, int p);

/* Reports given parameters that have other units in other cases, once the fixed values are known.
 * Without cases it does nothing. */
void imp_shared_check_units(imp_draft *draft, const imp_scope *in);

/* Reports parameters that formulas of cases read, and that neither the case nor the map gives. */
void imp_shared_check_formulas(imp_draft *draft);

#endif
