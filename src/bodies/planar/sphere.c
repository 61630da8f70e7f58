/* Solid homogeneous sphere: its moment of inertia is 2/5 m R^2, so b11 = 1 + 5/2. */
#include "bodies/planar/body.h"

enum { VELOCITY_RATIO, MASS, RADIUS, SPIN, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [MASS] = &imp_parameter_mass,
    [RADIUS] = &imp_parameter_radius,
    [SPIN] = &imp_parameter_spin,
};

static imp_contact contact(const double *value) {
    return (imp_contact){
        .b11 = 3.5,
        .b22 = 1,
        .determinant = 3.5,
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
    };
}

static void turning(const double *value, imp_turning *part) {
    part[0] = (imp_turning){
        .initial = value[SPIN],
        .per_t = 2.5 / (value[MASS] * value[RADIUS]),
        .arm_n = -value[RADIUS],
        .inertia = 0.4 * value[MASS] * value[RADIUS] * value[RADIUS],
    };
}

const imp_body imp_body_sphere = {
    .option = IMP_OPTION_OF("sphere", "solid sphere", parameters),
    IMP_FREE_BODY,
};
