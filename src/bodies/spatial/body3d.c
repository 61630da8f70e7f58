#include "bodies/spatial/choice.h"

#include <math.h>

#include "base/constants.h"
#include "num/larger.h"
#include "num/trigonometry.h"

#define FULL_TURN (2 * IMP_PI)

const imp_option *const imp_spatial_options[] = {
#define SPATIAL(name) &imp_spatial_##name.option,
#include "bodies/spatial/bodies.def"
};

const imp_spatial *imp_spatial_at(int code) {
    return (const imp_spatial *)imp_spatial_options[code];
}

const char *imp_spatial_refuse(const imp_instance *instance, const double *value,
                               const char **name) {
    const imp_spatial *body = imp_spatial_at(instance->chosen[0]);
    return body->refuse ? body->refuse(value + instance->theory->n_parameters, name) : NULL;
}

const imp_parameter imp_spatial_azimuth = IMP_PARAMETER_OF(
    "azimuth", "rad",
    "angle by which the body is turned about the plane's normal, from axis 1 toward axis 2",
    .low = -FULL_TURN, .high = FULL_TURN, .fallback = 0, .example = 0.3);

const imp_parameter imp_spatial_heading = IMP_PARAMETER_OF(
    "heading", "rad",
    "direction of the initial slip velocity in the plane, from axis 1 toward axis 2",
    .low = -FULL_TURN, .high = FULL_TURN, .fallback = NAN, .example = 0.8);

const imp_parameter imp_spatial_velocity_ratio = IMP_PARAMETER_OF(
    "velocity_ratio", "1", "initial slip speed of the contact point over the normal approach speed",
    IMP_RANGE_NOT_NEGATIVE, .fallback = NAN, .example = 0.75);

#define SPIN(number, axis)                                                                         \
    IMP_PARAMETER_OF("initial_spin_" number, "rad/s",                                              \
                     "initial angular velocity about " axis                                        \
                     ", right-handed; without effect on the contact, whose point has "             \
                     "velocity_ratio and normal_speed",                                            \
                     IMP_RANGE_FINITE, .fallback = 0, .example = 0)
const imp_parameter imp_spatial_spin_1 = SPIN("1", "axis 1");
const imp_parameter imp_spatial_spin_2 = SPIN("2", "axis 2");
const imp_parameter imp_spatial_spin_3 = SPIN("3", "the plane's normal");

imp_inverse_mass imp_inverse_mass_turned(imp_inverse_mass b, double angle) {
    imp_sincos turn = imp_sine_cosine(angle);
    double c = turn.cosine, s = turn.sine;
    return (imp_inverse_mass){
        .b11 = c * c * b.b11 - 2 * s * c * b.b12 + s * s * b.b22,
        .b12 = s * c * (b.b11 - b.b22) + (c - s) * (c + s) * b.b12,
        .b13 = c * b.b13 - s * b.b23,
        .b22 = s * s * b.b11 + 2 * s * c * b.b12 + c * c * b.b22,
        .b23 = s * b.b13 + c * b.b23,
        .b33 = b.b33,
    };
}

void imp_vector_turned(const double v[3], double angle, double turned[3]) {
    imp_sincos turn = imp_sine_cosine(angle);
    double x = v[0], y = v[1];
    turned[0] = turn.cosine * x - turn.sine * y;
    turned[1] = turn.sine * x + turn.cosine * y;
    turned[2] = v[2];
}

void imp_inverse_mass_add_turn(imp_inverse_mass *b, const double axis[3], const double r[3],
                               double weight) {
    double x = axis[0], y = axis[1], z = axis[2];
    double u1 = r[1] * z - r[2] * y, u2 = r[2] * x - r[0] * z, u3 = r[0] * y - r[1] * x;
    b->b11 += weight * u1 * u1;
    b->b12 += weight * u1 * u2;
    b->b13 += weight * u1 * u3;
    b->b22 += weight * u2 * u2;
    b->b23 += weight * u2 * u3;
    b->b33 += weight * u3 * u3;
}

static const double no_part = 1e-12;

/* The remaining row of largest pivot relative to the diagonal element of B; -1: none. */
static int next_pivot(double a[3][3], const double *diagonal, const bool *done) {
    int pivot = -1;
    double largest = no_part;
    for (int i = 0; i < 3; i++) {
        if (!done[i] && a[i][i] > largest * diagonal[i]) {
            pivot = i;
            largest = a[i][i] / diagonal[i];
        }
    }
    return pivot;
}

/* Eliminates row i from matrix and vector. */
static void eliminate(double a[3][3], double *v, const bool *done, int i) {
    for (int j = 0; j < 3; j++) {
        if (done[j]) {
            continue;
        }
        double factor = a[j][i] / a[i][i];
        v[j] -= factor * v[i];
        for (int k = 0; k < 3; k++) {
            a[j][k] -= done[k] ? 0 : factor * a[i][k];
        }
    }
}

/* In a semidefinite matrix a row with a diagonal element of 0 is 0. */
static bool has_negative_part(double a[3][3], const double *diagonal, const bool *done) {
    bool negative = false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double scale = sqrt(diagonal[i] * diagonal[j]);
            double rest = i == j ? -a[i][i] : fabs(a[i][j]);
            negative |= !done[i] && !done[j] && !(rest <= (i == j ? no_part : 1e-6) * scale);
        }
    }
    return negative;
}

imp_inverse_mass_range imp_inverse_mass_range_of(imp_inverse_mass b, double v1, double v2,
                                                 double v3) {
    double a[3][3] = {{b.b11, b.b12, b.b13}, {b.b12, b.b22, b.b23}, {b.b13, b.b23, b.b33}};
    const double diagonal[3] = {b.b11, b.b22, b.b33};
    double v[3] = {v1, v2, v3}, size = sqrt(v1 * v1 + v2 * v2 + v3 * v3);
    bool done[3] = {false, false, false};
    imp_inverse_mass_range range = {.rank = 0};
    for (int i = next_pivot(a, diagonal, done); i >= 0; i = next_pivot(a, diagonal, done)) {
        range.energy += v[i] * v[i] / (2 * a[i][i]);
        range.rank++;
        done[i] = true;
        eliminate(a, v, done, i);
    }
    for (int i = 0; i < 3; i++) {
        range.stray = imp_larger(done[i] ? 0 : fabs(v[i]) / size, range.stray);
    }
    range.indefinite = has_negative_part(a, diagonal, done);
    return range;
}

imp_spatial_contact imp_spatial_free(imp_inverse_mass b, double mass, double velocity_ratio,
                                     double heading) {
    imp_sincos direction = imp_sine_cosine(heading);
    double v1 = velocity_ratio * direction.cosine, v2 = velocity_ratio * direction.sine;
    imp_inverse_mass_range range = imp_inverse_mass_range_of(b, v1, v2, -1);
    return (imp_spatial_contact){
        .b = b,
        .mass = mass,
        .v1 = v1,
        .v2 = v2,
        .energy = range.energy,
        .outside = range.indefinite || range.rank < 3,
    };
}
