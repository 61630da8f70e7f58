/* The law `dashpot` against exact cells, its closed forms, its energy account, a plain
 * integration and its delicate corners. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
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

/* The value of a cell, of a list the sum. */
static double value_of(const batch *b, const char *output, size_t i) {
    const double *values = batch_out(b, output);
    size_t length = strcmp(output, "slip_loss") == 0 ? 8 : 1;
    double sum = 0;
    for (size_t k = 0; k < length; k++) {
        double value = values[i * length + k];
        sum += length > 1 && isnan(value) ? 0 : value;
    }
    return sum;
}

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
            CHECK_NEAR(value_of(&b, found[k], i), exact, 5e-14 * or_one(exact), "%s of cell %zu",
                       found[k], i + 1);
        }
        CHECK_NEAR(batch_out(&b, "residual")[i], 0, 1e-14, "cell %zu", i + 1);
    }
    batch_close(&b);
}

/* ---- closed forms of a normal impact ---- */

/* Restitution and duration of a contact that ends by force, in units of the undamped oscillator. */
static void end_by_force(double z, double *e, double *time) {
    long double x = z, root = sqrtl(fabsl((1 - x) * (1 + x)));
    long double half = z < 1 ? atan2l(root, x) / root : z > 1 ? log1pl((x - 1) + root) / root : 1;
    *e = (double)expl(-2 * x * half);
    *time = (double)(2 * half);
}

enum { RATIOS = 5000 };

/* Damping ratios of every size, and some beside 1. */
static double draw_ratio(random_source *source, int i) {
    double near = random_log(source, 1e-9, 1e-2), sign = random_index(source, 2) ? 1 : -1;
    return i % 10 == 0 ? 1 : i % 10 == 1 ? 1 + sign * near : random_log(source, 1e-6, 30);
}

/* friction 0 is a slip, friction 1 a stick: both know the same end. */
static void check_closed(double friction, double end) {
    batch b = batch_open("compliant", general, RATIOS);
    random_source source = {81};
    batch_set(&b, "inertia_coupling", 0);
    batch_set(&b, "velocity_ratio", 0);
    batch_set(&b, "friction", friction);
    batch_set(&b, "contact_end", end);
    batch_set(&b, "mass", 1);
    double *z = batch_in(&b, "normal_damping_ratio");
    for (int i = 0; i < RATIOS; i++) {
        z[i] = draw_ratio(&source, i) * (end > 0 ? 0.03 : friction > 0 ? 0.1 : 1);
    }
    batch_solve(&b);
    for (size_t i = 0; i < RATIOS; i++) {
        double e, time, size = sqrt(fabs((1 - z[i]) * (1 + z[i])));
        end_by_force(z[i], &e, &time);
        if (end > 0) {
            e = exp(-pi * z[i] / size);
            time = pi / size;
        }
        /* A stick finds the end by its force, in which a strong dashpot cancels digits. */
        double few = friction > 0 ? pow(1 + 2 * z[i] * z[i], 2) : 1;
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "kinematic_restitution")[i], e, 4e-15 * e * or_one(time) * few,
                   "%s", batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "duration")[i], time, 4e-15 * time * few, "%s", batch_text(&b, i));
    }
    batch_close(&b);
}

static void closed_forms(void) {
    check_closed(0, 0);
    check_closed(1, 0);
    check_closed(0, 1);
    check_closed(1, 1);
}

/* ---- energy account ---- */

enum { CELLS = 2000 };

static void draw(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        for (int p = 0; p < imp_input_count(b->solver); p++) {
            b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
        }
        batch_in(b, "friction")[i] = random_between(source, 0, 1.5);
        batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.3, 4);
        batch_in(b, "normal_damping_ratio")[i] = random_between(source, 0, 1.5);
        batch_in(b, "tangential_damping_ratio")[i] = random_between(source, 0, 1.5);
    }
}

static void check_account(const batch *b, size_t i, size_t *outside) {
    bool pulled = batch_in(b, "contact_end")[i] > 0;
    CHECK(b->outcome[i] == IMP_SOLVED || b->outcome[i] == IMP_OUTSIDE, "%s", batch_text(b, i));
    if (b->outcome[i] != IMP_SOLVED) {
        *outside += pulled ? 0 : 1;
        return;
    }
    double normal = batch_out(b, "normal_loss")[i], tangential = batch_out(b, "tangential_loss")[i];
    double slip = value_of(b, "slip_loss", i), trapped = batch_out(b, "trapped_energy")[i];
    double loss = batch_out(b, "energy_loss")[i];
    bool wedges = strcmp(batch_mode(b, i), "wedge") == 0;
    CHECK_NEAR(batch_out(b, "residual")[i], 0, 1e-9, "%s", batch_text(b, i));
    CHECK_NEAR(normal + tangential + slip + (wedges ? 0 : trapped), loss, 1e-13, "%s",
               batch_text(b, i));
    CHECK(normal > -1e-14 && tangential > -1e-14 && slip > -1e-14 && trapped >= 0,
          "%g %g %g %g: %s", normal, tangential, slip, trapped, batch_text(b, i));
    if (!wedges) {
        double e = batch_out(b, "kinematic_restitution")[i];
        CHECK(e >= 0 && fabs(batch_out(b, "tangential_impulse")[i]) < INFINITY, "%g: %s", e,
              batch_text(b, i));
    }
}

static void energy(void) {
    static const char *const bodies[] = {"sphere",     "rod",     "general", "pendulum",
                                         "matrix",     "capsule", "lamina",  "double_pendulum",
                                         "two_laminae"};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        char choices[64] = "body=";
        strcat(strcat(choices, bodies[k]), " law=dashpot");
        batch b = batch_open("compliant", choices, CELLS);
        random_source source = {82};
        size_t outside = 0;
        draw(&b, &source);
        batch_solve(&b);
        for (size_t i = 0; i < CELLS; i++) {
            check_account(&b, i, &outside);
        }
        bool bounded = strcmp(bodies[k], "matrix") == 0 || strcmp(bodies[k], "capsule") == 0 ||
                       strstr(bodies[k], "pendulum");
        CHECK(outside == 0 || bounded, "%s: %zu outside", bodies[k], outside);
        batch_close(&b);
    }
}

/* ---- without damping ---- */

/* Every output has the bits of the law `linear`. */
static void no_damping(void) {
    enum { N = 2000 };
    batch b = batch_open("compliant", general, N);
    random_source source = {83};
    draw(&b, &source);
    batch_set(&b, "normal_damping_ratio", 0);
    batch_set(&b, "tangential_damping_ratio", 0);
    batch linear = batch_open("compliant", "body=general law=linear", N);
    for (int p = 0; p < imp_input_count(linear.solver); p++) {
        const char *name = imp_input_at(linear.solver, p)->name;
        if (strcmp(name, "restitution") != 0) {
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

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(exact_cells), SUITE_TEST(closed_forms),
                                       SUITE_TEST(energy), SUITE_TEST(no_damping)};
    return suite_run("dashpot", tests, SUITE_COUNT(tests));
}
