#include "num/exponential.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "num/wide.h"

enum { PARTS_LOG2 = 5, PARTS = 1 << PARTS_LOG2, MANTISSA = 52 };

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

/* The interval from `lowest` to its double in parts. For z in a part |z inverse - 1| < 2^-5.9; `inverse`
 * is a multiple of 2^-9, and 1 in the part around 1. log(1/inverse) = high + low, high a multiple of 2^-42. */
static const double lowest = 0x1.64p-1;
static const struct {
    double inverse, high, low;
} part_log[PARTS] = {
    {0x1.6cp+0, -0x1.686c81e9b1p-2, -0x1.2bb110af84054p-44},
    {0x1.64p+0, -0x1.51aad872ep-2, 0x1.f4bd8db0a7cc1p-44},
    {0x1.5c8p+0, -0x1.3bdd24eb15p-2, 0x1.257b4970e6ed9p-44},
    {0x1.558p+0, -0x1.27161913f8p-2, -0x1.4f4f1f61564b4p-44},
    {0x1.4e8p+0, -0x1.11e0e2dadap-2, 0x1.a47f88fcce5bap-45},
    {0x1.478p+0, -0x1.f871b28956p-3, 0x1.f75fd6a526efep-44},
    {0x1.418p+0, -0x1.d293581b6cp-3, 0x1.83270128aaa5fp-44},
    {0x1.3bp+0, -0x1.a8becfc882p-3, -0x1.e3185cf21b9cfp-44},
    {0x1.35p+0, -0x1.815c0a1436p-3, 0x1.02a52f9201ce8p-44},
    {0x1.2f8p+0, -0x1.5c94007598p-3, 0x1.a8d948cd23322p-44},
    {0x1.2ap+0, -0x1.371fc201e8p-3, -0x1.ee8779b2d8abcp-44},
    {0x1.248p+0, -0x1.10f8e42254p-3, 0x1.93b3843396307p-45},
    {0x1.1f8p+0, -0x1.db5270187cp-4, -0x1.9277856ae181fp-44},
    {0x1.1a8p+0, -0x1.9375e55594p-4, -0x1.eddc37380c364p-44},
    {0x1.158p+0, -0x1.4a50d3aa1cp-4, 0x1.f7fe1308973e2p-45},
    {0x1.11p+0, -0x1.075983599p-4, 0x1.b8ecfe4b59987p-44},
    {0x1.0c8p+0, -0x1.868a83084p-5, 0x1.2623a134ac693p-46},
    {0x1.088p+0, -0x1.0b94f7c198p-5, 0x1.e89896f022783p-45},
    {0x1.04p+0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1p+0, 0x0p+0, 0x0p+0},
    {0x1.fp-1, 0x1.0415d89e78p-5, -0x1.dddc7f461c516p-44},
    {0x1.e2p-1, 0x1.eea31c0068p-5, 0x1.c3dd83606d891p-44},
    {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.c7p-1, 0x1.e3707ee304p-4, 0x1.0f684e6766abdp-45},
    {0x1.bbp-1, 0x1.28753bc11ap-3, 0x1.7494e359302e6p-44},
    {0x1.afp-1, 0x1.60b3100b0ap-3, -0x1.71456c988f814p-44},
    {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.9ap-1, 0x1.c6ffbc6fp-3, 0x1.ee138d3a69d43p-44},
    {0x1.9p-1, 0x1.f991c6cb3cp-3, -0x1.90d04cd7cc834p-44},
    {0x1.86p-1, 0x1.16b5ccbadp-2, -0x1.23299042d74bfp-44},
    {0x1.7dp-1, 0x1.2e9e2bce12p-2, 0x1.4300c128d1dc2p-45},
    {0x1.74p-1, 0x1.4718dc271cp-2, 0x1.06c18fb4c14c5p-44},
};
/* The first a multiple of 2^-42: its product with an exponent, and the sum with `high` above, are exact. */
static const double log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;

/* log(1 + r) - r + r^2/2; the first term left out is below 2e-22. */
static inline double log_series(double r) {
    double r2 = r * r, r4 = r2 * r2;
    double a = 1.0 / 3 - r * (1.0 / 4), b = 1.0 / 5 - r * (1.0 / 6), c = 1.0 / 7 - r * (1.0 / 8);
    double d = (1.0 / 9 - r * (1.0 / 10)) + r2 * (1.0 / 11);
    return r * r2 * ((a + r2 * b) + r4 * (c + r2 * d));
}

/* log(2^-shift x), x normal, with a relative error below 2^-63. */
static inline imp_wide log_wide(double x, double shift) {
    uint64_t bits = bits_of(x), above = bits - bits_of(lowest);
    int64_t exponent = (int64_t)above >> MANTISSA;
    uint64_t z_bits = bits - ((uint64_t)exponent << MANTISSA);
    int part = (int)(above >> (MANTISSA - PARTS_LOG2) & (PARTS - 1));
    double z = of_bits(z_bits), inverse = part_log[part].inverse, k = (double)exponent - shift;
    /* z inverse - 1 in two parts, exactly; of the first the square is exact, too. */
    double z_high = of_bits((z_bits + (UINT64_C(1) << 31)) & ~UINT64_C(0xffffffff));
    double r_high = z_high * inverse - 1, r_low = (z - z_high) * inverse, r = r_high + r_low;
    double start = k * log2_high + part_log[part].high, straight = start + r;
    double square = 0.5 * r_high * r_high, head = straight - square;
    double lost = ((r_high - r) + r_low) + ((start - straight) + r) + ((straight - head) - square);
    double low = (k * log2_low + part_log[part].low) + lost - 0.5 * r_low * (r + r_high);
    return imp_wide_normal(head, low + log_series(r));
}

