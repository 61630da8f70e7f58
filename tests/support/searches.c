#include "support/searches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

int search_output(const char *name) {
    return imp_theory_output(imp_theory_find("compliant"), name);
}

const imp_parameter *search_parameter(const char *name) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(imp_theory_find("compliant"), all);
    for (int p = 0; p < n; p++) {
        if (strcmp(all[p]->name, name) == 0) {
            return all[p];
        }
    }
    return NULL;
}

imp_search_plan search_plan(const imp_search_kind *kind, const char *of, const char *over,
                            double from, double to, int samples) {
    imp_search_plan plan = {.theory = imp_theory_find("compliant"),
                            .kind = kind,
                            .over = {{search_parameter(over), from, to, samples, false}},
                            .n_over = 1,
                            .of = search_output(of),
                            .tolerance = 1e-12,
                            .max_roots = 4};
    return plan;
}

search_batch search_cells_law(const imp_search_plan *plan, const char *body, const char *law,
                              size_t n) {
    const imp_theory *theory = plan->theory;
    int chosen[IMP_MAX_CHOICES] = {0}, choice = imp_theory_choice(theory, "body");
    chosen[choice] = imp_choice_option(&theory->choices[choice], body);
    choice = imp_theory_choice(theory, "law");
    chosen[choice] = imp_choice_option(&theory->choices[choice], law);
    search_batch c = {.search = imp_search_make(plan), .n = n};
    imp_signature signature = imp_signature_of(imp_search_theory(c.search), chosen);
    CHECK(imp_solver_open(&signature, &c.solver) == IMP_OK, "%s", imp_last_error());
    for (int p = 0; p < signature.n_parameters; p++) {
        const imp_parameter *parameter = signature.parameter[p];
        if (parameter->stands_for) {
            continue;
        }
        c.in[p] = calloc(n, sizeof(double));
        for (size_t i = 0; i < n; i++) {
            c.in[p][i] = isnan(parameter->fallback) ? parameter->example : parameter->fallback;
        }
    }
    for (int o = 0; o < imp_search_theory(c.search)->n_outputs; o++) {
        c.out[o] = calloc(n * SEARCH_VALUES, sizeof(double));
    }
    return c;
}

search_batch search_cells(const imp_search_plan *plan, const char *body, size_t n) {
    return search_cells_law(plan, body, "linear", n);
}

void search_close(search_batch *c) {
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        free(c->in[p]);
    }
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(c->out[o]);
    }
    imp_close(&c->solver);
    imp_search_free(&c->search);
}

double *search_in(const search_batch *c, const char *name) {
    return c->in[imp_input(c->solver, name)];
}

double search_out(const search_batch *c, const char *name, size_t i, size_t k) {
    const imp_theory *theory = imp_search_theory(c->search);
    int o = imp_theory_output(theory, name);
    CHECK(o >= 0, "no output %s", name);
    return o < 0 ? NAN : c->out[o][i * imp_output_length(&theory->outputs[o]) + k];
}

const char *search_category(const search_batch *c, const char *name, size_t i, size_t k) {
    int n;
    const imp_theory *theory = imp_search_theory(c->search);
    int o = imp_theory_output(theory, name);
    const imp_mode *codes = imp_output_categories(theory, &theory->outputs[o], &n);
    for (int m = 0; m < n; m++) {
        if (codes[m].code == (int)search_out(c, name, i, k)) {
            return codes[m].name;
        }
    }
    return "none";
}

void search_solve(search_batch *c) {
    CHECK(imp_solve(c->solver, c->n, (const double *const *)c->in, c->out, c->outcome) == IMP_OK,
          "%s", imp_last_error());
}

uint64_t search_wedge(void) {
    uint64_t bit = 0;
    CHECK(imp_search_code(imp_theory_find("compliant"), search_output("mode"), "wedge", &bit),
          "no mode wedge");
    return bit;
}

double search_critical_angle(double mu, double eta) {
    double b = 1 + 3 * eta * mu * mu;
    return atan(2 * mu / (b + sqrt(b * b + 4 * eta * mu * mu)));
}
