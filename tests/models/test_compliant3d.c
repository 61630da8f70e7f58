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

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(planar)};
    return suite_run("compliant3d", tests, SUITE_COUNT(tests));
}
