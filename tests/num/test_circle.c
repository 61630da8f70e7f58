/* Zeros on the circle of functions with two harmonics: built from known zeros, counted by brute
 * force. */
#include <math.h>

#include "num/circle.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static double at(const imp_harmonics *f, double x) {
    return imp_harmonics_at(f, cos(x), sin(x));
}

/* sin((x - a)/2) sin((x - b)/2) ... over four angles has two harmonics. */
static imp_harmonics with_zeros(const double *z) {
    double sum[2] = {(z[0] + z[1]) / 2, (z[2] + z[3]) / 2};
    double mean[2] = {cos((z[0] - z[1]) / 2) / 2, cos((z[2] - z[3]) / 2) / 2};
    /* Each pair is mean - cos(x - sum) / 2. */
    return (imp_harmonics){
        .mean = mean[0] * mean[1] + cos(sum[0] - sum[1]) / 8,
        .c1 = -(mean[0] * cos(sum[1]) + mean[1] * cos(sum[0])) / 2,
        .s1 = -(mean[0] * sin(sum[1]) + mean[1] * sin(sum[0])) / 2,
        .c2 = cos(sum[0] + sum[1]) / 8,
        .s2 = sin(sum[0] + sum[1]) / 8,
    };
}

static void known_zeros(void) {
    random_source source = {61};
    for (int i = 0; i < 50000; i++) {
        double z[4];
        double gap = pi;
        for (int k = 0; k < 4; k++) {
            z[k] = random_between(&source, 0, 2 * pi);
            for (int j = 0; j < k; j++) {
                gap = fmin(gap, fabs(sin((z[k] - z[j]) / 2)));
            }
        }
        if (gap < 1e-4) {
            continue;
        }
        imp_harmonics f = with_zeros(z);
        imp_direction found[IMP_MOST_ZEROS];
        int n = imp_harmonics_zeros(&f, found);
        CHECK(n == 4, "%d zeros of %.17g %.17g %.17g %.17g", n, z[0], z[1], z[2], z[3]);
        for (int k = 0; k < n; k++) {
            double nearest = pi;
            for (int j = 0; j < 4; j++) {
                nearest = fmin(nearest, fabs(sin((found[k].angle - z[j]) / 2)));
            }
            CHECK(nearest <= 1e-15 / (gap * gap * gap), "%.17g off by %.3g", found[k].angle,
                  nearest);
            CHECK(found[k].angle >= 0 && found[k].angle < 2 * pi, "angle %.17g", found[k].angle);
            CHECK(k == 0 || found[k].angle >= found[k - 1].angle, "order");
            CHECK_NEAR(found[k].c, cos(found[k].angle), 1e-15, "cosine");
            CHECK_NEAR(found[k].s, sin(found[k].angle), 1e-15, "sine");
        }
    }
}

static int sign_changes(const imp_harmonics *f, int points) {
    int changes = 0;
    bool last = at(f, 2 * pi * (points - 1) / points) < 0;
    for (int i = 0; i < points; i++) {
        bool now = at(f, 2 * pi * i / points) < 0;
        changes += now != last;
        last = now;
    }
    return changes;
}

/* Any coefficients: as many zeros as signs change on a fine grid, if none are too near to
 * touching. */
static void any_coefficients(void) {
    random_source source = {62};
    for (int i = 0; i < 4000; i++) {
        imp_harmonics f = {random_between(&source, -1, 1), random_between(&source, -1, 1),
                           random_between(&source, -1, 1), random_between(&source, -1, 1),
                           random_between(&source, -1, 1)};
        imp_direction found[IMP_MOST_ZEROS];
        int n = imp_harmonics_zeros(&f, found), rough = sign_changes(&f, 2000);
        bool near = false;
        for (int k = 0; k < n; k++) {
            CHECK(fabs(imp_harmonics_at(&f, found[k].c, found[k].s)) <= 4e-15, "not a zero");
            near |= fabs(imp_harmonics_slope(&f, found[k].c, found[k].s)) < 0.05;
        }
        CHECK(n == rough || (near && n > rough), "%d zeros, %d changes of sign", n, rough);
        CHECK(n % 2 == 0, "%d zeros", n);
    }
}

/* Zeros at 0 and where the two halves of the circle meet; double zeros; none; no function. */
static void special(void) {
    imp_direction z[IMP_MOST_ZEROS];
    imp_harmonics twice = {.s2 = 1};
    CHECK(imp_harmonics_zeros(&twice, z) == 4, "sin 2x");
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(z[k].angle, k * pi / 2, 1e-15, "zero %d of sin 2x", k);
    }
    CHECK(z[0].angle == 0 && z[0].s == 0, "0 is exact");
    imp_harmonics once = {.c1 = -1};
    CHECK(imp_harmonics_zeros(&once, z) == 2, "-cos x");
    CHECK_NEAR(z[0].angle, pi / 2, 1e-15, "-cos x");
    CHECK_NEAR(z[1].angle, 3 * pi / 2, 1e-15, "-cos x");
    imp_harmonics touching = {.mean = 1, .c1 = 1};
    CHECK(imp_harmonics_zeros(&touching, z) == 2, "1 + cos x");
    CHECK_NEAR(z[0].angle, pi, 1e-8, "1 + cos x");
    CHECK_NEAR(z[1].angle, pi, 1e-8, "1 + cos x");
    imp_harmonics above = {.mean = 1.0000001, .c1 = 1};
    CHECK(imp_harmonics_zeros(&above, z) == 0, "above 0");
    imp_harmonics nothing = {0};
    CHECK(imp_harmonics_zeros(&nothing, z) == 0, "0");
}

static void headings(void) {
    random_source source = {63};
    for (int i = 0; i < 20000; i++) {
        double y = random_between(&source, -1, 1), x = random_between(&source, -1, 1);
        CHECK_NEAR(imp_heading(y, x), atan2(y, x), 1e-15, "angle of (%.17g, %.17g)", x, y);
    }
    CHECK(imp_heading(0, -1) == pi && imp_heading(0, 1) == 0, "along the axis");
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(known_zeros), SUITE_TEST(any_coefficients),
                                       SUITE_TEST(special), SUITE_TEST(headings)};
    return suite_run("circle", tests, SUITE_COUNT(tests));
}
