/* The laws of the compliant theory in cases with known answers: limits of the sphere, the pendulum
 * and the free rebound under hertz, the time of contact, and cells exactly where sequences of
 * phases meet. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- limits of the sphere, found by the program's own modes ---- */

typedef struct sphere_limits {
    const char *choices;
    double stick,
        slip; /* psi1 = v_t / (mu eta |v_n|) below and above which it only sticks first, or
                           only slips */
    double tolerance;
} sphere_limits;

/* Whether the sphere, at Poisson's ratio 0.3 and friction 0.5, begins with stick; or only slips. */
static bool sphere_is(const char *choices, double psi, bool slips_only) {
    const double mu = 0.5, eta = 1.7 / 1.4;
    batch b = batch_open("compliant", choices, 1);
    BATCH_SET(&b, {"friction", mu}, {"stiffness_ratio", eta}, {"velocity_ratio", psi * mu * eta});
    batch_solve(&b);
    const char *mode = batch_mode(&b, 0);
    bool sticks = strcmp(mode, "stick_slip") == 0 || strcmp(mode, "stick_slip_stick_slip") == 0;
    bool is = slips_only ? strcmp(mode, "gross_slip") != 0 : sticks;
    CHECK_CELL(&b, 0, b.outcome[0] == IMP_SOLVED);
    batch_close(&b);
    return is;
}

static double sphere_limit(const char *choices, bool slips_only) {
    double low = 0, high = 10;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (sphere_is(choices, middle, slips_only)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* "Parameters Affecting Mechanical Collisions" (Oregon State University), table 1 and chapter 4.2,
 * which print 4.765 and 1, 5.20 (a misprint) and .67, 4.59 and 1.18. Exact: stick below kappa/(mu
 * eta), slip only from (7 mu - kappa)/(mu eta), kappa = mu eta, 2/3 mu eta, (mu eta)^(2/3). */
static void limits_of_the_sphere(void) {
    static const sphere_limits limits[] = {{"body=sphere law=linear", 1, 4.76471, 1e-5},
                                           {"body=sphere law=coupled", 0.66667, 5.09804, 1e-5},
                                           {"body=sphere law=hertz", 1.18096, 4.58374, 1e-5}};
    const double mu = 0.5, eta = 1.7 / 1.4;
    const double kappa[] = {mu * eta, 2.0 / 3 * mu * eta, cbrt(mu * eta * mu * eta)};
    for (int i = 0; i < SUITE_COUNT(limits); i++) {
        double stick = sphere_limit(limits[i].choices, false);
        double slip = sphere_limit(limits[i].choices, true);
        CHECK_NEAR(stick, limits[i].stick, limits[i].tolerance, "%s, stick", limits[i].choices);
        CHECK_NEAR(slip, limits[i].slip, limits[i].tolerance, "%s, slip", limits[i].choices);
        CHECK_NEAR(stick, kappa[i] / (mu * eta), 1e-9, "%s, stick, exact", limits[i].choices);
        CHECK_NEAR(slip, (7 * mu - kappa[i]) / (mu * eta), 1e-9, "%s, slip, exact",
                   limits[i].choices);
    }
}

/* At stiffness_ratio 3.5 both frequencies are equal: v_t is reversed exactly wherever it sticks
 * first, and up to the limit of gross slip. */
static void sphere_that_bounces_back(void) {
    static const double factors[] = {0.5, 1.5, 3};
    batch b = batch_open("compliant", "body=sphere", SUITE_COUNT(factors));
    BATCH_SET(&b, {"friction", 0.4}, {"stiffness_ratio", 3.5});
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] = factors[i] * 0.4;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_OUTPUT(&b, i, "velocity_ratio_out", -factors[i] * 0.4, 1e-12);
        CHECK_OUTPUT(&b, i, "kinematic_restitution", 1, 1e-12);
    }
    batch_close(&b);
}

/* ---- the pendulum under hertz ---- */

/* With springs of power p, n = p + 1 and r = (1 - kappa T)/(1 + kappa T), T = tan(angle):
 * e^2 = [T (1 + mu kappa)(1 - r^n) + (T - mu) r^n] / (T + mu); below 0 it wedges. */
