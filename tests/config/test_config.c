/* Configs and words: the meaning of good ones. */
#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"
#include "solve/search/search.h"
#include "support/pi.h"
#include "support/reading.h"
#include "support/suite.h"

static void expect_values(const imp_axis *axis, int column, const double *expected, int n) {
    CU_ASSERT_EQUAL_FATAL(axis->size, n);
    for (int i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(axis->columns[column].values[i], expected[i]);
    }
}

static double fixed_value(const imp_sweep *sweep, const char *name) {
    int index = imp_sweep_find_fixed(sweep, name);
    return index < 0 ? NAN : sweep->fixed[index].value;
}

static void fixed_values(void) {
    static const char *const names[] = {"friction", "stiffness_ratio",  "normal_speed",
                                        "mass",     "radius",           "angle",
                                        "length",   "normal_stiffness", "restitution"};
    static const double values[] = {0.3, 1.21, 2.5, 1, 0, 0.5, 1, 1, 1};
    static const bool given[] = {true, true, true, false, false, true, false, false, false};
    reading r = expect_good(read_text(
        PENDULUM
        "fixed: {angle: 0.5 rad, normal_speed: 2.5, friction: 0.3, stiffness_ratio: +1.21}\n"));
    const imp_sweep *s = &r.sweep;
    CU_ASSERT_PTR_EQUAL(s->theory, imp_theory_find("compliant"));
    CU_ASSERT_EQUAL(s->chosen[0], 3); /* pendulum in bodies.def */
    CU_ASSERT_EQUAL(s->chosen[1], 0); /* linear, by default */
    CU_ASSERT_EQUAL(imp_grid_cells(&s->grid), 1);
    CU_ASSERT_FALSE(s->single);
    CU_ASSERT_EQUAL_FATAL(s->n_fixed, 9);
    for (int i = 0; i < 9; i++) {
        CU_ASSERT_STRING_EQUAL(s->fixed[i].parameter->name, names[i]);
        CU_ASSERT_EQUAL(s->fixed[i].value, values[i]);
        CU_ASSERT_EQUAL(s->fixed[i].given, given[i]);
    }
    /* The descriptor is that of the pendulum, whose angle excludes 0. */
    CU_ASSERT_EQUAL(s->fixed[4].parameter->low, 0);
    reading_free(&r);
}

/* All outputs of the theory but the energy loss and the motion of a free body, and the losses of
 * dashpots. */
static void all_outputs(void) {
    const imp_theory *theory = imp_theory_find("compliant");
    static const char *const absent[] = {
        "body_energy_loss",   "body_velocity_t", "body_velocity_n", "angular_velocity",
        "angular_velocity_2", "normal_loss",     "tangential_loss"};
    reading r = expect_good(read_text(PENDULUM "axes: []\n" REST));
    CU_ASSERT_EQUAL_FATAL(r.sweep.n_outputs, theory->n_outputs - SUITE_COUNT(absent));
    for (int o = 0; o < r.sweep.n_outputs; o++) {
        CU_ASSERT_TRUE(o == 0 || r.sweep.outputs[o] > r.sweep.outputs[o - 1]);
        for (int f = 0; f < SUITE_COUNT(absent); f++) {
            CU_ASSERT_NOT_EQUAL(r.sweep.outputs[o], imp_theory_output(theory, absent[f]));
        }
    }
    reading_free(&r);
    r = expect_good(read_text("model: compliant\naxes: [{param: body, values: [pendulum, rod]}]\n"
                              "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21, "
                              "velocity_ratio: 1}\n"));
    CU_ASSERT_EQUAL(r.sweep.n_outputs, theory->n_outputs - 3);
    reading_free(&r);
}

static void chosen_outputs(void) {
    reading r = expect_good(read_text(PENDULUM REST "outputs:\n- residual\n- \"mode\"\n"
                                                    "- kinetic_restitution\nprecision: float32\n"));
    CU_ASSERT_EQUAL_FATAL(r.sweep.n_outputs, 3);
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->outputs[r.sweep.outputs[0]].name, "mode");
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->outputs[r.sweep.outputs[1]].name, "kinetic_restitution");
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->outputs[r.sweep.outputs[2]].name, "residual");
    CU_ASSERT(r.sweep.single);
    reading_free(&r);
}

