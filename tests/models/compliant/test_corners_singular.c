/* Delicate corners of bodies with one degree of freedom, whose inverse mass is singular, and of
 * matrices that are nearly singular: endless stick, the boundaries of the pendulum's modes,
 * friction without bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/contacts.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const reversed = "slip_stick_slip_reversed";

/* ---- one degree of freedom, and matrices that have it ---- */

enum { PENDULUMS = 20000 };

static batch random_pendulums(void) {
    batch b = batch_open("compliant", "body=pendulum", PENDULUMS);
    random_source source = {52};
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, 1, 89) * pi / 180;
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.001, 10);
    }
    batch_solve(&b);
    return b;
}

/* A stick returns to its start after a full period, where rounding may cause endless loops. There
 * are three sequences and no others. */
static void rank_one_stick(void) {
    static const char *const sequences[] = {"stick", "slip- stick slip+",
                                            "slip- stick slip+ stick"};
    batch b = random_pendulums();
    int seen[SUITE_COUNT(sequences)] = {0};
    for (size_t i = 0; i < b.n; i++) {
        int known = -1;
        for (int k = 0; k < SUITE_COUNT(sequences); k++) {
            known = strcmp(batch_sequence(&b, i), sequences[k]) == 0 ? k : known;
        }
        CHECK(known >= 0, "%s: %s", batch_sequence(&b, i), batch_text(&b, i));
        seen[known < 0 ? 0 : known]++;
        contacts_check_sound(&b, i, 1e-9);
    }
    CHECK(seen[0] > 0 && seen[1] > 0 && seen[2] > 0, "%d %d %d", seen[0], seen[1], seen[2]);
    batch_close(&b);
}

/* A number as a user prints and types it. */
static double printed(double value, int digits) {
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

static batch pendulums_as_matrices(const batch *pendulums, int digits, double side) {
    batch b = batch_open("compliant", "body=matrix", pendulums->n);
    for (size_t i = 0; i < b.n; i++) {
        double angle = batch_in(pendulums, "angle")[i], c = cos(angle), s = sin(angle);
        batch_in(&b, "friction")[i] = batch_in(pendulums, "friction")[i];
        batch_in(&b, "stiffness_ratio")[i] = batch_in(pendulums, "stiffness_ratio")[i];
        batch_in(&b, "b11")[i] = printed(c * c, digits);
        batch_in(&b, "b12")[i] = side * printed(s * c, digits);
        batch_in(&b, "b22")[i] = printed(s * s, digits);
        batch_in(&b, "velocity_ratio")[i] = -side * printed(c / s, digits);
    }
    batch_solve(&b);
    return b;
}

/* side = -1: the pendulum leans the other way, everything is mirrored. */
static void check_matrices(const batch *pendulums, int digits, double side, double tolerance) {
    batch b = pendulums_as_matrices(pendulums, digits, side);
    for (size_t i = 0; i < b.n; i++) {
        double e = batch_out(&b, "kinematic_restitution")[i];
        double expected = batch_out(pendulums, "kinematic_restitution")[i];
        double loss = batch_out(pendulums, "energy_loss")[i];
        CHECK(b.outcome[i] == IMP_SOLVED, "%d digits: %s", digits, batch_text(&b, i));
        CHECK(strcmp(batch_mode(&b, i),
                     imp_mode_name(b.theory, (int)batch_out(pendulums, "mode")[i])) == 0,
              "%d digits, mode %s: %s", digits, batch_mode(&b, i), batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "energy_loss")[i], loss, tolerance, "%d digits: %s", digits,
                   batch_text(&b, i));
        if (!isnan(expected)) {
            CHECK_NEAR(e * e, expected * expected, tolerance, "%d digits: %s", digits,
                       batch_text(&b, i));
        }
    }
    batch_close(&b);
}

static void singular_matrices(void) {
    batch pendulums = random_pendulums();
    check_matrices(&pendulums, 17, 1, 1e-11);
    check_matrices(&pendulums, 17, -1, 1e-11);
    check_matrices(&pendulums, 14, 1, 1e-6);
    batch_close(&pendulums);
}

/* ---- nearly singular matrices of exact numbers: those of a lamina with whole offsets ---- */

