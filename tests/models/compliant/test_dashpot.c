/* The law `dashpot` against exact cells, its closed forms, its energy account, a plain
 * integration and its delicate corners. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/dashpots.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const general = "body=general law=dashpot";

static double or_one(double size) {
    return fmax(1, fabs(size));
}

/* ---- exact cells ---- */

enum { GIVEN = 8, FOUND = 10 };

typedef struct cell {
    double given[GIVEN];
    const char *sequence;
    double found[FOUND];
} cell;

static const char *const given[GIVEN] = {"inertia_coupling",
                                         "angle",
                                         "friction",
                                         "stiffness_ratio",
                                         "normal_damping_ratio",
                                         "tangential_damping_ratio",
                                         "velocity_ratio",
                                         "contact_end"};
static const char *const found[FOUND] = {
    "kinematic_restitution", "velocity_ratio_out", "normal_impulse",
    "tangential_impulse",    "duration",           "compression_time",
    "normal_loss",           "tangential_loss",    "slip_loss",
    "trapped_energy"};

static const cell cells[] = {
#define CELL(l, angle, mu, eta, n, t, v, end, sequence, ...)                                       \
    {{l, angle, mu, eta, n, t, v, end}, sequence, {__VA_ARGS__}},
#include "dashpot_cells.def"
};

static void exact_cells(void) {
    const size_t n = SUITE_COUNT(cells);
    batch b = batch_open("compliant", general, n);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < GIVEN; k++) {
            batch_in(&b, given[k])[i] = cells[i].given[k];
        }
    }
    batch_solve(&b);
    for (size_t i = 0; i < n; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "cell %zu: %s", i + 1, batch_text(&b, i));
        CHECK(strcmp(batch_sequence(&b, i), cells[i].sequence) == 0, "cell %zu: %s", i + 1,
              batch_sequence(&b, i));
        for (int k = 0; k < FOUND; k++) {
            double exact = cells[i].found[k];
            CHECK_NEAR(dashpots_value(&b, found[k], i), exact, 5e-14 * or_one(exact),
                       "%s of cell %zu", found[k], i + 1);
        }
        CHECK_NEAR(batch_out(&b, "residual")[i], 0, 1e-14, "cell %zu", i + 1);
    }
    batch_close(&b);
}

/* ---- without damping ---- */

/* Every output has the bits of the law `linear`. */
static void no_damping(void) {
    enum { N = 2000 };
    batch b = batch_open("compliant", general, N);
    random_source source = {83};
    dashpots_draw(&b, &source);
    batch_set(&b, "normal_damping_ratio", 0);
    batch_set(&b, "tangential_damping_ratio", 0);
    batch linear = batch_open("compliant", "body=general law=linear", N);
    for (int p = 0; p < imp_input_count(linear.solver); p++) {
        const char *name = imp_input_at(linear.solver, p)->name;
        if (imp_input(b.solver, name) >= 0) { /* all but the restitution, and what stands for it */
            memcpy(linear.in[p], batch_in(&b, name), N * sizeof(double));
        }
    }
    batch_solve(&b);
    batch_solve(&linear);
    for (int o = 0; o < b.theory->n_outputs; o++) {
        const char *name = b.theory->outputs[o].name;
        bool own = strcmp(name, "normal_loss") == 0 || strcmp(name, "tangential_loss") == 0;
        for (size_t v = 0; !own && v < N * batch_length(&b, o); v++) {
            CHECK(batch_same(b.out[o][v], linear.out[o][v]), "%s: %.17g, linear %.17g: %s", name,
                  b.out[o][v], linear.out[o][v], batch_text(&b, v / batch_length(&b, o)));
        }
    }
    batch_close(&b);
    batch_close(&linear);
}

/* ---- closed forms and account; more of them in test_dashpot_long ---- */

static void closed_forms(void) {
    dashpots_check_closed(5000);
}

static void energy(void) {
    dashpots_check_energy(2000);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(exact_cells), SUITE_TEST(closed_forms),
                                       SUITE_TEST(energy), SUITE_TEST(no_damping)};
    return suite_run("dashpot", tests, SUITE_COUNT(tests));
}
