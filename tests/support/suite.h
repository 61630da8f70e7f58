/* A test program: one table of tests, run by CUnit, silent when all of them pass. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <stdbool.h>
#include <stddef.h>

/* Runs the tests; NULL ends them, and commas stand between their names. Returns the exit status of
 * the program: 0 if all passed, otherwise 1, after the failures have been printed. */
int suite_run(const char *name, const char *names, void (*const *tests)(void));

/* Record a failure with its place and a formatted message. Of one test only the
 * first few failures are kept, as a sweep over random cells can have a hundred thousand. The second
 * adds both numbers and the tolerance to the message. */
void suite_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void suite_fail_near(double actual, double expected, double tolerance, const char *file, int line,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The larger of 1 and |size|, as the scale of a tolerance. */
double or_one(double size);

/* |actual - expected| <= tolerance; false if any is NaN. */
bool suite_near(double actual, double expected, double tolerance);

/* CHECK(condition, "message %d", ...); the message's arguments are only evaluated on failure. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            suite_fail(__FILE__, __LINE__, __VA_ARGS__);                                           \
        }                                                                                          \
    } while (0)
#define CHECK_NEAR(actual, expected, tolerance, ...)                                               \
    do {                                                                                           \
        double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);               \
        if (!suite_near(actual_, expected_, tolerance_)) {                                         \
            suite_fail_near(actual_, expected_, tolerance_, __FILE__, __LINE__, __VA_ARGS__);      \
        }                                                                                          \
    } while (0)

#define SUITE_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The whole main of a test program, SUITE("name", one, other), whose tests are functions; and what
 * it returns, for a main that does more. */
#define SUITE_RUN(name, ...)                                                                       \
    suite_run(name, #__VA_ARGS__, (void (*const[])(void)){__VA_ARGS__, NULL})
#define SUITE(name, ...)                                                                           \
    int main(void) {                                                                               \
        return SUITE_RUN(name, __VA_ARGS__);                                                       \
    }

#endif
