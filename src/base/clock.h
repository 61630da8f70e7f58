/* Clocks, in seconds. */
#ifndef IMP_BASE_CLOCK_H
#define IMP_BASE_CLOCK_H

/* Monotonic, from an arbitrary start: for differences. */
double imp_seconds_elapsed(void);

/* Processor time of this process. */
double imp_seconds_processor(void);

/* Since 1970 (UTC); jumps when the system's clock is set. */
double imp_seconds_utc(void);

/* Waits for 0 <= seconds < 1, or until a signal comes. */
void imp_pause(double seconds);

#endif
