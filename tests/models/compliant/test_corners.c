/* Delicate corners of the compliant model: cells where two events coincide or where rounding
 * decides. Each has broken an early version of a program. Expected values are closed forms, limits
 * from both sides, or brute force on the exact motion. Those of one degree of freedom are in
 * test_corners_singular.c. */
#include <math.h>

#include "support/batch.h"
#include "support/contacts.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 };

/* The number of a phase in the sequence, 0 past the end. */
static int phase_of(const batch *b, size_t i, int number) {
    return (int)((uint64_t)batch_out(b, "sequence")[i] >> (2 * number) & 3);
}

/* B times the mass. */
typedef struct inertia {
    double b11, b12, b22;
} inertia;

static inertia general_body(double coupling, double angle) {
    return (inertia){1 + coupling * cos(2 * angle), coupling * sin(2 * angle),
                     1 - coupling * cos(2 * angle)};
}

/* ---- a start on the rim of the cone ---- */

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

static void start_on_the_cone(void) {
    batch b = rim_cells();
    int sticking = 0;
    for (size_t i = 0; i < b.n; i++) {
        size_t k = i % RIMS, group = i - k;
        double off = off_the_rim[k];
        int slip = batch_in(&b, "velocity_ratio")[i] < 0 ? SLIP_BACK : SLIP_FORTH;
        contacts_check_sound(&b, i, 1e-9);
        sticking += phase_of(&b, i, 0) == STICK;
        if (off != 0) {
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
    CHECK(sticking > 5 * RIM_BODIES && sticking < 6 * RIM_BODIES, "%d starts stick", sticking);
    batch_close(&b);
}

/* ---- grazing approach into a jam: e grows as velocity_ratio ---- */

static void grazing_approach(void) {
    enum { DECADES = 9 };
    batch b = batch_open("compliant", "body=general", DECADES);
    BATCH_SET(&b, {"inertia_coupling", 0.8}, {"angle", 0.52}, {"friction", 1});
    inertia at = general_body(0.8, 0.52);
    CHECK(at.b22 - at.b12 < 0, "the case does not jam");
    for (size_t i = 0; i < DECADES; i++) {
        batch_in(&b, "velocity_ratio")[i] = pow(10, (double)i);
    }
    batch_solve(&b);
    const double *e = batch_out(&b, "kinematic_restitution"), *v = batch_in(&b, "velocity_ratio");
    for (size_t i = 0; i < DECADES; i++) {
        contacts_check_sound(&b, i, 1e-9);
        /* Momentum, in the normal direction. */
        double gained = at.b12 * batch_out(&b, "tangential_impulse")[i] +
                        at.b22 * batch_out(&b, "normal_impulse")[i];
        CHECK_CELL_NEAR(&b, i, gained, 1 + e[i], 1e-9 * e[i]);
        /* The motion depends on v_t(0) and v_n(0) only: once v_n(0) is negligible, e is a multiple
         * of v_t. */
        if (i > 0 && v[i] >= 1e5) {
            CHECK_CELL_NEAR(&b, i, e[i] / v[i], e[i - 1] / v[i - 1], 100 / v[i]);
        }
        CHECK_CELL(&b, i, i == 0 || e[i] > e[i - 1]);
    }
    CHECK(e[DECADES - 1] > 1e5, "largest restitution %g", e[DECADES - 1]);
    batch_close(&b);
}

/* ---- a nearly singular body ---- */

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
        contacts_check_sound(&b, i, 1e-8);
        double loss = batch_out(&b, "energy_loss")[i];
        CHECK(loss >= 0 && loss <= 1, "loss %.17g: %s", loss, batch_text(&b, i));
    }
    batch_close(&b);
}

