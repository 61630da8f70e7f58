/* Beams struck along their length, for the files that test the theory `beam`. */
#ifndef TESTS_SUPPORT_BEAMS_H
#define TESTS_SUPPORT_BEAMS_H

#include "support/batch.h"

/* Positions evenly over [low, high], everything else at its default. */
batch beams_along(const char *choices, size_t n, double low, double high);

/* Solves at a tolerance, and checks that every cell is solved. */
void beams_solve(const batch *b, double tolerance);

#endif
