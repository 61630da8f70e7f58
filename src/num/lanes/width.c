#include "num/lanes/width.h"

int imp_lane_width(void) {
#if IMP_WIDE_LANES
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        return 8;
    }
    if (__builtin_cpu_supports("avx2")) {
        return 4;
    }
#endif
    return 2;
}
