/* What a page calls: this file and the kernels are one module of WebAssembly, for one thread. Its
 * only caller is solver.js, which writes words and reads columns in the memory of the module.
 *
 * Words are the theory and then key=value, as after `impactsweep cell`. A call that returns false
 * or NULL leaves a message in the text, with the words of the program; others may leave an
 * answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "config/config.h"
#include "grid/grid.h"
#include "models/describe.h"
#include "models/signature.h"
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
    imp_models_json_of_all(&json, NULL);
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

enum { BLOCK = 2048 };

/* A window of a map, solved block by block where it is looked at. */
typedef struct window {
    imp_solver *solver;
    imp_grid grid; /* one column per axis; the first axis is the slowest */
    int input[IMP_MAX_AXES];
    double *in[IMP_MAX_PARAMETERS]; /* a block of values each; NULL: left to its default */
    double *out[IMP_MAX_OUTPUTS];   /* a block; NULL: not wanted */
    int wanted[IMP_MAX_OUTPUTS], n_wanted;
    uint8_t outcome[BLOCK];
} window;

static double *make_block(size_t length) {
    double *values = malloc(BLOCK * length * sizeof *values);
    if (!values) {
        imp_out_of_memory();
    }
    return values;
}

/* A block of one value for each parameter that has one; axes fill theirs block by block. */
static bool fill_inputs(window *w, const double *value) {
    bool good = true;
    for (int p = 0; good && p < imp_input_count(w->solver); p++) {
        if (isnan(value[p])) {
            continue;
        }
        w->in[p] = make_block(1);
        good = w->in[p] != NULL;
        for (int i = 0; good && i < BLOCK; i++) {
            w->in[p][i] = value[p];
        }
    }
    return good;
}

EXPORT(void, window_close, window *w) {
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        free(w->in[p]);
    }
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(w->out[o]);
    }
    imp_grid_free(&w->grid);
    imp_close(&w->solver);
    free(w);
}

/* Words as for imp_open_words: key=value for the fixed parameters, the name alone for those of
 * axes. */
EXPORT(window *, window_open, const char *const *words, int n) {
    double value[IMP_MAX_PARAMETERS];
    window *w = calloc(1, sizeof *w);
    if (!w) {
        imp_out_of_memory();
        say_error();
        return NULL;
    }
    if (imp_open_words(words[0], (size_t)n - 1, words + 1, &w->solver, value) ||
        !fill_inputs(w, value)) {
        say_error();
        imp_call_window_close(w);
        return NULL;
    }
    return w;
}

/* Adds an axis and returns its values, to be filled by the caller. */
EXPORT(double *, window_axis, window *w, const char *name, int size) {
    imp_grid *grid = &w->grid;
    int input = imp_input(w->solver, name);
    if (input < 0 || w->in[input] || grid->n_axes == IMP_MAX_AXES || size < 1) {
        imp_fail(IMP_ERR_INPUT, "'%s' is no axis of this map", name);
        say_error();
        return NULL;
    }
    imp_axis *axis = &grid->axes[grid->n_axes];
    *axis = (imp_axis){.size = size, .n_columns = 1};
    snprintf(axis->columns[0].name, sizeof axis->columns[0].name, "%s", name);
    axis->columns[0].choice = -1;
    axis->columns[0].values = malloc((size_t)size * sizeof(double));
    w->in[input] = make_block(1);
    if (!axis->columns[0].values || !w->in[input]) {
        free(axis->columns[0].values);
        imp_out_of_memory();
        say_error();
        return NULL;
    }
    w->input[grid->n_axes++] = input;
    return axis->columns[0].values;
}

/* Values per cell of an output that the caller wants, negative for a category; 0: there is none. */
EXPORT(int, window_output, window *w, const char *name) {
    const imp_theory *theory = imp_solver_theory(w->solver);
    int o = imp_theory_output(theory, name), length = 0;
    if (o < 0 || w->out[o]) {
        imp_fail(IMP_ERR_INPUT, "'%s' is no output of the theory %s, or is wanted twice", name,
                 theory->name);
    } else {
        length = (int)imp_output_length(&theory->outputs[o]);
        w->out[o] = make_block((size_t)length);
    }
    if (length == 0 || !w->out[o]) {
        say_error();
        return 0;
    }
    w->wanted[w->n_wanted++] = o;
    return theory->outputs[o].kind == IMP_CATEGORY ? -length : length;
}

/* The most cells of one call of window_solve. */
EXPORT(int, window_block, void) {
    return BLOCK;
}

EXPORT(bool, window_solve, window *w, int first, int n) {
    for (int a = 0; a < w->grid.n_axes; a++) {
        imp_grid_fill(&w->grid, a, 0, first, (size_t)n, w->in[w->input[a]]);
    }
    return !imp_solve(w->solver, (size_t)n, (const double *const *)w->in, w->out, w->outcome) ||
           say_error();
}

/* Of the cells of the last call of window_solve: the values of the output with this number, in the
 * order in which they were wanted; the outcomes. */
EXPORT(const double *, window_values, const window *w, int number) {
    return w->out[w->wanted[number]];
}

EXPORT(const uint8_t *, window_outcomes, const window *w) {
    return w->outcome;
}
