/* Every theory gives a cell the same bits in any order, alone, with any outputs, and by parameters
 * that stand for others. */
#include <math.h>
#include <string.h>

#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/values.h"

/* ---- the same bits in any order, alone, and with any outputs ---- */

static void check_reversed(const batch *b, const batch *other) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        for (size_t i = 0; i < b->n; i++) {
            other->in[p][b->n - 1 - i] = b->in[p][i];
        }
    }
    batch_solve(other);
    for (size_t i = 0; i < b->n; i++) {
        values_check_same(b, i, other, b->n - 1 - i, other->out, "in reverse order");
    }
}

static void check_alone(const batch *b, const batch *other) {
    const double *in[IMP_MAX_PARAMETERS];
    for (size_t i = 0; i < b->n; i++) {
        batch_inputs(b, i, in);
        imp_solve(other->solver, 1, in, other->out, other->outcome);
        values_check_same(b, i, other, 0, other->out, "alone");
    }
}

static void check_one_output(const batch *b, const batch *other) {
    enum { SLOW_CELLS = 2 };
    size_t n = every_is_slow(b->theory) ? SLOW_CELLS : b->n;
    const double *in[IMP_MAX_PARAMETERS];
    batch_inputs(b, 0, in);
    for (int wanted = -1; wanted < b->theory->n_outputs; wanted++) {
        double *out[IMP_MAX_OUTPUTS] = {0};
        if (wanted >= 0) {
            out[wanted] = other->out[wanted];
        }
        imp_solve(b->solver, n, in, out, other->outcome);
        for (size_t i = 0; i < n; i++) {
            values_check_same(b, i, other, i, out, "one output only");
        }
    }
}

/* Solves the same cells twice, each time with a budget of its own. */
static void solve_both(const batch *b, int64_t budget, const batch *other, int64_t other_budget) {
    imp_set_budget(b->solver, budget);
    imp_set_budget(other->solver, other_budget);
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        memcpy(other->in[p], b->in[p], b->n * sizeof(double));
    }
    BATCH_SOLVE(b, other);
}

static void check_all_ways(const batch *b, const batch *other, int64_t budget) {
    solve_both(b, budget, other, budget);
    for (size_t i = 0; i < b->n; i++) {
        values_check_same(b, i, other, i, other->out, "again");
    }
    check_reversed(b, other);
    check_alone(b, other);
    check_one_output(b, other);
}

/* Cells that are solved, with a budget that hardly suffices, are solved or say that it is spent. */
static void check_spent(const batch *b, int64_t budget, const batch *whole, int64_t ample) {
    solve_both(b, budget, whole, ample);
    for (size_t i = 0; i < b->n; i++) {
        bool spent = b->outcome[i] == IMP_BUDGET || b->outcome[i] == IMP_SOLVED;
        CHECK(whole->outcome[i] != IMP_SOLVED || spent, "budget %lld: %s", (long long)budget,
              batch_text(b, i));
    }
}

/* Also with budgets that hardly suffice: the wanted outputs must not decide which cells run out. */
static void check_bits(const imp_theory *theory, const char *choices) {
    const int64_t budgets[] = {values_budget(theory), 4, 1};
    batch b = batch_open(theory->name, choices, values_cells(theory));
    batch other = batch_open(theory->name, choices, values_cells(theory));
    random_source source = {32};
    values_ordinary(&b, &source);
    for (int i = 0; i < SUITE_COUNT(budgets); i++) {
        check_all_ways(&b, &other, budgets[i]);
    }
    check_spent(&b, 1, &other, budgets[0]);
    BATCH_CLOSE(&b, &other);
}

static void same_bits(void) {
    every_choice(check_bits);
}

/* ---- parameters that stand for others ---- */

/* Cells with values of a stand-in over its range have the bits of cells with the parameter that it
 * stands for. A value outside its own range is outside, whatever value it leads to. */
static void check_converted(const imp_theory *theory, const char *choices, int p) {
    batch direct = batch_open(theory->name, choices, VALUES_CELLS);
    batch stood = batch_open(theory->name, choices, VALUES_CELLS);
    const imp_parameter *parameter = imp_input_at(direct.solver, p);
    random_source source = {33};
    values_ordinary(&direct, &source);
    batch_stand_in(&stood, parameter->name);
    double *values = batch_in(&stood, parameter->name);
    for (int q = 0; q < imp_input_count(direct.solver); q++) {
        memcpy(stood.in[q], direct.in[q], VALUES_CELLS * sizeof(double));
    }
    for (size_t i = 0; i < VALUES_CELLS; i++) {
        double beyond = parameter->high + (double)i;
        values[i] = imp_parameter_admits(parameter, values[i]) ? values[i] : parameter->example;
        values[i] = i % 50 == 0 && isfinite(beyond) ? beyond : values[i];
        batch_in(&direct, parameter->stands_for)[i] = parameter->converted(values[i]);
    }
    imp_set_budget(direct.solver, VALUES_BUDGET);
    imp_set_budget(stood.solver, VALUES_BUDGET);
    BATCH_SOLVE(&direct, &stood);
    for (size_t i = 0; i < VALUES_CELLS; i++) {
        if (imp_parameter_admits(parameter, values[i])) {
            values_check_same(&direct, i, &stood, i, stood.out, parameter->name);
        } else {
            CHECK_CELL(&stood, i, stood.outcome[i] == IMP_OUTSIDE);
        }
    }
    BATCH_CLOSE(&direct, &stood);
}

/* To give neither or both is refused, with a message that names them; both are good where one may
 * stand beside the other. */
static void check_exactly_one(const imp_theory *theory, const char *choices, int p) {
    batch b = batch_open(theory->name, choices, 1);
    const imp_parameter *parameter = imp_input_at(b.solver, p);
    int target = imp_input(b.solver, parameter->stands_for);
    bool optional = !isnan(imp_input_at(b.solver, target)->fallback);
    const double *in[IMP_MAX_PARAMETERS];
    batch_inputs(&b, 0, in);
    in[p] = b.in[p];
    imp_err both = parameter->beside ? IMP_OK : IMP_ERR_INPUT;
    CHECK(imp_solve(b.solver, 1, in, b.out, b.outcome) == both, "%s and %s", parameter->name,
          parameter->stands_for);
    CHECK(!both || (strstr(imp_last_error(), parameter->name) &&
                    strstr(imp_last_error(), "one of them")),
          "'%s'", imp_last_error());
    in[p] = in[target] = NULL;
    CHECK(imp_solve(b.solver, 1, in, b.out, b.outcome) == (optional ? IMP_OK : IMP_ERR_INPUT),
          "neither %s nor %s", parameter->name, parameter->stands_for);
    batch_close(&b);
}

static int stand_ins_found;

static void check_stand_ins(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, 1);
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        if (imp_input_at(b.solver, p)->stands_for) {
            stand_ins_found++;
            if (!imp_input_at(b.solver, p)->beside) { /* the kernel sees more than its conversion */
                check_converted(theory, choices, p);
            }
            check_exactly_one(theory, choices, p);
        }
    }
    batch_close(&b);
}

static void stand_ins(void) {
    stand_ins_found = 0;
    every_choice(check_stand_ins);
    CHECK(stand_ins_found > 0, "no parameter stands for another");
}

SUITE("contract_bits", same_bits, stand_ins)
