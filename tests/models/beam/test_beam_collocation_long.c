/* test_beam_collocation at 400 positions of each case. */
#define POSITIONS 400
#include "test_beam_collocation.c"
