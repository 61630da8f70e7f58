/* Names that users give to dimensions and variables. */
#ifndef IMP_CONFIG_NAMES_H
#define IMP_CONFIG_NAMES_H

#include "impact.h"

/* Whether every map of the theory has an object of this name, or may have: an output, its
 * dimension, the outcome. */
bool imp_is_dataset(const imp_theory *theory, const char *name);

/* Length of a dimension of outputs that is not an axis; 0: there is none of this name. */
int64_t imp_dimension_length(const imp_theory *theory, const char *name);

/* Whether it is the name of a group of refined maps. */
bool imp_is_refined_group(const char *name);

#endif
