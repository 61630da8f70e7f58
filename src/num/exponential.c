#include "num/exponential.h"

#include "num/lanes/exponential.h"
#include "num/lanes/two_thirds.h"

/* ---- logarithm ---- */

static inline bool is_normal(double x) {
    return imp_lanes_bits(x) - imp_lanes_bits(DBL_MIN) <
           imp_lanes_bits(INFINITY) - imp_lanes_bits(DBL_MIN);
}

double imp_log(double x) {
    if (!is_normal(x)) {
        return x < 0          ? NAN
               : x == 0       ? -INFINITY
               : x < INFINITY ? imp_lanes_log_near(x * 0x1p54, 54)
                              : x;
    }
    return imp_lanes_log_near(x, 0);
}

double imp_log1p(double x) {
    double sum = 1 + x, lost = x - (sum - 1);
    return sum > 0 && sum < INFINITY ? imp_log(sum) + lost / sum : imp_log(sum);
}

double imp_atanh(double x) {
    return 0.5 * imp_log1p(2 * x / (1 - x));
}

/* ---- exponential ---- */

static inline double power_of_2(int64_t exponent) {
    return imp_lanes_of_bits((uint64_t)(exponent + 1023) << 52);
}

/* x of any size. The power of 2 in two factors: both are normal numbers where the result is
 * none. */
static double exp_far(double x, double low) {
    if (!(fabs(x) < 800)) {
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    }
    imp_lanes_grown g = imp_lanes_grown_of(x, low);
    int64_t exponent = (int64_t)g.steps >> IMP_EXP_PARTS_LOG2, half = exponent >> 1;
    return imp_lanes_grow(&g, g.value * power_of_2(half)) * power_of_2(exponent - half);
}

/* Nearer to the ends than 680 a term of `imp_lanes_grow` is not normal. */
static inline double exp_wide(double x, double low) {
    return fabs(x) < 680 ? imp_lanes_exp_long(x, low) : exp_far(x, low);
}

double imp_exp(double x) {
    return exp_wide(x, 0);
}

static inline double exp_product(imp_lanes_long_number log_x, double y) {
    imp_lanes_long_number product = imp_lanes_times(log_x, y);
    return exp_wide(product.first, product.rest);
}

double imp_power(double x, double y) {
    if (!is_normal(x)) {
        return x > 0 && x < DBL_MIN ? exp_product(imp_lanes_log_long(x * 0x1p54, 54), y)
               : x < 0              ? NAN
               : y == 0             ? 1
               : y > 0              ? x
                                    : 1 / x;
    }
    return exp_product(imp_lanes_log_long(x, 0), y);
}

double imp_two_thirds(double x) {
    return imp_lanes_two_thirds(x);
}

double imp_two_fifths(double x) {
    /* x^(-1/5) within 4 percent, then within 4e-5. */
    double t = imp_lanes_of_bits((UINT64_C(0x4cb89c) << 40) - imp_lanes_bits(x) / 5), t2 = t * t;
    double r = 1 - x * t * t2 * t2;
    t += t * r * (1.0 / 5 + r * (3.0 / 25 + r * (11.0 / 125)));
    t2 = t * t;
    double power = x * t * t2;
    r = 1 - power * t2;
    return power + power * r * (3.0 / 5 + r * (12.0 / 25 + r * (52.0 / 125 + r * (234.0 / 625))));
}

/* sinh(x) / x - 1 for |x| < 1, z = x^2; the first term left out is below 2e-20. */
static inline double sine_rise(double z) {
    double z2 = z * z, z4 = z2 * z2;
    double a = 1.0 / 6 + z * (1.0 / 120), b = 1.0 / 5040 + z * (1.0 / 362880);
    double c = 1.0 / 39916800 + z * (1.0 / 6227020800);
    double d = 1.0 / 1307674368000 + z * (1.0 / 355687428096000);
    return z * ((a + z2 * b) + z4 * ((c + z2 * d) + z4 * (1.0 / 121645100408832000)));
}

imp_hyperbola imp_cosine_sine_hyperbolic(double x) {
    if (fabs(x) < 1) {
        double sine = x + x * sine_rise(x * x);
        return (imp_hyperbola){.cosine = sqrt(1 + sine * sine), .sine = sine};
    }
    double grows = imp_exp(fabs(x)) / 2, falls = 0.25 / grows, sine = grows - falls;
    return (imp_hyperbola){.cosine = grows + falls, .sine = x < 0 ? -sine : sine};
}
