/* The history of one cell in memory, on the theory `null`: position = x + y (time - time^2). */
#include <math.h>
#include <string.h>

#include "config/config.h"
#include "solve/history.h"
#include "support/suite.h"

static imp_sweep sweep_of(const char *theory, const char *const *words, int n) {
    imp_sweep sweep;
    imp_text messages = {0};
    imp_err error = imp_config_words(theory, words, n, &sweep, &messages);
    CHECK(!error, "%s", imp_text_get(&messages));
    imp_text_free(&messages);
    return sweep;
}

static void rows(void) {
    static const char *const words[] = {"x=3", "y=-2"};
    static const int sizes[] = {2, 3, 1000, 1024, 5000};
    imp_sweep sweep = sweep_of("null", words, 2);
    for (int k = 0; k < SUITE_COUNT(sizes); k++) {
        imp_rows found = {.n = 0};
        imp_outcome outcome = IMP_PENDING;
        CHECK(imp_history_take(&sweep, sizes[k], &found, &outcome) == IMP_OK, "%s",
              imp_last_error());
        CHECK(outcome == IMP_SOLVED && found.n_columns == 2, "outcome %d, %d columns", outcome,
              found.n_columns);
        CHECK(found.n == (size_t)sizes[k] + 3, "%zu rows of %d samples and 3 events", found.n,
              sizes[k]);
        for (size_t i = 0; i < found.n; i++) {
            double time = found.values[2 * i], position = found.values[2 * i + 1];
            CHECK_NEAR(position, 3 - 2 * (time - time * time), 1e-15, "row %zu", i);
            CHECK(found.phases[i] == (time < 0.5 ? 1 : 2), "phase %d at %g", found.phases[i], time);
            CHECK(i == 0 || time >= found.values[2 * i - 2], "row %zu is earlier", i);
        }
        imp_rows_free(&found);
        CHECK(!found.values && found.n == 0, "freed rows are not empty");
    }
    imp_sweep_free(&sweep);
}

/* The rows of a cell that fails end where the cell fails; the budget holds for histories too. */
static void failures(void) {
    static const struct {
        const char *words[3];
        imp_outcome outcome;
    } cells[] = {{{"fault=not_finite", "x=3", "y=1"}, IMP_NOT_FINITE},
                 {{"fault=library_error", "x=3", "y=1"}, IMP_LIBRARY_ERROR},
                 {{"fault=hang", "x=3", "y=1"}, IMP_BUDGET}};
    for (int k = 0; k < SUITE_COUNT(cells); k++) {
        imp_sweep sweep = sweep_of("null", cells[k].words, 3);
        sweep.cell_budget = 3;
        imp_rows found = {.n = 0};
        imp_outcome outcome = IMP_PENDING;
        CHECK(imp_history_take(&sweep, 9, &found, &outcome) == IMP_OK, "%s", imp_last_error());
        CHECK(outcome == cells[k].outcome, "%s", imp_outcome_name((int)outcome));
        CHECK(found.n > 0 && found.values[2 * found.n - 2] == 0.75, "%zu rows", found.n);
        imp_rows_free(&found);
        imp_sweep_free(&sweep);
    }
}

static void ignore(imp_recorder *recorder, const double *row, int phase, int event) {
    (void)recorder;
    (void)row;
    (void)phase;
    (void)event;
}

/* imp_trace takes NaN for a default, and refuses a value outside its range. */
static void values(void) {
    imp_solver *solver;
    imp_outcome outcome = IMP_PENDING;
    imp_recorder recorder = {5, ignore};
    double value[IMP_MAX_PARAMETERS];
    CHECK(imp_open("null", "", &solver) == IMP_OK, "%s", imp_last_error());
    for (int p = 0; p < imp_input_count(solver); p++) {
        value[p] = NAN;
    }
    CHECK(imp_trace(solver, value, &recorder, &outcome) == IMP_OK, "%s", imp_last_error());
    CHECK(outcome == IMP_SOLVED, "%s", imp_outcome_name((int)outcome));
    value[imp_input(solver, "fault_every")] = -1;
    CHECK(imp_trace(solver, value, &recorder, &outcome) == IMP_ERR_INPUT, "outside its range");
    CHECK(strstr(imp_last_error(), "fault_every"), "'%s'", imp_last_error());
    imp_close(&solver);
}

SUITE("history", rows, failures, values)
