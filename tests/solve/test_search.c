/* Searches for boundaries under the theory compliant against closed forms and published numbers. */
#include <math.h>
#include <string.h>

#include "support/pi.h"
#include "support/searches.h"
#include "support/suite.h"

/* Friction 0.01 .. 2 by seven stiffness ratios. */
static void critical_angles(void) {
    static const double ratios[] = {1.21, 1, 0.5, 0.1, 0.01, 0.001, 1e-4};
    enum { FRICTIONS = 200, RATIOS = SUITE_COUNT(ratios) };
    imp_search_plan plan =
        search_plan(&imp_search_boundary, "mode", "angle", 1e-4, pi / 2 - 1e-4, 128);
    plan.inside = search_wedge();
    search_batch c = search_cells(&plan, "pendulum", FRICTIONS * RATIOS);
    for (size_t i = 0; i < c.n; i++) {
        search_in(&c, "friction")[i] = 0.01 + 1.99 * (double)(i / RATIOS) / (FRICTIONS - 1);
        search_in(&c, "stiffness_ratio")[i] = ratios[i % RATIOS];
    }
    search_solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double mu = search_in(&c, "friction")[i], eta = search_in(&c, "stiffness_ratio")[i];
        double angle = search_critical_angle(mu, eta);
        CHECK(c.outcome[i] == IMP_SOLVED && search_out(&c, "root_count", i, 0) == 1,
              "%g %g: %g roots", mu, eta, search_out(&c, "root_count", i, 0));
        CHECK_NEAR(search_out(&c, "root", i, 0), angle, 1e-12 * pi, "friction %g, ratio %g", mu,
                   eta);
        CHECK(search_out(&c, "root_bracket", i, 0) <= 1e-12 * pi, "bracket");
        CHECK(isnan(search_out(&c, "root", i, 1)), "a second root");
        CHECK(strcmp(search_category(&c, "root_side", i, 0), "leaves") == 0, "it wedges below");
        CHECK(strcmp(search_category(&c, "mode_below", i, 0), "wedge") == 0 &&
                  strcmp(search_category(&c, "mode_above", i, 0), "slip_stick_slip_reversed") == 0,
              "from %s to %s", search_category(&c, "mode_below", i, 0),
              search_category(&c, "mode_above", i, 0));
        CHECK(strcmp(search_category(&c, "root_flag", i, 0), "complete") == 0, "flag %s",
              search_category(&c, "root_flag", i, 0));
        /* The root is the end inside the set, where the pendulum wedges with hardly any energy
         * left; that energy grows as the root of the distance from the boundary. */
        CHECK_NEAR(search_out(&c, "energy_loss", i, 0), 1, 2e-3, "all energy is lost");
        CHECK(isnan(search_out(&c, "kinematic_restitution", i, 0)), "it does not separate");
    }
    search_close(&c);
}

/* A sphere slips throughout where velocity_ratio / friction > 7 - eta (eta below 7/2). Just below
 * that it ends with a short slip back, and no third mode is between. */
static void gross_slip_of_a_sphere(void) {
    static const char *const modes[] = {"gross_slip", "multiple"};
    const double eta = 1.2;
    for (int k = 0; k < 2; k++) {
        imp_search_plan plan = search_plan(&imp_search_boundary, "mode", "friction", 0.001, 20, 64);
        CHECK(imp_search_code(plan.theory, plan.of, modes[k], &plan.inside), "%s", modes[k]);
        search_batch c = search_cells(&plan, "sphere", 40);
        for (size_t i = 0; i < c.n; i++) {
            search_in(&c, "velocity_ratio")[i] = 0.05 * (double)(i + 1);
            search_in(&c, "stiffness_ratio")[i] = eta;
        }
        search_solve(&c);
        for (size_t i = 0; i < c.n; i++) {
            double v = search_in(&c, "velocity_ratio")[i];
            CHECK(search_out(&c, "root_count", i, 0) == 1 - k, "%s at %g: %g roots", modes[k], v,
                  search_out(&c, "root_count", i, 0));
            if (k == 0) {
                CHECK_NEAR(search_out(&c, "root", i, 0), v / (7 - eta), 2e-11, "velocity_ratio %g",
                           v);
                CHECK(strcmp(search_category(&c, "mode_above", i, 0), "slip_stick_slip_reversed") ==
                          0,
                      "beside it %s", search_category(&c, "mode_above", i, 0));
            }
        }
        search_close(&c);
    }
}

/* The pendulum's remaining energy, times a positive factor, where normal and tangential forces grow
 * as the power 3/2 (Birlik's closed form for power laws). */
static double power_law_energy(double angle, double mu, double eta) {
    double t = tan(angle), kappa = cbrt(mu * eta * mu * eta);
    double r = pow((1 - kappa * t) / (1 + kappa * t), 2.5);
    return t * (1 + mu * kappa) * (1 - r) + (t - mu) * r;
}

