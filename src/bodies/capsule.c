/* Solid homogeneous cylinder with hemispherical ends, touching with one of them. */
#include "bodies/body.h"

#include <math.h>

#include "num/trigonometry.h"

enum { ANGLE, VELOCITY_RATIO, SLENDERNESS, MASS, N_PARAMETERS };

static const imp_parameter slenderness = {
    .name = "slenderness",
    .unit = "1",
    .meaning = "length of the cylinder over the radius of its hemispherical ends",
    .low = 0,
    .high = INFINITY,
    .low_open = true,
    .high_open = true,
    .fallback = NAN,
    .example = 5,
};

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle,
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [SLENDERNESS] = &slenderness,
    [MASS] = &imp_parameter_mass,
};

/* Square of the gyration radius about the mass centre, across the axis. */
static double gyration_squared(double radius, double length) {
    double inertia = 8.0 / 15 * radius * radius * radius + 0.75 * radius * radius * length +
                     radius * length * length / 3 + length * length * length / 12;
    return inertia / (4.0 / 3 * radius + length);
}

static imp_contact contact(const double *value) {
    double slender = value[SLENDERNESS];
    /* The longer of radius and length is 1. */
    double radius = slender > 1 ? 1 / slender : 1, length = slender > 1 ? 1 : slender;
    imp_sincos angle = imp_sine_cosine(value[ANGLE]);
    /* Contact, centre of the hemisphere and mass centre are a triangle: the first side is the
     * radius along the normal, the second half the length along the axis, the third the lever. */
    double across = radius * angle.sine, half = 0.5 * length;
    double lever = radius * angle.cosine + sqrt(fmax(0, half * half - across * across));
    double turn = lever * lever / gyration_squared(radius, length);
    return (imp_contact){
        .b11 = 1 + turn * angle.cosine * angle.cosine,
        .b12 = turn * angle.sine * angle.cosine,
        .b22 = 1 + turn * angle.sine * angle.sine,
        .determinant = 1 + turn,
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
        /* There the axis lies in the plane: at larger angles the cylinder touches, or the other
         * end does. */
        .outside = !(fabs(across) <= half * angle.cosine),
    };
}

const imp_body imp_body_capsule = {
    .option = {"capsule", "solid cylinder with hemispherical ends", parameters, N_PARAMETERS},
    .own_mass = true,
    .velocity_apart = true,
    .contact = contact,
};
