/* Histories of cells as CSV and as HDF5. */
#include <math.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/writers.h"
#include "models/describe.h"
#include "solve/sweep.h"
#include "solve/units.h"
#include "store/history_file.h"

/* ---- CSV ---- */

static const char *name_of(const imp_mode *modes, int n, int code) {
    const char *name = imp_code_name(modes, n, code);
    return name ? name : "";
}

static void print_names(const char *what, const imp_mode *modes, int n, FILE *to) {
    fprintf(to, "# %s =", what);
    for (int i = 0; i < n; i++) {
        fprintf(to, "%s %s", i ? "," : "", modes[i].name);
    }
    fputs("\n", to);
}

static void print_outcomes(const imp_histories *of, FILE *to) {
    fputs("# outcome =", to);
    for (int i = 0; i < of->n; i++) {
        fprintf(to, "%s %s", i ? "," : "", imp_outcome_name((int)of->cells[i].outcome));
    }
    fputs("\n", to);
}

static const char *input_name(const imp_histories *of, const imp_traced_input *input) {
    return input->parameter ? input->parameter->name
                            : of->common.theory->choices[input->choice].name;
}

/* The inputs that are columns. */
static void print_inputs(const imp_histories *of, FILE *to) {
    fprintf(to, "# cells = %d\n# inputs =", of->n);
    for (int i = 0; i < of->n_inputs; i++) {
        fprintf(to, "%s %s", i ? "," : "", input_name(of, &of->inputs[i]));
    }
    fputs("\n# input_units =", to);
    for (int i = 0; i < of->n_inputs; i++) {
        const imp_parameter *parameter = of->inputs[i].parameter;
        char unit[IMP_UNIT_TEXT];
        fprintf(to, "%s %s", i ? "," : "",
                parameter ? imp_sweep_parameter_unit(&of->common, parameter->name, unit) : "1");
    }
    fputs("\n", to);
}

static void print_fixed(const imp_sweep *sweep, FILE *to) {
    const imp_theory *theory = sweep->theory;
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        if (sweep->chosen[c] >= 0) {
            fprintf(to, "# %s = %s\n", choice->name, choice->options[sweep->chosen[c]]->name);
        }
    }
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_fixed *fixed = &sweep->fixed[f];
        char unit[IMP_UNIT_TEXT];
        fprintf(to, "# %s = %.17g %s\n", fixed->parameter->name, fixed->value,
                imp_sweep_parameter_unit(sweep, fixed->parameter->name, unit));
    }
}

/* The names of the columns. Of several cells each row begins with its cell. */
static void print_columns(const imp_histories *of, FILE *to) {
    const imp_history *history = of->common.theory->history;
    if (of->n > 1) {
        fputs("cell,", to);
    }
    for (int i = 0; i < of->n_inputs; i++) {
        fprintf(to, "%s,", input_name(of, &of->inputs[i]));
    }
    for (int c = 0; c < history->n_columns; c++) {
        fprintf(to, "%s,", history->columns[c].name);
    }
    fputs("phase,event\n", to);
}

/* Comments before the table: the cell, and the units of the columns. */
static void print_head(const imp_traced *r, FILE *to) {
    const imp_histories *of = &r->of;
    const imp_history *history = of->common.theory->history;
    imp_text title = {0};
    imp_sweep_title(&of->common, &title);
    imp_say(to, "# %s\n", imp_text_get(&r->command));
    fprintf(to, "# title = %s\n# theory = %s\n", imp_text_get(&title), of->common.theory->name);
    imp_text_free(&title);
    print_fixed(&of->common, to);
    print_outcomes(of, to);
    if (of->n > 1) {
        print_inputs(of, to);
    }
    fputs("# units =", to);
    for (int c = 0; c < history->n_columns; c++) {
        fprintf(to, "%s %s", c ? "," : "",
                imp_sweep_unit(&of->cells[0].sweep, &history->columns[c]));
    }
    fputs("\n", to);
    print_names("phases", history->phases, history->n_phases, to);
    print_names("events", history->events, history->n_events, to);
    print_columns(of, to);
}

static void print_cell(const imp_histories *of, int number, FILE *to) {
    if (of->n > 1) {
        fprintf(to, "%d,", number + 1);
    }
    for (int i = 0; i < of->n_inputs; i++) {
        const imp_traced_input *input = &of->inputs[i];
        double value = imp_traced_value(&of->cells[number], input);
        if (!input->parameter) {
            fputs(of->common.theory->choices[input->choice].options[(int)value]->name, to);
        } else if (isfinite(value)) {
            fprintf(to, "%.17g", value);
        }
        fputs(",", to);
    }
}

static void print_row(const imp_histories *of, int number, size_t i, FILE *to) {
    const imp_history *history = of->common.theory->history;
    const imp_rows *rows = &of->cells[number].rows;
    const double *row = rows->values + i * (size_t)rows->n_columns;
    print_cell(of, number, to);
    for (int c = 0; c < history->n_columns; c++) {
        if (isfinite(row[c])) {
            fprintf(to, "%.17g", row[c]);
        }
        fputs(",", to);
    }
    fprintf(to, "%s,%s\n", name_of(history->phases, history->n_phases, rows->phases[i]),
            name_of(history->events, history->n_events, rows->events[i]));
}

imp_err imp_history_print(const void *history, FILE *to) {
    const imp_traced *r = history;
    print_head(r, to);
    for (int c = 0; c < r->of.n; c++) {
        for (size_t i = 0; i < r->of.cells[c].rows.n && !ferror(to);
             i++) { /* stops at the first error, so that errno has its cause */
            print_row(&r->of, c, i, to);
        }
    }
    if (!ferror(to)) {
        fflush(to);
    }
    return IMP_OK;
}

int64_t imp_history_room(const void *history) {
    enum { MOST_BYTES_PER_VALUE = 26, HEAD = 1 << 18 };
    const imp_histories *of = &((const imp_traced *)history)->of;
    int64_t bytes = HEAD;
    for (int i = 0; i < of->n; i++) {
        const imp_rows *rows = &of->cells[i].rows;
        size_t columns = (size_t)rows->n_columns + (size_t)of->n_inputs + 3;
        bytes += (int64_t)((rows->n + 1) * columns) * MOST_BYTES_PER_VALUE;
    }
    return bytes;
}

/* ---- HDF5 ---- */

imp_err imp_history_store(const void *history, const imp_partial *partial) {
    const imp_traced *r = history;
    imp_provenance provenance = {
        .config_path = "",
        .config = "",
        .tables = "",
        .overrides = "",
        .command = imp_text_get(&r->command),
        .libraries = imp_libraries(),
    };
    return imp_history_file_write(partial, &r->of, &provenance);
}
