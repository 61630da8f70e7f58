/* Any body or mechanism: the user gives B itself. */
#include "bodies/planar/body.h"

#include <math.h>

#include "num/product.h"

enum { B11, B12, B22, VELOCITY_RATIO, N_PARAMETERS };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [B11] = IMP_PARAMETER("b11", "1/kg",
                          "tangential velocity gained per tangential impulse; 0: the contact point "
                          "is guided along the plane's normal, a cell has the outcome outside "
                          "unless b12 and velocity_ratio are 0, too",
                          IMP_RANGE_NOT_NEGATIVE, .fallback = NAN, .example = 2.5),
    [B12] = IMP_PARAMETER("b12", "1/kg", "tangential velocity gained per normal impulse",
                          IMP_RANGE_FINITE, .fallback = NAN, .example = 1.5),
    [B22] = IMP_PARAMETER("b22", "1/kg", "normal velocity gained per normal impulse",
                          IMP_RANGE_POSITIVE, .fallback = NAN, .example = 2.5),
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
};

/* The rank of B decides whether a body can wedge. A singular matrix that is given to all digits
 * counts as singular; rounded to twelve printed digits it counts as regular. */
static const double singular = 1e-12;
static const double out_of_range = 1e-9;

/* (b11 b22 - b12^2) / b22^2 from the numbers as they are given: from their rounded quotients only
 * rounding would be left where B is nearly singular. A power of 2 keeps the products in range. */
static double determinant_of(const double *value) {
    int exponent;
    double second = frexp(value[B22], &exponent), scale = second / value[B22];
    double first = value[B11] * scale, cross = value[B12] * scale;
    return imp_difference_of_products(first, second, cross, cross) / (second * second);
}

/* Whether a contact point that is guided along the normal is to move across it. */
static bool leaves_guide(const double *value) {
    return value[B11] == 0 && (fabs(value[B12]) > 0 || fabs(value[VELOCITY_RATIO]) > 0);
}

static imp_contact contact(const double *value) {
    double cross = value[B12] / value[B22], along = value[B11] / value[B22];
    double determinant = determinant_of(value);
    double ratio = value[VELOCITY_RATIO];
    bool constrained = fabs(determinant) <= singular * along;
    /* The range of a singular B is the line (b12, b22); approach has v_n = -1. */
    bool impossible = leaves_guide(value) ||
                      (constrained && fabs(ratio + cross) > out_of_range * sqrt(1 + cross * cross));
    return (imp_contact){
        .b11 = along,
        .b12 = cross,
        .b22 = 1,
        .determinant = constrained ? 0 : determinant,
        .mass = 1 / value[B22],
        .velocity_ratio = ratio,
        .constrained = constrained,
        .outside = !(isfinite(along) && isfinite(cross)) || impossible ||
                   (!constrained && !(determinant > 0)),
    };
}

static const char *refuse(const double *value, const char **name) {
    *name = "b11";
    return leaves_guide(value) ? "a contact point that gains no tangential velocity is guided "
                                 "along the plane's normal; allowed: b12 and velocity_ratio 0, or "
                                 "b11 > 0"
                               : NULL;
}

const imp_body imp_body_matrix = {
    .option = IMP_OPTION_OF("matrix", "any body, given by the inverse mass matrix B", parameters),
    .contact = contact,
    .refuse = refuse,
};
