#include "support/values.h"

#include <math.h>
#include <string.h>

#include "models/signature.h"
#include "support/every.h"
#include "support/suite.h"

size_t values_cells(const imp_theory *theory) {
    enum { SLOW_CELLS = 5, LONG_CELLS = 60 };
    return every_is_slow(theory) ? SLOW_CELLS : every_is_long(theory) ? LONG_CELLS : VALUES_CELLS;
}

int64_t values_budget(const imp_theory *theory) {
    enum { SLOW_BUDGET = 150000 };
    return every_is_slow(theory) ? SLOW_BUDGET : VALUES_BUDGET;
}

/* Values within a range: its ends or next to them, and the largest and smallest doubles. */
static int corner_values(const imp_parameter *p, double *values) {
    const double tried[] = {p->low,     nextafter(p->low, INFINITY),
                            p->high,    nextafter(p->high, -INFINITY),
                            0.0,        -0.0,
                            1e-300,     -1e-300,
                            1e-20,      -1e-20,
                            1.0,        -1.0,
                            1e8,        -1e8,
                            1e20,       -1e20,
                            1e155,      -1e155,
                            1e300,      -1e300,
                            p->example, p->fallback};
    int n = 0;
    for (int i = 0; i < SUITE_COUNT(tried); i++) {
        if (imp_parameter_admits(p, tried[i])) {
            values[n++] = tried[i];
        }
    }
    return n;
}

/* The nominal time of a cell, whose corners would only cost time. */
static bool is_time(const imp_parameter *p) {
    return strcmp(p->name, "cost") == 0;
}

void values_corners(const batch *b, random_source *source) {
    enum { MOST_VALUES = 32 };
    int n_parameters = imp_input_count(b->solver);
    size_t alone = 0;
    for (int p = 0; p < n_parameters; p++) {
        double values[MOST_VALUES];
        int n = corner_values(imp_input_at(b->solver, p), values);
        bool skip = is_time(imp_input_at(b->solver, p));
        for (size_t i = 0; i < b->n; i++) {
            bool turn = i >= alone && i < alone + (size_t)n;
            double example = imp_input_at(b->solver, p)->example;
            double any = values[random_index(source, n)];
            b->in[p][i] = skip ? example : turn ? values[i - alone] : i < 200 ? example : any;
        }
        alone += (size_t)n;
    }
}

void values_ordinary(const batch *b, random_source *source) {
    values_corners(b, source);
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        const imp_parameter *parameter = imp_input_at(b->solver, p);
        double example = parameter->example;
        for (size_t i = 0; i < b->n; i++) {
            double value = example * random_between(source, -2, 3);
            if (i % 10 != 0 && !is_time(parameter)) {
                b->in[p][i] = imp_parameter_admits(parameter, value) ? value : example;
            }
        }
    }
}

void values_check_same(const batch *b, size_t i, const batch *other, size_t k, double *const *out,
                       const char *how) {
    CHECK(b->outcome[i] == other->outcome[k], "outcome %s, %s: %s",
          imp_outcome_name(other->outcome[k]), how, batch_text(b, i));
    for (int o = 0; o < b->theory->n_outputs; o++) {
        size_t length = batch_length(b, o);
        for (size_t v = 0; out[o] && v < length; v++) {
            double one = b->out[o][i * length + v], two = out[o][k * length + v];
            CHECK(batch_same(one, two), "%s %s: %.17g instead of %.17g, %s: %s", b->theory->name,
                  b->theory->outputs[o].name, two, one, how, batch_text(b, i));
        }
    }
}
