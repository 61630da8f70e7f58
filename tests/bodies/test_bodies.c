/* B of every body against the formulas of mechanics: B = 1/m + (lever arms)^2 / inertia. */
#include <math.h>

#include "support/bodies.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { TRIES = 2000 };

/* B itself, in 1/kg. */
typedef struct inertia {
    double b11, b12, b22;
} inertia;

static inertia inertia_of(const imp_contact *c) {
    return (inertia){c->b11 / c->mass, c->b12 / c->mass, c->b22 / c->mass};
}

static void check_inertia(const imp_contact *c, inertia expected, const char *name) {
    inertia found = inertia_of(c);
    double scale = 4e-15 * (expected.b11 + expected.b22);
    CHECK_NEAR(found.b11, expected.b11, scale, "b11 of %s", name);
    CHECK_NEAR(found.b12, expected.b12, scale, "b12 of %s", name);
    CHECK_NEAR(found.b22, expected.b22, scale, "b22 of %s", name);
    CHECK(!c->outside, "%s is outside", name);
    double product = (double)((long double)c->b11 * c->b22 - (long double)c->b12 * c->b12);
    CHECK_NEAR(c->determinant, product, 4e-15 * (c->b11 * c->b22 + c->b12 * c->b12),
               "determinant of %s", name);
}

static void check_free(const imp_contact *c, double velocity_ratio, const char *name) {
    CHECK(!c->constrained && c->determinant > 0, "%s is constrained", name);
    CHECK(c->velocity_ratio == velocity_ratio, "%s moves at %g", name, c->velocity_ratio);
}

/* A rigid body whose mass centre is at (x, y) along (t, n), seen from the contact. */
static inertia rigid(double mass, double gyration_squared, double x, double y) {
    double spin = 1 / (mass * gyration_squared);
    return (inertia){1 / mass + y * y * spin, -x * y * spin, 1 / mass + x * x * spin};
}

static void sphere(void) {
    random_source source = {41};
    for (int i = 0; i < TRIES; i++) {
        double mass = random_log(&source, 1e-6, 1e6);
        double velocity = random_between(&source, -5, 5);
        imp_contact c =
            bodies_contact("sphere", GIVEN({"mass", mass}, {"velocity_ratio", velocity}));
        /* Radius 1: k^2 = 2/5, the centre is straight above. */
        check_inertia(&c, rigid(mass, 0.4, 0, 1), "sphere");
        check_free(&c, velocity, "sphere");
    }
    CHECK(bodies_planar("sphere")->own_mass, "the sphere's mass is its own");
}

static void rod(void) {
    random_source source = {42};
    for (int i = 0; i < TRIES; i++) {
        double mass = random_log(&source, 1e-6, 1e6);
        double angle = random_between(&source, -pi / 2, pi / 2);
        double velocity = random_between(&source, -5, 5);
        imp_contact c = bodies_contact(
            "rod", GIVEN({"mass", mass}, {"angle", angle}, {"velocity_ratio", velocity}));
        /* Half length 1: k^2 = 1/3; a positive angle leans toward -t. */
        check_inertia(&c, rigid(mass, 1.0 / 3, -sin(angle), cos(angle)), "rod");
        check_free(&c, velocity, "rod");
    }
    CHECK(bodies_planar("rod")->own_mass, "the rod's mass is its own");
}

static imp_contact general(double coupling, double angle, double mass, double velocity) {
    return bodies_contact("general", GIVEN({"inertia_coupling", coupling}, {"angle", angle},
                                           {"mass", mass}, {"velocity_ratio", velocity}));
}

static void general_body(void) {
    random_source source = {43};
    for (int i = 0; i < TRIES; i++) {
        double coupling = random_between(&source, 0, 1), mass = random_log(&source, 1e-6, 1e6);
        double angle = random_between(&source, -pi / 2, pi / 2);
        imp_contact c = general(coupling, angle, mass, 0.5);
        /* Principal values (1 +- coupling) / mass, the larger across the line to the centre. */
        double s = sin(angle), co = cos(angle), large = 1 + coupling, small = 1 - coupling;
        inertia expected = {(large * co * co + small * s * s) / mass,
                            (large - small) * s * co / mass,
                            (large * s * s + small * co * co) / mass};
        check_inertia(&c, expected, "general");
        check_free(&c, 0.5, "general");
        double exact = (double)((1 - (long double)coupling) * (1 + (long double)coupling));
        CHECK_NEAR(c.determinant, exact, 4e-16 * exact, "determinant at coupling %.17g", coupling);
    }
    CHECK(!bodies_planar("general")->own_mass, "the mass of general is not the body's");
}

