/* The beam over its length: identities of the collision, tolerances, methods, delicate positions, damping, cells
 * that are no collision, the cache of modes, histories. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

/* Positions evenly over [low, high]. */
static batch along(const char *choices, size_t n, double low, double high) {
    batch b = batch_open("beam", choices, n);
    for (size_t i = 0; i < n; i++) {
        batch_in(&b, "position")[i] = fmin(high, low + (high - low) * (double)i / (double)(n - 1));
    }
    return b;
}

static void solve_with(const batch *b, double tolerance) {
    batch_set(b, "tolerance", tolerance);
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        CHECK(b->outcome[i] == IMP_SOLVED, "%s", batch_text(b, i));
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and largest difference of the kinematic restitutions; positions where the number of
 * sub-impacts differs. */
typedef struct spread {
    double median, most;
    size_t other_count;
} spread;

static spread differences(const batch *a, const batch *b) {
    double *d = calloc(a->n, sizeof *d);
    spread s = {0, 0, 0};
    for (size_t i = 0; d && i < a->n; i++) {
        d[i] = fabs(batch_out(a, "kinematic_restitution")[i] -
                    batch_out(b, "kinematic_restitution")[i]);
        s.other_count += batch_out(a, "sub_impacts")[i] != batch_out(b, "sub_impacts")[i];
    }
    if (d) {
        qsort(d, a->n, sizeof *d, compare);
        s.median = d[a->n / 2];
        s.most = d[a->n - 1];
    }
    free(d);
    return s;
}

/* ---- identities on the 400 positions of the paper's figure 2 ---- */

static const double pin = 0.0375;

static void check_identities(const batch *b, size_t i) {
    double x = batch_in(b, "position")[i], left = pin, right = 1 - pin;
    double inertia = (right * right * right + left * left * left) / 3;
    double mass = inertia / ((x - pin) * (x - pin));
    double speed = batch_out(b, "relative_velocity_in")[i];
    double e = batch_out(b, "kinematic_restitution")[i];
    double compression = batch_out(b, "impulse_compression")[i];
    double vibration = batch_out(b, "vibration_energy")[i];
    double loss = batch_out(b, "energy_loss")[i];
    const double *mode = batch_out(b, "mode_energy") + 4 * i;
    const char *text = batch_text(b, i);
    CHECK_NEAR(compression, mass * speed, 1e-9 * mass * speed, "impulse of compression: %s", text);
    CHECK_NEAR(batch_out(b, "impulse_restitution")[i], e * mass * speed, 1e-9 * mass * speed,
               "impulse of restitution: %s", text);
    CHECK_NEAR(batch_out(b, "kinetic_restitution")[i], e, 1e-9, "two ratios: %s", text);
    /* About the pin all of the energy is in the rigid mode, so that m_eff V0^2/2 is all of it. */
    CHECK_NEAR(vibration + loss, 1 - e * e, 1e-6, "energy: %s", text);
    CHECK_NEAR(batch_out(b, "rigid_energy")[i], e * e, 1e-9, "rigid energy: %s", text);
    CHECK(batch_out(b, "residual")[i] <= 1e-6, "residual %g: %s", batch_out(b, "residual")[i],
          text);
    CHECK(mode[0] + mode[1] + mode[2] + mode[3] <= vibration + 1e-9, "modes: %s", text);
    CHECK(batch_out(b, "compression_time")[i] < batch_out(b, "duration")[i], "times: %s", text);
}

static void identities(void) {
    batch b = along("", 400, 0.2, 1);
    solve_with(&b, 1e-8);
    const double *x = batch_in(&b, "position"), *e = batch_out(&b, "kinematic_restitution");
    size_t first = 0, second = 399;
    for (size_t i = 0; i < b.n; i++) {
        check_identities(&b, i);
        first = x[i] < 0.75 && e[i] < e[first] ? i : first;
        second = x[i] > 0.75 && e[i] < e[second] ? i : second;
    }
    /* Published: minima at about .64 and .85. */
    CHECK_NEAR(x[first], 0.639098, 1e-6, "first minimum");
    CHECK_NEAR(e[first], 0.2506, 5e-5, "first minimum");
    CHECK_NEAR(x[second], 0.847619, 1e-6, "second minimum");
    CHECK_NEAR(e[second], 0.1144, 5e-5, "second minimum");
    batch_close(&b);
}

static void identities_with_damping(void) {
    batch b = along("", 12, 0.2, 1);
    batch_set(&b, "internal_damping", 1e6);
    solve_with(&b, 1e-8);
    for (size_t i = 0; i < b.n; i++) {
        check_identities(&b, i);
    }
    batch_set(&b, "external_damping", 30);
    solve_with(&b, 1e-8);
    for (size_t i = 0; i < b.n; i++) {
        CHECK(batch_out(&b, "residual")[i] <= 1e-6, "%s", batch_text(&b, i));
    }
    batch_close(&b);
}

/* ---- tolerances and methods ---- */

static void two_tolerances(void) {
    batch a = along("", 100, 0.2, 1), b = along("", 100, 0.2, 1);
    solve_with(&a, 1e-8);
    solve_with(&b, 1e-9);
    spread s = differences(&a, &b);
    CHECK(s.median < 1e-7 && s.most < 5e-5, "median %g, most %g", s.median, s.most);
    CHECK(s.other_count <= 1, "%zu other numbers of sub-impacts", s.other_count);
    batch_close(&a);
    batch_close(&b);
    a = along("", 10, 0.2, 1);
    b = along("", 10, 0.2, 1);
    batch_set(&a, "internal_damping", 1e6);
    batch_set(&b, "internal_damping", 1e6);
    solve_with(&a, 1e-8);
    solve_with(&b, 1e-9);
    s = differences(&a, &b);
    CHECK(s.most < 2e-6, "damped: most %g", s.most);
    batch_close(&a);
    batch_close(&b);
}

/* Every method at the default position: explicit ones agree to their tolerance, the unreduced system in
 * 2e-5 steps with all modes to its error of second order. */
static void methods(void) {
    static const struct {
        const char *choices;
        double damping, modes, expected, tolerance;
    } rows[] = {{"solver=modal_rk8", 0, 25, 0.6373934, 1e-7},
                {"solver=modal_rk5", 0, 25, 0.6373934, 1e-7},
                {"solver=modal_arkimex", 0, 25, 0.6373934, 2e-7},
                {"solver=modal_rk8", 1e6, 25, 0.4949698, 1e-7},
                {"solver=modal_rk5", 1e6, 25, 0.4949698, 1e-7},
                {"solver=modal_arkimex", 1e6, 25, 0.4949698, 1e-7},
                {"solver=full", 0, 25, 0.6372137, 1e-4}};
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        batch b = batch_open("beam", rows[i].choices, 1);
        batch_set(&b, "internal_damping", rows[i].damping);
        batch_set(&b, "mode_count", rows[i].modes);
        batch_solve(&b);
        CHECK_NEAR(batch_out(&b, "kinematic_restitution")[0], rows[i].expected, rows[i].tolerance,
                   "%s c_i=%g", rows[i].choices, rows[i].damping);
        batch_close(&b);
    }
}

