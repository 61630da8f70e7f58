#include "page/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "models/signature.h"

static double *make_block(size_t length) {
    double *values = malloc(IMP_WINDOW_BLOCK * length * sizeof *values);
    if (!values) {
        imp_out_of_memory();
    }
    return values;
}

/* A block of one value for each parameter that has one; axes fill theirs block by block. */
static bool fill_inputs(imp_window *window, const double *value) {
    bool good = true;
    for (int p = 0; good && p < imp_input_count(window->solver); p++) {
        if (isnan(value[p])) {
            continue;
        }
        window->in[p] = make_block(1);
        good = window->in[p] != NULL;
        for (int i = 0; good && i < IMP_WINDOW_BLOCK; i++) {
            window->in[p][i] = value[p];
        }
    }
    return good;
}

imp_window *imp_window_make(const char *theory, size_t n, const char *const *words) {
    double value[IMP_MAX_PARAMETERS];
    imp_window *window = calloc(1, sizeof *window);
    if (!window) {
        imp_out_of_memory();
        return NULL;
    }
    if (imp_open_words(theory, n, words, &window->solver, value) || !fill_inputs(window, value)) {
        imp_window_free(window);
        return NULL;
    }
    return window;
}

void imp_window_free(imp_window *window) {
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        free(window->in[p]);
    }
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(window->out[o]);
    }
    imp_grid_free(&window->grid);
    imp_close(&window->solver);
    free(window);
}

double *imp_window_add_axis(imp_window *window, const char *name, int64_t size) {
    imp_grid *grid = &window->grid;
    int input = imp_input(window->solver, name);
    if (input < 0 || window->in[input] || grid->n_axes == IMP_MAX_AXES || size < 1) {
        imp_fail(IMP_ERR_INPUT, "'%s' is no axis of this map", name);
        return NULL;
    }
    imp_axis *axis = &grid->axes[grid->n_axes];
    *axis = (imp_axis){.size = size, .n_columns = 1};
    snprintf(axis->columns[0].name, sizeof axis->columns[0].name, "%s", name);
    axis->columns[0].choice = -1;
    axis->columns[0].values = malloc((size_t)size * sizeof(double));
    window->in[input] = make_block(1);
    if (!axis->columns[0].values || !window->in[input]) {
        free(axis->columns[0].values);
        imp_out_of_memory();
        return NULL;
    }
    window->input[grid->n_axes++] = input;
    return axis->columns[0].values;
}

size_t imp_window_add_output(imp_window *window, const char *name) {
    const imp_theory *theory = imp_solver_theory(window->solver);
    int output = imp_theory_output(theory, name);
    if (output < 0 || window->out[output]) {
        imp_fail(IMP_ERR_INPUT, "'%s' is no output of the theory %s, or is wanted twice", name,
                 theory->name);
        return 0;
    }
    size_t length = imp_output_length(&theory->outputs[output]);
    window->out[output] = make_block(length);
    if (!window->out[output]) {
        return 0;
    }
    window->wanted[window->n_wanted++] = output;
    return length;
}

imp_err imp_window_solve(imp_window *window, int64_t first, size_t n) {
    for (int a = 0; a < window->grid.n_axes; a++) {
        imp_grid_fill(&window->grid, a, 0, first, n, window->in[window->input[a]]);
    }
    return imp_solve(window->solver, n, (const double *const *)window->in, window->out,
                     window->outcome);
}
