/* Numbers of 32 digits: the unevaluated sum of two doubles, the second below half a unit in the
 * last place of the first. Products are split, not fused: every processor gives the same bits.
 * Values must stay within 1e-250 to 1e290 in size, or be 0.
 *
 * Source: T. J. Dekker, A floating-point technique for extending the available precision,
 * Numerische Mathematik 18 (1971) 224; D. E. Knuth, The Art of Computer Programming, volume 2,
 * 4.2.2. */
#ifndef IMP_NUM_WIDE_H
#define IMP_NUM_WIDE_H

#include <math.h>
#include <stddef.h>

typedef struct imp_wide {
    double high, low;
} imp_wide;

/* Tables of numbers are written in this order. */
_Static_assert(offsetof(imp_wide, low) == sizeof(double), "high comes first");

/* a + b exactly. */
static inline imp_wide imp_wide_sum(double a, double b) {
    double sum = a + b, part = sum - a;
    return (imp_wide){.high = sum, .low = (a - (sum - part)) + (b - part)};
}

/* The same where |a| >= |b|. */
static inline imp_wide imp_wide_normal(double a, double b) {
    double sum = a + b;
    return (imp_wide){.high = sum, .low = b - (sum - a)};
}

/* a b exactly. */
static inline imp_wide imp_wide_product(double a, double b) {
    const double splitter = 134217729; /* 2^27 + 1 */
    double product = a * b, big_a = splitter * a, big_b = splitter * b;
    double a1 = big_a - (big_a - a), a2 = a - a1, b1 = big_b - (big_b - b), b2 = b - b1;
    return (imp_wide){.high = product, .low = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline imp_wide imp_wide_of(double a) {
    return (imp_wide){.high = a};
}

static inline imp_wide imp_wide_minus(imp_wide a) {
    return (imp_wide){.high = -a.high, .low = -a.low};
}

static inline imp_wide imp_wide_add(imp_wide a, imp_wide b) {
    imp_wide high = imp_wide_sum(a.high, b.high), low = imp_wide_sum(a.low, b.low);
    high = imp_wide_normal(high.high, high.low + low.high);
    return imp_wide_normal(high.high, high.low + low.low);
}

static inline imp_wide imp_wide_multiply(imp_wide a, imp_wide b) {
    imp_wide product = imp_wide_product(a.high, b.high);
    return imp_wide_normal(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* a + b c */
static inline imp_wide imp_wide_add_product(imp_wide a, imp_wide b, imp_wide c) {
    return imp_wide_add(a, imp_wide_multiply(b, c));
}

static inline imp_wide imp_wide_divide(imp_wide a, imp_wide b) {
    imp_wide first = imp_wide_of(a.high / b.high);
    imp_wide rest = imp_wide_add(a, imp_wide_minus(imp_wide_multiply(first, b)));
    imp_wide second = imp_wide_of(rest.high / b.high);
    rest = imp_wide_add(rest, imp_wide_minus(imp_wide_multiply(second, b)));
    return imp_wide_add(imp_wide_normal(first.high, second.high), imp_wide_of(rest.high / b.high));
}

static inline imp_wide imp_wide_root(imp_wide a) {
    double first = sqrt(a.high);
    imp_wide rest = imp_wide_add(a, imp_wide_minus(imp_wide_product(first, first)));
    return imp_wide_normal(first, rest.high / (2 * first));
}

#endif
