/* Bodies in the plane that hardly rebound, down to coefficients of 1e-12 (linear springs) and 1e-15
 * (rigid): every output that is small then, or follows from something small, keeps its digits.
 * References are closed forms of a straight slip and of a rigid stick, in long double and without a
 * difference of large numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

typedef long double real;

enum { BODIES = 60, SIZES = 16, CELLS = BODIES * SIZES };

/* The contact point relative to the mass centre, and the squared radius of gyration. The second of
 * two bodies that strike each other has a `ratio` of the first mass to its own. */
typedef struct geometry {
    real t, n, square, ratio, t_2, n_2, square_2;
} geometry;

static geometry of_sphere(const batch *b, size_t i) {
    real r = batch_in(b, "radius")[i];
    return (geometry){.n = -r, .square = r * r * 2 / 5};
}

static geometry of_rod(const batch *b, size_t i) {
    real half = batch_in(b, "length")[i] / 2, angle = batch_in(b, "angle")[i];
    return (geometry){.t = half * sinl(angle), .n = -half * cosl(angle), .square = half * half / 3};
}

/* The centre of the touching hemisphere lies a radius above the plane. Inertia by parts. */
static geometry of_capsule(const batch *b, size_t i) {
    real r = batch_in(b, "radius")[i], length = batch_in(b, "slenderness")[i] * r;
    real angle = batch_in(b, "angle")[i], tilt = angle + asinl(2 * r * sinl(angle) / length);
    real ball = r * r * r * 4 / 3, tube = r * r * length, far = length / 2;
    real inertia = ball * (r * r * 2 / 5 + 2 * r * far * 3 / 8 + far * far) +
                   tube * (r * r / 4 + length * length / 12);
    return (geometry){
        .t = far * sinl(tilt), .n = -far * cosl(tilt) - r, .square = inertia / (ball + tube)};
}

static geometry of_lamina(const batch *b, size_t i) {
    real k = batch_in(b, "gyration_radius")[i];
    return (geometry){
        .t = batch_in(b, "offset_t")[i], .n = batch_in(b, "offset_n")[i], .square = k * k};
}

static geometry of_two_laminae(const batch *b, size_t i) {
    geometry g = of_lamina(b, i);
    real k = batch_in(b, "gyration_radius_2")[i];
    g.ratio = (real)batch_in(b, "mass")[i] / batch_in(b, "mass_2")[i];
    g.t_2 = batch_in(b, "offset_t_2")[i];
    g.n_2 = batch_in(b, "offset_n_2")[i];
    g.square_2 = k * k;
    return g;
}

static const struct {
    const char *name;
    geometry (*of)(const batch *b, size_t i);
} bodies[] = {{"sphere", of_sphere},
              {"rod", of_rod},
              {"capsule", of_capsule},
              {"lamina", of_lamina},
              {"two_laminae", of_two_laminae}};

static void set(const batch *b, size_t body, const char *parameter, double value) {
    for (size_t k = 0; k < SIZES; k++) {
        batch_in(b, parameter)[body * SIZES + k] = value;
    }
}

/* Each body at every coefficient from 1 to the least one. */
static void fill(const batch *b, const char *body, double least, random_source *source) {
    bool turned = strcmp(body, "rod") == 0 || strcmp(body, "capsule") == 0;
    for (size_t i = 0; i < BODIES; i++) {
        for (size_t k = 0; k < SIZES; k++) {
            batch_in(b, "restitution")[i * SIZES + k] = pow(least, (double)k / (SIZES - 1));
        }
        if (strcmp(body, "double_pendulum") == 0) {
            continue;
        }
        set(b, i, "normal_speed", random_between(source, 0.5, 3));
        set(b, i, "mass", random_between(source, 0.2, 5));
        set(b, i, "initial_spin", i % 4 ? 0 : random_between(source, -5, 5));
        if (turned) {
            set(b, i, "angle", copysign(random_log(source, 1e-14, 0.5), i % 2 ? 1 : -1));
        }
        if (strstr(body, "lamina")) {
            set(b, i, "offset_t", copysign(random_log(source, 1e-14, 1), i % 2 ? 1 : -1));
            set(b, i, "offset_n", -random_log(source, 1e-7, 2));
            set(b, i, "gyration_radius", random_between(source, 0.3, 2));
        }
        if (strcmp(body, "two_laminae") == 0) {
            set(b, i, "mass_2", random_between(source, 0.2, 5));
            set(b, i, "initial_spin_2", i % 4 ? 0 : random_between(source, -5, 5));
            set(b, i, "offset_t_2", copysign(random_log(source, 1e-14, 1), i % 3 ? 1 : -1));
            set(b, i, "offset_n_2", random_log(source, 1e-7, 2));
            set(b, i, "gyration_radius_2", random_between(source, 0.3, 2));
        }
    }
}

