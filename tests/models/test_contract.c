/* The promises of include/impact.h, which every theory of the registry must keep, whatever its physics. A
 * theory that is added to models.def is tested here without any change. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- the tables ---- */

static void check_modes(const imp_theory *theory) {
    for (int i = 0; i < theory->n_modes; i++) {
        const imp_mode *mode = &theory->modes[i];
        CHECK(mode->code >= 1 && mode->code <= 63, "%s: code %d", theory->name, mode->code);
        CHECK(mode->name[0] && mode->meaning[0], "%s: mode %d", theory->name, mode->code);
        for (int k = 0; k < i; k++) {
            CHECK(mode->code != theory->modes[k].code, "%s: code %d twice", theory->name,
                  mode->code);
            CHECK(strcmp(mode->name, theory->modes[k].name) != 0, "%s: mode %s twice", theory->name,
                  mode->name);
        }
    }
}

static void check_outputs(const imp_theory *theory) {
    uint64_t codes = 0;
    for (int i = 0; i < theory->n_modes; i++) {
        codes |= UINT64_C(1) << theory->modes[i].code;
    }
    CHECK(theory->n_outputs <= IMP_MAX_OUTPUTS, "%s: too many outputs", theory->name);
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        CHECK(output->name[0] && output->unit[0] && output->meaning[0], "%s: output %d",
              theory->name, o);
        CHECK(!output->dimension || (output->dimension[0] && output->length > 0), "%s: shape of %s",
              theory->name, output->name);
        CHECK(!output->categories || output->kind == IMP_CATEGORY, "%s: codes of %s", theory->name,
              output->name);
        CHECK((output->undefined_in & ~codes) == 0, "%s: %s is undefined in a mode that is none",
              theory->name, output->name);
        for (int k = 0; k < o; k++) {
            CHECK(strcmp(output->name, theory->outputs[k].name) != 0, "%s: output %s twice",
                  theory->name, output->name);
        }
    }
}

static void check_parameter(const char *theory, const imp_parameter *p) {
    CHECK(p->name[0] && p->unit[0] && p->meaning[0], "%s: a parameter without a text", theory);
    CHECK(p->low < p->high, "%s: range of %s", theory, p->name);
    CHECK(imp_parameter_admits(p, p->example), "%s: example of %s", theory, p->name);
    CHECK(isnan(p->fallback) || imp_parameter_admits(p, p->fallback), "%s: default of %s", theory,
          p->name);
}

/* A parameter that stands for another one has no default. Its values lead into the range of the other one, which
 * stands for none itself. */
static void check_stand_in(const batch *b, const imp_parameter *p) {
    int target = imp_input(b->solver, p->stands_for);
    CHECK(p->converted && isnan(p->fallback), "%s: %s", b->theory->name, p->name);
    CHECK(target >= 0, "%s: %s stands for nothing that applies", b->theory->name, p->name);
    if (!p->converted || target < 0) {
        return;
    }
    const imp_parameter *other = imp_input_at(b->solver, target);
    CHECK(!other->stands_for, "%s: %s stands for a stand-in", b->theory->name, p->name);
    CHECK(imp_parameter_admits(other, p->converted(p->example)), "%s: example of %s",
          b->theory->name, p->name);
}

static void check_signature(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, 1);
    CHECK(imp_input_count(b.solver) <= IMP_MAX_PARAMETERS, "%s: too many", theory->name);
    for (int i = 0; i < imp_input_count(b.solver); i++) {
        const imp_parameter *parameter = imp_input_at(b.solver, i);
        check_parameter(theory->name, parameter);
        CHECK(imp_input(b.solver, parameter->name) == i, "%s %s: %s twice", theory->name, choices,
              parameter->name);
        CHECK(!parameter->stands_for == !parameter->converted, "%s: %s", theory->name,
              parameter->name);
        if (parameter->stands_for) {
            check_stand_in(&b, parameter);
        }
    }
    batch_close(&b);
}

