#include "solve/cell.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "models/describe.h"
#include "solve/solver.h"

static bool make_room(const imp_theory *theory, imp_solved *solved) {
    size_t all = 0;
    for (int o = 0; o < theory->n_outputs; o++) {
        all += imp_output_length(&theory->outputs[o]);
    }
    solved->values = calloc(all + 1, sizeof *solved->values);
    double *at = solved->values;
    for (int o = 0; at && o < theory->n_outputs; o++) {
        solved->out[o] = at;
        at += imp_output_length(&theory->outputs[o]);
    }
    return solved->values != NULL;
}

imp_err imp_cell_solve(const imp_sweep *sweep, imp_solved *solved) {
    imp_signature signature = imp_signature_of(sweep->theory, sweep->chosen);
    imp_solver *solver;
    if (!make_room(sweep->theory, solved)) {
        return imp_out_of_memory();
    }
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
    error = imp_solve(solver, 1, in, solved->out, &solved->outcome);
    imp_close(&solver);
    return error;
}

void imp_solved_free(imp_solved *solved) {
    free(solved->values);
    *solved = (imp_solved){.values = NULL};
}

static void add_value(imp_json *json, const char *name, const imp_theory *theory, int output,
                      double value) {
    char text[256];
    if (theory->outputs[output].kind == IMP_REAL) {
        imp_json_number(json, name, value);
    } else {
        imp_output_text(theory, output, value, 17, sizeof text, text);
        imp_json_string(json, name, text);
    }
}

void imp_solved_json(imp_json *json, const imp_theory *theory, const imp_solved *solved) {
    imp_json_object(json, NULL);
    imp_json_string(json, "outcome", imp_outcome_name(solved->outcome));
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        if (!output->dimension) {
            add_value(json, output->name, theory, o, solved->out[o][0]);
            continue;
        }
        imp_json_list(json, output->name);
        for (size_t k = 0; k < imp_output_length(output); k++) {
            add_value(json, NULL, theory, o, solved->out[o][k]);
        }
        imp_json_end_list(json);
    }
    imp_json_end_object(json);
}
