/* Solid sphere. */
#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"

enum { HEADING, VELOCITY_RATIO, MASS, RADIUS, SPIN_1, SPIN_2, SPIN_3, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [MASS] = &imp_parameter_mass,
    [RADIUS] = &imp_parameter_radius,
    IMP_SPATIAL_MOTION,
};

static imp_spatial_contact contact(const double *value) {
    imp_inverse_mass b = {.b11 = 3.5, .b22 = 3.5, .b33 = 1};
    return imp_spatial_free(b, value[MASS], value[VELOCITY_RATIO], value[HEADING]);
}

static void turning(const double *value, imp_spatial_turning *part) {
    double inertia = 0.4 * value[MASS] * value[RADIUS] * value[RADIUS];
    *part = (imp_spatial_turning){
        .arm = {0, 0, -value[RADIUS]},
        .initial = {value[SPIN_1], value[SPIN_2], value[SPIN_3]},
        .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        .inertia = {inertia, inertia, inertia},
    };
}

const imp_spatial imp_spatial_sphere3d = {
    .option = IMP_OPTION_OF("sphere3d", "solid sphere", parameters),
    .contact = contact,
    .turning = turning,
};
