/* Drops whose points have two linear springs: the first impact against the theory `compliant`, up
 * to the fifth one against an independent integration in time, energy and momentum up to the end,
 * and mirror images. */
#include <math.h>
#include <stdio.h>

#include "models/bounce/state.h"
#include "models/bounce/outputs.h"
#include "support/falls.h"
#include "support/march.h"
#include "support/starts.h"
#include "support/suite.h"

enum { STARTS = 2000, DROPS = 1000, RANDOM_DROPS = 150 };

static const char *const bodies[] = {"body=sphere law=compliant", "body=rod law=compliant",
                                     "body=block law=compliant", "body=capsule law=compliant",
                                     "body=points law=compliant"};

/* ---- the first impact ---- */

/* A block that starts on the plane with downward speed. */
static imp_bounce_problem draw_start(random_source *source) {
    double sizes[] = {random_between(source, .2, 1), 1, 1};
    imp_bounce_problem p = {.law = IMP_BOUNCE_COMPLIANT, .count_above = .01, .budget = 50000};
    CHECK(imp_bounce_body_of(2, sizes, &p.body), "body");
    p.restitution = random_index(source, 4) ? random_between(source, .05, 1) : 1;
    p.friction = random_index(source, 8) ? random_between(source, 0, 1.5) : 0;
    p.stiffness_ratio = random_log(source, .1, 10);
    p.tilt = random_between(source, -3, 3);
    p.velocity_t = random_between(source, -2, 2);
    p.velocity_n = random_index(source, 2) ? -1 : -random_between(source, .1, 2);
    return p;
}

static double out(const batch *b, const char *name) {
    return batch_out(b, name)[0];
}

static void as_compliant(void) {
    random_source source = {71};
    int left = 0;
    for (int i = 0; i < STARTS; i++) {
        imp_bounce_problem p = draw_start(&source);
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        batch b = starts_impact(&p, &c, "compliant", "body=lamina law=linear");
        batch_set(&b, "stiffness_ratio", p.stiffness_ratio);
        batch_solve(&b);
        double speed = -p.velocity_n, rounding = 8e-16 * speed;
        CHECK_NEAR(c.tally.first.impulse, out(&b, "normal_impulse"), rounding, "impulse %d", i);
        if (c.tally.impacts == 1 && c.mode == IMP_BOUNCE_LEAVES) {
            double most = fabs(p.velocity_t) + speed;
            CHECK_NEAR(c.m.spin, out(&b, "angular_velocity"), 1e-14 * most, "spin %d", i);
            CHECK_NEAR(c.m.velocity_t, out(&b, "body_velocity_t"), 1e-14 * most, "slip %d", i);
            left++;
        }
        batch_close(&b);
    }
    CHECK(left > STARTS / 10, "%d leave after one impact", left);
}

/* ---- an independent integration ---- */

/* The springs of a drop, and what integrates them. */
typedef struct springs {
    double stiffness_ratio;
    gsl_odeiv2_step *step;
} springs;

static bool strike(falls_impact *impact, const falls_drop *drop, void *context) {
    const springs *s = context;
    march a = {.step = s->step,
               .m = {.b11 = impact->b11,
                     .b12 = impact->b12,
                     .b22 = impact->b22,
                     .mu = drop->friction,
                     .k1 = 1 / s->stiffness_ratio,
                     .k3 = 1,
                     .v_t = impact->v_t,
                     .v_n = impact->v_n,
                     .law = LINEAR,
                     .e = drop->restitution}};
    CHECK(march_integrate(&a) == SEPARATES, "the contact stays");
    impact->p_t = a.y[P_T];
    impact->p_n = a.y[P_N];
    return !a.grazing;
}

static void independent(void) {
    random_source source = {72};
    springs s = {.step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE)};
    int compared = 0;
    for (int i = 0; i < DROPS; i++) {
        falls_drop drop = falls_draw(i, "compliant", &source);
        s.stiffness_ratio = random_log(&source, .3, 3);
        batch_set(&drop.b, "stiffness_ratio", s.stiffness_ratio);
        compared += falls_compare(i, &drop, strike, &s);
    }
    gsl_odeiv2_step_free(s.step);
    CHECK(compared > DROPS * (FALLS_IMPACTS - 1), "%d impacts", compared);
}

/* ---- to the end ---- */

static void set_random(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "restitution")[i] = random_between(source, .05, .5);
        batch_in(b, "friction")[i] = i % 5 ? random_between(source, 0, 1.2) : 0;
        batch_in(b, "stiffness_ratio")[i] = random_log(source, .2, 5);
        batch_in(b, "gravity")[i] = 1;
        batch_in(b, "tilt")[i] = random_between(source, -3, 3);
        batch_in(b, "drop")[i] = random_between(source, .1, 3);
        batch_in(b, "velocity_t")[i] = random_between(source, -2, 2);
        batch_in(b, "velocity_n")[i] = random_between(source, -2, 1);
        batch_in(b, "spin")[i] = random_between(source, -3, 3);
    }
}