/* A rod and a sphere are special general bodies. */
static void general_as_others(void) {
    for (double angle = -1.5; angle < 1.6; angle += 0.1) {
        imp_contact own = bodies_contact("rod", GIVEN({"angle", angle}, {"mass", 0.7})),
                    same = general(0.6, angle, 0.4 * 0.7, 0);
        check_inertia(&same, inertia_of(&own), "rod as general");
    }
    imp_contact ball = general(5.0 / 9, 0, 4.0 / 9 * 2, 0);
    check_inertia(&ball, (inertia){3.5 / 2, 0, 0.5}, "sphere as general");
    CHECK(ball.b12 == 0, "b12 of a sphere is %g", ball.b12);
}

static void pendulum(void) {
    random_source source = {44};
    for (int i = 0; i < TRIES; i++) {
        double mass = random_log(&source, 1e-6, 1e6);
        double angle = random_between(&source, 1e-3, pi / 2 - 1e-3);
        double length = random_log(&source, 1e-3, 1e3), share = random_between(&source, 0, 0.99);
        imp_contact c =
            bodies_contact("pendulum", GIVEN({"angle", angle}, {"mass", mass}, {"length", length},
                                             {"radius", share * length}));
        mass *= 1 + 0.4 * share * share; /* that of the contact */
        double co = cos(angle), s = sin(angle);
        check_inertia(&c, (inertia){co * co / mass, s * co / mass, s * s / mass}, "pendulum");
        CHECK(c.constrained && c.determinant == 0, "the pendulum at %.17g is free", angle);
        /* Range of B is the line (b12, b22); on approach v_n = -1. */
        CHECK_NEAR(c.velocity_ratio * c.b22, -c.b12, 4e-16, "velocity at %.17g", angle);
        CHECK_NEAR(c.velocity_ratio, -1 / tan(angle), 1e-15 / tan(angle), "velocity at %.17g",
                   angle);
    }
    CHECK(!bodies_planar("pendulum")->own_mass, "the pendulum turns about a pivot");
}

/* Inertia of a capsule by its density: a cylinder and two hemispheres, whose own inertia and
 * distance from the mass centre are integrated over slices across the axis. Per unit of mass. */
static double capsule_gyration_squared(double radius, double length) {
    enum { SLICES = 20000 };
    double whole = length / 2 + radius, mass = 0, second = 0;
    for (int i = 0; i < SLICES; i++) {
        /* Two Gauss points are exact, because the share of a slice is a cubic in z. */
        for (int side = -1; side <= 1; side += 2) {
            double z = whole * (i + 0.5 + side / sqrt(12)) / SLICES;
            double above = fmax(0, z - length / 2);
            double square = radius * radius - above * above;
            mass += square;
            second += square * (square / 4 + z * z);
        }
    }
    return second / mass;
}

/* The place of the mass centre follows from the tilt of the axis, phi = angle + asin(2 R sin(angle)
 * / L). */
static void capsule(void) {
    random_source source = {47};
    int outside = 0;
    for (int i = 0; i < 300; i++) {
        double mass = random_log(&source, 1e-6, 1e6);
        double slenderness = random_log(&source, 0.05, 50), radius = random_log(&source, 0.1, 10);
        double angle = random_between(&source, -pi / 2, pi / 2), length = slenderness * radius;
        imp_contact c =
            bodies_contact("capsule", GIVEN({"mass", mass}, {"angle", angle},
                                            {"slenderness", slenderness}, {"velocity_ratio", 0.5}));
        double tilt = angle + asin(2 * sin(angle) / slenderness);
        bool exists = 2 * fabs(sin(angle)) <= slenderness && fabs(tan(angle)) <= slenderness / 2;
        CHECK(c.outside == !exists, "angle %g, slenderness %g", angle, slenderness);
        outside += c.outside;
        if (!exists) {
            continue;
        }
        double gyration = capsule_gyration_squared(radius, length);
        inertia expected =
            rigid(mass, gyration, -length / 2 * sin(tilt), radius + length / 2 * cos(tilt));
        inertia found = inertia_of(&c);
        double scale = 1e-8 * (expected.b11 + expected.b22); /* the error of the slices */
        CHECK_NEAR(found.b11, expected.b11, scale, "b11 at %g, %g", angle, slenderness);
        CHECK_NEAR(found.b12, expected.b12, scale, "b12 at %g, %g", angle, slenderness);
        CHECK_NEAR(found.b22, expected.b22, scale, "b22 at %g, %g", angle, slenderness);
        check_inertia(&c, found, "capsule");
        check_free(&c, 0.5, "capsule");
    }
    CHECK(outside > 50 && outside < 250, "%d of 300 are outside", outside);
    CHECK(bodies_planar("capsule")->own_mass, "the capsule's mass is its own");
}

