#include "solve/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "num/alike.h"

/* An input that follows others. */
typedef struct following {
    int input, from[IMP_FOLLOW_INPUTS]; /* -1: the theory lacks it */
    int n_from;
    imp_formula formula;
    double *values;
} following;

struct imp_solver {
    imp_signature signature;
    following *followings;
    int n_followings;
    imp_variables *variables; /* owned; NULL: none, or those of a sweep */
    imp_owned *owned;         /* likewise */
    imp_instance instance;
    size_t batch;
    double *columns; /* the memory of the following ones, `batch` values each */
    double *constant[IMP_MAX_PARAMETERS];  /* defaults, for inputs left out */
    double *converted[IMP_MAX_PARAMETERS]; /* of inputs given through stand-ins */
    double *safe[IMP_MAX_PARAMETERS];      /* examples in the place of values outside */
    bool *outside;                         /* cells of the batch with such values */
    double least[IMP_MAX_PARAMETERS], most[IMP_MAX_PARAMETERS]; /* ranges, both ends inside */
    bool has_output[IMP_MAX_OUTPUTS];
    /* The inputs given in the last call, and where their values came from: batches of one cell
     * follow each other in a search. */
    bool given[IMP_MAX_PARAMETERS];
    int source[IMP_MAX_PARAMETERS];
    bool sourced;
};

size_t imp_theory_batch(const imp_theory *theory) {
    return theory->batch > IMP_BATCH ? (size_t)theory->batch : IMP_BATCH;
}

static void free_solver(imp_solver *solver) {
    for (int f = 0; f < solver->n_followings; f++) {
        free(solver->followings[f].values);
    }
    free(solver->followings);
    free(solver->variables);
    imp_owned_end(&solver->owned);
    free(solver->columns);
    free(solver->outside);
    free(solver);
}

/* A solver with memory for its columns; NULL if memory is out. */
static imp_solver *allocate(const imp_signature *signature) {
    imp_solver *made = calloc(1, sizeof *made);
    size_t n = (size_t)signature->n_parameters, batch = imp_theory_batch(signature->theory);
    if (!made) {
        return NULL;
    }
    made->batch = batch;
    made->columns = calloc(3 * n * batch + 1, sizeof *made->columns);
    made->outside = calloc(batch, sizeof *made->outside);
    if (!made->columns || !made->outside) {
        free_solver(made);
        return NULL;
    }
    for (size_t p = 0; p < n; p++) {
        made->constant[p] = made->columns + p * batch;
        made->converted[p] = made->columns + (n + p) * batch;
        made->safe[p] = made->columns + (2 * n + p) * batch;
    }
    return made;
}

imp_err imp_solver_open(const imp_signature *signature, imp_solver **solver) {
    *solver = NULL;
    imp_solver *made = allocate(signature);
    if (!made) {
        return imp_out_of_memory();
    }
    made->signature = *signature;
    made->instance = imp_signature_instance(signature);
    for (int p = 0; p < signature->n_parameters; p++) {
        const imp_parameter *parameter = signature->parameter[p];
        for (size_t i = 0; i < made->batch; i++) {
            made->constant[p][i] = parameter->fallback;
        }
        made->least[p] = parameter->low_open ? nextafter(parameter->low, INFINITY) : parameter->low;
        made->most[p] =
            parameter->high_open ? nextafter(parameter->high, -INFINITY) : parameter->high;
    }
    const imp_theory *theory = signature->theory;
    for (int o = 0; o < theory->n_outputs; o++) {
        made->has_output[o] = imp_signature_has_output(signature, o);
    }
    imp_err error = theory->open ? theory->open(&made->instance) : IMP_OK;
    if (error) {
        free_solver(made);
        return error;
    }
    *solver = made;
    return IMP_OK;
}

void imp_close(imp_solver **solver) {
    if (!*solver) {
        return;
    }
    const imp_theory *theory = (*solver)->signature.theory;
    if (theory->close) {
        theory->close(&(*solver)->instance);
    }
    free_solver(*solver);
    *solver = NULL;
}