/* The impact in the mass, in the plane's frame; the impulses in kg m/s over the mass. */
typedef struct impact {
    geometry g;
    real e, speed, b11, b12, b22, v_t, p_t, p_n, spin, spin_2;
} impact;

static impact impact_of(const batch *b, size_t i, geometry g) {
    bool two = g.ratio > 0;
    return (impact){
        .g = g,
        .e = batch_in(b, "restitution")[i],
        .speed = batch_in(b, "normal_speed")[i],
        .b11 = 1 + g.n * g.n / g.square + (two ? g.ratio * (1 + g.n_2 * g.n_2 / g.square_2) : 0),
        .b12 = -g.t * g.n / g.square - (two ? g.ratio * (g.t_2 * g.n_2 / g.square_2) : 0),
        .b22 = 1 + g.t * g.t / g.square + (two ? g.ratio * (1 + g.t_2 * g.t_2 / g.square_2) : 0),
        .v_t = (real)batch_in(b, "velocity_ratio")[i] * batch_in(b, "normal_speed")[i],
        .spin = batch_in(b, "initial_spin")[i],
        .spin_2 = two ? batch_in(b, "initial_spin_2")[i] : 0,
    };
}

static void near(const batch *b, size_t i, const char *output, real expected, real size) {
    double value = batch_out(b, output)[i];
    CHECK_NEAR(value, (double)expected, 1e-13 * (double)size, "%s: %s", output, batch_text(b, i));
}

/* The second of two bodies takes the opposite impulse. */
static void check_second(const batch *b, size_t i, const impact *x) {
    const geometry *g = &x->g;
    real by_t = g->ratio * g->n_2 * x->p_t / g->square_2;
    real by_n = -g->ratio * g->t_2 * x->p_n / g->square_2;
    near(b, i, "angular_velocity_2", x->spin_2 + by_t + by_n,
         fabsl(x->spin_2) + fabsl(by_t) + fabsl(by_n));
}

/* The share of the energy that is lost has the digits of the energy, however small it is. */
static void check_loss(const batch *b, size_t i, const impact *x, real w_t) {
    real energy =
        (x->b22 * x->v_t * x->v_t + 2 * x->b12 * x->v_t * x->speed + x->b11 * x->speed * x->speed) /
        (x->b11 * x->b22 - x->b12 * x->b12);
    real loss = (1 - x->e) * x->speed * x->p_n - x->p_t * (x->v_t + w_t);
    CHECK_NEAR(batch_out(b, "energy_loss")[i], (double)(loss / energy), 2e-15, "energy_loss: %s",
               batch_text(b, i));
}

/* The bodies as a whole, by the contact point after the impact, (w_t, e speed). Two bodies have no
 * mass centre. */
static void check_motion(const batch *b, size_t i, const impact *x, real w_t) {
    const geometry *g = &x->g;
    check_loss(b, i, x, w_t);
    real by_t = -g->n * x->p_t / g->square, by_n = g->t * x->p_n / g->square;
    real spin = x->spin + by_t + by_n, most = fabsl(x->spin) + fabsl(by_t) + fabsl(by_n);
    real w_n = x->e * x->speed;
    near(b, i, "angular_velocity", spin, most);
    if (g->ratio > 0) {
        check_second(b, i, x);
        return;
    }
    near(b, i, "body_velocity_n", w_n - spin * g->t, w_n + most * fabsl(g->t));
    near(b, i, "body_velocity_t", w_t + spin * g->n, fabsl(w_t) + most * fabsl(g->n));
}

/* ---- slip in one direction: every coefficient of restitution is the same ---- */

static const char *const ratios[] = {"kinematic_restitution", "kinetic_restitution",
                                     "energetic_restitution"};

/* The works over the energy that the contact could dissipate. */
static void check_works(const batch *b, size_t i, const impact *x, real along, real rate,
                        real compression) {
    real energy =
        (x->b22 * x->v_t * x->v_t + 2 * x->b12 * x->v_t * x->speed + x->b11 * x->speed * x->speed) /
        (2 * (x->b11 * x->b22 - x->b12 * x->b12));
    real rebound = x->e * compression, normal = x->e * x->speed * rebound / 2;
    real mean = x->v_t + rate * (compression + rebound / 2), work = along * rebound * mean;
    near(b, i, "normal_work_restitution", normal / energy, normal / energy);
    near(b, i, "tangential_work_restitution", work / energy, 10 * fabsl(work / energy));
}

static bool check_slip(const batch *b, size_t i, geometry g) {
    const char *mode = batch_mode(b, i);
    if (strcmp(mode, "slide") != 0 && strcmp(mode, "gross_slip") != 0) {
        return false;
    }
    impact x = impact_of(b, i, g);
    real along = -copysignl(batch_in(b, "friction")[i], x.v_t), q = x.b22 + along * x.b12;
    real compression = x.speed / q, rate = x.b12 + along * x.b11;
    x.p_n = (1 + x.e) * compression;
    x.p_t = along * x.p_n;
    for (int k = 0; k < SUITE_COUNT(ratios); k++) {
        near(b, i, ratios[k], x.e, x.e);
    }
    check_motion(b, i, &x, x.v_t + rate * x.p_n);
    if (strcmp(b->theory->name, "compliant") == 0) {
        check_works(b, i, &x, along, rate, compression);
    }
    return true;
}

