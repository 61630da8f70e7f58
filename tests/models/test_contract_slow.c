/* Corners of the parameter boxes of theories whose cells are slow: the rest of test_contract. */
#include "support/every.h"
#include "support/promises.h"
#include "support/suite.h"

static void check_corners(const imp_theory *theory, const char *choices) {
    if (every_is_slow(theory)) {
        promises_check_corners(theory, choices);
    }
}

static void corners(void) {
    every_choice(check_corners);
}

SUITE("contract_slow", corners)
