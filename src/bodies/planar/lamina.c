/* Any plane body, given by its contact point relative to its mass centre. */
#include "bodies/planar/body.h"

#include <math.h>

enum { OFFSET_T, OFFSET_N, GYRATION_RADIUS, VELOCITY_RATIO, MASS, SPIN, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [OFFSET_T] = &imp_parameter_offset_t,
    [OFFSET_N] = &imp_parameter_offset_n,
    [GYRATION_RADIUS] = &imp_parameter_gyration_radius,
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [MASS] = &imp_parameter_mass,
    [SPIN] = &imp_parameter_spin,
};

static imp_contact contact(const double *value) {
    double t = value[OFFSET_T] / value[GYRATION_RADIUS];
    double n = value[OFFSET_N] / value[GYRATION_RADIUS];
    bool far = !(fabs(t) <= IMP_LONGEST_LEVER && fabs(n) <= IMP_LONGEST_LEVER);
    double determinant = 1 + t * t + n * n;
    return (imp_contact){
        .b11 = 1 + n * n,
        .b12 = -t * n,
        .b22 = 1 + t * t,
        .determinant = determinant,
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
        .outside = far || !(determinant > IMP_CONSTRAINED_LAMINA * (1 + n * n) * (1 + t * t)),
    };
}

static void turning(const double *value, imp_turning *part) {
    double inertia = value[MASS] * value[GYRATION_RADIUS] * value[GYRATION_RADIUS];
    part[0] = (imp_turning){
        .initial = value[SPIN],
        .per_t = -value[OFFSET_N] / inertia,
        .per_n = value[OFFSET_T] / inertia,
        .arm_t = value[OFFSET_T],
        .arm_n = value[OFFSET_N],
        .inertia = inertia,
    };
}

const imp_body imp_body_lamina = {
    .option = IMP_OPTION_OF(
        "lamina", "plane body, given by the contact point relative to the mass centre", parameters),
    IMP_FREE_BODY,
};
