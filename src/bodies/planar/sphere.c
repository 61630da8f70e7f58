/* Solid homogeneous sphere: its moment of inertia is 2/5 m R^2, so b11 = 1 + 5/2. */
#include "bodies/planar/body.h"

enum { VELOCITY_RATIO, MASS, RADIUS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [MASS] = &imp_parameter_mass,
    [RADIUS] = &imp_parameter_radius,
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
    part[0] = (imp_turning){0, 2.5 / (value[MASS] * value[RADIUS]), 0};
}

const imp_body imp_body_sphere = {
    .option = {"sphere", "solid sphere", parameters, N_PARAMETERS},
    .own_mass = true,
    .velocity_apart = true,
    .contact = contact,
    .n_parts = 1,
    .turning = turning,
};