/* Under the Hertz law the boundary is where that energy passes through 0. No closed form is known
 * with damping, but a little damping moves the boundary only a little. */
static void critical_angles_under_hertz(void) {
    static const double frictions[] = {0.1, 0.4, 1, 1.7}, ratios[] = {1.21, 0.1, 0.01};
    enum { ALL = SUITE_COUNT(frictions) * SUITE_COUNT(ratios) };
    imp_search_plan plan =
        search_plan(&imp_search_boundary, "mode", "angle", 1e-3, pi / 2 - 1e-3, 48);
    plan.inside = search_wedge();
    plan.tolerance = 1e-10;
    search_batch c = search_cells_law(&plan, "pendulum", "hertz", 2 * ALL);
    for (size_t i = 0; i < c.n; i++) {
        search_in(&c, "friction")[i] = frictions[i % SUITE_COUNT(frictions)];
        search_in(&c, "stiffness_ratio")[i] = ratios[i % ALL / SUITE_COUNT(frictions)];
        search_in(&c, "damping")[i] = i < ALL ? 0 : 1e-3;
    }
    search_solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double mu = search_in(&c, "friction")[i], eta = search_in(&c, "stiffness_ratio")[i];
        double angle = search_out(&c, "root", i, 0), distance = i < ALL ? 2e-9 : 1e-3;
        CHECK(search_out(&c, "root_count", i, 0) == 1, "%g roots",
              search_out(&c, "root_count", i, 0));
        CHECK(power_law_energy(angle - distance, mu, eta) < 0 &&
                  power_law_energy(angle + distance, mu, eta) > 0,
              "friction %g, ratio %g, damping %g: %.12g", mu, eta, search_in(&c, "damping")[i],
              angle);
    }
    search_close(&c);
}

/* The friction that wedges at a given angle: two limits that meet at tan(angle) sqrt(eta) = tan 15
 * deg and vanish beyond. */
static void windows(void) {
    static const double distances[] = {0.3,  0.1,   1e-2,   1e-4,  1e-6,
                                       1e-8, 1e-10, -1e-12, -1e-3, -0.1};
    enum { RATIOS = 4, ALL = SUITE_COUNT(distances) * RATIOS };
    static const double ratios[RATIOS] = {1.21, 1, 0.1, 0.01};
    imp_search_plan plan = search_plan(&imp_search_boundary, "mode", "friction", 1e-3, 1e3, 128);
    plan.inside = search_wedge();
    plan.over[0].logarithmic = true;
    search_batch c = search_cells(&plan, "pendulum", ALL);
    for (size_t i = 0; i < c.n; i++) {
        double y = tan(pi / 12) * (1 - distances[i / RATIOS]), eta = ratios[i % RATIOS];
        search_in(&c, "angle")[i] = atan(y / sqrt(eta));
        search_in(&c, "stiffness_ratio")[i] = eta;
    }
    search_solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double d = distances[i / RATIOS], eta = search_in(&c, "stiffness_ratio")[i];
        double tangent = tan(search_in(&c, "angle")[i]), y = tangent * sqrt(eta);
        double h = 1 - y * y, root = h * h - 12 * y * y;
        CHECK(search_out(&c, "root_count", i, 0) == (d > 0 ? 2 : 0),
              "%g limits at distance %g, ratio %g", search_out(&c, "root_count", i, 0), d, eta);
        if (d <= 0) {
            continue;
        }
        double low = (h - sqrt(root)) / (6 * eta * tangent);
        double high = (h + sqrt(root)) / (6 * eta * tangent);
        double tolerance = 1e-12 * 1e3 + 1e-15 * high / sqrt(root);
        CHECK_NEAR(search_out(&c, "root", i, 0), low, tolerance, "lower limit at distance %g", d);
        CHECK_NEAR(search_out(&c, "root", i, 1), high, tolerance, "upper limit at distance %g", d);
        CHECK(strcmp(search_category(&c, "root_side", i, 0), "enters") == 0 &&
                  strcmp(search_category(&c, "root_side", i, 1), "leaves") == 0,
              "sides");
        bool hidden = high < low * pow(1e6, 1.0 / 127);
        bool flagged = strcmp(search_category(&c, "root_flag", i, 0), "may_hide_pair") == 0;
        CHECK(hidden || !flagged, "flagged at distance %g", d);
        CHECK(!flagged || d < 0.1, "a wide window is not flagged");
        CHECK(d > 1e-5 || flagged, "a narrow one is, at distance %g", d);
    }
    search_close(&c);
}

/* Published windows (Birlik 2012, figures 4.16, 4.17, read off a scan in steps of 0.1) with their
 * correct values. */
