/* Histories of every theory that has any: their columns, rows, phases, events and samples, and the
 * same outcome and rows each time. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/values.h"

enum { SAMPLES = 41, MOST_ROWS = 4000, MOST_HISTORY = 24 };

/* The rows of a history in their order. */
typedef struct record {
    imp_recorder recorder;
    int n_columns, n, samples;
    double values[MOST_ROWS][MOST_HISTORY];
    int phases[MOST_ROWS], events[MOST_ROWS];
} record;

static void take_row(imp_recorder *recorder, const double *row, int phase, int event) {
    record *r = (record *)recorder;
    CHECK(r->n < MOST_ROWS, "more than %d rows", MOST_ROWS);
    if (r->n < MOST_ROWS) {
        memcpy(r->values[r->n], row, (size_t)r->n_columns * sizeof *row);
        r->phases[r->n] = phase;
        r->events[r->n] = event;
        r->samples += event == 0;
        r->n++;
    }
}

static bool is_code(const imp_mode *modes, int n, int code) {
    for (int i = 0; i < n; i++) {
        if (modes[i].code == code) {
            return true;
        }
    }
    return false;
}

/* Values of the cells that values_ordinary makes, as imp_trace takes them. */
static imp_err trace_cell(const batch *b, size_t i, record *r, imp_outcome *outcome) {
    double value[IMP_MAX_PARAMETERS];
    batch_values(b, i, value);
    *r = (record){.recorder = {SAMPLES, take_row}, .n_columns = b->theory->history->n_columns};
    return imp_trace(b->solver, value, &r->recorder, outcome);
}

static void check_row(const batch *b, size_t i, const record *r, int k) {
    const imp_history *history = b->theory->history;
    for (int c = 0; c < r->n_columns; c++) {
        CHECK(isfinite(r->values[k][c]), "%s in row %d: %s", history->columns[c].name, k,
              batch_text(b, i));
    }
    CHECK(r->phases[k] == 0 || is_code(history->phases, history->n_phases, r->phases[k]),
          "phase %d: %s", r->phases[k], batch_text(b, i));
    CHECK(r->events[k] == 0 || is_code(history->events, history->n_events, r->events[k]),
          "event %d: %s", r->events[k], batch_text(b, i));
    CHECK(k == 0 || r->values[k][0] >= r->values[k - 1][0], "row %d is earlier: %s", k,
          batch_text(b, i));
}

/* A solved cell has every sample, evenly spaced from the first row to the last. */
static void check_samples(const batch *b, size_t i, const record *r) {
    double first = r->values[0][0], last = r->values[r->n - 1][0];
    CHECK(r->samples == SAMPLES, "%d samples: %s", r->samples, batch_text(b, i));
    for (int k = 0, sample = 0; k < r->n; k++) {
        if (r->events[k] == 0) {
            double expected = first + (last - first) * sample / (SAMPLES - 1);
            CHECK_NEAR(r->values[k][0], expected, 1e-9 * (last - first), "sample %d of %s", sample,
                       batch_text(b, i));
            sample++;
        }
    }
}

static void check_history(const batch *b, size_t i) {
    static record one, again;
    imp_outcome outcome, repeated;
    if (trace_cell(b, i, &one, &outcome) || trace_cell(b, i, &again, &repeated)) {
        CHECK(b->outcome[i] == IMP_OUTSIDE, "'%s': %s", imp_last_error(), batch_text(b, i));
        return; /* a value outside its range is an error here, and a cell `outside` in a batch */
    }
    CHECK(outcome == (imp_outcome)b->outcome[i], "%s as a history: %s",
          imp_outcome_name((int)outcome), batch_text(b, i));
    CHECK(one.n == again.n && repeated == outcome &&
              memcmp(one.values, again.values, sizeof one.values) == 0,
          "traced twice: %s", batch_text(b, i));
    for (int k = 0; k < one.n; k++) {
        check_row(b, i, &one, k);
    }
    if (outcome == IMP_SOLVED && one.n > 0) {
        check_samples(b, i, &one);
    }
    CHECK(outcome != IMP_SOLVED || one.n >= SAMPLES, "%d rows: %s", one.n, batch_text(b, i));
}

static void check_columns(const imp_theory *theory) {
    const imp_history *history = theory->history;
    CHECK(history->n_columns >= 1 && history->n_columns <= MOST_HISTORY, "%s: %d columns",
          theory->name, history->n_columns);
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        CHECK(column->name[0] && column->unit[0] && column->meaning[0], "%s: column %d",
              theory->name, c);
        CHECK(column->kind == IMP_REAL && !column->dimension, "%s: %s", theory->name, column->name);
        CHECK(strcmp(column->name, "phase") != 0 && strcmp(column->name, "event") != 0,
              "%s: the column %s is there already", theory->name, column->name);
        for (int k = 0; k < c; k++) {
            CHECK(strcmp(column->name, history->columns[k].name) != 0, "%s: %s twice", theory->name,
                  column->name);
        }
    }
}

/* A file of a history has its columns beside the inputs. */
static void check_names(const batch *b) {
    const imp_history *history = b->theory->history;
    for (int c = 0; c < history->n_columns; c++) {
        CHECK(imp_input(b->solver, history->columns[c].name) < 0, "%s: the column %s is an input",
              b->theory->name, history->columns[c].name);
    }
}

static void check_histories(const imp_theory *theory, const char *choices) {
    CHECK(!theory->history == !theory->trace, "%s: half a history", theory->name);
    if (!theory->history || !theory->trace) {
        return;
    }
    check_columns(theory);
    batch b = batch_open(theory->name, choices, values_cells(theory));
    random_source source = {34};
    check_names(&b);
    values_ordinary(&b, &source);
    imp_set_budget(b.solver, values_budget(theory));
    batch_solve(&b);
    for (size_t i = 0; i < b.n && i < 100; i++) {
        check_history(&b, i);
    }
    batch_close(&b);
}

static void histories(void) {
    every_choice(check_histories);
}

SUITE("contract_histories", histories)