/* The unreduced system, which is of second order, comes nearer with its step. */
static void unreduced_converges(void) {
    static const char *const boundaries[] = {"boundary=pinned", "boundary=clamped"};
    for (int i = 0; i < SUITE_COUNT(boundaries); i++) {
        char choices[80] = "striker=free ";
        double error[2];
        strcat(choices, boundaries[i]);
        batch modal = batch_open("beam", choices, 1);
        strcat(choices, " solver=full");
        batch whole = batch_open("beam", choices, 2);
        batch both[] = {modal, whole};
        for (int k = 0; k < 2; k++) {
            batch_set(&both[k], "elements", 20);
            batch_set(&both[k], "mode_count", 21);
            batch_set(&both[k], "striker_mass", 0.05);
            batch_set(&both[k], "speed", 1);
        }
        /* 20 elements have about 40 modes, of which the modal solution takes 21; the others are the remaining
         * difference. */
        batch_in(&whole, "full_step")[0] = 2e-4;
        batch_in(&whole, "full_step")[1] = 5e-5;
        batch_solve(&modal);
        batch_solve(&whole);
        for (int k = 0; k < 2; k++) {
            error[k] = fabs(batch_out(&whole, "impulse_compression")[k] /
                                batch_out(&modal, "impulse_compression")[0] -
                            1);
        }
        CHECK(error[1] < 1e-3, "%s: %g", choices, error[1]);
        CHECK(error[1] <= error[0], "%s: %g after %g", choices, error[1], error[0]);
        batch_close(&modal);
        batch_close(&whole);
    }
}

