/* The law `dashpot` in space: planar motion against the exact planar law, no damping, turned axes,
 * the energy account. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const matrix = "body=matrix3d law=dashpot";

/* ---- planar motion ---- */

static void compare(const batch *flat, const batch *b, size_t i, const char *output,
                    double tolerance) {
    CHECK_NEAR(batch_out(b, output)[i], batch_out(flat, output)[i], tolerance, "%s, %s, %s: %s",
               output, batch_sequence(flat, i), batch_sequence(b, i), batch_text(b, i));
}

/* The sum of the slips of a planar cell. */
static double slip_loss(const batch *flat, size_t i) {
    const double *values = batch_out(flat, "slip_loss");
    double sum = 0;
    for (size_t k = 0; k < 8; k++) {
        sum += isnan(values[i * 8 + k]) ? 0 : values[i * 8 + k];
    }
    return sum;
}

static void check_losses(const batch *flat, const batch *b, size_t i, double tolerance) {
    static const char *const losses[] = {"energy_loss", "normal_loss", "tangential_loss",
                                         "trapped_energy"};
    for (int k = 0; k < SUITE_COUNT(losses); k++) {
        compare(flat, b, i, losses[k], tolerance);
    }
    CHECK_OUTPUT(b, i, "friction_loss", slip_loss(flat, i), tolerance);
}

static void check_planar(const batch *flat, const batch *b, size_t i) {
    CHECK(flat->outcome[i] == b->outcome[i], "%d, planar %d: %s", b->outcome[i], flat->outcome[i],
          batch_text(b, i));
    if (flat->outcome[i] != IMP_SOLVED || b->outcome[i] != IMP_SOLVED) {
        return;
    }
    static const char *const ratios[] = {"kinematic_restitution", "kinetic_restitution",
                                         "energetic_restitution"};
    for (int k = 0; k < SUITE_COUNT(ratios); k++) {
        compare(flat, b, i, ratios[k], 1e-8 * or_one(batch_out(flat, ratios[k])[i]));
    }
    check_losses(flat, b, i, 1e-8);
    double impulse = batch_out(flat, "normal_impulse")[i];
    compare(flat, b, i, "normal_impulse", 1e-8 * impulse);
    compare(flat, b, i, "duration", 1e-7 * batch_out(flat, "duration")[i]);
    compare(flat, b, i, "compression_time", 1e-8 * batch_out(flat, "duration")[i]);
    double v_t = batch_out(flat, "velocity_ratio_out")[i];
    double along = batch_out(b, "velocity_ratio_out")[i] * cos(batch_out(b, "heading_out")[i]);
    CHECK_CELL_NEAR(b, i, along, v_t, 1e-8 * or_one(v_t));
    const double *p = &batch_out(b, "tangential_impulse")[2 * i];
    CHECK_CELL_NEAR(b, i, p[0], batch_out(flat, "tangential_impulse")[i], 1e-8 * impulse);
    CHECK(fabs(p[1]) <= 1e-9 * impulse, "leaves the plane by %.3g: %s", p[1], batch_text(b, i));
}

/* A ratio of damping; now and then none, or one that is far from 1. */
static double draw_ratio(random_source *source, double most) {
    int kind = random_index(source, 8);
    return kind == 0   ? 0
           : kind == 1 ? random_log(source, 1e-6, most)
                       : random_between(source, 0.01, most);
}

/* In space the ratio of the tangential dashpot belongs to the mean of b11 and b22. */
static double in_space(double ratio, double b11, double b22) {
    return ratio * sqrt((b11 + b22) / (2 * b11));
}

