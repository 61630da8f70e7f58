/* Other units of mass, stiffness and speed, for every theory that has them: a dimensionless output keeps its
 * bits, and an output with a unit follows the unit. The factors are powers of 4, by which doubles are multiplied
 * without rounding; only the factor of time may round, where it is no such power. */
#include <math.h>
#include <string.h>

#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 400 };

/* Factors of mass, stiffness and speed, and of the time that follows from them. */
typedef struct scales {
    double mass, stiffness, speed, time;
} scales;

/* Units of outputs and parameters as powers of mass, speed and time. */
typedef struct dimension {
    const char *unit;
    int mass, speed, time;
} dimension;

static const dimension dimensions[] = {{"1", 0, 0, 0},    {"rad", 0, 0, 0},    {"s", 0, 0, 1},
                                       {"m", 0, 1, 1},    {"m/s", 0, 1, 0},    {"s/m", 0, -1, 0},
                                       {"N s", 1, 1, 0},  {"N", 1, 1, -1},     {"J", 1, 2, 0},
                                       {"1/s", 0, 0, -1}, {"rad/s", 0, 0, -1}, {"1/kg", -1, 0, 0}};

static const dimension *dimension_of(const char *unit) {
    for (int i = 0; i < SUITE_COUNT(dimensions); i++) {
        if (strcmp(dimensions[i].unit, unit) == 0) {
            return &dimensions[i];
        }
    }
    return NULL;
}

static double factor_of(const dimension *d, const scales *by) {
    return pow(by->mass, d->mass) * pow(by->speed, d->speed) * pow(by->time, d->time);
}

static bool is_unit_parameter(const imp_theory *theory, const char *name) {
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        if (strcmp(theory->unit_parameters[u], name) == 0) {
            return true;
        }
    }
    return false;
}

static double *find_in(const batch *b, const char *name) {
    int p = imp_input(b->solver, name);
    return p < 0 ? NULL : b->in[p];
}

/* Whether mass, normal_stiffness and normal_speed are the only unit parameters. */
static bool has_these_units(const imp_theory *theory) {
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        const char *name = theory->unit_parameters[u];
        if (strcmp(name, "mass") != 0 && strcmp(name, "normal_stiffness") != 0 &&
            strcmp(name, "normal_speed") != 0) {
            return false;
        }
    }
    return theory->n_unit_parameters > 0;
}

/* The factor of time follows from the stiffness: F = K d yields T^2 = M / K, F = K d^1.5 yields
 * T^2.5 = M / (K sqrt(V)). Without a stiffness it follows from the lengths of the body, which stay. */
static double time_factor(const batch *b, const scales *by) {
    int p = imp_input(b->solver, "normal_stiffness");
    if (p < 0) {
        return 1 / by->speed;
    }
    const char *unit = imp_input_at(b->solver, p)->unit;
    bool linear = strcmp(unit, "N/m") == 0;
    CHECK(linear || strcmp(unit, "N/m^1.5") == 0, "%s: stiffness in %s", b->theory->name, unit);
    return linear ? sqrt(by->mass / by->stiffness)
                  : pow(by->mass / (by->stiffness * sqrt(by->speed)), 0.4);
}

static void multiply(double *values, double factor) {
    for (size_t i = 0; values && i < CELLS; i++) {
        values[i] *= factor;
    }
}

/* Values around the example for all parameters but those of units. Lengths of the body are left alone, because
 * only their ratio counts; so is B, which contains the mass. */
static void fill(const batch *b, random_source *source) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        const imp_parameter *parameter = imp_input_at(b->solver, p);
        bool unit = is_unit_parameter(b->theory, parameter->name);
        for (size_t i = 0; i < CELLS; i++) {
            double value = parameter->example * random_between(source, 0.3, 1.7);
            bool good = !unit && imp_parameter_admits(parameter, value);
            b->in[p][i] = good ? value : parameter->example;
        }
    }
}

static void scale_inputs(const batch *b, const scales *by) {
    multiply(find_in(b, "mass"), by->mass);
    multiply(find_in(b, "normal_stiffness"), by->stiffness);
    multiply(find_in(b, "normal_speed"), by->speed);
    multiply(find_in(b, "damping"), 1 / by->speed);
    multiply(find_in(b, "w1"), by->speed); /* the speed of a double pendulum */
    multiply(find_in(b, "w2"), by->speed);
}

static void check_output(const batch *before, const batch *after, int o, const scales *by) {
    const imp_output *output = &before->theory->outputs[o];
    const dimension *d = dimension_of(output->unit);
    CHECK(d, "%s: %s is in %s, which this test does not know", before->theory->name, output->name,
          output->unit);
    if (!d || imp_output_index(before->solver, output->name) < 0) {
        return;
    }
    double factor = factor_of(d, by), tolerance = d->time == 0 ? 0 : 4e-15;
    size_t length = imp_output_length(output);
    for (size_t i = 0; i < CELLS * length; i++) {
        double expected = before->out[o][i] * factor, found = after->out[o][i];
        if (isnan(expected)) {
            CHECK(isnan(found), "%s: %s", output->name, batch_text(after, i / length));
        } else {
            CHECK_NEAR(found, expected, tolerance * fabs(expected), "%s of %s", output->name,
                       batch_text(after, i / length));
        }
    }
}

static int solved_cells;

static void check_units(const imp_theory *theory, const char *choices) {
    static const scales tried[] = {{64, 0.25, 4, 0}, {0.0625, 4096, 0.25, 0}, {1, 1, 1024, 0}};
    if (!has_these_units(theory)) {
        return;
    }
    for (int k = 0; k < SUITE_COUNT(tried); k++) {
        batch before = batch_open(theory->name, choices, CELLS);
        batch after = batch_open(theory->name, choices, CELLS);
        random_source first = {61}, same = {61};
        scales by = tried[k];
        by.mass = find_in(&before, "mass") ? by.mass : 1;
        by.time = time_factor(&before, &by);
        fill(&before, &first);
        fill(&after, &same);
        scale_inputs(&after, &by);
        batch_solve(&before);
        batch_solve(&after);
        for (size_t i = 0; i < CELLS; i++) {
            CHECK(before.outcome[i] == after.outcome[i], "%s", batch_text(&after, i));
            solved_cells += before.outcome[i] == IMP_SOLVED;
        }
        for (int o = 0; o < theory->n_outputs; o++) {
            check_output(&before, &after, o, &by);
        }
        batch_close(&before);
        batch_close(&after);
    }
}

static void units(void) {
    solved_cells = 0;
    every_choice(check_units);
    CHECK(solved_cells > 1000, "only %d cells are solved", solved_cells);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(units)};
    return suite_run("units", tests, SUITE_COUNT(tests));
}
