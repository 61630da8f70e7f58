/* B of every body in space against the mechanics of rigid bodies, B = 1/m - [r] I^-1 [r] with
 * numeric inverses, and matrices that no body has. */
#include <math.h>
#include <string.h>

#include "support/bodies.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { TRIES = 2000 };

typedef double matrix[3][3];

/* ---- small linear algebra ---- */

static void multiply(matrix a, matrix b, matrix product) {
    matrix sum = {{0}};
    for (int i = 0; i < 27; i++) {
        sum[i / 9][i % 3] += a[i / 9][i / 3 % 3] * b[i / 3 % 3][i % 3];
    }
    memcpy(product, sum, sizeof sum);
}

static void transpose(matrix a, matrix t) {
    for (int i = 0; i < 9; i++) {
        t[i % 3][i / 3] = a[i / 3][i % 3];
    }
}

static void invert(matrix a, matrix inverse) {
    double determinant = 0;
    for (int i = 0; i < 9; i++) {
        int r = i / 3, c = i % 3;
        inverse[c][r] = a[(r + 1) % 3][(c + 1) % 3] * a[(r + 2) % 3][(c + 2) % 3] -
                        a[(r + 1) % 3][(c + 2) % 3] * a[(r + 2) % 3][(c + 1) % 3];
    }
    for (int c = 0; c < 3; c++) {
        determinant += a[0][c] * inverse[c][0];
    }
    for (int i = 0; i < 9; i++) {
        inverse[i / 3][i % 3] /= determinant;
    }
}

/* A turn about axis 0, 1 or 2. */
static void turn(int axis, double angle, matrix q) {
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    memset(q, 0, sizeof(matrix));
    q[axis][axis] = 1;
    q[j][j] = q[k][k] = cos(angle);
    q[k][j] = sin(angle);
    q[j][k] = -sin(angle);
}

/* 1/m - [r] I^-1 [r] */
static void mechanics(double mass, matrix inertia, const double *r, matrix b) {
    matrix inverse, cross = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    invert(inertia, inverse);
    multiply(cross, inverse, b);
    multiply(b, cross, b);
    for (int i = 0; i < 9; i++) {
        b[i / 3][i % 3] = (i / 3 == i % 3 ? 1 / mass : 0) - b[i / 3][i % 3];
    }
}

static void check_b(const imp_spatial_contact *c, matrix expected, double tolerance,
                    const char *name) {
    const double found[] = {c->b.b11, c->b.b12, c->b.b13, c->b.b22, c->b.b23, c->b.b33};
    static const int row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
    double size = expected[0][0] + expected[1][1] + expected[2][2];
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(found[k] / c->mass, expected[row[k]][column[k]], tolerance * size, "b%d%d of %s",
                   row[k] + 1, column[k] + 1, name);
    }
    CHECK(!c->outside && !c->singular, "%s is outside or singular", name);
}

/* v . B^-1 v / 2 in the units of the contact. */
static void check_energy(const imp_spatial_contact *c, matrix b, double tolerance) {
    matrix inverse;
    const double v[3] = {c->v1, c->v2, -1};
    double energy = 0;
    invert(b, inverse);
    for (int i = 0; i < 9; i++) {
        energy += v[i / 3] * inverse[i / 3][i % 3] * v[i % 3] / (2 * c->mass);
    }
    CHECK_NEAR(c->energy, energy, tolerance * energy, "energy");
}

/* ---- bodies ---- */

static void sphere(void) {
    double mass = 0.7, r[3] = {0, 0, -2};
    double spin = 0.4 * mass * 4;
    matrix inertia = {{spin, 0, 0}, {0, spin, 0}, {0, 0, spin}}, b;
    imp_spatial_contact c = bodies_contact3d(
        "sphere3d", GIVEN({"mass", mass}, {"heading", 0.5}, {"velocity_ratio", 3}));
    mechanics(mass, inertia, r, b);
    check_b(&c, b, 1e-15, "sphere3d");
    check_energy(&c, b, 1e-14);
    CHECK_NEAR(c.v1, 3 * cos(0.5), 1e-15, "v1");
    CHECK_NEAR(c.v2, 3 * sin(0.5), 1e-15, "v2");
    CHECK(bodies_spatial("sphere3d")->turning, "the mass is its own");
}