/* ---- delicate positions ---- */

/* Steep places of e(xi), where a sub-impact has only just appeared or vanished: a cell is flagged, or has the
 * same answer at two tolerances. */
static void grazing(void) {
    static const double places[] = {0.848750,       0.852408772435, 0.856799847222, 0.957089049565,
                                    0.967234375228, 0.971582581520, 0.505642839324};
    size_t n = SUITE_COUNT(places);
    batch a = batch_open("beam", "", n), b = batch_open("beam", "", n);
    for (size_t i = 0; i < n; i++) {
        batch_in(&a, "position")[i] = batch_in(&b, "position")[i] = places[i];
    }
    solve_with(&a, 1e-8);
    solve_with(&b, 1e-10);
    for (size_t i = 0; i < n; i++) {
        double difference = fabs(batch_out(&a, "kinematic_restitution")[i] -
                                 batch_out(&b, "kinematic_restitution")[i]);
        CHECK(batch_out(&a, "grazing")[i] == 1 || difference <= 1e-5, "%g at %.12g", difference,
              places[i]);
    }
    batch_close(&a);
    batch_close(&b);
}

/* Restitutions at tolerances 1e-8 and 1e-10 agree to 1e-5 and to four times the `uncertainty`, or the cell is
 * flagged as grazing. Returns the number of flagged cells. */
static int check_uncertainty(const batch *a, const batch *b) {
    int flagged = 0;
    solve_with(a, 1e-8);
    solve_with(b, 1e-10);
    for (size_t i = 0; i < a->n; i++) {
        double difference = fabs(batch_out(a, "kinematic_restitution")[i] -
                                 batch_out(b, "kinematic_restitution")[i]);
        double uncertainty = batch_out(a, "uncertainty")[i];
        bool grazing = batch_out(a, "grazing")[i] == 1;
        CHECK(grazing || difference <= 1e-5, "%g: %s", difference, batch_text(a, i));
        CHECK(grazing || difference <= 4 * uncertainty, "%g, uncertain by %g: %s", difference,
              uncertainty, batch_text(a, i));
        CHECK(grazing || (uncertainty > 0 && uncertainty <= 1e-5), "%g: %s", uncertainty,
              batch_text(a, i));
        CHECK(batch_out(a, "residual")[i] <= 1e-6, "%g: %s", batch_out(a, "residual")[i],
              batch_text(a, i));
        flagged += grazing;
    }
    return flagged;
}

/* Near the tip later sub-impacts amplify errors most. */
static void amplified_errors(void) {
    enum { PLACES = 160 };
    batch a = batch_open("beam", "", PLACES), b = batch_open("beam", "", PLACES);
    for (size_t i = 0; i < a.n; i++) {
        double place = i < PLACES / 2 ? 0.92 + 0.001 * (double)i : 0.2 + 0.009 * (double)(i - 80);
        batch_in(&a, "position")[i] = batch_in(&b, "position")[i] = place;
    }
    int flagged = check_uncertainty(&a, &b);
    CHECK(flagged <= PLACES / 50, "%d flagged", flagged);
    batch_close(&a);
    batch_close(&b);
}

/* Draws the same values of a parameter for both. */
static void draw(const batch *a, const batch *b, const char *parameter, double low, double high,
                 random_source *source) {
    for (size_t i = 0; imp_input(a->solver, parameter) >= 0 && i < a->n; i++) {
        batch_in(a, parameter)[i] = batch_in(b, parameter)[i] = random_between(source, low, high);
    }
}