static void draw_planar(const batch *flat, const batch *b, size_t i, random_source *source) {
    double b11 = random_log(source, 0.2, 5), b22 = random_log(source, 0.2, 5);
    double b12 = random_between(source, -0.95, 0.95) * sqrt(b11 * b22);
    double across = random_log(source, 0.2, 5);
    double v = i % 17 == 0 ? 0 : random_between(source, -5, 5);
    bool pulled = i % 4 == 0;
    double tangential = draw_ratio(source, 1.5);
    batch_in(flat, "b11")[i] = batch_in(b, "b11")[i] = b11;
    batch_in(flat, "b12")[i] = batch_in(b, "b13")[i] = b12;
    batch_in(flat, "b22")[i] = batch_in(b, "b33")[i] = b22;
    batch_in(b, "b22")[i] = across;
    batch_in(flat, "friction")[i] = batch_in(b, "friction")[i] =
        i % 20 == 0 ? 0 : random_between(source, 0, 1.5);
    batch_in(flat, "stiffness_ratio")[i] = batch_in(b, "stiffness_ratio")[i] =
        random_log(source, 0.3, 3);
    batch_in(flat, "velocity_ratio")[i] = v;
    batch_in(b, "velocity_ratio")[i] = fabs(v);
    batch_in(b, "heading")[i] = v < 0 ? pi : 0;
    batch_in(flat, "contact_end")[i] = batch_in(b, "contact_end")[i] = pulled;
    batch_in(flat, "normal_damping_ratio")[i] = batch_in(b, "normal_damping_ratio")[i] =
        draw_ratio(source, pulled ? 0.6 : 2);
    batch_in(flat, "tangential_damping_ratio")[i] = tangential;
    batch_in(b, "tangential_damping_ratio")[i] = in_space(tangential, b11, across);
}

static void planar(void) {
    enum { CELLS = 3000 };
    batch flat = batch_open("compliant", "body=matrix law=dashpot", CELLS);
    batch b = batch_open("compliant3d", matrix, CELLS);
    random_source source = {7701};
    BATCH_SET(&b, {"b12", 0}, {"b23", 0});
    for (size_t i = 0; i < CELLS; i++) {
        draw_planar(&flat, &b, i, &source);
    }
    BATCH_SOLVE(&flat, &b);
    for (size_t i = 0; i < CELLS; i++) {
        check_planar(&flat, &b, i);
    }
    BATCH_CLOSE(&flat, &b);
}

/* A pendulum without velocity across its plane: it wedges in the same cells, and rings down. */
static void planar_pendulum(void) {
    enum { CELLS = 600 };
    batch flat = batch_open("compliant", "body=pendulum law=dashpot", CELLS);
    batch b = batch_open("compliant3d", "body=pendulum3d law=dashpot", CELLS);
    random_source source = {7702};
    BATCH_SET(&b, {"swerve_ratio", 0}, {"azimuth", 0});
    for (size_t i = 0; i < CELLS; i++) {
        double angle = random_between(&source, 0.02, 1.5), tangential = draw_ratio(&source, 1);
        batch_in(&flat, "angle")[i] = batch_in(&b, "angle")[i] = angle;
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] =
            random_between(&source, 0, 1.5);
        batch_in(&flat, "normal_damping_ratio")[i] = batch_in(&b, "normal_damping_ratio")[i] =
            draw_ratio(&source, 1);
        batch_in(&flat, "tangential_damping_ratio")[i] = tangential;
        double b11 = cos(angle) * cos(angle); /* across its plane a pendulum moves freely: 1 */
        batch_in(&b, "tangential_damping_ratio")[i] = in_space(tangential, b11, 1);
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
        check_losses(&flat, &b, i, 1e-8);
        if (!wedge) {
            compare(&flat, &b, i, "kinematic_restitution", 1e-8);
        }
    }
    CHECK(wedges > 40, "only %d cells wedge", wedges);
    BATCH_CLOSE(&flat, &b);
}

/* Friction that presses the body down lets the normal dashpot act many times faster than it does
 * alone. */
static void driven_by_friction(void) {
    enum { CELLS = 600 };
    batch flat = batch_open("compliant", "body=matrix law=dashpot", CELLS);
    batch b = batch_open("compliant3d", matrix, CELLS);
    random_source source = {7704};
    batch_set(&b, "b12", 0);
    batch_set(&b, "b23", 0);
    for (size_t i = 0; i < CELLS; i++) {
        draw_planar(&flat, &b, i, &source);
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] =
            random_between(&source, 5, 15);
        batch_in(&flat, "normal_damping_ratio")[i] = batch_in(&b, "normal_damping_ratio")[i] =
            random_between(&source, 0.3, 0.9);
        batch_in(&b, "velocity_ratio")[i] = random_log(&source, 30, 1e4);
        batch_in(&flat, "velocity_ratio")[i] =
            batch_in(&b, "velocity_ratio")[i] * (batch_in(&b, "heading")[i] > 0 ? -1 : 1);
    }
    batch_set(&flat, "contact_end", 1);
    batch_set(&b, "contact_end", 1);
    batch_set(&flat, "tangential_damping_ratio", 0);
    batch_set(&b, "tangential_damping_ratio", 0);
    batch_solve(&flat);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(flat.outcome[i] == b.outcome[i], "%d: %s", b.outcome[i], batch_text(&b, i));
        if (flat.outcome[i] == IMP_SOLVED) {
            double e = batch_out(&flat, "kinematic_restitution")[i];
            compare(&flat, &b, i, "kinematic_restitution", 1e-9 * or_one(e));
        }
    }
    BATCH_CLOSE(&flat, &b);
}

