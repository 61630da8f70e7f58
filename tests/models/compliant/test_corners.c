/* Delicate corners of the compliant model: cells where two events coincide or where rounding decides. Each has
 * broken an early version of a program. Expected values are closed forms, limits from both sides, or brute
 * force on the exact motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;
static const char *const reversed = "slip_stick_slip_reversed";

enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 };

/* The number of a phase in the sequence, 0 past the end. */
static int phase_of(const batch *b, size_t i, int number) {
    return (int)((uint64_t)batch_out(b, "sequence")[i] >> (2 * number) & 3);
}

static bool has_mode(const batch *b, size_t i, const char *mode) {
    return strcmp(batch_mode(b, i), mode) == 0;
}

/* Solved, separated and in balance. */
static void check_sound(const batch *b, size_t i, double residual) {
    CHECK(b->outcome[i] == IMP_SOLVED, "%s", batch_text(b, i));
    CHECK_NEAR(batch_out(b, "residual")[i], 0, residual, "residual of %s", batch_text(b, i));
    if (!has_mode(b, i, "wedge")) {
        double e = batch_out(b, "kinematic_restitution")[i];
        CHECK(e > 0 && isfinite(e), "restitution %g: %s", e, batch_text(b, i));
        CHECK(batch_out(b, "duration")[i] > 0, "no duration: %s", batch_text(b, i));
    }
}

/* B times the mass. */
typedef struct inertia {
    double b11, b12, b22;
} inertia;

static inertia general_body(double coupling, double angle) {
    return (inertia){1 + coupling * cos(2 * angle), coupling * sin(2 * angle),
                     1 - coupling * cos(2 * angle)};
}

/* ---- (a) a start on the rim of the cone ---- */

static const double off_the_rim[] = {0,      1e-13, -1e-13, 1e-12, -1e-12, 1e-11,
                                     -1e-11, 1e-10, -1e-10, 1e-9,  -1e-9};

enum { RIMS = SUITE_COUNT(off_the_rim), RIM_BODIES = 2000 };

/* One body for each group of RIMS cells, which differ by their distance from the rim. */
static batch rim_cells(void) {
    batch b = batch_open("compliant", "body=general", (size_t)RIMS * RIM_BODIES);
    random_source source = {51};
    for (size_t i = 0; i < b.n; i += RIMS) {
        double coupling = random_between(&source, 0, 0.95), sign = i % 2 ? -1 : 1;
        double angle = random_between(&source, -pi / 2, pi / 2);
        double friction = random_between(&source, 0.05, 1.5);
        double ratio = random_log(&source, 0.1, 10);
        for (size_t k = 0; k < RIMS; k++) {
            batch_in(&b, "inertia_coupling")[i + k] = coupling;
            batch_in(&b, "angle")[i + k] = angle;
            batch_in(&b, "friction")[i + k] = friction;
            batch_in(&b, "stiffness_ratio")[i + k] = ratio;
            batch_in(&b, "velocity_ratio")[i + k] = sign * friction * ratio * (1 + off_the_rim[k]);
        }
    }
    batch_solve(&b);
    return b;
}

/* Slip at the rim changes its speed by den per normal impulse: it starts if den > 0. */
static double rim_den(const batch *b, size_t i) {
    inertia at = general_body(batch_in(b, "inertia_coupling")[i], batch_in(b, "angle")[i]);
    double mu = batch_in(b, "friction")[i], s = batch_in(b, "velocity_ratio")[i] < 0 ? -1 : 1;
    double q = at.b22 - mu * s * at.b12, g = at.b12 - mu * s * at.b11;
    return mu * batch_in(b, "stiffness_ratio")[i] * q + s * g;
}

