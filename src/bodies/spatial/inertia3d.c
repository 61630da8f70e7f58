/* Any free body: its mass, the matrix of its moments of inertia about the mass centre, and the
 * contact point relative to it, along axes 1, 2 and 3 before the body is turned by the azimuth. */
#include "bodies/spatial/body3d.h"

#include <math.h>

#include "num/larger.h"

enum { INERTIA_11, INERTIA_12, INERTIA_13, INERTIA_22, INERTIA_23, INERTIA_33, OF_PLACE };
enum { OFFSET_1 = OF_PLACE, OFFSET_2, OFFSET_3, AZIMUTH, OF_MOTION };
enum { HEADING = OF_MOTION, VELOCITY_RATIO, MASS, SPIN_1, SPIN_2, SPIN_3, N_PARAMETERS };

#define MOMENT(label, axis, for_example)                                                           \
    IMP_PARAMETER(label, "kg m^2",                                                                 \
                  "moment of inertia about the parallel of axis " axis " through the mass "        \
                  "centre; a cell has the outcome outside unless the principal moments are "       \
                  "those of a body: none above the sum of the other two",                          \
                  IMP_RANGE_NOT_NEGATIVE, .fallback = NAN, .example = for_example)
#define PRODUCT(label, a, b, for_example)                                                          \
    IMP_PARAMETER(label, "kg m^2",                                                                 \
                  "element of the inertia matrix about the mass centre: minus the integral of "    \
                  "the product of coordinates " a " and " b " over the mass",                      \
                  IMP_RANGE_FINITE, .fallback = 0, .example = for_example)
#define OFFSET(label, axis, for_example)                                                           \
    IMP_PARAMETER(label, "m", "distance from the mass centre to the contact point along " axis,    \
                  IMP_RANGE_FINITE, .fallback = NAN, .example = for_example)

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [INERTIA_11] = MOMENT("inertia_11", "1", 0.5),
    [INERTIA_12] = PRODUCT("inertia_12", "1", "2", 0.05),
    [INERTIA_13] = PRODUCT("inertia_13", "1", "3", -0.1),
    [INERTIA_22] = MOMENT("inertia_22", "2", 0.6),
    [INERTIA_23] = PRODUCT("inertia_23", "2", "3", 0.08),
    [INERTIA_33] = MOMENT("inertia_33", "3", 0.4),
    [OFFSET_1] = OFFSET("offset_1", "axis 1", 0.3),
    [OFFSET_2] = OFFSET("offset_2", "axis 2", -0.2),
    [OFFSET_3] = OFFSET("offset_3", "the plane's normal, positive away from the plane", -0.6),
    [AZIMUTH] = &imp_spatial_azimuth,
    /* Without default, because B depends on the mass beside the inertia matrix. */
    [MASS] = IMP_PARAMETER("mass", "kg", "mass of the body", IMP_RANGE_POSITIVE, .fallback = NAN,
                           .example = 1),
    IMP_SPATIAL_MOTION,
};

/* Principal axes, unit vectors, and the moments about them over the largest element of the matrix,
 * `unit`. */
typedef struct principal {
    double unit, moment[3], axis[3][3];
} principal;

/* Turns axes p and q so that the element a[p][q] becomes 0; axis[k] is row k. */
static void rotate(double a[3][3], double axis[3][3], int p, int q) {
    if (a[p][q] == 0) {
        return;
    }
    double ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double tangent = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(ratio * ratio + 1));
    double c = 1 / sqrt(tangent * tangent + 1), s = tangent * c;
    int r = 3 - p - q;
    double to_p = a[r][p], to_q = a[r][q];
    a[p][p] -= tangent * a[p][q];
    a[q][q] += tangent * a[p][q];
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = c * to_p - s * to_q;
    a[r][q] = a[q][r] = s * to_p + c * to_q;
    for (int k = 0; k < 3; k++) {
        double along_p = axis[p][k], along_q = axis[q][k];
        axis[p][k] = c * along_p - s * along_q;
        axis[q][k] = s * along_p + c * along_q;
    }
}

/* By the cyclic method of Jacobi, which converges quadratically; six sweeps are ample for three
 * axes. */
static principal principal_of(const double *value) {
    principal p = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int k = INERTIA_11; k <= INERTIA_33; k++) {
        p.unit = imp_larger(fabs(value[k]), p.unit);
    }
    double a[3][3], unit = p.unit > 0 ? p.unit : 1;
    static const int element[3][3] = {{INERTIA_11, INERTIA_12, INERTIA_13},
                                      {INERTIA_12, INERTIA_22, INERTIA_23},
                                      {INERTIA_13, INERTIA_23, INERTIA_33}};
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = value[element[i / 3][i % 3]] / unit;
    }
    for (int sweep = 0; sweep < 6; sweep++) {
        rotate(a, p.axis, 0, 1);
        rotate(a, p.axis, 0, 2);
        rotate(a, p.axis, 1, 2);
    }
    for (int k = 0; k < 3; k++) {
        p.moment[k] = a[k][k];
    }
    return p;
}