static void tables(void) {
    CHECK(imp_theory_at(0) && !imp_theory_at(-1), "the registry's ends");
    for (int t = 0; imp_theory_at(t); t++) {
        const imp_theory *theory = imp_theory_at(t);
        CHECK(theory->name[0] && theory->title[0] && theory->source[0] && theory->residual[0],
              "theory %d lacks a text", t);
        CHECK(imp_theory_find(theory->name) == theory, "%s is there twice", theory->name);
        CHECK(theory->results_version >= 1, "%s: results version", theory->name);
        check_modes(theory);
        check_outputs(theory);
        for (int u = 0; u < theory->n_unit_parameters; u++) {
            const imp_parameter *all[IMP_MAX_PARAMETERS];
            int n = imp_theory_every_parameter(theory, all), found = 0;
            for (int p = 0; p < n; p++) {
                found += strcmp(all[p]->name, theory->unit_parameters[u]) == 0;
            }
            CHECK(found == 1, "%s: unit parameter %s", theory->name, theory->unit_parameters[u]);
        }
    }
    every_choice(check_signature);
}

/* ---- cells ---- */

/* A real output is finite where it is defined, and NaN elsewhere; a code is positive where it is defined, and 0
 * elsewhere. Of a list only the first values are defined, perhaps none; an output whose table states when it is
 * undefined may be NaN. */
static void check_value(const batch *b, size_t i, int o, bool defined) {
    const imp_output *output = &b->theory->outputs[o];
    size_t length = batch_length(b, o);
    for (size_t k = 0; k < length; k++) {
        double value = b->out[o][i * length + k];
        bool real = output->kind == IMP_REAL;
        bool absent = real ? isnan(value) : value == 0;
        bool good = defined ? (real ? isfinite(value) : value > 0) : absent;
        if (output->dimension && defined && absent) {
            defined = false;
            good = true;
        }
        good |= output->undefined_when && real && defined && absent;
        CHECK(good, "%s %s is %g: %s", b->theory->name, output->name, value, batch_text(b, i));
    }
}

/* The outcome and the mode of any cell have names. */
static void check_cell(const batch *b, size_t i) {
    bool solved = b->outcome[i] == IMP_SOLVED;
    int mode_output = imp_output_index(b->solver, "mode");
    int mode = mode_output < 0 ? 0 : (int)b->out[mode_output][i];
    CHECK(imp_outcome_name(b->outcome[i]) && b->outcome[i] != IMP_PENDING, "%s", batch_text(b, i));
    CHECK(imp_mode_name(b->theory, mode), "mode %d: %s", mode, batch_text(b, i));
    CHECK(mode_output < 0 || (mode != 0) == solved, "mode %d: %s", mode, batch_text(b, i));
    for (int o = 0; o < b->theory->n_outputs; o++) {
        const imp_output *output = &b->theory->outputs[o];
        bool exists = imp_output_index(b->solver, output->name) >= 0;
        check_value(b, i, o, exists && solved && !(output->undefined_in >> mode & 1));
    }
}

static void check_example(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, 1);
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        b.in[p][0] = imp_input_at(b.solver, p)->example;
    }
    batch_solve(&b);
    CHECK(b.outcome[0] == IMP_SOLVED, "%s %s: %s", theory->name, choices, batch_text(&b, 0));
    check_cell(&b, 0);
    batch_close(&b);
}

static void examples(void) {
    every_choice(check_example);
}

/* ---- corners of the parameter box ---- */

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

/* Small budgets, because a corner may spend all of its budget. */
enum { CORNERS = 2048, MOST_VALUES = 32, BUDGET = 2000, SLOW_CORNERS = 220, SLOW_BUDGET = 600 };

static int64_t budget_of(const imp_theory *theory) {
    return theory->needs_petsc ? SLOW_BUDGET : BUDGET;
}

/* Each corner value alone, with all other parameters at their examples; then random combinations. */
static void fill_corners(const batch *b, random_source *source) {
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

static void check_corners(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, theory->needs_petsc ? SLOW_CORNERS : CORNERS);
    random_source source = {31};
    fill_corners(&b, &source);
    imp_set_budget(b.solver, budget_of(theory));
    batch_solve(&b);
    int solved = 0;
    for (size_t i = 0; i < b.n; i++) {
        check_cell(&b, i);
        solved += b.outcome[i] == IMP_SOLVED;
    }
    CHECK(solved > 0, "%s %s: no corner is solved", theory->name, choices);
    batch_close(&b);
}

