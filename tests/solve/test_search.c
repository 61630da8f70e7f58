/* Searches of the compliant theory against closed forms and published numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/search/search.h"
#include "solve/solver.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

enum { CELLS = 2048, LONGEST = 8 };

/* Cells of a search: inputs by the names of the theory that remain, outputs with room for lists. */
typedef struct cells {
    imp_search *search;
    imp_solver *solver;
    size_t n;
    double *in[IMP_MAX_PARAMETERS], *out[IMP_MAX_OUTPUTS];
    uint8_t outcome[CELLS];
} cells;

static int output_of(const char *name) {
    return imp_theory_output(imp_theory_find("compliant"), name);
}

static const imp_parameter *parameter_of(const char *name) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(imp_theory_find("compliant"), all);
    for (int p = 0; p < n; p++) {
        if (strcmp(all[p]->name, name) == 0) {
            return all[p];
        }
    }
    return NULL;
}

static imp_search_plan plan_of(const imp_search_kind *kind, const char *of, const char *over,
                               double from, double to, int samples) {
    imp_search_plan plan = {.theory = imp_theory_find("compliant"),
                            .kind = kind,
                            .over = {{parameter_of(over), from, to, samples, false}},
                            .n_over = 1,
                            .of = output_of(of),
                            .tolerance = 1e-12,
                            .max_roots = 4};
    return plan;
}

static cells cells_open_law(const imp_search_plan *plan, const char *body, const char *law,
                            size_t n) {
    const imp_theory *theory = plan->theory;
    int chosen[IMP_MAX_CHOICES] = {0}, choice = imp_theory_choice(theory, "body");
    chosen[choice] = imp_choice_option(&theory->choices[choice], body);
    choice = imp_theory_choice(theory, "law");
    chosen[choice] = imp_choice_option(&theory->choices[choice], law);
    cells c = {.search = imp_search_make(plan), .n = n};
    imp_signature signature = imp_signature_of(imp_search_theory(c.search), chosen);
    CHECK(imp_solver_open(&signature, &c.solver) == IMP_OK, "%s", imp_last_error());
    for (int p = 0; p < signature.n_parameters; p++) {
        const imp_parameter *parameter = signature.parameter[p];
        if (parameter->stands_for) {
            continue;
        }
        c.in[p] = calloc(n, sizeof(double));
        for (size_t i = 0; i < n; i++) {
            c.in[p][i] = isnan(parameter->fallback) ? parameter->example : parameter->fallback;
        }
    }
    for (int o = 0; o < imp_search_theory(c.search)->n_outputs; o++) {
        c.out[o] = calloc(n * LONGEST, sizeof(double));
    }
    return c;
}

static cells cells_open(const imp_search_plan *plan, const char *body, size_t n) {
    return cells_open_law(plan, body, "linear", n);
}

static void cells_close(cells *c) {
    for (int p = 0; p < IMP_MAX_PARAMETERS; p++) {
        free(c->in[p]);
    }
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(c->out[o]);
    }
    imp_close(&c->solver);
    imp_search_free(&c->search);
}

static double *in(const cells *c, const char *name) {
    return c->in[imp_input(c->solver, name)];
}

/* Value k of an output in cell i. */
static double out(const cells *c, const char *name, size_t i, size_t k) {
    const imp_theory *theory = imp_search_theory(c->search);
    int o = imp_theory_output(theory, name);
    CHECK(o >= 0, "no output %s", name);
    return o < 0 ? NAN : c->out[o][i * imp_output_length(&theory->outputs[o]) + k];
}

static const char *category(const cells *c, const char *name, size_t i, size_t k) {
    int n;
    const imp_theory *theory = imp_search_theory(c->search);
    int o = imp_theory_output(theory, name);
    const imp_mode *codes = imp_output_categories(theory, &theory->outputs[o], &n);
    for (int m = 0; m < n; m++) {
        if (codes[m].code == (int)out(c, name, i, k)) {
            return codes[m].name;
        }
    }
    return "none";
}

static void solve(cells *c) {
    CHECK(imp_solve(c->solver, c->n, (const double *const *)c->in, c->out, c->outcome) == IMP_OK,
          "%s", imp_last_error());
}

/* The set that consists of the mode wedge, as a search takes it. */
static uint64_t wedge(void) {
    uint64_t bit = 0;
    CHECK(imp_search_code(imp_theory_find("compliant"), output_of("mode"), "wedge", &bit),
          "no mode wedge");
    return bit;
}