static void start_on_the_cone(void) {
    batch b = rim_cells();
    int sticking = 0;
    for (size_t i = 0; i < b.n; i++) {
        size_t k = i % RIMS, group = i - k;
        double den = rim_den(&b, group), off = off_the_rim[k];
        int slip = batch_in(&b, "velocity_ratio")[i] < 0 ? SLIP_BACK : SLIP_FORTH;
        check_sound(&b, i, 1e-9);
        if (fabs(den) > 1e-6 && fabs(off) < 0.5e-11) {
            CHECK(phase_of(&b, i, 0) == (den < 0 ? STICK : slip), "%s at den %g: %s",
                  batch_sequence(&b, i), den, batch_text(&b, i));
            sticking += den < 0;
        }
        if (fabs(off) > 2e-11) {
            CHECK(phase_of(&b, i, 0) == (off < 0 ? STICK : slip), "%s: %s", batch_sequence(&b, i),
                  batch_text(&b, i));
        }
        /* The outcome is continuous across the rim. */
        static const char *const outputs[] = {"kinematic_restitution", "velocity_ratio_out",
                                              "energy_loss", "duration"};
        for (int o = 0; o < SUITE_COUNT(outputs); o++) {
            const double *values = batch_out(&b, outputs[o]);
            CHECK_NEAR(values[i], values[group], 1e-7 * (1 + fabs(values[group])), "%s of %s",
                       outputs[o], batch_text(&b, i));
        }
    }
    CHECK(sticking > RIM_BODIES && sticking < 4 * RIM_BODIES, "%d starts stick", sticking);
    batch_close(&b);
}

/* ---- (b) one degree of freedom, and matrices that have it ---- */

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

/* A stick returns to its start after a full period, where rounding may cause endless loops. There are three
 * sequences and no others. */
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
        check_sound(&b, i, 1e-9);
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

/* ---- nearly singular matrices whose numbers are exact: those of a lamina with whole offsets ---- */

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
    batch_solve(&lamina);
    batch_solve(&matrix);
    int solved = 0;
    for (size_t i = 0; i < BODIES; i++) {
        solved += lamina.outcome[i] == IMP_SOLVED;
        CHECK(matrix.outcome[i] == lamina.outcome[i], "%s", batch_text(&matrix, i));
        for (int o = 0; lamina.outcome[i] == IMP_SOLVED && o < SUITE_COUNT(outputs); o++) {
            double expected = batch_out(&lamina, outputs[o])[i];
            CHECK_NEAR(batch_out(&matrix, outputs[o])[i], expected, 1e-8 * (1 + fabs(expected)),
                       "%s of %s", outputs[o], batch_text(&matrix, i));
        }
    }
    CHECK(solved > BODIES / 2, "%d are solved", solved);
    batch_close(&lamina);
    batch_close(&matrix);
}

/* ---- (c) gross stick of the pendulum at friction stiffness_ratio tan(angle) = 1 ---- */

static double squared_restitution(double t, double mu, double eta) {
    return 1 - 2 * mu * (1 - mu * eta * t) / ((t + mu) * (1 + mu * eta * t));
}

static batch solve_pendulum(double angle, double friction, double ratio) {
    batch b = batch_open("compliant", "body=pendulum", 1);
    batch_set(&b, "angle", angle);
    batch_set(&b, "friction", friction);
    batch_set(&b, "stiffness_ratio", ratio);
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
            check_sound(&b, 0, 1e-12);
            CHECK_NEAR(e * e, expected, 1e-12, "off by %g: %s", off, batch_text(&b, 0));
            if (fabs(off) >= 1e-12) {
                CHECK(has_mode(&b, 0, off > 0 ? "gross_stick" : reversed), "mode %s, off by %g",
                      batch_mode(&b, 0), off);
            }
            batch_close(&b);
        }
    }
}

/* ---- (d) near the critical angle e grows as the root of the distance ---- */

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
                CHECK(has_mode(&cell, 0, reversed), "%s", batch_text(&cell, 0));
                CHECK_NEAR(e * e, squared_restitution(tan(angle), mu, eta), 1e-14, "%s",
                           batch_text(&cell, 0));
            }
            CHECK_NEAR(*batch_out(&cell, "energy_loss"),
                       1 - fmax(0, squared_restitution(tan(angle), mu, eta)), 1e-12, "%s",
                       batch_text(&cell, 0));
            batch_close(&cell);
            cell = solve_pendulum(critical * (1 - off), mu, eta);
            CHECK(off < 1e-14 || has_mode(&cell, 0, "wedge"), "%s", batch_text(&cell, 0));
            CHECK(*batch_out(&cell, "energy_loss") <= 1 + 1e-12, "%s", batch_text(&cell, 0));
            batch_close(&cell);
        }
    }
}

