/* Inputs of the tables of codes. */
#ifndef IMP_CONFIG_ENGINE_INPUTS_H
#define IMP_CONFIG_ENGINE_INPUTS_H

#include <math.h>

#include "base/tables.h"
#include "config/engine.h"

/* Rows that every code has, first in its table. */
enum { MASS, FRICTION, VELOCITY_RATIO, NORMAL_SPEED, N_SHARED };

#define POSITIVE(title, measure, text, otherwise)                                                  \
    .parameter = IMP_PARAMETER_OF(title, measure, text, IMP_RANGE_POSITIVE,                        \
                                  .fallback = (otherwise), .example = 1)
#define NOT_NEGATIVE(title, measure, text, otherwise)                                              \
    .parameter = IMP_PARAMETER_OF(title, measure, text, IMP_RANGE_NOT_NEGATIVE,                    \
                                  .fallback = (otherwise), .example = 1)
#define SHARE(title, text, otherwise)                                                              \
    .parameter = IMP_PARAMETER_OF(title, "1", text, .low = 0, .high = 1, .low_open = true,         \
                                  .fallback = (otherwise), .example = 0.9)
#define FLAG(title, text, otherwise, names)                                                        \
    .parameter = IMP_PARAMETER_OF(title, "1", text, .low = 0, .high = 1, .whole = true,            \
                                  .words = (names), .fallback = (otherwise), .example = 0)

#define PAIR_MASS "effective mass of the pair; against a fixed body the mass of the sphere"
#define SHARED(mass_meaning, friction_names)                                                       \
    [MASS] = {POSITIVE("mass", "kg", mass_meaning, 1), .others = "m meff m_eff effective_mass"},   \
    [FRICTION] = {.parameter =                                                                     \
                      IMP_PARAMETER_OF("mu", "1", "coefficient of friction",                       \
                                       IMP_RANGE_NOT_NEGATIVE, .fallback = 0, .example = 0.3),     \
                  .others = (friction_names)},                                                     \
    [VELOCITY_RATIO] = {.parameter = IMP_PARAMETER_OF(                                             \
                            "velocity_ratio", "1",                                                 \
                            "tangential over normal speed of the contact point before",            \
                            IMP_RANGE_FINITE, .fallback = 0, .example = 0.5)},                     \
    [NORMAL_SPEED] = {                                                                             \
        POSITIVE("normal_speed", "m/s", "normal speed of the contact point before the impact", 1), \
        .others = "vn"}

#define INPUTS(table) .inputs = (table), .n_inputs = IMP_COUNT(table)

#endif
