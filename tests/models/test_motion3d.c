/* Mass centre and spin of bodies in space, as every theory gives them: momentum and kinetic energy
 * by the geometry of each body. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 40 };

static const char *const theories[] = {"swerve", "compliant3d"};
static const char *const bodies[] = {"sphere3d", "rod3d", "ellipsoid3d"};
static const char *const spins[] = {"initial_spin_1", "initial_spin_2", "initial_spin_3"};

typedef struct vector {
    double x[3];
} vector;

/* The contact point relative to the mass centre, and the moment of inertia over the mass: about
 * each axis of the body and as those axes lie in space. */
typedef struct solid {
    vector arm, axis[3];
    double square[3];
} solid;

static vector crossed(vector a, vector b) {
    return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static double product(vector a, vector b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* A turn about axis 1 or 3, as it turns a vector. */
static vector turned(vector v, int axis, double angle) {
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    vector w = v;
    w.x[a] = cos(angle) * v.x[a] - sin(angle) * v.x[b];
    w.x[b] = sin(angle) * v.x[a] + cos(angle) * v.x[b];
    return w;
}

static solid sphere(const batch *b, size_t i) {
    double r = batch_in(b, "radius")[i], square = 0.4 * r * r;
    return (solid){{{0, 0, -r}}, {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}, {square, square, square}};
}

/* Upright, then leaning against axis 1, then turned by the azimuth. */
static solid rod(const batch *b, size_t i) {
    double angle = batch_in(b, "angle")[i], azimuth = batch_in(b, "azimuth")[i];
    double half = batch_in(b, "length")[i] / 2, square = half * half / 3;
    solid s = {.square = {square, square, 0}};
    for (int k = 0; k < 3; k++) {
        vector unit = {{k == 0, k == 1, k == 2}};
        s.axis[k] = turned(turned(unit, 1, -angle), 2, azimuth);
    }
    for (int k = 0; k < 3; k++) {
        s.arm.x[k] = -half * s.axis[2].x[k];
    }
    return s;
}

/* The lowest point of an ellipsoid lies at -D n / sqrt(n D n), D = R diag(a^2) R'. */
static solid ellipsoid(const batch *b, size_t i) {
    static const char *const names[] = {"semi_axis_a", "semi_axis_b", "semi_axis_c"};
    double size[3], depth = 0;
    solid s = {.arm = {{0}}};
    for (int k = 0; k < 3; k++) {
        vector unit = {{k == 0, k == 1, k == 2}};
        size[k] = batch_in(b, names[k])[i];
        s.axis[k] =
            turned(turned(turned(unit, 2, batch_in(b, "spin")[i]), 0, batch_in(b, "angle")[i]), 2,
                   batch_in(b, "azimuth")[i]);
        depth += pow(size[k] * s.axis[k].x[2], 2);
    }
    for (int k = 0; k < 3; k++) {
        s.square[k] = (pow(size[(k + 1) % 3], 2) + pow(size[(k + 2) % 3], 2)) / 5;
        for (int d = 0; d < 3; d++) {
            s.arm.x[d] -= size[k] * size[k] * s.axis[k].x[2] * s.axis[k].x[d] / sqrt(depth);
        }
    }
    return s;
}

static solid (*const solids[])(const batch *, size_t) = {sphere, rod, ellipsoid};

static void fill(const batch *b, int body, random_source *source) {
    static const char *const sizes[][3] = {
        {"radius"}, {"length"}, {"semi_axis_a", "semi_axis_b", "semi_axis_c"}};
    static const char *const angles[][3] = {
        {NULL}, {"angle", "azimuth"}, {"angle", "azimuth", "spin"}};
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "friction")[i] = random_between(source, 0, 1);
        batch_in(b, "restitution")[i] = random_between(source, 0.2, 1);
        batch_in(b, "velocity_ratio")[i] = random_between(source, 0.1, 2);
        batch_in(b, "heading")[i] = random_between(source, -3, 3);
        batch_in(b, "normal_speed")[i] = random_between(source, 0.5, 3);
        batch_in(b, "mass")[i] = random_between(source, 0.2, 5);
        for (int k = 0; k < 3; k++) {
            batch_in(b, spins[k])[i] = i % 4 ? random_between(source, -5, 5) : 0;
            if (sizes[body][k]) {
                batch_in(b, sizes[body][k])[i] = random_between(source, 0.5, 1.5);
            }
            if (angles[body][k]) {
                batch_in(b, angles[body][k])[i] = random_between(source, -0.6, 0.6);
            }
        }
        if (strcmp(b->theory->name, "compliant3d") == 0) {
            batch_in(b, "stiffness_ratio")[i] = random_between(source, 1, 1.5);
        }
    }
}

static double energy(double mass, const solid *s, vector v, vector spin) {
    double twice = product(v, v);
    for (int k = 0; k < 3; k++) {
        twice += s->square[k] * pow(product(s->axis[k], spin), 2);
    }
    return mass * twice / 2;
}

