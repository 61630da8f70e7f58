/* impactsweep cell THEORY key=value... [--json] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "models/describe.h"
#include "solve/cell.h"

static int print_json(const imp_theory *theory, const imp_solved *solved) {
    imp_json json = {.depth = 0};
    imp_solved_json(&json, theory, solved);
    return imp_print_json(&json);
}

/* The reason why a solved cell has no value of an output; NULL if it is unknown. */
static const char *why_undefined(const imp_sweep *sweep, int output, double mode) {
    const imp_output *o = &sweep->theory->outputs[output];
    imp_signature signature = imp_signature_of(sweep->theory, sweep->chosen);
    if (!imp_signature_has_output(&signature, output)) {
        return "does not exist for these choices";
    }
    if (o->dimension) {
        return NULL; /* a list ends where there is no more */
    }
    if (mode > 0 && o->undefined_in >> (int)mode & 1) {
        return "undefined in this mode";
    }
    return o->undefined_when;
}

/* mode: 0 where the theory has none, below 0 in a cell that is not solved, whose outcome is the
 * reason for all outputs. */
static void print_output(const imp_sweep *sweep, int output, const double *values, double mode) {
    const imp_output *o = &sweep->theory->outputs[output];
    const char *unit = imp_sweep_unit(sweep, o);
    bool finite = true;
    printf("%-22s", o->name);
    for (size_t k = 0; k < imp_output_length(o); k++) {
        char text[256];
        imp_output_text(sweep->theory, output, values[k], 12, sizeof text, text);
        printf(" %s", text);
        finite = finite && isfinite(values[k]);
    }
    bool told = finite || mode < 0;
    const char *why = told ? NULL : why_undefined(sweep, output, mode);
    bool bare = !finite || strcmp(unit, "1") == 0;
    printf("%s%s%s%s%s\n", bare ? "" : " ", bare ? "" : unit, why ? " (" : "", why ? why : "",
           why ? ")" : "");
}

static int print_text(const imp_sweep *sweep, const imp_solved *cell) {
    int output = imp_theory_output(sweep->theory, "mode");
    double mode = cell->outcome != IMP_SOLVED ? -1 : output >= 0 ? cell->out[output][0] : 0;
    printf("%-22s %s\n", "outcome", imp_outcome_name(cell->outcome));
    for (int o = 0; o < sweep->theory->n_outputs; o++) {
        print_output(sweep, o, cell->out[o], mode);
    }
    printf("\nof the theory %s with\n", sweep->theory->name);
    imp_print_choices(sweep);
    imp_print_fixed(sweep);
    return IMP_EXIT_OK;
}

static const imp_switch switches[] = {
    {.name = "json",
     .meaning = "print one JSON object: outcome, then every output by name; null where undefined",
     .read = imp_take_flag},
};

static int cell(int argc, char **argv) {
    bool json = false;
    int n;
    imp_sweep sweep;
    int code = imp_read_switches(&imp_command_cell, argc, argv, &json, &n);
    code = code ? code : imp_read_cell(n, argv + 1, &sweep);
    if (code) {
        return code;
    }
    imp_solved solved = {.outcome = IMP_PENDING};
    imp_err error = imp_cell_solve(&sweep, &solved);
    code = error  ? imp_exit(error)
           : json ? print_json(sweep.theory, &solved)
                  : print_text(&sweep, &solved);
    imp_say_guests(&sweep);
    imp_solved_free(&solved);
    imp_sweep_free(&sweep);
    return code;
}

const imp_command imp_command_cell = {
    .name = "cell",
    .words = "THEORY key=value... [--json]",
    .summary = "solve one cell and print every output",
    .details = IMP_KEYS_OF_THEORY,
    .example = "cell compliant body=pendulum angle=30deg friction=0.3 stiffness_ratio=1.21",
    IMP_SWITCHES,
    .fewest = 1,
    .most = -1,
    .needed = "the name of a theory is missing",
    .run = cell,
};
