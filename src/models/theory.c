#include "models/theory.h"

#include <math.h>

const imp_parameter imp_parameter_friction = {
    .name = "friction",
    .unit = "1",
    .meaning = "Coulomb coefficient of friction",
    .low = 0,
    .high = INFINITY,
    .high_open = true,
    .fallback = NAN,
    .example = 0.3,
};

const imp_parameter imp_parameter_normal_speed = {
    .name = "normal_speed",
    .unit = "m/s",
    .meaning = "initial normal approach speed of the contact point",
    .low = 0,
    .high = INFINITY,
    .low_open = true,
    .high_open = true,
    .fallback = 1,
    .example = 1,
};