imp_err imp_solver_follow(imp_solver *solver, const imp_follower *followers, int n) {
    solver->followings = calloc((size_t)n + 1, sizeof *solver->followings);
    if (!solver->followings) {
        return imp_out_of_memory();
    }
    for (int f = 0; f < n; f++) {
        const imp_follower *of = &followers[f];
        following *to = &solver->followings[solver->n_followings];
        to->input = imp_signature_find(&solver->signature, of->parameter->name);
        if (to->input < 0) {
            continue;
        }
        to->values = calloc(solver->batch, sizeof *to->values);
        solver->n_followings++;
        if (!to->values) {
            return imp_out_of_memory();
        }
        to->n_from = of->n_inputs;
        to->formula = of->formula;
        for (int k = 0; k < of->n_inputs; k++) {
            to->from[k] = imp_signature_find(&solver->signature, of->input[k]);
        }
    }
    return IMP_OK;
}

void imp_solver_followed(const imp_solver *solver, const double **in) {
    for (int f = 0; f < solver->n_followings; f++) {
        in[solver->followings[f].input] = solver->followings[f].values;
    }
}

void imp_solver_own(imp_solver *solver, imp_variables *variables, imp_owned *owned) {
    solver->variables = variables;
    solver->owned = owned;
}

void imp_owned_end(imp_owned **all) {
    while (*all) {
        imp_owned *one = *all;
        *all = one->next;
        one->end(one);
    }
}

void imp_set_budget(imp_solver *solver, int64_t budget) {
    solver->instance.budget = budget > 0 ? budget : solver->signature.theory->budget;
}

const imp_signature *imp_solver_signature(const imp_solver *solver) {
    return &solver->signature;
}

const imp_theory *imp_solver_theory(const imp_solver *solver) {
    return solver->signature.theory;
}

int imp_input_count(const imp_solver *solver) {
    return solver->signature.n_parameters;
}

const imp_parameter *imp_input_at(const imp_solver *solver, int index) {
    bool inside = index >= 0 && index < solver->signature.n_parameters;
    return inside ? solver->signature.parameter[index] : NULL;
}

int imp_input(const imp_solver *solver, const char *name) {
    return imp_signature_find(&solver->signature, name);
}

int imp_output_index(const imp_solver *solver, const char *name) {
    int output = imp_theory_output(solver->signature.theory, name);
    return output >= 0 && solver->has_output[output] ? output : -1;
}

/* -0 is the same input as 0: kernels never see it, whose memories would give its sign to
 * neighbours. */
static double without_sign_of_zero(double value) {
    return value + 0.0;
}

/* Kernels may rely on ranges: a cell with a value outside is solved at the example instead, and
 * then marked as outside. Returns whether `in` now points into solver->safe. */
static bool find_outside(imp_solver *solver, size_t n, const double **in, bool *outside) {
    const imp_signature *s = &solver->signature;
    bool any = false;
    for (int p = 0; p < s->n_parameters; p++) {
        double least = solver->least[p], most = solver->most[p];
        const double *values = in[p];
        /* Defaults lie in their ranges, and of equal values the first is enough. */
        size_t count = values && values != solver->constant[p] ? n : 0;
        count = count > 0 && imp_alike(values, count) == count ? 1 : count;
        int64_t bad = 0; /* as wide as a double, for the sake of the compiler */
        for (size_t i = 0; i < count; i++) {
            bad |= !((values[i] >= least) & (values[i] <= most));
            bad |= imp_bits(values[i]) == INT64_MIN;
        }
        any |= bad != 0;
    }
    for (size_t i = 0; any && i < n; i++) {
        outside[i] = false;
        for (int p = 0; p < s->n_parameters; p++) {
            outside[i] |= in[p] && !imp_parameter_admits(s->parameter[p], in[p][i]);
        }
    }
    for (int p = 0; any && p < s->n_parameters; p++) {
        for (size_t i = 0; in[p] && i < n; i++) {
            double value = without_sign_of_zero(in[p][i]);
            solver->safe[p][i] = outside[i] ? s->parameter[p]->example : value;
        }
        in[p] = in[p] ? solver->safe[p] : NULL;
    }
    return any;
}