static void linear_axes(void) {
    static const double rising[] = {0, 0.25, 0.5, 0.75, 1}, falling[] = {2, 1.5, 1}, one[] = {7};
    reading r =
        expect_good(read_text(PENDULUM "axes:\n  - {param: friction, from: 0, to: 1, points: 5}\n"
                                       "  - {param: stiffness_ratio, from: 2, to: 1, points: 3,\n"
                                       "     spacing: linear}\n"
                                       "  - {param: mass, from: 7, to: 7, points: 1}\n"
                                       "fixed: {angle: 0.5}\n"));
    const imp_grid *grid = &r.sweep.grid;
    CU_ASSERT_EQUAL_FATAL(grid->n_axes, 3);
    CU_ASSERT_STRING_EQUAL(grid->axes[0].name, "friction");
    CU_ASSERT_STRING_EQUAL(grid->axes[1].name, "stiffness_ratio");
    CU_ASSERT_STRING_EQUAL(grid->axes[2].columns[0].name, "mass");
    CU_ASSERT_EQUAL(grid->axes[0].n_columns, 1);
    CU_ASSERT_EQUAL(grid->axes[0].columns[0].choice, -1);
    expect_values(&grid->axes[0], 0, rising, 5);
    expect_values(&grid->axes[1], 0, falling, 3);
    expect_values(&grid->axes[2], 0, one, 1);
    CU_ASSERT_EQUAL(imp_sweep_find_fixed(&r.sweep, "mass"), -1);
    CU_ASSERT_EQUAL(r.sweep.n_fixed, 6); /* angle, and five defaults */
    reading_free(&r);
}

