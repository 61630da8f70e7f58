/* Two uniform rods hinged in series from a fixed pivot; the free end touches the plane.
 *
 * With velocities u = (l1 w1, l2 w2) and the tip's velocity J u, J = [[cos q1, cos q2], [sin q1,
 * sin q2]], the mass matrix does not depend on the lengths, M = m2 [[m1/(3 m2) + 1, cos(q1 -
 * q2)/2], [., 1/3]], and B = J M^-1 J^T with the determinant sin^2(q2 - q1) / det M. Stretched or
 * folded, the rods are one line: the tip can only move across it, and B has rank one. */
#include "base/constants.h"
#include "bodies/planar/body.h"

#include <float.h>
#include <math.h>

#include "num/trigonometry.h"

enum { L1, L2, M1, M2, Q1, Q2, W1, W2, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [L1] = IMP_PARAMETER("l1", "m", "length of the rod at the pivot", IMP_RANGE_POSITIVE,
                         .fallback = 1, .example = 1),
    [L2] = IMP_PARAMETER("l2", "m", "length of the rod that touches the plane", IMP_RANGE_POSITIVE,
                         .fallback = 1, .example = 1),
    [M1] = IMP_PARAMETER("m1", "kg", "mass of the rod at the pivot", IMP_RANGE_POSITIVE,
                         .fallback = 1, .example = 1),
    [M2] = IMP_PARAMETER("m2", "kg", "mass of the rod that touches the plane", IMP_RANGE_POSITIVE,
                         .fallback = 1, .example = 1),
    [Q1] = IMP_PARAMETER(
        "q1", "rad", "angle of the rod at the pivot from the downward normal, positive toward +t",
        .low = -IMP_PI, .high = IMP_PI, .fallback = NAN, .example = 0.35),
    [Q2] = IMP_PARAMETER(
        "q2", "rad",
        "angle of the rod that touches the plane from the downward normal, positive toward +t",
        .low = -IMP_PI, .high = IMP_PI, .fallback = NAN, .example = 0.7),
    [W1] = IMP_PARAMETER(
        "w1", "rad/s", "initial angular velocity of the rod at the pivot, positive where q1 grows",
        IMP_RANGE_FINITE, .fallback = NAN, .example = -1),
    [W2] = IMP_PARAMETER(
        "w2", "rad/s",
        "initial angular velocity of the rod that touches the plane, positive where q2 grows",
        IMP_RANGE_FINITE, .fallback = NAN, .example = -2),
};

/* Rods whose directions differ by less than this sine are one line. */
static const double one_line = 1e-12;

/* The mass matrix over m2, and the directions of the rods. */
typedef struct pose {
    imp_sincos q1, q2, between; /* between: q2 - q1 */
    double first, cross, second, determinant;
} pose;

static pose pose_of(const double *value) {
    pose at = {
        .q1 = imp_sine_cosine(value[Q1]),
        .q2 = imp_sine_cosine(value[Q2]),
        .between = imp_sine_cosine(value[Q2] - value[Q1]),
        .first = value[M1] / (3 * value[M2]) + 1,
        .second = 1.0 / 3,
    };
    at.cross = at.between.cosine / 2;
    /* 1/3 - cos^2 / 4 without loss. */
    at.determinant = (at.first - 1) / 3 + 1.0 / 12 + at.between.sine * at.between.sine / 4;
    return at;
}

/* x M^-1 y. */
static double inverse_form(const pose *at, double x1, double x2, double y1, double y2) {
    return (at->second * x1 * y1 - at->cross * (x1 * y2 + x2 * y1) + at->first * x2 * y2) /
           at->determinant;
}

static imp_contact in_one_line(const pose *at, const double *value) {
    double sense = at->between.cosine < 0 ? -1 : 1;
    double lightness = inverse_form(at, 1, sense, 1, sense);
    double speed = value[L1] * value[W1] + sense * value[L2] * value[W2];
    return (imp_contact){
        .b11 = lightness * at->q1.cosine * at->q1.cosine,
        .b12 = lightness * at->q1.cosine * at->q1.sine,
        .b22 = lightness * at->q1.sine * at->q1.sine,
        .velocity_ratio = -at->q1.cosine / at->q1.sine,
        .normal_speed = -at->q1.sine * speed,
        .constrained = true,
    };
}

