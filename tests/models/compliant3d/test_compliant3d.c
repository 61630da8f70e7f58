/* Three springs in space: planar motion against the exact planar theory, conservation, turned
 * axes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- planar motion ---- */

static void compare(const batch *flat, const batch *b, size_t i, const char *output, double scale) {
    CHECK_NEAR(batch_out(b, output)[i], batch_out(flat, output)[i], 1e-8 * scale, "%s, %s: %s",
               output, batch_mode(flat, i), batch_text(b, i));
}

static void check_planar(const batch *flat, const batch *b, size_t i) {
    CHECK_CELL(b, i, flat->outcome[i] == IMP_SOLVED && b->outcome[i] == IMP_SOLVED);
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
    CHECK_CELL_NEAR(b, i, along, v_t, 1e-8 * (1 + fabs(v_t)));
    const double *p = &batch_out(b, "tangential_impulse")[2 * i];
    CHECK_CELL_NEAR(b, i, p[0], batch_out(flat, "tangential_impulse")[i], 1e-8 * impulse);
    CHECK(fabs(p[1]) <= 1e-9 * impulse, "leaves the plane by %.3g: %s", p[1], batch_text(b, i));
}

static void planar(void) {
    enum { CELLS = 2000 };
    batch flat = batch_open("compliant", "body=matrix law=linear", CELLS);
    batch b = batch_open("compliant3d", "body=matrix3d", CELLS);
    random_source source = {7501};
    BATCH_SET(&b, {"b12", 0}, {"b23", 0}, {"restitution", 1});
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
    BATCH_SOLVE(&flat, &b);
    for (size_t i = 0; i < CELLS; i++) {
        check_planar(&flat, &b, i);
    }
    BATCH_CLOSE(&flat, &b);
}

/* A pendulum without velocity across its plane; also where it wedges. */
static void planar_pendulum(void) {
    enum { CELLS = 1000 };
    batch flat = batch_open("compliant", "body=pendulum law=linear", CELLS);
    batch b = batch_open("compliant3d", "body=pendulum3d", CELLS);
    random_source source = {7502};
    BATCH_SET(&b, {"swerve_ratio", 0}, {"azimuth", 0}, {"restitution", 1});
    for (size_t i = 0; i < CELLS; i++) {
        double angle = random_between(&source, 0.02, 1.5);
        double friction = random_between(&source, 0, 1.5);
        batch_in(&flat, "angle")[i] = batch_in(&b, "angle")[i] = angle;
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] = friction;
    }
    batch_set(&flat, "stiffness_ratio", 1.21);
    batch_set(&b, "stiffness_ratio", 1.21);
    BATCH_SOLVE(&flat, &b);
    int wedges = 0;
    for (size_t i = 0; i < CELLS; i++) {
        bool wedge = batch_has_mode(&flat, i, "wedge");
        wedges += wedge;
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK(batch_has_mode(&b, i, "wedge") == wedge, "%s instead of %s: %s", batch_mode(&b, i),
              batch_mode(&flat, i), batch_text(&b, i));
        compare(&flat, &b, i, "energy_loss", 1);
        if (!wedge) {
            /* Near the critical angle the restitution grows as the root of the distance. */
            double e = batch_out(&flat, "kinematic_restitution")[i];
            double found = batch_out(&b, "kinematic_restitution")[i];
            CHECK_CELL_NEAR(&b, i, found * found, e * e, 1e-8);
        }
    }
    CHECK(wedges > 50, "only %d cells wedge", wedges);
    BATCH_CLOSE(&flat, &b);
}

/* Unloading along a steep line is over in a time that is short against that of loading. */
static void short_rebound(void) {
    enum { CELLS = 1000 };
    batch flat = batch_open("compliant", "body=pendulum law=linear", CELLS);
    batch b = batch_open("compliant3d", "body=pendulum3d", CELLS);
    random_source source = {7508};
    batch_set(&b, "swerve_ratio", 0);
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&flat, "angle")[i] = batch_in(&b, "angle")[i] = random_between(&source, 0.3, 1.57);
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] = random_log(&source, 0.1, 10);
        batch_in(&flat, "stiffness_ratio")[i] = batch_in(&b, "stiffness_ratio")[i] =
            random_log(&source, 0.1, 10);
        batch_in(&flat, "restitution")[i] = batch_in(&b, "restitution")[i] =
            random_log(&source, 2e-5, 1e-2);
    }
    batch_solve(&flat);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        double e = batch_out(&flat, "kinematic_restitution")[i];
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        CHECK(!batch_has_mode(&flat, i, "wedge"), "%s", batch_text(&flat, i));
        CHECK(!batch_has_mode(&b, i, "wedge"), "%s", batch_text(&b, i));
        CHECK_OUTPUT(&b, i, "kinematic_restitution", e, 1e-9 * e);
        compare(&flat, &b, i, "energy_loss", 1);
    }
    BATCH_CLOSE(&flat, &b);
}

