/* Sine, cosine and angle against the long double functions of the C library. */
#include <math.h>

#include "num/trigonometry.h"
#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static const double half_pi = 1.57079632679489661923;

static void check_at(double x) {
    imp_sincos found = imp_sine_cosine(x);
    CHECK_NEAR((double)(found.sine - sinl(x)), 0, 2.5e-16, "sine of %.17g", x);
    CHECK_NEAR((double)(found.cosine - cosl(x)), 0, 2.5e-16, "cosine of %.17g", x);
}

static void check_both_signs(double x) {
    check_at(x);
    check_at(-x);
}

static void any_size(void) {
    random_source source = {21};
    for (int i = 0; i < 100000; i++) {
        check_both_signs(random_log(&source, 1e-300, 1));
        check_both_signs(random_between(&source, 0, 10));
        check_both_signs(random_between(&source, 0, 1e5));
    }
    check_both_signs(0);
    check_both_signs(1e5);
    check_both_signs(nextafter(1e5, 0));
}

/* Near the multiples of pi/2 the reduced argument is almost all cancellation. */
static void near_multiples(void) {
    random_source source = {22};
    for (int k = 1; k * half_pi < 1e5; k++) {
        double x = (double)(k * 1.57079632679489661923132L);
        check_both_signs(x);
        check_both_signs(nextafter(x, 0));
        check_both_signs(nextafter(x, 1e6));
        check_both_signs(x * (1 + random_between(&source, -1, 1) * 1e-12));
        /* Half way, where the quadrant is decided. */
        check_both_signs((double)((k - 0.5L) * 1.57079632679489661923132L));
    }
}

/* Where the sine is small its own digits count. */
static void small_sines(void) {
    random_source source = {23};
    for (int i = 0; i < 100000; i++) {
        double x = random_log(&source, 1e-300, 0.5);
        double relative = (double)(imp_sine_cosine(x).sine / sinl(x) - 1);
        CHECK_NEAR(relative, 0, 4.5e-16, "sine of %.17g", x);
    }
}

static void beyond(void) {
    random_source source = {24};
    for (int i = 0; i < 100000; i++) {
        double x = random_log(&source, 1e5, 1e300);
        check_both_signs(x);
    }
    check_both_signs(nextafter(1e5, INFINITY));
    CHECK(isnan(imp_sine_cosine(NAN).sine) && isnan(imp_sine_cosine(NAN).cosine), "of NaN");
    CHECK(isnan(imp_sine_cosine(INFINITY).sine), "sine of infinity");
}

/* Within the promised range each lane of a pair has the bits of a single call. */
static void pairs(void) {
    random_source source = {25};
    for (int i = 0; i < 100000; i++) {
        double x = random_between(&source, -1e5, 1e5), y = random_between(&source, -1e5, 1e5);
        imp_pair_sincos both = imp_pair_sine_cosine((imp_pair){x, y});
        imp_sincos first = imp_sine_cosine(x), second = imp_sine_cosine(y);
        CHECK(both.sine[0] == first.sine && both.cosine[0] == first.cosine, "%.17g beside %.17g", x,
              y);
        CHECK(both.sine[1] == second.sine && both.cosine[1] == second.cosine, "%.17g beside %.17g",
              y, x);
        double large = random_log(&source, 1e5, 1e9);
        both = imp_pair_sine_cosine((imp_pair){x, large});
        CHECK_NEAR((double)(both.sine[0] - sinl(x)), 0, 2.5e-16, "%.17g beside %.17g", x, large);
        CHECK_NEAR((double)(both.cosine[1] - cosl(large)), 0, 2.5e-16, "%.17g", large);
    }
}

static void check_angle(double y, double x) {
    long double expected = atan2l(y, x);
    double found = imp_angle(y, x);
    CHECK_NEAR((double)((found - expected) / expected), 0, 5e-16, "angle of (%.17g, %.17g)", x, y);
}

static void angles(void) {
    random_source source = {26};
    for (int i = 0; i < 100000; i++) {
        double ratio = random_log(&source, 1e-3, 1e3), scale = random_log(&source, 1e-150, 1e150);
        check_angle(scale * ratio, scale);
        check_angle(random_between(&source, 0, 1) + 1e-300, random_between(&source, 0, 1));
        check_angle(random_log(&source, 1e-150, 1e150), random_log(&source, 1e-150, 1e150));
    }
    /* Where the vector is turned by another angle. */
    for (int i = -1000; i <= 1000; i++) {
        check_angle(0.41421356237309503 * (1 + i * 0x1p-52), 1);
        check_angle(1, 0.41421356237309503 * (1 + i * 0x1p-52));
        check_angle(1 + i * 0x1p-52, 1);
    }
    CHECK(imp_angle(0, 1) == 0, "angle of (1, 0)");
    CHECK_NEAR(imp_angle(1, 0), half_pi, 0, "angle of (0, 1)");
    CHECK_NEAR(imp_angle(3, 3), half_pi / 2, 0, "angle of (3, 3)");
}

SUITE("trigonometry", any_size, near_multiples, small_sines, beyond, pairs, angles)
