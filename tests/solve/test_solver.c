/* The solver around a theory: choices, defaults, ranges, batches. Values are checked with the
 * theory `null`, a known function of x and y, everything else with `compliant`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/solver.h"
#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static void check_refused(const char *theory, const char *choices, const char *mentioned) {
    imp_solver *solver = (imp_solver *)&solver;
    imp_err error = imp_open(theory, choices, &solver);
    CHECK(error == IMP_ERR_INPUT, "%s '%s': error %d", theory, choices, (int)error);
    CHECK(!solver, "%s '%s': a solver is left", theory, choices);
    CHECK(strstr(imp_last_error(), mentioned), "'%s' does not mention '%s'", imp_last_error(),
          mentioned);
    imp_close(&solver);
}

static void refused_choices(void) {
    check_refused("complaint", "body=rod", "complaint");
    check_refused("", "", "theory");
    check_refused("compliant", "", "body");
    check_refused("compliant", "law=linear", "body");
    check_refused("compliant", "body=cube", "cube");
    check_refused("compliant", "body=rod law=cubic", "cubic");
    check_refused("compliant", "shape=rod", "shape");
    check_refused("compliant", "body", "body");
    check_refused("compliant", "body=", "body=");
    check_refused("compliant", "body=ro", "ro");
    check_refused("compliant", "body=rods", "rods");
    check_refused("compliant", "rod", "rod");
    check_refused("compliant", "body=rod,law=linear", "law");
}

/* A name that is near an existing one is suggested, and no other. */
static void suggestions(void) {
    check_refused("complaint", "body=rod",
                  "there is no theory 'complaint' (did you mean 'compliant'?)");
    check_refused("compliant", "body=penduIum", "(did you mean 'pendulum'?), allowed: sphere, ");
    check_refused("compliant", "body=rods",
                  "'body=rods': 'body' has no option of this name (did you mean 'rod'?)");
    check_refused("compliant", "boby=rod", "as in NAME=OPTION (did you mean 'body'?)");
    check_refused("compliant", "body=rod lwa=linear", "(did you mean 'law'?)");
    check_refused("compliant", "boddy", "(did you mean 'body'?)");
    static const char *const far[][2] = {
        {"gravity", ""}, {"compliant", "body=cube"}, {"compliant", "shape=rod"}};
    for (int i = 0; i < SUITE_COUNT(far); i++) {
        check_refused(far[i][0], far[i][1], "");
        CHECK(!strstr(imp_last_error(), "did you mean"), "%s", imp_last_error());
    }
}

/* The message about a wrong or missing choice lists all allowed options. */
static void listed_options(void) {
    static const char *const choices[] = {"body=cube", "body=", "law=linear"};
    const imp_theory *theory = imp_theory_find("compliant");
    for (int i = 0; i < SUITE_COUNT(choices); i++) {
        for (int o = 0; o < theory->choices[0].n_options; o++) {
            check_refused("compliant", choices[i], theory->choices[0].options[o]->name);
        }
    }
}

static void accepted_choices(void) {
    static const char *const choices[] = {"body=rod", "  body=rod   law=linear ",
                                          "law=linear body=rod"};
    for (int i = 0; i < SUITE_COUNT(choices); i++) {
        imp_solver *solver;
        CHECK(imp_open("compliant", choices[i], &solver) == IMP_OK, "'%s': %s", choices[i],
              imp_last_error());
        CHECK(strcmp(imp_solver_theory(solver)->name, "compliant") == 0, "the theory");
        CHECK(imp_input(solver, "angle") >= 0, "a rod has an angle");
        CHECK(imp_input(solver, "inertia_coupling") < 0, "a rod has no inertia coupling");
        CHECK(imp_input(solver, "none") < 0 && imp_output_index(solver, "none") < 0, "unknown");
        CHECK(imp_output_index(solver, "body_energy_loss") >= 0, "a rod has a mass");
        CHECK(!imp_input_at(solver, -1) && !imp_input_at(solver, imp_input_count(solver)), "ends");
        imp_close(&solver);
        CHECK(!solver, "closing leaves a pointer");
        imp_close(&solver);
    }
}