/* Where nothing couples the normal to the plane and nothing slides, the tangential springs stay
 * slack. */
static void straight(void) {
    enum { CELLS = 2000 };
    batch b = batch_open("compliant3d", "body=sphere3d", CELLS);
    random_source source = {7503};
    batch_set(&b, "velocity_ratio", 0);
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "friction")[i] = random_log(&source, 1e-3, 1e5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "restitution")[i] = i % 3 ? random_between(&source, 0.05, 1) : 1;
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        double e = batch_in(&b, "restitution")[i];
        CHECK(b.outcome[i] == IMP_SOLVED && batch_has_mode(&b, i, "gross_stick"), "%s: %s",
              batch_mode(&b, i), batch_text(&b, i));
        CHECK_OUTPUT(&b, i, "kinematic_restitution", e, 1e-12);
        CHECK_CELL(&b, i, batch_out(&b, "velocity_ratio_out")[i] == 0);
    }
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
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
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
    BATCH_SOLVE(&b, &turned);
    for (size_t i = 0; i < CELLS; i++) {
        for (int o = 0; o < SUITE_COUNT(outputs); o++) {
            double one = batch_out(&b, outputs[o])[i], two = batch_out(&turned, outputs[o])[i];
            CHECK_NEAR(two, one, 2e-8 * (1 + fabs(one)), "%s: %s", outputs[o], batch_text(&b, i));
        }
    }
    BATCH_CLOSE(&b, &turned);
}

/* ---- slivers beside the boundaries of modes ---- */

enum { SWEEP = 49 };

static int phases_of(double sequence) {
    int n = 0;
    for (uint64_t s = (uint64_t)sequence; s; s >>= 2) {
        n++;
    }
    return n;
}

static int last_phase(double sequence) {
    return (int)((uint64_t)sequence >> (2 * (phases_of(sequence) - 1)) & 3);
}

/* Narrows a bracket of the friction at which the first sequence ends, to neighbouring doubles. */
static void close_in(const batch *b, double sequence, double *low, double *high) {
    double *friction = batch_in(b, "friction");
    for (int round = 0; round < 10 && *high - *low > 3e-16 * *high; round++) {
        for (int i = 0; i < SWEEP; i++) {
            friction[i] = *low + (*high - *low) * i / (SWEEP - 1);
        }
        batch_solve(b);
        int at = 0;
        while (at + 2 < SWEEP && batch_out(b, "sequence")[at + 1] == sequence) {
            at++;
        }
        *low = friction[at];
        *high = friction[at + 1];
    }
}

/* Cells at distances of 5e-16 to 1e-7 of a boundary on both sides are solved, end in slip, and have
 * no more phases than those farthest away. Returns whether the number of phases holds. */
static bool check_boundary(const batch *b, double boundary) {
    double *friction = batch_in(b, "friction");
    const double *sequence = batch_out(b, "sequence");
    for (int i = 0; i < SWEEP; i++) {
        int n = i - SWEEP / 2;
        friction[i] = boundary * (n == 0 ? 1 : 1 + copysign(pow(10, 0.35 * abs(n) - 15.65), n));
    }
    batch_solve(b);
    int most = (int)fmax(phases_of(sequence[0]), phases_of(sequence[SWEEP - 1]));
    bool plain = true;
    for (size_t i = 0; i < SWEEP; i++) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
        CHECK(last_phase(sequence[i]) != 1, "%s: %s", batch_sequence(b, i), batch_text(b, i));
        plain = plain && phases_of(sequence[i]) <= most;
    }
    return plain;
}

/* kind 0: a sphere, 1: motion in a plane, 2: any body. */
static inertia body_of_kind(int kind, random_source *source) {
    inertia m = inertia_random(source, 20);
    if (kind == 0) {
        return (inertia){{{3.5, 0, 0}, {0, 3.5, 0}, {0, 0, 1}}};
    }
    if (kind == 1) {
        m.b[0][1] = m.b[1][0] = m.b[1][2] = m.b[2][1] = 0;
    }
    return m;
}

