/* x^(2/3) in lanes: imp_lanes_two_thirds has the bits of imp_two_thirds. */
#ifndef IMP_NUM_LANES_TWO_THIRDS_H
#define IMP_NUM_LANES_TWO_THIRDS_H

#include "num/lanes/lanes.h"

typedef uint64_t imp_lane_bits __attribute__((vector_size(8 * IMP_LANES)));

/* A third, rounded down, of numbers below 2^63. Registers divide no whole numbers: the upper and
 * the lower 32 bits are multiplied by 2^33 / 3 rounded up, which is exact for numbers up to
 * 2^33. */
IMP_LANE_CODE imp_lane_bits imp_lanes_third(imp_lane_bits x) {
    const uint64_t inverse = UINT64_C(0xaaaaaaab), third = UINT64_C(0x55555555);
    imp_lane_bits upper = x >> 32, of_upper = upper * inverse >> 33, rest = upper - 3 * of_upper;
    imp_lane_bits lower = (x & UINT64_C(0xffffffff)) + rest;
    return (of_upper << 32) + rest * third + (lower * inverse >> 33);
}

#define REAL imp_lanes
#define BITS imp_lane_bits
#define THIRD(bits) imp_lanes_third(bits)
#define NAME(x) imp_lanes_##x
#define CODE_OF_POWER IMP_LANE_CODE
#include "num/two_thirds_impl.h"

#endif
