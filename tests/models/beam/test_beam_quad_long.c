/* test_beam_quad.c with 300 clamped beams and 750 others. */
#define BEAMS 300
#include "test_beam_quad.c"
