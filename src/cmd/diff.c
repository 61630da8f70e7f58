/* impactsweep diff A B [--fields NAME,...] [-o F.csv] [--json] */
#include "cmd/cmd.h"
#include "cmd/differences.h"
#include "cmd/writers.h"

typedef struct request {
    const char *output, *fields;
    imp_tolerance tolerance;
    bool common, degrees, force, json;
} request;

static const imp_switch switches[] = {
    IMP_SWITCH("fields", "NAME,...", "only these outputs and the outcome", imp_take_text, fields),
    IMP_SWITCH("relative", "R",
               "real values that differ by at most R times the larger one are equal", imp_take_real,
               tolerance.relative),
    IMP_SWITCH("absolute", "A", "and so are values that differ by at most A more", imp_take_real,
               tolerance.absolute),
    IMP_FLAG("common", common, "cells and outputs that only one map has are no difference"),
    IMP_SWITCH_OUTPUT("write a table of the cells that differ, with the values of both maps"),
    IMP_FLAG("degrees", degrees, "angles of the table in degrees"),
    IMP_FLAG("force", force, "replace FILE even if diff did not write it"),
    IMP_FLAG("json", json, "print one JSON object"),
};

/* Every failure is 2, because 1 says that the maps differ. */
static int failure(int code) {
    return code == IMP_EXIT_FAILURE ? IMP_EXIT_INPUT : code;
}

static int answer(const imp_diff *d, const request *r, const imp_target *target) {
    static imp_differences found; /* too large for a stack */
    imp_json json = {.depth = 0};
    imp_err error = imp_differences_find(d->pair, d->fields, d->tolerance, NULL, NULL, &found);
    error = !error && r->output ? imp_target_write(target, d) : error;
    if (error) {
        return failure(imp_exit(error));
    }
    bool equal = imp_differences_say(&found, r->common, r->fields, r->json ? &json : NULL);
    int code = r->json ? imp_print_json(&json) : IMP_EXIT_OK;
    imp_text_free(&json.text);
    for (int side = 0; !code && side < 2; side++) {
        code = imp_exit(imp_catalog_judge(d->pair->catalog[side]));
    }
    return code ? failure(code) : equal ? IMP_EXIT_OK : IMP_EXIT_FAILURE;
}

static int diff(int argc, char **argv) {
    request r = {.output = NULL};
    imp_target target = {.path = NULL};
    imp_pair pair = {.n_axes = 0};
    int n;
    int code = imp_read_switches(&imp_command_diff, argc, argv, &r, &n);
    for (int side = 1; !code && side <= 2; side++) {
        code = imp_refuse_own("diff", argv[side], r.output, "is one of the maps");
    }
    if (code == IMP_EXIT_OK && r.output) {
        code = imp_target_choose(IMP_DIFFERING_CELLS, NULL, r.output, r.force, &target);
    }
    code = code ? code : imp_exit(imp_pair_open(argv[1], argv[2], &pair));
    const imp_diff d = {
        .pair = &pair, .fields = r.fields, .tolerance = r.tolerance, .degrees = r.degrees};
    code = code ? failure(code) : answer(&d, &r, &target);
    imp_pair_close(&pair);
    return code;
}

const imp_command imp_command_diff = {
    .name = "diff",
    .words = "A B [--fields NAME,...] [-o F.csv] [options]",
    .summary = "compare two maps on their common cells, uniform or refined: outcomes, modes and "
               "values that differ",
    .details =
        "Cells are common where both maps have the same value on every axis, and of what follows "
        "one axis by a formula; an axis that one map lacks is cut at its fixed value. Categories "
        "are compared by their names, and modes of two "
        "theories that mean the same are equal (impactsweep models). Exit code 0: "
        "the maps are equal, 1: they differ, 2: an error.",
    .example = "diff map.h5 whole.h5\n"
               "diff map.h5 whole.h5 --fields mode,energy_loss --relative 1e-9 -o cells.csv",
    IMP_SWITCHES,
    .fewest = 2,
    .most = 2,
    .needed = "a map is missing; two are compared",
    .reads_map = true,
    .compares = true,
    .run = diff,
};
