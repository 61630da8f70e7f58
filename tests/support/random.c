#include "support/random.h"

#include <math.h>

/* SplitMix64 (Steele, Lea and Flood 2014). */
uint64_t random_bits(random_source *source) {
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double random_between(random_source *source, double low, double high) {
    return low + (high - low) * ((double)(random_bits(source) >> 11) * 0x1p-53);
}

double random_log(random_source *source, double low, double high) {
    return exp(random_between(source, log(low), log(high)));
}

int random_index(random_source *source, int n) {
    return (int)(random_bits(source) % (uint64_t)n);
}
