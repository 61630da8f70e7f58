/* Solid sphere. */
#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"

enum { HEADING, VELOCITY_RATIO, MASS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [HEADING] = &imp_spatial_heading,
    [VELOCITY_RATIO] = &imp_spatial_velocity_ratio,
    [MASS] = &imp_parameter_mass,
};

static imp_spatial_contact contact(const double *value) {
    imp_inverse_mass b = {.b11 = 3.5, .b22 = 3.5, .b33 = 1};
    return imp_spatial_free(b, value[MASS], value[VELOCITY_RATIO], value[HEADING]);
}

const imp_spatial imp_spatial_sphere3d = {
    .option = {"sphere3d", "solid sphere", parameters, N_PARAMETERS},
    .own_mass = true,
    .contact = contact,
};
