#include "models/rigid/laws.h"

#include <math.h>

#include "models/theory.h"

static const imp_parameter *const with_friction[] = {&imp_parameter_friction};
static const imp_parameter *const with_weights[] = {
    [IMP_RIGID_FRICTION] = &imp_parameter_friction,
    [IMP_RIGID_WEIGHT_POISSON] = &imp_parameter_weight_poisson,
    [IMP_RIGID_WEIGHT_ENERGETIC] = &imp_parameter_weight_energetic};
/* Friction does not change a prescribed path; it only judges whether the path is possible. */
static const imp_parameter *const with_ratio[] = {
    [IMP_RIGID_FRICTION] = IMP_PARAMETER(
        "impulse_ratio", "1",
        "tangential over normal impulse; positive: the tangential impulse acts along +t",
        IMP_RANGE_FINITE, .fallback = NAN, .example = -0.2),
    [IMP_RIGID_CONE_OF_FRICTION] =
        IMP_PARAMETER("friction", "1",
                      "Coulomb coefficient of friction, which only the output cone needs where "
                      "impulse_ratio is given",
                      IMP_RANGE_NOT_NEGATIVE, .fallback = 1e6, .example = 0.3)};

const imp_option *const imp_rigid_laws[IMP_RIGID_N_LAWS] = {
#define LAW(name, meaning, parameters, ...) IMP_OPTION_WITH(#name, meaning, parameters),
#include "models/rigid/laws.def"
};

const imp_rigid_more imp_rigid_more_of[IMP_RIGID_N_LAWS] = {
#define LAW(name, meaning, parameters, path, rebound, more) more,
#include "models/rigid/laws.def"
};
