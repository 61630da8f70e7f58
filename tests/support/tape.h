/* The history of a cell, row by row. */
#ifndef TESTS_SUPPORT_TAPE_H
#define TESTS_SUPPORT_TAPE_H

#include "support/batch.h"

enum { TAPE_COLUMNS = 24, TAPE_ROWS = 4500 };

typedef struct tape_row {
    double x[TAPE_COLUMNS];
    int phase, event;
} tape_row;

typedef struct tape {
    imp_recorder recorder; /* first, by which imp_trace knows it */
    int n, n_columns;
    tape_row rows[TAPE_ROWS];
} tape;

/* Records the history of a cell; returns its outcome. Checks that there is one, with room for all
 * of its rows, and that the cell is solved with at least so many rows as samples, or not solved. */
imp_outcome tape_take(tape *t, const batch *b, size_t i, int samples);

/* Name of the event of a row, "" if it has none. */
const char *tape_event(const batch *b, const tape_row *row);

#endif