static void names(void) {
    const imp_theory *theory = imp_theory_find("compliant");
    CHECK(theory && !imp_theory_find("complaint") && !imp_theory_find(""), "find");
    CHECK(strcmp(imp_mode_name(theory, 0), "none") == 0, "mode 0");
    CHECK(!imp_mode_name(theory, 63) && !imp_mode_name(theory, -1), "unknown modes");
    CHECK(!imp_outcome_name(-1) && !imp_outcome_name(IMP_OUTCOME_COUNT), "unknown outcomes");
    CHECK(!imp_outcome_meaning(-1) && !imp_outcome_meaning(IMP_OUTCOME_COUNT), "meanings");
    static const char *const outcomes[IMP_OUTCOME_COUNT] = {
        "pending", "solved",        "outside",      "no_convergence", "not_finite",
        "budget",  "library_error", "guest_failed", "not_repeated"};
    for (int i = 0; i < IMP_OUTCOME_COUNT; i++) {
        CHECK(strcmp(imp_outcome_name(i), outcomes[i]) == 0, "outcome %d is %s", i,
              imp_outcome_name(i));
        CHECK(imp_outcome_meaning(i)[0], "outcome %d has no meaning", i);
    }
    CHECK(strcmp(imp_version(), IMP_VERSION) == 0, "version %s", imp_version());
}

/* A default that is left out is the same as its value. */
static void defaults(void) {
    batch b = batch_open("compliant", "body=rod", 3);
    batch_solve(&b);
    double e[3], impulse[3], *out[IMP_MAX_OUTPUTS] = {0};
    const double *in[IMP_MAX_PARAMETERS];
    uint8_t outcome[3];
    out[imp_output_index(b.solver, "kinematic_restitution")] = e;
    out[imp_output_index(b.solver, "normal_impulse")] = impulse;
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        in[p] = isnan(imp_input_at(b.solver, p)->fallback) && !b.left[p] ? b.in[p] : NULL;
    }
    CHECK(imp_solve(b.solver, 3, in, out, outcome) == IMP_OK, "%s", imp_last_error());
    for (size_t i = 0; i < 3; i++) {
        CHECK(outcome[i] == IMP_SOLVED, "%s", imp_outcome_name(outcome[i]));
        CHECK(e[i] == batch_out(&b, "kinematic_restitution")[i], "restitution %g", e[i]);
        CHECK(impulse[i] == batch_out(&b, "normal_impulse")[i], "impulse %g", impulse[i]);
    }
    in[imp_input(b.solver, "friction")] = NULL;
    CHECK(imp_solve(b.solver, 3, in, out, outcome) == IMP_ERR_INPUT, "friction has no default");
    CHECK(strstr(imp_last_error(), "friction"), "'%s'", imp_last_error());
    batch_close(&b);
}

/* No output wanted, and no cell at all. */
static void nothing_wanted(void) {
    batch b = batch_open("compliant", "body=rod", 2);
    double *none[IMP_MAX_OUTPUTS] = {0};
    const double *in[IMP_MAX_PARAMETERS];
    batch_inputs(&b, 0, in);
    b.outcome[0] = b.outcome[1] = 99;
    CHECK(imp_solve(b.solver, 2, in, none, b.outcome) == IMP_OK, "error");
    CHECK_CELL(&b, 0, b.outcome[0] == IMP_SOLVED && b.outcome[1] == IMP_SOLVED);
    b.outcome[0] = 99;
    CHECK(imp_solve(b.solver, 0, in, b.out, b.outcome) == IMP_OK, "error");
    CHECK(b.outcome[0] == 99, "no cells, but an outcome");
    batch_close(&b);
}

typedef struct bad_value {
    const char *parameter;
    double value;
} bad_value;

