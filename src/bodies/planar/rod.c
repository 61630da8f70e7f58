/* Slender rod that touches the plane with its tip. */
#include "bodies/planar/body.h"
#include "num/trigonometry.h"

enum { ANGLE, VELOCITY_RATIO, MASS, LENGTH, SPIN, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle, [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [MASS] = &imp_parameter_mass,   [LENGTH] = &imp_parameter_length,
    [SPIN] = &imp_parameter_spin,
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

/* Lever L/2, moment of inertia m L^2 / 12. */
static void turning(const double *value, imp_turning *part) {
    imp_sincos angle = imp_sine_cosine(value[ANGLE]);
    double factor = 6 / (value[MASS] * value[LENGTH]);
    part[0] = (imp_turning){
        .initial = value[SPIN],
        .per_t = factor * angle.cosine,
        .per_n = factor * angle.sine,
        .arm_t = value[LENGTH] / 2 * angle.sine,
        .arm_n = -value[LENGTH] / 2 * angle.cosine,
        .inertia = value[MASS] * value[LENGTH] * value[LENGTH] / 12,
    };
}

const imp_body imp_body_rod = {
    .option = IMP_OPTION_OF("rod", "slender rod that touches with the tip", parameters),
    IMP_FREE_BODY,
};
