/* Leaps of constrained bodies in stick against the steps of stick: the same state in the end, and
 * no end of stick on the way. */
#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "num/larger.h"
#include "support/random.h"
#include "support/suite.h"

/* B = p p' + q q' with random p and q, and a velocity in the range of B. */
static void draw_body(random_source *source, imp_spatial_contact *body, double *v) {
    double p[3], q[3], along = random_between(source, -0.3, 0.3);
    double across = random_between(source, -0.3, 0.3);
    for (int k = 0; k < 3; k++) {
        p[k] = random_between(source, -1, 1);
        q[k] = random_between(source, -1, 1);
        v[k] = along * p[k] + across * q[k];
    }
    *body = (imp_spatial_contact){.b = {.b11 = p[0] * p[0] + q[0] * q[0],
                                        .b12 = p[0] * p[1] + q[0] * q[1],
                                        .b13 = p[0] * p[2] + q[0] * q[2],
                                        .b22 = p[1] * p[1] + q[1] * q[1],
                                        .b23 = p[1] * p[2] + q[1] * q[2],
                                        .b33 = p[2] * p[2] + q[2] * q[2]},
                                  .mass = 1,
                                  .energy = 1,
                                  .singular = true};
}

/* A contact that has stuck for a step, on a line of the normal spring that it does not leave. */
static contact draw(random_source *source, const imp_compliant3d_problem *problem,
                    const double *v) {
    double e = problem->restitution, stiffness = 1 / (e * e);
    return (contact){.p = problem,
                     .friction = problem->friction,
                     .now = {.u1 = random_between(source, -0.3, 0.3),
                             .u2 = random_between(source, -0.3, 0.3),
                             .w = 1,
                             .v1 = v[0],
                             .v2 = v[1],
                             .v3 = v[2]},
                     .unloading = e < 1,
                     .stiffness = stiffness,
                     .kappa = problem->friction * problem->stiffness_ratio * stiffness,
                     .greatest = {.force = 10 * stiffness},
                     .motion = STICKS,
                     .phases = 1,
                     .phases_then = 1};
}

/* By steps of stick, up to a time; returns the time at which stick ends, if it ends before. */
static double walk(contact *a, double until) {
    imp_compliant3d_stick_trial *trial = &a->stick;
    while (a->now.time < until) {
        a->fresh = true; /* does not leap */
        imp_compliant3d_stick(a);
        trial->given.fresh = 0;
        trial->given.until = until - a->now.time;
        imp_compliant3d_stick_advance(&trial, 1);
        const imp_compliant3d_stick_step *step = &trial->step;
        if (imp_smaller(step->circle, imp_smaller(step->leave, step->load)) < trial->given.until) {
            return a->now.time + step->length;
        }
        a->now = step->end;
        a->now.v3 = step->length == step->rise ? 0 : a->now.v3;
    }
    return INFINITY;
}

static void check_state(const state *leapt, const state *walked) {
    const double *a = (const double *)leapt, *b = (const double *)walked;
    for (size_t k = 0; k < sizeof *leapt / sizeof *a; k++) {
        CHECK_NEAR(a[k], b[k], 1e-9 * (1 + fabs(b[k])), "member %zu after %g", k, walked->time);
    }
}

static void leaps(void) {
    enum { CONTACTS = 20000 };
    random_source source = {7801};
    int leapt = 0, to_the_end = 0;
    for (int i = 0; i < CONTACTS; i++) {
        double v[3];
        imp_spatial_contact body;
        draw_body(&source, &body, v);
        imp_compliant3d_problem problem = {.contact = &body,
                                           .friction = random_between(&source, 0.3, 1.5),
                                           .stiffness_ratio = random_log(&source, 0.5, 2),
                                           .restitution = i % 2 ? 1 : 0.8,
                                           .budget = 1};
        contact a = draw(&source, &problem, v), b = a;
        double patience = imp_compliant3d_patience(&a);
        imp_compliant3d_leap(&a);
        if (a.now.time > 0) {
            double end = walk(&b, a.now.time);
            CHECK(end == INFINITY, "leaps to %g, but stick ends at %g", a.now.time, end);
            check_state(&a.now, &b.now);
            leapt++;
            to_the_end += a.now.time == patience;
        }
    }
    CHECK(to_the_end > CONTACTS / 50 && leapt - to_the_end > CONTACTS / 200,
          "%d leaps, %d to the end", leapt, to_the_end);
}

SUITE("compliant3d, leaps", leaps)