/* Whether a body can have these moments. Numbers rounded to nine digits are allowed for. */
static bool is_of_a_body(const principal *p) {
    static const double rounding = 1e-9;
    const double *m = p->moment;
    bool flat = m[0] + m[1] - m[2] >= -rounding && m[1] + m[2] - m[0] >= -rounding &&
                m[2] + m[0] - m[1] >= -rounding;
    return flat && p->unit > 0;
}

/* Of a slender rod: a moment about itself that is nothing to the other two. */
static bool is_slender(const principal *p, int k) {
    return p->moment[k] <= 1e-9;
}

static void arm_of(const double *value, double arm[3]) {
    for (int k = 0; k < 3; k++) {
        arm[k] = value[OFFSET_1 + k];
    }
}

/* Whether the contact point lies on the axis k of a slender rod, where alone it can be touched. */
static bool is_on_axis(const principal *p, int k, const double arm[3]) {
    static const double rounding = 1e-6;
    const double *axis = p->axis[k];
    double along = axis[0] * arm[0] + axis[1] * arm[1] + axis[2] * arm[2], across = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        double part = arm[i] - along * axis[i];
        across += part * part;
        size += arm[i] * arm[i];
    }
    return across <= rounding * rounding * size;
}

/* B times the mass, before the azimuth. *exists: there is a body with these numbers, and it can be
 * touched there. */
static imp_inverse_mass upright(const double *value, bool *exists) {
    principal p = principal_of(value);
    imp_inverse_mass b = {.b11 = 1, .b22 = 1, .b33 = 1};
    double arm[3];
    arm_of(value, arm);
    *exists = is_of_a_body(&p);
    for (int k = 0; k < 3 && *exists; k++) {
        if (is_slender(&p, k)) {
            *exists = is_on_axis(&p, k, arm);
        } else {
            imp_inverse_mass_add_turn(&b, p.axis[k], arm, value[MASS] / p.unit / p.moment[k]);
        }
    }
    *exists = *exists && isfinite(b.b11 + b.b22 + b.b33);
    return b;
}

static imp_spatial_contact contact(const double *value) {
    bool exists;
    imp_inverse_mass b = imp_inverse_mass_turned(upright(value, &exists), value[AZIMUTH]);
    imp_spatial_contact made =
        imp_spatial_free(b, value[MASS], value[VELOCITY_RATIO], value[HEADING]);
    made.outside = made.outside || !exists;
    return made;
}

static void turning(const double *value, imp_spatial_turning *part) {
    principal p = principal_of(value);
    double arm[3];
    arm_of(value, arm);
    imp_vector_turned(arm, value[AZIMUTH], part->arm);
    for (int k = 0; k < 3; k++) {
        imp_vector_turned(p.axis[k], value[AZIMUTH], part->axis[k]);
        part->initial[k] = value[SPIN_1 + k];
        part->inertia[k] = is_slender(&p, k) ? 0 : p.unit * p.moment[k];
    }
}

static const char *refuse(const double *value, const char **name) {
    principal p = principal_of(value);
    double arm[3], known = 0; /* NaN: a value is not known */
    for (int k = INERTIA_11; k <= INERTIA_33; k++) {
        known += value[k];
    }
    *name = "inertia_11";
    if (!isnan(known) && !is_of_a_body(&p)) {
        return "no body has this inertia matrix; allowed: principal moments of which none is above "
               "the sum "
               "of the other two, about the mass centre, not all 0";
    }
    arm_of(value, arm);
    known += arm[0] + arm[1] + arm[2];
    *name = "offset_1";
    for (int k = 0; k < 3 && !isnan(known); k++) {
        if (is_slender(&p, k) && !is_on_axis(&p, k, arm)) {
            return "a body without moment of inertia about one axis is a slender rod; allowed: a "
                   "contact "
                   "point on that axis";
        }
    }
    return NULL;
}

const imp_spatial imp_spatial_inertia3d = {
    .option =
        IMP_OPTION_OF("inertia3d",
                      "any free body, given by the mass, the inertia matrix and the contact point "
                      "relative to the mass centre",
                      parameters),
    .contact = contact,
    .turning = turning,
    .refuse = refuse,
};
