/* Defaults of parameters that the user leaves out. A map has one value for all of its cells. */
#ifndef IMP_CONFIG_DEFAULTS_H
#define IMP_CONFIG_DEFAULTS_H

#include "config/scope.h"

/* The input that each parameter of a signature takes its value from; see imp_signature_sources. A
 * misspelt name counts as given. */
bool imp_default_sources(const imp_draft *draft, const imp_signature *s, int *source,
                         int rivals[2]);

/* Fixes the parameter chosen last in the scope, which is not given, to its default if cells need
 * it. Reports it as missing if these cells have no default, or not all the same. */
void imp_default_resolve(imp_draft *draft, const imp_scope *in);

#endif
