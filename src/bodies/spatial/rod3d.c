/* Slender rod that touches the plane with its tip, in any direction. */
#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"
#include "num/trigonometry.h"

enum { ANGLE, AZIMUTH, HEADING, VELOCITY_RATIO, MASS, LENGTH, OF_SPIN };
enum { SPIN_1 = OF_SPIN, SPIN_2, SPIN_3, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle,
    [AZIMUTH] = &imp_spatial_azimuth,
    [MASS] = &imp_parameter_mass,
    [LENGTH] = &imp_parameter_length,
    IMP_SPATIAL_MOTION,
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

/* The axis of the rod leads from the tip to the mass centre; the second axis lies in the plane. */
static void turning(const double *value, imp_spatial_turning *part) {
    imp_sincos lean = imp_sine_cosine(value[ANGLE]), turn = imp_sine_cosine(value[AZIMUTH]);
    double half = value[LENGTH] / 2;
    double inertia = value[MASS] * value[LENGTH] * value[LENGTH] / 12;
    double along_1 = -lean.sine * turn.cosine, along_2 = -lean.sine * turn.sine;
    *part = (imp_spatial_turning){
        .arm = {-half * along_1, -half * along_2, -half * lean.cosine},
        .initial = {value[SPIN_1], value[SPIN_2], value[SPIN_3]},
        .axis = {{along_1, along_2, lean.cosine},
                 {-turn.sine, turn.cosine, 0},
                 {-lean.cosine * turn.cosine, -lean.cosine * turn.sine, -lean.sine}},
        .inertia = {0, inertia, inertia},
    };
}

const imp_spatial imp_spatial_rod3d = {
    .option = IMP_OPTION_OF("rod3d", "slender rod that touches with the tip", parameters),
    .contact = contact,
    .turning = turning,
};
