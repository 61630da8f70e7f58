/* Overrides by --set other than one value: a setting, or an axis as AXIS=FROM:TO:POINTS[:SPACING]
 * or AXIS=[VALUE, VALUE, ...]. */
#ifndef IMP_CONFIG_OVERRIDE_H
#define IMP_CONFIG_OVERRIDE_H

#include "config/words.h"

/* An imp_word_taker. The axis of a parameter or choice gets new values; the axis keeps its place,
 * and a range keeps its spacing unless SPACING is given. Reports errors. */
bool imp_override_take(imp_draft *draft, imp_place place, const char *key, imp_named named,
                       const char *value);

#endif