/* ---- which of the two faces of the cone comes first ---- */

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
        BATCH_SET(&b, {"friction", 0}, {"stiffness_ratio", ratios[k]});
        batch_solve(&b);
        contacts_check_sound(&b, 0, 1e-14);
        CHECK_CELL(&b, 0, *batch_out(&b, "kinematic_restitution") == 1);
        CHECK_CELL(&b, 0, *batch_out(&b, "energy_loss") == 0);
        CHECK_CELL(&b, 0, *batch_out(&b, "tangential_impulse") == 0);
        CHECK_OUTPUT(&b, 0, "kinetic_restitution", 1, 1e-15);
        CHECK_OUTPUT(&b, 0, "energetic_restitution", 1, 1e-15);
        CHECK_OUTPUT(&b, 0, "velocity_ratio_out", v + 2 * b12_over_b22, 1e-14);
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
    BATCH_SET(&b, {"velocity_ratio", velocity_ratio}, {"friction", friction},
              {"stiffness_ratio", ratio});
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
        contacts_check_sound(&b, 0, 1e-12);
        /* Friction below all rounding may count as none. */
        CHECK(*batch_in(&b, "friction") < 1e-14 || batch_has_mode(&b, 0, "gross_stick"),
              "mode %s: %s", batch_mode(&b, 0), batch_text(&b, 0));
        CHECK_OUTPUT(&b, 0, "kinematic_restitution", 1, 1e-12);
        CHECK_OUTPUT(&b, 0, "velocity_ratio_out", 0, 1e-12);
        CHECK_OUTPUT(&b, 0, "duration", pi, 1e-12);
        CHECK_OUTPUT(&b, 0, "energy_loss", 0, 1e-12);
        batch_close(&b);
    }
}

/* At stiffness_ratio 7/2 both springs of a sphere have the same period: a contact that sticks is
 * reversed. */
static void sphere_with_equal_periods(void) {
    for (double part = -0.95; part < 1; part += 0.1) {
        double v = part * 0.4 * 3.5;
        batch b = solve_sphere(v, 0.4, 3.5);
        contacts_check_sound(&b, 0, 1e-12);
        CHECK_MODE(&b, 0, "gross_stick");
        CHECK_OUTPUT(&b, 0, "kinematic_restitution", 1, 1e-12);
        CHECK_OUTPUT(&b, 0, "velocity_ratio_out", -v, 1e-12);
        CHECK_OUTPUT(&b, 0, "energy_loss", 0, 1e-12);
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
            CHECK_MODE(&above, 0, "gross_slip");
            CHECK(!batch_has_mode(&below, 0, "gross_slip"), "mode %s: %s", batch_mode(&below, 0),
                  batch_text(&below, 0));
            CHECK_OUTPUT(&above, 0, "kinematic_restitution", 1, 1e-15);
            CHECK_OUTPUT(&above, 0, "velocity_ratio_out", limit * (1 + 1e-9) - 7 * mu, 1e-14);
            BATCH_CLOSE(&above, &below);
            above = solve_sphere(mu * ratios[k] * (1 + 1e-9), mu, ratios[k]);
            below = solve_sphere(mu * ratios[k] * (1 - 1e-9), mu, ratios[k]);
            CHECK_CELL(&above, 0, phase_of(&above, 0, 0) == SLIP_FORTH);
            CHECK_CELL(&below, 0, phase_of(&below, 0, 0) == STICK);
            BATCH_CLOSE(&above, &below);
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
        BATCH_SET(&b, {"angle", pi / 6}, {"velocity_ratio", velocities[k]});
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
            contacts_check_sound(&b, i, 1e-12);
            CHECK(i < 4 || fabs(e[i] - middle) < 1e-9 * e[i], "%.17g instead of %.17g: %s", e[i],
                  middle, batch_text(&b, i));
        }
        batch_close(&b);
    }
}

/* A free body with next to no friction: nearly as without, never a contact of no duration. */
static void hardly_any_friction(void) {
    for (double friction = 1e-3; friction > 1e-40; friction /= 10) {
        batch b = batch_open("compliant", "body=rod", 1);
        BATCH_SET(&b, {"angle", -1}, {"friction", friction}, {"velocity_ratio", 0});
        batch_solve(&b);
        double s = sin(-1), c = cos(-1);
        contacts_check_sound(&b, 0, 1e-12);
        CHECK_OUTPUT(&b, 0, "kinematic_restitution", 1, 10 * friction + 1e-14);
        CHECK_OUTPUT(&b, 0, "velocity_ratio_out", 6 * s * c / (1 + 3 * s * s),
                     10 * friction + 1e-14);
        batch_close(&b);
    }
}

/* ---- tangential and normal swing in step ---- */

/* Where the friction holds a sphere just as the compression ends, and both springs swing in step
 * when they unload, slip that goes on, slip in the same direction and slip back meet. Throughout
 * such a stick the contact is within rounding, or little more, of the rim of the cone. */
static const double off_step[] = {0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5};

enum { OFF_STEP = SUITE_COUNT(off_step), STEPS = 2 * OFF_STEP * 2 * OFF_STEP, BODIES_IN_STEP = 20 };

