#include "support/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/signature.h"

static void *end_unless(void *found, const char *what) {
    if (!found) {
        fprintf(stderr, "the test names something that does not exist: %s (%s)\n", what,
                imp_last_error());
        exit(99);
    }
    return found;
}

static double *column(size_t n) {
    return end_unless(calloc(n, sizeof(double)), "memory");
}

batch batch_open(const char *theory, const char *choices, size_t n) {
    imp_solver *solver;
    imp_open(theory, choices, &solver);
    return batch_of(end_unless(solver, choices), n);
}

batch batch_of(imp_solver *solver, size_t n) {
    batch b = {.solver = solver, .theory = imp_solver_theory(solver), .n = n};
    b.outcome = end_unless(calloc(n, 1), "memory");
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        const imp_parameter *parameter = imp_input_at(b.solver, p);
        double value = isnan(parameter->fallback) ? parameter->example : parameter->fallback;
        b.in[p] = column(n);
        b.left[p] = parameter->stands_for != NULL;
        for (size_t i = 0; i < n; i++) {
            b.in[p][i] = value;
        }
    }
    for (int o = 0; o < b.theory->n_outputs; o++) {
        b.out[o] = column(n * batch_length(&b, o));
    }
    return b;
}

size_t batch_length(const batch *b, int output) {
    const imp_output *o = &b->theory->outputs[output];
    return o->dimension ? (size_t)o->length : 1;
}

batch batch_again(const batch *of, const char *choices) {
    batch b = batch_open(of->theory->name, choices, of->n);
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        const char *name = imp_input_at(b.solver, p)->name;
        memcpy(b.in[p], end_unless(of->in[p], name), b.n * sizeof(double));
        b.left[p] = of->left[p];
    }
    return b;
}

void batch_close(batch *b) {
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        free(b->in[p]);
    }
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(b->out[o]);
    }
    free(b->outcome);
    imp_close(&b->solver);
    *b = (batch){.n = 0};
}

void batch_close_all(batch *const *batches) {
    for (; *batches; batches++) {
        batch_close(*batches);
    }
}

double *batch_in(const batch *b, const char *parameter) {
    int p = imp_input(b->solver, parameter);
    return end_unless(p < 0 ? NULL : b->in[p], parameter);
}

double *batch_out(const batch *b, const char *output) {
    int o = imp_output_index(b->solver, output);
    return end_unless(o < 0 ? NULL : b->out[o], output);
}

void batch_set(const batch *b, const char *parameter, double value) {
    double *values = batch_in(b, parameter);
    for (size_t i = 0; i < b->n; i++) {
        values[i] = value;
    }
}

void batch_set_all(const batch *b, const batch_value *values) {
    for (; values->parameter; values++) {
        batch_set(b, values->parameter, values->value);
    }
}

void batch_stand_in(batch *b, const char *parameter) {
    int p = imp_input(b->solver, parameter);
    const char *target = p < 0 ? NULL : imp_input_at(b->solver, p)->stands_for;
    end_unless(target ? b->solver : NULL, parameter);
    b->left[p] = false;
    b->left[imp_input(b->solver, target)] = true;
}

void batch_give(batch *b, const char *parameter) {
    int p = imp_input(b->solver, parameter);
    end_unless(p >= 0 && imp_input_at(b->solver, p)->beside ? b->solver : NULL, parameter);
    b->left[p] = false;
}

void batch_inputs(const batch *b, size_t first, const double **in) {
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        in[p] = b->in[p] && !b->left[p] ? b->in[p] + first : NULL;
    }
}

void batch_values(const batch *b, size_t i, double *value) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        value[p] = b->left[p] ? NAN : b->in[p][i];
    }
}

imp_outcome batch_trace(const batch *b, size_t i, imp_recorder *recorder) {
    double value[IMP_MAX_PARAMETERS];
    imp_outcome outcome = IMP_PENDING;
    batch_values(b, i, value);
    imp_err error = imp_trace(b->solver, value, recorder, &outcome);
    end_unless(error ? NULL : b->solver, "imp_trace");
    return outcome;
}

double batch_draw(const imp_parameter *parameter, random_source *source) {
    if (parameter->words) {
        int n = 0;
        for (; parameter->words[n]; n++) {
        }
        return random_index(source, n);
    }
    double value = parameter->example * random_between(source, -2, 3);
    bool fixed = parameter->whole || strcmp(parameter->unit, "s") == 0;
    return !fixed && imp_parameter_admits(parameter, value) ? value : parameter->example;
}

void batch_solve(const batch *b) {
    const double *in[IMP_MAX_PARAMETERS];
    batch_inputs(b, 0, in);
    imp_err error = imp_solve(b->solver, b->n, in, b->out, b->outcome);
    end_unless(error ? NULL : b->solver, "imp_solve");
}

void batch_solve_all(const batch *const *batches) {
    for (; *batches; batches++) {
        batch_solve(*batches);
    }
}

const char *batch_mode(const batch *b, size_t i) {
    const char *name = imp_mode_name(b->theory, (int)batch_out(b, "mode")[i]);
    return name ? name : "unknown";
}

bool batch_has_mode(const batch *b, size_t i, const char *mode) {
    return strcmp(batch_mode(b, i), mode) == 0;
}

const char *batch_sequence(const batch *b, size_t i) {
    static char text[256];
    imp_sequence_text((uint64_t)batch_out(b, "sequence")[i], sizeof text, text);
    return text;
}

const char *batch_text(const batch *b, size_t i) {
    static char text[700];
    const char *outcome = imp_outcome_name(b->outcome[i]);
    int length = snprintf(text, sizeof text, "%s:", outcome ? outcome : "unknown outcome");
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        size_t at = strlen(text);
        if (!b->left[p]) {
            snprintf(text + at, sizeof text - at, " %s=%.17g", imp_input_at(b->solver, p)->name,
                     b->in[p][i]);
        }
    }
    return length < 0 ? "" : text;
}

bool batch_same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}
