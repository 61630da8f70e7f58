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

/* ---- double zeros ---- */

/* The zeros are the double one, twice or not at all, and the others, n in ascending order. exactly:
 * the double one is there, at its place. */
static void check_double(const imp_harmonics *f, double twice, const double *others, int n,
                         bool exactly) {
    imp_direction found[IMP_MOST_ZEROS];
    int all = imp_harmonics_zeros(f, found), doubles = 0, rest = 0;
    for (int k = 0; k < all; k++) {
        double off = fabs(sin((found[k].angle - twice) / 2));
        CHECK(k == 0 || found[k].angle >= found[k - 1].angle, "order");
        if (off <= 1e-6) {
            doubles++;
            CHECK(off <= 1e-15 || !exactly, "%.17g is off by %.3g", twice, off);
            continue;
        }
        double nearest = pi;
        for (int j = 0; j < n; j++) {
            nearest = fmin(nearest, fabs(sin((found[k].angle - others[j]) / 2)));
        }
        CHECK(nearest <= 1e-12, "%.17g beside %.17g twice is off by %.3g", found[k].angle, twice,
              nearest);
        rest++;
    }
    CHECK(doubles == 2 || (doubles == 0 && !exactly), "%d times %.17g", doubles, twice);
    CHECK(rest == n, "%d zeros beside %.17g twice instead of %d", rest, twice, n);
}

/* At any place, and within some 1e-7 of those where the two halves of the circle meet. */
static void double_zeros(void) {
    random_source source = {66};
    for (int i = 0; i < 50000; i++) {
        double quarter = (i % 4) * pi / 2, twice = random_between(&source, 0, 2 * pi), other[2];
        twice = i % 3 == 0 ? twice : i % 3 == 1 ? quarter : quarter + random_log(&source, 1e-16, 1);
        do {
            other[0] = twice + random_between(&source, 0.1, 2 * pi - 0.1);
            other[1] = twice + random_between(&source, 0.1, 2 * pi - 0.1);
        } while (fabs(sin((other[0] - other[1]) / 2)) < 0.1);
        const double z[] = {twice, twice, other[0], other[1]};
        imp_harmonics f = with_zeros(z);
        double size = random_log(&source, 1e-6, 1e6) * (i % 8 < 4 ? 1 : -1);
        f = (imp_harmonics){size * f.mean, size * f.c1, size * f.s1, size * f.c2, size * f.s2};
        check_double(&f, twice, other, 2, false);
    }
}

/* f(x - quarter * pi / 2) */
static imp_harmonics turned(imp_harmonics f, int quarter) {
    for (int i = 0; i < quarter; i++) {
        f = (imp_harmonics){f.mean, -f.s1, f.c1, -f.c2, -f.s2};
    }
    return f;
}

/* With u = tan(x/2), u^2 (rest + 2 half u + a u^2) times 2 / (1 + u^2)^2, all its coefficients
 * exact: at any of the axes 0 twice, and the zeros of the quadratic. */
static void check_exact(double rest, double half, double a, int quarter) {
    double square = half * half - a * rest, other[2] = {0}, place = quarter * pi / 2;
    int n = square < 0 ? 0 : square > 0 ? 2 : 1;
    for (int k = 0; k < n; k++) {
        double root = k == 0 ? -sqrt(square) : sqrt(square);
        other[k] = place + 2 * (a == 0 && k == 1 ? pi / 2 : atan2(root - half, a));
    }
    if (a == 0 && n == 2) {
        other[0] = place + 2 * atan2(-rest, 2 * half);
    }
    double mean = (rest + 3 * a) / 4, c2 = (a - rest) / 4;
    imp_harmonics f = turned((imp_harmonics){mean, -(mean + c2), half, c2, -half / 2}, quarter);
    if (n == 1) {
        imp_direction found[IMP_MOST_ZEROS];
        int all = imp_harmonics_zeros(&f, found), beside = 0;
        for (int k = 0; k < all; k++) {
            beside += fabs(sin((found[k].angle - other[0]) / 2)) <= 1e-7;
        }
        CHECK(all == 4 && beside == 2, "%d zeros, %d at %.17g", all, beside, other[0]);
    } else {
        check_double(&f, place, other, n, true);
    }
}

