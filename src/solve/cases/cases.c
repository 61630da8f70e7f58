/* The description of cases as a theory: its choice, and the parameters of each option. */
#include "solve/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "solve/cases/cases_impl.h"

const imp_theory *imp_cases_theory(const imp_cases *cases) {
    return &cases->theory;
}

int imp_cases_count(const imp_cases *cases) {
    return cases->n;
}

const imp_case *imp_cases_at(const imp_cases *cases, int index) {
    return &cases->cases[index];
}

static void add_option(imp_cases *s, int c) {
    const imp_case *one = &s->cases[c];
    int n = 0;
    for (int p = 0; p < one->signature.n_parameters; p++) {
        if (imp_case_leaves(one, p)) {
            s->parameters[c][n++] = one->signature.parameter[p];
        }
    }
    imp_case_print(one, &s->words[c]);
    s->option[c] = (imp_option){.name = one->name,
                                .meaning = imp_text_get(&s->words[c]),
                                .parameters = s->parameters[c],
                                .n_parameters = n};
    s->options[c] = &s->option[c];
}

/* Adds the parameters on which the units of the outputs of a theory depend. */
static void add_units(imp_cases *s, const imp_theory *theory) {
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        int k = 0;
        while (k < s->theory.n_unit_parameters &&
               strcmp(s->units[k], theory->unit_parameters[u]) != 0) {
            k++;
        }
        if (k == s->theory.n_unit_parameters && k < IMP_MAX_PARAMETERS) {
            s->units[s->theory.n_unit_parameters++] = theory->unit_parameters[u];
        }
    }
}

static bool has_output(const imp_instance *instance, int output) {
    const imp_cases *s = imp_cases_of(instance);
    int c = instance->chosen[0], inner = s->inner[c][output];
    return output == s->tangential_end
               ? imp_case_has_tangential_end(&s->cases[c])
               : inner >= 0 && imp_signature_has_output(&s->cases[c].signature, inner);
}

/* Everything but the lists of options, outputs and modes. */
static void describe(imp_cases *s) {
    const imp_theory *first = s->cases[0].signature.theory;
    s->choice = (imp_choice){.name = "case",
                             .meaning = "a theory with its choices and values of parameters",
                             .options = s->options,
                             .n_options = s->n,
                             .fallback = -1};
    s->theory = (imp_theory){.name = "cases",
                             .title = "several theories on one grid",
                             .source = "those of the theories of the cases",
                             .residual = "that of the theory of each case",
                             .symbols = first->symbols,
                             .results_version = IMP_CASES_VERSION,
                             .hidden = true,
                             .choices = &s->choice,
                             .n_choices = 1,
                             .outputs = s->outputs,
                             .modes = s->modes,
                             .unit_parameters = s->units,
                             .has_output = has_output,
                             .open = imp_cases_cell_open,
                             .close = imp_cases_cell_close,
                             .solve = imp_cases_cell_solve,
                             .refuse = imp_cases_cell_refuse};
}

imp_cases *imp_cases_make(const imp_case *cases, int n) {
    imp_cases *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->n = n;
    memcpy(s->cases, cases, (size_t)n * sizeof *cases);
    describe(s);
    bool failed = false;
    for (int c = 0; c < n; c++) {
        add_option(s, c);
        add_units(s, cases[c].signature.theory);
        failed |= s->words[c].failed;
    }
    imp_cases_unite(s);
    if (failed) {
        imp_cases_free(&s);
    }
    return s;
}

void imp_cases_free(imp_cases **cases) {
    imp_cases *s = *cases;
    for (int c = 0; s && c < s->n; c++) {
        imp_text_free(&s->words[c]);
    }
    free(s);
    *cases = NULL;
}
