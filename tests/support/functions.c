#include "support/functions.h"

#include <float.h>
#include <math.h>

#include "num/exponential.h"
#include "num/sample.h"
#include "num/lanes/trigonometry.h"
#include "support/random.h"
#include "support/suite.h"

/* Errors in units in the last place of the result, or of the smallest normal number. */
static double units(double found, long double expected) {
    int exponent;
    frexpl(expected, &exponent);
    exponent = exponent > DBL_MIN_EXP ? exponent : DBL_MIN_EXP;
    return (double)fabsl(ldexpl(found - expected, DBL_MANT_DIG - exponent));
}

#define CHECK_UNITS(found, expected, bound, name, x, y)                                            \
    do {                                                                                           \
        double found_ = (found), bound_ = (bound), x_ = (x), y_ = (y);                             \
        long double expected_ = (expected);                                                        \
        CHECK(units(found_, expected_) <= bound_,                                                  \
              "%s(%.17g, %.17g) = %.17g, an error of %.3f units, bound %.3f", name, x_, y_,        \
              found_, units(found_, expected_), bound_);                                           \
    } while (0)

static void check_exponentials(random_source *source) {
    double near = random_between(source, -1, 1), far = random_between(source, -680, 709);
    double below = random_between(source, -745, -680);
    CHECK_UNITS(imp_exp(near), expl(near), 0.52, "exp", near, 0.0);
    CHECK_UNITS(imp_exp(far), expl(far), 0.52, "exp", far, 0.0);
    CHECK_UNITS(imp_exp(below), expl(below), 0.9, "exp", below, 0.0);
    double x = random_between(source, -4, 4), small = random_log(source, 1e-300, 1);
    imp_hyperbola far_found = imp_cosine_sine_hyperbolic(x);
    imp_hyperbola found = imp_cosine_sine_hyperbolic(small);
    CHECK_UNITS(far_found.cosine, coshl(x), 1.8, "cosh", x, 0.0);
    CHECK_UNITS(far_found.sine, sinhl(x), 1.8, "sinh", x, 0.0);
    CHECK_UNITS(found.cosine, coshl(small), 1.8, "cosh", small, 0.0);
    CHECK_UNITS(found.sine, sinhl(small), 1.8, "sinh", small, 0.0);
}

static void check_logarithms(random_source *source) {
    double any = random_log(source, 5e-324, DBL_MAX / 2), usual = random_between(source, 1e-3, 3);
    double near = 1 + random_between(source, -1, 1) * random_log(source, 1e-16, 0.5);
    CHECK_UNITS(imp_log(any), logl(any), 0.51, "log", any, 0.0);
    CHECK_UNITS(imp_log(usual), logl(usual), 0.51, "log", usual, 0.0);
    CHECK_UNITS(imp_log(near), logl(near), 0.51, "log", near, 0.0);
    double small = random_log(source, 1e-300, 1), part = random_between(source, 0, 1);
    CHECK_UNITS(imp_log1p(small), log1pl(small), 1.1, "log1p", small, 0.0);
    CHECK_UNITS(imp_log1p(-part), log1pl(-part), 1.1, "log1p", -part, 0.0);
    CHECK_UNITS(imp_atanh(small / 2), atanhl(small / 2), 2.4, "atanh", small / 2, 0.0);
    CHECK_UNITS(imp_atanh(part), atanhl(part), 2.4, "atanh", part, 0.0);
}

static void check_powers(random_source *source) {
    double x = random_log(source, 1e-300, 1e300), y = random_between(source, -679, 700) / log(x);
    double near = 1 + random_between(source, -1, 1) * random_log(source, 1e-6, 0.5);
    double large = random_between(source, -679, 700) / log(near);
    double depth = random_log(source, 1e-8, 10), exponent = random_between(source, 0, 5);
    CHECK_UNITS(imp_power(x, y), powl(x, y), 0.52, "power", x, y);
    CHECK_UNITS(imp_power(near, large), powl(near, large), 0.52, "power", near, large);
    CHECK_UNITS(imp_power(depth, exponent), powl(depth, exponent), 0.52, "power", depth, exponent);
    long double fifth = powl(x, 0.4L), third = cbrtl((long double)x * x);
    CHECK_UNITS(imp_two_thirds(x), third, 1.3, "two_thirds", x, 0.0);
    CHECK_UNITS(imp_two_fifths(x), fifth, 1.5, "two_fifths", x, 0.0);
}

static void check_sine(double x) {
    imp_sincos found = imp_sine_cosine(x);
    CHECK_NEAR((double)(found.sine - sinl(x)), 0, 2.5e-16, "sine of %.17g", x);
    CHECK_NEAR((double)(found.cosine - cosl(x)), 0, 2.5e-16, "cosine of %.17g", x);
}

static void check_angles(random_source *source) {
    check_sine(random_between(source, -10, 10));
    check_sine(random_between(source, -1e5, 1e5));
    check_sine(random_log(source, 1e5, DBL_MAX));
    double y = random_between(source, 0, 1), x = random_between(source, -1, 1);
    long double expected = atan2l(y, x);
    CHECK_NEAR((double)((imp_lanes_half_turn(y, x) - expected) / expected), 0, 5e-16,
               "angle of (%.17g, %.17g)", x, y);
}

/* Through its inverse: the part below x is erfc(-x / sqrt 2) / 2. */
static void check_quantile(double p) {
    double x = imp_normal_quantile(p);
    long double root = sqrtl(2), part = erfcl(-x / root) / 2, rest = erfcl(x / root) / 2;
    long double off = p < 0.5 ? part - p : (1 - (long double)p) - rest;
    long double density = expl(-(long double)x * x / 2) / sqrtl(2 * acosl(-1));
    CHECK_NEAR((double)(off / density), 0, 1e-15 + 2e-15 * fabs(x), "quantile of %.17g: %.17g", p,
               x);
}

void check_functions(int n) {
    random_source source = {31};
    for (int i = 0; i < n; i++) {
        check_exponentials(&source);
        check_logarithms(&source);
        check_powers(&source);
        check_angles(&source);
        check_quantile(random_between(&source, 0, 1));
        check_quantile(random_log(&source, 1e-300, 0.5));
    }
}