static imp_contact capsule_at(double angle, double slenderness) {
    return bodies_contact("capsule",
                          GIVEN({"mass", 1}, {"angle", angle}, {"slenderness", slenderness}));
}

/* The ends of its slenderness: a sphere and a rod; as inertia coupling, by the published
 * formula. */
static void capsule_as_others(void) {
    imp_contact ball = capsule_at(0, 1e-18);
    check_inertia(&ball, (inertia){3.5, ball.b12, 1}, "sphere as capsule");
    for (double angle = -1.5; angle < 1.6; angle += 0.1) {
        imp_contact own = bodies_contact("rod", GIVEN({"angle", angle}, {"mass", 1}));
        for (double slenderness = 1e17; slenderness < 1e305; slenderness *= 1e95) {
            imp_contact same = capsule_at(angle, slenderness);
            check_inertia(&same, inertia_of(&own), "rod as capsule");
        }
    }
    /* Inertia coupling .614 and .622 at these angles are printed in a thesis for slenderness 5. */
    CHECK(capsule_at(0.38, 1e-300).outside, "a sphere leans");
    imp_contact printed = capsule_at(0.38, 5);
    CHECK_NEAR((printed.determinant - 1) / (printed.determinant + 1), 0.614, 0.0006, "coupling");
    printed = capsule_at(0.24, 5);
    CHECK_NEAR((printed.determinant - 1) / (printed.determinant + 1), 0.622, 0.0006, "coupling");
}

static imp_contact lamina_at(double t, double n, double gyration, double mass) {
    return bodies_contact("lamina", GIVEN({"mass", mass}, {"offset_t", t}, {"offset_n", n},
                                          {"gyration_radius", gyration}, {"velocity_ratio", 0.5}));
}

static void lamina(void) {
    random_source source = {48};
    for (int i = 0; i < TRIES; i++) {
        double mass = random_log(&source, 1e-6, 1e6), gyration = random_log(&source, 1e-3, 1e3);
        double t = random_between(&source, -3, 3) * gyration;
        double n = random_between(&source, -3, 3) * gyration;
        imp_contact c = lamina_at(t, n, gyration, mass);
        check_inertia(&c, rigid(mass, gyration * gyration, -t, -n), "lamina");
        check_free(&c, 0.5, "lamina");
    }
    CHECK(lamina_at(1e9, 1, 1, 1).outside, "a lever too long");
    CHECK(lamina_at(1, 1e300, 1e-300, 1).outside, "a lever too long");
    CHECK(!lamina_at(1e7, 1, 1, 1).outside, "a long lever along the plane");
    CHECK(lamina_at(1e7, -1e7, 1, 1).outside, "a long lever across it: singular to rounding");
    CHECK(!lamina_at(1e5, -1e5, 1, 1).outside, "a long lever across it");
    CHECK(bodies_planar("lamina")->own_mass, "the lamina's mass is its own");
}

/* Brach's slender rod of length L touches at x = y = L / (2 sqrt 2) below its centre; in the axes
 * of this program it leans by -45 degrees and B is (2.5, -1.5, 2.5). */
static void lamina_as_rod(void) {
    double at = 1 / (2 * sqrt(2)), gyration = 1 / sqrt(12);
    imp_contact leaning_right = lamina_at(-at, -at, gyration, 1);
    check_inertia(&leaning_right, (inertia){2.5, -1.5, 2.5}, "rod as lamina");
    imp_contact rod_itself = bodies_contact("rod", GIVEN({"angle", -pi / 4}, {"mass", 1}));
    check_inertia(&rod_itself, (inertia){2.5, -1.5, 2.5}, "rod at -45 degrees");
}

static imp_contact matrix(double b11, double b12, double b22, double velocity) {
    return bodies_contact(
        "matrix", GIVEN({"b11", b11}, {"b12", b12}, {"b22", b22}, {"velocity_ratio", velocity}));
}

static void regular_matrix(void) {
    random_source source = {45};
    for (int i = 0; i < TRIES; i++) {
        double b11 = random_log(&source, 1e-3, 1e3), b22 = random_log(&source, 1e-3, 1e3);
        double b12 = random_between(&source, -0.999, 0.999) * sqrt(b11 * b22);
        double velocity = random_between(&source, -5, 5);
        imp_contact c = matrix(b11, b12, b22, velocity);
        check_inertia(&c, (inertia){b11, b12, b22}, "matrix");
        check_free(&c, velocity, "matrix");
    }
    CHECK(!bodies_planar("matrix")->own_mass, "a matrix has no mass");
}

