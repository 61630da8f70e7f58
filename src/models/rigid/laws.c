#include "models/rigid/laws.h"

#include <math.h>

#include "models/theory.h"

static const imp_parameter impulse_ratio = {
    .name = "impulse_ratio",
    .unit = "1",
    .meaning = "tangential over normal impulse; positive: the tangential impulse acts along +t",
    IMP_RANGE_FINITE,
    .fallback = NAN,
    .example = -0.2,
};

/* Friction does not change a prescribed path; it only judges whether the path is possible. */
static const imp_parameter cone_of_friction = {
    .name = "friction",
    .unit = "1",
    .meaning = "Coulomb coefficient of friction; where impulse_ratio is given, only the output "
               "cone uses it",
    IMP_RANGE_NOT_NEGATIVE,
    .fallback = 1e6,
    .example = 0.3,
};

#define WEIGHT(of)                                                                                 \
    {                                                                                              \
        .name = "weight_" of, .unit = "1",                                                         \
        .meaning = "weight of the law " of " in the compromise", IMP_RANGE_NOT_NEGATIVE,           \
        .fallback = 1, .example = 1                                                                \
    }
static const imp_parameter weight_poisson = WEIGHT("poisson");
static const imp_parameter weight_energetic = WEIGHT("energetic");

static const imp_parameter *const with_friction[] = {&imp_parameter_friction};
static const imp_parameter *const with_weights[] = {[IMP_RIGID_FRICTION] = &imp_parameter_friction,
                                                    [IMP_RIGID_WEIGHT_POISSON] = &weight_poisson,
                                                    [IMP_RIGID_WEIGHT_ENERGETIC] =
                                                        &weight_energetic};
static const imp_parameter *const with_ratio[] = {
    [IMP_RIGID_FRICTION] = &impulse_ratio, [IMP_RIGID_CONE_OF_FRICTION] = &cone_of_friction};

#define LAW(name, meaning, parameters, path, rebound, more)                                        \
    static const imp_option option_##name = {#name, meaning, parameters, IMP_COUNT(parameters)};
#include "models/rigid/laws.def"
#undef LAW

const imp_option *const imp_rigid_laws[IMP_RIGID_N_LAWS] = {
#define LAW(name, meaning, parameters, path, rebound, more) &option_##name,
#include "models/rigid/laws.def"
#undef LAW
};

const imp_rigid_behaviour imp_rigid_behaviours[IMP_RIGID_N_LAWS] = {
#define LAW(name, meaning, parameters, path, rebound, more) {path, rebound, more},
#include "models/rigid/laws.def"
#undef LAW
};
