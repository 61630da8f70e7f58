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
    return of_bits(bits_of(x) & ~UINT64_C(0x7ffffff));
}

/* ---- logarithm ---- */

/* The first a multiple of 2^-42: its product with an exponent, and the sum with `high` above, are exact. */
static const double log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;

/* log(1 + r) - r + r^2/2 by interpolation at Chebyshev nodes of r; error below 2^-70 r. */
static inline double log_series(double r, double r2) {
    double a = 0x1.5555555555556p-2 - r * 0x1.p-2,
           b = 0x1.99999999171f5p-3 - r * 0x1.55555554dfe74p-3,
           c = 0x1.2493a1c407a45p-3 - r * 0x1.0001362922288p-3;
    return r * r2 * (a + r2 * (b + r2 * c));
}

typedef struct log_parts {
    double head, rest;
} log_parts;

/* x, normal, as 2^k z, with z in a part, and z inverse - 1 = r_high + r_low exactly. */
typedef struct parted {
    int part;
    double k, r_high, r_low;
} parted;

static inline parted parted_of(double x) {
    uint64_t bits = bits_of(x), above = bits - bits_of(lowest);
    int64_t exponent = (int64_t)above >> MANTISSA;
    uint64_t z_bits = bits - (above & ~UINT64_C(0) << MANTISSA);
    int part = (int)(above >> (MANTISSA - PARTS_LOG2) & (PARTS - 1));
    double z = of_bits(z_bits), inverse = part_log[part].inverse;
    double z_high = of_bits(z_bits & ~UINT64_C(0xffffffff));
    return (parted){part, (double)exponent, z_high * inverse - 1, (z - z_high) * inverse};
}

/* log(2^-shift x), x normal, with a relative error below 2^-62. The second part is below 2^-17 of the first. The
 * square of r_high is exact, too. */
static inline log_parts log_wide(double x, double shift) {
    parted p = parted_of(x);
    double k = p.k - shift, r = p.r_high + p.r_low;
    double start = k * log2_high + part_log[p.part].high, straight = start + r;
    if (start == 0 && fabs(r) < 0x1p-20) {
        p.r_high = 0; /* below 1 the halves of r may be much larger than r */
        p.r_low = r;
    }
    double square = 0.5 * p.r_high * p.r_high, head = straight - square;
    double lost =
        ((p.r_high - r) + p.r_low) + ((start - straight) + r) + ((straight - head) - square);
    double low = (k * log2_low + part_log[p.part].low) + lost - 0.5 * p.r_low * (r + p.r_high);
    return (log_parts){head, low + log_series(r, r * r)};
}

static inline double log_near(double x, double shift) {
    parted p = parted_of(x);
    double k = p.k - shift, r = p.r_high + p.r_low, r2 = r * r;
    double start = k * log2_high + part_log[p.part].high, straight = start + r;
    double lost = ((p.r_high - r) + p.r_low) + ((start - straight) + r);
    double low = (k * log2_low + part_log[p.part].low) + lost;
    return straight + (low + (log_series(r, r2) - 0.5 * r2));
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
    double r = g->r, square = r * r;
    double curve = (0.5 + r * (1.0 / 6)) + square * (1.0 / 24 + r * (1.0 / 120));
    return scale + (scale * (g->tail + r) + scale * square * curve);
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

/* e^(x + low), low below 2^-26 of x, or of 1. Nearer to the ends a term of `grow` is not normal. */
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
    double first = first_digits(log_x.head + log_x.rest);
    double rest = (log_x.head - first) + log_x.rest;
    double y_first = first_digits(y), y_rest = y - y_first;
    return exp_wide(y_first * first, y_rest * first + y * rest);
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

/* (1 - r)^(-1/3) - 1; the first term left out is 35/243 r^4. */
static inline double third_series(double r) {
    return r * (1.0 / 3 + r * (2.0 / 9 + r * (14.0 / 81)));
}

double imp_two_thirds(double x) {
    /* x^(-1/3) within 3.5 percent: the bits of a number are about its logarithm. */
    double t = of_bits((UINT64_C(0x553ee9) << 40) - bits_of(x) / 3);
    t += t * third_series(1 - x * t * t * t);
    double power = x * t;
    return power + power * third_series(1 - power * t * t);
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
