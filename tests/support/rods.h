/* Random cells of the theory `viscoelastic`, for the files that test it. */
#ifndef TESTS_SUPPORT_RODS_H
#define TESTS_SUPPORT_RODS_H

#include "support/batch.h"

/* Fills every cell; two batches get the same values. Some rods fall straight down, some surfaces do
 * not damp, some have an exponent above 1. */
void rods_draw(const batch *b);

#endif
