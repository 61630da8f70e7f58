/* impactsweep trace THEORY key=value... [-o F] [--points N] */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/cmd.h"
#include "solve/history.h"
#include "store/history_file.h"

enum { FEWEST_POINTS = 2, DEFAULT_POINTS = 401, MOST_POINTS = 10000000 };

/* A cell, its history, and what the user asked for. */
typedef struct request {
    imp_sweep sweep;
    imp_rows rows;
    imp_outcome outcome;
    const char *output; /* NULL: the standard output */
    int64_t points;
    imp_text command;
} request;

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

/* Remarks before the table: what was traced, and the units of the columns. */
static void print_head(const request *r, FILE *to) {
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

static void print_row(const request *r, size_t i, FILE *to) {
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

static imp_err print_table(const request *r, FILE *to) {
    print_head(r, to);
    for (size_t i = 0; i < r->rows.n; i++) {
        print_row(r, i, to);
    }
    return fflush(to) == 0 && !ferror(to)
               ? IMP_OK
               : imp_fail(IMP_ERR_IO, "could not write the history: %s", strerror(errno));
}

/* Finds out first whether the table will fit. */
static imp_err write_table(const request *r, imp_partial *partial) {
    enum { MOST_BYTES_PER_VALUE = 26, HEAD = 1 << 18 };
    size_t values = (r->rows.n + 1) * ((size_t)r->rows.n_columns + 2);
    imp_err error = imp_partial_reserve(partial, (int64_t)(values * MOST_BYTES_PER_VALUE + HEAD));
    FILE *to = error ? NULL : imp_partial_stream(partial);
    return error ? error : to ? print_table(r, to) : imp_fail(IMP_ERR_MEMORY, "out of memory");
}

/* ---- HDF5 ---- */

static imp_err write_file(const request *r, imp_partial *partial) {
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

/* ---- the command ---- */

typedef imp_err (*writer)(const request *r, imp_partial *partial);

/* By the ending of the name; NULL for one that means nothing. */
static writer writer_of(const char *path) {
    static const struct {
        const char *ending;
        writer write;
    } known[] = {{".csv", write_table}, {".h5", write_file}, {".nc", write_file}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++) {
        if (strcasecmp(dot, known[i].ending) == 0) {
            return known[i].write;
        }
    }
    return NULL;
}

static imp_err write_output(const request *r) {
    imp_partial partial;
    imp_err error = imp_partial_create(r->output, &partial);
    error = error ? error : writer_of(r->output)(r, &partial);
    error = error ? error : imp_partial_finish(&partial, true);
    error = error ? error : imp_partial_close(&partial);
    imp_partial_discard(&partial);
    return error;
}

static const char *take_points(const char *value, void *field) {
    static char wrong[80];
    int64_t *points = field;
    snprintf(wrong, sizeof wrong, "is not a whole number from %d to %d", FEWEST_POINTS,
             MOST_POINTS);
    bool good =
        !imp_read_count(value, points) && *points >= FEWEST_POINTS && *points <= MOST_POINTS;
    return good ? NULL : wrong;
}

static const imp_switch switches[] = {
    {"output", 'o', "FILE",
     "the file to write: F.csv, or HDF5 as F.h5 or F.nc; without it, CSV to the standard output",
     imp_take_text, offsetof(request, output)},
    {"points", 0, "N", "evenly spaced samples (default 401); every event is a row besides",
     take_points, offsetof(request, points)},
};

static int run(request *r) {
    imp_err error = imp_history_take(&r->sweep, (int)r->points, &r->rows, &r->outcome);
    if (!error) {
        error = r->output ? write_output(r) : print_table(r, stdout);
    }
    if (!error && r->outcome != IMP_SOLVED) {
        fprintf(stderr, "impactsweep: the cell is not solved: %s (%s); its history ends there\n",
                imp_outcome_name((int)r->outcome), imp_outcome_meaning((int)r->outcome));
    }
    return imp_exit(error);
}

static int trace(int argc, char **argv) {
    request r = {.points = DEFAULT_POINTS};
    int n;
    imp_command_text(argc, argv, &r.command);
    int code = imp_read_switches(&imp_command_trace, argc, argv, &r, &n);
    if (!code && r.output && !writer_of(r.output)) {
        code = imp_usage_error("trace: %s: a history is written to a name that ends in .csv, .h5 "
                               "or .nc",
                               r.output);
    }
    code = code || !r.output ? code : imp_follow_link(&r.output);
    code = code ? code : imp_read_cell(n, argv + 1, &r.sweep);
    code = code ? code : run(&r);
    imp_rows_free(&r.rows);
    imp_sweep_free(&r.sweep);
    imp_text_free(&r.command);
    return code;
}

const imp_command imp_command_trace = {
    .name = "trace",
    .words = "THEORY key=value... [-o FILE] [--points N]",
    .summary = "the history of one cell as CSV, or HDF5 where FILE ends in .h5 or .nc",
    .example =
        "trace compliant body=pendulum angle=30deg friction=0.3 stiffness_ratio=1.21 -o one.csv",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = -1,
    .needed = "which theory?",
    .run = trace,
};
