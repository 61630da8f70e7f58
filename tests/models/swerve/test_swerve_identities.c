/* Rigid impact in space: identities that hold for any B, however ill-conditioned. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static void final_velocity(const batch *b, size_t i, double *v) {
    double speed = batch_out(b, "velocity_ratio_out")[i];
    double heading = batch_out(b, "heading_out")[i];
    v[0] = isnan(heading) ? 0 : speed * cos(heading);
    v[1] = isnan(heading) ? 0 : speed * sin(heading);
    v[2] = batch_out(b, "kinematic_restitution")[i];
}

static void draw(const batch *b, size_t i, random_source *source, double condition) {
    inertia m = inertia_random(source, condition);
    inertia_set(b, i, &m);
    batch_in(b, "heading")[i] = random_between(source, -pi, pi);
    batch_in(b, "velocity_ratio")[i] = i % 10 == 0 ? 0 : random_log(source, 1e-3, 1e2);
    batch_in(b, "friction")[i] = i % 17 == 0 ? 0 : random_log(source, 1e-2, 5);
    batch_in(b, "restitution")[i] = random_between(source, 0, 1);
}

static void check_momentum(const batch *b, size_t i, const inertia *m, const double *v) {
    double speed = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    const double before[3] = {speed * cos(heading), speed * sin(heading), -1};
    const double p[3] = {batch_out(b, "tangential_impulse")[2 * i],
                         batch_out(b, "tangential_impulse")[2 * i + 1],
                         batch_out(b, "normal_impulse")[i]};
    double size = speed + 1;
    for (int k = 0; k < 3; k++) {
        double gained = m->b[k][0] * p[0] + m->b[k][1] * p[1] + m->b[k][2] * p[2];
        CHECK_NEAR(v[k] - before[k], gained, 1e-9 * size, "velocity %d, %s: %s", k + 1,
                   batch_mode(b, i), batch_text(b, i));
    }
    double friction = batch_in(b, "friction")[i];
    CHECK(hypot(p[0], p[1]) <= friction * p[2] * (1 + 1e-11) + 1e-12, "outside the cone: %s",
          batch_text(b, i));
}

static void check_energy(const batch *b, size_t i, const inertia *m, const double *v,
                         bool passive) {
    double speed = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    const double before[3] = {speed * cos(heading), speed * sin(heading), -1};
    double kept = (double)(inertia_energy(m, v) / inertia_energy(m, before));
    double loss = batch_out(b, "energy_loss")[i];
    CHECK_NEAR(loss, 1 - kept, 1e-8, "loss: %s", batch_text(b, i));
    CHECK(batch_out(b, "residual")[i] <= 1e-8, "residual %.3g: %s", batch_out(b, "residual")[i],
          batch_text(b, i));
    CHECK(!passive || loss >= -1e-10, "gains %.3g: %s", -loss, batch_text(b, i));
}

/* A free body that Poisson's law would leave below the plane is outside; there are few. */
static void check_law(const char *choices, bool passive, double most_outside, uint64_t seed) {
    enum { CELLS = 34000 };
    batch b = batch_open("swerve", choices, CELLS);
    random_source source = {seed};
    for (size_t i = 0; i < CELLS; i++) {
        draw(&b, i, &source, 1e6);
    }
    batch_solve(&b);
    int outside = 0;
    for (size_t i = 0; i < CELLS; i++) {
        inertia m = inertia_get(&b, i);
        double v[3];
        if (b.outcome[i] == IMP_OUTSIDE && most_outside > 0) {
            outside++;
            continue;
        }
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        final_velocity(&b, i, v);
        check_momentum(&b, i, &m, v);
        check_energy(&b, i, &m, v, passive);
    }
    CHECK(outside <= most_outside * CELLS, "%s: %d outside", choices, outside);
    batch_close(&b);
}

static void identities(void) {
    check_law("body=matrix3d law=newton", false, 0, 7001);
    check_law("body=matrix3d law=poisson", true, 0.02, 7002);
    check_law("body=matrix3d law=energetic", true, 0, 7003);
    check_law("body=matrix3d law=compromise", true, 0.02, 7004);
}

/* ---- results do not depend on the axes in the plane ---- */

static double nearest_turn(double angle) {
    return angle - 2 * pi * floor(angle / (2 * pi) + 0.5);
}

static void check_same(const batch *b, const batch *turned, size_t i, double angle) {
    static const char *const outputs[] = {"kinematic_restitution", "kinetic_restitution",
                                          "energetic_restitution", "velocity_ratio_out",
                                          "energy_loss",           "swerve"};
    CHECK_CELL(b, i, b->outcome[i] == turned->outcome[i]);
    CHECK_CELL(b, i, strcmp(batch_mode(b, i), batch_mode(turned, i)) == 0);
    for (int o = 0; o < SUITE_COUNT(outputs); o++) {
        /* Where slip nearly halts in a narrow passage, rounding decides how far it turns. */
        if (strcmp(outputs[o], "swerve") == 0 && strcmp(batch_mode(b, i), "slip_resumed") == 0) {
            continue;
        }
        double one = batch_out(b, outputs[o])[i], two = batch_out(turned, outputs[o])[i];
        CHECK(batch_same(one, two) || suite_near(two, one, 2e-8 * (1 + fabs(one))),
              "%s %.17g instead of %.17g: %s", outputs[o], two, one, batch_text(b, i));
    }
    double one = batch_out(b, "heading_out")[i], two = batch_out(turned, "heading_out")[i];
    double speed = batch_out(b, "velocity_ratio_out")[i];
    CHECK(isnan(one) == isnan(two), "heading: %s", batch_text(b, i));
    CHECK(isnan(one) || fabs(nearest_turn(two - one - angle)) * fmin(speed, 1) <= 2e-8,
          "heading %.17g instead of %.17g + %.17g: %s", two, one, angle, batch_text(b, i));
}

static void turned_axes(void) {
    enum { CELLS = 20000 };
    static const char *const laws[] = {"body=matrix3d law=newton", "body=matrix3d law=poisson",
                                       "body=matrix3d law=energetic"};
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        batch b = batch_open("swerve", laws[l], CELLS);
        batch turned = batch_open("swerve", laws[l], CELLS);
        random_source source = {7100 + (uint64_t)l};
        double *angle =
            batch_in(&turned, "normal_speed"); /* keeps the angle of the turn for a moment */
        for (size_t i = 0; i < CELLS; i++) {
            draw(&b, i, &source, 100);
            for (int p = 0; p < imp_input_count(b.solver); p++) {
                turned.in[p][i] = b.in[p][i];
            }
            angle[i] = random_between(&source, 0.1, 3);
            inertia m = inertia_get(&b, i), other = inertia_turned(&m, angle[i]);
            inertia_set(&turned, i, &other);
            batch_in(&turned, "heading")[i] += angle[i];
        }
        BATCH_SOLVE(&b, &turned);
        for (size_t i = 0; i < CELLS; i++) {
            check_same(&b, &turned, i, angle[i]);
        }
        BATCH_CLOSE(&b, &turned);
    }
}

SUITE("swerve identities", identities, turned_axes)
