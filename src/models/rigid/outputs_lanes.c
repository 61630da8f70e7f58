/* The values of the outputs, column by column. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include <float.h>

#include "bodies/planar/motion.h"
#include "models/rigid/outputs.h"
#include "models/theory.h"
#include "num/lanes/lanes.h"

/* Below this coefficient a quotient by the coefficient has lost its digits. */
static const double least_coefficient = 1e-150;

static inline double unless_zero(double e, double value) {
    return e >= least_coefficient ? value : NAN;
}

static inline double angular_velocity(const imp_rigid_block *b, size_t i, int part) {
    double gained = b->per_t[part][i] * b->result.p_t[i] + b->per_n[part][i] * b->result.p_n[i];
    double velocity = imp_motion_spin(
        b->initial_turn[part][i], gained * b->impulse[i], b->of_t[part][i], b->of_n[part][i],
        b->result.v_t[i] * b->speed[i], b->result.v_n[i] * b->speed[i]);
    return fabs(velocity) <= DBL_MAX ? velocity : NAN;
}

static inline double body_velocity_t(const imp_rigid_block *b, size_t i) {
    double gained = b->result.p_t[i] * (b->impulse[i] / b->mass[i]);
    return imp_motion_centre(b->problem.v_t[i] * b->speed[i], b->initial_turn[0][i] * b->arm_n[i],
                             gained, b->result.v_t[i] * b->speed[i],
                             angular_velocity(b, i, 0) * b->arm_n[i]);
}

static inline double body_velocity_n(const imp_rigid_block *b, size_t i) {
    double gained = b->result.p_n[i] * (b->impulse[i] / b->mass[i]);
    return imp_motion_centre(-b->speed[i], -b->initial_turn[0][i] * b->arm_t[i], gained,
                             b->result.v_n[i] * b->speed[i],
                             -angular_velocity(b, i, 0) * b->arm_t[i]);
}

/* The ratio, if the impulse is finite with it and the body separates; NaN otherwise. */
static inline double possible(double ratio, double c) {
    return fabs(ratio) <= DBL_MAX && 1 + ratio * c > 0 ? ratio + 0.0 : NAN; /* no -0 */
}

/* A constrained body slips as long as it moves: no ratio ends the slip earlier. */
static inline double critical_ratio(const imp_rigid_block *b, size_t i) {
    double fall = b->problem.v_t[i] / (1 + b->problem.e[i]);
    double below = b->problem.a[i] + b->problem.c[i] * fall;
    double ratio = possible(-(fall + b->problem.c[i]) / below, b->problem.c[i]);
    return below > 0 && b->problem.constrained[i] == 0 ? ratio : NAN;
}

/* For a x^2 + 2 half x - (1 - e) = 0: the number s with the roots s / a and -(1 - e) / s. */
static inline double neutral_sum(const imp_rigid_block *b, size_t i, double *a) {
    double half = b->problem.v_t[i] + b->problem.e[i] * b->problem.c[i];
    *a = 2 * b->problem.v_t[i] * b->problem.c[i] + (1 + b->problem.e[i]) * b->problem.a[i];
    double square = half * half + *a * (1 - b->problem.e[i]);
    double root = sqrt(square);
    return half < 0 ? root - half : -half - root;
}

static inline double neutral_ratio(const imp_rigid_block *b, size_t i) {
    double a, sum = neutral_sum(b, i, &a);
    return possible(sum / a, b->problem.c[i]);
}

static inline double neutral_ratio_2(const imp_rigid_block *b, size_t i) {
    double a, sum = neutral_sum(b, i, &a);
    return possible((b->problem.e[i] - 1) / sum, b->problem.c[i]);
}

#define BODY_A (b->problem.a[i])
#define BODY_C (b->problem.c[i])
#define BODY_LIGHTNESS (b->b22[i] / b->mass[i])

/* For each output a function that writes it for the first n cells of a block, solved or not. */
#define OUTPUT(code, value, ...)                                                                   \
    static void put_##code(const imp_rigid_block *b, size_t n, double *out) {                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i] = (value);                                                                      \
        }                                                                                          \
    }
#include "models/rigid/outputs.def"

typedef void column(const imp_rigid_block *b, size_t n, double *out);
static column *const columns[IMP_RIGID_N_OUTPUTS] = {
#define OUTPUT(code, ...) [IMP_RIGID_OF_##code] = put_##code,
#include "models/rigid/outputs.def"
};

IMP_IN_LANES(imp_rigid_put,
             (const imp_rigid_block *b, size_t n, size_t first, double *const *out)) {
    bool wedges = false;
    for (size_t i = 0; i < n; i++) {
        wedges |= b->result.mode[i] == IMP_RIGID_WEDGE;
    }
    for (int o = 0; o < IMP_RIGID_N_OUTPUTS; o++) {
        if (!out[o]) {
            continue;
        }
        columns[o](b, n, out[o] + first);
        bool undefined = imp_rigid_outputs[o].undefined_in & IMP_MODE_BIT(IMP_RIGID_WEDGE);
        for (size_t i = 0; wedges && undefined && i < n; i++) {
            out[o][first + i] = b->result.mode[i] == IMP_RIGID_WEDGE ? NAN : out[o][first + i];
        }
    }
}