/* No impact gains energy, and the works of all make up for what is lost. */
static void energy(void) {
    random_source source = {73};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        batch b = batch_open("bounce", bodies[k], RANDOM_DROPS);
        set_random(&b, &source);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK_CELL(&b, i, batch_out(&b, "residual")[i] < 1e-12);
            CHECK_CELL(&b, i,
                       batch_out(&b, "restitution_loss")[i] >= 0 &&
                           batch_out(&b, "friction_loss")[i] >= -1e-15);
        }
        batch_close(&b);
    }
}

/* The sum of the normal impulses is m (v - v(0) + g t). */
static void upward(void) {
    random_source source = {74};
    for (int i = 0; i < RANDOM_DROPS; i++) {
        imp_bounce_problem p = draw_start(&source);
        p.gravity = 1;
        p.restitution *= .6;
        p.drop = random_between(&source, .1, 3);
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        double gained = imp_bounce_velocity_n(&c) - p.velocity_n + p.gravity * c.m.time;
        CHECK(c.outcome == IMP_SOLVED, "drop %d", i);
        CHECK_NEAR(c.tally.upward, gained, 1e-11 * gained, "drop %d", i);
    }
}

static void mirror(void) {
    static const char *const names[] = {"tilt", "velocity_t", "spin"};
    random_source source = {75};
    int compared = 0;
    for (int k = 0; k < SUITE_COUNT(bodies) - 1; k++) { /* the rock has none */
        batch a = batch_open("bounce", bodies[k], RANDOM_DROPS);
        set_random(&a, &source);
        batch b = batch_again(&a, bodies[k]);
        for (size_t i = 0; i < a.n; i++) {
            for (int n = 0; n < SUITE_COUNT(names); n++) {
                batch_in(&b, names[n])[i] = -batch_in(&a, names[n])[i];
            }
        }
        BATCH_SOLVE(&a, &b);
        for (size_t i = 0; i < a.n; i++) {
            double x = batch_out(&a, "rest_x")[i], t = batch_out(&a, "rest_time")[i];
            double error = 10 * batch_out(&a, "uncertainty")[i];
            if (error < 1e-6) {
                CHECK_CELL_NEAR(&a, i, batch_out(&b, "rest_x")[i], -x, error * (1 + fabs(x)));
                CHECK_CELL_NEAR(&a, i, batch_out(&b, "rest_time")[i], t, error * (1 + t));
                compared++;
            }
        }
        BATCH_CLOSE(&a, &b);
    }
    CHECK(compared > 3 * RANDOM_DROPS, "%d compared", compared);
}

/* A sphere that slips throughout rolls at 5/7 of its velocity after 2 u / (7 mu g), whatever its
 * springs; one that sticks rests its hops at the time of any other law, and rolls as its spin and
 * velocity tell. */
static void spheres(void) {
    static const double slips[] = {.05, 3, 0}, sticks[] = {.8, .3, 1};
    for (int k = 0; k < 2; k++) {
        const double *row = k ? sticks : slips;
        double mu = row[0], u = row[1], spin = row[2], fall = sqrt(2), e = .5;
        batch b = batch_open("bounce", bodies[0], 1);
        const char *const names[] = {"friction", "velocity_t", "spin",           "restitution",
                                     "drop",     "gravity",    "stiffness_ratio"};
        const double values[] = {mu, u, spin, e, 1, 1, 1.3};
        for (int n = 0; n < SUITE_COUNT(names); n++) {
            batch_set(&b, names[n], values[n]);
        }
        batch_solve(&b);
        double rolls = (5 * u - 2 * spin) / 7;
        double time = k ? fall + 2 * fall * e / (1 - e) : 2 * u / (7 * mu);
        CHECK_NEAR(out(&b, "rest_time"), time, 1e-12 * time, "time, row %d", k);
        CHECK_NEAR(out(&b, "rest_velocity_t"), rolls, 1e-13, "velocity, row %d", k);
        batch_close(&b);
    }
}

/* Springs need a restitution above 0. */
static void no_rebound(void) {
    batch b = batch_open("bounce", bodies[1], 1);
    BATCH_SET(&b, {"tilt", .4}, {"restitution", 0});
    batch_solve(&b);
    CHECK(b.outcome[0] == IMP_OUTSIDE, "outcome %d", b.outcome[0]);
    batch_close(&b);
}

SUITE("bounce_springs", as_compliant, independent, energy, upward, mirror, spheres, no_rebound)
