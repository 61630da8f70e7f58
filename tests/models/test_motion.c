/* Mass centre, spin and inverse mass of bodies in the plane, as every theory gives them: momentum
 * and kinetic energy by the geometry of each body, closed forms of B, and a rod that turns during
 * the contact. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 60 };

static const char *const theories[] = {"compliant", "continuum", "rigid"};

/* The contact point relative to the mass centre, and the squared radius of gyration. */
typedef struct geometry {
    double t, n, square;
} geometry;

static geometry of_sphere(const batch *b, size_t i) {
    double r = batch_in(b, "radius")[i];
    return (geometry){0, -r, 0.4 * r * r};
}

static geometry of_rod(const batch *b, size_t i) {
    double half = batch_in(b, "length")[i] / 2, angle = batch_in(b, "angle")[i];
    return (geometry){half * sin(angle), -half * cos(angle), half * half / 3};
}

/* The centre of the touching hemisphere lies a radius above the plane; the axis leads from there to
 * the mass centre. Inertia by parts: two hemispheres and a cylinder. */
static geometry of_capsule(const batch *b, size_t i) {
    double r = batch_in(b, "radius")[i], length = batch_in(b, "slenderness")[i] * r;
    double angle = batch_in(b, "angle")[i], tilt = angle + asin(2 * r * sin(angle) / length);
    double ball = 4.0 / 3 * r * r * r, tube = r * r * length, far = length / 2;
    double inertia = ball * (0.4 * r * r + 2 * 3.0 / 8 * r * far + far * far) +
                     tube * (r * r / 4 + length * length / 12);
    return (geometry){far * sin(tilt), -far * cos(tilt) - r, inertia / (ball + tube)};
}

static geometry of_lamina(const batch *b, size_t i) {
    double k = batch_in(b, "gyration_radius")[i];
    return (geometry){batch_in(b, "offset_t")[i], batch_in(b, "offset_n")[i], k * k};
}

static const struct {
    const char *name;
    geometry (*of)(const batch *b, size_t i);
} bodies[] = {
    {"sphere", of_sphere}, {"rod", of_rod}, {"capsule", of_capsule}, {"lamina", of_lamina}};

static void fill(const batch *b, const char *body, random_source *source) {
    bool turned = strcmp(body, "rod") == 0 || strcmp(body, "capsule") == 0;
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "friction")[i] = random_between(source, 0, 1);
        batch_in(b, "velocity_ratio")[i] = random_between(source, -2, 2);
        batch_in(b, "normal_speed")[i] = random_between(source, 0.5, 3);
        batch_in(b, "mass")[i] = random_between(source, 0.2, 5);
        batch_in(b, "initial_spin")[i] = i % 4 ? random_between(source, -5, 5) : 0;
        if (turned) {
            batch_in(b, "angle")[i] = random_between(source, -0.6, 0.6);
        }
        if (strcmp(body, "lamina") == 0) {
            batch_in(b, "offset_t")[i] = random_between(source, -1, 1);
            batch_in(b, "offset_n")[i] = random_between(source, -2, -0.2);
            batch_in(b, "gyration_radius")[i] = random_between(source, 0.3, 2);
        }
        if (strcmp(b->theory->name, "rigid") == 0) {
            batch_in(b, "restitution")[i] = random_between(source, 0, 1);
        } else {
            batch_in(b, "stiffness_ratio")[i] = random_between(source, 1, 1.5);
        }
    }
}

static double energy(double mass, const geometry *g, double v_t, double v_n, double spin) {
    return mass * (v_t * v_t + v_n * v_n + g->square * spin * spin) / 2;
}

/* Momentum of the mass centre, the contact point by both motions, and the loss of kinetic
 * energy. */
static void check_cell(const batch *b, size_t i, const geometry *g) {
    double mass = batch_in(b, "mass")[i], speed = batch_in(b, "normal_speed")[i];
    double spin = batch_in(b, "initial_spin")[i], ratio = batch_in(b, "velocity_ratio")[i];
    double v_t = ratio * speed + spin * g->n, v_n = -speed - spin * g->t;
    double w_t = batch_out(b, "body_velocity_t")[i], w_n = batch_out(b, "body_velocity_n")[i];
    double turn = batch_out(b, "angular_velocity")[i],
           size = speed * (1 + fabs(ratio)) + fabs(spin);
    CHECK_OUTPUT(b, i, "tangential_impulse", mass * (w_t - v_t), 1e-9 * mass * size);
    CHECK_OUTPUT(b, i, "normal_impulse", mass * (w_n - v_n), 1e-9 * mass * size);
    CHECK_CELL_NEAR(b, i, w_t - turn * g->n, batch_out(b, "velocity_ratio_out")[i] * speed,
                    1e-7 * size);
    CHECK_CELL_NEAR(b, i, w_n + turn * g->t, batch_out(b, "kinematic_restitution")[i] * speed,
                    1e-7 * size);
    double before = energy(mass, g, v_t, v_n, spin);
    CHECK_CELL_NEAR(b, i, before - energy(mass, g, w_t, w_n, turn),
                    batch_out(b, "body_energy_loss")[i] * before, 1e-6 * before);
}

