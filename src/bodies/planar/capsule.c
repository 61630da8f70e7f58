/* Solid homogeneous cylinder with hemispherical ends, touching with one of them. */
#include "bodies/planar/body.h"

#include <math.h>

#include "num/larger.h"
#include "num/trigonometry.h"

enum { ANGLE, VELOCITY_RATIO, SLENDERNESS, MASS, RADIUS, SPIN, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle,
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [SLENDERNESS] = &imp_parameter_slenderness,
    [MASS] = &imp_parameter_mass,
    [RADIUS] = &imp_parameter_radius,
    [SPIN] = &imp_parameter_spin,
};

double imp_capsule_gyration_squared(double radius, double length) {
    double inertia = 8.0 / 15 * radius * radius * radius + 0.75 * radius * radius * length +
                     radius * length * length / 3 + length * length * length / 12;
    return inertia / (4.0 / 3 * radius + length);
}

/* Geometry of the contact; lengths in units of the longer of radius and length. */
typedef struct pose {
    imp_sincos angle;
    double radius, across, half, lever, gyration_squared;
} pose;

static pose pose_of(const double *value) {
    double slender = value[SLENDERNESS];
    double radius = slender > 1 ? 1 / slender : 1, length = slender > 1 ? 1 : slender;
    pose at = {.angle = imp_sine_cosine(value[ANGLE]), .radius = radius, .half = 0.5 * length};
    /* Contact, centre of the hemisphere and mass centre are a triangle: the first side is the
     * radius along the normal, the second half the length along the axis, the third the lever. */
    at.across = radius * at.angle.sine;
    at.lever =
        radius * at.angle.cosine + sqrt(imp_larger(at.half * at.half - at.across * at.across, 0));
    at.gyration_squared = imp_capsule_gyration_squared(radius, length);
    return at;
}

static imp_contact contact(const double *value) {
    pose at = pose_of(value);
    double turn = at.lever * at.lever / at.gyration_squared;
    return (imp_contact){
        .b11 = 1 + turn * at.angle.cosine * at.angle.cosine,
        .b12 = turn * at.angle.sine * at.angle.cosine,
        .b22 = 1 + turn * at.angle.sine * at.angle.sine,
        .determinant = 1 + turn,
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
        /* At the limit the cylinder lies along the plane: beyond it the cylinder touches, or the
         * other end does. */
        .outside = !(fabs(at.across) <= at.half * at.angle.cosine),
    };
}

static void turning(const double *value, imp_turning *part) {
    pose at = pose_of(value);
    double unit = value[RADIUS] / at.radius;
    double factor = at.lever / (at.gyration_squared * value[MASS] * unit);
    double arm = at.lever * unit;
    part[0] = (imp_turning){
        .initial = value[SPIN],
        .per_t = factor * at.angle.cosine,
        .per_n = factor * at.angle.sine,
        .arm_t = arm * at.angle.sine,
        .arm_n = -arm * at.angle.cosine,
        .inertia = value[MASS] * at.gyration_squared * unit * unit,
    };
}

const imp_body imp_body_capsule = {
    .option = IMP_OPTION_OF("capsule", "solid cylinder with hemispherical ends", parameters),
    IMP_FREE_BODY,
};