static void corners(void) {
    every_choice(check_corners);
}

/* ---- the same bits in any order, alone, and with any outputs ---- */

enum { CELLS = 300, SLOW_CELLS = 5 };

static size_t cells_of(const imp_theory *theory) {
    return theory->needs_petsc ? SLOW_CELLS : CELLS;
}

/* Ordinary values around the example, so that every mode is likely to occur, and some corners. */
static void fill_ordinary(const batch *b, random_source *source) {
    fill_corners(b, source);
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

/* Checks cell i of b against cell k of other, in the outputs that other was asked for. */
static void check_same(const batch *b, size_t i, const batch *other, size_t k, double *const *out,
                       const char *how) {
    CHECK(b->outcome[i] == other->outcome[k], "outcome %s, %s: %s",
          imp_outcome_name(other->outcome[k]), how, batch_text(b, i));
    for (int o = 0; o < b->theory->n_outputs; o++) {
        size_t length = batch_length(b, o);
        for (size_t v = 0; out[o] && v < length; v++) {
            double one = b->out[o][i * length + v], two = out[o][k * length + v];
            CHECK(batch_same(one, two), "%s %.17g instead of %.17g, %s: %s",
                  b->theory->outputs[o].name, two, one, how, batch_text(b, i));
        }
    }
}

static void check_reversed(const batch *b, const batch *other) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        for (size_t i = 0; i < b->n; i++) {
            other->in[p][b->n - 1 - i] = b->in[p][i];
        }
    }
    batch_solve(other);
    for (size_t i = 0; i < b->n; i++) {
        check_same(b, i, other, b->n - 1 - i, other->out, "in reverse order");
    }
}

static void check_alone(const batch *b, const batch *other) {
    const double *in[IMP_MAX_PARAMETERS];
    for (size_t i = 0; i < b->n; i++) {
        batch_inputs(b, i, in);
        imp_solve(other->solver, 1, in, other->out, other->outcome);
        check_same(b, i, other, 0, other->out, "alone");
    }
}

static void check_one_output(const batch *b, const batch *other) {
    const double *in[IMP_MAX_PARAMETERS];
    batch_inputs(b, 0, in);
    for (int wanted = -1; wanted < b->theory->n_outputs; wanted++) {
        double *out[IMP_MAX_OUTPUTS] = {0};
        if (wanted >= 0) {
            out[wanted] = other->out[wanted];
        }
        imp_solve(b->solver, b->n, in, out, other->outcome);
        for (size_t i = 0; i < b->n; i++) {
            check_same(b, i, other, i, out, "one output only");
        }
    }
}

static void check_all_ways(const batch *b, const batch *other, int64_t budget) {
    imp_set_budget(b->solver, budget);
    imp_set_budget(other->solver, budget);
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        memcpy(other->in[p], b->in[p], b->n * sizeof(double));
    }
    batch_solve(b);
    batch_solve(other);
    for (size_t i = 0; i < b->n; i++) {
        check_same(b, i, other, i, other->out, "again");
    }
    check_reversed(b, other);
    check_alone(b, other);
    check_one_output(b, other);
}

/* Also with budgets that hardly suffice: the wanted outputs must not decide which cells run out. */
static void check_bits(const imp_theory *theory, const char *choices) {
    const int64_t budgets[] = {budget_of(theory), 4, 1};
    batch b = batch_open(theory->name, choices, cells_of(theory));
    batch other = batch_open(theory->name, choices, cells_of(theory));
    random_source source = {32};
    fill_ordinary(&b, &source);
    for (int i = 0; i < SUITE_COUNT(budgets); i++) {
        check_all_ways(&b, &other, budgets[i]);
    }
    batch_close(&b);
    batch_close(&other);
}

static void same_bits(void) {
    every_choice(check_bits);
}

/* ---- parameters that stand for others ---- */

/* Cells with values of a stand-in over its range have the bits of cells with the parameter that it stands for. A
 * value outside its own range is outside, whatever value it leads to. */
