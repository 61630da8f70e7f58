/* What include/impact.h promises of a cell, whatever the physics of its theory. */
#ifndef TESTS_SUPPORT_PROMISES_H
#define TESTS_SUPPORT_PROMISES_H

#include "support/batch.h"

/* Checks that the outcome and the mode of cell i have names, and that its outputs are there where
 * they are defined, and only there. */
void promises_check_cell(const batch *b, size_t i);

/* Checks cells at corners of the parameter box, fewer where every cell is slow. Some of them must
 * be solved. */
void promises_check_corners(const imp_theory *theory, const char *choices);

#endif