/* A distance of either sign. */
static double off_step_at(size_t k) {
    return k < OFF_STEP ? off_step[k] : -off_step[k - OFF_STEP];
}

/* The mode near the corner; NULL where rounding decides, or a term that is quadratic in the
 * distance `off` from the corner. Where the sphere sticks, slip goes on if the tangential spring is
 * still stretched when the normal one is released. */
static const char *mode_in_step(double b11, const batch *b, size_t i, double off) {
    double friction = batch_in(b, "friction")[i], ratio = batch_in(b, "stiffness_ratio")[i];
    double e = batch_in(b, "restitution")[i];
    double excess = batch_in(b, "velocity_ratio")[i] - b11 * friction; /* of slip, at the turn */
    double last = excess + friction * e * (ratio / (e * e) - b11);     /* of slip, at the end */
    double w = sqrt(b11 / ratio), phase = w * e * pi / 2;
    double stretched = friction * ratio * cos(phase) + excess / w * sin(phase);
    double decides = excess < 0 ? stretched : last;
    const char *slips = excess < 0 ? "slip_stick_slip_same" : "gross_slip";
    bool lost = fmin(fabs(excess), fabs(decides)) < 1e-14 + 10 * off * off;
    return lost ? NULL : decides > 0 ? slips : "slip_stick_slip_reversed";
}

/* One body for each group of STEPS cells, whose springs swing in step with this restitution, or, if
 * that is 1, with a stiffness_ratio of b11. The budget is 2000 steps: such cells took 100,000. */
static batch cells_in_step(double b11, bool elastic) {
    enum { BUDGET = 2000 };
    batch b = batch_open("compliant", "body=sphere", (size_t)STEPS * BODIES_IN_STEP);
    random_source source = {59};
    for (size_t i = 0; i < b.n; i += STEPS) {
        double friction = random_between(&source, 0.05, 1), ratio = random_between(&source, 0.5, 3);
        for (size_t k = 0; k < STEPS; k++) {
            double off_e = off_step_at(k % (2 * OFF_STEP)), off_v = off_step_at(k / (2 * OFF_STEP));
            batch_in(&b, "friction")[i + k] = friction;
            batch_in(&b, "stiffness_ratio")[i + k] = elastic ? b11 * (1 + off_e) : ratio;
            batch_in(&b, "restitution")[i + k] = elastic ? 1 : sqrt(ratio / b11) * (1 + off_e);
            batch_in(&b, "velocity_ratio")[i + k] = b11 * friction * (1 + off_v);
        }
    }
    imp_set_budget(b.solver, BUDGET);
    batch_solve(&b);
    return b;
}

/* A contact as in gross slip, but for terms proportional to the distance `off` from the corner. */
static void check_in_step(const batch *b, size_t i, double off) {
    double e = batch_in(b, "restitution")[i], friction = batch_in(b, "friction")[i];
    contacts_check_sound(b, i, 1e-12);
    CHECK_OUTPUT(b, i, "kinematic_restitution", e, 1e-11);
    CHECK_OUTPUT(b, i, "tangential_impulse", -friction * (1 + e), 10 * off);
    CHECK_OUTPUT(b, i, "duration", pi / 2 * (1 + e), 10 * off);
}

static void springs_in_step(void) {
    const double b11 = 3.5;
    for (int elastic = 0; elastic <= 1; elastic++) {
        batch b = cells_in_step(b11, elastic);
        for (size_t i = 0; i < b.n; i++) {
            double e = batch_in(&b, "restitution")[i], v = batch_in(&b, "velocity_ratio")[i];
            double off_e = fabs(e / sqrt(batch_in(&b, "stiffness_ratio")[i] / b11) - 1);
            double off = off_e + fabs(v / (b11 * batch_in(&b, "friction")[i]) - 1) + 1e-11;
            const char *mode = elastic ? NULL : mode_in_step(b11, &b, i, off);
            check_in_step(&b, i, off);
            CHECK(!mode || batch_has_mode(&b, i, mode), "%s, %s expected: %s", batch_mode(&b, i),
                  mode, batch_text(&b, i));
        }
        batch_close(&b);
    }
}

SUITE("corners", start_on_the_cone, grazing_approach, inertia_coupling_near_one, first_of_two_faces,
      frictionless, sphere_straight_down, sphere_with_equal_periods, springs_in_step,
      gross_slip_limits, slip_without_normal_acceleration, hardly_any_friction)