/* A rod is the limit of a thin cylinder; its spin about itself cannot move the contact. */
static void rod(void) {
    random_source source = {71};
    for (int i = 0; i < TRIES; i++) {
        double mass = random_log(&source, 1e-3, 1e3);
        double angle = random_between(&source, -pi / 2, pi / 2);
        double azimuth = random_between(&source, -pi, pi);
        imp_spatial_contact c =
            bodies_contact3d("rod3d", GIVEN({"mass", mass}, {"angle", angle}, {"azimuth", azimuth},
                                            {"velocity_ratio", 1}));
        double d[3] = {-sin(angle) * cos(azimuth), -sin(angle) * sin(azimuth), cos(angle)};
        double r[3] = {-d[0], -d[1], -d[2]};
        matrix inertia, b;
        for (int k = 0; k < 9; k++) {
            double along = d[k / 3] * d[k % 3];
            inertia[k / 3][k % 3] = mass / 3 * ((k / 3 == k % 3) - along) + mass * along;
        }
        mechanics(mass, inertia, r, b);
        check_b(&c, b, 1e-14, "rod3d");
        check_energy(&c, b, 1e-13);
    }
}

/* The lowest point of the ellipsoid by its support function, axis by axis. */
static void lowest(matrix q, const double *semi_axis, double *r) {
    double depth = 0;
    for (int k = 0; k < 3; k++) {
        depth += semi_axis[k] * semi_axis[k] * q[2][k] * q[2][k];
    }
    for (int i = 0; i < 3; i++) {
        r[i] = 0;
        for (int k = 0; k < 3; k++) {
            r[i] -= q[i][k] * semi_axis[k] * semi_axis[k] * q[2][k] / sqrt(depth);
        }
    }
}

/* No point of the surface is lower, and the point is on it. */
static void check_lowest(matrix q, const double *semi_axis, const double *r) {
    double on = 0;
    for (int k = 0; k < 3; k++) {
        double along = (q[0][k] * r[0] + q[1][k] * r[1] + q[2][k] * r[2]) / semi_axis[k];
        on += along * along;
    }
    CHECK_NEAR(on, 1, 1e-12, "the contact is on the surface");
    for (int i = 0; i < 400; i++) {
        double u = acos(1 - (i + 0.5) / 200), w = 2.399963 * i;
        const double p[3] = {semi_axis[0] * sin(u) * cos(w), semi_axis[1] * sin(u) * sin(w),
                             semi_axis[2] * cos(u)};
        double height = q[2][0] * p[0] + q[2][1] * p[1] + q[2][2] * p[2];
        CHECK(height >= r[2] * (1 + 1e-12), "a point is lower than the contact");
    }
}

/* The inertia of an ellipsoid about its own axes, turned by q. */
static void ellipsoid_inertia(double mass, const double *a, matrix q, matrix inertia) {
    matrix own = {{a[1] * a[1] + a[2] * a[2], 0, 0},
                  {0, a[0] * a[0] + a[2] * a[2], 0},
                  {0, 0, a[0] * a[0] + a[1] * a[1]}};
    matrix qt;
    transpose(q, qt);
    multiply(q, own, own);
    multiply(own, qt, inertia);
    for (int k = 0; k < 9; k++) {
        inertia[k / 3][k % 3] *= mass / 5;
    }
}

static void check_ball(void) {
    imp_spatial_contact c =
        bodies_contact3d("ellipsoid3d", GIVEN({"semi_axis_a", 1}, {"semi_axis_b", 1},
                                              {"semi_axis_c", 1}, {"mass", 1}, {"angle", 0.7}));
    matrix ball = {{3.5, 0, 0}, {0, 3.5, 0}, {0, 0, 1}};
    check_b(&c, ball, 1e-15, "round ellipsoid3d");
}

static void ellipsoid(void) {
    random_source source = {72};
    for (int i = 0; i < 300; i++) {
        double mass = random_log(&source, 1e-3, 1e3), a[3], r[3];
        double azimuth = random_between(&source, -pi, pi), angle = random_between(&source, -pi, pi);
        double spin = random_between(&source, -pi, pi);
        for (int k = 0; k < 3; k++) {
            a[k] = random_log(&source, 0.2, 5);
        }
        imp_spatial_contact c = bodies_contact3d(
            "ellipsoid3d", GIVEN({"semi_axis_a", a[0]}, {"semi_axis_b", a[1]},
                                 {"semi_axis_c", a[2]}, {"mass", mass}, {"angle", angle},
                                 {"azimuth", azimuth}, {"spin", spin}, {"velocity_ratio", 1}));
        matrix first, second, third, q, own, b;
        turn(2, azimuth, first);
        turn(0, angle, second);
        turn(2, spin, third);
        multiply(first, second, q);
        multiply(q, third, q);
        ellipsoid_inertia(mass, a, q, own);
        lowest(q, a, r);
        check_lowest(q, a, r);
        mechanics(mass, own, r, b);
        check_b(&c, b, 1e-12, "ellipsoid3d");
    }
    check_ball();
}

