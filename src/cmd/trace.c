/* impactsweep trace THEORY key=value... [--with key=value,...] [-o F] [--points N] [--events]
 * [--force] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/message.h"
#include "base/number.h"
#include "cmd/cmd.h"
#include "cmd/writers.h"
#include "config/config.h"

enum { FEWEST_POINTS = 2, DEFAULT_POINTS = 401, MOST_POINTS = 10000000 };

/* Cells, their histories, and the options of the user. */
typedef struct request {
    imp_traced traced;
    const char *output; /* NULL: the standard output */
    int64_t points;
    bool force, events;
    const char
        *others[IMP_MAX_TRACED]; /* inputs of the other cells, in place of those of the first */
    int n_others;
} request;

static const char *take_points(const char *value, void *field) {
    static char wrong[80];
    int64_t *points = field;
    snprintf(wrong, sizeof wrong, "is not a whole number from %d to %d", FEWEST_POINTS,
             MOST_POINTS);
    bool good =
        !imp_read_count(value, points) && *points >= FEWEST_POINTS && *points <= MOST_POINTS;
    return good ? NULL : wrong;
}

static const char *take_other(const char *value, void *field) {
    request *r = (request *)((char *)field - offsetof(request, others));
    if (r->n_others == IMP_MAX_TRACED - 1) {
        return "is one too many, at most 15 are allowed";
    }
    r->others[r->n_others++] = value;
    return NULL;
}

static const imp_switch switches[] = {
    IMP_SWITCH_OUTPUT(
        "the file to write: F.csv, or HDF5 as F.h5 or F.nc; default: CSV on the standard output"),
    IMP_SWITCH("with", "key=value,...",
               "one more cell, with these inputs in place of those given; may be repeated",
               take_other, others),
    IMP_SWITCH("points", "N",
               "evenly spaced samples (default 401); every event has a row in addition",
               take_points, points),
    IMP_FLAG("events", events, "only the rows of events, such as impacts"),
    IMP_FLAG("force", force, "replace FILE even if trace did not write it"),
};

/* ---- the cells ---- */

enum { MOST_WORDS = 4 * IMP_MAX_PARAMETERS };

static size_t key_length(const char *word) {
    return strcspn(word, "=");
}

/* Puts a word in the place of the one with the same key, or at the end. */
static void replace(const char **words, int *n, const char *word) {
    size_t length = key_length(word);
    for (int i = 0; i < *n; i++) {
        if (key_length(words[i]) == length && strncmp(words[i], word, length) == 0) {
            words[i] = word;
            return;
        }
    }
    if (*n < MOST_WORDS) {
        words[(*n)++] = word;
    }
}

/* Reads the cell of one --with; returns the exit code. */
static int read_other(const char *theory, int n, char **given, const char *other,
                      imp_sweep *sweep) {
    const char *words[MOST_WORDS];
    char *copy = strdup(other), *rest = copy;
    imp_text messages = {0};
    int count = 0;
    for (int i = 0; i < n && count < MOST_WORDS; i++) {
        words[count++] = given[i];
    }
    for (char *word = copy ? strtok_r(copy, ",", &rest) : NULL; word;
         word = strtok_r(NULL, ",", &rest)) {
        replace(words, &count, word);
    }
    imp_err error =
        copy ? imp_config_words(theory, words, count, sweep, &messages) : imp_out_of_memory();
    if (error == IMP_ERR_INPUT) {
        imp_say(stderr, "--with %s: ", imp_show(other).text);
    }
    free(copy);
    return imp_exit_reader(error, &messages);
}

/* Reads all cells; returns the exit code. */
static int read_cells(request *r, int n, char **words) {
    imp_histories *of = &r->traced.of;
    of->cells = calloc(IMP_MAX_TRACED, sizeof *of->cells);
    if (!of->cells) {
        return imp_exit(imp_out_of_memory());
    }
    of->n = 1;
    int code = imp_read_cell(n, words, &of->cells[0].sweep);
    for (int i = 0; i < r->n_others; i++) { /* all errors at once */
        int other = read_other(words[0], n - 1, words + 1, r->others[i], &of->cells[of->n++].sweep);
        code = code ? code : other;
    }
    return code ? code : imp_exit(imp_histories_compare(of));
}

static imp_err keep_events(imp_traced_cell *cell) {
    imp_rows_keep_events(&cell->rows);
    return cell->rows.n > 0 ? IMP_OK
                            : imp_fail(IMP_ERR_INPUT, "--events: the history has no events");
}

static int run(request *r, const imp_target *target) {
    imp_histories *of = &r->traced.of;
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < of->n; i++) {
        imp_traced_cell *cell = &of->cells[i];
        error = imp_history_take(&cell->sweep, (int)r->points, &cell->rows, &cell->outcome);
        error = !error && r->events ? keep_events(cell) : error;
    }
    error = error ? error : imp_target_write(target, &r->traced);
    for (int i = 0; !error && i < of->n; i++) {
        imp_outcome outcome = of->cells[i].outcome;
        if (outcome != IMP_SOLVED) {
            fprintf(stderr, "impactsweep: ");
            fprintf(stderr, of->n > 1 ? "cell %d" : "the cell", i + 1);
            fprintf(stderr, " is not solved: %s (%s); its history ends there\n",
                    imp_outcome_name((int)outcome), imp_outcome_meaning((int)outcome));
        }
    }
    return imp_exit(error);
}

static int trace(int argc, char **argv) {
    request r = {.points = DEFAULT_POINTS};
    imp_target target;
    int n;
    imp_command_text(argc, argv, &r.traced.command);
    int code = imp_read_switches(&imp_command_trace, argc, argv, &r, &n);
    code = code ? code : imp_target_choose(IMP_HISTORY, NULL, r.output, r.force, &target);
    code = code ? code : read_cells(&r, n, argv + 1);
    code = code ? code : run(&r, &target);
    imp_histories_free(&r.traced.of);
    imp_text_free(&r.traced.command);
    return code;
}

const imp_command imp_command_trace = {
    .name = "trace",
    .words = "THEORY key=value... [--with key=value,...] [-o FILE] [--points N] [--events] "
             "[--force]",
    .summary =
        "write the history of a cell, or of several to compare, as CSV, or as HDF5 if FILE ends "
        "in .h5 or .nc",
    .details = IMP_KEYS_OF_THEORY,
    .example =
        "trace compliant body=pendulum angle=30deg friction=0.3 stiffness_ratio=1.21 -o one.csv",
    IMP_SWITCHES,
    .fewest = 1,
    .most = -1,
    .needed = "the name of a theory is missing",
    .run = trace,
};
