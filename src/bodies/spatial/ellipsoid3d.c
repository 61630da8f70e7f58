/* Solid ellipsoid. Its orientation is three turns, z-x-z, each about an axis of the body: `azimuth`
 * about the plane's normal, `angle` about the first axis, `spin` about the third. */
#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"

#include <math.h>

#include "base/constants.h"
#include "num/larger.h"
#include "num/trigonometry.h"

enum { SEMI_AXIS_A, SEMI_AXIS_B, SEMI_AXIS_C, ANGLE, AZIMUTH, SPIN, OF_MOTION };
enum { HEADING = OF_MOTION, VELOCITY_RATIO, MASS, SPIN_1, SPIN_2, SPIN_3, N_PARAMETERS };

#define SEMI_AXIS(label, meant, for_example)                                                       \
    IMP_PARAMETER(label, "m", meant, IMP_RANGE_POSITIVE, .fallback = 1, .example = for_example)
#define TURN(label, meant, for_example)                                                            \
    IMP_PARAMETER(label, "rad", meant, .low = -2 * IMP_PI, .high = 2 * IMP_PI, .fallback = 0,      \
                  .example = for_example)

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [SEMI_AXIS_A] = SEMI_AXIS("semi_axis_a", "first semi-axis", 1),
    [SEMI_AXIS_B] = SEMI_AXIS("semi_axis_b", "second semi-axis", 0.7),
    [SEMI_AXIS_C] = SEMI_AXIS("semi_axis_c", "third semi-axis", 0.5),
    [ANGLE] = TURN("angle",
                   "angle from the plane's normal to the third semi-axis, which with azimuth 0 "
                   "leans from the normal toward -axis 2",
                   0.5),
    [AZIMUTH] = &imp_spatial_azimuth,
    [SPIN] = TURN("spin",
                  "angle by which the body is turned about the third semi-axis, right-handed; with "
                  "0 the first semi-axis lies along axis 1 where azimuth is 0",
                  0.4),
    [MASS] = &imp_parameter_mass,
    IMP_SPATIAL_MOTION,
};

/* Body axes seen from the plane before it is turned by the azimuth: column k of axes[.][k]. */
typedef struct frame {
    double axes[3][3];
} frame;

static frame frame_of(double tilt, double turn) {
    imp_sincos x = imp_sine_cosine(tilt), z = imp_sine_cosine(turn);
    return (frame){{{z.cosine, -z.sine, 0},
                    {x.cosine * z.sine, x.cosine * z.cosine, -x.sine},
                    {x.sine * z.sine, x.sine * z.cosine, x.cosine}}};
}

static void axis_of(const frame *f, int k, double axis[3]) {
    for (int i = 0; i < 3; i++) {
        axis[i] = f->axes[i][k];
    }
}

/* Over the largest semi-axis: the squared semi-axes, and r from the mass centre to the contact,
 * where the ellipsoid has the normal of the plane. */
typedef struct shape {
    double largest, square[3], r[3];
} shape;

static shape shape_of(const double *semi_axis, const frame *f) {
    shape s = {.largest = imp_larger(imp_larger(semi_axis[2], semi_axis[1]), semi_axis[0])};
    double depth = 0;
    for (int k = 0; k < 3; k++) {
        s.square[k] = semi_axis[k] / s.largest * (semi_axis[k] / s.largest);
        depth += s.square[k] * f->axes[2][k] * f->axes[2][k];
    }
    depth = sqrt(depth);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            s.r[i] -= f->axes[i][k] * s.square[k] * f->axes[2][k] / depth;
        }
    }
    return s;
}

static imp_inverse_mass inertia_of(const double *semi_axis, const frame *f) {
    shape s = shape_of(semi_axis, f);
    imp_inverse_mass b = {.b11 = 1, .b22 = 1, .b33 = 1};
    for (int k = 0; k < 3; k++) {
        double axis[3];
        axis_of(f, k, axis);
        imp_inverse_mass_add_turn(&b, axis, s.r,
                                  5 / (s.square[(k + 1) % 3] + s.square[(k + 2) % 3]));
    }
    return b;
}

static imp_spatial_contact contact(const double *value) {
    frame f = frame_of(value[ANGLE], value[SPIN]);
    imp_inverse_mass b =
        imp_inverse_mass_turned(inertia_of(value + SEMI_AXIS_A, &f), value[AZIMUTH]);
    return imp_spatial_free(b, value[MASS], value[VELOCITY_RATIO], value[HEADING]);
}

static void turning(const double *value, imp_spatial_turning *part) {
    frame f = frame_of(value[ANGLE], value[SPIN]);
    shape s = shape_of(value + SEMI_AXIS_A, &f);
    double arm[3], unit = value[MASS] * s.largest * s.largest / 5;
    for (int k = 0; k < 3; k++) {
        double axis[3];
        axis_of(&f, k, axis);
        imp_vector_turned(axis, value[AZIMUTH], part->axis[k]);
        part->inertia[k] = unit * (s.square[(k + 1) % 3] + s.square[(k + 2) % 3]);
        part->initial[k] = value[SPIN_1 + k];
        arm[k] = s.largest * s.r[k];
    }
    imp_vector_turned(arm, value[AZIMUTH], part->arm);
}

const imp_spatial imp_spatial_ellipsoid3d = {
    .option = IMP_OPTION_OF("ellipsoid3d", "solid ellipsoid", parameters),
    .contact = contact,
    .turning = turning,
};
