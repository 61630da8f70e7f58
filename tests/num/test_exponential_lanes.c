/* Powers and angles in lanes have the bits of those of doubles, whatever stands in the other
 * lane. */
#define IMP_LANES 2
#include <float.h>
#include <string.h>

#include "num/lanes/exponential.h"
#include "support/random.h"
#include "support/suite.h"

enum { ROUNDS = 1000000 };

/* Of every size that a double has, usual ones more often; now and then an end of the range. */
static double draw(random_source *source) {
    static const double ends[] = {0,           DBL_MIN, DBL_MIN / 2, 5e-324, 1,
                                  1 - 0x1p-53, DBL_MAX, INFINITY,    NAN};
    double kind = random_between(source, 0, 1);
    if (kind < 0.02) {
        return ends[(int)random_between(source, 0, sizeof ends / sizeof *ends)];
    }
    return kind < 0.6 ? random_log(source, 1e-6, 1e6) : random_log(source, 1e-307, 1e307);
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void powers(void) {
    random_source source = {613};
    int far = 0;
    for (int round = 0; round < ROUNDS; round++) {
        real x, y;
        for (int i = 0; i < IMP_LANES; i++) {
            x[i] = draw(&source);
            y[i] = random_between(&source, -1, 1) * (round % 3 ? 3 : 300);
        }
        real power = imp_lanes_power(x, y);
        for (int i = 0; i < IMP_LANES; i++) {
            double expected = imp_power(x[i], y[i]);
            CHECK(same(power[i], expected), "%a^%a: %a instead of %a", x[i], y[i], power[i],
                  expected);
            far += !(expected > 1e-295 && expected < 1e295);
        }
    }
    CHECK(far > ROUNDS / 20 && far < ROUNDS, "%d far", far);
}

static void hyperbolic_angles(void) {
    static const double ends[] = {0, 5e-324, 1e-300, 1e-17, 1 - 0x1p-53, 1, NAN};
    random_source source = {614};
    int far = 0;
    for (int round = 0; round < ROUNDS; round++) {
        real x;
        for (int i = 0; i < IMP_LANES; i++) {
            double kind = random_between(&source, 0, 1);
            x[i] = kind < 0.1   ? ends[(int)random_between(&source, 0, sizeof ends / sizeof *ends)]
                   : kind < 0.5 ? random_log(&source, 1e-12, 1)
                                : random_between(&source, 0, 1);
        }
        real angle = imp_lanes_atanh(x);
        for (int i = 0; i < IMP_LANES; i++) {
            double expected = imp_atanh(x[i]);
            CHECK(same(angle[i], expected), "%a: %a instead of %a", x[i], angle[i], expected);
            far += !(expected < INFINITY);
        }
    }
    CHECK(far > ROUNDS / 50 && far < ROUNDS, "%d far", far);
}

SUITE("exponential_lanes", powers, hyperbolic_angles)