static void nearly_singular_matrices(void) {
    enum { BODIES = 60 };
    static const char *const outputs[] = {"kinematic_restitution", "velocity_ratio_out",
                                          "energy_loss", "duration"};
    batch lamina = batch_open("compliant", "body=lamina", BODIES);
    batch matrix = batch_open("compliant", "body=matrix", BODIES);
    random_source source = {53};
    for (size_t i = 0; i < BODIES; i++) {
        double x = floor(random_log(&source, 1e3, 1e5)),
               y = floor(x * random_between(&source, -3, 3));
        batch_in(&lamina, "offset_t")[i] = x;
        batch_in(&lamina, "offset_n")[i] = y;
        batch_in(&matrix, "b11")[i] = 1 + y * y;
        batch_in(&matrix, "b12")[i] = -x * y;
        batch_in(&matrix, "b22")[i] = 1 + x * x;
        double friction = random_log(&source, 0.05, 2), ratio = random_log(&source, 0.1, 10);
        double velocity = random_between(&source, -3, 3);
        for (int k = 0; k < 2; k++) {
            batch *b = k ? &matrix : &lamina;
            batch_in(b, "friction")[i] = friction;
            batch_in(b, "stiffness_ratio")[i] = ratio;
            batch_in(b, "velocity_ratio")[i] = velocity;
        }
    }
    BATCH_SOLVE(&lamina, &matrix);
    int solved = 0;
    for (size_t i = 0; i < BODIES; i++) {
        solved += lamina.outcome[i] == IMP_SOLVED;
        CHECK_CELL(&matrix, i, matrix.outcome[i] == lamina.outcome[i]);
        for (int o = 0; lamina.outcome[i] == IMP_SOLVED && o < SUITE_COUNT(outputs); o++) {
            double expected = batch_out(&lamina, outputs[o])[i];
            CHECK_OUTPUT(&matrix, i, outputs[o], expected, 1e-8 * (1 + fabs(expected)));
        }
    }
    CHECK(solved > BODIES / 2, "%d are solved", solved);
    BATCH_CLOSE(&lamina, &matrix);
}

/* ---- gross stick of the pendulum at friction stiffness_ratio tan(angle) = 1 ---- */

static double squared_restitution(double t, double mu, double eta) {
    return 1 - 2 * mu * (1 - mu * eta * t) / ((t + mu) * (1 + mu * eta * t));
}

static batch solve_pendulum(double angle, double friction, double ratio) {
    batch b = batch_open("compliant", "body=pendulum", 1);
    BATCH_SET(&b, {"angle", angle}, {"friction", friction}, {"stiffness_ratio", ratio});
    batch_solve(&b);
    return b;
}

static void gross_stick_boundary(void) {
    static const double offs[] = {0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6};
    for (int k = 0; k < 2 * SUITE_COUNT(offs); k++) {
        double off = k % 2 ? -offs[k / 2] : offs[k / 2];
        for (double degrees = 20; degrees < 90; degrees += 3) {
            double angle = degrees * pi / 180, t = tan(angle), mu = 0.7;
            double ratio = (1 + off) / (mu * t);
            batch b = solve_pendulum(angle, mu, ratio);
            double e = *batch_out(&b, "kinematic_restitution");
            double expected = off >= 0 ? 1 : squared_restitution(t, mu, ratio);
            contacts_check_sound(&b, 0, 1e-12);
            CHECK_NEAR(e * e, expected, 1e-12, "off by %g: %s", off, batch_text(&b, 0));
            if (fabs(off) >= 1e-12) {
                CHECK(batch_has_mode(&b, 0, off > 0 ? "gross_stick" : reversed),
                      "mode %s, off by %g", batch_mode(&b, 0), off);
            }
            batch_close(&b);
        }
    }
}

/* ---- near the critical angle e grows as the root of the distance ---- */