static void slivers(void) {
    enum { BODIES = 45 };
    batch b = batch_open("compliant3d", "body=matrix3d", SWEEP);
    random_source source = {7505};
    int boundaries = 0, crowded = 0;
    for (int k = 0; k < BODIES; k++) {
        inertia m = body_of_kind(k % 3, &source);
        double sequence[SWEEP], friction[SWEEP];
        batch_set(&b, "heading", k % 3 == 1 ? 0 : random_between(&source, -pi, pi));
        batch_set(&b, "velocity_ratio", random_log(&source, 0.02, 3));
        batch_set(&b, "stiffness_ratio", random_log(&source, 0.3, 3));
        batch_set(&b, "restitution", k % 2 ? 1 : random_between(&source, 0.3, 1));
        for (size_t i = 0; i < SWEEP; i++) {
            inertia_set(&b, i, &m);
            friction[i] = batch_in(&b, "friction")[i] = 0.01 * pow(300, (double)i / (SWEEP - 1));
        }
        batch_solve(&b);
        memcpy(sequence, batch_out(&b, "sequence"), sizeof sequence);
        for (int i = 0; i + 1 < SWEEP; i++) {
            if (sequence[i] != sequence[i + 1]) {
                double low = friction[i], high = friction[i + 1];
                close_in(&b, sequence[i], &low, &high);
                boundaries++;
                crowded += !check_boundary(&b, high);
            }
        }
    }
    /* Where the contact leaves stick for an instant only, two boundaries can be as near. */
    CHECK(boundaries > BODIES && crowded <= boundaries / 50, "%d of %d boundaries are crowded",
          crowded, boundaries);
    batch_close(&b);
}

/* ---- the ends of the ranges ---- */

typedef struct range {
    const char *parameter;
    double low, high;
} range;

/* All cells are solved up to the limits that the tables state, and are `outside` beyond. */
static void extremes(void) {
    enum { CELLS = 600 };
    static const range inside[] = {{"friction", 1e-5, 1e-2},        {"friction", 1e2, 1e5},
                                   {"friction", 1e5, 3e8},          {"velocity_ratio", 1e-12, 1e-3},
                                   {"velocity_ratio", 1e3, 0.9e12}, {"restitution", 1e-4, 1e-2},
                                   {"stiffness_ratio", 1e-4, 0.1},  {"stiffness_ratio", 10, 1e4}};
    static const range beyond[] = {{"friction", 1e10, 1e15},
                                   {"friction", 1e-15, 3e-10},
                                   {"velocity_ratio", 1.1e12, 1e15},
                                   {"restitution", 1e-10, 1e-5},
                                   {"stiffness_ratio", 1e9, 1e12}};
    batch b = batch_open("compliant3d", "body=matrix3d", CELLS);
    for (int r = 0; r < SUITE_COUNT(inside) + SUITE_COUNT(beyond); r++) {
        bool is_inside = r < SUITE_COUNT(inside);
        range x = is_inside ? inside[r] : beyond[r - SUITE_COUNT(inside)];
        random_source source = {7506 + (uint64_t)r};
        for (size_t i = 0; i < CELLS; i++) {
            inertia m = inertia_random(&source, 20);
            inertia_set(&b, i, &m);
            batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
            batch_in(&b, "velocity_ratio")[i] = random_log(&source, 1e-2, 10);
            batch_in(&b, "friction")[i] = random_log(&source, 0.05, 1.5);
            batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.3, 3);
            batch_in(&b, "restitution")[i] = random_between(&source, 0.2, 1);
            batch_in(&b, x.parameter)[i] = random_log(&source, x.low, x.high);
        }
        batch_solve(&b);
        for (size_t i = 0; i < CELLS; i++) {
            CHECK_CELL(&b, i, b.outcome[i] == (is_inside ? IMP_SOLVED : IMP_OUTSIDE));
            CHECK(!is_inside || batch_out(&b, "residual")[i] < 1e-9, "residual %.2g: %s",
                  batch_out(&b, "residual")[i], batch_text(&b, i));
        }
    }
    batch_close(&b);
}

SUITE("compliant3d", planar, planar_pendulum, short_rebound, straight, conservation, turned_axes,
      slivers, extremes)
