/* test_beam_random with 10,000 beams. */
#define BEAMS 10000
#include "test_beam_random.c"