/* ---- (e) grazing approach into a jam: e grows as velocity_ratio ---- */

static void grazing_approach(void) {
    enum { DECADES = 9 };
    batch b = batch_open("compliant", "body=general", DECADES);
    batch_set(&b, "inertia_coupling", 0.8);
    batch_set(&b, "angle", 0.52);
    batch_set(&b, "friction", 1);
    inertia at = general_body(0.8, 0.52);
    CHECK(at.b22 - at.b12 < 0, "the case does not jam");
    for (size_t i = 0; i < DECADES; i++) {
        batch_in(&b, "velocity_ratio")[i] = pow(10, (double)i);
    }
    batch_solve(&b);
    const double *e = batch_out(&b, "kinematic_restitution"), *v = batch_in(&b, "velocity_ratio");
    for (size_t i = 0; i < DECADES; i++) {
        check_sound(&b, i, 1e-9);
        /* Momentum, in the normal direction. */
        double gained = at.b12 * batch_out(&b, "tangential_impulse")[i] +
                        at.b22 * batch_out(&b, "normal_impulse")[i];
        CHECK_NEAR(gained, 1 + e[i], 1e-9 * e[i], "%s", batch_text(&b, i));
        /* The motion depends on v_t(0) and v_n(0) only: once v_n(0) is negligible, e is a multiple of v_t. */
        if (i > 0 && v[i] >= 1e5) {
            CHECK_NEAR(e[i] / v[i], e[i - 1] / v[i - 1], 100 / v[i], "%s", batch_text(&b, i));
        }
        CHECK(i == 0 || e[i] > e[i - 1], "%s", batch_text(&b, i));
    }
    CHECK(e[DECADES - 1] > 1e5, "largest restitution %g", e[DECADES - 1]);
    batch_close(&b);
}

/* ---- (f) a nearly singular body ---- */

static void inertia_coupling_near_one(void) {
    enum { BODIES = 300, DECADES = 8 };
    batch b = batch_open("compliant", "body=general", (size_t)BODIES * DECADES);
    random_source source = {56};
    for (size_t i = 0; i < b.n; i++) {
        double gap = pow(10, -3 - (double)(i % DECADES));
        batch_in(&b, "inertia_coupling")[i] = 1 - gap;
        batch_in(&b, "angle")[i] = random_between(&source, -pi / 2, pi / 2);
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -5, 5);
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.1, 1.5);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        check_sound(&b, i, 1e-8);
        double loss = batch_out(&b, "energy_loss")[i];
        CHECK(loss >= 0 && loss <= 1, "loss %.17g: %s", loss, batch_text(&b, i));
    }
    batch_close(&b);
}

/* ---- (g) which of the two faces of the cone comes first ---- */

/* The exact motion of a stick that starts at the plane, u and delta, by its two normal modes. */
typedef struct stick {
    long double w[2], along[2], normal[2]; /* frequencies; amplitudes of u and delta / sin(w t) */
} stick;

/* Units: k3 = 1, |v_n| = 1, tangential lengths by sqrt(eta), so that both springs are equal. */
static stick stick_of(inertia b, double eta, double v_t) {
    long double a = b.b11 / eta, c = b.b12 / sqrtl(eta), d = b.b22, v = v_t / sqrtl(eta);
    long double half = (a - d) / 2, root = sqrtl(half * half + c * c), mean = (a + d) / 2;
    long double turn = atan2l(c, half) / 2, t = cosl(turn), n = sinl(turn);
    stick k = {.w = {sqrtl(mean + root), sqrtl(mean - root)}};
    long double first = (t * v - n) / k.w[0], second = (-n * v - t) / k.w[1];
    k.along[0] = t * first;
    k.along[1] = -n * second;
    k.normal[0] = -n * first;
    k.normal[1] = -t * second;
    return k;
}