/* Momentum of the mass centre, the contact point by both motions, the loss of kinetic energy. */
static void check_cell(const batch *b, size_t i, const solid *s) {
    double mass = batch_in(b, "mass")[i], speed = batch_in(b, "normal_speed")[i];
    double ratio = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    vector before = {{ratio * speed * cos(heading), ratio * speed * sin(heading), -speed}};
    vector spin, turn, after, impulse;
    for (int k = 0; k < 3; k++) {
        spin.x[k] = batch_in(b, spins[k])[i];
        turn.x[k] = batch_out(b, "angular_velocity")[3 * i + (size_t)k];
        after.x[k] = k < 2 ? batch_out(b, "body_velocity_t")[2 * i + (size_t)k]
                           : batch_out(b, "body_velocity_n")[i];
        impulse.x[k] = k < 2 ? batch_out(b, "tangential_impulse")[2 * i + (size_t)k]
                             : batch_out(b, "normal_impulse")[i];
    }
    vector around = crossed(spin, s->arm), turning = crossed(turn, s->arm), contact;
    double size = speed * (1 + ratio) + sqrt(product(spin, spin));
    for (int k = 0; k < 3; k++) {
        before.x[k] -= around.x[k];
        contact.x[k] = after.x[k] + turning.x[k];
        CHECK_CELL_NEAR(b, i, mass * (after.x[k] - before.x[k]), impulse.x[k], 1e-9 * mass * size);
    }
    CHECK_CELL_NEAR(b, i, contact.x[2], batch_out(b, "kinematic_restitution")[i] * speed,
                    1e-7 * size);
    double out = batch_out(b, "velocity_ratio_out")[i] * speed;
    double way = out > 0 ? batch_out(b, "heading_out")[i] : 0;
    CHECK_CELL_NEAR(b, i, contact.x[0], out * cos(way), 1e-7 * size);
    CHECK_CELL_NEAR(b, i, contact.x[1], out * sin(way), 1e-7 * size);
    double whole = energy(mass, s, before, spin);
    CHECK_CELL_NEAR(b, i, whole - energy(mass, s, after, turn),
                    batch_out(b, "body_energy_loss")[i] * whole, 1e-6 * whole);
}

/* B by the velocity of the contact point that each unit impulse gives the body. */
static void check_inverse_mass(const batch *b, size_t i, const solid *s) {
    static const char *const names[3][3] = {
        {"inverse_mass_11", "inverse_mass_12", "inverse_mass_13"},
        {"inverse_mass_12", "inverse_mass_22", "inverse_mass_23"},
        {"inverse_mass_13", "inverse_mass_23", "inverse_mass_33"}};
    double mass = batch_in(b, "mass")[i];
    for (int along = 0; along < 3; along++) {
        vector impulse = {{along == 0, along == 1, along == 2}}, spin = {{0}};
        for (int k = 0; k < 3; k++) {
            double torque = product(s->axis[k], crossed(s->arm, impulse));
            for (int d = 0; d < 3 && s->square[k] > 0; d++) {
                spin.x[d] += torque / s->square[k] * s->axis[k].x[d];
            }
        }
        vector gained = crossed(spin, s->arm);
        for (int d = 0; d < 3; d++) {
            CHECK_NEAR(batch_out(b, names[d][along])[i] * mass, gained.x[d] + impulse.x[d],
                       1e-12 * 20, "%s of %s", names[d][along], batch_text(b, i));
        }
    }
    CHECK_CELL_NEAR(b, i, batch_out(b, "effective_mass")[i] * batch_out(b, "inverse_mass_33")[i], 1,
                    1e-15);
}

/* The contact does not see the spin. */
static void check_without_spin(const batch *with, const char *choices) {
    static const char *const seen[] = {"mode", "normal_impulse", "energy_loss"};
    batch b = batch_again(with, choices);
    for (int k = 0; k < 3; k++) {
        batch_set(&b, spins[k], 0);
    }
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
    random_source source = {92};
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        for (int k = 0; k < SUITE_COUNT(bodies); k++) {
            char choices[32] = "body=";
            batch b = batch_open(theories[t], strcat(choices, bodies[k]), CELLS);
            fill(&b, k, &source);
            batch_solve(&b);
            int seen = 0;
            for (size_t i = 0; i < b.n; i++) {
                solid s = solids[k](&b, i);
                if (b.outcome[i] == IMP_SOLVED) {
                    check_inverse_mass(&b, i, &s);
                }
                if (b.outcome[i] == IMP_SOLVED && !batch_has_mode(&b, i, "wedge")) {
                    check_cell(&b, i, &s);
                    seen++;
                }
            }
            CHECK(seen > CELLS / 2, "%d cells of %s, %s", seen, theories[t], bodies[k]);
            check_without_spin(&b, choices);
            batch_close(&b);
        }
    }
}

/* A body that is given by B has this B, in every digit that a division leaves. */
static void bodies_of_a_matrix(void) {
    static const char *const names[][2] = {{"b11", "inverse_mass_11"}, {"b12", "inverse_mass_12"},
                                           {"b13", "inverse_mass_13"}, {"b22", "inverse_mass_22"},
                                           {"b23", "inverse_mass_23"}, {"b33", "inverse_mass_33"}};
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        batch b = batch_open(theories[t], "body=matrix3d", 1);
        batch_solve(&b);
        for (int k = 0; k < SUITE_COUNT(names); k++) {
            CHECK_NEAR(batch_out(&b, names[k][1])[0], batch_in(&b, names[k][0])[0], 1e-15, "%s",
                       names[k][0]);
        }
        batch_close(&b);
    }
}

SUITE("motion3d", free_bodies, bodies_of_a_matrix)
