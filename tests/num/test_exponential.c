/* Exponential, logarithm, powers and their kin: against long double, and at the ends of their
 * ranges. */
#include <float.h>
#include <math.h>

#include "num/exponential.h"
#include "support/functions.h"
#include "support/suite.h"

static void errors(void) {
    check_functions(100000);
}

static void ends(void) {
    CHECK(imp_exp(0) == 1 && imp_exp(-0.0) == 1, "exp of 0");
    CHECK(imp_exp(-INFINITY) == 0 && imp_exp(-750) == 0 && imp_exp(-1e300) == 0, "exp to 0");
    CHECK(isinf(imp_exp(710)) && isinf(imp_exp(1e300)) && isinf(imp_exp(INFINITY)), "exp beyond");
    CHECK(isfinite(imp_exp(709.78)) && imp_exp(-745.1) > 0, "exp at its ends");
    CHECK(imp_log(1) == 0 && imp_log(0) == -INFINITY && isinf(imp_log(INFINITY)), "log");
    CHECK(isnan(imp_exp(NAN)) && isnan(imp_log(NAN)) && isnan(imp_log(-1)), "NaN");
    CHECK(imp_log1p(0) == 0 && imp_log1p(-1) == -INFINITY && isnan(imp_log1p(-2)), "log1p");
    CHECK(imp_log1p(5e-324) == 5e-324 && isinf(imp_log1p(INFINITY)), "log1p at its ends");
    CHECK(imp_atanh(0) == 0 && isinf(imp_atanh(1)), "atanh");
}

static void ends_of_powers(void) {
    CHECK(imp_power(0, 0) == 1 && imp_power(7, 0) == 1 && imp_power(INFINITY, 0) == 1, "x^0");
    CHECK(imp_power(0, 2) == 0 && isinf(imp_power(0, -2)), "powers of 0");
    CHECK(isinf(imp_power(INFINITY, 2)) && imp_power(INFINITY, -2) == 0, "of infinity");
    CHECK(imp_power(1, 1e300) == 1 && isinf(imp_power(2, 1e300)), "large exponents");
    CHECK(imp_power(0.5, 1e300) == 0 && isinf(imp_power(0.5, -1e300)), "large exponents");
    CHECK(isnan(imp_power(-1, 2)) && isnan(imp_power(NAN, 2)) && isnan(imp_power(2, NAN)), "NaN");
    CHECK_NEAR(imp_power(5e-324, 0.5), sqrt(5e-324), 1e-177, "of the least number");
    for (int k = -1000; k <= 1000; k++) {
        double x = ldexp(1, k);
        CHECK(imp_power(2, k) == x && imp_power(x, 1) == x, "2^%d", k);
    }
    CHECK(imp_two_thirds(0) == 0 && imp_two_fifths(0) == 0, "roots of 0");
    CHECK_NEAR(imp_two_thirds(27), 9, 2e-15, "27^(2/3)");
    CHECK_NEAR(imp_two_fifths(32), 4, 1e-15, "32^(2/5)");
}

static void hyperbolas(void) {
    imp_hyperbola none = imp_cosine_sine_hyperbolic(0), far = imp_cosine_sine_hyperbolic(-709);
    CHECK(none.cosine == 1 && none.sine == 0, "of 0");
    CHECK_NEAR(far.sine / sinh(-709), 1, 1e-15, "sinh of -709");
    CHECK_NEAR(far.cosine / cosh(-709), 1, 1e-15, "cosh of -709");
    for (int i = 0; i <= 1000; i++) {
        double x = 1 + (i - 500) * 0x1p-52;
        imp_hyperbola at = imp_cosine_sine_hyperbolic(x), mirror = imp_cosine_sine_hyperbolic(-x);
        CHECK_NEAR(at.sine, (double)sinhl(x), 5e-16, "sinh of %.17g", x);
        CHECK(mirror.sine == -at.sine && mirror.cosine == at.cosine, "of %.17g", -x);
    }
}

SUITE("exponential", errors, ends, ends_of_powers, hyperbolas)
