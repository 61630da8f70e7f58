/* Every theory gives a cell the same bits whatever its neighbours in a batch are: zeros of either
 * sign, subnormal numbers, infinities, no numbers at all. -0 is the same input as 0. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/values.h"

/* Values that memories of the cell before may mistake for each other, some of them outside every
 * range. */
static double odd_value(random_source *source, const imp_parameter *p) {
    const double odd[] = {0,
                          -0.0,
                          DBL_TRUE_MIN,
                          -DBL_TRUE_MIN,
                          DBL_MIN / 2,
                          INFINITY,
                          -INFINITY,
                          NAN,
                          p->low,
                          p->high,
                          -p->example,
                          DBL_MAX,
                          1,
                          p->example * (1 + DBL_EPSILON)};
    double value = odd[random_index(source, SUITE_COUNT(odd))];
    return p->whole && !(value == floor(value)) ? p->example : value;
}

/* Each cell is the one before with a few other values, half of them zeros of the other sign or
 * ordinary ones. */
static void draw_cell(const batch *b, size_t i, random_source *source) {
    int n = imp_input_count(b->solver);
    for (int p = 0; p < n; p++) {
        const imp_parameter *parameter = imp_input_at(b->solver, p);
        double before = b->in[p][i > 0 ? i - 1 : 0], *value = &b->in[p][i];
        int way = random_index(source, 4 * n);
        *value = before == 0 && random_index(source, 3) == 0 ? -before : before;
        *value = way == 0   ? odd_value(source, parameter)
                 : way == 1 ? random_index(source, 2) ? 0.0 : -0.0
                 : way < 6  ? batch_draw(parameter, source)
                            : *value;
    }
}

static bool is_time(const imp_parameter *p) {
    return strcmp(p->name, "cost") == 0;
}

static void draw(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        draw_cell(b, i, source);
        for (int p = 0; p < imp_input_count(b->solver); p++) {
            const imp_parameter *parameter = imp_input_at(b->solver, p);
            b->in[p][i] = is_time(parameter) ? parameter->example : b->in[p][i];
        }
    }
}

/* Solves cell i alone, as it is and with 0 for every -0. */
static void check_alone(const batch *b, size_t i, const batch *alone) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        alone->in[p][0] = b->in[p][i];
    }
    batch_solve(alone);
    values_check_same(b, i, alone, 0, alone->out, "alone");
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        alone->in[p][0] = b->in[p][i] == 0 ? 0 : b->in[p][i];
    }
    batch_solve(alone);
    values_check_same(b, i, alone, 0, alone->out, "with 0 for -0");
}

static void check_neighbours(const imp_theory *theory, const char *choices) {
    enum { BATCHES = 3 };
    int batches = every_is_slow(theory) ? 1 : BATCHES;
    batch b = batch_open(theory->name, choices, values_cells(theory));
    batch alone = batch_open(theory->name, choices, 1);
    random_source source = {35};
    imp_set_budget(b.solver, values_budget(theory));
    imp_set_budget(alone.solver, values_budget(theory));
    for (int k = 0; k < batches; k++) {
        draw(&b, &source);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            check_alone(&b, i, &alone);
        }
    }
    BATCH_CLOSE(&b, &alone);
}

static void odd_neighbours(void) {
    every_choice(check_neighbours);
}

SUITE("contract_neighbours", odd_neighbours)
