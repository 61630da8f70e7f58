/* Clocks, statistics and a reference for the benchmarks. */
#ifndef IMP_TESTS_BENCH_MEASURE_H
#define IMP_TESTS_BENCH_MEASURE_H

#include <math.h>
#include <stdlib.h>
#include <time.h>

static inline double measure_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Processor seconds of this process alone, because the machine may be shared. */
static inline double measure_processor(void) {
    return measure_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double measure_wall(void) {
    return measure_seconds(CLOCK_MONOTONIC);
}

static inline int measure_compare(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The median; the values are in ascending order afterwards. */
static inline double measure_median(double *values, size_t n) {
    qsort(values, n, sizeof *values, measure_compare);
    return values[n / 2];
}

/* Seconds of a chain of square roots and divisions, which a machine must compute one after
 * another. */
static inline double measure_reference(int steps) {
    volatile double sink;
    double x = 2, start = measure_processor();
    for (int i = 0; i < steps; i++) {
        x = 1 + 1 / sqrt(x);
    }
    sink = x;
    (void)sink;
    return measure_processor() - start;
}

#endif
