/* Cells of cases: the solver of the theory of one case, whose columns and results are renamed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/cases/cases_impl.h"
#include "solve/solver.h"

/* The workspace of one case. */
typedef struct work {
    const imp_cases *cases;
    int number; /* of the signature */
    imp_solver *solver;
    int source[IMP_MAX_PARAMETERS]; /* column of the case's option; -1: fixed, or left out */
    double constant[IMP_MAX_PARAMETERS][IMP_BATCH]; /* of fixed parameters */
    int mode, velocity;                             /* outputs of the theory for tangential_end */
    double scratch[2][IMP_BATCH];                   /* those, where they are not wanted */
} work;

static const imp_case *case_of(const work *w) {
    return &w->cases->cases[w->number];
}

imp_err imp_cases_cell_open(imp_instance *instance) {
    work *w = calloc(1, sizeof *w);
    instance->work = w;
    if (!w) {
        return imp_out_of_memory();
    }
    w->cases = imp_cases_of(instance);
    w->number = imp_cases_number(w->cases, instance->chosen);
    const imp_case *one = case_of(w);
    const imp_signature *inner = &one->signature;
    imp_err error = imp_solver_open(inner, &w->solver);
    error = error ? error : imp_solver_follow(w->solver, one->followers, one->n_followers);
    if (error) {
        imp_cases_cell_close(instance);
        return error;
    }
    imp_signature outer = imp_signature_of(&w->cases->theory, instance->chosen);
    for (int p = 0; p < inner->n_parameters; p++) {
        bool left = imp_case_leaves(one, p);
        w->source[p] = left ? imp_signature_find(&outer, inner->parameter[p]->name) : -1;
        for (int i = 0; i < IMP_BATCH; i++) {
            w->constant[p][i] = one->value[p];
        }
    }
    w->mode = imp_theory_output(inner->theory, "mode");
    w->velocity = imp_theory_output(inner->theory, "velocity_ratio_out");
    return IMP_OK;
}

void imp_cases_cell_close(imp_instance *instance) {
    work *w = instance->work;
    if (w) {
        imp_close(&w->solver);
    }
    free(w);
    instance->work = NULL;
}

/* Turns codes of the theory into those of the cases. */
static void recode(const work *w, size_t n, double *const *out) {
    for (int o = 0; o < w->cases->theory.n_outputs; o++) {
        const imp_output *output = &w->cases->outputs[o];
        bool has = out[o] && w->cases->inner[w->number][o] >= 0;
        size_t all = has && output->kind == IMP_CATEGORY ? n * imp_output_length(output) : 0;
        const int8_t *code = w->cases->code[w->number][o];
        for (size_t i = 0; i < all; i++) {
            out[o][i] = code[(int)out[o][i]];
        }
    }
}

static void want(const work *w, double *const *out, double **wanted) {
    for (int o = 0; o < w->cases->theory.n_outputs; o++) {
        int inner = w->cases->inner[w->number][o];
        if (inner >= 0) {
            wanted[inner] = out[o];
        }
    }
}

imp_err imp_cases_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                             double *const *out, uint8_t *outcome) {
    work *w = instance->work;
    const imp_case *one = case_of(w);
    int end = w->cases->tangential_end;
    bool ends = end >= 0 && out[end];
    const double *columns[IMP_MAX_PARAMETERS];
    double *wanted[IMP_MAX_OUTPUTS] = {NULL};
    for (int p = 0; p < one->signature.n_parameters; p++) {
        bool constant = one->fixed[p] && !isnan(one->value[p]);
        columns[p] = w->source[p] >= 0 ? in[w->source[p]] : constant ? w->constant[p] : NULL;
    }
    want(w, out, wanted);
    if (ends) {
        wanted[w->mode] = wanted[w->mode] ? wanted[w->mode] : w->scratch[0];
        wanted[w->velocity] = wanted[w->velocity] ? wanted[w->velocity] : w->scratch[1];
    }
    imp_set_budget(w->solver, instance->budget);
    imp_err error = imp_solve(w->solver, n, columns, wanted, outcome);
    imp_solver_followed(w->solver, columns);
    if (!error && ends) {
        imp_case_tangential_end(one, n, columns, wanted[w->mode], wanted[w->velocity], out[end]);
    }
    if (!error) {
        recode(w, n, out);
    }
    return error;
}

const char *imp_cases_cell_refuse(const imp_instance *instance, const double *value,
                                  const char **name) {
    const imp_cases *s = imp_cases_of(instance);
    const imp_case *one = &s->cases[imp_cases_number(s, instance->chosen)];
    const imp_signature *inner = &one->signature;
    imp_signature outer = imp_signature_of(&s->theory, instance->chosen);
    imp_instance of = imp_signature_instance(inner);
    double values[IMP_MAX_PARAMETERS];
    for (int p = 0; p < inner->n_parameters; p++) {
        int source = imp_signature_find(&outer, inner->parameter[p]->name);
        values[p] = source >= 0 ? value[source] : one->fixed[p] ? one->value[p] : NAN;
    }
    return inner->theory->refuse ? inner->theory->refuse(&of, values, name) : NULL;
}
