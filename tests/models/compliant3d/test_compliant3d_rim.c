/* Starts of compliant3d on the rim of the cone of friction, velocity_ratio = friction *
 * stiffness_ratio, and beside it within 1e-12. Half of them lie near a junction, where slip from
 * the rim neither grows nor shrinks at first: a contact that sticks stays beside the circle of
 * friction for long. */
#include <math.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { BODIES = 4000, STARTS = 5 }; /* the first start of a body is on the rim */

typedef struct start {
    double friction, stiffness_ratio, heading, angle;
} start;

/* B of a slender rod with azimuth 0, or of a sphere. */
typedef struct inertia {
    double b11, b13, b22, b33;
} inertia;

static inertia inertia_of(bool rod, double angle) {
    double c = cos(angle), s = sin(angle);
    return rod ? (inertia){1 + 3 * c * c, 3 * s * c, 4, 1 + 3 * s * s} : (inertia){3.5, 0, 3.5, 1};
}

/* The stiffness ratio with which slip from the rim keeps its speed 0: with e the direction of v
 * and u = friction ratio w e, the rate of v . e + friction ratio v3 vanishes. */
static double ratio_of_junction(const inertia *b, const start *at) {
    double c = cos(at->heading), s = sin(at->heading), mu = at->friction;
    return (mu * (b->b11 * c * c + b->b22 * s * s) - b->b13 * c) /
           (mu * (b->b33 - mu * b->b13 * c));
}

static start draw(random_source *source, bool rod, bool near_junction) {
    start at;
    do {
        at = (start){.friction = random_between(source, 0.05, 1.5),
                     .heading = random_between(source, -pi, pi),
                     .angle = random_between(source, -1.5, 1.5)};
        inertia b = inertia_of(rod, at.angle);
        double off = random_log(source, 1e-14, 1e-2) * (random_index(source, 2) ? 1 : -1);
        at.stiffness_ratio =
            near_junction ? ratio_of_junction(&b, &at) * (1 + off) : random_log(source, 0.2, 10);
    } while (!(at.stiffness_ratio > 0.1 && at.stiffness_ratio < 20));
    return at;
}

/* Start k of a body; returns its distance from the rim. */
static double enter(const batch *b, size_t i, random_source *source, const start *at, int k) {
    double off = k > 0 ? random_log(source, 1e-17, 1e-12) * (k % 2 ? 1 : -1) : 0;
    double speed = at->friction * at->stiffness_ratio;
    batch_in(b, "friction")[i] = k > 2 ? at->friction * (1 + off) : at->friction;
    batch_in(b, "velocity_ratio")[i] = k > 2 ? speed : speed * (1 + off);
    batch_in(b, "stiffness_ratio")[i] = at->stiffness_ratio;
    batch_in(b, "heading")[i] = at->heading;
    return fabs(off);
}

/* The outcome is continuous across the rim; on: the start there. */
static void check(const batch *b, size_t i, size_t on, double off) {
    static const char *const outputs[] = {"kinematic_restitution", "velocity_ratio_out",
                                          "energy_loss", "duration", "normal_impulse"};
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    for (int o = 0; o < SUITE_COUNT(outputs) && b->outcome[on] == IMP_SOLVED; o++) {
        const double *values = batch_out(b, outputs[o]);
        CHECK_NEAR(values[i], values[on], (1e-9 + 100 * off) * (1 + fabs(values[on])), "%s of %s",
                   outputs[o], batch_text(b, i));
    }
}

static void check_body(const char *choices, bool rod, const char *given, double value) {
    batch b = batch_open("compliant3d", choices, (size_t)BODIES * STARTS);
    static double off[BODIES * STARTS];
    random_source source = {1011};
    start at = {0};
    if (given) {
        batch_set(&b, given, value);
    }
    for (size_t i = 0; i < b.n; i++) {
        int k = (int)(i % STARTS);
        at = k == 0 ? draw(&source, rod, i / STARTS % 2) : at;
        off[i] = enter(&b, i, &source, &at, k);
        if (rod) {
            batch_in(&b, "angle")[i] = at.angle;
        }
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        check(&b, i, i - i % STARTS, off[i]);
    }
    batch_close(&b);
}

static void across_the_rim(void) {
    check_body("body=rod3d law=linear", true, "restitution", 1);
    check_body("body=rod3d law=linear", true, "restitution", 0.7);
    check_body("body=sphere3d law=linear", false, "restitution", 1);
    check_body("body=rod3d law=dashpot", true, "tangential_damping_ratio", 0);
    check_body("body=sphere3d law=dashpot", false, "tangential_damping_ratio", 0);
}

/* Beside the junction of gross slip, stick - slip and slip - stick - slip at -1.1307885. */
static void at_a_junction(void) {
    batch b = batch_open("compliant3d", "body=rod3d law=linear", 3);
    static const double angles[] = {-1.1308, -1.1307884931544743, -1.13078};
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = angles[i];
    }
    BATCH_SET(&b, {"velocity_ratio", 0.5207660909493815}, {"stiffness_ratio", 0.9529087133664922},
              {"friction", 0.5465015521891791}, {"heading", 0.38471577801635926},
              {"restitution", 1});
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "energy_loss", batch_out(&b, "energy_loss")[0], 4e-5);
    }
    batch_close(&b);
}

SUITE("rim of compliant3d", across_the_rim, at_a_junction)