static void random_beams(void) {
    enum { CELLS = 40 };
    static const struct {
        const char *choices;
        double turning; /* rad/s at most */
    } cases[] = {{"boundary=pinned", -10},
                 {"boundary=pinned striker=free", -10},
                 {"boundary=free striker=free", 0},
                 {"boundary=clamped striker=free", 0},
                 {"boundary=pinned_pinned striker=free", 0}};
    random_source source = {81};
    for (int k = 0; k < SUITE_COUNT(cases); k++) {
        batch a = batch_open("beam", cases[k].choices, CELLS);
        batch b = batch_open("beam", cases[k].choices, CELLS);
        draw(&a, &b, "position", 0.15, 0.95, &source);
        draw(&a, &b, "length", 0.3, 1.2, &source);
        draw(&a, &b, "radius", 0.004, 0.02, &source);
        draw(&a, &b, "angular_velocity", cases[k].turning, cases[k].turning / 10, &source);
        draw(&a, &b, "striker_mass", 0.01, 1, &source);
        draw(&a, &b, "speed", 0.2, 3, &source);
        draw(&a, &b, "internal_damping", 0, 2e4, &source);
        for (size_t i = 0; i < CELLS / 2; i++) {
            batch_in(&a, "internal_damping")[i] = batch_in(&b, "internal_damping")[i] = 0;
        }
        check_uncertainty(&a, &b);
        batch_close(&a);
        batch_close(&b);
    }
}

/* ---- cells that are no collision ---- */

static imp_outcome outcome_with(const char *choices, const char *parameter, double value,
                                const char *second, double other) {
    batch b = batch_open("beam", choices, 1);
    batch_set(&b, parameter, value);
    batch_set(&b, second, other);
    batch_solve(&b);
    imp_outcome outcome = b.outcome[0];
    batch_close(&b);
    return outcome;
}

static void outside(void) {
    static const struct {
        const char *choices, *parameter;
        double value;
        const char *second;
        double other;
        imp_outcome outcome;
    } rows[] = {
        {"", "position", 0.0375, "mode_count", 25, IMP_OUTSIDE},
        {"", "position", 0.02, "mode_count", 25,
         IMP_OUTSIDE}, /* this place turns away from the striker */
        {"", "position", 0.02, "angular_velocity", 6, IMP_SOLVED},
        {"", "position", 1.2, "mode_count", 25, IMP_OUTSIDE},
        {"solver=newmark", "window", 0.00149, "mode_count", 25,
         IMP_BUDGET}, /* a contact is still to come */
        {"solver=newmark", "length", 1.5, "mode_count", 25, IMP_BUDGET},
        {"solver=newmark", "time_step", 1e-3, "mode_count", 25, IMP_NO_CONVERGENCE},
        {"", "pin_position", 0.6, "mode_count", 25, IMP_OUTSIDE},
        {"", "angular_velocity", 0, "mode_count", 25, IMP_OUTSIDE},
        {"", "angular_velocity", 6, "mode_count", 25, IMP_OUTSIDE},
        {"", "elements", 20, "mode_count", 25, IMP_OUTSIDE},
        {"", "elements", 24, "mode_count", 25, IMP_SOLVED},
        {"", "elements", 80.5, "mode_count", 25, IMP_OUTSIDE},
        {"", "elements", 80, "mode_count", 2.5, IMP_OUTSIDE},
        {"", "internal_damping", -1, "mode_count", 25, IMP_OUTSIDE},
        {"", "external_damping", -1, "mode_count", 25, IMP_OUTSIDE},
        {"boundary=free", "elements", 80, "mode_count", 1, IMP_OUTSIDE},
        {"boundary=clamped", "elements", 80, "mode_count", 25, IMP_OUTSIDE},
        {"boundary=pinned_pinned", "elements", 80, "mode_count", 25, IMP_OUTSIDE},
        {"boundary=clamped striker=free", "speed", 0, "mode_count", 25, IMP_OUTSIDE},
        {"boundary=clamped striker=free", "speed", 1, "mode_count", 25, IMP_SOLVED},
        {"boundary=pinned_pinned striker=free", "speed", 1, "mode_count", 25, IMP_SOLVED},
        {"", "length", 1e300, "mode_count", 25, IMP_NOT_FINITE},
        /* So near to the pin that contact lasts hundreds of thousands of steps. */
        {"", "position", 0.03752, "mode_count", 25, IMP_BUDGET},
    };
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        imp_outcome outcome = outcome_with(rows[i].choices, rows[i].parameter, rows[i].value,
                                           rows[i].second, rows[i].other);
        CHECK(outcome == rows[i].outcome, "%s %s=%g: %s", rows[i].choices, rows[i].parameter,
              rows[i].value, imp_outcome_name(outcome));
    }
}

