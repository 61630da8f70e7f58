#include "num/sample.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "num/exponential.h"
#include "num/lanes/polynomial.h"

enum { BITS = 32 };

/* Primitive polynomial (degree, inner coefficients) and first odd numbers of each dimension:
 * new-joe-kuo-6.21201, Copyright 2008 Frances Y. Kuo and Stephen Joe, under the licence that
 * jobs/packages/copyright has. */
typedef struct direction {
    unsigned degree, coefficients;
    uint32_t first[7];
} direction;

/* The rows below are written in this order. */
_Static_assert(offsetof(direction, coefficients) == sizeof(unsigned) &&
                   offsetof(direction, first) == 2 * sizeof(unsigned),
               "the degree comes first, then the coefficients");

static const direction directions[IMP_SAMPLE_DIMENSIONS] = {
    {0, 0, {0}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};

/* Direction numbers, bit 31 the greatest. The first dimension is van der Corput's. */
static void expand(int dimension, uint32_t v[BITS]) {
    const direction *d = &directions[dimension];
    for (unsigned i = 0; i < BITS; i++) {
        if (d->degree == 0) {
            v[i] = UINT32_C(1) << (BITS - 1 - i);
        } else if (i < d->degree) {
            v[i] = d->first[i] << (BITS - 1 - i);
        } else {
            v[i] = v[i - d->degree] ^ (v[i - d->degree] >> d->degree);
            for (unsigned k = 1; k < d->degree; k++) {
                v[i] ^= d->coefficients >> (d->degree - 1 - k) & 1 ? v[i - k] : 0;
            }
        }
    }
}

static uint32_t combine(const uint32_t v[BITS], uint32_t index) {
    uint32_t gray = index ^ (index >> 1), sum = 0;
    for (int i = 0; gray; i++, gray >>= 1) {
        sum ^= gray & 1 ? v[i] : 0;
    }
    return sum;
}

/* SplitMix64 (Steele, Lea and Flood 2014). */
static const uint64_t step_of_draws = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += step_of_draws;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* A stream of its own for each dimension. */
static uint64_t stream(int dimension, uint64_t seed) {
    uint64_t state = seed;
    state = draw(&state) + (uint64_t)dimension;
    return draw(&state);
}

imp_sobol imp_sobol_coordinate(int dimension, uint64_t seed) {
    assert(dimension >= 0 && dimension < IMP_SAMPLE_DIMENSIONS);
    imp_sobol c;
    uint64_t state = stream(dimension, seed);
    c.shift = (uint32_t)(draw(&state) >> 32);
    expand(dimension, c.directions);
    return c;
}

static double between(uint32_t bits) {
    return bits * 0x1p-32 + 0x1p-33;
}

static double at(const imp_sobol *c, int64_t i) {
    return between(combine(c->directions, (uint32_t)i) ^ c->shift);
}

/* Neighbours in the order of the Gray code differ in one direction number. */
void imp_sobol_fill(const imp_sobol *c, int64_t first, int64_t n, double *values) {
    assert(first >= 0 && n >= 0 && first + n <= IMP_SAMPLE_MOST_POINTS);
    uint32_t bits = combine(c->directions, (uint32_t)first) ^ c->shift;
    for (int64_t i = 0; i < n; i++) {
        values[i] = between(bits);
        uint32_t next = (uint32_t)(first + i + 1);
        bits ^= c->directions[__builtin_ctz(next)];
    }
}

void imp_sample_sobol(int dimension, uint64_t seed, int64_t n, double *values) {
    imp_sobol c = imp_sobol_coordinate(dimension, seed);
    imp_sobol_fill(&c, 0, n, values);
}

void imp_sample_random(int dimension, uint64_t seed, int64_t first, int64_t n, double *values) {
    uint64_t state = stream(dimension, seed) + (uint64_t)first * step_of_draws;
    for (int64_t i = 0; i < n; i++) {
        values[i] = between((uint32_t)(draw(&state) >> 32));
    }
}

uint64_t imp_sample_seed(uint64_t seed, uint64_t number) {
    uint64_t state = seed;
    state = draw(&state) ^ number;
    return number == 0 ? seed : draw(&state);
}

void imp_sample_saltelli(int parameter, int parameters, uint64_t seed, int64_t n, double *values) {
    assert(parameter >= 0 && parameter < parameters);
    assert(2 * parameters <= IMP_SAMPLE_DIMENSIONS);
    imp_sobol a = imp_sobol_coordinate(parameter, seed);
    imp_sobol b = imp_sobol_coordinate(parameters + parameter, seed);
    int64_t group = parameters + 2;
    for (int64_t i = 0; i < n * group; i++) {
        bool of_b = i % group == parameters + 1 || i % group == parameter + 1;
        values[i] = at(of_b ? &b : &a, i / group);
    }
}

void imp_sample_latin(int dimension, uint64_t seed, int64_t n, double *values) {
    uint64_t state = stream(dimension, seed);
    for (int64_t i = 0; i < n; i++) {
        double within = (double)(draw(&state) >> 12) * 0x1p-52 + 0x1p-53;
        values[i] = ((double)i + within) / (double)n;
    }
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t k = (int64_t)(draw(&state) % (uint64_t)(i + 1));
        double kept = values[i];
        values[i] = values[k];
        values[k] = kept;
    }
}

