/* Compiled once for each width; see num/lanes/lanes.h. */
#include "num/lanes/exponential.h"
#include "num/lanes/trigonometry.h"
#include "num/lanes/two_thirds.h"

CODE real sum_of_sines(real x) {
    real sine, cosine;
    imp_lanes_sine(x, &sine, &cosine);
    return sine + cosine;
}

#define SUM(name, function)                                                                        \
    IMP_IN_LANES(bench_sum_##name, (const double *places, int n, int calls, double *sum)) {        \
        real total = number(0);                                                                    \
        for (int i = 0; i < calls; i += IMP_LANES) {                                               \
            real x = imp_lanes_load(places + i % n);                                               \
            total += function;                                                                     \
        }                                                                                          \
        *sum = imp_lanes_get(total, 0);                                                            \
    }
SUM(two_thirds, imp_lanes_two_thirds(x))
SUM(power, imp_lanes_power(x, number(2.3)))
SUM(sincos, sum_of_sines(x))
SUM(half_turn, imp_lanes_half_turn(x, 1.5 - x))
