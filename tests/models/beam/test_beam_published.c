/* The beam against published numbers, their converged values, and closed forms.
 *
 * J. Appl. Mech. 91 (2024) 011011, section 5.6 and figure 2: aluminium bar on a pin, contact at
 * 0.68 of its length, -6 rad/s. The paper's scheme is not converged in time; the test `converged`
 * has the converged values. */
#include <math.h>
#include <stdio.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/suite.h"

typedef struct row {
    const char *choices;
    double internal_damping;
    const char *output;
    double value, tolerance;
} row;

static double solve_one(const char *choices, double internal_damping, const char *output) {
    batch b = batch_open("beam", choices, 1);
    batch_set(&b, "internal_damping", internal_damping);
    batch_solve(&b);
    double value = b.outcome[0] == IMP_SOLVED ? batch_out(&b, output)[0] : NAN;
    batch_close(&b);
    return value;
}

static void check_rows(const row *rows, int n) {
    for (int i = 0; i < n; i++) {
        double value = solve_one(rows[i].choices, rows[i].internal_damping, rows[i].output);
        CHECK_NEAR(value, rows[i].value, rows[i].tolerance, "%s %s c_i=%g", rows[i].output,
                   rows[i].choices, rows[i].internal_damping);
    }
}

static void published(void) {
    static const row rows[] = {
        {"", 0, "relative_velocity_in", 0.0624, 6e-5},
        {"", 0, "compression_time", 0.0540, 6e-5},
        {"", 0, "duration", 0.0981, 6e-5},
        {"", 0, "relative_velocity_out", -0.0397, 1e-4},
        {"", 0, "impulse_compression", 0.0449, 6e-5},
        {"", 0, "impulse_restitution", 0.0286, 6e-5},
        {"", 0, "sub_impacts", 5, 0},
        {"", 1e6, "compression_time", 0.0497, 6e-5},
        {"", 1e6, "duration", 0.0927, 6e-5},
        {"", 1e6, "kinematic_restitution", 0.4950, 6e-5},
        {"", 1e6, "sub_impacts", 2, 0},
        {"", 1e6, "energy_loss", 0.3909, 5e-4},
    };
    check_rows(rows, SUITE_COUNT(rows));
}

static void converged(void) {
    static const row rows[] = {
        {"", 0, "relative_velocity_in", 0.062414, 5e-7},
        {"", 0, "compression_time", 0.054026426, 1e-7},
        {"", 0, "duration", 0.098091376, 1e-7},
        {"", 0, "relative_velocity_out", -0.039782, 5e-7},
        {"", 0, "kinematic_restitution", 0.6373934, 1e-7},
        {"", 0, "kinetic_restitution", 0.6373934, 1e-7},
        {"", 0, "impulse_compression", 0.044941, 5e-7},
        {"", 0, "impulse_restitution", 0.028645, 5e-7},
        {"", 1e6, "compression_time", 0.049736807, 1e-7},
        {"", 1e6, "duration", 0.092706046, 1e-7},
        {"", 1e6, "kinematic_restitution", 0.4949698, 1e-7},
        {"", 1e6, "energy_loss", 0.390585, 1e-6},
        {"", 1e6, "vibration_energy", 0.3644, 5e-5},
    };
    check_rows(rows, SUITE_COUNT(rows));
}

/* The lagged Newmark scheme has the published digits, and the energy that it creates. */
static void published_scheme(void) {
    static const row rows[] = {
        {"solver=newmark", 0, "kinematic_restitution", 0.6362, 5e-5},
        {"solver=newmark", 0, "kinetic_restitution", 0.636, 5e-4},
        {"solver=newmark", 0, "compression_time", 0.0540, 6e-5},
        {"solver=newmark", 0, "duration", 0.0981, 6e-5},
        {"solver=newmark", 0, "relative_velocity_out", -0.0397, 6e-5},
        {"solver=newmark", 0, "sub_impacts", 5, 0},
        {"solver=newmark", 0, "residual", 0.004, 5e-4},
        {"solver=newmark", 1e6, "kinematic_restitution", 0.4950, 6e-5},
        {"solver=newmark", 1e6, "sub_impacts", 2, 0},
    };
    check_rows(rows, SUITE_COUNT(rows));
    batch b = batch_open("beam", "solver=newmark", 1);
    batch_solve(&b);
    CHECK(batch_out(&b, "rigid_energy")[0] + batch_out(&b, "vibration_energy")[0] > 1.0035,
          "the scheme creates energy");
    batch_close(&b);
}

static void sub_impacts(void) {
    static const double begin[] = {0, 0.0362739, 0.0521031, 0.0813469, 0.0931082};
    static const double end[] = {0.0195473, 0.0456407, 0.0592638, 0.0906448, 0.0980914};
    batch b = batch_open("beam", "", 1);
    batch_solve(&b);
    const double *began = batch_out(&b, "sub_impact_begin"),
                 *ended = batch_out(&b, "sub_impact_end");
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(began[i], begin[i], 1e-6, "sub-impact %d", i);
        CHECK_NEAR(ended[i], end[i], 1e-6, "sub-impact %d", i);
    }
    CHECK(isnan(began[5]) && isnan(ended[5]), "a sixth sub-impact");
    batch_close(&b);
}

