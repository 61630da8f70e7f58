#include "sums.h"

#include "num/lanes/width.h"

#define SUM(name)                                                                                  \
    IMP_EACH_WIDTH(bench_sum_##name, (const double *places, int n, int calls, double *sum),        \
                   imp_lane_width(), (places, n, calls, sum))
SUM(two_thirds)
SUM(power)
SUM(sincos)
SUM(half_turn)
