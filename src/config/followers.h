/* The values that formulas give in the cells of a sweep. */
#ifndef IMP_CONFIG_FOLLOWERS_H
#define IMP_CONFIG_FOLLOWERS_H

#include "config/scope.h"

/* Warns of formulas that leave the ranges of their parameters in some of the cells, which will be
 * `outside`, and reports an error where a formula leaves the range in every cell. Looks at all
 * values of the axes that the formulas read, or at 1e5 combinations of them that are spread evenly.
 * Formulas of a parameter that is searched over are left out: the search records the share of its
 * range that is outside. The sweep is complete, its axes are laid out. */
void imp_followers_check(imp_draft *draft, imp_scope *in);

#endif