/* First face that the motion leaves through, in small steps; 0 if a step leaves through both. */
static int first_face(const stick *k, double cone) {
    long double step = 5e-3L / k->w[0];
    for (int i = 1; i < 100000; i++) {
        long double fast = sinl(k->w[0] * step * i), slow = sinl(k->w[1] * step * i);
        long double u = k->along[0] * fast + k->along[1] * slow;
        long double delta = k->normal[0] * fast + k->normal[1] * slow;
        if (fabsl(u) > cone * delta) {
            return delta <= 0 ? 0 : u > 0 ? SLIP_FORTH : SLIP_BACK;
        }
    }
    return 0;
}

static void first_of_two_faces(void) {
    enum { CELLS = 1500 };
    batch b = batch_open("compliant", "body=general", CELLS);
    random_source source = {57};
    for (size_t i = 0; i < CELLS; i++) {
        double friction = random_between(&source, 0.05, 1.5);
        double ratio = random_log(&source, 0.1, 10);
        batch_in(&b, "inertia_coupling")[i] = random_between(&source, 0, 0.95);
        batch_in(&b, "angle")[i] = random_between(&source, -pi / 2, pi / 2);
        batch_in(&b, "friction")[i] = friction;
        batch_in(&b, "stiffness_ratio")[i] = ratio;
        batch_in(&b, "velocity_ratio")[i] = friction * ratio * random_between(&source, -0.99, 0.99);
    }
    batch_solve(&b);
    int seen[4] = {0};
    for (size_t i = 0; i < CELLS; i++) {
        double eta = batch_in(&b, "stiffness_ratio")[i];
        inertia at = general_body(batch_in(&b, "inertia_coupling")[i], batch_in(&b, "angle")[i]);
        stick k = stick_of(at, eta, batch_in(&b, "velocity_ratio")[i]);
        int face = first_face(&k, batch_in(&b, "friction")[i] * sqrt(eta));
        seen[face]++;
        CHECK(phase_of(&b, i, 0) == STICK, "%s: %s", batch_sequence(&b, i), batch_text(&b, i));
        CHECK(face == 0 || phase_of(&b, i, 1) == face, "%s: %s", batch_sequence(&b, i),
              batch_text(&b, i));
    }
    CHECK(seen[0] * 20 < CELLS && seen[SLIP_BACK] > 300 && seen[SLIP_FORTH] > 300,
          "undecided %d, back %d, forth %d", seen[0], seen[SLIP_BACK], seen[SLIP_FORTH]);
    batch_close(&b);
}

/* ---- other special cells ---- */

/* The plane only pushes: v_n is reversed, and v_t changes by b12 times the impulse. */
static void check_frictionless(const char *choices, double b12_over_b22) {
    static const double ratios[] = {0.001, 0.5, 1.21, 10};
    for (int k = 0; k < SUITE_COUNT(ratios); k++) {
        batch b = batch_open("compliant", choices, 1);
        int input = imp_input(b.solver, "velocity_ratio");
        double v = input < 0 ? -b12_over_b22 : b.in[input][0];
        batch_set(&b, "friction", 0);
        batch_set(&b, "stiffness_ratio", ratios[k]);
        batch_solve(&b);
        check_sound(&b, 0, 1e-14);
        CHECK(*batch_out(&b, "kinematic_restitution") == 1, "%s", batch_text(&b, 0));
        CHECK(*batch_out(&b, "energy_loss") == 0, "%s", batch_text(&b, 0));
        CHECK(*batch_out(&b, "tangential_impulse") == 0, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "kinetic_restitution"), 1, 1e-15, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "energetic_restitution"), 1, 1e-15, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "velocity_ratio_out"), v + 2 * b12_over_b22, 1e-14, "%s",
                   batch_text(&b, 0));
        batch_close(&b);
    }
}

static void frictionless(void) {
    double s = sin(0.5), c = cos(0.5);
    check_frictionless("body=sphere", 0);
    check_frictionless("body=rod", 3 * s * c / (1 + 3 * s * s));
    check_frictionless("body=general", 0.6 * sin(1.0) / (1 - 0.6 * cos(1.0)));
    check_frictionless("body=matrix", 1.5 / 2.5);
    check_frictionless("body=pendulum", c / s);
}

