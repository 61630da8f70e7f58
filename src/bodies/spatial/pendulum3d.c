/* Mass on a massless link that turns about a fixed point: its tip can only move at right angles to
 * the link, so B is singular by construction and v1(0) = -|v3(0)| cot(angle) before the turn by the
 * azimuth. */
#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"

#include <math.h>

#include "num/trigonometry.h"

enum { ANGLE, AZIMUTH, SWERVE_RATIO, MASS, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [ANGLE] = &imp_parameter_link_angle,
    [AZIMUTH] = &imp_spatial_azimuth,
    [SWERVE_RATIO] = IMP_PARAMETER("swerve_ratio", "1",
                                   "initial velocity perpendicular to the plane of link and "
                                   "normal, over the normal approach speed",
                                   IMP_RANGE_FINITE, .fallback = NAN, .example = 0.5),
    [MASS] = IMP_PARAMETER("mass", "kg",
                           "moment of inertia about the pivot over the square of the distance from "
                           "the pivot to the contact point",
                           IMP_RANGE_POSITIVE, .fallback = 1, .example = 1),
};

static imp_spatial_contact contact(const double *value) {
    imp_sincos link = imp_sine_cosine(value[ANGLE]), turn = imp_sine_cosine(value[AZIMUTH]);
    imp_inverse_mass b = {
        .b11 = link.cosine * link.cosine,
        .b13 = link.sine * link.cosine,
        .b22 = 1,
        .b33 = link.sine * link.sine,
    };
    double along = -link.cosine / link.sine, across = value[SWERVE_RATIO];
    return (imp_spatial_contact){
        .b = imp_inverse_mass_turned(b, value[AZIMUTH]),
        .mass = value[MASS],
        .v1 = turn.cosine * along - turn.sine * across,
        .v2 = turn.sine * along + turn.cosine * across,
        .energy = (along * along + across * across + 1) / 2,
        .singular = true,
        .outside = !(link.sine * link.sine > 0 && link.cosine > 0),
    };
}

const imp_spatial imp_spatial_pendulum3d = {
    .option =
        IMP_OPTION_OF("pendulum3d", "mass on a massless link about a fixed point", parameters),
    .contact = contact,
};
