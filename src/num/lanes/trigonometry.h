/* Sine, cosine and the angle of a vector in lanes; the bits of trigonometry.h. */
#ifndef IMP_NUM_LANES_TRIGONOMETRY_H
#define IMP_NUM_LANES_TRIGONOMETRY_H

#include "base/constants.h"
#include "num/lanes/words.h"
#include "num/trigonometry.h"

#define REAL imp_lanes
#define PICK imp_lanes_pick
#define NAME(x) imp_lanes_##x
#define ANGLE_CODE IMP_LANE_CODE
#include "num/angle_impl.h"

/* The angle of a vector in the upper half plane, y >= 0: 0 to pi. */
CODE real imp_lanes_half_turn(real y, real x) {
    real angle = imp_lanes_angle(y, size_of(x));
    return pick(x < 0, IMP_PI - angle, angle);
}

#if IMP_LANES == 1

/* Sine and cosine of two angles of any size; NaN for an infinite one. */
CODE void imp_lanes_sines(const real x[2], real sine[2], real cosine[2]) {
    imp_pair_sincos both = imp_pair_sine_cosine((imp_pair){x[0], x[1]});
    for (int k = 0; k < 2; k++) {
        sine[k] = both.sine[k];
        cosine[k] = both.cosine[k];
    }
}

/* Of one angle. */
CODE void imp_lanes_sine(real x, real *sine, real *cosine) {
    imp_sincos both = imp_sine_cosine(x);
    *sine = both.sine;
    *cosine = both.cosine;
}

#else

#define REAL imp_lanes
#define BITS imp_lane_mask
#define NAME(x) imp_lanes_##x
#define SINE_CODE IMP_LANE_CODE
#include "num/sine_impl.h"

/* Reduces those angles that are far. */
CODE void imp_lanes_reduce_far(real x, imp_lanes_reduced *reduced) {
    unsigned far = imp_lanes_where(not(size_of(x) <= 1e5));
    for (int lane = 0; far >> lane; lane++) {
        if (far >> lane & 1) {
            imp_pair_reduced one = imp_reduce_far((imp_pair){x[lane], 0});
            reduced->rest[lane] = one.rest[0];
            reduced->turn[lane] = one.turn[0];
        }
    }
}

/* Of one angle. */
CODE void imp_lanes_sine(real x, real *sine, real *cosine) {
    imp_lanes_reduced reduced = imp_lanes_reduce(x);
    imp_lanes_reduce_far(x, &reduced);
    imp_lanes_sine_cosine_of(reduced, sine, cosine);
}

/* Of two angles, without a loop or a branch between them: the processor then computes one while the
 * other waits. */
CODE void imp_lanes_sines(const real x[2], real sine[2], real cosine[2]) {
    imp_lanes_reduced first = imp_lanes_reduce(x[0]), second = imp_lanes_reduce(x[1]);
    if (any(not((size_of(x[0]) <= 1e5) & (size_of(x[1]) <= 1e5)))) {
        imp_lanes_reduce_far(x[0], &first);
        imp_lanes_reduce_far(x[1], &second);
    }
    imp_lanes_sine_cosine_of(first, &sine[0], &cosine[0]);
    imp_lanes_sine_cosine_of(second, &sine[1], &cosine[1]);
}

#endif

#endif
