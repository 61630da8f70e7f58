#include "models/compliant/laws.h"

#include <math.h>

#include "models/theory.h"
#include "models/yielding.h"
#include "num/alike.h"
#include "num/exponential.h"

/* The parameter of a law that follows its stiffness. */
enum { RESTITUTION = IMP_COMPLIANT_STIFFNESS + 1, YIELD_SPEED };
enum { DAMPING = IMP_COMPLIANT_STIFFNESS + 1 };

/* One name, two units. */
#define STIFFNESS_MEANING                                                                          \
    "normal force over the indentation in N/m (coupled and hertz: over the indentation to the "    \
    "power 1.5, in N/m^1.5)"

static const imp_parameter stiffness_of_linear = IMP_PARAMETER_OF(
    "normal_stiffness", "N/m", STIFFNESS_MEANING, IMP_RANGE_POSITIVE, .fallback = 1, .example = 1);

static const imp_parameter *const linear_parameters[] = {
    [IMP_COMPLIANT_STIFFNESS] = &stiffness_of_linear,
    [RESTITUTION] =
        IMP_PARAMETER("restitution", "1",
                      "energetic coefficient of restitution: square root of the share of the "
                      "normal spring's energy that unloading returns; a cell has the outcome "
                      "outside where the coefficient, lowered by yield_speed, is below 1e-12",
                      .low = 0, .high = 1, .low_open = true, .fallback = 1, .example = 0.8),
    [YIELD_SPEED] = &imp_parameter_yield_speed};

static imp_compliant_scales linear_scales(const imp_compliant_given *given) {
    return (imp_compliant_scales){
        .square = given->stiffness_ratio,
        .root = sqrt(given->stiffness_ratio),
        .time = sqrt(given->mass / given->stiffness),
        .impulse = given->mass * given->speed,
    };
}

static void enter_linear(const double *const *value, size_t first, size_t n, double speed,
                         imp_compliant_block *block, size_t at) {
    const double *yield_speed = value[YIELD_SPEED];
    for (size_t i = 0; i < n; i++) {
        block->problem.restitution[at + i] = value[RESTITUTION][first + i];
    }
    for (size_t i = 0; yield_speed && i < n; i++) {
        block->problem.restitution[at + i] *= imp_yielding(speed, yield_speed[first + i]);
    }
}

static imp_compliant_solve *linear_solver(const imp_compliant_problem *problem) {
    return problem->restitution < 1 ? imp_compliant_bilinear_solve : imp_compliant_linear_solve;
}

static const imp_parameter stiffness_of_power =
    IMP_PARAMETER_OF("normal_stiffness", "N/m^1.5", STIFFNESS_MEANING, IMP_RANGE_POSITIVE,
                     .fallback = 1, .example = 1);

static const imp_parameter *const hertz_parameters[] = {
    [IMP_COMPLIANT_STIFFNESS] = &stiffness_of_power,
    [DAMPING] = IMP_PARAMETER(
        "damping", "s/m", "the normal force is multiplied by 1 - damping v_n (Hunt and Crossley)",
        IMP_RANGE_NOT_NEGATIVE, .fallback = 0, .example = 0.2)};
static const imp_parameter *const coupled_parameters[] = {[IMP_COMPLIANT_STIFFNESS] =
                                                              &stiffness_of_power};

/* root: r of problem.h. The length follows from m v^2 = K length^2.5. */
static imp_compliant_scales power_scales(const imp_compliant_given *given, double root) {
    double speed = given->speed;
    return (imp_compliant_scales){
        .square = root * root,
        .root = root,
        .time = imp_two_fifths(given->mass * speed * speed / given->stiffness) / speed,
        .impulse = given->mass * speed,
    };
}

static imp_compliant_scales hertz_scales(const imp_compliant_given *given) {
    return power_scales(given, imp_two_fifths(given->stiffness_ratio));
}

static imp_compliant_scales coupled_scales(const imp_compliant_given *given) {
    return power_scales(given, sqrt(2 * given->stiffness_ratio / 3));
}

static void enter_hertz(const double *const *value, size_t first, size_t n, double speed,
                        imp_compliant_block *block, size_t at) {
    for (size_t i = 0; i < n; i++) {
        block->problem.damping[at + i] = value[DAMPING][first + i] * speed;
    }
}