static const bad_value bad_values[] = {
    {"friction", -1e-9},
    {"friction", NAN},
    {"friction", INFINITY},
    {"stiffness_ratio", 0},
    {"stiffness_ratio", -1},
    {"stiffness_ratio", INFINITY},
    {"normal_stiffness", 0},
    {"normal_speed", 0},
    {"normal_speed", -1},
    {"normal_speed", NAN},
    {"angle", 1.5707963267949},
    {"angle", -1.5707963267949},
    {"angle", NAN},
    {"velocity_ratio", NAN},
    {"velocity_ratio", -INFINITY},
    {"inertia_coupling", 1},
    {"inertia_coupling", -0.1},
    {"inertia_coupling", 2},
    {"mass", 0},
    {"mass", -1},
    {"mass", NAN},
};

/* Cells with a bad value are `outside` and empty; their neighbours are as they would be without
 * them. */
static void values_out_of_range(void) {
    enum { CELLS = 3 * SUITE_COUNT(bad_values) };
    batch good = batch_open("compliant", "body=general", CELLS);
    batch b = batch_open("compliant", "body=general", CELLS);
    random_source source = {61};
    for (size_t i = 0; i < CELLS; i++) {
        double velocity = random_between(&source, -3, 3);
        batch_in(&good, "velocity_ratio")[i] = batch_in(&b, "velocity_ratio")[i] = velocity;
        if (i % 3 == 1) {
            batch_in(&b, bad_values[i / 3].parameter)[i] = bad_values[i / 3].value;
        }
    }
    BATCH_SOLVE(&good, &b);
    for (size_t i = 0; i < CELLS; i++) {
        bool bad = i % 3 == 1;
        CHECK_CELL(&b, i, b.outcome[i] == (bad ? IMP_OUTSIDE : IMP_SOLVED));
        for (int o = 0; o < b.theory->n_outputs; o++) {
            double nothing = b.theory->outputs[o].kind == IMP_REAL ? NAN : 0;
            size_t length = batch_length(&b, o);
            for (size_t k = i * length; k < (i + 1) * length; k++) {
                CHECK(batch_same(b.out[o][k], bad ? nothing : good.out[o][k]), "%s %g: %s",
                      b.theory->outputs[o].name, b.out[o][k], batch_text(&b, i));
            }
        }
    }
    BATCH_CLOSE(&good, &b);
}

/* A combination that no body has; the theory detects it. */
static void combinations_outside(void) {
    batch b = batch_open("compliant", "body=matrix", 3);
    batch_in(&b, "b12")[1] = 2.6;
    batch_solve(&b);
    CHECK_CELL(&b, 0, b.outcome[0] == IMP_SOLVED && b.outcome[2] == IMP_SOLVED);
    CHECK_CELL(&b, 1, b.outcome[1] == IMP_OUTSIDE);
    CHECK(isnan(batch_out(&b, "energy_loss")[1]), "an output outside");
    CHECK(batch_out(&b, "mode")[1] == 0 && batch_out(&b, "sequence")[1] == 0, "a mode outside");
    int absent = imp_theory_output(b.theory, "body_energy_loss");
    CHECK(imp_output_index(b.solver, "body_energy_loss") < 0, "a matrix has no mass");
    CHECK(isnan(b.out[absent][0]), "an output that a matrix has not");
    batch_close(&b);
}

/* The value of the theory `null`, by its definition: the fraction of a golden multiple. */
static double null_value(double x, double y) {
    double mixed = (12.9898 * x + 78.233 * y) * 0.6180339887498949;
    return mixed - floor(mixed);
}