/* A quotient of polynomials of degree 7, whose coefficients begin with that of x^0. */
typedef struct quotient {
    double above[8], below[8];
} quotient;

static double quotient_at(const quotient *q, double x) {
    return imp_lanes_polynomial_at(q->above, 7, x) / imp_lanes_polynomial_at(q->below, 7, x);
}

/* M. J. Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied
 * Statistics 37 (1988) 477: the middle, over (0.425^2 - (p - 1/2)^2), and the tails, over sqrt(-log
 * p). */
static const quotient middle = {
    .above = {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
              1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
              3.3430575583588128105e+4, 2.5090809287301226727e+3},
    .below = {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
              2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
              5.2264952788528545610e+3}};
static const quotient tail = {
    .above = {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
              3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
              2.27238449892691845833e-2, 7.74545014278341407640e-4},
    .below = {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
              1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
              1.05075007164441684324e-9}};
static const quotient far_tail = {
    .above = {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
              2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
              2.71155556874348757815e-5, 2.01033439929228813265e-7},
    .below = {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
              7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
              2.04426310338993978564e-15}};

double imp_normal_probability(double x) {
    enum { MOST_TERMS = 400, FRACTIONS = 300 };
    const double near = 2.5, per_root = 0.39894228040143267794; /* 1 / sqrt(2 pi) */
    if (isnan(x) || fabs(x) > 40) {
        return isnan(x) ? x : x > 0;
    }
    double square = x * x, density = per_root * imp_exp(-square / 2);
    double term = x, sum = x, fraction = fabs(x);
    if (fabs(x) < near) { /* x + x^3/3 + x^5/(3 5) + .. */
        for (int k = 3; k < MOST_TERMS && sum + term != sum; k += 2) {
            term *= square / k;
            sum += term;
        }
        return 0.5 + density * sum;
    }
    for (int k = FRACTIONS; k > 0; k--) { /* Laplace's continued fraction of the tail */
        fraction = fabs(x) + k / fraction;
    }
    return x > 0 ? 1 - density / fraction : density / fraction;
}

double imp_normal_quantile(double p) {
    assert(p > 0 && p < 1);
    double off = p - 0.5;
    if (fabs(off) <= 0.425) {
        return off * quotient_at(&middle, 0.425 * 0.425 - off * off);
    }
    double root = sqrt(-imp_log(off < 0 ? p : 1 - p));
    double x = root <= 5 ? quotient_at(&tail, root - 1.6) : quotient_at(&far_tail, root - 5);
    return off < 0 ? -x : x;
}