/* Birlik 2012 in closed form: tan(angle) = 2 mu / (b + sqrt(b^2 + 4 eta mu^2)), b = 1 + 3 eta mu^2. */
static double critical_angle(double mu, double eta) {
    double b = 1 + 3 * eta * mu * mu;
    return atan(2 * mu / (b + sqrt(b * b + 4 * eta * mu * mu)));
}

/* Friction 0.01 .. 2 by seven stiffness ratios. */
static void critical_angles(void) {
    static const double ratios[] = {1.21, 1, 0.5, 0.1, 0.01, 0.001, 1e-4};
    enum { FRICTIONS = 200, RATIOS = SUITE_COUNT(ratios) };
    imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "angle", 1e-4, pi / 2 - 1e-4, 128);
    plan.inside = wedge();
    cells c = cells_open(&plan, "pendulum", FRICTIONS * RATIOS);
    for (size_t i = 0; i < c.n; i++) {
        in(&c, "friction")[i] = 0.01 + 1.99 * (double)(i / RATIOS) / (FRICTIONS - 1);
        in(&c, "stiffness_ratio")[i] = ratios[i % RATIOS];
    }
    solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double mu = in(&c, "friction")[i], eta = in(&c, "stiffness_ratio")[i];
        double angle = critical_angle(mu, eta);
        CHECK(c.outcome[i] == IMP_SOLVED && out(&c, "root_count", i, 0) == 1, "%g %g: %g roots", mu,
              eta, out(&c, "root_count", i, 0));
        CHECK_NEAR(out(&c, "root", i, 0), angle, 1e-12 * pi, "friction %g, ratio %g", mu, eta);
        CHECK(out(&c, "root_bracket", i, 0) <= 1e-12 * pi, "bracket");
        CHECK(isnan(out(&c, "root", i, 1)), "a second root");
        CHECK(strcmp(category(&c, "root_side", i, 0), "leaves") == 0, "it wedges below");
        CHECK(strcmp(category(&c, "mode_below", i, 0), "wedge") == 0 &&
                  strcmp(category(&c, "mode_above", i, 0), "slip_stick_slip_reversed") == 0,
              "from %s to %s", category(&c, "mode_below", i, 0), category(&c, "mode_above", i, 0));
        CHECK(strcmp(category(&c, "root_flag", i, 0), "complete") == 0, "flag %s",
              category(&c, "root_flag", i, 0));
        /* The root is the end inside the set, where the pendulum wedges with hardly any energy left; that
         * energy grows as the root of the distance from the boundary. */
        CHECK_NEAR(out(&c, "energy_loss", i, 0), 1, 2e-3, "all energy is lost");
        CHECK(isnan(out(&c, "kinematic_restitution", i, 0)), "it does not separate");
    }
    cells_close(&c);
}

/* A sphere slips throughout where velocity_ratio / friction > 7 - eta (eta below 7/2). Just below that it ends
 * with a short slip back, and no third mode is between. */
static void gross_slip_of_a_sphere(void) {
    static const char *const modes[] = {"gross_slip", "multiple"};
    const double eta = 1.2;
    for (int k = 0; k < 2; k++) {
        imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "friction", 0.001, 20, 64);
        CHECK(imp_search_code(plan.theory, plan.of, modes[k], &plan.inside), "%s", modes[k]);
        cells c = cells_open(&plan, "sphere", 40);
        for (size_t i = 0; i < c.n; i++) {
            in(&c, "velocity_ratio")[i] = 0.05 * (double)(i + 1);
            in(&c, "stiffness_ratio")[i] = eta;
        }
        solve(&c);
        for (size_t i = 0; i < c.n; i++) {
            double v = in(&c, "velocity_ratio")[i];
            CHECK(out(&c, "root_count", i, 0) == 1 - k, "%s at %g: %g roots", modes[k], v,
                  out(&c, "root_count", i, 0));
            if (k == 0) {
                CHECK_NEAR(out(&c, "root", i, 0), v / (7 - eta), 2e-11, "velocity_ratio %g", v);
                CHECK(strcmp(category(&c, "mode_above", i, 0), "slip_stick_slip_reversed") == 0,
                      "beside it %s", category(&c, "mode_above", i, 0));
            }
        }
        cells_close(&c);
    }
}

