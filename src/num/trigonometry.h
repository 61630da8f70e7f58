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

static inline imp_pair imp_pair_abs(imp_pair x) {
    return (imp_pair)((imp_pair_bits)x & INT64_MAX);
}

#define REAL imp_pair
#define BITS imp_pair_bits
#define NAME(x) imp_pair_##x
#define SINE_CODE static inline
#include "num/sine_impl.h"

typedef struct imp_pair_sincos {
    imp_pair sine, cosine;
} imp_pair_sincos;

/* For x of any size; NaN for an infinite one. */
imp_pair_reduced imp_reduce_far(imp_pair x);

/* Absolute error below 2.5e-16. */
static inline imp_pair_sincos imp_pair_sine_cosine(imp_pair x) {
    imp_pair size = imp_pair_abs(x);
    bool near = (size[0] <= 1e5) & (size[1] <= 1e5);
    imp_pair_sincos both;
    imp_pair_sine_cosine_of(near ? imp_pair_reduce(x) : imp_reduce_far(x), &both.sine,
                            &both.cosine);
    return both;
}

typedef struct imp_sincos {
    double sine, cosine;
} imp_sincos;

static inline imp_sincos imp_sine_cosine(double x) {
    imp_pair_sincos both = imp_pair_sine_cosine((imp_pair){x, x});
    return (imp_sincos){.sine = both.sine[0], .cosine = both.cosine[0]};
}

#define REAL double
#define PICK(mask, a, b) ((mask) ? (a) : (b))
#define NAME(x) imp_##x
#define ANGLE_CODE static inline
#include "num/angle_impl.h"

/* Angle of the vector (x, y), not both 0, in (-pi, pi]. Relative error below 5e-16. */
static inline double imp_heading(double y, double x) {
    double first = imp_angle(fabs(y), fabs(x));
    double upper = x < 0 ? IMP_PI - first : first;
    return y < 0 ? -upper : upper;
}

#endif