static void blank(const imp_solver *solver, size_t n, double *const *out, const uint8_t *outcome) {
    const imp_theory *theory = solver->signature.theory;
    uint8_t others = 0;
    for (size_t i = 0; i < n; i++) {
        others |= outcome[i] ^ IMP_SOLVED;
    }
    for (int o = 0; o < theory->n_outputs; o++) {
        bool absent = !solver->has_output[o];
        if (!out[o] || (!others && !absent)) {
            continue;
        }
        double nothing = theory->outputs[o].kind == IMP_REAL ? NAN : 0;
        size_t length = imp_output_length(&theory->outputs[o]);
        for (size_t i = 0; absent && i < n * length; i++) {
            out[o][i] = nothing;
        }
        for (size_t i = 0; others && i < n; i++) {
            for (size_t k = 0; outcome[i] != IMP_SOLVED && k < length; k++) {
                out[o][i * length + k] = nothing;
            }
        }
    }
}

static imp_err solve_batch(imp_solver *solver, size_t n, const double **in, double *const *out,
                           uint8_t *outcome) {
    const imp_signature *s = &solver->signature;
    double *present[IMP_MAX_OUTPUTS];
    const bool *outside = solver->outside;
    bool any = find_outside(solver, n, in, solver->outside);
    for (int p = 0; p < s->n_parameters; p++) {
        in[p] = imp_parameter_is_replaced(s->parameter[p]) ? NULL : in[p];
    }
    for (int o = 0; o < s->theory->n_outputs; o++) {
        present[o] = solver->has_output[o] ? out[o] : NULL;
    }
    imp_err error = s->theory->solve(&solver->instance, n, in, present, outcome);
    if (error) {
        return error;
    }
    for (size_t i = 0; any && i < n; i++) {
        outcome[i] = outside[i] ? IMP_OUTSIDE : outcome[i];
    }
    blank(solver, n, out, outcome);
    return IMP_OK;
}

/* As imp_signature_sources, with errors for parameters given twice and for missing ones. */
static imp_err find_sources(const imp_signature *s, const bool *given, int *source) {
    int rivals[2];
    if (!imp_signature_sources(s, given, source, rivals)) {
        return imp_fail(IMP_ERR_INPUT, "'%s' and '%s' set the same value, give one of them",
                        s->parameter[rivals[0]]->name, s->parameter[rivals[1]]->name);
    }
    for (int p = 0; p < s->n_parameters; p++) {
        bool optional = s->parameter[p]->stands_for || !isnan(s->parameter[p]->fallback);
        if (source[p] < 0 && !optional) {
            return imp_fail(IMP_ERR_INPUT, "the parameter '%s' has no default and is not given",
                            s->parameter[p]->name);
        }
    }
    return IMP_OK;
}

/* Finds the sources of the inputs of a call. */
static imp_err remember_sources(imp_solver *solver, const double *const *in) {
    const imp_signature *s = &solver->signature;
    bool same = solver->sourced;
    bool given[IMP_MAX_PARAMETERS];
    for (int p = 0; p < s->n_parameters; p++) {
        given[p] = in[p] != NULL;
    }
    for (int f = 0; f < solver->n_followings; f++) {
        given[solver->followings[f].input] = true;
    }
    for (int p = 0; p < s->n_parameters; p++) {
        same &= solver->given[p] == given[p];
        solver->given[p] = given[p];
    }
    imp_err error = same ? IMP_OK : find_sources(s, solver->given, solver->source);
    solver->sourced = !error;
    return error;
}

/* Computes what follows the inputs of `count` cells, at most a batch, and adds it to them. */
static void follow(imp_solver *solver, size_t count, const double **in) {
    for (int f = 0; f < solver->n_followings; f++) {
        following *to = &solver->followings[f];
        for (size_t i = 0; i < count; i++) {
            double value[IMP_FOLLOW_INPUTS];
            for (int k = 0; k < to->n_from; k++) {
                int from = to->from[k];
                value[k] = from < 0 ? NAN : in[from] ? in[from][i] : solver->constant[from][i];
            }
            to->values[i] = imp_formula_value(&to->formula, value);
        }
        in[to->input] = to->values;
    }
}