/* Singular if |det| <= 1e-12 b11 b22; then the velocity must lie in the range of B. */
static void singular_matrix(void) {
    random_source source = {46};
    for (int i = 0; i < TRIES; i++) {
        double b22 = random_log(&source, 1e-3, 1e3), cross = random_between(&source, -5, 5);
        double b12 = cross * b22, b11 = cross * b12;
        for (int k = -1; k <= 1; k++) {
            imp_contact c = matrix(b11 * (1 + k * 0.5e-12), b12, b22, -cross);
            CHECK(c.constrained && !c.outside && c.determinant == 0, "(%.17g, %.17g, %.17g) %d",
                  b11, b12, b22, k);
            c = matrix(b11 * (1 + k * 0.5e-12), b12, b22, -cross + 1e-3);
            CHECK(c.outside, "velocity off by 1e-3 from the range of (%.17g, %.17g)", b12, b22);
        }
        imp_contact c = matrix(b11 * (1 + 1e-9), b12, b22, -cross + 1);
        CHECK(!c.constrained && !c.outside, "regular: (%.17g, %.17g, %.17g)", b11, b12, b22);
        c = matrix(b11 * (1 - 1e-9), b12, b22, -cross);
        CHECK(c.outside, "indefinite: (%.17g, %.17g, %.17g)", b11, b12, b22);
    }
}

static void no_such_matrix(void) {
    CHECK(matrix(1, 2, 1, 0).outside, "indefinite");
    CHECK(matrix(1, -1.1, 1, 1).outside, "indefinite, negative b12");
    CHECK(matrix(0, 0.5, 1, -0.5).outside, "indefinite, b11 = 0");
    CHECK(matrix(1, 0, 0, 0).outside, "b22 = 0");
    CHECK(matrix(0, 0, 0, 0).outside, "all 0");
    CHECK(matrix(1, 1, 0, 1).outside, "b22 = 0 beside b12");
    CHECK(matrix(1, 1, 1, 1).outside, "singular, moving across its range");
    CHECK(!matrix(1, 1, 1, -1).outside, "singular, moving along its range");
    CHECK(!matrix(0, 0, 1, 0).outside, "a guide along the normal");
    CHECK(matrix(0, 0, 1, 0.1).outside, "a guide along the normal, moving across");
    for (int sign = -1; sign <= 1; sign += 2) {
        CHECK(matrix(0, 0, 1, sign * 1e-9).outside, "a guide, moving across hardly");
        CHECK(matrix(0, 0, 1, sign * 1e-300).outside, "a guide, moving across less");
        CHECK(matrix(0, sign * 1e-170, 1, 0).outside, "a guide that gains a velocity across");
    }
    CHECK(!matrix(1, 0, 1, 3).outside, "a point mass");
    CHECK(matrix(1e300, 0, 1e-300, 0).outside, "too far apart for a double");
}

static imp_contact double_pendulum(double q1, double q2, double w1, double w2) {
    return bodies_contact("double_pendulum", GIVEN({"l1", 1}, {"l2", 1}, {"m1", 1}, {"m2", 1},
                                                   {"q1", q1}, {"q2", q2}, {"w1", w1}, {"w2", w2}));
}

/* No double is 180 degrees, and its sine is not 0: what rods approach by that, or by rounding of a
 * sum, is none. Approaches of doubles that are meant are one, however slow. */
static void approach_by_rounding(void) {
    for (int k = 0; k < 4; k++) {
        double q1 = k & 1 ? pi : -pi, q2 = k & 2 ? pi : -pi, w1 = k & 1 ? -1 : 1,
               w2 = k & 2 ? -1 : 1;
        CHECK(double_pendulum(q1, q2, w1, w2).outside, "both upright, %g and %g", q1, q2);
        CHECK(double_pendulum(q1, 0, w1, 3).outside, "one upright, %g", q1);
        CHECK(double_pendulum(nextafter(q1, 0), 0, w1, 3).outside, "the neighbour of %g", q1);
        CHECK(!double_pendulum(q1 * (1 - 1e-12), 0, w1, 3).outside, "beside %g", q1);
    }
    CHECK(double_pendulum(pi / 6, pi / 6 * (1 + 1e-16), -1, 1).outside, "speeds that cancel");
    CHECK(double_pendulum(0.3, -0.3, -1, nextafter(-1, 0)).outside, "a sum of two terms");
    CHECK(!double_pendulum(0.3, -0.3, -1, -1 + 1e-12).outside, "a slow approach");
    CHECK(!double_pendulum(1e-20, 2e-20, -1, -1).outside, "hardly turned");
}

SUITE("bodies", sphere, rod, general_body, general_as_others, pendulum, capsule, capsule_as_others,
      lamina, lamina_as_rod, regular_matrix, singular_matrix, no_such_matrix, approach_by_rounding)
