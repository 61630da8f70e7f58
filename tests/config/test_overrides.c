/* The effect of --set on axes, and the options that the figure of a config becomes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "config/config.h"
#include "support/suite.h"

static const char text[] =
    "model: compliant\nchoose: {body: pendulum}\n"
    "axes:\n"
    "  - {param: law, values: [linear, hertz]}\n"
    "  - {param: friction, from: 0.1, to: 10, points: 5, spacing: log}\n"
    "  - {param: angle, values: [10 deg, 80 deg]}\n"
    "fixed: {stiffness_ratio: 1.21}\n"
    "outputs: [mode, energy_loss]\n"
    "figure: {as: lines, x: friction, curves: angle, panels: law, field: energy_loss,\n"
    "         slice: {law: hertz, angle: 30 deg}, limits: {angle: [10 deg, 1.2]}, log: "
    "[friction],\n"
    "         psi: false, title: 'a = b', font_size: 8}\n";

static const char *load(void *context, const char *path, char **bytes, size_t *length) {
    (void)context;
    (void)path;
    *length = strlen(text);
    *bytes = strdup(text);
    return NULL;
}

/* The sweep with overrides, n of them; the caller frees. */
static imp_sweep read(const char *const *overrides, int n) {
    imp_loader loader = {.load = load};
    imp_sweep sweep;
    imp_text messages = {0};
    imp_err error = imp_config_read(&loader, "x.yaml", overrides, n, &sweep, &messages);
    if (error) {
        fprintf(stderr, "%s", imp_text_get(&messages));
        exit(1);
    }
    imp_text_free(&messages);
    return sweep;
}

static void a_value_takes_the_axis_away(void) {
    static const char *const overrides[] = {"angle=20deg", "law=hertz"};
    imp_sweep sweep = read(overrides, 2);
    CHECK(sweep.grid.n_axes == 1, "n_axes");
    CHECK(strcmp(sweep.grid.axes[0].name, "friction") == 0, "'%s'", sweep.grid.axes[0].name);
    CHECK(sweep.grid.axes[0].columns[0].values[4] == 10.0, "values[4]");
    CHECK(sweep.fixed[imp_sweep_find_fixed(&sweep, "angle")].value ==
              imp_quantity_si((imp_quantity){20, IMP_UNIT_DEGREE}),
          "value");
    int law = imp_theory_choice(sweep.theory, "law");
    CHECK(strcmp(sweep.theory->choices[law].options[sweep.chosen[law]]->name, "hertz") == 0, "'%s'",
          sweep.theory->choices[law].options[sweep.chosen[law]]->name);
    imp_sweep_free(&sweep);
}

static void the_last_axis_may_go(void) {
    static const char *const overrides[] = {"angle=20deg", "law=hertz", "friction=1"};
    imp_sweep sweep = read(overrides, 3);
    CHECK(sweep.grid.n_axes == 0, "n_axes");
    CHECK(imp_grid_cells(&sweep.grid) == 1, "grid)");
    imp_sweep_free(&sweep);
}

static void a_range_keeps_the_place_and_the_spacing(void) {
    static const char *const overrides[] = {"friction=1:4:3", "angle= 10 deg : 30 deg : 3",
                                            "law=[hertz]"};
    imp_sweep sweep = read(overrides, 3);
    const imp_axis *axes = sweep.grid.axes;
    CHECK(sweep.grid.n_axes == 3, "n_axes");
    CHECK(strcmp(axes[1].spacing, "log") == 0, "'%s'", axes[1].spacing);
    CHECK_NEAR(axes[1].columns[0].values[1], 2.0, 1e-15, "middle");
    CHECK(strcmp(axes[2].spacing, "linear") == 0, "'%s'", axes[2].spacing);
    CHECK(axes[2].columns[0].values[1] == imp_quantity_si((imp_quantity){20, IMP_UNIT_DEGREE}),
          "values[1]");
    CHECK(axes[0].size == 1, "size");
    imp_sweep_free(&sweep);
    static const char *const linear[] = {"friction=1:4:3:linear"};
    sweep = read(linear, 1);
    CHECK(sweep.grid.axes[1].columns[0].values[1] == 2.5, "values[1]");
    imp_sweep_free(&sweep);
}

static void a_list_replaces_a_range(void) {
    static const char *const overrides[] = {"friction=[0.3, 0.1]"};
    imp_sweep sweep = read(overrides, 1);
    const imp_axis *axis = &sweep.grid.axes[1];
    CHECK(axis->size == 2, "size");
    CHECK(axis->columns[0].values[0] == 0.3, "values[0]");
    CHECK(axis->columns[0].values[1] == 0.1, "values[1]");
    CHECK(!axis->spacing, "%s", axis->spacing);
    imp_sweep_free(&sweep);
}

static void a_figure_becomes_options(void) {
    imp_sweep sweep = read(NULL, 0);
    CHECK(strcmp(sweep.figure, "as=lines\nfield=energy_loss\nx=friction\ncurves=angle\n"
                               "panels=law\nslice=law=hertz\nslice=angle=30 deg\n"
                               "psi=false\nlog=friction\n"
                               "limits=angle=10 deg:1.2\ntitle=a = b\nfont-size=8\n") == 0,
          "'%s'", sweep.figure);
    imp_sweep_free(&sweep);
}

static void a_figure_loses_the_axes_that_are_gone(void) {
    static const char *const overrides[] = {"angle=20deg", "law=[linear]"};
    imp_sweep sweep = read(overrides, 2);
    CHECK(strcmp(sweep.figure, "as=lines\nfield=energy_loss\nx=friction\npanels=law\n"
                               "psi=false\nlog=friction\ntitle=a = b\n"
                               "font-size=8\n") == 0,
          "'%s'", sweep.figure);
    imp_sweep_free(&sweep);
}

SUITE("overrides", a_value_takes_the_axis_away, the_last_axis_may_go,
      a_range_keeps_the_place_and_the_spacing, a_list_replaces_a_range, a_figure_becomes_options,
      a_figure_loses_the_axes_that_are_gone)
