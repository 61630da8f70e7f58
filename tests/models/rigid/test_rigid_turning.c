/* Rigid impact of free bodies that turn: angular velocities from the velocity of the contact point,
 * and the loss of the body's whole energy. */
#include <math.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

/* The velocity of the contact point follows from that of the mass centre and the turn about it; (x,
 * y) leads from the mass centre to the contact point. */
static void check_turn(const batch *b, size_t i, double x, double y) {
    double turn = batch_out(b, "angular_velocity")[i], speed = batch_in(b, "normal_speed")[i];
    double v_t = batch_out(b, "body_velocity_t")[i] - turn * y;
    double v_n = batch_out(b, "body_velocity_n")[i] + turn * x;
    double size = speed * (2 + fabs(batch_in(b, "velocity_ratio")[i])) + fabs(turn) * hypot(x, y);
    CHECK_NEAR(v_t, batch_out(b, "velocity_ratio_out")[i] * speed, 1e-12 * size, "v_t of %s",
               batch_text(b, i));
    CHECK_NEAR(v_n, batch_out(b, "kinematic_restitution")[i] * speed, 1e-12 * size, "v_n of %s",
               batch_text(b, i));
}

static void draw_free(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "velocity_ratio")[i] = random_between(source, -3, 3);
        batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
        batch_in(b, "normal_speed")[i] = random_log(source, 0.1, 10);
        batch_in(b, "friction")[i] = random_between(source, 0, 1.5);
        batch_in(b, "restitution")[i] = random_between(source, 0, 1);
        if (imp_input(b->solver, "angle") >= 0) {
            batch_in(b, "angle")[i] = random_between(source, -1.3, 1.3);
        }
    }
}

static void turning_bodies(void) {
    random_source source = {515};
    batch sphere = batch_open("rigid", "body=sphere", 3000),
          rod = batch_open("rigid", "body=rod", 3000);
    batch lamina = batch_open("rigid", "body=lamina", 3000);
    batch capsule = batch_open("rigid", "body=capsule", 3000);
    const batch *all[] = {&sphere, &rod, &lamina, &capsule};
    for (int k = 0; k < SUITE_COUNT(all); k++) {
        draw_free(all[k], &source);
    }
    for (size_t i = 0; i < 3000; i++) {
        batch_in(&sphere, "radius")[i] = random_log(&source, 0.1, 10);
        batch_in(&rod, "length")[i] = random_log(&source, 0.1, 10);
        batch_in(&lamina, "offset_t")[i] = random_between(&source, -2, 2);
        batch_in(&lamina, "offset_n")[i] = random_between(&source, -2, 2);
        batch_in(&lamina, "gyration_radius")[i] = random_log(&source, 0.3, 3);
        batch_in(&capsule, "radius")[i] = random_log(&source, 0.1, 10);
        batch_in(&capsule, "slenderness")[i] = random_log(&source, 10, 100);
    }
    for (int k = 0; k < SUITE_COUNT(all); k++) {
        batch_solve(all[k]);
    }
    for (size_t i = 0; i < 3000; i++) {
        double radius = batch_in(&capsule, "radius")[i], half = batch_in(&rod, "length")[i] / 2;
        double angle = batch_in(&rod, "angle")[i], tilt = batch_in(&capsule, "angle")[i];
        double across = radius * sin(tilt);
        double axis = radius * batch_in(&capsule, "slenderness")[i] / 2;
        double lever = radius * cos(tilt) + sqrt(axis * axis - across * across);
        check_turn(&sphere, i, 0, -batch_in(&sphere, "radius")[i]);
        check_turn(&rod, i, half * sin(angle), -half * cos(angle));
        check_turn(&lamina, i, batch_in(&lamina, "offset_t")[i], batch_in(&lamina, "offset_n")[i]);
        if (capsule.outcome[i] == IMP_SOLVED) {
            check_turn(&capsule, i, lever * sin(tilt), -lever * cos(tilt));
        }
    }
    BATCH_CLOSE(&sphere, &rod, &lamina, &capsule);
}

/* Loss of the body's whole energy, from its velocities and its turn. */
static void body_energy(void) {
    batch rod = batch_open("rigid", "body=rod law=newton", 3000);
    random_source source = {516};
    draw_free(&rod, &source);
    batch_solve(&rod);
    for (size_t i = 0; i < rod.n; i++) {
        double speed = batch_in(&rod, "normal_speed")[i], r = batch_in(&rod, "velocity_ratio")[i];
        double v_t = batch_out(&rod, "body_velocity_t")[i];
        double v_n = batch_out(&rod, "body_velocity_n")[i];
        double turn = batch_out(&rod, "angular_velocity")[i];
        double before = speed * speed * (1 + r * r);
        double after = v_t * v_t + v_n * v_n + turn * turn / 12;
        CHECK_OUTPUT(&rod, i, "body_energy_loss", 1 - after / before, 1e-12);
    }
    batch_close(&rod);
}

SUITE("rigid_turning", turning_bodies, body_energy)