/* B = (1 / m) (1 + r r'^T / k^2), its principal values and axes. */
static void check_inverse_mass(const batch *b, size_t i, const geometry *g) {
    double mass = batch_in(b, "mass")[i], k = g->square;
    double tt = (1 + g->n * g->n / k) / mass, nn = (1 + g->t * g->t / k) / mass;
    double tn = -g->t * g->n / k / mass, near_enough = 1e-12 * (tt + nn);
    CHECK_OUTPUT(b, i, "inverse_mass_tt", tt, near_enough);
    CHECK_OUTPUT(b, i, "inverse_mass_tn", tn, near_enough);
    CHECK_OUTPUT(b, i, "inverse_mass_nn", nn, near_enough);
    CHECK_CELL_NEAR(b, i, batch_out(b, "effective_mass")[i] * nn, 1, 1e-12);
    /* The body general with these numbers has the same B. */
    double mean = batch_out(b, "mean_effective_mass")[i],
           coupling = batch_out(b, "body_coupling")[i];
    double twice = 2 * batch_out(b, "principal_angle")[i];
    CHECK_CELL_NEAR(b, i, (1 + coupling * cos(twice)) / mean, tt, near_enough);
    CHECK_CELL_NEAR(b, i, (1 - coupling * cos(twice)) / mean, nn, near_enough);
    CHECK_CELL_NEAR(b, i, coupling * sin(twice) / mean, tn, near_enough);
}

/* The contact does not see the spin: it has the same bits without. */
static void check_without_spin(const batch *with, const char *choices) {
    static const char *const seen[] = {"mode", "normal_impulse", "tangential_impulse",
                                       "energy_loss"};
    batch b = batch_again(with, choices);
    batch_set(&b, "initial_spin", 0);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        for (int k = 0; k < SUITE_COUNT(seen); k++) {
            CHECK(batch_same(batch_out(&b, seen[k])[i], batch_out(with, seen[k])[i]), "%s: %s",
                  seen[k], batch_text(&b, i));
        }
    }
    batch_close(&b);
}

static void free_bodies(void) {
    random_source source = {91};
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        for (int k = 0; k < SUITE_COUNT(bodies); k++) {
            char choices[32] = "body=";
            batch b = batch_open(theories[t], strcat(choices, bodies[k].name), CELLS);
            fill(&b, bodies[k].name, &source);
            batch_solve(&b);
            int seen = 0;
            for (size_t i = 0; i < b.n; i++) {
                geometry g = bodies[k].of(&b, i);
                if (b.outcome[i] == IMP_SOLVED && !batch_has_mode(&b, i, "wedge")) {
                    check_cell(&b, i, &g);
                    check_inverse_mass(&b, i, &g);
                    seen++;
                }
            }
            CHECK(seen > CELLS / 2, "%d cells of %s, %s", seen, theories[t], bodies[k].name);
            check_without_spin(&b, choices);
            batch_close(&b);
        }
    }
}

/* The sphere on a link of Birlik: its moment of inertia is 1.001 m l^2. */
static void pendulum(void) {
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        batch b = batch_open(theories[t], "body=pendulum", 2);
        BATCH_SET(&b, {"angle", 0.5}, {"friction", 0.3});
        batch_in(&b, "mass")[0] = 4;
        batch_in(&b, "length")[0] = 0.1;
        batch_in(&b, "radius")[0] = 0.005;
        batch_in(&b, "mass")[1] = 4 * 1.001;
        batch_solve(&b);
        CHECK_NEAR(batch_out(&b, "normal_impulse")[0], batch_out(&b, "normal_impulse")[1], 1e-12,
                   "%s", theories[t]);
        CHECK_NEAR(batch_out(&b, "inverse_mass_nn")[0], pow(sin(0.5), 2) / 4.004, 1e-15, "%s",
                   theories[t]);
        CHECK_NEAR(batch_out(&b, "body_coupling")[0], 1, 1e-15, "%s", theories[t]);
        CHECK_NEAR(batch_out(&b, "principal_angle")[0], 0.5, 1e-15, "%s", theories[t]);
        batch_in(&b, "radius")[0] = 0.11;
        batch_solve(&b);
        CHECK(b.outcome[0] == IMP_OUTSIDE, "a pivot inside the sphere: %d", b.outcome[0]);
        batch_close(&b);
    }
}

