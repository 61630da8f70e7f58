/* The functions of num against long double, at ten million places of every kind. */
#include "support/functions.h"
#include "support/suite.h"

static void errors(void) {
    check_functions(10000000);
}

SUITE("functions", errors)
