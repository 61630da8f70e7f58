/* impactsweep trace THEORY key=value... [-o F] [--points N] [--force] */
#include <stdio.h>

#include "base/number.h"
#include "cmd/cmd.h"
#include "cmd/writers.h"

enum { FEWEST_POINTS = 2, DEFAULT_POINTS = 401, MOST_POINTS = 10000000 };

/* A cell, its history, and the options of the user. */
typedef struct request {
    imp_traced traced;
    const char *output; /* NULL: the standard output */
    int64_t points;
    bool force;
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

static const imp_switch switches[] = {
    {"output", 'o', "FILE",
     "the file to write: F.csv, or HDF5 as F.h5 or F.nc; default: CSV on the standard output",
     imp_take_text, offsetof(request, output)},
    {"points", 0, "N", "evenly spaced samples (default 401); every event has a row in addition",
     take_points, offsetof(request, points)},
    {"force", 0, NULL, "replace FILE even if trace did not write it", imp_take_flag,
     offsetof(request, force)},
};

static int run(request *r, const imp_target *target) {
    imp_traced *traced = &r->traced;
    imp_err error =
        imp_history_take(&traced->sweep, (int)r->points, &traced->rows, &traced->outcome);
    error = error ? error : imp_target_write(target, traced);
    if (!error && traced->outcome != IMP_SOLVED) {
        fprintf(stderr, "impactsweep: the cell is not solved: %s (%s); its history ends there\n",
                imp_outcome_name((int)traced->outcome), imp_outcome_meaning((int)traced->outcome));
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
    code = code ? code : imp_read_cell(n, argv + 1, &r.traced.sweep);
    code = code ? code : run(&r, &target);
    imp_rows_free(&r.traced.rows);
    imp_sweep_free(&r.traced.sweep);
    imp_text_free(&r.traced.command);
    return code;
}

const imp_command imp_command_trace = {
    .name = "trace",
    .words = "THEORY key=value... [-o FILE] [--points N] [--force]",
    .summary = "write the history of one cell as CSV, or as HDF5 if FILE ends in .h5 or .nc",
    .example =
        "trace compliant body=pendulum angle=30deg friction=0.3 stiffness_ratio=1.21 -o one.csv",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = -1,
    .needed = "the name of a theory is missing",
    .run = trace,
};