static void slips(const char *theory, const char *law, double least) {
    random_source source = {8110};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        char choices[64];
        snprintf(choices, sizeof choices, "body=%s law=%s", bodies[k].name, law);
        batch b = batch_open(theory, choices, CELLS);
        fill(&b, bodies[k].name, least, &source);
        if (strcmp(theory, "compliant") == 0) {
            batch_set(&b, "stiffness_ratio", 1.2);
        }
        for (size_t i = 0; i < BODIES; i++) {
            set(&b, i, "friction", random_between(&source, 0.01, 0.3));
            set(&b, i, "velocity_ratio", random_between(&source, -6, 6));
        }
        batch_solve(&b);
        int seen = 0;
        for (size_t i = 0; i < CELLS; i++) {
            seen += check_slip(&b, i, bodies[k].of(&b, i));
        }
        CHECK(seen > CELLS / 2, "only %d slips of %s", seen, bodies[k].name);
        batch_close(&b);
    }
}

static void rigid_slip(void) {
    static const char *const laws[] = {"newton", "poisson", "energetic"};
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        slips("rigid", laws[l], 1e-15);
    }
}

static void compliant_slip(void) {
    slips("compliant", "linear", 1e-12);
}

/* ---- a rigid stick: the contact point moves along the normal after it ---- */

static void rigid_stick(void) {
    random_source source = {8111};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        char choices[64];
        snprintf(choices, sizeof choices, "body=%s law=newton", bodies[k].name);
        batch b = batch_open("rigid", choices, CELLS);
        fill(&b, bodies[k].name, 1e-15, &source);
        batch_set(&b, "friction", 40);
        for (size_t i = 0; i < BODIES; i++) {
            set(&b, i, "velocity_ratio", random_between(&source, -3, 3));
        }
        batch_solve(&b);
        int seen = 0;
        for (size_t i = 0; i < CELLS; i++) {
            impact x = impact_of(&b, i, bodies[k].of(&b, i));
            real fast = (1 + x.e) * x.speed, whole = x.b11 * x.b22 - x.b12 * x.b12;
            x.p_t = (-x.b22 * x.v_t - x.b12 * fast) / whole;
            x.p_n = (x.b12 * x.v_t + x.b11 * fast) / whole;
            if (batch_has_mode(&b, i, "compression_stick")) {
                check_motion(&b, i, &x, 0);
                seen++;
            }
        }
        CHECK(seen > CELLS / 2, "only %d sticks of %s", seen, bodies[k].name);
        batch_close(&b);
    }
}

/* The angular velocities of both rods follow from the velocity of the tip, (0, e speed). */
static void check_rods(const batch *b, size_t i) {
    real l1 = batch_in(b, "l1")[i], l2 = batch_in(b, "l2")[i], q1 = batch_in(b, "q1")[i];
    real q2 = batch_in(b, "q2")[i], w1 = batch_in(b, "w1")[i], w2 = batch_in(b, "w2")[i];
    real speed = -(l1 * w1 * sinl(q1) + l2 * w2 * sinl(q2));
    real up = batch_in(b, "restitution")[i] * speed / sinl(q2 - q1);
    near(b, i, "angular_velocity", -cosl(q2) * up / l1, 3 * fabsl(up / l1));
    near(b, i, "angular_velocity_2", cosl(q1) * up / l2, 3 * fabsl(up / l2));
}

static void rods_that_stick(void) {
    batch b = batch_open("rigid", "body=double_pendulum law=newton", CELLS);
    random_source source = {8112};
    fill(&b, "double_pendulum", 1e-15, &source);
    batch_set(&b, "friction", 40);
    for (size_t i = 0; i < BODIES; i++) {
        set(&b, i, "l1", random_between(&source, 0.3, 2));
        set(&b, i, "l2", random_between(&source, 0.3, 2));
        set(&b, i, "q1", -random_between(&source, 0.1, 0.7));
        set(&b, i, "q2", random_between(&source, 0.1, 0.7));
        set(&b, i, "w1", random_between(&source, 0.3, 3));
        set(&b, i, "w2", -random_between(&source, 0.3, 3));
    }
    batch_solve(&b);
    int seen = 0;
    for (size_t i = 0; i < CELLS; i++) {
        if (batch_has_mode(&b, i, "compression_stick")) {
            check_rods(&b, i);
            seen++;
        }
    }
    CHECK(seen > CELLS / 2, "only %d sticks", seen);
    batch_close(&b);
}

SUITE("motion of bodies that hardly rebound", rigid_slip, rigid_stick, rods_that_stick,
      compliant_slip)