static void log_axes(void) {
    reading r = expect_good(
        read_text(ROD "axes:\n  - {param: friction, from: 1, to: 100, points: 3, spacing: log}\n"
                      "  - {param: velocity_ratio, from: -8, to: -1, points: 4, spacing: log}\n"
                      "fixed: {angle: 0.5, stiffness_ratio: 1}\n"));
    const double *friction = r.sweep.grid.axes[0].columns[0].values;
    const double *velocity = r.sweep.grid.axes[1].columns[0].values;
    CU_ASSERT_EQUAL_FATAL(r.sweep.grid.axes[0].size, 3);
    CU_ASSERT_EQUAL_FATAL(r.sweep.grid.axes[1].size, 4);
    CU_ASSERT_EQUAL(friction[0], 1);
    CU_ASSERT_DOUBLE_EQUAL(friction[1], 10, 1e-13);
    CU_ASSERT_EQUAL(friction[2], 100);
    CU_ASSERT_DOUBLE_EQUAL(velocity[1], -4, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(velocity[2], -2, 1e-13);
    CU_ASSERT_EQUAL(velocity[3], -1);
    reading_free(&r);
}

static double angle_of_word(const char *word) {
    const char *words[] = {"body=rod", "friction=0", "stiffness_ratio=1", "velocity_ratio=1", word};
    reading r = expect_good(read_words("compliant", words, 5));
    double value = fixed_value(&r.sweep, "angle");
    reading_free(&r);
    return value;
}

/* An axis in degrees is laid out in degrees: 30 deg on an axis, in a list, in a table and alone
 * have the same bits. */
static void degrees(void) {
    double thirty = angle_of_word("angle=30deg"), ninety = angle_of_word("angle=90 deg");
    CU_ASSERT_DOUBLE_EQUAL(thirty, pi / 6, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ninety, pi / 2, 1e-15);
    reading r =
        expect_good(read_text(ROD "axes: [{param: angle, from: -90 deg, to: 90deg, points: 181}]\n"
                                  "fixed: {friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n"));
    const double *values = r.sweep.grid.axes[0].columns[0].values;
    CU_ASSERT_EQUAL(values[0], -ninety);
    CU_ASSERT_EQUAL(values[90], 0);
    CU_ASSERT_EQUAL(values[120], thirty);
    CU_ASSERT_EQUAL(values[180], ninety);
    reading_free(&r);
    /* Every whole degree is exact; even steps in radians would miss some of them by a bit. */
    r = expect_good(read_text(PENDULUM "axes: [{param: angle, from: 1deg, to: 65deg, points: 65}]\n"
                                       "fixed: {friction: 0, stiffness_ratio: 1}\n"));
    values = r.sweep.grid.axes[0].columns[0].values;
    for (int i = 0; i < 65; i++) {
        char word[32];
        snprintf(word, sizeof word, "angle=%ddeg", i + 1);
        CU_ASSERT_EQUAL(values[i], angle_of_word(word));
    }
    reading_free(&r);
}

static void mixed_units(void) {
    const double ninety = angle_of_word("angle=90deg");
    const double list[] = {0.25, angle_of_word("angle=30deg"), -0.5};
    reading r =
        expect_good(read_text(ROD "axes: [{param: angle, from: 0.5, to: 90deg, points: 3}]\n"
                                  "fixed: {friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n"));
    const double expected[] = {0.5, (0.5 + ninety) / 2, ninety};
    expect_values(&r.sweep.grid.axes[0], 0, expected, 3);
    reading_free(&r);
    r = expect_good(read_text(ROD "axes: [{param: angle, values: [0.25, 30 deg, -0.5rad]}]\n"
                                  "fixed: {friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n"));
    expect_values(&r.sweep.grid.axes[0], 0, list, 3);
    reading_free(&r);
}

static void choice_axis(void) {
    static const double bodies[] = {3, 0, 2}; /* in bodies.def: pendulum, sphere, general */
    reading r = expect_good(read_text(
        "model: compliant\naxes:\n  - {param: body, values: [pendulum, sphere, general]}\n"
        "fixed: {friction: 0.3, stiffness_ratio: 1.21, angle: -0.5, velocity_ratio: 1,\n"
        "        inertia_coupling: 0.5, radius: 1}\n"));
    const imp_sweep *s = &r.sweep;
    CU_ASSERT_EQUAL(s->chosen[0], -1);
    CU_ASSERT_EQUAL(s->chosen[1], 0);
    CU_ASSERT_STRING_EQUAL(s->grid.axes[0].name, "body");
    CU_ASSERT_EQUAL(s->grid.axes[0].columns[0].choice, 0);
    expect_values(&s->grid.axes[0], 0, bodies, 3);
    /* -0.5 is no angle of a pendulum, but one of a general body. */
    CU_ASSERT_EQUAL(fixed_value(s, "angle"), -0.5);
    reading_free(&r);
}

static void table_axis(void) {
    const double thirty = angle_of_word("angle=30deg"), sixty = angle_of_word("angle=60deg");
    const double angles[] = {thirty, sixty, thirty}, frictions[] = {0.25, 0.5, 0.25};
    const double bodies[] = {3, 1, 3};
    reading r = expect_good(
        read_file((text_file){"good/x.yaml",
                              "model: compliant\naxes:\n  - {table: cases.csv, name: case}\n"
                              "  - {table: /far/mass.csv, name: mass}\n"
                              "fixed: {stiffness_ratio: 1.21, velocity_ratio: 1}\n",
                              0},
                  NULL, 0));
    const imp_axis *axis = &r.sweep.grid.axes[0];
    CU_ASSERT_EQUAL_FATAL(r.sweep.grid.n_axes, 2);
    CU_ASSERT_STRING_EQUAL(axis->name, "case");
    CU_ASSERT_EQUAL_FATAL(axis->n_columns, 3);
    CU_ASSERT_STRING_EQUAL(axis->columns[0].name, "angle");
    CU_ASSERT_STRING_EQUAL(axis->columns[1].name, "friction");
    CU_ASSERT_STRING_EQUAL(axis->columns[2].name, "body");
    CU_ASSERT_EQUAL(axis->columns[1].choice, -1);
    CU_ASSERT_EQUAL(axis->columns[2].choice, 0);
    expect_values(axis, 0, angles, 3);
    expect_values(axis, 1, frictions, 3);
    expect_values(axis, 2, bodies, 3);
    CU_ASSERT_EQUAL(r.sweep.chosen[0], -1);
    CU_ASSERT_STRING_EQUAL(r.sweep.grid.axes[1].name, "mass");
    CU_ASSERT_EQUAL(r.sweep.grid.axes[1].columns[0].values[0], 2);
    reading_free(&r);
}

static void table_units(void) {
    const double angles[] = {0.25, angle_of_word("angle=30deg"), 0.25};
    reading r = expect_good(
        read_file((text_file){"good/x.yaml",
                              PENDULUM "axes: [{table: angles.csv, name: angle}]\n" NO_ANGLE, 0},
                  NULL, 0));
    CU_ASSERT_STRING_EQUAL(r.sweep.grid.axes[0].name, "angle");
    expect_values(&r.sweep.grid.axes[0], 0, angles, 3);
    reading_free(&r);
}

static void overrides_replace(void) {
    static const char *const overrides[] = {"friction=0.7", "precision=float32", "body=rod",
                                            "mass=3", "velocity_ratio=-1"};
    reading r = expect_good(
        read_file((text_file){"x.yaml", PENDULUM REST "precision: float64\n", 0}, overrides, 5));
    CU_ASSERT_EQUAL(r.sweep.chosen[0], 1);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "friction"), 0.7);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "mass"), 3);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "velocity_ratio"), -1);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "angle"), 0.5);
    CU_ASSERT(r.sweep.single);
    reading_free(&r);
}