/* The pendulum's remaining energy, times a positive factor, where normal and tangential forces grow as the
 * power 3/2 (Birlik's closed form for power laws). */
static double power_law_energy(double angle, double mu, double eta) {
    double t = tan(angle), kappa = cbrt(mu * eta * mu * eta);
    double r = pow((1 - kappa * t) / (1 + kappa * t), 2.5);
    return t * (1 + mu * kappa) * (1 - r) + (t - mu) * r;
}

/* Under the Hertz law the boundary is where that energy passes through 0. No closed form is known with damping,
 * but a little damping moves the boundary only a little. */
static void critical_angles_under_hertz(void) {
    static const double frictions[] = {0.1, 0.4, 1, 1.7}, ratios[] = {1.21, 0.1, 0.01};
    enum { ALL = SUITE_COUNT(frictions) * SUITE_COUNT(ratios) };
    imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "angle", 1e-3, pi / 2 - 1e-3, 48);
    plan.inside = wedge();
    plan.tolerance = 1e-10;
    cells c = cells_open_law(&plan, "pendulum", "hertz", 2 * ALL);
    for (size_t i = 0; i < c.n; i++) {
        in(&c, "friction")[i] = frictions[i % SUITE_COUNT(frictions)];
        in(&c, "stiffness_ratio")[i] = ratios[i % ALL / SUITE_COUNT(frictions)];
        in(&c, "damping")[i] = i < ALL ? 0 : 1e-3;
    }
    solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double mu = in(&c, "friction")[i], eta = in(&c, "stiffness_ratio")[i];
        double angle = out(&c, "root", i, 0), distance = i < ALL ? 2e-9 : 1e-3;
        CHECK(out(&c, "root_count", i, 0) == 1, "%g roots", out(&c, "root_count", i, 0));
        CHECK(power_law_energy(angle - distance, mu, eta) < 0 &&
                  power_law_energy(angle + distance, mu, eta) > 0,
              "friction %g, ratio %g, damping %g: %.12g", mu, eta, in(&c, "damping")[i], angle);
    }
    cells_close(&c);
}

/* The friction that wedges at a given angle: two limits that meet at tan(angle) sqrt(eta) = tan 15 deg
 * and vanish beyond. */
static void windows(void) {
    static const double distances[] = {0.3,  0.1,   1e-2,   1e-4,  1e-6,
                                       1e-8, 1e-10, -1e-12, -1e-3, -0.1};
    enum { RATIOS = 4, ALL = SUITE_COUNT(distances) * RATIOS };
    static const double ratios[RATIOS] = {1.21, 1, 0.1, 0.01};
    imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "friction", 1e-3, 1e3, 128);
    plan.inside = wedge();
    plan.over[0].logarithmic = true;
    cells c = cells_open(&plan, "pendulum", ALL);
    for (size_t i = 0; i < c.n; i++) {
        double y = tan(pi / 12) * (1 - distances[i / RATIOS]), eta = ratios[i % RATIOS];
        in(&c, "angle")[i] = atan(y / sqrt(eta));
        in(&c, "stiffness_ratio")[i] = eta;
    }
    solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double d = distances[i / RATIOS], eta = in(&c, "stiffness_ratio")[i];
        double tangent = tan(in(&c, "angle")[i]), y = tangent * sqrt(eta);
        double h = 1 - y * y, root = h * h - 12 * y * y;
        CHECK(out(&c, "root_count", i, 0) == (d > 0 ? 2 : 0), "%g limits at distance %g, ratio %g",
              out(&c, "root_count", i, 0), d, eta);
        if (d <= 0) {
            continue;
        }
        double low = (h - sqrt(root)) / (6 * eta * tangent);
        double high = (h + sqrt(root)) / (6 * eta * tangent);
        double tolerance = 1e-12 * 1e3 + 1e-15 * high / sqrt(root);
        CHECK_NEAR(out(&c, "root", i, 0), low, tolerance, "lower limit at distance %g", d);
        CHECK_NEAR(out(&c, "root", i, 1), high, tolerance, "upper limit at distance %g", d);
        CHECK(strcmp(category(&c, "root_side", i, 0), "enters") == 0 &&
                  strcmp(category(&c, "root_side", i, 1), "leaves") == 0,
              "sides");
        bool hidden = high < low * pow(1e6, 1.0 / 127);
        bool flagged = strcmp(category(&c, "root_flag", i, 0), "may_hide_pair") == 0;
        CHECK(hidden || !flagged, "flagged at distance %g", d);
        CHECK(!flagged || d < 0.1, "a wide window is not flagged");
        CHECK(d > 1e-5 || flagged, "a narrow one is, at distance %g", d);
    }
    cells_close(&c);
}

