/* Solid sphere on a massless link that turns about a fixed pivot: the contact point can only move
 * at right angles to the link, so B has rank one by construction and v_t(0) = -|v_n(0)|
 * cot(angle). */
#include "bodies/planar/body.h"

#include <math.h>

#include "num/trigonometry.h"

enum { ANGLE, MASS, N_PARAMETERS };

static const imp_parameter mass = {
    .name = "mass",
    .unit = "kg",
    .meaning =
        "moment of inertia about the pivot over the square of the distance l from the pivot to the "
        "contact point: m (1 + 0.4 R^2 / l^2) for a solid sphere of mass m and radius R",
    IMP_RANGE_POSITIVE,
    .fallback = 1,
    .example = 1,
};

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_link_angle,
    [MASS] = &mass,
};

static imp_contact contact(const double *value) {
    imp_sincos link = imp_sine_cosine(value[ANGLE]);
    return (imp_contact){
        .b11 = link.cosine * link.cosine,
        .b12 = link.sine * link.cosine,
        .b22 = link.sine * link.sine,
        .mass = value[MASS],
        .velocity_ratio = -link.cosine / link.sine,
        .constrained = true,
        .outside = !(link.sine * link.sine > 0),
    };
}

const imp_body imp_body_pendulum = {
    .option = {"pendulum", "sphere on a massless link about a fixed pivot", parameters,
               N_PARAMETERS},
    .contact = contact,
};