/* The ranges become the lattice and the flat grid; the other axes remain as they are. */
static void refinement(void) {
    static const char *const override = "friction=0.1:1:log";
    reading r = expect_good(read_file(
        (text_file){
            "x.yaml",
            PENDULUM
            "axes:\n  - {param: angle, from: 1 deg, to: 89 deg}\n"
            "  - {param: stiffness_ratio, values: [1, 0.1]}\n"
            "  - {param: friction, from: 0.2, to: 1.5}\n"
            "refine: {base: 16, depth: 9, boundary: 1e-4, budget: 5e4, audit: 0,\n"
            "  on: [outcome, mode, {output: energy_loss, level: 0.5}, {output: duration, jump: "
            "0.1}]}\n",
            0},
        &override, 1));
    const imp_refine_plan *plan = &r.sweep.refine;
    CU_ASSERT_EQUAL_FATAL(plan->lattice.n_axes, 2);
    CU_ASSERT_EQUAL(r.sweep.refined[0], 0);
    CU_ASSERT_EQUAL(r.sweep.refined[1], 2);
    CU_ASSERT(plan->lattice.axis[0].degrees && !plan->lattice.axis[1].degrees);
    CU_ASSERT(plan->lattice.axis[1].logarithmic && plan->lattice.axis[1].from == 0.1);
    CU_ASSERT(plan->base == 4 && plan->depth == 9 && plan->boundary == 1e-4);
    CU_ASSERT(plan->budget == 50000 && plan->audit == 0);
    CU_ASSERT_EQUAL_FATAL(plan->n_rules, 4);
    CU_ASSERT_EQUAL(plan->rules[0].kind, IMP_RULE_OUTCOME);
    CU_ASSERT_EQUAL(plan->rules[1].output, imp_theory_output(r.sweep.theory, "mode"));
    CU_ASSERT(plan->rules[2].kind == IMP_RULE_LEVEL && plan->rules[2].number == 0.5);
    CU_ASSERT(plan->rules[3].kind == IMP_RULE_JUMP && plan->rules[3].number == 0.1);
    CU_ASSERT_EQUAL(imp_grid_outer_cells(&r.sweep.grid), 2);
    for (int a = 0; a < 2; a++) {
        const imp_axis *axis = &r.sweep.grid.axes[r.sweep.refined[a]];
        CU_ASSERT_EQUAL_FATAL(axis->size, 513);
        CU_ASSERT(axis->refined);
        for (int64_t i = 0; i < axis->size; i++) {
            double node = imp_lattice_value(&plan->lattice, a, (double)(i << (31 - 9)));
            CU_ASSERT_EQUAL(axis->columns[0].values[i], node);
        }
    }
    CU_ASSERT_FALSE(r.sweep.grid.axes[1].refined);
    reading_free(&r);
}

