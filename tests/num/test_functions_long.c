/* The functions of num against long double, at ten million places of every kind. */
#include "support/functions.h"
#include "support/suite.h"

static void errors(void) {
    check_functions(10000000);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(errors)};
    return suite_run("functions", tests, SUITE_COUNT(tests));
}