static imp_compliant_solve *hertz_solver(const imp_compliant_problem *problem) {
    (void)problem;
    return imp_compliant_hertz_solve;
}

static imp_compliant_solve *coupled_solver(const imp_compliant_problem *problem) {
    (void)problem;
    return imp_compliant_coupled_solve;
}

/* ---- dashpot ---- */

enum { NORMAL_RATIO = IMP_COMPLIANT_STIFFNESS + 1, TANGENTIAL_RATIO, CONTACT_END };

static const imp_parameter *const dashpot_parameters[] = {
    [IMP_COMPLIANT_STIFFNESS] = &stiffness_of_linear,
    [NORMAL_RATIO] =
        IMP_PARAMETER("normal_damping_ratio", "1",
                      "damping of the normal force over the critical one of the contact point on "
                      "the normal spring alone, sqrt(4 normal_stiffness / b22); both ratios below "
                      "1e-14 count as 0",
                      .low = 0, .high = 1e8, .fallback = 0, .example = 0.2),
    [TANGENTIAL_RATIO] =
        IMP_PARAMETER("tangential_damping_ratio", "1",
                      "damping of the tangential force over the critical one of the contact point "
                      "on the tangential spring alone, sqrt(4 tangential stiffness / b11)",
                      .low = 0, .high = 1e8, .fallback = 0, .example = 0.1),
    [CONTACT_END] = &imp_parameter_contact_end};

/* A smaller damping of the tangential spring has no effect, and its inverse would overflow; nor has
 * any of a point that only moves along the normal. Where both ratios are smaller than the second,
 * results are those without dashpots to 1e-12. */
static const double least_drag = 1e-100, least_ratio = 1e-14;

static void enter_dashpot(const double *const *value, size_t first, size_t n, double speed,
                          imp_compliant_block *block, size_t at) {
    const double *normal = value[NORMAL_RATIO] + first, *end = value[CONTACT_END] + first;
    const double *tangential = value[TANGENTIAL_RATIO] + first;
    double inertia = sqrt(block->problem.a[at]); /* of all n: they have one body */
    bool same =
        imp_alike(normal, n) == n && imp_alike(tangential, n) == n && imp_alike(end, n) == n;
    (void)speed;
    for (size_t i = 0; i < (same ? 1 : n); i++) {
        bool weak = normal[i] < least_ratio && tangential[i] < least_ratio;
        double drag = inertia > 0 ? 2 * tangential[i] / inertia : 0;
        block->problem.damping[at + i] = weak ? 0 : 2 * normal[i];
        block->problem.drag[at + i] = weak || drag < least_drag ? 0 : drag;
        /* Without a normal dashpot the force and the elongation vanish together. */
        block->problem.by_elongation[at + i] = block->problem.damping[at + i] > 0 ? end[i] : 0;
    }
    const imp_compliant_shared shared[] = {
        {.column = block->problem.damping, .value = block->problem.damping[at]},
        {.column = block->problem.drag, .value = block->problem.drag[at]},
        {.column = block->problem.by_elongation, .value = block->problem.by_elongation[at]}};
    if (same && n > 1) {
        imp_compliant_fill(shared, IMP_COUNT(shared), at, at + n);
    }
}

static imp_compliant_solve *dashpot_solver(const imp_compliant_problem *problem) {
    (void)problem;
    return imp_compliant_dashpot_solve;
}

#define LAW(law, scales_, enter_, blocks_, words)                                                  \
    static const imp_compliant_law law = {.option = IMP_OPTION_OF(#law, words, law##_parameters),  \
                                          .scales = scales_,                                       \
                                          .enter = enter_,                                         \
                                          .rim = &imp_compliant_##law##_rim,                       \
                                          .solver = law##_solver,                                  \
                                          .solve_blocks = imp_compliant_##law##_solve_blocks,      \
                                          .blocks = blocks_};
#include "models/compliant/laws.def"

const imp_option *const imp_compliant_law_options[IMP_COMPLIANT_LAWS] = {
#define LAW(name, ...) &name.option,
#include "models/compliant/laws.def"
};

const imp_compliant_law *imp_compliant_law_at(int code) {
    static const imp_compliant_law *const laws[IMP_COMPLIANT_LAWS] = {
#define LAW(name, ...) &name,
#include "models/compliant/laws.def"
    };
    return laws[code];
}
