/* The rod on a viscoelastic surface: identities of every cell, other units and the mirror, and the
 * rigid theory in the limit of a stiff surface. */
#include <math.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/rods.h"
#include "support/suite.h"

static void identities(void) {
    batch b = batch_open("viscoelastic", "stick_rule=coulomb", 3000);
    rods_draw(&b);
    batch_solve(&b);
    int seen[5] = {0};
    for (size_t i = 0; i < b.n; i++) {
        if (b.outcome[i] != IMP_SOLVED) {
            continue;
        }
        double m = batch_in(&b, "mass")[i], v_t = batch_in(&b, "velocity_ratio")[i];
        double p_t = batch_out(&b, "tangential_impulse")[i];
        double p_n = batch_out(&b, "normal_impulse")[i], mu = batch_in(&b, "friction")[i];
        double turn = batch_out(&b, "angular_velocity")[i], l = batch_in(&b, "length")[i] / 2;
        double angle = batch_out(&b, "final_angle")[i];
        seen[(int)batch_out(&b, "mode")[i]]++;
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-11);
        CHECK(fabs(p_t) <= mu * p_n * (1 + 1e-9), "friction: %s", batch_text(&b, i));
        CHECK_CELL(&b, i, batch_out(&b, "friction_loss")[i] >= -1e-12);
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "body_velocity_t")[i] - v_t, p_t / m, 1e-11);
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "body_velocity_n")[i] + 1, p_n / m, 1e-11);
        CHECK_NEAR(batch_out(&b, "body_velocity_n")[i] + turn * l * sin(angle),
                   batch_out(&b, "kinematic_restitution")[i], 1e-11, "tip: %s", batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "body_velocity_t")[i] + turn * l * cos(angle),
                   batch_out(&b, "velocity_ratio_out")[i], 1e-11, "tip: %s", batch_text(&b, i));
        if (batch_in(&b, "damping")[i] == 0) {
            CHECK_OUTPUT(&b, i, "energetic_restitution", 1, 1e-10);
        }
    }
    for (int mode = 1; mode <= 4; mode++) {
        CHECK(seen[mode] > 30, "mode %d in %d cells", mode, seen[mode]);
    }
    batch_close(&b);
}

/* Under strong damping the surface lets go at the tip speed 1/zeta. */
static void strong_damping(void) {
    batch b = batch_open("viscoelastic", "", 40);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "damping")[i] = 10 + (double)i;
        batch_in(&b, "friction")[i] = 0.02 * (double)i;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double zeta = batch_in(&b, "damping")[i];
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "kinematic_restitution")[i] * zeta, 1, 1e-12);
    }
    batch_close(&b);
}

/* The rod seen from behind. */
static batch solved_mirrored(size_t n) {
    batch b = batch_open("viscoelastic", "", n);
    rods_draw(&b);
    batch_set(&b, "exponent", 1);
    for (size_t i = 0; i < n; i++) {
        batch_in(&b, "angle")[i] *= -1;
        batch_in(&b, "velocity_ratio")[i] *= -1;
    }
    batch_solve(&b);
    return b;
}

/* In other units, whose factors are powers of 4. */
static batch solved_scaled(size_t n) {
    batch b = batch_open("viscoelastic", "", n);
    rods_draw(&b);
    batch_set(&b, "exponent", 1);
    for (size_t i = 0; i < n; i++) {
        batch_in(&b, "mass")[i] *= 64;
        batch_in(&b, "length")[i] *= 16;
        batch_in(&b, "normal_speed")[i] *= 4;
        batch_in(&b, "damping")[i] /= 4;
        batch_in(&b, "normal_stiffness")[i] *= 64.0 / 16; /* mass over time squared */
    }
    batch_solve(&b);
    return b;
}

static void check_transformed(const batch *b, const batch *mirrored, const batch *scaled,
                              size_t i) {
    static const char *const even[] = {"kinematic_restitution", "kinetic_restitution", "mode",
                                       "energy_loss"};
    static const char *const odd[] = {"velocity_ratio_out", "impulse_ratio_out", "final_angle"};
    for (int k = 0; k < SUITE_COUNT(even); k++) {
        double expected = batch_out(b, even[k])[i];
        CHECK_NEAR(batch_out(mirrored, even[k])[i], expected, 1e-12, "%s of %s", even[k],
                   batch_text(b, i));
        CHECK_NEAR(batch_out(scaled, even[k])[i], expected, 0, "%s of %s", even[k],
                   batch_text(scaled, i));
    }
    for (int k = 0; k < SUITE_COUNT(odd); k++) {
        double expected = batch_out(b, odd[k])[i];
        CHECK_NEAR(batch_out(mirrored, odd[k])[i], -expected, 1e-12, "%s of %s", odd[k],
                   batch_text(b, i));
        CHECK_NEAR(batch_out(scaled, odd[k])[i], expected, 0, "%s of %s", odd[k],
                   batch_text(scaled, i));
    }
    CHECK_OUTPUT(scaled, i, "duration", 4 * batch_out(b, "duration")[i], 0);
    CHECK_OUTPUT(scaled, i, "normal_impulse", 256 * batch_out(b, "normal_impulse")[i], 0);
}

