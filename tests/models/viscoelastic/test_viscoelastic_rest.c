/* Tips that start at rest along the surface, or nearly, and events that coincide: friction never
 * creates energy, cells at rest are the limit of cells that hardly slip, and upright bodies rebound
 * as a mass on a spring. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const choices[] = {"body=rod stick_rule=latched", "body=rod stick_rule=coulomb",
                                      "body=lamina stick_rule=latched",
                                      "body=lamina stick_rule=coulomb"};

static void place(const batch *b, size_t i, double angle) {
    if (imp_input(b->solver, "length") >= 0) {
        batch_in(b, "angle")[i] = angle;
        return;
    }
    batch_in(b, "offset_t")[i] = sin(angle);
    batch_in(b, "offset_n")[i] = i % 2 ? -cos(angle) : 0.4 * cos(angle);
    batch_in(b, "gyration_radius")[i] = i % 4 ? 1 : 0.3;
}

/* Upright or not, with spin or without; alike in batches of different slip. */
static batch solved(const char *chosen, double slip) {
    static const double angles[] = {0, 1e-9, -1e-6, -1e-3, 0.05};
    static const double exponents[] = {1, 1.5, 2.3};
    batch b = batch_open("viscoelastic", chosen, 1000);
    random_source source = {545};
    for (size_t i = 0; i < b.n; i++) {
        double angle = random_between(&source, -1.3, 1.3), spin = random_log(&source, 1e-5, 3);
        int which = random_index(&source, SUITE_COUNT(angles));
        place(&b, i, i % 3 ? angle : angles[which]);
        batch_in(&b, "velocity_ratio")[i] = slip;
        batch_in(&b, "initial_spin")[i] = i % 5 ? (i % 2 ? spin : -spin) : 0;
        batch_in(&b, "friction")[i] = i % 7 ? random_between(&source, 0, 1.5) : 0;
        batch_in(&b, "damping")[i] = i % 2 ? random_between(&source, 0, 1) : 0;
        batch_in(&b, "exponent")[i] = exponents[random_index(&source, SUITE_COUNT(exponents))];
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 10, 1e6);
    }
    batch_solve(&b);
    return b;
}

static void check_energy(const char *chosen, double slip) {
    batch b = solved(chosen, slip);
    bool breaks = strstr(chosen, "coulomb") != NULL;
    for (size_t i = 0; i < b.n; i++) {
        bool outside = b.outcome[i] == IMP_OUTSIDE && imp_input(b.solver, "length") >= 0;
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED || outside);
        if (b.outcome[i] != IMP_SOLVED) {
            continue;
        }
        double most = batch_in(&b, "friction")[i] * batch_out(&b, "normal_impulse")[i];
        double p_t = batch_out(&b, "tangential_impulse")[i];
        CHECK_CELL(&b, i, batch_out(&b, "friction_loss")[i] >= -1e-9);
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-11);
        CHECK(!breaks || fabs(p_t) <= most + 1e-9, "friction: %s", batch_text(&b, i));
    }
    batch_close(&b);
}

static void no_energy_of_friction(void) {
    static const double slips[] = {0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3};
    for (int c = 0; c < SUITE_COUNT(choices); c++) {
        for (int s = 0; s < SUITE_COUNT(slips); s++) {
            check_energy(choices[c], slips[s]);
            check_energy(choices[c], -slips[s]);
        }
    }
}

/* A stick that is kept to the end may begin or not for any slip, however slow: only where it can
 * break do results not jump. */
static void check_limit(const char *chosen, double slip) {
    static const char *const outputs[] = {"kinematic_restitution", "velocity_ratio_out",
                                          "body_energy_loss", "tangential_impulse", "duration"};
    batch rest = solved(chosen, 0), near = solved(chosen, slip);
    for (size_t i = 0; i < rest.n; i++) {
        bool both = rest.outcome[i] == IMP_SOLVED && near.outcome[i] == IMP_SOLVED;
        for (int k = 0; both && k < SUITE_COUNT(outputs); k++) {
            CHECK_NEAR(batch_out(&rest, outputs[k])[i], batch_out(&near, outputs[k])[i], 1e-4,
                       "%s of %s", outputs[k], batch_text(&near, i));
        }
    }
    BATCH_CLOSE(&rest, &near);
}

