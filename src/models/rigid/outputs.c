#include "models/rigid/outputs.h"

#include <float.h>
#include <math.h>

#include "models/rigid/laws.h"
#include "models/theory.h"

/* ---- the table ---- */

#define NO_SEPARATION IMP_MODE_BIT(IMP_RIGID_WEDGE)
#define NO_PHASES IMP_MODE_BIT(IMP_RIGID_PRESCRIBED)
#define REAL(called, in, says)                                                                     \
    .name = called, .unit = in, .meaning = says, .undefined_in = NO_SEPARATION
#define CATEGORIES(codes)                                                                          \
    .kind = IMP_CATEGORY, .categories = codes, .n_categories = IMP_COUNT(codes)
#define NO_COEFFICIENT .undefined_when = "restitution is 0 (below 1e-150)"
#define NO_RATIO .undefined_when = "no ratio of this kind lets the body separate"
#define OVERFLOWS .undefined_when = "the angular velocity is too large for a double"

static const imp_mode gains[] = {
    {IMP_RIGID_NO, "no", "energy is kept or lost"},
    {IMP_RIGID_YES, "gains", "the body has more energy after the impact than before"}};
static const imp_mode sides[] = {
    {IMP_RIGID_NO, "inside", "friction can supply the prescribed ratio"},
    {IMP_RIGID_YES, "outside",
     "the magnitude of the prescribed ratio is above the coefficient of friction"}};

const imp_output imp_rigid_outputs[IMP_RIGID_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_RIGID_OF_##code] = __VA_ARGS__,
#include "models/rigid/outputs.def"
};

const imp_mode imp_rigid_modes[IMP_RIGID_N_MODES] = {
    {IMP_RIGID_COMPRESSION_STICK, "compression_stick",
     "slip halts in compression, then sticks (case 1 of Baruh)"},
    {IMP_RIGID_COMPRESSION_REVERSE, "compression_reverse",
     "slip halts in compression, then reverses or resumes (case 2 of Baruh)"},
    {IMP_RIGID_RESTITUTION_STICK, "restitution_stick",
     "slip halts in restitution, then sticks (case 3 of Baruh)"},
    {IMP_RIGID_RESTITUTION_REVERSE, "restitution_reverse",
     "slip halts in restitution, then reverses or resumes (case 4 of Baruh)"},
    {IMP_RIGID_SLIDE, "slide", "slips in one direction to separation (case 5 of Baruh)"},
    {IMP_RIGID_GROSS_STICK, "gross_stick", "starts without slip, sticks (case 6 of Baruh)"},
    {IMP_RIGID_SLIP_FROM_REST, "slip_from_rest",
     "starts without slip, begins to slip (case 7 of Baruh)"},
    {IMP_RIGID_WEDGE, "wedge", "sticks for good: the body does not separate"},
    {IMP_RIGID_PRESCRIBED, "prescribed", "the ratio of tangential to normal impulse is given"},
};

bool imp_rigid_has_output(const imp_instance *instance, int output) {
    const imp_body *body = imp_body_at(instance->chosen[IMP_RIGID_BODY]);
    switch (output) {
    case IMP_RIGID_OF_BODY_ENERGY_LOSS:
    case IMP_RIGID_OF_BODY_VELOCITY_T:
    case IMP_RIGID_OF_BODY_VELOCITY_N:
        return body->own_mass;
    case IMP_RIGID_OF_ANGULAR_VELOCITY:
        return body->n_parts > 0;
    case IMP_RIGID_OF_ANGULAR_VELOCITY_2:
        return body->n_parts > 1;
    case IMP_RIGID_OF_CONE:
        return imp_rigid_behaviours[instance->chosen[IMP_RIGID_LAW]].more == IMP_RIGID_CONE;
    default:
        return true;
    }
}

/* ---- values ---- */

/* Below this coefficient a quotient by the coefficient has lost its digits. */
static const double least_coefficient = 1e-150;

static inline double unless_zero(double e, double value) {
    return e >= least_coefficient ? value : NAN;
}

static inline double angular_velocity(const imp_rigid_block *b, size_t i, int part) {
    double gained = b->per_t[part][i] * b->p_t[i] + b->per_n[part][i] * b->p_n[i];
    double velocity = b->initial_turn[part][i] + gained * b->impulse[i];
    return fabs(velocity) <= DBL_MAX ? velocity : NAN;
}

/* The ratio, if the impulse is finite with it and the body separates; NaN otherwise. */
static inline double possible(double ratio, double c) {
    return fabs(ratio) <= DBL_MAX && 1 + ratio * c > 0 ? ratio + 0.0 : NAN; /* no -0 */
}

/* A constrained body slips as long as it moves: no ratio ends the slip earlier. */
static inline double critical_ratio(const imp_rigid_block *b, size_t i) {
    double fall = b->v_t[i] / (1 + b->e[i]);
    double below = b->a[i] + b->c[i] * fall;
    double ratio = possible(-(fall + b->c[i]) / below, b->c[i]);
    return below > 0 && b->constrained[i] == 0 ? ratio : NAN;
}

/* For a x^2 + 2 half x - (1 - e) = 0: the number s with the roots s / a and -(1 - e) / s. */
static inline double neutral_sum(const imp_rigid_block *b, size_t i, double *a) {
    double half = b->v_t[i] + b->e[i] * b->c[i];
    *a = 2 * b->v_t[i] * b->c[i] + (1 + b->e[i]) * b->a[i];
    double square = half * half + *a * (1 - b->e[i]);
    double root = sqrt(square);
    return half < 0 ? root - half : -half - root;
}

static inline double neutral_ratio(const imp_rigid_block *b, size_t i) {
    double a, sum = neutral_sum(b, i, &a);
    return possible(sum / a, b->c[i]);
}

static inline double neutral_ratio_2(const imp_rigid_block *b, size_t i) {
    double a, sum = neutral_sum(b, i, &a);
    return possible((b->e[i] - 1) / sum, b->c[i]);
}

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

void imp_rigid_put(const imp_instance *instance, const imp_rigid_block *b, size_t n, size_t first,
                   double *const *out) {
    bool wedges = false;
    for (size_t i = 0; i < n; i++) {
        wedges |= b->mode[i] == IMP_RIGID_WEDGE;
    }
    for (int o = 0; o < IMP_RIGID_N_OUTPUTS; o++) {
        if (!out[o] || !imp_rigid_has_output(instance, o)) {
            continue;
        }
        columns[o](b, n, out[o] + first);
        bool undefined = imp_rigid_outputs[o].undefined_in & NO_SEPARATION;
        for (size_t i = 0; wedges && undefined && i < n; i++) {
            out[o][first + i] = b->mode[i] == IMP_RIGID_WEDGE ? NAN : out[o][first + i];
        }
    }
}
