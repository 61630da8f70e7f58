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

/* How long to pause between two looks, in seconds, after a wait of so many: the shortest pause at
 * first, then a 64th of the wait, by which it is prolonged at most, but no more than 1 ms. A long
 * wait takes little of the processor. */
double imp_next_pause(double shortest, double waited);

#endif