static void published_windows(void) {
    static const struct {
        double angle, ratio, low, high;
    } rows[] = {{13, 1.21, 0.368295, 0.747993}, {26, 0.01, 0.492452, 67.688}};
    imp_search_plan plan = search_plan(&imp_search_boundary, "mode", "friction", 1e-3, 100, 128);
    plan.inside = search_wedge();
    plan.over[0].logarithmic = true;
    plan.tolerance = 0;
    search_batch c = search_cells(&plan, "pendulum", SUITE_COUNT(rows));
    for (size_t i = 0; i < c.n; i++) {
        search_in(&c, "angle")[i] = rows[i].angle * pi / 180;
        search_in(&c, "stiffness_ratio")[i] = rows[i].ratio;
    }
    search_solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        CHECK_NEAR(search_out(&c, "root", i, 0), rows[i].low, 0.6e-6, "low at %g deg",
                   rows[i].angle);
        CHECK_NEAR(search_out(&c, "root", i, 1), rows[i].high, rows[i].high > 1 ? 0.6e-3 : 0.6e-6,
                   "high at %g deg", rows[i].angle);
        CHECK(search_out(&c, "root_bracket", i, 0) <= 2.3e-16, "neighbouring doubles");
    }
    search_close(&c);
}

/* Sphere, Poisson's ratio 0.3, friction 0.5: gross slip from psi1 = 4.76471 (PAMC chapter 4.2) and
 * stick up to 1, where psi1 = v_t / (mu eta |v_n|). */
static void sphere_limits(void) {
    double eta = 1.7 / 1.4, scale = 0.5 * eta;
    imp_search_plan plan =
        search_plan(&imp_search_boundary, "mode", "velocity_ratio", 0.01, 10, 64);
    CHECK(imp_search_code(plan.theory, plan.of, "gross_slip", &plan.inside), "no gross slip");
    search_batch c = search_cells(&plan, "sphere", 1);
    search_in(&c, "friction")[0] = 0.5;
    search_in(&c, "stiffness_ratio")[0] = eta;
    search_solve(&c);
    CHECK_NEAR(search_out(&c, "root", 0, 0) / scale, 7 / eta - 1, 1e-10, "gross slip");
    CHECK_NEAR(search_out(&c, "root", 0, 0) / scale, 4.76471, 0.6e-5, "gross slip, published");
    search_close(&c);
    imp_search_code(plan.theory, plan.of, "stick_slip", &plan.inside);
    c = search_cells(&plan, "sphere", 1);
    search_in(&c, "friction")[0] = 0.5;
    search_in(&c, "stiffness_ratio")[0] = eta;
    search_solve(&c);
    CHECK_NEAR(search_out(&c, "root", 0, 0) / scale, 1, 1e-10, "stick limit");
    search_close(&c);
}

/* A double pendulum approaches the plane where l1 w1 sin q1 + l2 w2 sin q2 is negative; other
 * samples are outside, and leave the roots where a search over the rest of the range finds them. */
static void range_that_is_partly_outside(void) {
    enum { CELLS = 4, SAMPLES = 96 };
    const double ends[] = {-pi / 2, 0.05};
    double root[CELLS] = {0};
    for (int k = 0; k < 2; k++) {
        imp_search_plan plan =
            search_plan(&imp_search_boundary, "mode", "q2", ends[k], 1.5, SAMPLES);
        CHECK(imp_search_code(plan.theory, plan.of, "gross_slip", &plan.inside), "no gross slip");
        search_batch c = search_cells_law(&plan, "double_pendulum", "hertz", CELLS);
        for (size_t i = 0; i < c.n; i++) {
            search_in(&c, "q1")[i] = 0.1 + 0.2 * (double)i;
            search_in(&c, "friction")[i] = 0.3;
            search_in(&c, "damping")[i] = 0.2;
        }
        search_solve(&c);
        for (size_t i = 0; i < c.n; i++) {
            int outside = 0;
            for (int s = 0; s < SAMPLES; s++) {
                double q2 = ends[k] + (1.5 - ends[k]) * s / (SAMPLES - 1);
                outside += -sin(search_in(&c, "q1")[i]) - 2 * sin(q2) >= 0;
            }
            CHECK_NEAR(search_out(&c, "outside_share", i, 0), (double)outside / SAMPLES, 1e-15,
                       "share outside from %g", ends[k]);
            const char *flag = search_category(&c, "root_flag", i, 0);
            CHECK((strstr(flag, "outside") != NULL) == (k == 0), "flag %s from %g", flag, ends[k]);
            int n = (int)search_out(&c, "root_count", i, 0);
            CHECK(n >= 1 && n <= 4, "%d roots from %g", n, ends[k]);
            double last = n > 0 ? search_out(&c, "root", i, (size_t)n - 1) : NAN;
            CHECK(k == 0 || fabs(last - root[i]) < 1e-11, "the root %.17g, and %.17g", last,
                  root[i]);
            root[i] = last;
        }
        search_close(&c);
    }
}

SUITE("search", critical_angles, critical_angles_under_hertz, windows, published_windows,
      sphere_limits, gross_slip_of_a_sphere, range_that_is_partly_outside)
