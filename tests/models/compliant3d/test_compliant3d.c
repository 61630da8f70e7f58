/* Three springs in space: planar motion against the exact planar theory, conservation, turned axes. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

/* ---- planar motion ---- */

static void compare(const batch *flat, const batch *b, size_t i, const char *output, double scale) {
    CHECK_NEAR(batch_out(b, output)[i], batch_out(flat, output)[i], 1e-8 * scale, "%s, %s: %s",
               output, batch_mode(flat, i), batch_text(b, i));
}

static void check_planar(const batch *flat, const batch *b, size_t i) {
    CHECK(flat->outcome[i] == IMP_SOLVED && b->outcome[i] == IMP_SOLVED, "%s", batch_text(b, i));
    static const char *const ratios[] = {"kinematic_restitution", "kinetic_restitution",
                                         "energetic_restitution", "energy_loss"};
    for (int k = 0; k < SUITE_COUNT(ratios); k++) {
        compare(flat, b, i, ratios[k], 1);
    }
    double impulse = batch_out(flat, "normal_impulse")[i];
    compare(flat, b, i, "normal_impulse", impulse);
    compare(flat, b, i, "duration", batch_out(flat, "duration")[i]);
    compare(flat, b, i, "compression_time", batch_out(flat, "duration")[i]);
    double v_t = batch_out(flat, "velocity_ratio_out")[i];
    double along = batch_out(b, "velocity_ratio_out")[i] * cos(batch_out(b, "heading_out")[i]);
    CHECK_NEAR(along, v_t, 1e-8 * (1 + fabs(v_t)), "%s", batch_text(b, i));
    const double *p = &batch_out(b, "tangential_impulse")[2 * i];
    CHECK_NEAR(p[0], batch_out(flat, "tangential_impulse")[i], 1e-8 * impulse, "%s",
               batch_text(b, i));
    CHECK(fabs(p[1]) <= 1e-9 * impulse, "leaves the plane by %.3g: %s", p[1], batch_text(b, i));
}

static void planar(void) {
    enum { CELLS = 2000 };
    batch flat = batch_open("compliant", "body=matrix law=linear", CELLS);
    batch b = batch_open("compliant3d", "body=matrix3d", CELLS);
    random_source source = {7501};
    batch_set(&b, "b12", 0);
    batch_set(&b, "b23", 0);
    batch_set(&b, "restitution", 1);
    for (size_t i = 0; i < CELLS; i++) {
        double b11 = random_log(&source, 0.2, 5), b22 = random_log(&source, 0.2, 5);
        double b12 = random_between(&source, -0.95, 0.95) * sqrt(b11 * b22);
        double v = random_between(&source, -5, 5);
        double friction = i % 20 == 0 ? 0 : random_between(&source, 0, 1.5);
        double ratio = random_log(&source, 0.3, 3);
        batch_in(&flat, "b11")[i] = batch_in(&b, "b11")[i] = b11;
        batch_in(&flat, "b12")[i] = batch_in(&b, "b13")[i] = b12;
        batch_in(&flat, "b22")[i] = batch_in(&b, "b33")[i] = b22;
        batch_in(&b, "b22")[i] = random_log(&source, 0.2, 5);
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] = friction;
        batch_in(&flat, "stiffness_ratio")[i] = batch_in(&b, "stiffness_ratio")[i] = ratio;
        batch_in(&flat, "velocity_ratio")[i] = v;
        batch_in(&b, "velocity_ratio")[i] = fabs(v);
        batch_in(&b, "heading")[i] = v < 0 ? pi : 0;
    }
    batch_solve(&flat);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        check_planar(&flat, &b, i);
    }
    batch_close(&flat);
    batch_close(&b);
}

/* A pendulum without velocity across its plane; also where it wedges. */
static void planar_pendulum(void) {
    enum { CELLS = 1000 };
    batch flat = batch_open("compliant", "body=pendulum law=linear", CELLS);
    batch b = batch_open("compliant3d", "body=pendulum3d", CELLS);
    random_source source = {7502};
    batch_set(&b, "swerve_ratio", 0);
    batch_set(&b, "azimuth", 0);
    batch_set(&b, "restitution", 1);
    for (size_t i = 0; i < CELLS; i++) {
        double angle = random_between(&source, 0.02, 1.5);
        double friction = random_between(&source, 0, 1.5);
        batch_in(&flat, "angle")[i] = batch_in(&b, "angle")[i] = angle;
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] = friction;
    }
    batch_set(&flat, "stiffness_ratio", 1.21);
    batch_set(&b, "stiffness_ratio", 1.21);
    batch_solve(&flat);
    batch_solve(&b);
    int wedges = 0;
    for (size_t i = 0; i < CELLS; i++) {
        bool wedge = strcmp(batch_mode(&flat, i), "wedge") == 0;
        wedges += wedge;
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        CHECK((strcmp(batch_mode(&b, i), "wedge") == 0) == wedge, "%s instead of %s: %s",
              batch_mode(&b, i), batch_mode(&flat, i), batch_text(&b, i));
        compare(&flat, &b, i, "energy_loss", 1);
        if (!wedge) {
            /* Near the critical angle the restitution grows as the root of the distance. */
            double e = batch_out(&flat, "kinematic_restitution")[i];
            double found = batch_out(&b, "kinematic_restitution")[i];
            CHECK_NEAR(found * found, e * e, 1e-8, "%s", batch_text(&b, i));
        }
    }
    CHECK(wedges > 50, "only %d cells wedge", wedges);
    batch_close(&flat);
    batch_close(&b);
}

