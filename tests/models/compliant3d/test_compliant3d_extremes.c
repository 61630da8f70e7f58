/* Slow starts of compliant3d with large friction, whose slip may begin when hardly any time is
 * left, and starts with hardly any friction, whose direction of slip turns at once. */
#include <math.h>
#include <stdio.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 20000 };

/* ---- large friction: a sphere, also in the plane ---- */

static void enter_sphere(const batch *b, size_t i, random_source *source, bool damped) {
    batch_in(b, "velocity_ratio")[i] = random_log(source, 1e-9, 1);
    batch_in(b, "friction")[i] = random_log(source, 1, damped ? 5e4 : 1e6);
    batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.5, 2);
    double first = random_between(source, 0, 0.5), second = random_between(source, 0, 0.5);
    if (damped) {
        batch_in(b, "normal_damping_ratio")[i] = i % 3 ? first : 0;
        batch_in(b, "tangential_damping_ratio")[i] = i % 5 ? second : 0;
        batch_in(b, "contact_end")[i] = i % 4 == 0; /* of elongation */
    } else {
        batch_in(b, "restitution")[i] = i % 2 ? 0.3 + first : 1;
    }
}

static batch draw_spheres(const char *theory, const char *choices, bool damped) {
    batch b = batch_open(theory, choices, CELLS);
    random_source source = {1013};
    for (size_t i = 0; i < b.n; i++) {
        enter_sphere(&b, i, &source, damped);
    }
    return b;
}

/* In space the velocity at the end has a size and a heading. Under a large
 * friction that pulls, errors of the steps reach 3e-7. */
static void check_sphere(const batch *b, const batch *plane, size_t i, bool damped) {
    bool pulls = damped && batch_in(b, "contact_end")[i] > 0;
    static const char *const outputs[] = {"kinematic_restitution", "energy_loss", "duration",
                                          "normal_impulse"};
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    if (b->outcome[i] != IMP_SOLVED || plane->outcome[i] != IMP_SOLVED) {
        return;
    }
    for (int o = 0; o < SUITE_COUNT(outputs); o++) {
        CHECK_OUTPUT(b, i, outputs[o], batch_out(plane, outputs[o])[i], 1e-8);
    }
    CHECK_NEAR(batch_out(b, "velocity_ratio_out")[i],
               fabs(batch_out(plane, "velocity_ratio_out")[i]),
               pulls ? 5e-7 : fmin(1e-8, 1e-3 * batch_in(b, "velocity_ratio")[i]), "speed of %s",
               batch_text(b, i));
}

static void check_spheres(const char *law, bool damped) {
    char choices[64], plane_choices[64];
    snprintf(choices, sizeof choices, "body=sphere3d law=%s", law);
    snprintf(plane_choices, sizeof plane_choices, "body=sphere law=%s", law);
    batch b = draw_spheres("compliant3d", choices, damped);
    batch plane = draw_spheres("compliant", plane_choices, damped);
    batch_set(&b, "heading", 0);
    BATCH_SOLVE(&b, &plane);
    for (size_t i = 0; i < b.n; i++) {
        check_sphere(&b, &plane, i, damped);
    }
    BATCH_CLOSE(&b, &plane);
}

static void large_friction(void) {
    check_spheres("linear", false);
    check_spheres("dashpot", true);
}

/* ---- hardly any friction: a rod ---- */

/* Whatever sticks or slips, the tangential impulse is at most friction times the normal one, and
 * without friction a contact is half an oscillation, and the rest of one along the steeper line. */
static void check_rod(const batch *b, size_t i) {
    double e = batch_in(b, "restitution")[i], mu = batch_in(b, "friction")[i];
    double angle = batch_in(b, "angle")[i], speed = batch_in(b, "velocity_ratio")[i];
    double b33 = 1 + 3 * sin(angle) * sin(angle), slack = 20 * mu + 1e-9;
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    CHECK_OUTPUT(b, i, "kinematic_restitution", e, slack);
    CHECK_OUTPUT(b, i, "normal_impulse", (1 + e) / b33, slack);
    CHECK_OUTPUT(b, i, "duration", (1 + e) * pi / 2 / sqrt(b33), slack);
    double heading = batch_in(b, "heading")[i], p3 = (1 + e) / b33;
    double v1 = speed * cos(heading) + 3 * sin(angle) * cos(angle) * p3;
    CHECK_OUTPUT(b, i, "velocity_ratio_out", hypot(v1, speed * sin(heading)), slack);
}

static void hardly_any_friction(void) {
    batch b = batch_open("compliant3d", "body=rod3d law=linear", CELLS);
    random_source source = {1014};
    for (size_t i = 0; i < b.n; i++) {
        double ratio = random_log(&source, 0.5, 2);
        batch_in(&b, "velocity_ratio")[i] = random_log(&source, 1e-9, 10);
        batch_in(&b, "stiffness_ratio")[i] = ratio;
        batch_in(&b, "friction")[i] = random_log(&source, 1.01e-9 / ratio, 1e-3);
        batch_in(&b, "restitution")[i] = i % 2 ? random_between(&source, 0.3, 1) : 1;
        batch_in(&b, "angle")[i] = random_between(&source, -1.5, 1.5);
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        check_rod(&b, i);
    }
    batch_close(&b);
}

SUITE("extremes of compliant3d", large_friction, hardly_any_friction)