/* ---- sections and units ---- */

static void circular_section(void) {
    const double pi = 3.14159265358979323846, r = 6.35e-3;
    batch a = batch_open("beam", "section=circular", 1), b = batch_open("beam", "", 1);
    batch_set(&b, "mass_per_length", 2710 * pi * r * r);
    batch_set(&b, "second_moment", pi * r * r * r * r / 4);
    solve_with(&a, 1e-8);
    solve_with(&b, 1e-8);
    CHECK_NEAR(batch_out(&a, "kinematic_restitution")[0], batch_out(&b, "kinematic_restitution")[0],
               1e-9, "round bar");
    batch_close(&a);
    batch_close(&b);
}

/* Powers of mass, length and time in the unit of an output. */
static double factor_of(const char *unit) {
    static const struct {
        const char *unit;
        int mass, length, time;
    } rows[] = {{"1", 0, 0, 0},    {"s", 0, 0, 1},    {"1/s", 0, 0, -1}, {"m", 0, 1, 0},
                {"m/s", 0, 1, -1}, {"N s", 1, 1, -1}, {"N", 1, 1, -2},   {"J", 1, 2, -2}};
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        if (strcmp(rows[i].unit, unit) == 0) {
            return ldexp(1, 4 * rows[i].mass + 2 * rows[i].length - 6 * rows[i].time);
        }
    }
    CHECK(false, "an output is in %s, which this test does not know", unit);
    return NAN;
}

/* Lengths, times and masses times powers of 2 leave every number without a unit as it is. */
static void other_units(void) {
    static const struct {
        const char *parameter;
        double value;
        int mass, length, time;
    } rows[] = {{"length", 0.508, 0, 1, 0},
                {"radius", 6.35e-3, 0, 1, 0},
                {"striker_radius", 6.35e-3, 0, 1, 0},
                {"modulus", 68.3e9, 1, -1, -2},
                {"striker_modulus", 68.3e9, 1, -1, -2},
                {"mass_per_length", 0.3433, 1, -1, 0},
                {"second_moment", 1.277e-9, 0, 4, 0},
                {"pin_position", 0.01905, 0, 1, 0},
                {"angular_velocity", -6, 0, 0, -1},
                {"internal_damping", 1e6, 1, -1, -1},
                {"external_damping", 0.1, 1, -1, -1},
                {"striker_mass", 0.05, 1, 0, 0},
                {"speed", 0.5, 0, 1, -1}};
    batch b = batch_open("beam", "striker=free", 2);
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        double factor = ldexp(1, 4 * rows[i].mass + 2 * rows[i].length - 6 * rows[i].time);
        batch_in(&b, rows[i].parameter)[0] = rows[i].value;
        batch_in(&b, rows[i].parameter)[1] = rows[i].value * factor;
    }
    solve_with(&b, 1e-8);
    for (int o = 0; o < b.theory->n_outputs; o++) {
        if (b.theory->outputs[o].kind == IMP_REAL && !b.theory->outputs[o].dimension) {
            double factor = factor_of(b.theory->outputs[o].unit), found = b.out[o][1] / factor;
            CHECK_NEAR(found, b.out[o][0], 1e-9 * (1 + fabs(b.out[o][0])), "%s",
                       b.theory->outputs[o].name);
        }
    }
    batch_close(&b);
}

/* ---- the cache of modes ---- */