static void check_converted(const imp_theory *theory, const char *choices, int p) {
    batch direct = batch_open(theory->name, choices, CELLS);
    batch stood = batch_open(theory->name, choices, CELLS);
    const imp_parameter *parameter = imp_input_at(direct.solver, p);
    random_source source = {33};
    fill_ordinary(&direct, &source);
    batch_stand_in(&stood, parameter->name);
    double *values = batch_in(&stood, parameter->name);
    for (int q = 0; q < imp_input_count(direct.solver); q++) {
        memcpy(stood.in[q], direct.in[q], CELLS * sizeof(double));
    }
    for (size_t i = 0; i < CELLS; i++) {
        double beyond = parameter->high + (double)i;
        values[i] = imp_parameter_admits(parameter, values[i]) ? values[i] : parameter->example;
        values[i] = i % 50 == 0 && isfinite(beyond) ? beyond : values[i];
        batch_in(&direct, parameter->stands_for)[i] = parameter->converted(values[i]);
    }
    imp_set_budget(direct.solver, BUDGET);
    imp_set_budget(stood.solver, BUDGET);
    batch_solve(&direct);
    batch_solve(&stood);
    for (size_t i = 0; i < CELLS; i++) {
        if (imp_parameter_admits(parameter, values[i])) {
            check_same(&direct, i, &stood, i, stood.out, parameter->name);
        } else {
            CHECK(stood.outcome[i] == IMP_OUTSIDE, "%s", batch_text(&stood, i));
        }
    }
    batch_close(&direct);
    batch_close(&stood);
}