static bool is_one_line(const pose *at) {
    return fabs(at->between.sine) <= one_line;
}

/* Whether rounding of the angles and of the terms alone could have made this approach, as at 180
 * degrees, which no double is. Both rods of one line take the angle of the first. */
static bool is_rounding(const pose *at, const double *value, double speed) {
    double u1 = fabs(value[L1] * value[W1]), u2 = fabs(value[L2] * value[W2]);
    double first = fabs(at->q1.sine) + fabs(value[Q1] * at->q1.cosine);
    double second = fabs(at->q2.sine) + fabs(value[Q2] * at->q2.cosine);
    double terms = u1 * first + u2 * (is_one_line(at) ? first : second);
    return speed > 0 && speed <= DBL_EPSILON * terms;
}

static imp_contact contact(const double *value) {
    pose at = pose_of(value);
    imp_contact made;
    if (is_one_line(&at)) {
        made = in_one_line(&at, value);
    } else {
        double u1 = value[L1] * value[W1], u2 = value[L2] * value[W2];
        double v_n = at.q1.sine * u1 + at.q2.sine * u2;
        made = (imp_contact){
            .b11 = inverse_form(&at, at.q1.cosine, at.q2.cosine, at.q1.cosine, at.q2.cosine),
            .b12 = inverse_form(&at, at.q1.cosine, at.q2.cosine, at.q1.sine, at.q2.sine),
            .b22 = inverse_form(&at, at.q1.sine, at.q2.sine, at.q1.sine, at.q2.sine),
            .determinant = at.between.sine * at.between.sine / at.determinant,
            .velocity_ratio = (at.q1.cosine * u1 + at.q2.cosine * u2) / -v_n,
            .normal_speed = -v_n,
        };
    }
    made.mass = value[M2];
    made.normal_speed = is_rounding(&at, value, made.normal_speed) ? 0 : made.normal_speed;
    made.outside = !(made.normal_speed > 0 && made.b22 > 0 && isfinite(made.b11) &&
                     isfinite(made.velocity_ratio) && isfinite(made.normal_speed));
    return made;
}

static const char *refuse(const double *value, const char **name) {
    imp_contact made = contact(value);
    bool departs = made.normal_speed <= 0; /* false where a value is not known */
    *name = "w2";
    return departs ? "the free end does not move toward the plane: l1 w1 sin q1 + l2 w2 sin q2 "
                     "must be below 0; " IMP_NO_APPROACH
                   : NULL;
}

static void turning(const double *value, imp_turning *part) {
    pose at = pose_of(value);
    double first = value[M2] * value[L1], second = value[M2] * value[L2];
    const imp_sincos *one = &at.q1, *two = &at.q2;
    part[0] = (imp_turning){.initial = value[W1],
                            .per_t = inverse_form(&at, 1, 0, one->cosine, two->cosine) / first,
                            .per_n = inverse_form(&at, 1, 0, one->sine, two->sine) / first};
    part[1] = (imp_turning){.initial = value[W2],
                            .per_t = inverse_form(&at, 0, 1, one->cosine, two->cosine) / second,
                            .per_n = inverse_form(&at, 0, 1, one->sine, two->sine) / second};
    if (!is_one_line(&at)) {
        double across = value[L1] * at.between.sine, across_2 = value[L2] * at.between.sine;
        part[0].of_t = two->sine / across;
        part[0].of_n = -two->cosine / across;
        part[1].of_t = -one->sine / across_2;
        part[1].of_n = one->cosine / across_2;
    }
}

const imp_body imp_body_double_pendulum = {
    .option = IMP_OPTION_OF("double_pendulum",
                            "two rods in series on a fixed pivot; normal_speed follows from their "
                            "angular velocities",
                            parameters),
    .contact = contact,
    .n_parts = 2,
    .turning = turning,
    .refuse = refuse,
};