/* ---- conservation on random bodies ---- */

static void draw(const batch *b, size_t i, random_source *source) {
    inertia m = inertia_random(source, 1000);
    inertia_set(b, i, &m);
    batch_in(b, "heading")[i] = random_between(source, -pi, pi);
    batch_in(b, "velocity_ratio")[i] = i % 10 ? random_log(source, 1e-2, 10) : 0;
    batch_in(b, "friction")[i] = i % 17 ? random_log(source, 1e-3, 2) : 0;
    batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.2, 5);
    batch_in(b, "restitution")[i] = i % 3 ? random_between(source, 0.2, 1) : 1;
}

static void final_velocity(const batch *b, size_t i, double *v) {
    double speed = batch_out(b, "velocity_ratio_out")[i];
    double heading = batch_out(b, "heading_out")[i];
    v[0] = speed > 0 ? speed * cos(heading) : 0;
    v[1] = speed > 0 ? speed * sin(heading) : 0;
    v[2] = batch_out(b, "kinematic_restitution")[i];
}

static void check_conservation(const batch *b, size_t i) {
    double speed = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i], v[3];
    const double before[3] = {speed * cos(heading), speed * sin(heading), -1};
    const double p[3] = {batch_out(b, "tangential_impulse")[2 * i],
                         batch_out(b, "tangential_impulse")[2 * i + 1],
                         batch_out(b, "normal_impulse")[i]};
    inertia m = inertia_get(b, i);
    final_velocity(b, i, v);
    for (int k = 0; k < 3; k++) {
        double gained = m.b[k][0] * p[0] + m.b[k][1] * p[1] + m.b[k][2] * p[2];
        CHECK_NEAR(v[k] - before[k], gained, 1e-9 * (1 + speed), "velocity %d: %s", k + 1,
                   batch_text(b, i));
    }
    double loss = batch_out(b, "energy_loss")[i];
    double kept = (double)(inertia_energy(&m, v) / inertia_energy(&m, before));
    CHECK_NEAR(loss, 1 - kept, 1e-9, "loss: %s", batch_text(b, i));
    CHECK(loss >= -1e-11, "gains %.3g: %s", -loss, batch_text(b, i));
    CHECK(batch_out(b, "residual")[i] <= 1e-9, "residual %.3g: %s", batch_out(b, "residual")[i],
          batch_text(b, i));
    CHECK(hypot(p[0], p[1]) <= batch_in(b, "friction")[i] * p[2] * (1 + 1e-9) + 1e-12,
          "outside the cone: %s", batch_text(b, i));
    CHECK_NEAR(batch_out(b, "energetic_restitution")[i], batch_in(b, "restitution")[i], 1e-9,
               "energetic restitution: %s", batch_text(b, i));
}

static void conservation(void) {
    enum { CELLS = 10000 };
    batch b = batch_open("compliant3d", "body=matrix3d", CELLS);
    random_source source = {7503};
    for (size_t i = 0; i < CELLS; i++) {
        draw(&b, i, &source);
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        check_conservation(&b, i);
    }
    batch_close(&b);
}

static void turned_axes(void) {
    enum { CELLS = 3000 };
    static const char *const outputs[] = {"kinematic_restitution", "kinetic_restitution",
                                          "energetic_restitution", "energy_loss",
                                          "velocity_ratio_out",    "duration"};
    batch b = batch_open("compliant3d", "body=matrix3d", CELLS);
    batch turned = batch_open("compliant3d", "body=matrix3d", CELLS);
    random_source source = {7504};
    for (size_t i = 0; i < CELLS; i++) {
        draw(&b, i, &source);
        for (int p = 0; p < imp_input_count(b.solver); p++) {
            turned.in[p][i] = b.in[p][i];
        }
        double angle = random_between(&source, 0.1, 3);
        inertia m = inertia_get(&b, i), other = inertia_turned(&m, angle);
        inertia_set(&turned, i, &other);
        batch_in(&turned, "heading")[i] += angle;
    }
    batch_solve(&b);
    batch_solve(&turned);
    for (size_t i = 0; i < CELLS; i++) {
        for (int o = 0; o < SUITE_COUNT(outputs); o++) {
            double one = batch_out(&b, outputs[o])[i], two = batch_out(&turned, outputs[o])[i];
            CHECK_NEAR(two, one, 2e-8 * (1 + fabs(one)), "%s: %s", outputs[o], batch_text(&b, i));
        }
    }
    batch_close(&b);
    batch_close(&turned);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(planar), SUITE_TEST(planar_pendulum),
                                       SUITE_TEST(conservation), SUITE_TEST(turned_axes)};
    return suite_run("compliant3d", tests, SUITE_COUNT(tests));
}