/* Behind a strong tangential dashpot a pendulum creeps to its rest in the time in which the dashpot
 * relaxes, thousands of times longer than a step. That it cannot slip again is known long before:
 * one of ten of these cells spent its budget. */
static void creeping_pendulums(void) {
    enum { CELLS = 150 };
    batch b = batch_open("compliant3d", "body=pendulum3d law=dashpot", CELLS);
    random_source source = {7708};
    int wedges = 0;
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, 0.05, 0.3);
        batch_in(&b, "azimuth")[i] = random_between(&source, -1, 1);
        batch_in(&b, "swerve_ratio")[i] = random_between(&source, -1, 1);
        batch_in(&b, "friction")[i] = random_log(&source, 0.05, 2);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "normal_damping_ratio")[i] = random_log(&source, 0.1, 2);
        batch_in(&b, "tangential_damping_ratio")[i] = random_log(&source, 20, 60);
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        wedges += batch_has_mode(&b, i, "wedge");
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-8);
    }
    CHECK(wedges > CELLS / 20, "only %d cells wedge", wedges);
    batch_close(&b);
}

/* Slip begins exactly as compression ends, at times before it or after it by rounding. */
static void slip_begins_with_turn(void) {
    enum { CELLS = 2000 };
    batch flat = batch_open("compliant", "body=pendulum law=dashpot", CELLS);
    batch b = batch_open("compliant3d", "body=pendulum3d law=dashpot", CELLS);
    random_source source = {7703};
    BATCH_SET(&b, {"swerve_ratio", 0}, {"azimuth", 0}, {"tangential_damping_ratio", 0});
    batch_set(&flat, "tangential_damping_ratio", 0);
    for (size_t i = 0; i < CELLS; i++) {
        bool round = i % 2 == 0;
        double angle = round ? pi / 4 : random_between(&source, 0.1, 1.5);
        double ratio = round ? 1 : random_between(&source, 0.1, 5);
        batch_in(&flat, "angle")[i] = batch_in(&b, "angle")[i] = angle;
        batch_in(&flat, "stiffness_ratio")[i] = batch_in(&b, "stiffness_ratio")[i] = ratio;
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] =
            round ? 1 : 1 / (ratio * tan(angle));
        batch_in(&flat, "normal_damping_ratio")[i] = batch_in(&b, "normal_damping_ratio")[i] =
            random_between(&source, 0.05, 2);
    }
    BATCH_SOLVE(&flat, &b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "%d: %s", b.outcome[i], batch_text(&b, i));
        if (!batch_has_mode(&flat, i, "wedge")) {
            double duration = batch_out(&flat, "duration")[i];
            compare(&flat, &b, i, "kinetic_restitution", 1e-8);
            compare(&flat, &b, i, "energetic_restitution", 1e-8);
            compare(&flat, &b, i, "compression_time", 1e-8 * duration);
        }
    }
    BATCH_CLOSE(&flat, &b);
}

/* Where friction is large enough to help the elongation back, slip goes on all the same in a
 * direction in which friction does not help. */