static void limit_of_slow_slip(void) {
    for (int c = 1; c < SUITE_COUNT(choices); c += 2) {
        check_limit(choices[c], 1e-6);
        check_limit(choices[c], -1e-6);
    }
}

/* A rod that stands on its tip, or a lamina on a point below its mass centre, meets no tangential
 * force: half a period of a mass on a spring, even where it sinks in by more than half a length. */
static void upright(void) {
    for (int c = 0; c < SUITE_COUNT(choices); c++) {
        batch b = batch_open("viscoelastic", choices[c], 300);
        random_source source = {546};
        for (size_t i = 0; i < b.n; i++) {
            place(&b, i, 0);
            batch_in(&b, "velocity_ratio")[i] = 0;
            batch_in(&b, "friction")[i] = random_between(&source, 0, 2);
            batch_in(&b, "damping")[i] = 0;
            batch_in(&b, "mass")[i] = 1;
            batch_in(&b, "normal_stiffness")[i] = random_log(&source, 1.2, 1e6);
        }
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            double half = pi / sqrt(batch_in(&b, "normal_stiffness")[i]);
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK_CELL(&b, i, strcmp(batch_sequence(&b, i), "stick") == 0);
            CHECK_OUTPUT(&b, i, "kinematic_restitution", 1, 1e-11);
            CHECK_OUTPUT(&b, i, "velocity_ratio_out", 0, 1e-11);
            CHECK_CELL_NEAR(&b, i, batch_out(&b, "duration")[i] / half, 1, 1e-9);
        }
        batch_close(&b);
    }
}

/* Spinning rods whose tips soon stick: values of an implicit integration with friction that grows
 * steeply with the slip instead of jumping. */
static void spinning_rods(void) {
    static const struct {
        double degrees, friction, spin, stiffness, restitution;
    } cells[] = {{-10, 0.5, 0.1, 1e3, 1.003141},
                 {-3, 1.4, 0.05, 5e5, 1.000007},
                 {3, 1.4, 0.05, 5e5, 1.000034},
                 {-5, 0.3, 0.5, 1e4, 0.998929}};
    batch b = batch_open("viscoelastic", "", SUITE_COUNT(cells));
    BATCH_SET(&b, {"velocity_ratio", 0}, {"damping", 0});
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = cells[i].degrees * pi / 180;
        batch_in(&b, "friction")[i] = cells[i].friction;
        batch_in(&b, "initial_spin")[i] = cells[i].spin;
        batch_in(&b, "normal_stiffness")[i] = cells[i].stiffness;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_OUTPUT(&b, i, "kinematic_restitution", cells[i].restitution, 2e-6);
        CHECK_OUTPUT(&b, i, "velocity_ratio_out", 0, 5e-6);
        CHECK_OUTPUT(&b, i, "body_energy_loss", 0, 5e-6);
    }
    batch_close(&b);
}

/* Friction so large that the slip ends within the rounding of the velocities: the energy that it
 * takes is not known, and no cell that lacks some is solved. */
static void lost_energy(void) {
    batch b = batch_open("viscoelastic", "body=lamina", 40);
    int lost = 0;
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "offset_t")[i] = 0.1;
        batch_in(&b, "offset_n")[i] = -0.5;
        batch_in(&b, "velocity_ratio")[i] = 0.1 * (double)(i + 1);
        batch_in(&b, "friction")[i] = 1e9;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        lost += b.outcome[i] == IMP_NO_CONVERGENCE;
        CHECK_CELL(&b, i, b.outcome[i] != IMP_SOLVED || batch_out(&b, "residual")[i] <= 1e-6);
    }
    CHECK(lost > 0, "no cell loses energy");
    batch_close(&b);
}

SUITE("viscoelastic rest", no_energy_of_friction, limit_of_slow_slip, upright, spinning_rods,
      lost_energy)
