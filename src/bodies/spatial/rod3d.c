/* Slender rod that touches the plane with its tip, in any direction. */
#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"
#include "num/trigonometry.h"

enum { ANGLE, AZIMUTH, HEADING, VELOCITY_RATIO, MASS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle,   [AZIMUTH] = &imp_spatial_azimuth,
    [HEADING] = &imp_spatial_heading, [VELOCITY_RATIO] = &imp_spatial_velocity_ratio,
    [MASS] = &imp_parameter_mass,
};

/* 4 across the rod, 1 along it; the rod stands along (-sin angle, 0, cos angle). */
static imp_spatial_contact contact(const double *value) {
    imp_sincos angle = imp_sine_cosine(value[ANGLE]);
    imp_inverse_mass upright = {
        .b11 = 1 + 3 * angle.cosine * angle.cosine,
        .b13 = 3 * angle.sine * angle.cosine,
        .b22 = 4,
        .b33 = 1 + 3 * angle.sine * angle.sine,
    };
    imp_inverse_mass b = imp_inverse_mass_turned(upright, value[AZIMUTH]);
    return imp_spatial_free(b, value[MASS], value[VELOCITY_RATIO], value[HEADING]);
}

const imp_spatial imp_spatial_rod3d = {
    .option = {"rod3d", "slender rod that touches with the tip", parameters, N_PARAMETERS},
    .own_mass = true,
    .contact = contact,
};
