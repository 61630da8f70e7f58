/* Slender rod that touches the plane with its tip. */
#include "bodies/body.h"
#include "num/trigonometry.h"

enum { ANGLE, VELOCITY_RATIO, MASS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle,
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [MASS] = &imp_parameter_mass,
};

static imp_contact contact(const double *value) {
    imp_sincos angle = imp_sine_cosine(value[ANGLE]);
    return (imp_contact){
        .b11 = 1 + 3 * angle.cosine * angle.cosine,
        .b12 = 3 * angle.sine * angle.cosine,
        .b22 = 1 + 3 * angle.sine * angle.sine,
        .determinant = 4,
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
    };
}

const imp_body imp_body_rod = {
    .option = {"rod", "slender rod touching with its tip", parameters, N_PARAMETERS},
    .own_mass = true,
    .contact = contact,
};
