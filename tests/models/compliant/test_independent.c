/* The compliant model against a straightforward integration in time (support/march.h): every law,
 * random cells of every body. Nothing is shared with the product: B is computed here too, from the
 * table of bodies. */
#include <math.h>
#include <stdio.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/march.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- cells of every body ---- */

typedef struct subject {
    const char *name, *choices;
    /* Sets the body's own parameters of cell i. */
    void (*draw)(const batch *b, size_t i, random_source *source);
    /* B and v_t(0) / |v_n(0)| of cell i; rank_one if it has one degree of freedom. */
    void (*inertia)(const batch *b, size_t i, motion *m);
} subject;

static void draw_sphere(const batch *b, size_t i, random_source *source) {
    batch_in(b, "velocity_ratio")[i] = random_between(source, -5, 5);
    batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
}

static void sphere(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i];
    m->b11 = 3.5 / mass;
    m->b12 = 0;
    m->b22 = 1 / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_rod(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    batch_in(b, "angle")[i] = random_between(source, -pi / 2, pi / 2);
}

static void rod(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    double c = cos(angle), s = sin(angle);
    m->b11 = (1 + 3 * c * c) / mass;
    m->b12 = 3 * s * c / mass;
    m->b22 = (1 + 3 * s * s) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_general(const batch *b, size_t i, random_source *source) {
    draw_rod(b, i, source);
    batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.95);
}