static batch solve_sphere(double velocity_ratio, double friction, double ratio) {
    batch b = batch_open("compliant", "body=sphere", 1);
    batch_set(&b, "velocity_ratio", velocity_ratio);
    batch_set(&b, "friction", friction);
    batch_set(&b, "stiffness_ratio", ratio);
    batch_solve(&b);
    return b;
}

/* Straight down nothing acts along the plane, however small friction is. */
static void sphere_straight_down(void) {
    static const double frictions[] = {1e-300, 1e-20, 1e-12, 1e-6, 0.01, 0.3, 1.5};
    static const double ratios[] = {0.1, 1, 1.21, 3.5, 10};
    for (int k = 0; k < SUITE_COUNT(frictions) * SUITE_COUNT(ratios); k++) {
        batch b = solve_sphere(0, frictions[k % SUITE_COUNT(frictions)],
                               ratios[k / SUITE_COUNT(frictions)]);
        check_sound(&b, 0, 1e-12);
        /* Friction below all rounding may count as none. */
        CHECK(*batch_in(&b, "friction") < 1e-14 || has_mode(&b, 0, "gross_stick"), "mode %s: %s",
              batch_mode(&b, 0), batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "kinematic_restitution"), 1, 1e-12, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "velocity_ratio_out"), 0, 1e-12, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "duration"), pi, 1e-12, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "energy_loss"), 0, 1e-12, "%s", batch_text(&b, 0));
        batch_close(&b);
    }
}

/* At stiffness_ratio 7/2 both springs of a sphere have the same period: a contact that sticks is reversed. */
static void sphere_with_equal_periods(void) {
    for (double part = -0.95; part < 1; part += 0.1) {
        double v = part * 0.4 * 3.5;
        batch b = solve_sphere(v, 0.4, 3.5);
        check_sound(&b, 0, 1e-12);
        CHECK(has_mode(&b, 0, "gross_stick"), "mode %s: %s", batch_mode(&b, 0), batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "kinematic_restitution"), 1, 1e-12, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "velocity_ratio_out"), -v, 1e-12, "%s", batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "energy_loss"), 0, 1e-12, "%s", batch_text(&b, 0));
        batch_close(&b);
    }
}

/* Gross slip of a sphere needs velocity_ratio / friction > max(eta, 7/2, 7 - eta). At nu = .3 that
 * is psi1 = v_t / (mu eta |v_n|) > 7/eta - 1 = 4.7647; stick starts below psi1 = 1. */
static void gross_slip_limits(void) {
    static const double ratios[] = {1.7 / 1.4, 0.3, 1, 1.21, 2, 3.4, 3.6, 6, 20};
    CHECK_NEAR(7 / ratios[0] - 1, 4.76471, 0.5e-5, "the limit at nu = .3");
    for (int k = 0; k < SUITE_COUNT(ratios); k++) {
        for (double mu = 0.1; mu < 1.5; mu += 0.2) {
            double limit = mu * fmax(fmax(ratios[k], 3.5), 7 - ratios[k]);
            batch above = solve_sphere(limit * (1 + 1e-9), mu, ratios[k]);
            batch below = solve_sphere(limit * (1 - 1e-9), mu, ratios[k]);
            CHECK(has_mode(&above, 0, "gross_slip"), "mode %s: %s", batch_mode(&above, 0),
                  batch_text(&above, 0));
            CHECK(!has_mode(&below, 0, "gross_slip"), "mode %s: %s", batch_mode(&below, 0),
                  batch_text(&below, 0));
            CHECK_NEAR(*batch_out(&above, "kinematic_restitution"), 1, 1e-15, "%s",
                       batch_text(&above, 0));
            CHECK_NEAR(*batch_out(&above, "velocity_ratio_out"), limit * (1 + 1e-9) - 7 * mu, 1e-14,
                       "%s", batch_text(&above, 0));
            batch_close(&above);
            batch_close(&below);
            above = solve_sphere(mu * ratios[k] * (1 + 1e-9), mu, ratios[k]);
            below = solve_sphere(mu * ratios[k] * (1 - 1e-9), mu, ratios[k]);
            CHECK(phase_of(&above, 0, 0) == SLIP_FORTH, "%s", batch_text(&above, 0));
            CHECK(phase_of(&below, 0, 0) == STICK, "%s", batch_text(&below, 0));
            batch_close(&above);
            batch_close(&below);
        }
    }
}