/* The values of input p for `count` cells. */
static const double *column(imp_solver *solver, const double *const *in, int p, int source,
                            size_t count) {
    const imp_signature *s = &solver->signature;
    if (in[p]) {
        return in[p];
    }
    if (source < 0) {
        return s->parameter[p]->stands_for ? NULL : solver->constant[p];
    }
    for (size_t i = 0; i < count; i++) {
        solver->converted[p][i] = s->parameter[source]->converted(in[source][i]);
    }
    return solver->converted[p];
}

imp_err imp_solve(imp_solver *solver, size_t n, const double *const *in, double *const *out,
                  uint8_t *outcome) {
    const imp_signature *s = &solver->signature;
    imp_err error = remember_sources(solver, in);
    for (size_t first = 0; !error && first < n; first += solver->batch) {
        size_t count = n - first < solver->batch ? n - first : solver->batch;
        const double *given[IMP_MAX_PARAMETERS], *columns[IMP_MAX_PARAMETERS];
        double *results[IMP_MAX_OUTPUTS];
        for (int p = 0; p < s->n_parameters; p++) {
            given[p] = in[p] ? in[p] + first : NULL;
        }
        follow(solver, count, given);
        for (int p = 0; p < s->n_parameters; p++) {
            columns[p] = column(solver, given, p, solver->source[p], count);
        }
        for (int o = 0; o < s->theory->n_outputs; o++) {
            results[o] = out[o] ? out[o] + first * imp_output_length(&s->theory->outputs[o]) : NULL;
        }
        error = solve_batch(solver, count, columns, results, outcome + first);
    }
    return error;
}

static imp_err fail_outside(const imp_parameter *parameter, double value) {
    const char *limits = parameter->limits;
    return imp_fail(IMP_ERR_INPUT, "'%s' is %.7g, outside its range %c%.7g, %.7g%c%s%s%s",
                    parameter->name, value, parameter->low_open ? '(' : '[', parameter->low,
                    parameter->high, parameter->high_open ? ')' : ']',
                    parameter->whole ? " of whole numbers" : "", limits ? ": " : "",
                    limits ? limits : "");
}

/* The values of one cell as kernels take them. value[p]: NaN where input p is not given. */
static imp_err take_values(const imp_signature *s, const double *value, double *values) {
    bool given[IMP_MAX_PARAMETERS];
    int source[IMP_MAX_PARAMETERS];
    for (int p = 0; p < s->n_parameters; p++) {
        given[p] = !isnan(value[p]);
    }
    imp_err error = find_sources(s, given, source);
    for (int p = 0; !error && p < s->n_parameters; p++) {
        const imp_parameter *parameter = s->parameter[p];
        int other = source[p];
        values[p] = given[p]     ? value[p]
                    : other >= 0 ? s->parameter[other]->converted(value[other])
                                 : parameter->fallback;
        bool absent = parameter->stands_for && !given[p];
        if (!absent && !imp_parameter_admits(parameter, values[p])) {
            error = fail_outside(parameter, values[p]);
        }
    }
    for (int p = 0; !error && p < s->n_parameters; p++) {
        bool replaced = imp_parameter_is_replaced(s->parameter[p]);
        values[p] = replaced ? NAN : without_sign_of_zero(values[p]);
    }
    return error;
}

imp_err imp_trace(imp_solver *solver, const double *value, imp_recorder *recorder,
                  imp_outcome *outcome) {
    const imp_signature *s = &solver->signature;
    double values[IMP_MAX_PARAMETERS];
    if (!s->theory->trace) {
        return imp_fail(IMP_ERR_INPUT, "the theory %s has no history", s->theory->name);
    }
    imp_err error = take_values(s, value, values);
    if (error) {
        return error;
    }
    return s->theory->trace(&solver->instance, values, recorder, outcome);
}
