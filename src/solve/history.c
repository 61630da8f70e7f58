#include "solve/history.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "num/alike.h"
#include "solve/solver.h"

void imp_rows_free(imp_rows *rows) {
    free(rows->values);
    free(rows->phases);
    free(rows->events);
    *rows = (imp_rows){.n = 0};
}

void imp_rows_keep_events(imp_rows *rows) {
    size_t columns = (size_t)rows->n_columns, kept = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->events[i]) {
            memmove(rows->values + kept * columns, rows->values + i * columns,
                    columns * sizeof *rows->values);
            rows->phases[kept] = rows->phases[i];
            rows->events[kept++] = rows->events[i];
        }
    }
    rows->n = kept;
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
    assert(samples >= 2);
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

/* ---- several cells ---- */

double imp_traced_value(const imp_traced_cell *cell, const imp_traced_input *input) {
    if (!input->parameter) {
        return cell->sweep.chosen[input->choice];
    }
    int at = imp_sweep_find_fixed(&cell->sweep, input->parameter->name);
    return at < 0 ? NAN : cell->sweep.fixed[at].value;
}

static bool differs(const imp_histories *h, const imp_traced_input *input) {
    double first = imp_traced_value(&h->cells[0], input);
    bool all = false;
    for (int i = 1; i < h->n; i++) {
        all |= !imp_is_same(imp_traced_value(&h->cells[i], input), first);
    }
    return all;
}

static bool is_listed(const imp_histories *h, const char *name) {
    for (int i = 0; i < h->n_inputs; i++) {
        const imp_parameter *parameter = h->inputs[i].parameter;
        if (parameter && strcmp(parameter->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void list_inputs(imp_histories *h) {
    for (int c = 0; c < h->common.theory->n_choices; c++) {
        imp_traced_input input = {.choice = c};
        if (differs(h, &input)) {
            h->inputs[h->n_inputs++] = input;
            h->common.chosen[c] = -1;
        }
    }
    for (int i = 0; i < h->n; i++) {
        const imp_sweep *sweep = &h->cells[i].sweep;
        for (int f = 0; f < sweep->n_fixed; f++) {
            imp_traced_input input = {.parameter = sweep->fixed[f].parameter};
            if (differs(h, &input) && !is_listed(h, input.parameter->name)) {
                h->inputs[h->n_inputs++] = input;
            }
        }
    }
}

imp_err imp_histories_compare(imp_histories *h) {
    h->common = h->cells[0].sweep;
    h->n_inputs = h->common.n_fixed = 0;
    h->common.traced = h->cells;
    h->common.n_traced = h->n;
    list_inputs(h);
    const imp_sweep *first = &h->cells[0].sweep;
    for (int f = 0; f < first->n_fixed; f++) {
        if (!is_listed(h, first->fixed[f].parameter->name)) {
            h->common.fixed[h->common.n_fixed++] = first->fixed[f];
        }
    }
    for (int i = 1; i < h->n; i++) {
        if (imp_sweep_dimensional(&h->cells[i].sweep) != imp_sweep_dimensional(first)) {
            return imp_fail(IMP_ERR_INPUT,
                            "one of the cells has SI units and another one has none: give mass, "
                            "stiffness and speed to all of them, or to none");
        }
    }
    return IMP_OK;
}

void imp_histories_free(imp_histories *h) {
    for (int i = 0; h->cells && i < h->n; i++) {
        imp_rows_free(&h->cells[i].rows);
        imp_sweep_free(&h->cells[i].sweep);
    }
    free(h->cells);
    *h = (imp_histories){.n = 0};
}
