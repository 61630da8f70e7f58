/* Other units of mass, stiffness and speed, for every theory that has them: a dimensionless output
 * keeps its bits, and an output with a unit follows the unit. The factors are powers of 4, by which
 * doubles are multiplied without rounding; only the factor of time may round, where it is no such
 * power. */
#include <math.h>
#include <stdlib.h>
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

/* A unit as powers of mass, length and time. */
typedef struct dimension {
    double mass, length, time;
} dimension;

static const struct {
    const char *name;
    dimension of;
} symbols[] = {
    {"1", {0, 0, 0}},  {"rad", {0, 0, 0}}, {"kg", {1, 0, 0}}, {"m", {0, 1, 0}},    {"s", {0, 0, 1}},
    {"N", {1, 1, -2}}, {"J", {1, 2, -2}},  {"W", {1, 2, -3}}, {"Pa", {1, -1, -2}},
};

static bool add_symbol(dimension *sum, const char *name, size_t length, double power) {
    for (int i = 0; i < SUITE_COUNT(symbols); i++) {
        if (strlen(symbols[i].name) == length && strncmp(symbols[i].name, name, length) == 0) {
            sum->mass += power * symbols[i].of.mass;
            sum->length += power * symbols[i].of.length;
            sum->time += power * symbols[i].of.time;
            return true;
        }
    }
    return false;
}

/* Reads units like "N s", "1/kg" and "N/m^1.5". Returns whether all symbols are known. */
static bool dimension_of(const char *unit, dimension *d) {
    double sense = 1;
    *d = (dimension){0, 0, 0};
    for (const char *at = unit; *at;) {
        size_t length = strcspn(at, " /^");
        const char *symbol = at;
        double power = 1;
        at += length;
        if (*at == '^') {
            char *end;
            power = strtod(at + 1, &end);
            at = end;
        }
        if (!add_symbol(d, symbol, length, sense * power)) {
            return false;
        }
        sense = *at == '/' ? -1 : sense;
        at += *at != 0;
    }
    return true;
}

static double factor_of(const dimension *d, const scales *by) {
    return pow(by->mass, d->mass) * pow(by->speed, d->length) * pow(by->time, d->length + d->time);
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

/* The factor of time follows from the stiffness: F = K d^p yields T^(p+1) = M V^(1-p) / K. Without
 * a stiffness it follows from the lengths of the body, which stay. */
static double time_factor(const batch *b, const scales *by) {
    int at = imp_input(b->solver, "normal_stiffness");
    dimension d;
    if (at < 0) {
        return 1 / by->speed;
    }
    CHECK(dimension_of(imp_input_at(b->solver, at)->unit, &d) && d.mass == 1 && d.time == -2,
          "%s: stiffness in %s", b->theory->name, imp_input_at(b->solver, at)->unit);
    double p = 1 - d.length;
    return pow(by->mass * pow(by->speed, 1 - p) / by->stiffness, 1 / (p + 1));
}

/* Values around the example for all parameters but those of units. Lengths of the body are left
 * alone, because only their ratio counts; so is B, which contains the mass. */
static void fill(const batch *b, random_source *source) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        const imp_parameter *parameter = imp_input_at(b->solver, p);
        bool unit = is_unit_parameter(b->theory, parameter->name);
        for (size_t i = 0; i < CELLS; i++) {
            double value = parameter->example * random_between(source, 0.3, 1.7);
            value = strcmp(parameter->name, "initial_spin") == 0 ? random_between(source, -2, 2)
                                                                 : value;
            bool good = !unit && imp_parameter_admits(parameter, value);
            b->in[p][i] = good ? value : parameter->example;
        }
    }
}

/* The factor of a parameter. Lengths stay, and so times follow from speeds. */
static double factor_of_input(const batch *b, const imp_parameter *parameter, const scales *by) {
    dimension d;
    bool known = dimension_of(parameter->unit, &d);
    if (strcmp(parameter->name, "normal_stiffness") == 0) {
        return by->stiffness;
    }
    CHECK(known, "%s: %s is in %s, which this test does not know", b->theory->name, parameter->name,
          parameter->unit);
    return pow(by->mass, d.mass) * pow(by->speed, -d.time);
}

static void scale_inputs(const batch *b, const scales *by) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        double factor = factor_of_input(b, imp_input_at(b->solver, p), by);
        for (size_t i = 0; i < CELLS; i++) {
            b->in[p][i] *= factor;
        }
    }
}

static void check_output(const batch *before, const batch *after, int o, const scales *by) {
    const imp_output *output = &before->theory->outputs[o];
    dimension d;
    bool known = dimension_of(output->unit, &d);
    CHECK(known, "%s: %s is in %s, which this test does not know", before->theory->name,
          output->name, output->unit);
    if (!known || imp_output_index(before->solver, output->name) < 0) {
        return;
    }
    if (strcmp(output->unit, "rad/s") == 0) {
        d.length = 1; /* a speed over a length of the body, which stays */
    }
    double factor = factor_of(&d, by), tolerance = d.length + d.time == 0 ? 0 : 4e-15;
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
        BATCH_SOLVE(&before, &after);
        for (size_t i = 0; i < CELLS; i++) {
            CHECK_CELL(&after, i, before.outcome[i] == after.outcome[i]);
            solved_cells += before.outcome[i] == IMP_SOLVED;
        }
        for (int o = 0; o < theory->n_outputs; o++) {
            check_output(&before, &after, o, &by);
        }
        BATCH_CLOSE(&before, &after);
    }
}

static void units(void) {
    solved_cells = 0;
    every_choice(check_units);
    CHECK(solved_cells > 1000, "only %d cells are solved", solved_cells);
}

SUITE("units", units)
