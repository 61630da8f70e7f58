#include "support/suite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "models/petsc.h"

enum { KEPT_FAILURES = 8, MESSAGE_LENGTH = 900, NAME_LENGTH = 100 };

static int failures; /* of the running test */

static void begin_test(void) {
    failures = 0;
}

int suite_run(const char *name, const char *names, void (*const *tests)(void)) {
    char test[NAME_LENGTH];
    int n = 0;
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite_with_setup_and_teardown(name, NULL, NULL, begin_test, NULL);
    for (; tests[n]; n++) {
        snprintf(test, sizeof test, "%.*s", (int)strcspn(names, ","), names);
        CU_add_test(suite, test, tests[n]);
        names += strcspn(names, ",");
        names += strspn(names, ", ");
    }
    bool failed = !suite || CU_run_all_tests() != CUE_SUCCESS || CU_get_number_of_failures() > 0 ||
                  CU_get_number_of_tests_run() != (unsigned)n;
    if (failed) {
        printf("%s: %u of %d tests failed\n", name, CU_get_number_of_tests_failed(), n);
        CU_basic_show_failures(CU_get_failure_list());
        printf("\n");
    }
    CU_cleanup_registry();
    failed |= imp_petsc_finish() != IMP_OK;
    return failed ? 1 : 0;
}

static void record(const char *file, int line, const char *message) {
    char text[MESSAGE_LENGTH + 64];
    failures++;
    if (failures <= KEPT_FAILURES) {
        snprintf(text, sizeof text, "%s%s", message,
                 failures == KEPT_FAILURES ? " (further failures of this test are not shown)" : "");
        CU_assertImplementation(CU_FALSE, (unsigned)line, text, file, "", CU_FALSE);
    }
}

void suite_fail(const char *file, int line, const char *format, ...) {
    char message[MESSAGE_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    record(file, line, message);
}

void suite_fail_near(double actual, double expected, double tolerance, const char *file, int line,
                     const char *format, ...) {
    char message[MESSAGE_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t length = strlen(message);
    snprintf(message + length, sizeof message - length,
             ": %.17g instead of %.17g, difference %.3g above %.3g", actual, expected,
             fabs(actual - expected), tolerance);
    record(file, line, message);
}

double or_one(double size) {
    return fmax(1, fabs(size));
}

bool suite_near(double actual, double expected, double tolerance) {
    return fabs(actual - expected) <= tolerance;
}