static void general(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    double coupling = batch_in(b, "inertia_coupling")[i];
    m->b11 = (1 + coupling * cos(2 * angle)) / mass;
    m->b12 = coupling * sin(2 * angle) / mass;
    m->b22 = (1 - coupling * cos(2 * angle)) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_pendulum(const batch *b, size_t i, random_source *source) {
    batch_in(b, "angle")[i] = random_between(source, 1, 89) * pi / 180;
    batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
}

static void pendulum(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    m->b11 = cos(angle) * cos(angle) / mass;
    m->b12 = sin(angle) * cos(angle) / mass;
    m->b22 = sin(angle) * sin(angle) / mass;
    m->v_t = -1 / tan(angle);
    m->rank_one = true;
}

static void draw_matrix(const batch *b, size_t i, random_source *source) {
    double b11 = random_log(source, 0.2, 5), b22 = random_log(source, 0.2, 5);
    batch_in(b, "b11")[i] = b11;
    batch_in(b, "b12")[i] = random_between(source, -0.95, 0.95) * sqrt(b11 * b22);
    batch_in(b, "b22")[i] = b22;
    batch_in(b, "velocity_ratio")[i] = random_between(source, -5, 5);
}

static void matrix(const batch *b, size_t i, motion *m) {
    m->b11 = batch_in(b, "b11")[i];
    m->b12 = batch_in(b, "b12")[i];
    m->b22 = batch_in(b, "b22")[i];
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

/* Both signs of b12, so also pendulums that lean the other way. */
static void draw_singular(const batch *b, size_t i, random_source *source) {
    double along = random_between(source, -3, 3), scale = random_log(source, 0.2, 5);
    batch_in(b, "b11")[i] = along * along * scale;
    batch_in(b, "b12")[i] = along * scale;
    batch_in(b, "b22")[i] = scale;
    batch_in(b, "velocity_ratio")[i] = -along;
}

static void singular(const batch *b, size_t i, motion *m) {
    matrix(b, i, m);
    m->rank_one = true;
}

/* Up to the angles at which the axis lies in the plane. */
static void draw_capsule(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    double slenderness = batch_in(b, "slenderness")[i] = random_log(source, 0.2, 20);
    batch_in(b, "angle")[i] = atan(slenderness / 2) * random_between(source, -1, 1);
}

/* Cylinder and hemispheres of radius 1 about their common mass centre, and the contact's place. */
static void capsule(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], length = batch_in(b, "slenderness")[i];
    double angle = batch_in(b, "angle")[i], tilt = angle + asin(2 * sin(angle) / length);
    double x = length / 2 * sin(tilt), y = 1 + length / 2 * cos(tilt);
    double tip = 3.0 / 8, ends = 4.0 / 3, middle = length;
    double of_ends = 0.4 - tip * tip + (length / 2 + tip) * (length / 2 + tip);
    double of_middle = 0.25 + length * length / 12;
    double spin = (ends + middle) / (mass * (ends * of_ends + middle * of_middle));
    m->b11 = 1 / mass + y * y * spin;
    m->b12 = x * y * spin;
    m->b22 = 1 / mass + x * x * spin;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_lamina(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    double k = batch_in(b, "gyration_radius")[i] = random_log(source, 0.1, 10);
    batch_in(b, "offset_t")[i] = random_between(source, -3, 3) * k;
    batch_in(b, "offset_n")[i] = random_between(source, -3, 3) * k;
}

static void lamina(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], k = batch_in(b, "gyration_radius")[i];
    double x = batch_in(b, "offset_t")[i] / k, y = batch_in(b, "offset_n")[i] / k;
    m->b11 = (1 + y * y) / mass;
    m->b12 = -x * y / mass;
    m->b22 = (1 + x * x) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static const subject subjects[] = {
    {"sphere", "body=sphere", draw_sphere, sphere},
    {"rod", "body=rod", draw_rod, rod},
    {"general", "body=general", draw_general, general},
    {"pendulum", "body=pendulum", draw_pendulum, pendulum},
    {"matrix", "body=matrix", draw_matrix, matrix},
    {"singular matrix", "body=matrix", draw_singular, singular},
    {"capsule", "body=capsule", draw_capsule, capsule},
    {"lamina", "body=lamina", draw_lamina, lamina},
};

/* ---- laws ---- */

typedef struct variant {
    const char *choice;
    force_law law;
    double least_e;      /* of the energetic coefficient, random up to 1; 1: none */
    double most_damping; /* random; 0: none */
    double tolerance;
} variant;

static const variant variants[] = {
    {"law=linear", LINEAR, 1, 0, 1e-10},  {"law=linear", LINEAR, 0.1, 0, 1e-10},
    {"law=coupled", COUPLED, 1, 0, 1e-9}, {"law=hertz", HERTZ, 1, 0, 1e-9},
    {"law=hertz", HERTZ, 1, 2, 1e-9},
};

static void draw_law(const variant *v, const batch *b, size_t i, random_source *source) {
    double speed = batch_in(b, "normal_speed")[i];
    if (v->law == LINEAR) {
        batch_in(b, "restitution")[i] = v->least_e < 1 ? random_between(source, v->least_e, 1) : 1;
    }
    if (v->law == HERTZ) {
        batch_in(b, "damping")[i] = random_between(source, 0, v->most_damping) / speed;
    }
}

static void set_law(const variant *v, const batch *b, size_t i, motion *m) {
    double eta = batch_in(b, "stiffness_ratio")[i];
    m->mu = batch_in(b, "friction")[i];
    m->k3 = batch_in(b, "normal_stiffness")[i];
    m->k1 = v->law == COUPLED ? 1.5 * m->k3 / eta : m->k3 / eta;
    m->law = v->law;
    m->e = v->law == LINEAR ? batch_in(b, "restitution")[i] : 1;
    m->zeta = v->law == HERTZ ? batch_in(b, "damping")[i] : 0;
}

/* ---- comparison ---- */

static void check_output(const batch *b, size_t i, const char *output, double expected,
                         double scale, double tolerance) {
    double actual = batch_out(b, output)[i], size = fmax(fabs(expected), scale);
    CHECK_NEAR(actual / size, expected / size, tolerance, "%s of %s", output, batch_text(b, i));
}

static void check_separation(const batch *b, size_t i, const march *a, double tolerance) {
    const double *y = a->y, speed = -a->m.v_n, impulse = speed / a->m.b22;
    const turn *c = &a->greatest;
    check_output(b, i, "kinematic_restitution", y[V_N] / speed, 1, tolerance);
    check_output(b, i, "velocity_ratio_out", y[V_T] / speed, 1, tolerance);
    check_output(b, i, "normal_impulse", y[P_N], impulse, tolerance);
    check_output(b, i, "tangential_impulse", y[P_T], impulse, tolerance);
    check_output(b, i, "kinetic_restitution", (y[P_N] - c->p_n) / c->p_n, 1, tolerance);
    check_output(b, i, "energetic_restitution", sqrt((y[WORK] - c->work) / -c->work), 1, tolerance);
    check_output(b, i, "duration", a->time, 0, tolerance);
    check_output(b, i, "compression_time", c->time, 0, tolerance);
}

/* Returns false if the cell is too near to grazing to be compared. */
static bool compare(const subject *body, const variant *v, const batch *b, size_t i,
                    gsl_odeiv2_step *step) {
    double speed = batch_in(b, "normal_speed")[i];
    march a = {.step = step};
    body->inertia(b, i, &a.m);
    set_law(v, b, i, &a.m);
    a.m.v_t *= speed;
    a.m.v_n = -speed;
    ending end = march_integrate(&a);
    if (a.grazing) {
        return false;
    }
    CHECK(end != LOST, "%s: the integration does not end: %s", body->name, batch_text(b, i));
    CHECK(b->outcome[i] == IMP_SOLVED, "%s: %s", body->name, batch_text(b, i));
    char expected[256];
    imp_sequence_text(a.sequence, sizeof expected, expected);
    CHECK((uint64_t)batch_out(b, "sequence")[i] == a.sequence, "sequence %s instead of %s: %s",
          batch_sequence(b, i), expected, batch_text(b, i));
    bool wedge = batch_has_mode(b, i, "wedge");
    CHECK(wedge == (end == WEDGES), "mode %s: %s", batch_mode(b, i), batch_text(b, i));
    check_output(b, i, "energy_loss", march_energy_loss(&a, end), 1, v->tolerance);
    if (end == SEPARATES) {
        check_separation(b, i, &a, v->tolerance);
    }
    return true;
}

static void compare_body(const subject *body, const variant *v, uint64_t seed) {
    enum { CELLS = 500 };
    char choices[64];
    snprintf(choices, sizeof choices, "%s %s", body->choices, v->choice);
    batch b = batch_open("compliant", choices, CELLS);
    random_source source = {seed};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_speed")[i] = random_log(&source, 0.1, 10);
        body->draw(&b, i, &source);
        draw_law(v, &b, i, &source);
    }
    batch_solve(&b);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    int skipped = 0;
    for (size_t i = 0; i < CELLS; i++) {
        skipped += !compare(body, v, &b, i, step);
    }
    CHECK(skipped * 100 <= CELLS, "%s: %d of %d cells skipped", body->name, skipped, CELLS);
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

static void every_body(int which) {
    for (int i = 0; i < SUITE_COUNT(subjects); i++) {
        compare_body(&subjects[i], &variants[which], 8000 + (uint64_t)(100 * which + i));
    }
}

static void linear(void) {
    every_body(0);
}

static void linear_with_restitution(void) {
    every_body(1);
}

static void coupled(void) {
    every_body(2);
}

static void hertz(void) {
    every_body(3);
}

static void hertz_with_damping(void) {
    every_body(4);
}

/* The integration itself in a case with a known answer: a sphere that slips throughout touches the
 * plane for half a period of its normal spring and takes the normal impulse 2 m |v_n|. */
static void the_integration_itself(void) {
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    march a = {
        .step = step,
        .m = {.b11 = 3.5, .b22 = 1, .mu = 0.2, .k1 = 0.5, .k3 = 4, .v_t = 5, .v_n = -1, .e = 1}};
    CHECK(march_integrate(&a) == SEPARATES, "the sphere stays");
    CHECK(a.phases == 1 && a.sequence == SLIP_FORTH, "%d phases", a.phases);
    CHECK_NEAR(a.time, pi / 2, 1e-12, "duration");
    CHECK_NEAR(a.y[V_N], 1, 1e-12, "normal velocity");
    CHECK_NEAR(a.y[V_T], 5 - 3.5 * 0.2 * 2, 1e-12, "tangential velocity");
    /* Energy: rotation and translation act on the tangential motion as a mass of 2/7. */
    CHECK_NEAR(a.y[LOSS], (25 - 3.6 * 3.6) / 7, 1e-12, "loss");
    CHECK_NEAR(a.greatest.time, pi / 4, 1e-12, "time of greatest indentation");
    gsl_odeiv2_step_free(step);
}

SUITE("independent", the_integration_itself, linear, linear_with_restitution, coupled, hertz,
      hertz_with_damping)