static void slips_for_ever(void) {
    enum { CELLS = 60 };
    batch flat = batch_open("compliant", "body=matrix law=dashpot", CELLS);
    batch b = batch_open("compliant3d", matrix, CELLS);
    random_source source = {7707};
    batch_set(&b, "b12", 0);
    batch_set(&b, "b23", 0);
    int outside = 0;
    for (size_t i = 0; i < CELLS; i++) {
        draw_planar(&flat, &b, i, &source);
        double coupling = fabs(batch_in(&b, "b13")[i]) / batch_in(&b, "b33")[i];
        batch_in(&flat, "normal_damping_ratio")[i] = batch_in(&b, "normal_damping_ratio")[i] =
            random_log(&source, 35, 100);
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] =
            fmin(random_between(&source, 1, 4) / coupling, 10);
    }
    batch_set(&flat, "contact_end", 1);
    batch_set(&b, "contact_end", 1);
    batch_set(&flat, "tangential_damping_ratio", 0);
    batch_set(&b, "tangential_damping_ratio", 0);
    batch_solve(&flat);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        outside += b.outcome[i] == IMP_OUTSIDE;
        CHECK(b.outcome[i] == flat.outcome[i], "%d: %s", b.outcome[i], batch_text(&b, i));
    }
    CHECK(outside > CELLS / 4, "%d", outside);
    BATCH_CLOSE(&flat, &b);
}

/* Weak tangential dashpots on soft springs: results change a thousand times more than the ratio. */
static void weak_along_plane(void) {
    enum { CELLS = 300 };
    batch flat = batch_open("compliant", "body=sphere law=dashpot", CELLS);
    batch b = batch_open("compliant3d", "body=sphere3d law=dashpot", CELLS);
    random_source source = {7706};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] =
            random_between(&source, 1, 7);
        batch_in(&flat, "normal_damping_ratio")[i] = batch_in(&b, "normal_damping_ratio")[i] =
            random_between(&source, 0, 0.6);
        batch_in(&flat, "tangential_damping_ratio")[i] =
            batch_in(&b, "tangential_damping_ratio")[i] = random_log(&source, 1e-10, 1e-7);
    }
    for (int side = 0; side < 2; side++) {
        const batch *of = side ? &b : &flat;
        batch_set(of, "stiffness_ratio", 1000);
        batch_set(of, "velocity_ratio", 2);
        batch_set(of, "contact_end", 1);
    }
    batch_set(&b, "heading", 0);
    batch_solve(&flat);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        check_planar(&flat, &b, i);
    }
    BATCH_CLOSE(&flat, &b);
}

/* A strong dashpot under which the elongation never returns to 0, as long as friction cannot help
 * it there; without coupling whatever the friction. */
static void never_released(void) {
    enum { CELLS = 300 };
    batch flat = batch_open("compliant", "body=matrix law=dashpot", CELLS);
    batch b = batch_open("compliant3d", matrix, CELLS);
    random_source source = {7705};
    batch_set(&b, "b12", 0);
    batch_set(&b, "b23", 0);
    for (size_t i = 0; i < CELLS; i++) {
        draw_planar(&flat, &b, i, &source);
        double ratio = random_log(&source, 1.01, 100);
        double coupling = i % 3 ? batch_in(&b, "b13")[i] / batch_in(&b, "b33")[i] : 0;
        double most = (1 - 1 / (ratio * ratio)) / fmax(fabs(coupling), 1e-2);
        batch_in(&flat, "b12")[i] = batch_in(&b, "b13")[i] = coupling * batch_in(&b, "b33")[i];
        batch_in(&flat, "normal_damping_ratio")[i] = batch_in(&b, "normal_damping_ratio")[i] =
            ratio;
        batch_in(&flat, "friction")[i] = batch_in(&b, "friction")[i] =
            random_between(&source, 0.01, 0.99) * most;
    }
    batch_set(&flat, "contact_end", 1);
    batch_set(&b, "contact_end", 1);
    batch_solve(&flat);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(flat.outcome[i] == IMP_OUTSIDE, "%d: %s", flat.outcome[i], batch_text(&flat, i));
        CHECK(b.outcome[i] == IMP_OUTSIDE, "%d: %s", b.outcome[i], batch_text(&b, i));
    }
    BATCH_CLOSE(&flat, &b);
}

/* ---- without damping ---- */

static void draw(const batch *b, size_t i, random_source *source) {
    inertia m = inertia_random(source, 100);
    inertia_set(b, i, &m);
    batch_in(b, "heading")[i] = random_between(source, -pi, pi);
    batch_in(b, "velocity_ratio")[i] = random_between(source, 0, 3);
    batch_in(b, "friction")[i] = random_between(source, 0, 1.5);
    batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.3, 3);
    batch_in(b, "normal_stiffness")[i] = random_log(source, 0.1, 10);
    batch_in(b, "normal_speed")[i] = random_log(source, 0.1, 10);
}