static inline bool is_normal(double x) {
    return x >= DBL_MIN && x < INFINITY;
}

double imp_log(double x) {
    if (!is_normal(x)) {
        return x < 0 ? NAN : x == 0 ? -INFINITY : x < INFINITY ? log_wide(x * 0x1p54, 54).high : x;
    }
    return log_wide(x, 0).high;
}

double imp_log1p(double x) {
    double sum = 1 + x, lost = x - (sum - 1);
    return sum > 0 && sum < INFINITY ? imp_log(sum) + lost / sum : imp_log(sum);
}

double imp_atanh(double x) {
    return 0.5 * imp_log1p(2 * x / (1 - x));
}

/* ---- exponential ---- */

/* 2^(j/PARTS) = value (1 + tail). */
static const struct {
    double value, tail;
} part_exp[PARTS] = {
    {0x1p+0, 0x0p+0},
    {0x1.059b0d3158574p+0, 0x1.cd2523567f613p-55},
    {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6dp-54},
    {0x1.11301d0125b51p+0, -0x1.556522a2fbd0ep-54},
    {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55},
    {0x1.1d4873168b9aap+0, 0x1.aecf73e3a2f6p-54},
    {0x1.2387a6e756238p+0, 0x1.68efde3a8a894p-54},
    {0x1.29e9df51fdee1p+0, 0x1.2f7e16d09ab31p-55},
    {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55},
    {0x1.371a7373aa9cbp+0, -0x1.24aedcc4b5068p-54},
    {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6dp-55},
    {0x1.44e086061892dp+0, 0x1.363ed60c2ac11p-59},
    {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafbp-56},
    {0x1.5342b569d4f82p+0, -0x1.8dec6bd0f385fp-56},
    {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54},
    {0x1.6247eb03a5585p+0, -0x1.c33c53bef4da8p-55},
    {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2228p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.81f647e5a3ecfp-56},
    {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56},
    {0x1.82589994cce13p+0, -0x1.369b6f13b3734p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55},
    {0x1.93737b0cdc5e5p+0, -0x1.da9b88b6c1e29p-58},
    {0x1.9c49182a3f09p+0, 0x1.1affc2b91ce27p-56},
    {0x1.a5503b23e255dp+0, -0x1.1bbd1d3bcbb15p-54},
    {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3387p-55},
    {0x1.b7f76f2fb5e47p+0, -0x1.8d6f438ad9334p-57},
    {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56},
    {0x1.cb720dcef9069p+0, 0x1.76b2c6c921968p-57},
    {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56},
    {0x1.dfc97337b9b5fp+0, -0x1.2d52107b43e1fp-55},
    {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391fp-55},
    {0x1.f50765b6e454p+0, 0x1.a64a931d185eep-55},
};
/* log(2)/PARTS; the first a multiple of 2^-36, whose product with a number of steps is exact. */
static const double step_high = 0x1.62e42ffp-6, step_low = -0x1.718432a1b0e26p-40,
                    steps_per_unit = 0x1.71547652b82fep+5;

/* e^(x + low), low below 2^-26 of x, or of 1; x of any size. */
static inline double exp_wide(double x, double low) {
    if (!(fabs(x) < 800)) {
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    }
    /* Adding 1.5 * 2^52 rounds to a whole number, which then stands in the lowest bits. */
    const double round = 0x1.8p52;
    double shifted = x * steps_per_unit + round, steps = shifted - round;
    uint64_t whole = bits_of(shifted) - bits_of(round);
    double r = (x - steps * step_high) + (low - steps * step_low), r2 = r * r;
    /* e^r - 1, |r| < .0109; the first term left out is below 4e-18. */
    double curve = (0.5 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720));
    /* The power of 2 in two factors: both are normal numbers where the result is none. */
    int64_t exponent = (int64_t)whole >> PARTS_LOG2, half = exponent >> 1;
    double scale = part_exp[whole & (PARTS - 1)].value * power_of_2(half);
    double rise = (part_exp[whole & (PARTS - 1)].tail + r) + r2 * curve;
    return (scale + scale * rise) * power_of_2(exponent - half);
}

double imp_exp(double x) {
    return exp_wide(x, 0);
}

static inline double exp_product(imp_wide log_x, double y) {
    double first = first_digits(log_x.high), rest = (log_x.high - first) + log_x.low;
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

imp_hyperbola imp_cosine_sine_hyperbolic(double x) {
    if (fabs(x) < 1) {
        double z = x * x, sine = 1;
        for (int n = 19; n > 1; n -= 2) { /* the first term left out is below 2e-20 */
            sine = 1 + sine * z / (n * (n - 1));
        }
        sine *= x;
        return (imp_hyperbola){sqrt(1 + sine * sine), sine};
    }
    double grows = imp_exp(fabs(x)) / 2, falls = 0.25 / grows, sine = grows - falls;
    return (imp_hyperbola){grows + falls, x < 0 ? -sine : sine};
}