/* Published windows (Birlik 2012, figures 4.16, 4.17, read off a scan in steps of 0.1) with their
 * correct values. */
static void published_windows(void) {
    static const struct {
        double angle, ratio, low, high;
    } rows[] = {{13, 1.21, 0.368295, 0.747993}, {26, 0.01, 0.492452, 67.688}};
    imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "friction", 1e-3, 100, 128);
    plan.inside = wedge();
    plan.over[0].logarithmic = true;
    plan.tolerance = 0;
    cells c = cells_open(&plan, "pendulum", SUITE_COUNT(rows));
    for (size_t i = 0; i < c.n; i++) {
        in(&c, "angle")[i] = rows[i].angle * pi / 180;
        in(&c, "stiffness_ratio")[i] = rows[i].ratio;
    }
    solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        CHECK_NEAR(out(&c, "root", i, 0), rows[i].low, 0.6e-6, "low at %g deg", rows[i].angle);
        CHECK_NEAR(out(&c, "root", i, 1), rows[i].high, rows[i].high > 1 ? 0.6e-3 : 0.6e-6,
                   "high at %g deg", rows[i].angle);
        CHECK(out(&c, "root_bracket", i, 0) <= 2.3e-16, "neighbouring doubles");
    }
    cells_close(&c);
}

/* Sphere, Poisson's ratio 0.3, friction 0.5: gross slip from psi1 = 4.76471 (PAMC chapter 4.2) and
 * stick up to 1, where psi1 = v_t / (mu eta |v_n|). */
static void sphere_limits(void) {
    double eta = 1.7 / 1.4, scale = 0.5 * eta;
    imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "velocity_ratio", 0.01, 10, 64);
    CHECK(imp_search_code(plan.theory, plan.of, "gross_slip", &plan.inside), "no gross slip");
    cells c = cells_open(&plan, "sphere", 1);
    in(&c, "friction")[0] = 0.5;
    in(&c, "stiffness_ratio")[0] = eta;
    solve(&c);
    CHECK_NEAR(out(&c, "root", 0, 0) / scale, 7 / eta - 1, 1e-10, "gross slip");
    CHECK_NEAR(out(&c, "root", 0, 0) / scale, 4.76471, 0.6e-5, "gross slip, published");
    cells_close(&c);
    imp_search_code(plan.theory, plan.of, "stick_slip", &plan.inside);
    c = cells_open(&plan, "sphere", 1);
    in(&c, "friction")[0] = 0.5;
    in(&c, "stiffness_ratio")[0] = eta;
    solve(&c);
    CHECK_NEAR(out(&c, "root", 0, 0) / scale, 1, 1e-10, "stick limit");
    cells_close(&c);
}

/* e^2 of the pendulum in closed form where it separates after slip, stick, slip. */
static double squared(double angle, double mu, double eta) {
    double t = tan(angle), k = mu * eta * t;
    return 1 - 2 * mu * (1 - k) / ((t + mu) * (1 + k));
}

/* The angle at which the restitution has a given value. */
static void targets(void) {
    enum { N = 200 };
    imp_search_plan plan =
        plan_of(&imp_search_target, "kinematic_restitution", "angle", 1e-3, pi / 2 - 1e-3, 128);
    plan.value = 0.5;
    cells c = cells_open(&plan, "pendulum", N);
    random_source source = {91};
    for (size_t i = 0; i < N; i++) {
        in(&c, "friction")[i] = random_between(&source, 0.02, 2);
        in(&c, "stiffness_ratio")[i] = random_between(&source, 0.01, 1.5);
    }
    solve(&c);
    for (size_t i = 0; i < N; i++) {
        double mu = in(&c, "friction")[i], eta = in(&c, "stiffness_ratio")[i];
        CHECK(out(&c, "root_count", i, 0) == 1 && out(&c, "jump_count", i, 0) == 0, "%g roots",
              out(&c, "root_count", i, 0));
        double angle = out(&c, "root", i, 0);
        CHECK_NEAR(squared(angle, mu, eta), 0.25, 1e-10, "e^2 at the root, friction %g, ratio %g",
                   mu, eta);
        CHECK_NEAR(out(&c, "kinematic_restitution", i, 0), 0.5, 1e-10, "e at the root");
        CHECK(strcmp(category(&c, "root_side", i, 0), "rises") == 0, "it rises with the angle");
    }
    cells_close(&c);
}

