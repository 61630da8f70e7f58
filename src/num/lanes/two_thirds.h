/* x^(2/3). */
#ifndef IMP_NUM_LANES_TWO_THIRDS_H
#define IMP_NUM_LANES_TWO_THIRDS_H

#include "num/lanes/lanes.h"

/* A third, rounded down, of numbers below 2^63. */
IMP_LANE_CODE imp_lane_bits imp_lanes_third(imp_lane_bits x) {
#if IMP_LANES == 1
    return x / 3;
#else
    /* Registers divide no whole numbers: the upper and the lower 32 bits are multiplied by 2^33 / 3
     * rounded up, which is exact for numbers up to 2^33. */
    const uint64_t inverse = UINT64_C(0xaaaaaaab), third = UINT64_C(0x55555555);
    imp_lane_bits upper = x >> 32, of_upper = upper * inverse >> 33, rest = upper - 3 * of_upper;
    imp_lane_bits lower = (x & UINT64_C(0xffffffff)) + rest;
    return (of_upper << 32) + rest * third + (lower * inverse >> 33);
#endif
}

/* (1 - r)^(-1/3) - 1; the first term left out is 35/243 r^4. */
IMP_LANE_CODE imp_lanes imp_lanes_third_series(imp_lanes r) {
    return r * (1.0 / 3 + r * (2.0 / 9 + r * (14.0 / 81)));
}

/* x: 0 or normal; error below 1.3 units in the last place. */
IMP_LANE_CODE imp_lanes imp_lanes_two_thirds(imp_lanes x) {
    /* x^(-1/3) within 3.5 percent: the bits of a number are about its logarithm. */
    imp_lane_bits bits = (UINT64_C(0x553ee9) << 40) - imp_lanes_third(imp_lanes_bits(x));
    imp_lanes t = imp_lanes_of_bits(bits);
    t += t * imp_lanes_third_series(1 - x * t * t * t);
    imp_lanes power = x * t;
    return power + power * imp_lanes_third_series(1 - power * t * t);
}

#endif
