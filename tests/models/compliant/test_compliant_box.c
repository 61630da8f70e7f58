/* No cell of any body under any law fails in the box of tests/support/contacts.h. */
#include "support/contacts.h"
#include "support/suite.h"

static void no_failures(void) {
    contacts_check_box(20000, 480);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(no_failures)};
    return suite_run("compliant box", tests, SUITE_COUNT(tests));
}
