/* Logarithm and exponential with more digits than a double has, and powers and inverse hyperbolic
 * tangents made of them. For one lane num/exponential.c makes imp_power and imp_atanh of the same
 * code, with the same bits. */
#ifndef IMP_NUM_LANES_EXPONENTIAL_H
#define IMP_NUM_LANES_EXPONENTIAL_H

#include <float.h>
#include <stddef.h>

#include "num/exponential.h"
#include "num/exponential_tables.h"
#include "num/lanes/words.h"

/* From a table of rows of doubles, the number at this place of a row; each lane has a row of its
 * own. */
CODE real imp_lanes_look_up(const double *table, size_t row, size_t place, imp_lane_bits which) {
#if IMP_LANES == 1
    return table[which * row + place];
#else
    real found = {0};
    for (int lane = 0; lane < IMP_LANES; lane++) {
        found[lane] = table[which[lane] * row + place];
    }
    return found;
#endif
}

#define LOOK_UP(table, type, part, member)                                                         \
    imp_lanes_look_up((const double *)(table), sizeof(type) / sizeof(double),                      \
                      offsetof(type, member) / sizeof(double), part)
#define LOG_PART(part, member) LOOK_UP(imp_log_parts, imp_log_part, part, member)
#define EXP_PART(part, member) LOOK_UP(imp_exp_parts, imp_exp_part, part, member)

/* The first half of the digits: products of two are exact. */
CODE real imp_lanes_first_digits(real x) {
#if IMP_LANES == 1 && defined __SSE2__
    /* In a vector x stays in its register; to move it to a register of whole numbers and back would
     * take longer than two multiplications. */
    typedef double pair __attribute__((vector_size(16)));
    typedef int64_t pair_bits __attribute__((vector_size(16)));
    return ((pair)((pair_bits)(pair){x} & ~INT64_C(0x7ffffff)))[0];
#else
    return imp_lanes_of_bits(imp_lanes_bits(x) & ~UINT64_C(0x7ffffff));
#endif
}

/* ---- logarithm ---- */

/* x, normal, is 2^k z with z in a part. 1 + r = z inverse exactly; start + low are log(1/inverse)
 * and k log(2). */
typedef struct imp_lanes_parted {
    real r, start, low;
} imp_lanes_parted;

CODE imp_lanes_parted imp_lanes_parted_of(real x, double shift) {
    /* log(2); the first a multiple of 2^-42: its product with an exponent, and the sum with `high`,
     * are exact. */
    const double high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45;
    const uint64_t lowest = UINT64_C(0x3fe6a55000000000), two_to_52 = UINT64_C(0x4330000000000000);
    imp_lane_bits bits = imp_lanes_bits(x), above = bits - lowest;
    imp_lane_bits part = above >> (52 - IMP_LOG_PARTS_LOG2) & ((1 << IMP_LOG_PARTS_LOG2) - 1);
    real z = imp_lanes_of_bits(bits - (above & ~UINT64_C(0) << 52));
    /* 2048 more than k, a whole number of 12 bits, as the last digits of 2^52 and itself. */
    imp_lane_bits whole = (above ^ UINT64_C(1) << 63) >> 52;
    real k = imp_lanes_of_bits(whole | two_to_52) - (0x1p52 + 2048 + shift);
    return (imp_lanes_parted){.r = (z - LOG_PART(part, middle)) * LOG_PART(part, inverse) +
                                   LOG_PART(part, offset),
                              .start = k * high + LOG_PART(part, high),
                              .low = k * low + LOG_PART(part, low)};
}

/* sum + log(1 + r) - r + r^2/2 by interpolation at Chebyshev nodes of r, without the terms from r^7
 * on, which are `seventh` r^7: the error is below 2^-72 r where `seventh` is imp_seventh_start + r
 * imp_seventh_slope, and below 2^-61 r where it is imp_seventh_start. */
CODE real imp_lanes_add_log_series(real sum, real r, real r2, real seventh) {
    real a = 0x1.5555555555555p-2 + r * -0x1p-2, r3 = r * r2;
    real b = 0x1.9999999973914p-3 + r * -0x1.55555555331aap-3;
    return (sum + r3 * a) + r3 * r2 * (b + r2 * seventh);
}

/* log(2^-shift x), x normal. */
CODE real imp_lanes_log_near(real x, double shift) {
    imp_lanes_parted p = imp_lanes_parted_of(x, shift);
    real r = p.r, r2 = r * r, straight = p.start + r;
    real low = (p.low - 0.5 * r2) + ((p.start - straight) + r);
    return straight + imp_lanes_add_log_series(low, r, r2, number(imp_seventh_start));
}

/* first + rest; of `first` only the first half of its digits is there, and `rest` is below 2^-24 of
 * it. */
