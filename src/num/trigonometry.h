/* Sine, cosine and the angle of a vector, the same bits on every processor.
 *
 * libm chooses code by processor (with or without fused multiply-add) and so changes last digits;
 * these use only correctly rounded operations in a fixed order. Values come in pairs, because the
 * two normal modes of a contact are always evaluated together. */
#ifndef IMP_NUM_TRIGONOMETRY_H
#define IMP_NUM_TRIGONOMETRY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/constants.h"

typedef double imp_pair __attribute__((vector_size(16)));
typedef int64_t imp_pair_bits __attribute__((vector_size(16)));

static inline double imp_pair_sum(imp_pair x) {
    return x[0] + x[1];
}

static inline imp_pair imp_pair_sqrt(imp_pair x) {
    return (imp_pair){sqrt(x[0]), sqrt(x[1])};
}

static inline imp_pair imp_pair_abs(imp_pair x) {
    return (imp_pair)((imp_pair_bits)x & INT64_MAX);
}

/* a in the lanes where the mask is all ones, b where it is 0. */
static inline imp_pair imp_pair_select(imp_pair_bits mask, imp_pair a, imp_pair b) {
    return (imp_pair)((mask & (imp_pair_bits)a) | (~mask & (imp_pair_bits)b));
}

/* Taylor series; on [-pi/4, pi/4] the first term left out is below 5e-17. */
static inline imp_pair imp_sine_series(imp_pair r) {
    imp_pair z = r * r, z2 = z * z;
    imp_pair low = (z * (1.0 / 120.0) - 1.0 / 6.0) + z2 * (z * (1.0 / 362880.0) - 1.0 / 5040.0);
    imp_pair high = (z * (1.0 / 6227020800.0) - 1.0 / 39916800.0) - z2 * (1.0 / 1307674368000.0);
    return r + r * z * (low + z2 * z2 * high);
}

static inline imp_pair imp_cosine_series(imp_pair r) {
    imp_pair z = r * r, z2 = z * z;
    imp_pair low = (1.0 / 24.0 - z * (1.0 / 720.0)) + z2 * (1.0 / 40320.0 - z * (1.0 / 3628800.0));
    imp_pair high = (1.0 / 479001600.0 - z * (1.0 / 87178291200.0)) + z2 * (1.0 / 20922789888000.0);
    /* The last sum restores the digits that 1 - z/2 rounds off. */
    imp_pair half = 0.5 * z, head = 1.0 - half;
    return head + ((1.0 - head) - half + z2 * (low + z2 * z2 * high));
}

typedef struct imp_pair_sincos {
    imp_pair sine, cosine;
} imp_pair_sincos;

/* x = turn * pi/2 + rest; only the lowest bits of turn are used. */
typedef struct imp_reduced {
    imp_pair rest;
    imp_pair_bits turn;
} imp_reduced;

/* |x| at most 1e5. */
static inline imp_reduced imp_reduce(imp_pair x) {
    /* Adding 1.5 * 2^52 rounds to a whole number and puts it into the lowest bits. */
    const double round = 0x1.8p52;
    /* pi/2 in three parts, the first two of 33 bits: their products with the quadrant are exact. */
    const double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69;
    imp_pair shifted = x * 0x1.45f306dc9c883p-1 + round;
    imp_pair quadrant = shifted - round;
    return (imp_reduced){((x - quadrant * first) - quadrant * second) - quadrant * third,
                         (imp_pair_bits)shifted};
}

/* For x of any size; NaN for an infinite one. */
imp_reduced imp_reduce_far(imp_pair x);

/* Absolute error below 2.5e-16. */
static inline imp_pair_sincos imp_pair_sine_cosine(imp_pair x) {
    imp_pair size = imp_pair_abs(x);
    bool near = (size[0] <= 1e5) & (size[1] <= 1e5);
    imp_reduced reduced = near ? imp_reduce(x) : imp_reduce_far(x);
    imp_pair_bits sine = (imp_pair_bits)imp_sine_series(reduced.rest);
    imp_pair_bits cosine = (imp_pair_bits)imp_cosine_series(reduced.rest);
    imp_pair_bits turn = reduced.turn;
    imp_pair_bits swap = -(turn & 1);
    imp_pair_bits sine_sign = (turn & 2) << 62, cosine_sign = ((turn + 1) & 2) << 62;
    return (imp_pair_sincos){(imp_pair)(((swap & cosine) | (~swap & sine)) ^ sine_sign),
                             (imp_pair)(((swap & sine) | (~swap & cosine)) ^ cosine_sign)};
}

typedef struct imp_sincos {
    double sine, cosine;
} imp_sincos;

static inline imp_sincos imp_sine_cosine(double x) {
    imp_pair_sincos both = imp_pair_sine_cosine((imp_pair){x, x});
    return (imp_sincos){both.sine[0], both.cosine[0]};
}

/* Angle of the vector (x, y) in the first quadrant, x >= 0 and y >= 0, not both 0: 0 to pi/2.
 * Relative error below 5e-16. */
static inline double imp_angle(double y, double x) {
    /* Turned back by 0, 45 or 90 degrees the tangent is at most tan(22.5 deg) in size. */
    const double limit = 0.41421356237309503;
    double turned = 0, above = y, below = x;
    if (y > limit * x) {
        int steep = limit * y > x;
        turned = steep ? IMP_PI / 2 : IMP_PI / 4;
        above = steep ? -x : y - x;
        below = steep ? y : y + x;
    }
    double z = above / below, u = z * z, u2 = u * u, u4 = u2 * u2;
    /* atan(z)/z by interpolation at the Chebyshev nodes of u in [0, 0.1716]; error 1.3e-18. */
    double a =
        (1 - u * 0x1.555555555552fp-2) + u2 * (0x1.9999999994656p-3 - u * 0x1.24924922593d1p-3);
    double b = (0x1.c71c70cb492c4p-4 - u * 0x1.745cf64894f5fp-4) +
               u2 * (0x1.3b10f097ffd10p-4 - u * 0x1.10ea18e041aa8p-4);
    double c = (0x1.def9aedb3ab13p-5 - u * 0x1.9c78a5c178b3ep-5) +
               u2 * (0x1.370013502ce8bp-5 - u * 0x1.23b2f43074332p-6);
    return turned + z * (a + u4 * (b + u4 * c));
}

/* The same in the upper half plane, y >= 0: 0 to pi. */
static inline double imp_half_turn(double y, double x) {
    return x < 0 ? IMP_PI - imp_angle(y, -x) : imp_angle(y, x);
}

#endif
