/* The functions of polynomials in lanes have the bits of those of doubles, in every lane. */
#define IMP_LANES 2
#include <math.h>
#include <string.h>

#include "num/polynomial.h"
#include "num/lanes/polynomial.h"
#include "support/random.h"
#include "support/suite.h"

enum { DEGREE = 25, ROUNDS = 20000 };

/* Falling terms, as in a Taylor step; now and then one that is 0. */
static void draw(random_source *source, double *c) {
    double fall = random_between(source, 0.2, 1.2), size = 1;
    for (int k = 0; k <= DEGREE; k++) {
        c[k] = random_between(source, 0, 1) < 0.05 ? 0 : size * random_between(source, -1, 1);
        size *= fall;
    }
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static double value_of(const double *c, int n, double x) {
    double value = c[n];
    for (int k = n - 1; k >= 0; k--) {
        value = value * x + c[k];
    }
    return value;
}

/* Whether the polynomial has the value at the first rise, and none before: tried at 40 places. */
static bool is_first(const double *c, double value, double end, double rise) {
    double until = rise < INFINITY ? rise : end;
    bool first = rise == INFINITY || (rise == 0 && c[0] >= value) ||
                 fabs(value_of(c, DEGREE, rise) - value) < 1e-12;
    for (int k = 0; k < 40; k++) {
        first &= rise == 0 || value_of(c, DEGREE, until * k / 40) < value + 1e-12;
    }
    return first;
}

/* From 0 to x. */
static double integral_of(const double *c, int n, double x) {
    double value = c[n] / (n + 1);
    for (int k = n - 1; k >= 0; k--) {
        value = value * x + c[k] / (k + 1);
    }
    return value * x;
}

static void both(void) {
    random_source source = {611};
    int rises = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double c[IMP_LANES][DEGREE + 1];
        imp_lanes lanes[DEGREE + 1], x, value, end;
        for (int i = 0; i < IMP_LANES; i++) {
            draw(&source, c[i]);
            x[i] = random_between(&source, -1, 1);
            value[i] = c[i][0] + random_between(&source, -0.1, 0.5);
            end[i] = random_between(&source, 0, 1);
            for (int k = 0; k <= DEGREE; k++) {
                lanes[k][i] = c[i][k];
            }
        }
        imp_lanes at = imp_lanes_polynomial_at(lanes, DEGREE, x);
        imp_lanes integral = imp_lanes_polynomial_integral(lanes, DEGREE, x);
        imp_lanes first = imp_lanes_first_rise(lanes, DEGREE, value, end);
        for (int i = 0; i < IMP_LANES; i++) {
            double rise = imp_polynomial_first_rise(c[i], DEGREE, value[i], end[i]);
            CHECK(same(at[i], value_of(c[i], DEGREE, x[i])), "value");
            CHECK(same(integral[i], integral_of(c[i], DEGREE, x[i])), "integral");
            CHECK(same(first[i], rise), "first rise: %.17g instead of %.17g", first[i], rise);
            CHECK(is_first(c[i], value[i], end[i], rise), "%.17g is not the first", rise);
            rises += rise > 0 && rise < INFINITY;
        }
    }
    CHECK(rises > ROUNDS / 10, "only %d rise", rises);
}

/* -(a + b x^2) + d x^4 rises at x^2 = (b + sqrt(b^2 + 4 a d)) / (2 d). Where a and b are small, and
 * the second derivative is not, steps that are safe with one bound for the whole way are too short
 * to arrive. */
static void slow_rises(void) {
    random_source source = {613};
    for (int round = 0; round < 2000; round++) {
        imp_lanes lanes[DEGREE + 1] = {{0}}, place = {0}, end = {1, 1};
        for (int i = 0; i < IMP_LANES; i++) {
            double a = random_log(&source, 1e-20, 1e-15), b = random_log(&source, 1e-9, 1e-1);
            double d = random_between(&source, 0.5, 2);
            lanes[0][i] = -a;
            lanes[2][i] = -b;
            lanes[4][i] = d;
            place[i] = sqrt((b + sqrt(b * b + 4 * a * d)) / (2 * d));
        }
        imp_lanes first = imp_lanes_first_rise(lanes, DEGREE, (imp_lanes){0}, end);
        for (int i = 0; i < IMP_LANES; i++) {
            CHECK_NEAR(first[i], place[i], 1e-12 * place[i], "b %g, d %g", -lanes[2][i],
                       lanes[4][i]);
        }
    }
}

/* By the library: linear between powers of 2, and so is the result. */
static double coarse_root(double x, int n) {
    int exponent;
    double part = frexp(x, &exponent);
    double power = (exponent - 1 + (2 * part - 1)) / n, whole = floor(power);
    return ldexp(1 + (power - whole), (int)whole);
}

static void coarse_roots(void) {
    random_source source = {612};
    for (int round = 0; round < ROUNDS; round++) {
        imp_lanes x = {0};
        for (int i = 0; i < IMP_LANES; i++) {
            x[i] =
                round % 100 == 0 ? ldexp(1, round / 100 - 100) : random_log(&source, 1e-300, 1e300);
        }
        for (int n = 2; n < 30; n++) {
            imp_lanes root = imp_lanes_coarse_root(x, n);
            for (int i = 0; i < IMP_LANES; i++) {
                CHECK(same(root[i], coarse_root(x[i], n)), "root %d of %.17g", n, x[i]);
                CHECK(same(root[i], imp_coarse_root(x[i], n)), "root %d of %.17g", n, x[i]);
            }
        }
    }
    const double small[] = {0x1p-1074, 0x1.8p-1030, 0x1p-1022};
    for (int k = 0; k < SUITE_COUNT(small); k++) {
        CHECK(same(imp_coarse_root(small[k], 9), coarse_root(small[k], 9)), "%a", small[k]);
    }
    const double odd[] = {INFINITY, NAN};
    for (int k = 0; k < SUITE_COUNT(odd); k++) {
        CHECK(isnan(imp_lanes_coarse_root(imp_lanes_of(odd[k]), 5)[0]), "root of %g", odd[k]);
    }
}

SUITE("polynomials in lanes", both, slow_rises, coarse_roots)
