/* What applies in a sweep: the signatures that its choices span, and the descriptors that one parameter has
 * in them. Options may describe a parameter of one name with different ranges. */
#ifndef IMP_CONFIG_SCOPE_H
#define IMP_CONFIG_SCOPE_H

#include "config/draft.h"

/* Borrows both arrays; `variants` has room for n. */
typedef struct imp_scope {
    imp_signature *signatures;
    int n;
    const imp_parameter **variants; /* of the parameter chosen last */
    int n_variants;
} imp_scope;

/* Collects the variants of parameter p of the draft. */
void imp_scope_choose(const imp_draft *draft, imp_scope *in, int p);

/* Reports a value that no variant admits. Where some admit it the other cells are `outside`. */
void imp_scope_check_value(imp_draft *draft, const imp_scope *in, imp_place place, double value);

/* Reports that parameter p, which is given, applies nowhere, and where it does. */
void imp_scope_report_inapplicable(imp_draft *draft, const imp_scope *in, int p);

#endif
