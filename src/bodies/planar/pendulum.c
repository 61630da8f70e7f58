/* Solid sphere on a massless link that turns about a fixed pivot: the contact point can only move
 * at right angles to the link, so B has rank one by construction and v_t(0) = -|v_n(0)|
 * cot(angle). */
#include "bodies/planar/body.h"

#include "num/trigonometry.h"

enum { ANGLE, MASS, LENGTH, RADIUS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_link_angle,
    [MASS] = IMP_PARAMETER(
        "mass", "kg",
        "mass of the solid sphere; with the default radius 0 the moment of inertia about the pivot "
        "over the square of the distance from the pivot to the contact point",
        IMP_RANGE_POSITIVE, .fallback = 1, .example = 1),
    [LENGTH] = IMP_PARAMETER(
        "length", "m",
        "distance from the pivot to the sphere's centre, taken as that to the contact point",
        IMP_RANGE_POSITIVE, .fallback = 1, .example = 0.1),
    [RADIUS] = IMP_PARAMETER("radius", "m",
                             "radius of the sphere, at most the length; the moment of inertia "
                             "about the pivot is mass (length^2 + 0.4 radius^2)",
                             IMP_RANGE_NOT_NEGATIVE, .fallback = 0, .example = 0.005),
};

static imp_contact contact(const double *value) {
    imp_sincos link = imp_sine_cosine(value[ANGLE]);
    double share = value[RADIUS] / value[LENGTH];
    return (imp_contact){
        .b11 = link.cosine * link.cosine,
        .b12 = link.sine * link.cosine,
        .b22 = link.sine * link.sine,
        .mass = value[MASS] * (1 + 0.4 * share * share),
        .velocity_ratio = -link.cosine / link.sine,
        .constrained = true,
        .outside = !(link.sine * link.sine > 0) || !(share <= 1),
    };
}

const imp_body imp_body_pendulum = {
    .option =
        IMP_OPTION_OF("pendulum", "sphere on a massless link about a fixed pivot", parameters),
    .contact = contact,
};
