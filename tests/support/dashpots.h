/* Checks of the law `dashpot` on any number of random cells: closed forms, energy account. */
#ifndef TESTS_SUPPORT_DASHPOTS_H
#define TESTS_SUPPORT_DASHPOTS_H

#include "support/batch.h"

/* Restitution and duration of a normal impact by n damping ratios, in slip (friction 0) and in
 * stick (friction 1), by both ends of contact. */
void dashpots_check_closed(size_t n);

/* The account of n random cells of every body. */
void dashpots_check_energy(size_t n);

/* n random cells of every body with damping ratios of 1e-8 to 1e8, and n with friction of 1e-3 to
 * 1e9: all are solved, with their account. */
void dashpots_check_extremes(size_t n);

/* Random cells: every parameter about its example, ratios of damping up to 1.5. */
void dashpots_draw(const batch *b, random_source *source);

/* The value of a cell, of a list the sum. */
double dashpots_value(const batch *b, const char *output, size_t i);

#endif
