/* Sweeps: signatures, units, sizes and parts. */
#include <stdlib.h>
#include <string.h>

#include "solve/sweep.h"
#include "support/suite.h"

/* An axis with one column of n values 0, 1, 2 ... (for a choice: its first options). */
static void add_axis(imp_sweep *sweep, const char *name, int64_t n) {
    imp_axis *axis = &sweep->grid.axes[sweep->grid.n_axes++];
    strcpy(axis->name, name);
    axis->size = n;
    axis->n_columns = 1;
    strcpy(axis->columns[0].name, name);
    axis->columns[0].choice = imp_theory_choice(sweep->theory, name);
    axis->columns[0].values = malloc((size_t)n * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
        axis->columns[0].values[i] = (double)i;
    }
}

static void fix(imp_sweep *sweep, const char *parameter, bool given) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(sweep->theory, all);
    for (int p = 0; p < n; p++) {
        if (strcmp(all[p]->name, parameter) == 0) {
            sweep->fixed[sweep->n_fixed++] = (imp_fixed){all[p], 1, given, ""};
            return;
        }
    }
    CHECK(false, "there is no parameter %s", parameter);
}

static imp_sweep compliant_sweep(void) {
    return (imp_sweep){.theory = imp_theory_find("compliant")};
}

static int body_code(const imp_sweep *sweep, const char *name) {
    int body = imp_theory_choice(sweep->theory, "body");
    return imp_choice_option(&sweep->theory->choices[body], name);
}

static void one_signature(void) {
    imp_sweep sweep = compliant_sweep();
    int body = imp_theory_choice(sweep.theory, "body"), n;
    sweep.chosen[body] = body_code(&sweep, "rod");
    imp_signature *found = imp_sweep_signatures(&sweep, &n);
    CHECK(n == 1, "%d signatures", n);
    CHECK(found && found[0].chosen[body] == sweep.chosen[body], "another body");
    CHECK(found && imp_signature_find(&found[0], "angle") >= 0, "a rod has an angle");
    CHECK(found && imp_signature_find(&found[0], "b11") < 0, "a rod has no b11");
    free(found);
    imp_sweep_free(&sweep);
}

/* An axis with the first three bodies: sphere, rod, general. */
static void signatures_of_an_axis(void) {
    imp_sweep sweep = compliant_sweep();
    int body = imp_theory_choice(sweep.theory, "body"), n;
    sweep.chosen[body] = -1;
    add_axis(&sweep, "body", 3);
    sweep.grid.axes[0].columns[0].values[2] = 0; /* sphere, rod, sphere */
    imp_signature *found = imp_sweep_signatures(&sweep, &n);
    CHECK(n == 2, "%d signatures of two bodies", n);
    for (int i = 0; found && i < n; i++) {
        CHECK(found[i].chosen[body] == i, "body %d of signature %d", found[i].chosen[body], i);
    }
    free(found);
    imp_sweep_free(&sweep);
    CHECK(!sweep.theory && sweep.grid.n_axes == 0, "a freed sweep is not empty");
}

/* Outputs bear units when mass, stiffness and speed are all given or swept. */
static void dimensional(void) {
    imp_sweep sweep = compliant_sweep();
    fix(&sweep, "mass", true);
    fix(&sweep, "normal_stiffness", true);
    CHECK(!imp_sweep_dimensional(&sweep), "no speed");
    fix(&sweep, "normal_speed", false);
    CHECK(!imp_sweep_dimensional(&sweep), "speed by default");
    sweep.fixed[2].given = true;
    CHECK(imp_sweep_dimensional(&sweep), "all three are given");
    sweep.n_fixed = 2;
    add_axis(&sweep, "normal_speed", 2);
    CHECK(imp_sweep_dimensional(&sweep), "the speed is swept");
    sweep.chosen[imp_theory_choice(sweep.theory, "body")] = body_code(&sweep, "matrix");
    sweep.fixed[0] = sweep.fixed[1];
    sweep.n_fixed = 1;
    CHECK(imp_sweep_dimensional(&sweep), "a matrix has no mass to be given");
    sweep.n_fixed = 0;
    CHECK(!imp_sweep_dimensional(&sweep), "a matrix without stiffness");
    fix(&sweep, "mass", true);
    CHECK(imp_sweep_find_fixed(&sweep, "mass") == 0, "mass is fixed");
    CHECK(imp_sweep_find_fixed(&sweep, "normal_speed") == -1, "speed is not fixed");
    imp_sweep_free(&sweep);
    sweep.theory = imp_theory_find("null");
    CHECK(imp_sweep_dimensional(&sweep), "a theory whose units depend on nothing");
}