static void transformations(void) {
    batch b = batch_open("viscoelastic", "", 500);
    rods_draw(&b);
    batch_set(&b, "exponent", 1);
    batch_solve(&b);
    batch mirrored = solved_mirrored(b.n), scaled = solved_scaled(b.n);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == mirrored.outcome[i] && b.outcome[i] == scaled.outcome[i]);
        if (b.outcome[i] == IMP_SOLVED) {
            check_transformed(&b, &mirrored, &scaled, i);
        }
    }
    BATCH_CLOSE(&b, &mirrored, &scaled);
}

/* On a stiff surface the rod has no time to turn: its results are those of the rigid theory with
 * the energetic coefficient 1. */
static void stiff_surface(void) {
    static const char *const outputs[] = {
        "kinematic_restitution", "kinetic_restitution", "velocity_ratio_out", "normal_impulse",
        "tangential_impulse",    "angular_velocity",    "body_energy_loss"};
    batch soft = batch_open("viscoelastic", "", 400);
    batch rigid = batch_open("rigid", "body=rod law=energetic", soft.n);
    random_source source = {542};
    batch_set(&rigid, "restitution", 1);
    BATCH_SET(&soft, {"normal_stiffness", 1e14}, {"damping", 0});
    for (size_t i = 0; i < soft.n; i++) {
        double angle = random_between(&source, -1.4, 1.4), v = random_between(&source, -2, 2);
        double friction = random_between(&source, 0, 1.2);
        batch_in(&soft, "angle")[i] = batch_in(&rigid, "angle")[i] = angle;
        batch_in(&soft, "velocity_ratio")[i] = batch_in(&rigid, "velocity_ratio")[i] = v;
        batch_in(&soft, "friction")[i] = batch_in(&rigid, "friction")[i] = friction;
    }
    BATCH_SOLVE(&soft, &rigid);
    for (size_t i = 0; i < soft.n; i++) {
        CHECK_CELL(&soft, i, soft.outcome[i] == IMP_SOLVED);
        for (int k = 0; k < SUITE_COUNT(outputs); k++) {
            double expected = batch_out(&rigid, outputs[k])[i];
            CHECK_NEAR(batch_out(&soft, outputs[k])[i], expected, 1e-5 * fmax(1, fabs(expected)),
                       "%s of %s", outputs[k], batch_text(&soft, i));
        }
    }
    BATCH_CLOSE(&soft, &rigid);
}

/* A lamina with the moment of inertia and the contact point of a rod is that rod. */
static void lamina_as_rod(void) {
    batch rod = batch_open("viscoelastic", "", 500);
    batch lamina = batch_open("viscoelastic", "body=lamina", rod.n);
    rods_draw(&rod);
    for (size_t i = 0; i < rod.n; i++) {
        double length = batch_in(&rod, "length")[i], angle = batch_in(&rod, "angle")[i];
        batch_in(&rod, "initial_spin")[i] = i % 3 ? 0 : 1.5 - 0.006 * (double)i;
        for (int p = 0; p < imp_input_count(rod.solver); p++) {
            const char *name = imp_input_at(rod.solver, p)->name;
            if (imp_input(lamina.solver, name) >= 0) {
                batch_in(&lamina, name)[i] = rod.in[p][i];
            }
        }
        batch_in(&lamina, "offset_t")[i] = length / 2 * sin(angle);
        batch_in(&lamina, "offset_n")[i] = -length / 2 * cos(angle);
        batch_in(&lamina, "gyration_radius")[i] = length / sqrt(12);
    }
    BATCH_SOLVE(&rod, &lamina);
    for (size_t i = 0; i < rod.n; i++) {
        CHECK_CELL(&lamina, i, lamina.outcome[i] == IMP_SOLVED);
        for (int o = 0; rod.outcome[i] == IMP_SOLVED && o < rod.theory->n_outputs; o++) {
            double expected = rod.out[o][i];
            CHECK(isnan(expected) == isnan(lamina.out[o][i]), "%s of %s",
                  rod.theory->outputs[o].name, batch_text(&rod, i));
            CHECK_NEAR(isnan(expected) ? 0 : lamina.out[o][i], isnan(expected) ? 0 : expected,
                       1e-9 * fmax(1, fabs(expected)), "%s of %s", rod.theory->outputs[o].name,
                       batch_text(&rod, i));
        }
    }
    BATCH_CLOSE(&rod, &lamina);
}

/* Laminae keep their energy without damping and friction, and a body that is touched below its mass
 * centre does not turn: it rebounds as a mass on a spring, after half a period. */
static void simple_laminae(void) {
    batch b = batch_open("viscoelastic", "body=lamina", 200);
    random_source source = {544};
    for (size_t i = 0; i < b.n; i++) {
        bool straight = i % 2;
        batch_in(&b, "offset_t")[i] = straight ? 0 : random_between(&source, -2, 2);
        batch_in(&b, "offset_n")[i] = random_between(&source, -2, 0.5);
        batch_in(&b, "friction")[i] = 0;
        batch_in(&b, "damping")[i] = 0;
        batch_in(&b, "mass")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 1e3, 1e5);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -1, 1);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "body_energy_loss", 0, 1e-11);
        if (i % 2) {
            double root = sqrt(batch_in(&b, "mass")[i] / batch_in(&b, "normal_stiffness")[i]);
            CHECK_CELL_NEAR(&b, i, batch_out(&b, "duration")[i] / root, acos(-1), 1e-9);
            CHECK_OUTPUT(&b, i, "kinematic_restitution", 1, 1e-11);
        }
    }
    batch_close(&b);
}

SUITE("viscoelastic", identities, strong_damping, transformations, stiff_surface, lamina_as_rod,
      simple_laminae)
