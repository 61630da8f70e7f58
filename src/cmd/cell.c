/* impactsweep cell THEORY key=value... [--json] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "solve/solver.h"

/* Every value of every output, one output after another; the caller frees it. */
static double *make_values(const imp_theory *theory, double *out[IMP_MAX_OUTPUTS]) {
    size_t all = 0;
    for (int o = 0; o < theory->n_outputs; o++) {
        all += imp_output_length(&theory->outputs[o]);
    }
    double *values = calloc(all + 1, sizeof *values), *at = values;
    for (int o = 0; values && o < theory->n_outputs; o++) {
        out[o] = at;
        at += imp_output_length(&theory->outputs[o]);
    }
    return values;
}

/* The only cell of a sweep without axes: every output of the theory, and the outcome. */
static imp_err solve_cell(const imp_sweep *sweep, double *const *out, uint8_t *outcome) {
    imp_signature signature = imp_signature_of(sweep->theory, sweep->chosen);
    imp_solver *solver;
    imp_err error = imp_solver_open(&signature, &solver);
    if (error) {
        return error;
    }
    const double *in[IMP_MAX_PARAMETERS];
    double values[IMP_MAX_PARAMETERS];
    imp_sweep_cell_values(sweep, &signature, values);
    for (int p = 0; p < signature.n_parameters; p++) {
        in[p] = isnan(values[p]) ? NULL : &values[p];
    }
    error = imp_solve(solver, 1, in, out, outcome);
    imp_close(&solver);
    return error;
}

static json_t *json_value(const imp_theory *theory, int output, double value) {
    char text[256];
    if (theory->outputs[output].kind == IMP_REAL) {
        return imp_json_real(value);
    }
    imp_output_text(theory, output, value, 17, sizeof text, text);
    return json_string(text);
}

/* A value, or an array for an output with a list of values. */
static json_t *json_output(const imp_theory *theory, int output, const double *values) {
    if (!theory->outputs[output].dimension) {
        return json_value(theory, output, values[0]);
    }
    json_t *list = json_array();
    for (size_t k = 0; k < imp_output_length(&theory->outputs[output]); k++) {
        json_array_append_new(list, json_value(theory, output, values[k]));
    }
    return list;
}

static int print_json(const imp_sweep *sweep, double *const *out, uint8_t outcome) {
    const imp_theory *theory = sweep->theory;
    json_t *object = json_object();
    json_object_set_new(object, "outcome", json_string(imp_outcome_name(outcome)));
    for (int o = 0; o < theory->n_outputs; o++) {
        json_object_set_new(object, theory->outputs[o].name, json_output(theory, o, out[o]));
    }
    return imp_print_json(object);
}

/* The reason why a solved cell has no value of an output; NULL if it is unknown. */
static const char *why_undefined(const imp_sweep *sweep, int output, double mode) {
    const imp_output *o = &sweep->theory->outputs[output];
    imp_signature signature = imp_signature_of(sweep->theory, sweep->chosen);
    if (!imp_signature_has_output(&signature, output)) {
        return "does not exist for these choices";
    }
    if (mode > 0 && o->undefined_in >> (int)mode & 1) {
        return "undefined in this mode";
    }
    return o->undefined_when;
}

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
    const char *why = finite || o->dimension ? NULL : why_undefined(sweep, output, mode);
    bool bare = !finite || strcmp(unit, "1") == 0;
    printf("%s%s%s%s%s\n", bare ? "" : " ", bare ? "" : unit, why ? " (" : "", why ? why : "",
           why ? ")" : "");
}

static int print_text(const imp_sweep *sweep, double *const *out, uint8_t outcome) {
    int mode = imp_theory_output(sweep->theory, "mode");
    bool solved = outcome == IMP_SOLVED;
    printf("%-22s %s\n", "outcome", imp_outcome_name(outcome));
    for (int o = 0; o < sweep->theory->n_outputs; o++) {
        print_output(sweep, o, out[o], solved && mode >= 0 ? out[mode][0] : 0);
    }
    printf("\nof the theory %s with\n", sweep->theory->name);
    imp_print_choices(sweep);
    imp_print_fixed(sweep);
    return IMP_EXIT_OK;
}

static const imp_switch switches[] = {
    {"json", 0, NULL, "one JSON object: outcome, then every output by name; null where undefined",
     imp_take_flag, 0},
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
    double *out[IMP_MAX_OUTPUTS], *values = make_values(sweep.theory, out);
    uint8_t outcome = IMP_PENDING;
    imp_err error =
        values ? solve_cell(&sweep, out, &outcome) : imp_fail(IMP_ERR_MEMORY, "out of memory");
    code = error  ? imp_exit(error)
           : json ? print_json(&sweep, out, outcome)
                  : print_text(&sweep, out, outcome);
    free(values);
    imp_sweep_free(&sweep);
    return code;
}

const imp_command imp_command_cell = {
    .name = "cell",
    .words = "THEORY key=value... [--json]",
    .summary = "solve one cell and print every output",
    .example = "cell compliant body=pendulum angle=30deg friction=0.3 stiffness_ratio=1.21",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = -1,
    .needed = "the name of a theory is missing",
    .run = cell,
};