static void pendulum_closed_form(void) {
    enum { CELLS = 20000 };
    batch b = batch_open("compliant", "body=pendulum law=hertz", CELLS);
    random_source source = {41};
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, 1, 89) * pi / 180;
        batch_in(&b, "friction")[i] = random_between(&source, 0.01, 2);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.01, 10);
    }
    batch_solve(&b);
    int wedges = 0, sticks = 0;
    for (size_t i = 0; i < b.n; i++) {
        double t = tan(batch_in(&b, "angle")[i]), mu = batch_in(&b, "friction")[i];
        double kappa = cbrt(pow(mu * batch_in(&b, "stiffness_ratio")[i], 2));
        double r = (1 - kappa * t) / (1 + kappa * t), power = r > 0 ? pow(r, 2.5) : 0;
        double square = (t * (1 + mu * kappa) * (1 - power) + (t - mu) * power) / (t + mu);
        bool stick = kappa * t >= 1, wedge = !stick && square <= 0;
        double e = batch_out(&b, "kinematic_restitution")[i];
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK(fabs(square) < 1e-9 || wedge == batch_has_mode(&b, i, "wedge"),
              "mode %s, e^2 = %g: %s", batch_mode(&b, i), square, batch_text(&b, i));
        CHECK(stick == batch_has_mode(&b, i, "gross_stick"), "mode %s: %s", batch_mode(&b, i),
              batch_text(&b, i));
        if (!isnan(e)) {
            CHECK_CELL_NEAR(&b, i, e * e, stick ? 1 : square, 1e-8);
        }
        wedges += wedge;
        sticks += stick;
    }
    CHECK(wedges > 500 && sticks > 500, "%d wedges, %d gross sticks", wedges, sticks);
    batch_close(&b);
}

/* A map of the pendulum with damping: every cell is solved with a small residual, and the normal
 * force returns less energy than it took. */
static void damped_pendulum(void) {
    enum { SIDE = 60 };
    batch b = batch_open("compliant", "body=pendulum law=hertz", SIDE * SIDE);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = (0.5 + (double)(i / SIDE)) * 1.5 * pi / 180;
        batch_in(&b, "friction")[i] = 0.025 * (0.5 + (double)(i % SIDE));
    }
    for (int step = 1; step < 4; step++) {
        batch_set(&b, "damping", 0.3 * step);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            double e = batch_out(&b, "energetic_restitution")[i];
            bool wedge = batch_has_mode(&b, i, "wedge");
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK_OUTPUT(&b, i, "residual", 0, 1e-9);
            CHECK(wedge ? isnan(e) : e < 1, "%g: %s", e, batch_text(&b, i));
        }
    }
    batch_close(&b);
}

/* Without friction v_n alone moves: v dv / (1 - zeta v) = -K d^1.5 dd / m, whose left side
 * integrates from approach v to rebound e v: zeta v (1 + e) + log((1 - zeta e v) / (1 + zeta v)) =
 * 0. */
static void damped_rebound(void) {
    enum { CELLS = 1000 };
    batch b = batch_open("compliant", "body=rod law=hertz", CELLS);
    random_source source = {49};
    batch_set(&b, "friction", 0);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, -pi / 2, pi / 2);
        batch_in(&b, "normal_speed")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "damping")[i] =
            random_log(&source, 0.01, 10) / batch_in(&b, "normal_speed")[i];
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double z = batch_in(&b, "damping")[i] * batch_in(&b, "normal_speed")[i];
        double e = batch_out(&b, "kinematic_restitution")[i];
        CHECK_CELL_NEAR(&b, i, z * (1 + e) + log((1 - z * e) / (1 + z)), 0,
                        1e-9 * z * z / (1 - z * e));
    }
    batch_close(&b);
}

/* Where nothing moves along the plane the contact sticks, however little force strong damping
 * leaves before separation, and rebounds as without friction; 1 - zeta e v is lost in rounding
 * there. */
static void check_normal_impacts(const char *choices, const char *const *zero, double b11) {
    enum { CELLS = 200 };
    batch b = batch_open("compliant", choices, CELLS);
    random_source source = {50};
    for (; *zero; zero++) {
        batch_set(&b, *zero, 0);
    }
    if (b11 >= 0) {
        BATCH_SET(&b, {"b11", b11}, {"b22", 1});
    }
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "friction")[i] = random_log(&source, 1e-3, 1e3);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "damping")[i] = random_log(&source, 0.01, 1e3);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double z = batch_in(&b, "damping")[i], e = batch_out(&b, "kinematic_restitution")[i];
        CHECK_MODE(&b, i, "gross_stick");
        CHECK_OUTPUT(&b, i, "tangential_impulse", 0, 0);
        CHECK_CELL_NEAR(&b, i, z * e, 1 - (1 + z) * exp(-z * (1 + e)), 1e-9 * (z < 1 ? z * z : 1));
    }
    batch_close(&b);
}