/* With external damping the two ratios differ. */
static void external_damping(void) {
    batch b = batch_open("beam", "", 1);
    batch_set(&b, "external_damping", 100);
    batch_solve(&b);
    CHECK_NEAR(batch_out(&b, "kinematic_restitution")[0], 0.515, 5e-4, "Newton");
    CHECK_NEAR(batch_out(&b, "kinetic_restitution")[0], 0.635, 5e-4, "Poisson");
    CHECK(batch_out(&b, "residual")[0] < 1e-6, "residual");
    batch_close(&b);
}

/* More modes, with at least as many elements; and 160 elements. */
static void modes_and_elements(void) {
    static const struct {
        double modes, elements, value, tolerance;
    } rows[] = {{25, 80, 0.637393, 1e-6},
                {40, 80, 0.637248, 1e-6},
                {80, 80, 0.637214, 1e-6},
                {120, 120, 0.637211, 3e-5},
                {25, 160, 0.637372, 1e-6}};
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        batch b = batch_open("beam", "", 1);
        BATCH_SET(&b, {"mode_count", rows[i].modes}, {"elements", rows[i].elements});
        batch_solve(&b);
        CHECK_NEAR(batch_out(&b, "kinematic_restitution")[0], rows[i].value, rows[i].tolerance,
                   "%g modes, %g elements", rows[i].modes, rows[i].elements);
        batch_close(&b);
    }
}

/* ---- closed forms ---- */

static const double length = 0.508, modulus = 68.3e9, poisson = 0.34, linear_mass = 0.3433,
                    moment = 1.277e-9, radius = 6.35e-3, pin = 0.0375;

static double unit_rate(void) {
    return sqrt(modulus * moment / linear_mass) / (length * length);
}

/* Dimensionless Hertz stiffness with both surfaces of the beam's material. */
static double stiffness(void) {
    double plane = modulus / (2 * (1 - poisson * poisson));
    return 4.0 / 3 * plane * pow(length, 4) / (modulus * moment) * sqrt(radius / length);
}

/* In a very soft contact the beam stays rigid: it has Hertz's duration and no loss. With 25 modes
 * the compliance of the beam makes the duration longer by 8.6e-4. */
static void rigid_limit(void) {
    const double soft = 1e-6, plane = (1 - poisson * poisson) / modulus;
    batch b = batch_open("beam", "", 2);
    batch_set(&b, "striker_modulus", (1 - poisson * poisson) / (2 * plane / soft - plane));
    batch_in(&b, "mode_count")[0] = 1;
    batch_solve(&b);
    double left = pin, right = 1 - pin, lever = 0.68 - pin;
    double mass = (right * right * right + left * left * left) / 3 / (lever * lever);
    double speed = 6 / unit_rate() * lever;
    double duration = 2.94326 * pow(5 * mass / (4 * soft * stiffness()), 0.4) * pow(speed, -0.2);
    for (int i = 0; i < 2; i++) {
        CHECK_CELL(&b, (size_t)i, b.outcome[i] == IMP_SOLVED);
    }
    CHECK_NEAR(batch_out(&b, "duration")[0], duration, 1e-5 * duration, "Hertz");
    CHECK_NEAR(batch_out(&b, "kinematic_restitution")[0], 1, 1e-5, "rigid beam");
    CHECK_NEAR(batch_out(&b, "duration")[1] / duration - 1, 8.6e-4, 2e-5, "25 modes");
    batch_close(&b);
}

/* A ball on a beam so long that no wave returns in time (Zener's problem for a beam): its
 * restitution depends on m / sqrt(2 pi T) alone. */
static void ball_on_infinite_beam(void) {
    static const struct {
        double lambda, mass, restitution;
    } rows[] = {{0.1, 0.01, 0.83399}, {0.5, 0.04, 0.36565}};
    batch b = batch_open("beam", "boundary=free striker=free", SUITE_COUNT(rows));
    BATCH_SET(&b, {"position", 0.5}, {"angular_velocity", 0}, {"mode_count", 150},
              {"elements", 200});
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        double m = rows[i].mass, time = m * m / (rows[i].lambda * rows[i].lambda * 2 * pi);
        double speed = m * m / (stiffness() * stiffness() * pow(time, 5));
        batch_in(&b, "striker_mass")[i] = m * linear_mass * length;
        batch_in(&b, "speed")[i] = speed * length * unit_rate();
    }
    batch_solve(&b);
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        double e = batch_out(&b, "kinematic_restitution")[i];
        double ball = batch_out(&b, "ball_restitution")[i];
        CHECK_NEAR(ball, rows[i].restitution, 1e-3, "lambda %g", rows[i].lambda);
        CHECK_NEAR(ball, (1 + e) / (1 + rows[i].mass) - 1, 1e-9, "lambda %g", rows[i].lambda);
    }
    batch_close(&b);
}

SUITE("beam, published", published, converged, published_scheme, sub_impacts, external_damping,
      modes_and_elements, rigid_limit, ball_on_infinite_beam)
