/* The history of one cell as CSV and as HDF5. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/writers.h"
#include "store/history_file.h"

/* ---- CSV ---- */

static const char *name_of(const imp_mode *modes, int n, int code) {
    for (int i = 0; i < n; i++) {
        if (modes[i].code == code) {
            return modes[i].name;
        }
    }
    return "";
}

static void print_names(const char *what, const imp_mode *modes, int n, FILE *to) {
    fprintf(to, "# %s =", what);
    for (int i = 0; i < n; i++) {
        fprintf(to, "%s %s", i ? "," : "", modes[i].name);
    }
    fputs("\n", to);
}

/* Comments before the table: the cell, and the units of the columns. */
static void print_head(const imp_traced *r, FILE *to) {
    const imp_theory *theory = r->sweep.theory;
    const imp_history *history = theory->history;
    imp_text title = {0};
    imp_sweep_title(&r->sweep, &title);
    fprintf(to, "# %s\n# title = %s\n# theory = %s\n", imp_text_get(&r->command),
            imp_text_get(&title), theory->name);
    imp_text_free(&title);
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        fprintf(to, "# %s = %s\n", choice->name, choice->options[r->sweep.chosen[c]]->name);
    }
    for (int f = 0; f < r->sweep.n_fixed; f++) {
        const imp_fixed *fixed = &r->sweep.fixed[f];
        fprintf(to, "# %s = %.17g %s\n", fixed->parameter->name, fixed->value,
                fixed->parameter->unit);
    }
    fprintf(to, "# outcome = %s\n# units =", imp_outcome_name((int)r->outcome));
    for (int c = 0; c < history->n_columns; c++) {
        fprintf(to, "%s %s", c ? "," : "", imp_sweep_unit(&r->sweep, &history->columns[c]));
    }
    fputs("\n", to);
    print_names("phases", history->phases, history->n_phases, to);
    print_names("events", history->events, history->n_events, to);
    for (int c = 0; c < history->n_columns; c++) {
        fprintf(to, "%s,", history->columns[c].name);
    }
    fputs("phase,event\n", to);
}

static void print_row(const imp_traced *r, size_t i, FILE *to) {
    const imp_history *history = r->sweep.theory->history;
    const double *row = r->rows.values + i * (size_t)r->rows.n_columns;
    for (int c = 0; c < history->n_columns; c++) {
        if (isfinite(row[c])) {
            fprintf(to, "%.17g", row[c]);
        }
        fputs(",", to);
    }
    fprintf(to, "%s,%s\n", name_of(history->phases, history->n_phases, r->rows.phases[i]),
            name_of(history->events, history->n_events, r->rows.events[i]));
}

imp_err imp_history_print(const void *history, FILE *to) {
    const imp_traced *r = history;
    print_head(r, to);
    for (size_t i = 0; i < r->rows.n && !ferror(to);
         i++) { /* stops at the first error, so that errno has its cause */
        print_row(r, i, to);
    }
    return !ferror(to) && fflush(to) == 0
               ? IMP_OK
               : imp_fail(IMP_ERR_IO, "could not write the history: %s", strerror(errno));
}

int64_t imp_history_room(const void *history) {
    enum { MOST_BYTES_PER_VALUE = 26, HEAD = 1 << 18 };
    const imp_traced *r = history;
    return (int64_t)((r->rows.n + 1) * ((size_t)r->rows.n_columns + 2)) * MOST_BYTES_PER_VALUE +
           HEAD;
}

bool imp_history_starts(const char *line) {
    return strncmp(line, "# impactsweep trace ", 20) == 0;
}

/* ---- HDF5 ---- */

imp_err imp_history_store(const void *history, const imp_partial *partial) {
    const imp_traced *r = history;
    imp_text libraries = {0};
    imp_libraries_text(&libraries);
    imp_provenance provenance = {
        .config_path = "",
        .config = "",
        .tables = "",
        .overrides = "",
        .command = imp_text_get(&r->command),
        .libraries = imp_text_get(&libraries),
    };
    imp_err error = imp_history_file_write(partial, &r->sweep, &r->rows, r->outcome, &provenance);
    imp_text_free(&libraries);
    return error;
}
