/* Cycles of the processor that this process took: counted by the kernel where it may (Linux);
 * otherwise its processor time at the speed of the time stamp counter of x86, which is not always
 * that of the processor; elsewhere NaN. */
#ifndef IMP_TESTS_BENCH_CYCLES_H
#define IMP_TESTS_BENCH_CYCLES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

static inline int cycles_open(void) {
    struct perf_event_attr wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.size = sizeof wanted;
    wanted.config = PERF_COUNT_HW_CPU_CYCLES;
    wanted.exclude_kernel = 1;
    return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0);
}
#else
static inline int cycles_open(void) {
    return -1;
}
#endif

/* Counts of the time stamp counter in a second. */
static inline double cycles_per_second(void) {
#ifdef __x86_64__
    double start = measure_wall(), seconds = 0;
    int64_t from = (int64_t)__builtin_ia32_rdtsc();
    while (seconds < 0.02) {
        seconds = measure_wall() - start;
    }
    return (double)((int64_t)__builtin_ia32_rdtsc() - from) / seconds;
#else
    return NAN;
#endif
}

static inline double cycles_now(void) {
    static int counter = -2;
    static double rate;
    int64_t cycles = 0;
    if (counter == -2) {
        counter = cycles_open();
        rate = cycles_per_second();
    }
    bool counts = counter >= 0 && read(counter, &cycles, sizeof cycles) == (ssize_t)sizeof cycles;
    return counts && cycles > 0 ? (double)cycles : measure_processor() * rate;
}

#endif