static void pendulum(void) {
    random_source source = {73};
    for (int i = 0; i < TRIES; i++) {
        double mass = random_log(&source, 1e-3, 1e3);
        double angle = random_between(&source, 0.01, pi / 2 - 0.01);
        double azimuth = random_between(&source, -pi, pi), across = random_between(&source, -3, 3);
        imp_spatial_contact c =
            bodies_contact3d("pendulum3d", GIVEN({"mass", mass}, {"angle", angle},
                                                 {"azimuth", azimuth}, {"swerve_ratio", across}));
        double rho[3] = {sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), -cos(angle)};
        const double found[] = {c.b.b11, c.b.b12, c.b.b13, c.b.b22, c.b.b23, c.b.b33};
        static const int row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(found[k], (row[k] == column[k]) - rho[row[k]] * rho[column[k]], 1e-15,
                       "b%d%d of pendulum3d", row[k] + 1, column[k] + 1);
        }
        CHECK(c.singular && !c.outside && c.mass == mass, "the pendulum is free");
        double size = hypot(c.v1, hypot(c.v2, 1));
        CHECK_NEAR(c.v1 * rho[0] + c.v2 * rho[1] - rho[2], 0, 1e-15 * size, "along the link");
        CHECK_NEAR(c.energy, size * size / 2, 1e-14 * c.energy, "energy");
        CHECK_NEAR(c.v2 * cos(azimuth) - c.v1 * sin(azimuth), across, 1e-14 * size, "across");
    }
}

static imp_spatial_contact given(const double *b, double speed, double heading) {
    return bodies_contact3d("matrix3d", GIVEN({"b11", b[0]}, {"b12", b[1]}, {"b13", b[2]},
                                              {"b22", b[3]}, {"b23", b[4]}, {"b33", b[5]},
                                              {"velocity_ratio", speed}, {"heading", heading}));
}

/* Singular matrices are those of a constraint along a direction; the velocity must keep to it. */
static void matrices(void) {
    random_source source = {74};
    for (int i = 0; i < TRIES; i++) {
        double n[3], scale = random_log(&source, 1e-3, 1e3);
        for (int k = 0; k < 3; k++) {
            n[k] = random_between(&source, -1, 1);
        }
        n[2] += n[2] < 0 ? -0.1 : 0.1;
        double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2], across = hypot(n[0], n[1]);
        double b[6], nn = square;
        static const int row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
        for (int k = 0; k < 6; k++) {
            b[k] = scale * ((row[k] == column[k]) - n[row[k]] * n[column[k]] / nn);
        }
        if (across < 1e-2 * sqrt(square)) {
            continue;
        }
        /* v . n = 0 with v3 = -1: along n_t at n3 / |n_t|. */
        double heading = atan2(n[1], n[0]) + (n[2] < 0 ? pi : 0), speed = fabs(n[2]) / across;
        imp_spatial_contact c = given(b, speed, heading);
        CHECK(c.singular && !c.outside, "constraint along (%g, %g, %g)", n[0], n[1], n[2]);
        CHECK_NEAR(c.energy * c.mass * scale, (speed * speed + 1) / 2, 1e-9 * (1 + speed * speed),
                   "energy of a constrained body");
        c = given(b, speed + 0.01, heading);
        CHECK(c.outside, "velocity against the constraint (%g, %g, %g)", n[0], n[1], n[2]);
        b[0] -= 1e-3 * scale;
        b[3] -= 1e-3 * scale;
        b[5] -= 1e-3 * scale;
        CHECK(given(b, speed, heading).outside, "indefinite");
    }
}

static void no_such_matrix(void) {
    static const double bad[][6] = {
        {1, 2, 0, 1, 0, 1},   {1, 0, 2, 1, 0, 1},        {1, 0, 0, 1, -1.1, 1},
        {0, 0.1, 0, 1, 0, 1}, {0, 0, 0.1, 1, 0, 1},      {1, 0, 0, 1, 0, 0},
        {0, 0, 0, 0, 0, 0},   {1, 0.9, 0.9, 1, -0.9, 1}, {1e300, 0, 0, 1, 0, 1e-300}};
    for (int k = 0; k < SUITE_COUNT(bad); k++) {
        CHECK(given(bad[k], 0.5, 0.3).outside, "matrix %d", k);
    }
    static const double guide[] = {0, 0, 0, 0, 0, 1}, point[] = {1, 0, 0, 1, 0, 1};
    CHECK(!given(guide, 0, 0).outside && given(guide, 0, 0).singular, "a guide along the normal");
    CHECK(given(guide, 0.1, 0).outside, "a guide along the normal, moving across");
    CHECK(!given(point, 3, 1).outside && !given(point, 3, 1).singular, "a point mass");
}

SUITE("bodies in space", sphere, rod, ellipsoid, pendulum, matrices, no_such_matrix)