static void refinement_by_default(void) {
    static const int bases[] = {0, 0, 6, 5, 3};
    static const char *const ranges = "{param: angle, from: 0.1, to: 1}, {param: friction, from: "
                                      "0.1, to: 1}, {param: stiffness_ratio, from: 0.1, to: 1}, "
                                      "{param: mass, from: 1, to: 2}";
    for (int axes = 2; axes <= 4; axes++) {
        imp_text text = {0};
        int length = 0;
        for (int n = 0; n < axes; n++) {
            length += (int)strcspn(ranges + length, "}") + 1;
            length += n + 1 < axes && ranges[length] == ',';
        }
        imp_text_print(&text, PENDULUM "axes: [%.*s]\nfixed: {%s%s}\nrefine: {boundary: 1e-3}\n",
                       length, ranges, axes < 3 ? "stiffness_ratio: 1, " : "",
                       axes < 4 ? "mass: 1" : "");
        reading r = expect_good(read_text(imp_text_get(&text)));
        CU_ASSERT_EQUAL(r.sweep.refine.lattice.n_axes, axes);
        CU_ASSERT_EQUAL(r.sweep.refine.base, bases[axes]);
        CU_ASSERT_EQUAL(r.sweep.refine.depth, bases[axes]);
        CU_ASSERT(r.sweep.refine.budget == 10000000 && r.sweep.refine.audit == 1000);
        CU_ASSERT_EQUAL(r.sweep.refine.rules[0].output, imp_theory_output(r.sweep.theory, "mode"));
        reading_free(&r);
        imp_text_free(&text);
    }
}

static void hidden_theory(void) {
    reading r = expect_good(read_text("model: null\naxes: [{param: x, from: 1, to: 3, points: 3},\n"
                                      "  {param: fault, values: [none, not_finite]}]\n"));
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->name, "null");
    CU_ASSERT_EQUAL(imp_grid_cells(&r.sweep.grid), 6);
    CU_ASSERT_EQUAL(r.sweep.grid.axes[1].columns[0].values[1], 3);
    CU_ASSERT_EQUAL(r.sweep.n_fixed, 3); /* cost, y, fault_every */
    reading_free(&r);
}

/* The limit itself is allowed. */
static void most_cells(void) {
    reading r = expect_good(
        read_text(PENDULUM "axes: [{param: friction, from: 0, to: 1, points: 1048576},\n"
                           "  {param: stiffness_ratio, from: 1, to: 2, points: 1048576}]\n"
                           "fixed: {angle: 0.5}\n"));
    CU_ASSERT_EQUAL(imp_grid_cells(&r.sweep.grid), INT64_C(1) << 40);
    reading_free(&r);
}

static void good_words(void) {
    static const char *const words[] = {"angle=30deg", "body=pendulum", "friction=0.3",
                                        "law=linear", "stiffness_ratio=1.21"};
    reading r = expect_good(read_words("compliant", words, 5));
    CU_ASSERT_EQUAL(r.sweep.grid.n_axes, 0);
    CU_ASSERT_EQUAL(r.sweep.chosen[0], 3);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "friction"), 0.3);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "normal_speed"), 1);
    CU_ASSERT_EQUAL(r.sweep.n_fixed, 9);
    CU_ASSERT_EQUAL(r.sweep.n_outputs, imp_theory_find("compliant")->n_outputs - 7);
    reading_free(&r);
}

SUITE("config", fixed_values, all_outputs, chosen_outputs, linear_axes, log_axes, degrees,
      mixed_units, choice_axis, table_axis, table_units, overrides_replace, refinement,
      refinement_by_default, hidden_theory, most_cells, good_words)
