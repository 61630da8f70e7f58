/* Brackets of roots: by Newton's method, by halving and by the rule of Illinois, against known
 * roots. */
#include <math.h>

#include "num/bracket.h"
#include "support/random.h"
#include "support/suite.h"

/* A cubic that rises everywhere; flat where x = 0, so that Newton's method alone leaps far away. */
static double cubic(double x) {
    return x * x * x - 0.5;
}

static const double root = 0.79370052598409974; /* the third root of 1/2 */

static void ends(void) {
    imp_bracket b = {-1, 2};
    CHECK(imp_bracket_middle(&b) == 0.5, "middle");
    CHECK(!imp_bracket_holds(&b, -1) && !imp_bracket_holds(&b, 2), "the ends are not inside");
    CHECK(!imp_bracket_holds(&b, NAN) && imp_bracket_next(&b, NAN) == 0.5, "NaN is no guess");
    CHECK(imp_bracket_next(&b, 1.5) == 1.5 && imp_bracket_next(&b, 2) == 0.5, "guesses");
    imp_bracket_cut(&b, 0, true);
    CHECK(b.low == 0 && b.high == 2, "a root above");
    imp_bracket_cut(&b, 1, false);
    CHECK(b.low == 0 && b.high == 1, "a root below");
    imp_bracket neighbours = {1, nextafter(1, 2)};
    double middle = imp_bracket_middle(&neighbours);
    CHECK(!imp_bracket_holds(&neighbours, middle), "nothing lies between neighbours");
}

static void newton(void) {
    random_source source = {65};
    for (int k = 0; k < 1000; k++) {
        imp_bracket b = {random_between(&source, -50, root), random_between(&source, root, 50)};
        double x = b.low;
        int steps = 0;
        do {
            imp_bracket_cut(&b, x, cubic(x) < 0);
            x = imp_bracket_next(&b, x - cubic(x) / (3 * x * x));
        } while (imp_bracket_holds(&b, x) && fabs(cubic(x)) > 1e-15 && ++steps < 40);
        CHECK(steps < 40, "%d steps", steps);
        CHECK_NEAR(x, root, 1e-15, "root");
    }
}

static void chord(void) {
    random_source source = {66};
    for (int k = 0; k < 1000; k++) {
        double low = random_between(&source, -3, root), high = random_between(&source, root, 3);
        imp_chord c = {{low, high}, -cubic(low), -cubic(high), 0};
        int steps = 0;
        double x = low;
        for (; fabs(cubic(x)) > 1e-15 && steps < 60; steps++) {
            x = imp_bracket_next(&c.ends, imp_chord_next(&c));
            imp_chord_cut(&c, x, -cubic(x));
            CHECK(cubic(c.ends.low) < 0 && cubic(c.ends.high) >= 0, "the root stays inside");
        }
        CHECK(steps < 60, "%d steps", steps);
        CHECK_NEAR(x, root, 1e-15, "root");
    }
}

SUITE("bracket", ends, newton, chord)