/* The least restitution over friction is between wedging and gross stick, where d(e^2)/dmu = 0 in closed form.
 * Where the pendulum separates nowhere there is no extreme. */
static void extremes(void) {
    imp_search_plan plan =
        plan_of(&imp_search_minimum, "kinematic_restitution", "friction", 1e-3, 3, 200);
    plan.tolerance = 1e-10;
    cells c = cells_open(&plan, "pendulum", 50);
    for (size_t i = 0; i < c.n; i++) {
        in(&c, "angle")[i] = (20 + (double)i) * pi / 180;
        in(&c, "stiffness_ratio")[i] = 1.21;
    }
    solve(&c);
    for (size_t i = 0; i < c.n; i++) {
        double t = tan(in(&c, "angle")[i]), k = 1.21 * t;
        /* e^2 = 1 - 2 f, f = mu (1 - k mu) / ((t + mu) (1 + k mu)): f' = 0 is a quadratic */
        double a = -k * k * t - 2 * k, b = -2 * k * t, h = t;
        double mu = (-b - sqrt(b * b - 4 * a * h)) / (2 * a);
        double angle = in(&c, "angle")[i];
        CHECK_NEAR(out(&c, "at_friction", i, 0), mu, 1e-6, "place at %g deg", angle * 180 / pi);
        CHECK_NEAR(out(&c, "extreme", i, 0), sqrt(squared(angle, mu, 1.21)), 1e-12, "value");
        CHECK(strcmp(category(&c, "extreme_place", i, 0), "interior") == 0, "place");
        CHECK_NEAR(out(&c, "kinematic_restitution", i, 0), out(&c, "extreme", i, 0), 0, "same");
    }
    cells_close(&c);
}

/* PAMC figure 45: the largest restitution at inertia coupling 0.8, friction 1, Poisson's ratio 0.28
 * for approaches up to 1.4 rad is printed "> 3"; it is 3.318 at angle 0.52. The least is 0.15267. */
static void extremes_over_two(void) {
    imp_search_plan plan =
        plan_of(&imp_search_maximum, "kinematic_restitution", "angle", -pi / 2, pi / 2, 91);
    plan.over[1] = (imp_over){parameter_of("velocity_ratio"), 0, tan(1.4), 64, false};
    plan.n_over = 2;
    plan.tolerance = 1e-8;
    for (int least = 0; least < 2; least++) {
        plan.kind = least ? &imp_search_minimum : &imp_search_maximum;
        cells c = cells_open(&plan, "general", 1);
        in(&c, "friction")[0] = 1;
        in(&c, "inertia_coupling")[0] = 0.8;
        in(&c, "stiffness_ratio")[0] = 1.72 / 1.44;
        solve(&c);
        if (least) {
            CHECK(out(&c, "extreme", 0, 0) <= 0.152674, "%.7g", out(&c, "extreme", 0, 0));
            CHECK_NEAR(out(&c, "extreme", 0, 0), 0.152674, 1e-5, "least");
        } else {
            CHECK_NEAR(out(&c, "extreme", 0, 0), 3.318, 1e-3, "largest");
            CHECK_NEAR(out(&c, "at_angle", 0, 0), 0.52, 5e-3, "its angle");
            CHECK(strcmp(category(&c, "extreme_place", 0, 0), "end") == 0, "it grows with alpha");
        }
        cells_close(&c);
    }
}