/* A rod at 30 degrees: at friction 7 / (3 sqrt(3)) = 1.347 friction carries v_n through the slip
 * (q = 0 but for rounding), and a division by q loses every digit. The outcome is smooth there, so
 * the middle of a parabola through points to both sides predicts it. */
static void slip_without_normal_acceleration(void) {
    const double critical = 7 / (3 * sqrt(3.0)), wide = 1e-3;
    static const double velocities[] = {2, 3, 5, 8, 20};
    for (int k = 0; k < SUITE_COUNT(velocities); k++) {
        enum { POINTS = 13 };
        batch b = batch_open("compliant", "body=rod", POINTS);
        batch_set(&b, "angle", pi / 6);
        batch_set(&b, "velocity_ratio", velocities[k]);
        double *friction = batch_in(&b, "friction");
        for (int i = 0; i < POINTS; i++) {
            friction[i] = critical * (1 + (i - 6) * 0x1p-52);
        }
        static const double offs[] = {-2, -1, 1, 2};
        for (int i = 0; i < SUITE_COUNT(offs); i++) {
            friction[i] = critical * (1 + offs[i] * wide);
        }
        batch_solve(&b);
        const double *e = batch_out(&b, "kinematic_restitution");
        double middle = (4 * (e[1] + e[2]) - (e[0] + e[3])) / 6;
        for (size_t i = 0; i < POINTS; i++) {
            check_sound(&b, i, 1e-12);
            CHECK(i < 4 || fabs(e[i] - middle) < 1e-9 * e[i], "%.17g instead of %.17g: %s", e[i],
                  middle, batch_text(&b, i));
        }
        batch_close(&b);
    }
}

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
            CHECK(has_mode(&b, 0, mode), "mode %s: %s", batch_mode(&b, 0), batch_text(&b, 0));
        }
        batch_close(&b);
    }
}

/* A free body with next to no friction: nearly as without, never a contact of no duration. */
static void hardly_any_friction(void) {
    for (double friction = 1e-3; friction > 1e-40; friction /= 10) {
        batch b = batch_open("compliant", "body=rod", 1);
        batch_set(&b, "angle", -1);
        batch_set(&b, "friction", friction);
        batch_set(&b, "velocity_ratio", 0);
        batch_solve(&b);
        double s = sin(-1), c = cos(-1);
        check_sound(&b, 0, 1e-12);
        CHECK_NEAR(*batch_out(&b, "kinematic_restitution"), 1, 10 * friction + 1e-14, "%s",
                   batch_text(&b, 0));
        CHECK_NEAR(*batch_out(&b, "velocity_ratio_out"), 6 * s * c / (1 + 3 * s * s),
                   10 * friction + 1e-14, "%s", batch_text(&b, 0));
        batch_close(&b);
    }
}

int main(void) {
    static const suite_test tests[] = {
        SUITE_TEST(start_on_the_cone),    SUITE_TEST(rank_one_stick),
        SUITE_TEST(singular_matrices),    SUITE_TEST(nearly_singular_matrices),
        SUITE_TEST(gross_stick_boundary), SUITE_TEST(near_the_critical_angle),
        SUITE_TEST(grazing_approach),     SUITE_TEST(inertia_coupling_near_one),
        SUITE_TEST(first_of_two_faces),   SUITE_TEST(frictionless),
        SUITE_TEST(sphere_straight_down), SUITE_TEST(sphere_with_equal_periods),
        SUITE_TEST(gross_slip_limits),    SUITE_TEST(slip_without_normal_acceleration),
        SUITE_TEST(endless_friction),     SUITE_TEST(hardly_any_friction),
    };
    return suite_run("corners", tests, SUITE_COUNT(tests));
}