/* More meshes than the cache keeps, in any order, have the bits of a new solver for each. */
static void reuse(void) {
    enum { MESHES = 40, CELLS = 60 };
    random_source source = {81};
    batch b = batch_open("beam", "", CELLS);
    for (int i = 0; i < CELLS; i++) {
        batch_in(&b, "pin_position")[i] = 0.019 + 1e-4 * random_index(&source, MESHES);
        batch_in(&b, "elements")[i] = 20 + random_index(&source, 3);
        batch_in(&b, "mode_count")[i] = 6;
    }
    solve_with(&b, 1e-6);
    for (int i = 0; i < CELLS; i++) {
        batch one = batch_open("beam", "", 1);
        for (int p = 0; p < imp_input_count(b.solver); p++) {
            one.in[p][0] = b.in[p][i];
        }
        batch_solve(&one);
        CHECK(batch_same(batch_out(&one, "kinematic_restitution")[0],
                         batch_out(&b, "kinematic_restitution")[i]),
              "%s", batch_text(&b, (size_t)i));
        batch_close(&one);
    }
    batch_close(&b);
}

/* ---- histories ---- */

enum { COLUMNS = 8, SAMPLES = 200, ROWS = 400 };

typedef struct tape {
    imp_recorder recorder;
    double row[ROWS][COLUMNS];
    int event[ROWS], n;
} tape;

static void record(imp_recorder *recorder, const double *row, int phase, int event) {
    tape *t = (tape *)recorder;
    if (t->n < ROWS) {
        memcpy(t->row[t->n], row, sizeof t->row[0]);
        t->event[t->n++] = phase > 0 ? event : -1;
    }
}

/* The columns are time, displacement, its rate, V_rel, force, three energies. The three energies and that of the
 * contact add up to 1, and there are five sub-impacts. */
static void history(void) {
    static tape t = {.recorder = {.samples = SAMPLES, .record = record}};
    batch b = batch_open("beam", "", 1);
    double value[IMP_MAX_PARAMETERS];
    imp_outcome outcome;
    batch_solve(&b);
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        value[p] = NAN;
    }
    CHECK(imp_trace(b.solver, value, &t.recorder, &outcome) == IMP_OK && outcome == IMP_SOLVED,
          "outcome %d", (int)outcome);
    int events[4] = {0};
    double speed = batch_out(&b, "relative_velocity_in")[0];
    double left = pin, right = 1 - pin, lever = 0.68 - pin;
    double mass = (right * right * right + left * left * left) / 3 / (lever * lever);
    for (int i = 0; i < t.n; i++) {
        const double *row = t.row[i];
        CHECK(i == 0 || row[0] >= t.row[i - 1][0], "row %d: time", i);
        double stored = row[4] > 0 ? 0.4 * row[4] * row[1] / (mass * speed * speed / 2) : 0;
        CHECK_NEAR(row[5] + row[6] + row[7] + stored, 1, 1e-6, "row %d: energy", i);
        CHECK(row[4] == 0 || row[1] > 0, "row %d: force", i);
        events[t.event[i] >= 0 && t.event[i] < 4 ? t.event[i] : 0]++;
    }
    CHECK(events[1] == 5 && events[2] == 1 && events[3] == 5, "%d touches, %d, %d separations",
          events[1], events[2], events[3]);
    CHECK(t.n == SAMPLES + 11, "%d rows", t.n);
    CHECK_NEAR(t.row[t.n - 1][0], batch_out(&b, "duration")[0], 1e-12, "last row");
    CHECK_NEAR(t.row[t.n - 1][3], batch_out(&b, "relative_velocity_out")[0], 1e-9, "last row");
    batch_close(&b);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(identities),
                                       SUITE_TEST(identities_with_damping),
                                       SUITE_TEST(two_tolerances),
                                       SUITE_TEST(methods),
                                       SUITE_TEST(unreduced_converges),
                                       SUITE_TEST(grazing),
                                       SUITE_TEST(amplified_errors),
                                       SUITE_TEST(random_beams),
                                       SUITE_TEST(outside),
                                       SUITE_TEST(circular_section),
                                       SUITE_TEST(other_units),
                                       SUITE_TEST(reuse),
                                       SUITE_TEST(history)};
    return suite_run("beam", tests, SUITE_COUNT(tests));
}