/* ---- a rod that turns during the contact ---- */

/* Newton's equations of a frictionless rod of 1 kg and 1 m on a spring of stiffness k, by small
 * steps: the impulse and the angular velocity at separation. z, w: height of the tip and rate of
 * the angle. */
static void by_newton(double angle, double spin, double k, double *impulse, double *rate) {
    double h = 2e-6, z = 0, w = spin, lift = -1 - w * sin(angle) / 2, p = 0;
    for (bool touching = true; touching;) {
        double force[2], turn[2];
        for (int half = 0; half < 2; half++) { /* the midpoint rule */
            double part = half * h / 2;
            double tilt = angle + part * w, at = z + part * (lift + w * sin(angle) / 2);
            force[half] = -k * at;
            turn[half] = 6 * force[half] * sin(tilt);
        }
        double middle = w + h / 2 * turn[0], rising = lift + h / 2 * force[0];
        z += h * (rising + middle * sin(angle + h / 2 * w) / 2);
        angle += h * middle;
        lift += h * force[1];
        w += h * turn[1];
        p += h * force[1];
        touching = z < 0;
    }
    *impulse = p;
    *rate = w;
}

static void spinning_rod(void) {
    static const double spin[] = {0, 2, -3, 1.5};
    batch b = batch_open("viscoelastic", "", SUITE_COUNT(spin));
    BATCH_SET(&b, {"friction", 0}, {"velocity_ratio", 0.3}, {"angle", -0.7}, {"damping", 0});
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "initial_spin")[i] = spin[i];
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double p, w;
        by_newton(0.7, -spin[i], 1000, &p, &w);
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "normal_impulse", p, 1e-5);
        CHECK_OUTPUT(&b, i, "angular_velocity", -w, 1e-4);
        double before = 0.3 - spin[i] / 2 * cos(0.7);
        CHECK_OUTPUT(&b, i, "body_velocity_t", before, 1e-12);
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-9);
    }
    batch_close(&b);
}

/* On a stiff surface a rod leaves as a rigid one does, and the spin changes no impulse. */
static void stiff_surface(void) {
    static const double spin[] = {0, 3, -3};
    batch b = batch_open("viscoelastic", "", SUITE_COUNT(spin));
    batch r = batch_open("rigid", "body=rod law=energetic", SUITE_COUNT(spin));
    for (int k = 0; k < 2; k++) {
        batch *one = k ? &r : &b;
        BATCH_SET(one, {"friction", 0.2}, {"velocity_ratio", 0.8}, {"angle", -0.7});
        for (size_t i = 0; i < one->n; i++) {
            batch_in(one, "initial_spin")[i] = spin[i];
        }
    }
    BATCH_SET(&b, {"damping", 0}, {"normal_stiffness", 1e9});
    batch_set(&r, "restitution", 1);
    BATCH_SOLVE(&b, &r);
    static const char *const alike[] = {"normal_impulse",   "tangential_impulse",
                                        "body_velocity_t",  "body_velocity_n",
                                        "angular_velocity", "body_energy_loss"};
    static const char *const same[] = {"inverse_mass_tt", "inverse_mass_tn",     "inverse_mass_nn",
                                       "effective_mass",  "mean_effective_mass", "body_coupling",
                                       "principal_angle"};
    for (size_t i = 0; i < b.n; i++) {
        for (int k = 0; k < SUITE_COUNT(same); k++) {
            CHECK_OUTPUT(&b, i, same[k], batch_out(&r, same[k])[i], 1e-14);
        }
        for (int k = 0; k < SUITE_COUNT(alike); k++) {
            CHECK_OUTPUT(&b, i, alike[k], batch_out(&r, alike[k])[i], 2e-3);
        }
    }
    BATCH_CLOSE(&b, &r);
}

SUITE("motion", free_bodies, pendulum, spinning_rod, stiff_surface)
