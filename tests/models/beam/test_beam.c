/* The beam over its length: identities of the collision, damping, cells that are no collision,
 * sections and units, the cache of modes, histories. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/beams.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tape.h"

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
    batch b = beams_along("", 400, 0.2, 1);
    beams_solve(&b, 1e-8);
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
    batch b = beams_along("", 12, 0.2, 1);
    batch_set(&b, "internal_damping", 1e6);
    beams_solve(&b, 1e-8);
    for (size_t i = 0; i < b.n; i++) {
        check_identities(&b, i);
    }
    batch_set(&b, "external_damping", 30);
    beams_solve(&b, 1e-8);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, batch_out(&b, "residual")[i] <= 1e-6);
    }
    batch_close(&b);
}

/* ---- cells that are no collision ---- */

static imp_outcome outcome_with(const char *choices, const char *parameter, double value,
                                const char *second, double other) {
    batch b = batch_open("beam", choices, 1);
    BATCH_SET(&b, {parameter, value}, {second, other});
    batch_solve(&b);
    imp_outcome outcome = b.outcome[0];
    batch_close(&b);
    return outcome;
}

/* Two parameters of a cell, and its outcome. */
typedef struct cell_outcome {
    const char *choices, *parameter;
    double value;
    const char *second;
    double other;
    imp_outcome outcome;
} cell_outcome;

static const cell_outcome cells[] = {
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
    {"", "elements", 80, "mode_count", 25.5, IMP_OUTSIDE},
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

static void outside(void) {
    for (int i = 0; i < SUITE_COUNT(cells); i++) {
        imp_outcome outcome = outcome_with(cells[i].choices, cells[i].parameter, cells[i].value,
                                           cells[i].second, cells[i].other);
        CHECK(outcome == cells[i].outcome, "%s %s=%g: %s", cells[i].choices, cells[i].parameter,
              cells[i].value, imp_outcome_name(outcome));
    }
}

/* ---- sections and units ---- */

static void circular_section(void) {
    const double r = 6.35e-3;
    batch a = batch_open("beam", "section=circular", 1), b = batch_open("beam", "", 1);
    BATCH_SET(&b, {"mass_per_length", 2710 * pi * r * r},
              {"second_moment", pi * r * r * r * r / 4});
    beams_solve(&a, 1e-8);
    beams_solve(&b, 1e-8);
    CHECK_NEAR(batch_out(&a, "kinematic_restitution")[0], batch_out(&b, "kinematic_restitution")[0],
               1e-9, "round bar");
    BATCH_CLOSE(&a, &b);
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
    beams_solve(&b, 1e-8);
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
    beams_solve(&b, 1e-6);
    for (int i = 0; i < CELLS; i++) {
        batch one = batch_open("beam", "", 1);
        for (int p = 0; p < imp_input_count(b.solver); p++) {
            one.in[p][0] = b.in[p][i];
        }
        batch_solve(&one);
        CHECK_CELL(&b, (size_t)i,
                   batch_same(batch_out(&one, "kinematic_restitution")[0],
                              batch_out(&b, "kinematic_restitution")[i]));
        batch_close(&one);
    }
    batch_close(&b);
}

/* ---- histories ---- */

/* The columns are time, displacement, its rate, V_rel, force, four energies, which add up to 1. The
 * last one is stored in the contact. There are five sub-impacts. */
static void history(void) {
    enum { SAMPLES = 200 };
    static tape t;
    batch b = batch_open("beam", "", 1);
    batch_solve(&b);
    CHECK_CELL(&b, 0, tape_take(&t, &b, 0, SAMPLES) == IMP_SOLVED);
    int events[4] = {0};
    double speed = batch_out(&b, "relative_velocity_in")[0];
    double left = pin, right = 1 - pin, lever = 0.68 - pin;
    double mass = (right * right * right + left * left * left) / 3 / (lever * lever);
    for (int i = 0; i < t.n; i++) {
        const double *row = t.rows[i].x;
        CHECK(i == 0 || row[0] >= t.rows[i - 1].x[0], "row %d: time", i);
        double stored = row[4] > 0 ? 0.4 * row[4] * row[1] / (mass * speed * speed / 2) : 0;
        CHECK_NEAR(row[8], stored, 1e-12, "row %d: energy of the contact", i);
        CHECK_NEAR(row[5] + row[6] + row[7] + row[8], 1, 1e-6, "row %d: energy", i);
        CHECK(row[4] == 0 || row[1] > 0, "row %d: force", i);
        int event = t.rows[i].phase > 0 ? t.rows[i].event : 0;
        events[event < 4 ? event : 0]++;
    }
    CHECK(events[1] == 5 && events[2] == 1 && events[3] == 5, "%d touches, %d, %d separations",
          events[1], events[2], events[3]);
    CHECK(t.n == SAMPLES + 11, "%d rows", t.n);
    CHECK_NEAR(t.rows[t.n - 1].x[0], batch_out(&b, "duration")[0], 1e-12, "last row");
    CHECK_NEAR(t.rows[t.n - 1].x[3], batch_out(&b, "relative_velocity_out")[0], 1e-9, "last row");
    batch_close(&b);
}

SUITE("beam", identities, identities_with_damping, outside, circular_section, other_units, reuse,
      history)