/* Poisson's ratio says the same as the stiffness ratio; a search may go over either. */
static void over_a_stand_in(void) {
    imp_search_plan by_ratio =
        plan_of(&imp_search_target, "kinematic_restitution", "stiffness_ratio", 1, 1.5, 32);
    by_ratio.value = 0.45;
    imp_search_plan by_poisson = by_ratio;
    by_poisson.over[0] = (imp_over){parameter_of("poisson_ratio"), 0, 0.5, 32, false};
    cells ratio = cells_open(&by_ratio, "pendulum", 1);
    cells poisson = cells_open(&by_poisson, "pendulum", 1);
    CHECK(imp_input(ratio.solver, "poisson_ratio") < 0, "both say the same");
    in(&ratio, "friction")[0] = in(&poisson, "friction")[0] = 0.5;
    in(&ratio, "angle")[0] = in(&poisson, "angle")[0] = 0.3;
    double *angle[] = {in(&ratio, "angle"), in(&poisson, "angle")};
    angle[0][0] = angle[1][0] = critical_angle(0.5, 1.2) + 0.05;
    solve(&ratio);
    solve(&poisson);
    double eta = out(&ratio, "root", 0, 0), nu = out(&poisson, "root", 0, 0);
    CHECK(out(&ratio, "root_count", 0, 0) == 1, "%g roots", out(&ratio, "root_count", 0, 0));
    CHECK_NEAR((2 - nu) / (2 * (1 - nu)), eta, 1e-11, "the same root");
    CHECK_NEAR(squared(angle[0][0], 0.5, eta), 0.45 * 0.45, 1e-10, "closed form");
    cells_close(&ratio);
    cells_close(&poisson);
}

/* A cell is `outside` if every sample is, and `budget` if its budget is too small. */
static void failures(void) {
    imp_search_plan plan = plan_of(&imp_search_target, "energy_loss", "friction", 0.1, 1, 16);
    plan.value = 0.3;
    cells c = cells_open(&plan, "matrix", 2);
    in(&c, "b12")[0] = 7;
    solve(&c);
    CHECK(c.outcome[0] == IMP_OUTSIDE && c.outcome[1] == IMP_SOLVED, "outcomes");
    CHECK(isnan(out(&c, "root_count", 0, 0)), "no count of an unsolved cell");
    cells_close(&c);
    c = cells_open(&plan, "rod", 1);
    in(&c, "velocity_ratio")[0] = 0;
    imp_set_budget(c.solver, 1);
    solve(&c);
    CHECK(c.outcome[0] == IMP_BUDGET, "outcome %d", c.outcome[0]);
    cells_close(&c);
}

/* The bits of a search do not depend on its place, its neighbours, or the other outputs. */
static void same_bits(void) {
    imp_search_plan plan = plan_of(&imp_search_boundary, "mode", "angle", -1.5, 1.5, 50);
    CHECK(imp_search_code(plan.theory, plan.of, "stick_slip", &plan.inside), "no mode");
    plan.max_roots = LONGEST;
    cells c = cells_open(&plan, "rod", 300), one = cells_open(&plan, "rod", 1);
    random_source source = {17};
    for (size_t i = 0; i < c.n; i++) {
        in(&c, "friction")[i] = random_between(&source, 0.05, 1.5);
        in(&c, "velocity_ratio")[i] = random_between(&source, -1, 1);
    }
    solve(&c);
    double most = 0;
    for (size_t i = c.n; i-- > 0;) {
        in(&one, "friction")[0] = in(&c, "friction")[i];
        in(&one, "velocity_ratio")[0] = in(&c, "velocity_ratio")[i];
        double *wanted[IMP_MAX_OUTPUTS] = {NULL};
        int root = imp_theory_output(imp_search_theory(one.search), "root");
        wanted[root] = one.out[root];
        imp_solve(one.solver, 1, (const double *const *)one.in, wanted, one.outcome);
        for (size_t k = 0; k < LONGEST; k++) {
            double a = out(&c, "root", i, k), b = out(&one, "root", 0, k);
            CHECK(memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)), "cell %zu, root %zu", i,
                  k);
            CHECK(k == 0 || isnan(a) || a > out(&c, "root", i, k - 1), "ascending");
        }
        most = fmax(most, out(&c, "root_count", i, 0));
    }
    CHECK(most >= 2, "several roots in some cell");
    cells_close(&c);
    cells_close(&one);
}

int main(void) {
    static const suite_test tests[] = {
        SUITE_TEST(critical_angles),
        SUITE_TEST(critical_angles_under_hertz),
        SUITE_TEST(windows),
        SUITE_TEST(published_windows),
        SUITE_TEST(sphere_limits),
        SUITE_TEST(targets),
        SUITE_TEST(extremes),
        SUITE_TEST(extremes_over_two),
        SUITE_TEST(over_a_stand_in),
        SUITE_TEST(failures),
        SUITE_TEST(gross_slip_of_a_sphere),
        SUITE_TEST(same_bits),
    };
    return suite_run("search", tests, SUITE_COUNT(tests));
}
