/* What a page calls: this file and the kernels are one module of WebAssembly, for one thread. Its
 * only caller is solver.js, which writes words and reads columns in the memory of the module.
 *
 * Words are the theory and then key=value, as after `impactsweep cell`. A call that returns false
 * or NULL leaves a message in the text, with the words of the program; others may leave an
 * answer. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "config/config.h"
#include "models/describe.h"
#include "page/window.h"
#include "solve/cell.h"
#include "solve/history.h"

/* Declares a function and exports it under a name of its own. */
#define EXPORT(type, name, ...)                                                                    \
    type imp_call_##name(__VA_ARGS__) __attribute__((export_name(#name)));                         \
    type imp_call_##name(__VA_ARGS__)

/* ---- memory ---- */

EXPORT(void *, make_room, size_t bytes) {
    return malloc(bytes);
}

EXPORT(void, free_room, void *room) {
    free(room);
}

/* ---- the text ---- */

static imp_text said;

static void say_nothing(void) {
    imp_text_free(&said);
}

static bool say_error(void) {
    say_nothing();
    imp_text_print(&said, "impactsweep: error: %s", imp_last_error());
    return false;
}

static bool say_json(imp_json *json) {
    say_nothing();
    said = json->text;
    return !said.failed || (imp_memory_check() && say_error());
}

EXPORT(const char *, text, void) {
    return imp_text_get(&said);
}

EXPORT(size_t, text_length, void) {
    return said.length;
}

/* ---- theories, one cell, its history ---- */

static bool read_cell(const char *const *words, int n, imp_sweep *sweep) {
    say_nothing();
    imp_err error = imp_config_words(words[0], words + 1, n - 1, sweep, &said);
    return !error || (error != IMP_ERR_INPUT && say_error());
}

EXPORT(bool, theories, void) {
    imp_json json = {.depth = 0};
    imp_models_json_of_all(&json);
    return say_json(&json);
}

EXPORT(bool, cell, const char *const *words, int n) {
    imp_sweep sweep;
    imp_solved solved = {.outcome = IMP_PENDING};
    imp_json json = {.depth = 0};
    if (!read_cell(words, n, &sweep)) {
        return false;
    }
    bool good = !imp_cell_solve(&sweep, &solved) || say_error();
    if (good) {
        imp_solved_json(&json, sweep.theory, &solved);
        good = say_json(&json);
    }
    imp_solved_free(&solved);
    imp_sweep_free(&sweep);
    return good;
}

static imp_rows rows; /* of the last history */

static void add_names(imp_json *json, const char *name, const int8_t *codes, const imp_mode *modes,
                      int n) {
    imp_json_list(json, name);
    for (size_t i = 0; i < rows.n; i++) {
        const char *of_row = imp_code_name(modes, n, codes[i]);
        imp_json_string(json, NULL, of_row ? of_row : "");
    }
    imp_json_end_list(json);
}

/* What belongs to the rows: the outcome, the unit of each column, names of phases and events. */
static bool say_columns(const imp_sweep *sweep, imp_outcome outcome) {
    const imp_history *history = sweep->theory->history;
    imp_json json = {.depth = 0};
    imp_json_object(&json, NULL);
    imp_json_string(&json, "outcome", imp_outcome_name((int)outcome));
    imp_json_object(&json, "units");
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        imp_json_string(&json, column->name, imp_sweep_unit(sweep, column));
    }
    imp_json_end_object(&json);
    add_names(&json, "phase", rows.phases, history->phases, history->n_phases);
    add_names(&json, "event", rows.events, history->events, history->n_events);
    imp_json_end_object(&json);
    return say_json(&json);
}

EXPORT(bool, trace, const char *const *words, int n, int samples) {
    imp_sweep sweep;
    imp_outcome outcome = IMP_PENDING;
    if (!read_cell(words, n, &sweep)) {
        return false;
    }
    imp_rows_free(&rows);
    bool good = !imp_history_take(&sweep, samples, &rows, &outcome) || say_error();
    good = good && say_columns(&sweep, outcome);
    imp_sweep_free(&sweep);
    return good;
}

EXPORT(size_t, row_count, void) {
    return rows.n;
}

/* Row by row. */
EXPORT(const double *, row_values, void) {
    return rows.values;
}

/* ---- maps ---- */

EXPORT(void, space, double from, double to, int n, bool logarithmic, double *values) {
    imp_spaced_values(from, to, n, logarithmic, values);
}

EXPORT(imp_window *, window_open, const char *const *words, int n) {
    imp_window *window = imp_window_make(words[0], (size_t)n - 1, words + 1);
    if (!window) {
        say_error();
    }
    return window;
}

EXPORT(double *, window_axis, imp_window *window, const char *name, int size) {
    double *values = imp_window_add_axis(window, name, size);
    if (!values) {
        say_error();
    }
    return values;
}

/* Values per cell of an output that the caller wants, negative for a category; 0: there is none. */
EXPORT(int, window_output, imp_window *window, const char *name) {
    int length = (int)imp_window_add_output(window, name);
    if (length == 0) {
        say_error();
        return 0;
    }
    int output = window->wanted[window->n_wanted - 1];
    return imp_solver_theory(window->solver)->outputs[output].kind == IMP_CATEGORY ? -length
                                                                                   : length;
}

/* The most cells of one call of window_solve. */
EXPORT(int, window_block, void) {
    return IMP_WINDOW_BLOCK;
}

EXPORT(bool, window_solve, imp_window *window, int first, int n) {
    return !imp_window_solve(window, first, (size_t)n) || say_error();
}

/* Of the cells of the last call of window_solve: the values of the output with this number, in the
 * order in which they were wanted; the outcomes. */
EXPORT(const double *, window_values, const imp_window *window, int number) {
    return window->out[window->wanted[number]];
}

EXPORT(const uint8_t *, window_outcomes, const imp_window *window) {
    return window->outcome;
}

EXPORT(void, window_close, imp_window *window) {
    imp_window_free(window);
}