typedef struct imp_lanes_long_number {
    real first, rest;
} imp_lanes_long_number;

/* log(2^-shift x), x normal, with a relative error below 2^-68. */
CODE imp_lanes_long_number imp_lanes_log_long(real x, double shift) {
    imp_lanes_parted p = imp_lanes_parted_of(x, shift);
    real r = p.r, r2 = r * r, r_high = imp_lanes_first_digits(r), straight = p.start + r;
    real first = imp_lanes_first_digits(straight + r2 * (r * (1.0 / 3) - 0.5));
    real low = (p.low - 0.5 * (r - r_high) * (r + r_high)) + ((p.start - straight) + r);
    real rest = imp_lanes_add_log_series(low, r, r2, imp_seventh_start + r * imp_seventh_slope);
    return (imp_lanes_long_number){.first = first,
                                   .rest = rest + ((straight - first) - 0.5 * r_high * r_high)};
}

CODE imp_lanes_long_number imp_lanes_times(imp_lanes_long_number log_x, real y) {
    real y_first = imp_lanes_first_digits(y), y_rest = y - y_first;
    return (imp_lanes_long_number){.first = y_first * log_x.first,
                                   .rest = y_rest * log_x.first + y * log_x.rest};
}

/* ---- exponential ---- */

/* e^(x + low) = 2^(steps / 128 rounded down) value e^(tail + r), value and tail those of a part. */
typedef struct imp_lanes_grown {
    imp_lane_bits steps;
    real value, tail, r;
} imp_lanes_grown;

CODE imp_lanes_grown imp_lanes_grown_of(real x, real low) {
    /* log(2)/128; the first a multiple of 2^-38, whose product with a number of steps is exact. */
    const double step_high = 0x1.62e42ffp-8, step_low = -0x1.718432a1b0e26p-42,
                 steps_per_unit = 0x1.71547652b82fep+7;
    /* Adding 1.5 * 2^52 rounds to a whole number, which then stands in the lowest bits. */
    const double round = 0x1.8p52;
    real shifted = x * steps_per_unit + round, steps = shifted - round;
    imp_lane_bits whole = imp_lanes_bits(shifted) - UINT64_C(0x4338000000000000);
    imp_lane_bits part = whole & ((1 << IMP_EXP_PARTS_LOG2) - 1);
    return (imp_lanes_grown){.steps = whole,
                             .value = EXP_PART(part, value),
                             .tail = EXP_PART(part, tail),
                             .r = (x - steps * step_high) + (low - steps * step_low)};
}

/* scale e^(tail + r), |r| < .0028; the first term left out is below 6e-19. */
CODE real imp_lanes_grow(const imp_lanes_grown *g, real scale) {
    real r = g->r, square = r * r, scaled = scale * square;
    real start = scale * (g->tail + r) + scaled * (0.5 + r * (1.0 / 6));
    return scale + (start + scaled * square * (1.0 / 24 + r * (1.0 / 120)));
}

/* e^(x + low), |x| < 680, low below 2^-23 of x, or of 1. */
CODE real imp_lanes_exp_long(real x, real low) {
    imp_lanes_grown g = imp_lanes_grown_of(x, low);
    return imp_lanes_grow(
        &g, imp_lanes_of_bits(imp_lanes_bits(g.value) + (g.steps >> IMP_EXP_PARTS_LOG2 << 52)));
}

#undef LOOK_UP
#undef LOG_PART
#undef EXP_PART

/* ---- powers and their kin ---- */

/* x^y for x >= 0 and finite y. */
CODE real imp_lanes_power(real x, real y) {
    imp_lanes_long_number product = imp_lanes_times(imp_lanes_log_long(x, 0), y);
    real power = imp_lanes_exp_long(product.first, product.rest);
    truth usual = (x >= DBL_MIN) & (x < INFINITY) & (size_of(product.first) < 680);
    unsigned others = imp_lanes_where(not(usual));
    for (int lane = 0; others >> lane; lane++) {
        if (others >> lane & 1) {
            imp_lanes_set(&power, lane, imp_power(imp_lanes_get(x, lane), imp_lanes_get(y, lane)));
        }
    }
    return power;
}

/* Inverse hyperbolic tangent of x in [0, 1]. */
CODE real imp_lanes_atanh(real x) {
    real shift = 2 * x / (1 - x), sum = 1 + shift, lost = shift - (sum - 1);
    real angle = 0.5 * (imp_lanes_log_near(sum, 0) + lost / sum);
    unsigned others = imp_lanes_where(not((sum >= 1) & (sum < INFINITY)));
    for (int lane = 0; others && lane < IMP_LANES; lane++) {
        if (others >> lane & 1) {
            imp_lanes_set(&angle, lane, imp_atanh(imp_lanes_get(x, lane)));
        }
    }
    return angle;
}

#endif
