/* test_swerve_slip.c with 50,000 cells. */
#define CELLS 2500
#include "test_swerve_slip.c"
