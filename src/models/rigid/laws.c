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
    .meaning =
        "Coulomb coefficient of friction, which only the output cone needs where impulse_ratio "
        "is given",
    IMP_RANGE_NOT_NEGATIVE,
    .fallback = 1e6,
    .example = 0.3,
};

static const imp_parameter *const with_friction[] = {&imp_parameter_friction};
static const imp_parameter *const with_weights[] = {
    [IMP_RIGID_FRICTION] = &imp_parameter_friction,
    [IMP_RIGID_WEIGHT_POISSON] = &imp_parameter_weight_poisson,
    [IMP_RIGID_WEIGHT_ENERGETIC] = &imp_parameter_weight_energetic};
static const imp_parameter *const with_ratio[] = {
    [IMP_RIGID_FRICTION] = &impulse_ratio, [IMP_RIGID_CONE_OF_FRICTION] = &cone_of_friction};

#define LAW(name, meaning, parameters, path, rebound, more)                                        \
    static const imp_option option_##name = {#name, meaning, parameters, IMP_COUNT(parameters),    \
                                             .without_petsc = NULL};
#include "models/rigid/laws.def"
#undef LAW

const imp_option *const imp_rigid_laws[IMP_RIGID_N_LAWS] = {
#define LAW(name, meaning, parameters, path, rebound, more) &option_##name,
#include "models/rigid/laws.def"
#undef LAW
};

const imp_rigid_more imp_rigid_more_of[IMP_RIGID_N_LAWS] = {
#define LAW(name, meaning, parameters, path, rebound, more) more,
#include "models/rigid/laws.def"
#undef LAW
};
