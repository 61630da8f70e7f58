/* Any free plane body: the principal values of B are (1 +- inertia_coupling) / mass. */
#include "bodies/planar/body.h"

#include <math.h>

#include "num/trigonometry.h"

enum { ANGLE, VELOCITY_RATIO, INERTIA_COUPLING, MASS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_angle,
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [INERTIA_COUPLING] = IMP_PARAMETER(
        "inertia_coupling", "1",
        "difference of the principal inverse masses at the contact point over their sum", .low = 0,
        .high = 1, .high_open = true, .fallback = NAN, .example = 0.6),
    [MASS] = IMP_PARAMETER(
        "mass", "kg",
        "inverse of the mean of the two principal inverse masses at the contact point",
        IMP_RANGE_POSITIVE, .fallback = 1, .example = 1),
};

static imp_contact contact(const double *value) {
    double coupling = value[INERTIA_COUPLING];
    imp_sincos twice = imp_sine_cosine(2 * value[ANGLE]);
    return (imp_contact){
        .b11 = 1 + coupling * twice.cosine,
        .b12 = coupling * twice.sine,
        .b22 = 1 - coupling * twice.cosine,
        .determinant = (1 - coupling) * (1 + coupling),
        .mass = value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
    };
}

const imp_body imp_body_general = {
    .option = IMP_OPTION_OF("general", "any free body, given by the inertia_coupling", parameters),
    .velocity_apart = true,
    .contact = contact,
};
