#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double imp_seconds_elapsed(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double imp_seconds_processor(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double imp_seconds_utc(void) {
    return read_clock(CLOCK_REALTIME);
}

void imp_pause(double seconds) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

double imp_next_pause(double shortest, double waited) {
    const double part = 1.0 / 64, longest = 1e-3;
    double pause = waited * part < longest ? waited * part : longest;
    return pause > shortest ? pause : shortest;
}
