/* The law `dashpot`: closed forms of 100,000 damping ratios, energy account of 100,000 cells of
 * each body, 20,000 of each with extreme damping and friction. */
#include "support/dashpots.h"
#include "support/suite.h"

static void closed_forms(void) {
    dashpots_check_closed(100000);
}

static void energy(void) {
    dashpots_check_energy(100000);
}

static void extremes(void) {
    dashpots_check_extremes(20000);
}

SUITE("dashpot, long", closed_forms, energy, extremes)