static void sizes(void) {
    imp_sweep sweep = compliant_sweep();
    static const char *const names[] = {"mode", "sequence", "kinematic_restitution"};
    static const size_t single[] = {1, 8, 4}, whole[] = {1, 8, 8};
    for (int i = 0; i < SUITE_COUNT(names); i++) {
        sweep.outputs[sweep.n_outputs++] = imp_theory_output(sweep.theory, names[i]);
        CHECK(imp_sweep_position(&sweep, names[i]) == i, "position of %s", names[i]);
    }
    CHECK(imp_sweep_position(&sweep, "duration") == -1, "an output that is not stored");
    for (int i = 0; i < SUITE_COUNT(names); i++) {
        sweep.single = true;
        CHECK(imp_sweep_output_size(&sweep, sweep.outputs[i]) == single[i], "%s", names[i]);
        sweep.single = false;
        CHECK(imp_sweep_output_size(&sweep, sweep.outputs[i]) == whole[i], "%s", names[i]);
    }
    CHECK(imp_sweep_cell_size(&sweep) == 1 + 8 + 8 + 1, "%zu bytes", imp_sweep_cell_size(&sweep));
    sweep.single = true;
    CHECK(imp_sweep_cell_size(&sweep) == 1 + 8 + 4 + 1, "%zu bytes", imp_sweep_cell_size(&sweep));
}

/* Parts follow each other, cover everything and are equal to within one value. */
static void parts(void) {
    for (int64_t size = 1; size < 40; size++) {
        for (int n = 1; n <= size; n++) {
            int64_t next = 0;
            for (int part = 1; part <= n; part++) {
                int64_t first = -1, last = -1;
                imp_part_of(size, part, n, &first, &last);
                CHECK(first == next, "part %d of %d of %lld", part, n, (long long)size);
                CHECK(last - first == size / n || last - first == size / n + 1,
                      "part %d of %d of %lld", part, n, (long long)size);
                next = last;
            }
            CHECK(next == size, "%d parts of %lld end at %lld", n, (long long)size,
                  (long long)next);
        }
    }
}

static void taking_parts(void) {
    double next = 0;
    for (int part = 1; part <= 3; part++) {
        imp_sweep sweep = compliant_sweep();
        add_axis(&sweep, "friction", 11);
        add_axis(&sweep, "angle", 4);
        CHECK(imp_sweep_take_part(&sweep, part, 3) == IMP_OK, "part %d", part);
        CHECK(sweep.part == part && sweep.parts == 3, "%d of %d", sweep.part, sweep.parts);
        CHECK(sweep.grid.axes[1].size == 4, "the second axis is cut");
        for (int64_t i = 0; i < sweep.grid.axes[0].size; i++) {
            CHECK(sweep.grid.axes[0].columns[0].values[i] == next, "value %g", next);
            next++;
        }
        imp_sweep_free(&sweep);
    }
    CHECK(next == 11, "%g values in all", next);
    imp_sweep sweep = compliant_sweep();
    add_axis(&sweep, "friction", 2);
    CHECK(imp_sweep_take_part(&sweep, 1, 3) == IMP_ERR_INPUT, "three parts of two values");
    imp_sweep_free(&sweep);
}

SUITE("sweep", one_signature, signatures_of_an_axis, dimensional, sizes, parts, taking_parts)
