/* Histories of cells, each the only one of a sweep without axes, as rows in memory. */
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

/* Leaves only the rows of events. */
void imp_rows_keep_events(imp_rows *rows);

/* Traces the cell with `samples` samples, at least 2 (see imp_recorder). The rows of a cell that is
 * not solved end where it failed. Errors: those of imp_trace, IMP_ERR_MEMORY. */
imp_err imp_history_take(const imp_sweep *sweep, int samples, imp_rows *rows, imp_outcome *outcome);

enum { IMP_MAX_TRACED = 16 };

/* A cell and its history. */
typedef struct imp_traced_cell {
    imp_sweep sweep;
    imp_rows rows;
    imp_outcome outcome;
} imp_traced_cell;

/* A parameter or a choice in which cells differ. */
typedef struct imp_traced_input {
    const imp_parameter *parameter; /* NULL: a choice */
    int choice;                     /* of the theory */
} imp_traced_input;

/* Cells of one theory that are compared. Start with {0}; imp_histories_free frees them. */
typedef struct imp_histories {
    imp_traced_cell *cells; /* room for IMP_MAX_TRACED */
    int n;
    imp_sweep
        common; /* the first cell without the inputs in which the cells differ; owns nothing */
    imp_traced_input inputs[IMP_MAX_CHOICES + IMP_MAX_PARAMETERS]; /* those */
    int n_inputs;
} imp_histories;

/* Sets common and inputs. IMP_ERR_INPUT: some of the cells have units, others none. */
imp_err imp_histories_compare(imp_histories *histories);

/* The value of an input in a cell: NaN where it does not apply; the code of an option. */
double imp_traced_value(const imp_traced_cell *cell, const imp_traced_input *input);

void imp_histories_free(imp_histories *histories);

#endif
