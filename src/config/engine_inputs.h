/* Inputs of the tables of codes. */
#ifndef IMP_CONFIG_ENGINE_INPUTS_H
#define IMP_CONFIG_ENGINE_INPUTS_H

#include <math.h>

#include "base/ranges.h"
#include "config/engine.h"

/* Rows that every code has, first in its table. */
enum { MASS, FRICTION, VELOCITY_RATIO, NORMAL_SPEED, N_SHARED };

#define SHARED(mass_meaning, friction_names)                                                       \
    [MASS] = {{.name = "mass",                                                                     \
               .unit = "kg",                                                                       \
               .meaning = (mass_meaning),                                                          \
               IMP_RANGE_POSITIVE,                                                                 \
               .fallback = 1,                                                                      \
               .example = 1},                                                                      \
              "m meff m_eff effective_mass",                                                       \
              false},                                                                              \
    [FRICTION] = {{.name = "mu",                                                                   \
                   .unit = "1",                                                                    \
                   .meaning = "coefficient of friction",                                           \
                   IMP_RANGE_NOT_NEGATIVE,                                                         \
                   .fallback = 0,                                                                  \
                   .example = 0.3},                                                                \
                  (friction_names),                                                                \
                  false},                                                                          \
    [VELOCITY_RATIO] = {{.name = "velocity_ratio",                                                 \
                         .unit = "1",                                                              \
                         .meaning = "tangential over normal speed of the contact point before",    \
                         .low = -INFINITY,                                                         \
                         .high = INFINITY,                                                         \
                         .low_open = true,                                                         \
                         .high_open = true,                                                        \
                         .fallback = 0,                                                            \
                         .example = 0.5},                                                          \
                        "",                                                                        \
                        false},                                                                    \
    [NORMAL_SPEED] = {{.name = "normal_speed",                                                     \
                       .unit = "m/s",                                                              \
                       .meaning = "normal speed of the contact point before the impact",           \
                       IMP_RANGE_POSITIVE,                                                         \
                       .fallback = 1,                                                              \
                       .example = 1},                                                              \
                      "vn",                                                                        \
                      false}

#define PAIR_MASS "effective mass of the pair; against a fixed body the mass of the sphere"
#define POSITIVE(title, measure, text, otherwise)                                                  \
    {                                                                                              \
        .name = (title), .unit = (measure), .meaning = (text), IMP_RANGE_POSITIVE,                 \
        .fallback = (otherwise), .example = 1                                                      \
    }
#define NOT_NEGATIVE(title, measure, text, otherwise)                                              \
    {                                                                                              \
        .name = (title), .unit = (measure), .meaning = (text), IMP_RANGE_NOT_NEGATIVE,             \
        .fallback = (otherwise), .example = 1                                                      \
    }
#define SHARE(title, text, otherwise)                                                              \
    {                                                                                              \
        .name = (title), .unit = "1", .meaning = (text), .low = 0, .high = 1, .low_open = true,    \
        .fallback = (otherwise), .example = 0.9                                                    \
    }
#define FLAG(title, text, otherwise, names)                                                        \
    {                                                                                              \
        .name = (title), .unit = "1", .meaning = (text), .low = 0, .high = 1, .whole = true,       \
        .words = (names), .fallback = (otherwise), .example = 0                                    \
    }

#define INPUTS(table) .inputs = (table), .n_inputs = IMP_COUNT(table)

#endif
