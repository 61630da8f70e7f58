#include "solve/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/solver.h"

void imp_rows_free(imp_rows *rows) {
    free(rows->values);
    free(rows->phases);
    free(rows->events);
    *rows = (imp_rows){.n = 0};
}

/* The recorder is the first member: the theory hands it back. */
typedef struct row_recorder {
    imp_recorder recorder;
    imp_rows *rows;
} row_recorder;

static bool grow(void **array, size_t bytes) {
    void *more = realloc(*array, bytes);
    *array = more ? more : *array;
    return more != NULL;
}

static bool make_room(imp_rows *rows) {
    if (rows->n < rows->room) {
        return true;
    }
    size_t room = rows->room > 0 ? 2 * rows->room : 1024;
    bool good = grow((void **)&rows->values, room * (size_t)rows->n_columns * sizeof(double)) &&
                grow((void **)&rows->phases, room) && grow((void **)&rows->events, room);
    rows->room = good ? room : rows->room;
    rows->failed = !good;
    return good;
}

static void record(imp_recorder *recorder, const double *row, int phase, int event) {
    imp_rows *rows = ((row_recorder *)recorder)->rows;
    if (rows->failed || !make_room(rows)) {
        return;
    }
    size_t n = (size_t)rows->n_columns;
    memcpy(rows->values + rows->n * n, row, n * sizeof *row);
    rows->phases[rows->n] = (int8_t)phase;
    rows->events[rows->n] = (int8_t)event;
    rows->n++;
}

imp_err imp_history_take(const imp_sweep *sweep, int samples, imp_rows *rows,
                         imp_outcome *outcome) {
    imp_signature signature = imp_signature_of(sweep->theory, sweep->chosen);
    double values[IMP_MAX_PARAMETERS];
    imp_solver *solver;
    if (!sweep->theory->history) {
        return imp_fail(IMP_ERR_INPUT, "the theory %s has no history", sweep->theory->name);
    }
    imp_err error = imp_solver_open(&signature, &solver);
    if (error) {
        return error;
    }
    rows->n_columns = sweep->theory->history->n_columns;
    row_recorder r = {{samples, record}, rows};
    imp_sweep_cell_values(sweep, &signature, values);
    imp_set_budget(solver, sweep->cell_budget);
    error = imp_trace(solver, values, &r.recorder, outcome);
    imp_close(&solver);
    return error          ? error
           : rows->failed ? imp_fail(IMP_ERR_MEMORY, "out of memory for the history")
                          : IMP_OK;
}