static void exact_double_zeros(void) {
    for (int rest = -4; rest <= 4; rest++) {
        for (int half = -4; half <= 4; half++) {
            for (int a = -4; a <= 4; a++) {
                for (int quarter = 0; rest != 0 && quarter < 4; quarter++) {
                    check_exact(rest, half, a, quarter);
                }
            }
        }
    }
}

/* ---- triple zeros ---- */

/* The zeros of a function with a triple zero and another one: two, and the signs change. */
static void check_triple(const imp_harmonics *f, double triple, double other) {
    imp_direction found[IMP_MOST_ZEROS];
    int n = imp_harmonics_zeros(f, found);
    CHECK(n == 2, "%d zeros of %.17g thrice and %.17g", n, triple, other);
    if (n != 2) {
        return;
    }
    int k = fabs(sin((found[0].angle - triple) / 2)) < 1e-3 ? 0 : 1;
    CHECK(fabs(sin((found[k].angle - triple) / 2)) < 2e-14, "%.17g instead of %.17g",
          found[k].angle, triple);
    double gap = fabs(sin((other - triple) / 2));
    CHECK(fabs(sin((found[1 - k].angle - other) / 2)) < 1e-15 / (gap * gap * gap),
          "%.17g instead of %.17g", found[1 - k].angle, other);
    CHECK(found[0].angle >= 0 && found[0].angle < found[1].angle && found[1].angle < 2 * pi,
          "order: %.17g, %.17g", found[0].angle, found[1].angle);
    for (int j = 0; j < 2; j++) {
        bool falls = at(f, found[j].angle - 1e-2) > 0;
        CHECK(imp_harmonics_falls(f, found[j].c, found[j].s) == falls, "%.17g does%s fall",
              found[j].angle, falls ? "" : " not");
        CHECK_NEAR(found[j].c, cos(found[j].angle), 1e-15, "cosine");
        CHECK_NEAR(found[j].s, sin(found[j].angle), 1e-15, "sine");
    }
}

/* At any place, and where the two halves of the circle meet or begin. */
static void triple_zeros(void) {
    random_source source = {64};
    for (int i = 0; i < 50000; i++) {
        double triple = random_between(&source, 0, 2 * pi), other;
        triple = i % 5 == 0 ? i / 5 % 24 * pi / 12 : triple;
        do {
            other = random_between(&source, 0, 2 * pi);
        } while (fabs(sin((other - triple) / 2)) < 0.1);
        const double z[] = {triple, triple, triple, other};
        imp_harmonics f = with_zeros(z);
        double sign = i % 2 == 0 ? 1 : -1, size = random_log(&source, 1e-6, 1e6) * sign;
        f = (imp_harmonics){size * f.mean, size * f.c1, size * f.s1, size * f.c2, size * f.s2};
        check_triple(&f, triple, other);
    }
}

/* Three zeros closer and closer to one another are three, or one. */
static void nearly_triple_zeros(void) {
    random_source source = {65};
    for (int i = 0; i < 50000; i++) {
        double middle = random_between(&source, 0, 2 * pi), gap = random_log(&source, 1e-9, 1e-2);
        const double z[] = {middle - gap, middle, middle + gap, middle + 2};
        imp_harmonics f = with_zeros(z);
        imp_direction found[IMP_MOST_ZEROS];
        int n = imp_harmonics_zeros(&f, found), falling = 0;
        CHECK(n == (gap > 5e-5 ? 4 : gap < 1e-5 ? 2 : n), "%d zeros at distances of %.17g", n, gap);
        CHECK(n == 2 || n == 4, "%d zeros at distances of %.17g", n, gap);
        for (int k = 0; k < n; k++) {
            falling += imp_harmonics_falls(&f, found[k].c, found[k].s);
        }
        CHECK(2 * falling == n, "%d of %d zeros fall, at distances of %.17g", falling, n, gap);
    }
}

static void headings(void) {
    random_source source = {63};
    for (int i = 0; i < 20000; i++) {
        double y = random_between(&source, -1, 1), x = random_between(&source, -1, 1);
        CHECK_NEAR(imp_heading(y, x), atan2(y, x), 1e-15, "angle of (%.17g, %.17g)", x, y);
    }
    CHECK(imp_heading(0, -1) == pi && imp_heading(0, 1) == 0, "along the axis");
}

SUITE("circle", known_zeros, any_coefficients, special, double_zeros, exact_double_zeros,
      triple_zeros, nearly_triple_zeros, headings)
