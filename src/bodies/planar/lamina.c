/* Any plane body, given by its contact point relative to its mass centre. */
#include "bodies/planar/body.h"

#include <math.h>

enum { OFFSET_T, OFFSET_N, GYRATION_RADIUS, VELOCITY_RATIO, MASS, SPIN, N_PARAMETERS };

static const imp_parameter offset_t = {
    .name = "offset_t",
    .unit = "m",
    .meaning =
        "distance from the mass centre to the contact point along the plane, positive toward +t",
    IMP_RANGE_FINITE,
    .fallback = NAN,
    .example = 0.5,
};

static const imp_parameter offset_n = {
    .name = "offset_n",
    .unit = "m",
    .meaning = "distance from the mass centre to the contact point along the plane's normal, "
               "positive away from the plane",
    IMP_RANGE_FINITE,
    .fallback = NAN,
    .example = -1,
};

static const imp_parameter gyration_radius = {
    .name = "gyration_radius",
    .unit = "m",
    .meaning = "square root of the moment of inertia about the mass centre over the mass",
    IMP_RANGE_POSITIVE,
    .fallback = 1,
    .example = 1,
};

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [OFFSET_T] = &offset_t,
    [OFFSET_N] = &offset_n,
    [GYRATION_RADIUS] = &gyration_radius,
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [MASS] = &imp_parameter_mass,
    [SPIN] = &imp_parameter_spin,
};

/* Beyond this many gyration radii a lever's square leaves no digit for the body's own mass. */
static const double longest_lever = 1e8;

/* Least determinant over b11 b22. Below, the body is a mass on a long stiff arm: within rounding it
 * is constrained, and its velocity would have to be in the range of B. */
static const double singular = 1e-12;

static imp_contact contact(const double *value) {
    double t = value[OFFSET_T] / value[GYRATION_RADIUS];
    double n = value[OFFSET_N] / value[GYRATION_RADIUS];
    bool far = !(fabs(t) <= longest_lever && fabs(n) <= longest_lever);
    double determinant = 1 + t * t + n * n;
    return (imp_contact){
        .b11 = 1 + n * n,
        .b12 = -t * n,
        .b22 = 1 + t * t,
        .determinant = determinant,
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
        .outside = far || !(determinant > singular * (1 + n * n) * (1 + t * t)),
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
    .option = {"lamina", "plane body, given by the contact point relative to the mass centre",
               parameters, N_PARAMETERS},
    .own_mass = true,
    .spin = SPIN,
    .velocity_apart = true,
    .contact = contact,
    .n_parts = 1,
    .turning = turning,
};
