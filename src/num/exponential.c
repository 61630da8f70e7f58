#include "num/exponential.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "num/exponential_tables.h"

enum { MANTISSA = 52 };

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

static inline double power_of_2(int64_t exponent) {
    return of_bits((uint64_t)(exponent + 1023) << MANTISSA);
}

/* The first half of the digits of x: products of two are exact. */
static inline double first_digits(double x) {
#ifdef __SSE2__
    /* As a vector x stays where it is; the way to the registers of whole numbers and back takes longer than two
     * multiplications. */
    typedef double pair __attribute__((vector_size(16)));
    typedef int64_t pair_bits __attribute__((vector_size(16)));
    return ((pair)((pair_bits)(pair){x} & ~INT64_C(0x7ffffff)))[0];
#else
    return of_bits(bits_of(x) & ~UINT64_C(0x7ffffff));
#endif
}

/* ---- logarithm ---- */

/* The first a multiple of 2^-42: its product with an exponent, and the sum with `high` above, are exact. */
static const double log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;

/* sum + log(1 + r) - r + r^2/2 by interpolation at Chebyshev nodes of r, without the terms from r^7 on, which are
 * `seventh` r^7: with both numbers below the error is below 2^-72 r, with one below 2^-61 r. */
static const double seventh_start = 0x1.24930333e616bp-3, seventh_slope = -0x1.0000a7743360ep-3;

static inline double add_log_series(double sum, double r, double r2, double seventh) {
    double a = 0x1.5555555555555p-2 + r * -0x1p-2, r3 = r * r2;
    double b = 0x1.9999999973914p-3 + r * -0x1.55555555331aap-3;
    return (sum + r3 * a) + r3 * r2 * (b + r2 * seventh);
}

/* x, normal, is 2^k z with z in a part. 1 + r = z inverse exactly; start + low are log(1/inverse) and k log(2). */
typedef struct parted {
    double r, start, low;
} parted;

static inline parted parted_of(double x, double shift) {
    uint64_t bits = bits_of(x), above = bits - bits_of(lowest);
    uint64_t part = above >> (MANTISSA - LOG_PARTS_LOG2) & (LOG_PARTS - 1);
    double z = of_bits(bits - (above & ~UINT64_C(0) << MANTISSA));
    double k = (double)((int64_t)above >> MANTISSA) - shift;
    return (parted){.r = (z - part_log[part].middle) * part_log[part].inverse +
                         part_log[part].offset,
                    .start = k * log2_high + part_log[part].high,
                    .low = k * log2_low + part_log[part].low};
}

/* first + rest; of `first` only the first half of its digits is there, and `rest` is below 2^-24 of it. */
typedef struct log_parts {
    double first, rest;
} log_parts;

/* log(2^-shift x), x normal, with a relative error below 2^-68. */
static inline log_parts log_wide(double x, double shift) {
    parted p = parted_of(x, shift);
    double r = p.r, r2 = r * r, r_high = first_digits(r), straight = p.start + r;
    double first = first_digits(straight + r2 * (r * (1.0 / 3) - 0.5));
    double low = (p.low - 0.5 * (r - r_high) * (r + r_high)) + ((p.start - straight) + r);
    double rest = add_log_series(low, r, r2, seventh_start + r * seventh_slope);
    return (log_parts){first, rest + ((straight - first) - 0.5 * r_high * r_high)};
}

static inline double log_near(double x, double shift) {
    parted p = parted_of(x, shift);
    double r = p.r, r2 = r * r, straight = p.start + r;
    double low = (p.low - 0.5 * r2) + ((p.start - straight) + r);
    return straight + add_log_series(low, r, r2, seventh_start);
}

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

/* log(2)/PARTS; the first a multiple of 2^-38, whose product with a number of steps is exact. */
static const double step_high = 0x1.62e42ffp-8, step_low = -0x1.718432a1b0e26p-42,
                    steps_per_unit = 0x1.71547652b82fep+7;

/* e^(x + low) = 2^exponent value e^(tail + r), value and tail those of a part. */
typedef struct grown {
    int64_t exponent;
    double value, tail, r;
} grown;

static inline grown grown_of(double x, double low) {
    /* Adding 1.5 * 2^52 rounds to a whole number, which then stands in the lowest bits. */
    const double round = 0x1.8p52;
    double shifted = x * steps_per_unit + round, steps = shifted - round;
    uint64_t whole = bits_of(shifted) - bits_of(round);
    int part = (int)(whole & (PARTS - 1));
    return (grown){(int64_t)whole >> PARTS_LOG2, part_exp[part].value, part_exp[part].tail,
                   (x - steps * step_high) + (low - steps * step_low)};
}

/* scale e^(tail + r), |r| < .0028; the first term left out is below 6e-19. */
static inline double grow(const grown *g, double scale) {
    double r = g->r, square = r * r, scaled = scale * square;
    double start = scale * (g->tail + r) + scaled * (0.5 + r * (1.0 / 6));
    return scale + (start + scaled * square * (1.0 / 24 + r * (1.0 / 120)));
}

/* x of any size. The power of 2 in two factors: both are normal numbers where the result is none. */
static double exp_far(double x, double low) {
    if (!(fabs(x) < 800)) {
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    }
    grown g = grown_of(x, low);
    int64_t half = g.exponent >> 1;
    return grow(&g, g.value * power_of_2(half)) * power_of_2(g.exponent - half);
}

/* e^(x + low), low below 2^-23 of x, or of 1. Nearer to the ends a term of `grow` is not normal. */
static inline double exp_wide(double x, double low) {
    if (!(fabs(x) < 680)) {
        return exp_far(x, low);
    }
    grown g = grown_of(x, low);
    return grow(&g, of_bits(bits_of(g.value) + ((uint64_t)g.exponent << MANTISSA)));
}

double imp_exp(double x) {
    return exp_wide(x, 0);
}

static inline double exp_product(log_parts log_x, double y) {
    double y_first = first_digits(y), y_rest = y - y_first;
    return exp_wide(y_first * log_x.first, y_rest * log_x.first + y * log_x.rest);
}

double imp_power(double x, double y) {
    if (!is_normal(x)) {
        return x > 0 && x < DBL_MIN ? exp_product(log_wide(x * 0x1p54, 54), y)
               : x < 0              ? NAN
               : y == 0             ? 1
               : y > 0              ? x
                                    : 1 / x;
    }
    return exp_product(log_wide(x, 0), y);
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
