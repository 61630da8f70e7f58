/* No cell of any body under any law fails in the box of tests/support/contacts.h. */
#include "support/contacts.h"
#include "support/suite.h"

static void no_failures(void) {
    contacts_check_box(1000000, 4800);
}

SUITE("compliant box", no_failures)
