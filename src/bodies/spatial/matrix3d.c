/* Any body or mechanism in space: the user gives B itself. */
#include "bodies/spatial/body3d.h"

#include <math.h>

#include "num/trigonometry.h"

enum { B11, B12, B13, B22, B23, B33, HEADING, VELOCITY_RATIO, N_PARAMETERS };

#define DIAGONAL(label, meant, for_example)                                                        \
    IMP_PARAMETER(label, "1/kg", meant, IMP_RANGE_NOT_NEGATIVE, .fallback = NAN,                   \
                  .example = for_example)
#define CROSS(label, meant, for_example)                                                           \
    IMP_PARAMETER(label, "1/kg", meant, IMP_RANGE_FINITE, .fallback = NAN, .example = for_example)

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [B11] = DIAGONAL("b11", "velocity along axis 1 gained per impulse along axis 1", 2.5),
    [B12] = CROSS("b12", "velocity along axis 1 gained per impulse along axis 2", 0.4),
    [B13] = CROSS("b13", "velocity along axis 1 gained per normal impulse", 0.9),
    [B22] = DIAGONAL("b22", "velocity along axis 2 gained per impulse along axis 2", 1.6),
    [B23] = CROSS("b23", "velocity along axis 2 gained per normal impulse", -0.3),
    [B33] = DIAGONAL("b33", "normal velocity gained per normal impulse", 1.2),
    [HEADING] = &imp_spatial_heading,
    [VELOCITY_RATIO] = &imp_spatial_velocity_ratio,
};

static const double out_of_range = 1e-9;

/* A singular matrix that is given to all digits counts as singular; rounded to twelve it does
 * not. */
static imp_spatial_contact contact(const double *value) {
    double unit = value[B33];
    imp_inverse_mass b = {.b11 = value[B11] / unit,
                          .b12 = value[B12] / unit,
                          .b13 = value[B13] / unit,
                          .b22 = value[B22] / unit,
                          .b23 = value[B23] / unit,
                          .b33 = 1};
    imp_sincos direction = imp_sine_cosine(value[HEADING]);
    double v1 = value[VELOCITY_RATIO] * direction.cosine;
    double v2 = value[VELOCITY_RATIO] * direction.sine;
    imp_inverse_mass_range range = imp_inverse_mass_range_of(b, v1, v2, -1);
    bool finite = isfinite(b.b11 + fabs(b.b12) + fabs(b.b13) + b.b22 + fabs(b.b23));
    return (imp_spatial_contact){
        .b = b,
        .mass = 1 / unit,
        .v1 = v1,
        .v2 = v2,
        .energy = range.energy,
        .singular = range.rank < 3,
        .outside = !finite || !(unit > 0) || range.indefinite || !(range.stray <= out_of_range),
    };
}

const imp_spatial imp_spatial_matrix3d = {
    .option = IMP_OPTION_OF("matrix3d", "any body, given by the inverse mass matrix B", parameters),
    .contact = contact,
};