/* Numbers of cells around the size of a kernel's batch; nothing is written past the end. */
static void batches(void) {
    static const size_t sizes[] = {1, 2, 255, 256, 257, 511, 512, 513, 1000};
    for (int k = 0; k < SUITE_COUNT(sizes); k++) {
        size_t n = sizes[k];
        batch b = batch_open("null", "fault=none", n + 1);
        double *x = batch_in(&b, "x"), *y = batch_in(&b, "y"), *value = batch_out(&b, "value");
        for (size_t i = 0; i <= n; i++) {
            x[i] = (double)i;
            y[i] = -0.5 * (double)i;
        }
        x[n / 2] = NAN;
        value[n] = -7;
        b.outcome[n] = 77;
        imp_solve(b.solver, n, (const double *const *)b.in, b.out, b.outcome);
        for (size_t i = 0; i < n; i++) {
            double expected = i == n / 2 ? NAN : null_value(x[i], y[i]);
            CHECK(batch_same(value[i], expected), "cell %zu of %zu: %g", i, n, value[i]);
            CHECK(b.outcome[i] == (i == n / 2 ? IMP_OUTSIDE : IMP_SOLVED), "cell %zu of %zu", i, n);
        }
        CHECK(value[n] == -7 && b.outcome[n] == 77, "cell %zu of %zu is written", n, n);
        batch_close(&b);
    }
}

/* An output of several values: the values of one cell are adjacent, and missing ones are NaN, in
 * every batch of a kernel. */
static void several_values(void) {
    enum { CELLS = 600, DIGITS = 3 };
    batch b = batch_open("null", "fault=not_finite", CELLS);
    const double *digits = batch_out(&b, "digits"), *parity = batch_out(&b, "digit");
    batch_set(&b, "fault_every", 7);
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "x")[i] = (double)i;
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.15f", null_value((double)i, 0));
        bool ended = i % 7 == 0;
        for (size_t k = 0; k < DIGITS; k++) {
            int digit = text[2 + k] - '0';
            CHECK(batch_same(digits[i * DIGITS + k], ended ? (double)NAN : (double)digit),
                  "%zu of %s", k, text);
            CHECK(parity[i * DIGITS + k] == (ended ? 0 : 2 - digit % 2), "%zu of %s", k, text);
            ended = ended || digit == 0;
        }
    }
    batch_close(&b);
}

static void faults(void) {
    batch b = batch_open("null", "fault=not_finite", 40);
    batch_set(&b, "fault_every", 10);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "x")[i] = (double)i;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        bool strikes = i % 10 == 0;
        CHECK_CELL(&b, i, b.outcome[i] == (strikes ? IMP_NOT_FINITE : IMP_SOLVED));
        CHECK_CELL(&b, i, isnan(batch_out(&b, "value")[i]) == strikes);
        CHECK_CELL(&b, i, (batch_out(&b, "mode")[i] == 0) == strikes);
    }
    batch_close(&b);
}

/* The budget ends the cells that need more steps; the others do not change. */
static void budget(void) {
    batch all = batch_open("compliant", "body=rod", 200),
          b = batch_open("compliant", "body=rod", 200);
    random_source source = {62};
    for (size_t i = 0; i < b.n; i++) {
        double velocity = random_between(&source, -3, 3);
        batch_in(&all, "velocity_ratio")[i] = batch_in(&b, "velocity_ratio")[i] = velocity;
    }
    batch_solve(&all);
    imp_set_budget(b.solver, 4);
    batch_solve(&b);
    int ended = 0;
    for (size_t i = 0; i < b.n; i++) {
        bool out_of_budget = b.outcome[i] == IMP_BUDGET;
        ended += out_of_budget;
        CHECK_CELL(&b, i, out_of_budget || b.outcome[i] == IMP_SOLVED);
        double expected = out_of_budget ? NAN : batch_out(&all, "energy_loss")[i];
        CHECK_CELL(&b, i, batch_same(batch_out(&b, "energy_loss")[i], expected));
    }
    CHECK(ended > 20 && ended < 180, "%d cells of 200 need more than four steps", ended);
    imp_set_budget(b.solver, 0);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
    }
    BATCH_CLOSE(&all, &b);
}

SUITE("solver", refused_choices, suggestions, listed_options, accepted_choices, names, defaults,
      nothing_wanted, values_out_of_range, combinations_outside, batches, several_values, faults,
      budget)
