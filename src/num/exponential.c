#include "num/exponential.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "num/exponential_tables.h"

static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The first half of the digits of x: products of two are exact. */
static inline double first_digits(double x) {
#ifdef __SSE2__
    /* As a vector x stays where it is; the way to the registers of whole numbers and back takes
     * longer than two multiplications. */
    typedef double pair __attribute__((vector_size(16)));
    typedef int64_t pair_bits __attribute__((vector_size(16)));
    return ((pair)((pair_bits)(pair){x} & ~INT64_C(0x7ffffff)))[0];
#else
    return of_bits(bits_of(x) & ~UINT64_C(0x7ffffff));
#endif
}

#define REAL double
#define BITS uint64_t
#define BITS_OF(x) bits_of(x)
#define OF_BITS(bits) of_bits(bits)
#define LOG_PART(part, member) imp_log_parts[part].member
#define EXP_PART(part, member) imp_exp_parts[part].member
#define FIRST_DIGITS(x) first_digits(x)
#define NAME(x) x
#define CODE_OF_POWER static inline
#include "num/exponential_impl.h"

/* ---- logarithm ---- */

static inline bool is_normal(double x) {
    return bits_of(x) - bits_of(DBL_MIN) < bits_of(INFINITY) - bits_of(DBL_MIN);
}

double imp_log(double x) {
    if (!is_normal(x)) {
        return x < 0 ? NAN : x == 0 ? -INFINITY : x < INFINITY ? log_near(x * 0x1p54, 54) : x;
    }
    return log_near(x, 0);
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
    return of_bits((uint64_t)(exponent + 1023) << 52);
}

/* x of any size. The power of 2 in two factors: both are normal numbers where the result is
 * none. */
static double exp_far(double x, double low) {
    if (!(fabs(x) < 800)) {
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    }
    grown g = grown_of(x, low);
    int64_t exponent = (int64_t)g.steps >> IMP_EXP_PARTS_LOG2, half = exponent >> 1;
    return grow(&g, g.value * power_of_2(half)) * power_of_2(exponent - half);
}

/* Nearer to the ends than 680 a term of `grow` is not normal. */
static inline double exp_wide(double x, double low) {
    return fabs(x) < 680 ? exp_long(x, low) : exp_far(x, low);
}

double imp_exp(double x) {
    return exp_wide(x, 0);
}

static inline double exp_product(long_number log_x, double y) {
    long_number product = times(log_x, y);
    return exp_wide(product.first, product.rest);
}

double imp_power(double x, double y) {
    if (!is_normal(x)) {
        return x > 0 && x < DBL_MIN ? exp_product(log_long(x * 0x1p54, 54), y)
               : x < 0              ? NAN
               : y == 0             ? 1
               : y > 0              ? x
                                    : 1 / x;
    }
    return exp_product(log_long(x, 0), y);
}

#define REAL double
#define BITS uint64_t
#define THIRD(bits) ((bits) / 3)
#define NAME(x) x
#define CODE_OF_POWER static inline
#include "num/two_thirds_impl.h"

double imp_two_thirds(double x) {
    return two_thirds(x);
}

double imp_two_fifths(double x) {
    /* x^(-1/5) within 4 percent, then within 4e-5. */
    double t = of_bits((UINT64_C(0x4cb89c) << 40) - bits_of(x) / 5), t2 = t * t;
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
        return (imp_hyperbola){sqrt(1 + sine * sine), sine};
    }
    double grows = imp_exp(fabs(x)) / 2, falls = 0.25 / grows, sine = grows - falls;
    return (imp_hyperbola){grows + falls, x < 0 ? -sine : sine};
}