/* Every output has the bits of the law `linear`. */
static void no_damping(void) {
    enum { CELLS = 500 };
    batch b = batch_open("compliant3d", matrix, CELLS);
    batch linear = batch_open("compliant3d", "body=matrix3d law=linear", CELLS);
    random_source source = {7703}, again = {7703};
    batch_set(&linear, "restitution", 1);
    for (size_t i = 0; i < CELLS; i++) {
        draw(&b, i, &source);
        draw(&linear, i, &again);
        batch_in(&b, "contact_end")[i] = (double)(i % 2);
    }
    BATCH_SET(&b, {"normal_damping_ratio", 0}, {"tangential_damping_ratio", 0});
    BATCH_SOLVE(&b, &linear);
    for (int o = 0; o < b.theory->n_outputs; o++) {
        const char *name = b.theory->outputs[o].name;
        bool own = strstr(name, "_loss") != NULL || strcmp(name, "trapped_energy") == 0;
        own = own && strcmp(name, "energy_loss") != 0;
        for (size_t v = 0; !own && v < CELLS * batch_length(&b, o); v++) {
            CHECK(batch_same(b.out[o][v], linear.out[o][v]), "%s: %.17g, linear %.17g: %s", name,
                  b.out[o][v], linear.out[o][v], batch_text(&b, v / batch_length(&b, o)));
        }
    }
    BATCH_CLOSE(&b, &linear);
}

/* ---- the account, of ratios of every size ---- */

static void check_account(const batch *b, size_t i) {
    double friction = batch_out(b, "friction_loss")[i], normal = batch_out(b, "normal_loss")[i];
    double tangential = batch_out(b, "tangential_loss")[i];
    double trapped = batch_out(b, "trapped_energy")[i];
    bool wedges = batch_has_mode(b, i, "wedge");
    CHECK_OUTPUT(b, i, "residual", 0, 1e-8);
    CHECK_OUTPUT(b, i, "energy_loss", friction + normal + tangential + (wedges ? 0 : trapped),
                 1e-13);
    CHECK(friction > -1e-9 && normal > -1e-14 && tangential > -1e-14 && trapped >= 0,
          "%g %g %g %g: %s", friction, normal, tangential, trapped, batch_text(b, i));
    CHECK_CELL(b, i, wedges || batch_out(b, "kinematic_restitution")[i] >= -1e-12);
}

static void energy(const char *body, size_t n, uint64_t seed) {
    char choices[64] = "law=dashpot body=";
    batch b = batch_open("compliant3d", strcat(choices, body), n);
    random_source source = {seed};
    for (size_t i = 0; i < n; i++) {
        for (int p = 0; p < imp_input_count(b.solver); p++) {
            b.in[p][i] = batch_draw(imp_input_at(b.solver, p), &source);
        }
        bool pulled = i % 4 == 0;
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "contact_end")[i] = pulled;
        batch_in(&b, "normal_damping_ratio")[i] = draw_ratio(&source, pulled ? 0.6 : 100);
        batch_in(&b, "tangential_damping_ratio")[i] = draw_ratio(&source, 30);
    }
    batch_solve(&b);
    size_t outside = 0;
    for (size_t i = 0; i < n; i++) {
        outside += b.outcome[i] == IMP_OUTSIDE;
        CHECK(b.outcome[i] == IMP_SOLVED || b.outcome[i] == IMP_OUTSIDE, "%d: %s", b.outcome[i],
              batch_text(&b, i));
        if (b.outcome[i] == IMP_SOLVED) {
            check_account(&b, i);
        }
    }
    bool bounded = strcmp(body, "matrix3d") == 0 || strcmp(body, "inertia3d") == 0;
    CHECK(outside < (bounded ? 4 : 1) * n / 5, "%s: %zu of %zu outside", body, outside, n);
    batch_close(&b);
}

static void accounts(void) {
    static const char *const bodies[] = {"sphere3d",   "rod3d",    "ellipsoid3d",
                                         "pendulum3d", "matrix3d", "inertia3d"};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        energy(bodies[k], 400, 7710 + (uint64_t)k);
    }
}

SUITE("compliant3d, dashpot", planar, planar_pendulum, driven_by_friction, slip_begins_with_turn,
      creeping_pendulums, never_released, slips_for_ever, weak_along_plane, no_damping, accounts)
