/* The history of the only cell of a sweep without axes, as rows in memory. */
#ifndef IMP_SOLVE_HISTORY_H
#define IMP_SOLVE_HISTORY_H

#include "solve/sweep.h"

/* Rows in memory. Start with {0}; imp_rows_free frees them. */
typedef struct imp_rows {
    int n_columns;
    size_t n, room;
    double *values;          /* n * n_columns, row by row */
    int8_t *phases, *events; /* n codes each; 0: none */
    bool failed;             /* memory ran out; the rows are cut short */
} imp_rows;

void imp_rows_free(imp_rows *rows);

/* Traces the cell with `samples` samples, at least 2 (see imp_recorder). The rows of a cell that is
 * not solved end where it failed. Errors: those of imp_trace, IMP_ERR_MEMORY. */
imp_err imp_history_take(const imp_sweep *sweep, int samples, imp_rows *rows, imp_outcome *outcome);

#endif