static void damped_normal_impact(void) {
    static const char *const sphere[] = {"velocity_ratio", NULL},
                             *const rod[] = {"velocity_ratio", "angle", NULL},
                             *const matrix[] = {"velocity_ratio", "b12", NULL};
    check_normal_impacts("body=sphere law=hertz", sphere, -1);
    check_normal_impacts("body=rod law=hertz", rod, -1);
    check_normal_impacts("body=matrix law=hertz", matrix, 2.5);
    check_normal_impacts("body=matrix law=hertz", matrix, 0);
}

/* ---- a frictionless central impact ---- */

/* F = K d^1.5: T = 2.94328 (5 m / (4 K))^(2/5) v^(-1/5), H. Hertz 1881; both halves are equal. The
 * constant is 2 B(2/5, 1/2) / (5/2), B the beta function. */
static void contact_time(void) {
    enum { CELLS = 200 };
    const double constant = 2 * tgamma(0.4) * tgamma(0.5) / tgamma(0.9) / 2.5;
    CHECK_NEAR(constant, 2.94328, 0.6e-5, "the constant");
    batch b = batch_open("compliant", "body=sphere law=hertz", CELLS);
    random_source source = {42};
    batch_set(&b, "friction", 0);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -5, 5);
        batch_in(&b, "mass")[i] = random_log(&source, 1e-3, 1e3);
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 1e-3, 1e9);
        batch_in(&b, "normal_speed")[i] = random_log(&source, 1e-3, 1e3);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double m = batch_in(&b, "mass")[i], k = batch_in(&b, "normal_stiffness")[i];
        double time = constant * pow(1.25 * m / k, 0.4) / pow(batch_in(&b, "normal_speed")[i], 0.2);
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "duration")[i] / time, 1, 1e-12);
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "compression_time")[i] / time, 0.5, 1e-12);
    }
    batch_close(&b);
}

/* ---- exactly where sequences of phases meet ---- */

typedef struct critical_cell {
    const char *choices;
    struct {
        const char *parameter;
        double value;
    } given[6];
    double kinematic, velocity;
} critical_cell;

/* Values on round numbers, which no random cell hits. A central damped impact of damping d has
 * ln((1 + d)/(1 - d e)) = d (1 + e), which is the work of the force over the cycle. With b11 = b22
 * and both springs and velocities alike, exchanging the directions changes nothing: one spring,
 * reversed. In the last one friction ends the slip at the greatest indentation, where the impulse
 * is 1; from there both springs unload at the same frequency 10, the tangential one from 0.01. */
static const critical_cell critical[] = {
    {"body=sphere law=hertz",
     {{"friction", 0}, {"velocity_ratio", 0}, {"damping", 0.1}},
     0.937475579952,
     0},
    {"body=sphere law=hertz", {{"friction", 0.5}, {"velocity_ratio", 0}, {"damping", 50}}, 0.02, 0},
    {"body=general law=hertz",
     {{"inertia_coupling", 0.95},
      {"angle", 0.78539816339744828},
      {"velocity_ratio", 1},
      {"friction", 1}},
     1,
     -1},
    {"body=matrix law=hertz",
     {{"b11", 1}, {"b12", -0.9}, {"b22", 1}, {"velocity_ratio", 1}, {"friction", 1}},
     1,
     -1},
    {"body=general law=linear",
     {{"inertia_coupling", 0},
      {"angle", 0},
      {"velocity_ratio", 1},
      {"friction", 1},
      {"stiffness_ratio", 0.01},
      {"restitution", 0.1}},
     0.1,
     -0.1},
};

static void critical_cells(void) {
    for (int k = 0; k < SUITE_COUNT(critical); k++) {
        batch b = batch_open("compliant", critical[k].choices, 1);
        batch_set(&b, "stiffness_ratio", 1);
        for (int g = 0; g < 6 && critical[k].given[g].parameter; g++) {
            batch_set(&b, critical[k].given[g].parameter, critical[k].given[g].value);
        }
        batch_solve(&b);
        CHECK_CELL(&b, 0, b.outcome[0] == IMP_SOLVED);
        CHECK_OUTPUT(&b, 0, "kinematic_restitution", critical[k].kinematic, 1e-10);
        CHECK_OUTPUT(&b, 0, "velocity_ratio_out", critical[k].velocity, 1e-10);
        batch_close(&b);
    }
}

SUITE("compliant laws", limits_of_the_sphere, sphere_that_bounces_back, pendulum_closed_form,
      damped_pendulum, damped_rebound, damped_normal_impact, contact_time, critical_cells)
