/* test_swerve_slip.c with 60,000 cells. */
#define CELLS 2500
#include "test_swerve_slip.c"