static void near_the_critical_angle(void) {
    static const double frictions[] = {0.1, 0.5, 1, 1.5}, ratios[] = {0.001, 0.1, 1, 1.21, 5};
    for (int k = 0; k < SUITE_COUNT(frictions) * SUITE_COUNT(ratios); k++) {
        double mu = frictions[k % 4], eta = ratios[k / 4], b = 1 + 3 * eta * mu * mu;
        double critical = atan(2 * mu / (b + sqrt(b * b + 4 * eta * mu * mu)));
        for (double off = 1e-15; off < 1e-2; off *= 10) {
            double angle = critical * (1 + off);
            batch cell = solve_pendulum(angle, mu, eta);
            double e = *batch_out(&cell, "kinematic_restitution");
            if (off > 1e-14) {
                CHECK_MODE(&cell, 0, reversed);
                CHECK_CELL_NEAR(&cell, 0, e * e, squared_restitution(tan(angle), mu, eta), 1e-14);
            }
            CHECK_OUTPUT(&cell, 0, "energy_loss",
                         1 - fmax(0, squared_restitution(tan(angle), mu, eta)), 1e-12);
            batch_close(&cell);
            cell = solve_pendulum(critical * (1 - off), mu, eta);
            CHECK_CELL(&cell, 0, off < 1e-14 || batch_has_mode(&cell, 0, "wedge"));
            CHECK_CELL(&cell, 0, *batch_out(&cell, "energy_loss") <= 1 + 1e-12);
            batch_close(&cell);
        }
    }
}

/* ---- friction without bound ---- */

/* Friction far above anything of this world must not keep a pendulum busy forever. */
static void endless_friction(void) {
    static const double angles[] = {1e-12, 1e-6, 1};
    static const double frictions[] = {1e6, 1e8, 1e10, 1e13, 1e15, 1e16, 1e17, 1e18, 1e20, 1e40};
    static const double ratios[] = {1e-300, 1e-200, 1e-100, 1e-60, 1e-40, 1e-26, 1e-20, 1e-6, 1};
    enum { FRICTIONS = SUITE_COUNT(frictions), RATIOS = SUITE_COUNT(ratios) };
    for (int k = 0; k < SUITE_COUNT(angles) * FRICTIONS * RATIOS; k++) {
        double angle = angles[k / (FRICTIONS * RATIOS)];
        double friction = frictions[k % FRICTIONS], ratio = ratios[k / FRICTIONS % RATIOS];
        batch b = solve_pendulum(angle, friction, ratio);
        double t = tan(angle), k_t = friction * ratio * t;
        double quadratic = k_t * t + t + 3 * friction * k_t - friction;
        bool clear = fabs(k_t - 1) > 1e-6 && fabs(quadratic) > 1e-6 * friction && ratio > 1e-50;
        const char *mode = k_t >= 1 ? "gross_stick" : quadratic > 0 ? reversed : "wedge";
        if (b.outcome[0] == IMP_SOLVED && clear) {
            CHECK_MODE(&b, 0, mode);
        }
        batch_close(&b);
    }
}

/* ---- springs that return less than they stored ---- */

/* Pendulums whose arms are all but normal to the plane: what they slip between the faces of the
 * cone is soon lost in rounding, and then they ring there forever. They do so where the motion that
 * unloads from rest does not reach the other face, by the formula for springs of restitution 1 with
 * the stiffness ratio of unloading. */
static void slip_lost_in_rounding(void) {
    enum { CELLS = 20000, BUDGET = 20000 };
    batch b = batch_open("compliant", "body=pendulum", CELLS);
    random_source source = {58};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "friction")[i] = random_log(&source, 1e-5, 1);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.01, 100);
        batch_in(&b, "angle")[i] = random_log(&source, 1e-9, 0.1);
        batch_in(&b, "restitution")[i] = random_between(&source, 0.1, 1);
    }
    imp_set_budget(b.solver, BUDGET);
    batch_solve(&b);
    int wedges = 0;
    for (size_t i = 0; i < CELLS; i++) {
        double mu = batch_in(&b, "friction")[i], t = tan(batch_in(&b, "angle")[i]);
        double e = batch_in(&b, "restitution")[i];
        double k_t = mu * batch_in(&b, "stiffness_ratio")[i] / (e * e) * t;
        double quadratic = k_t * t + t + 3 * mu * k_t - mu;
        contacts_check_sound(&b, i, 1e-9);
        bool clear = fabs(quadratic) > 1e-9 * mu && fabs(k_t - 1) > 1e-9, wedge = quadratic < 0;
        wedges += wedge;
        CHECK(!clear || batch_has_mode(&b, i, "wedge") == (wedge && k_t < 1), "%s, %g %g: %s",
              batch_mode(&b, i), quadratic, k_t, batch_text(&b, i));
    }
    CHECK(wedges > CELLS / 2, "%d wedge", wedges);
    batch_close(&b);
}

SUITE("corners_singular", rank_one_stick, singular_matrices, nearly_singular_matrices,
      gross_stick_boundary, near_the_critical_angle, endless_friction, slip_lost_in_rounding)
