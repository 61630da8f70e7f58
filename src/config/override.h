/* What --set makes of an axis: AXIS=FROM:TO:POINTS[:SPACING] or AXIS=[VALUE, VALUE, ...]. */
#ifndef IMP_CONFIG_OVERRIDE_H
#define IMP_CONFIG_OVERRIDE_H

#include "config/draft.h"

/* Whether a value is that of a whole axis. */
bool imp_override_is_axis(const char *value);

/* Gives the axis of a parameter or choice new values; the axis keeps its place among the others, and a
 * range its spacing unless SPACING says otherwise. Reports what is wrong. key: the name that was
 * written, `named`: what it means. */
void imp_override_axis(imp_draft *draft, imp_place place, const char *key, imp_named named,
                       const char *value);

#endif
