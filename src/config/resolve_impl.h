/* The parts of imp_draft_resolve, beside resolve.c itself and follow.c. Private to them. */
#ifndef IMP_CONFIG_RESOLVE_IMPL_H
#define IMP_CONFIG_RESOLVE_IMPL_H

#include "config/scope.h"

/* ---- defaults.c: parameters that the user leaves out. A map has one value for all cells ---- */

/* The input that each parameter of a signature takes its value from; see imp_signature_sources. A
 * misspelt name counts as given. */
bool imp_default_sources(const imp_draft *draft, const imp_signature *s, int *source,
                         int rivals[2]);

/* Fixes the parameter chosen last in the scope, which is not given, to its default if cells need
 * it. Reports it as missing if these cells have no default, or not all the same. */
void imp_default_resolve(imp_draft *draft, const imp_scope *in);

/* ---- followers.c: the values that formulas give in the cells of a sweep ---- */

/* Warns of formulas that leave the ranges of their parameters in some of the cells, which will be
 * `outside`, and reports an error where a formula leaves the range in every cell. Looks at all
 * values of the axes that the formulas read, or at 1e5 combinations of them that are spread evenly.
 * Formulas of a parameter that is searched over are left out: the search records the share of its
 * range that is outside. The sweep is complete, its axes are laid out. */
void imp_followers_check(imp_draft *draft, imp_scope *in);

/* ---- shared.c: parameters that several cases share by name ---- */

/* Reports an axis of parameter p of the draft, which is given, that a case does not know. Without
 * cases it does nothing. */
void imp_shared_check(imp_draft *draft, const imp_scope *in, int p);

/* Reports given parameters that have other units in other cases, once the fixed values are known.
 * Without cases it does nothing. */
void imp_shared_check_units(imp_draft *draft, const imp_scope *in);

/* Reports parameters that formulas of cases read, and that neither the case nor the map gives. */
void imp_shared_check_formulas(imp_draft *draft);

/* ---- uncertain_check.c: uncertain parameters against the sweep ---- */

/* Checks what depends on the choices: each cell has the uncertain parameters and the outputs that
 * are asked for. */
void imp_uncertain_resolve(imp_draft *draft, imp_scope *in);

/* Checks, once axes have their values, that no draw leaves the range of its parameter. */
void imp_uncertain_check_ranges(imp_draft *draft, imp_scope *in);

#endif