/* To give neither or both is refused, with a message that names them. */
static void check_exactly_one(const imp_theory *theory, const char *choices, int p) {
    batch b = batch_open(theory->name, choices, 1);
    const imp_parameter *parameter = imp_input_at(b.solver, p);
    int target = imp_input(b.solver, parameter->stands_for);
    bool optional = !isnan(imp_input_at(b.solver, target)->fallback);
    const double *in[IMP_MAX_PARAMETERS];
    batch_inputs(&b, 0, in);
    in[p] = b.in[p];
    CHECK(imp_solve(b.solver, 1, in, b.out, b.outcome) == IMP_ERR_INPUT, "%s and %s",
          parameter->name, parameter->stands_for);
    CHECK(strstr(imp_last_error(), parameter->name) && strstr(imp_last_error(), "one of them"),
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
            check_converted(theory, choices, p);
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

/* ---- histories ---- */

enum { SAMPLES = 41, MOST_ROWS = 4000, MOST_HISTORY = 24 };

/* The rows of a history in their order. */
typedef struct record {
    imp_recorder recorder;
    int n_columns, n, samples;
    double values[MOST_ROWS][MOST_HISTORY];
    int phases[MOST_ROWS], events[MOST_ROWS];
} record;

static void take_row(imp_recorder *recorder, const double *row, int phase, int event) {
    record *r = (record *)recorder;
    CHECK(r->n < MOST_ROWS, "more than %d rows", MOST_ROWS);
    if (r->n < MOST_ROWS) {
        memcpy(r->values[r->n], row, (size_t)r->n_columns * sizeof *row);
        r->phases[r->n] = phase;
        r->events[r->n] = event;
        r->samples += event == 0;
        r->n++;
    }
}

static bool is_code(const imp_mode *modes, int n, int code) {
    for (int i = 0; i < n; i++) {
        if (modes[i].code == code) {
            return true;
        }
    }
    return false;
}

/* Values of the cells that fill_ordinary makes, as imp_trace takes them. */
static imp_err trace_cell(const batch *b, size_t i, record *r, imp_outcome *outcome) {
    double value[IMP_MAX_PARAMETERS];
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        value[p] = b->left[p] ? NAN : b->in[p][i];
    }
    *r = (record){.recorder = {SAMPLES, take_row}, .n_columns = b->theory->history->n_columns};
    return imp_trace(b->solver, value, &r->recorder, outcome);
}

static void check_row(const batch *b, size_t i, const record *r, int k) {
    const imp_history *history = b->theory->history;
    for (int c = 0; c < r->n_columns; c++) {
        CHECK(isfinite(r->values[k][c]), "%s in row %d: %s", history->columns[c].name, k,
              batch_text(b, i));
    }
    CHECK(r->phases[k] == 0 || is_code(history->phases, history->n_phases, r->phases[k]),
          "phase %d: %s", r->phases[k], batch_text(b, i));
    CHECK(r->events[k] == 0 || is_code(history->events, history->n_events, r->events[k]),
          "event %d: %s", r->events[k], batch_text(b, i));
    CHECK(k == 0 || r->values[k][0] >= r->values[k - 1][0], "row %d is earlier: %s", k,
          batch_text(b, i));
}

/* A solved cell has every sample, evenly spaced from the first row to the last. */
static void check_samples(const batch *b, size_t i, const record *r) {
    double first = r->values[0][0], last = r->values[r->n - 1][0];
    CHECK(r->samples == SAMPLES, "%d samples: %s", r->samples, batch_text(b, i));
    for (int k = 0, sample = 0; k < r->n; k++) {
        if (r->events[k] == 0) {
            double expected = first + (last - first) * sample / (SAMPLES - 1);
            CHECK_NEAR(r->values[k][0], expected, 1e-9 * (last - first), "sample %d of %s", sample,
                       batch_text(b, i));
            sample++;
        }
    }
}

static void check_history(const batch *b, size_t i) {
    static record one, again;
    imp_outcome outcome, repeated;
    if (trace_cell(b, i, &one, &outcome) || trace_cell(b, i, &again, &repeated)) {
        CHECK(b->outcome[i] == IMP_OUTSIDE, "'%s': %s", imp_last_error(), batch_text(b, i));
        return; /* a value outside its range is an error here, and a cell `outside` in a batch */
    }
    CHECK(outcome == (imp_outcome)b->outcome[i], "%s as a history: %s",
          imp_outcome_name((int)outcome), batch_text(b, i));
    CHECK(one.n == again.n && repeated == outcome &&
              memcmp(one.values, again.values, sizeof one.values) == 0,
          "traced twice: %s", batch_text(b, i));
    for (int k = 0; k < one.n; k++) {
        check_row(b, i, &one, k);
    }
    if (outcome == IMP_SOLVED && one.n > 0) {
        check_samples(b, i, &one);
    }
    CHECK(outcome != IMP_SOLVED || one.n >= SAMPLES, "%d rows: %s", one.n, batch_text(b, i));
}

static void check_columns(const imp_theory *theory) {
    const imp_history *history = theory->history;
    CHECK(history->n_columns >= 1 && history->n_columns <= MOST_HISTORY, "%s: %d columns",
          theory->name, history->n_columns);
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        CHECK(column->name[0] && column->unit[0] && column->meaning[0], "%s: column %d",
              theory->name, c);
        CHECK(column->kind == IMP_REAL && !column->dimension, "%s: %s", theory->name, column->name);
        CHECK(strcmp(column->name, "phase") != 0 && strcmp(column->name, "event") != 0,
              "%s: the column %s is there already", theory->name, column->name);
        for (int k = 0; k < c; k++) {
            CHECK(strcmp(column->name, history->columns[k].name) != 0, "%s: %s twice", theory->name,
                  column->name);
        }
    }
}

static void check_histories(const imp_theory *theory, const char *choices) {
    CHECK(!theory->history == !theory->trace, "%s: half a history", theory->name);
    if (!theory->history || !theory->trace) {
        return;
    }
    check_columns(theory);
    batch b = batch_open(theory->name, choices, cells_of(theory));
    random_source source = {34};
    fill_ordinary(&b, &source);
    imp_set_budget(b.solver, budget_of(theory));
    batch_solve(&b);
    for (size_t i = 0; i < b.n && i < 100; i++) {
        check_history(&b, i);
    }
    batch_close(&b);
}

static void histories(void) {
    every_choice(check_histories);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(tables),    SUITE_TEST(examples),
                                       SUITE_TEST(corners),   SUITE_TEST(same_bits),
                                       SUITE_TEST(stand_ins), SUITE_TEST(histories)};
    return suite_run("contract", tests, SUITE_COUNT(tests));
}
