/* Values of parameters that any theory can be given, for tests that hold for every theory. */
#ifndef TESTS_SUPPORT_VALUES_H
#define TESTS_SUPPORT_VALUES_H

#include "support/batch.h"
#include "support/random.h"

/* Cells and budget that suit theories whose cells are fast. The budget is small, because a corner
 * may spend all of it. */
enum { VALUES_CELLS = 300, VALUES_BUDGET = 2000 };

/* The same for any theory: less for slow ones. */
size_t values_cells(const imp_theory *theory);
int64_t values_budget(const imp_theory *theory);

/* Corners of the parameter box: each corner value alone, with all other parameters at their
 * examples; then random combinations. */
void values_corners(const batch *b, random_source *source);

/* Ordinary values around the example, so that every mode is likely to occur, and some corners. */
void values_ordinary(const batch *b, random_source *source);

/* Checks cell i of b against cell k of another batch with these outputs, of which some may not have
 * been asked for (NULL); how: says what the other batch is. */
void values_check_same(const batch *b, size_t i, const batch *other, size_t k, double *const *out,
                       const char *how);

#endif
