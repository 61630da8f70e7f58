/* Two plane bodies that strike each other: the lamina as the limit, the bodies in exchange, and the
 * motion of both from the impulses, against what the theory says of the contact. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const theories[][2] = {
    {"rigid", "law=energetic"}, {"rigid", "law=newton"}, {"compliant", "law=linear"},
    {"compliant", "law=hertz"}, {"continuum", ""},
};

static batch opened(int theory, const char *body, size_t n) {
    char choices[64];
    snprintf(choices, sizeof choices, "body=%s %s", body, theories[theory][1]);
    return batch_open(theories[theory][0], choices, n);
}

static const char *const shape[] = {"gyration_radius", "offset_t", "offset_n"};

static void draw(const batch *b) {
    random_source source = {621};
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "mass")[i] = random_log(&source, 0.2, 5);
        batch_in(b, "mass_2")[i] = random_log(&source, 0.2, 5);
        batch_in(b, "gyration_radius")[i] = random_log(&source, 0.3, 2);
        batch_in(b, "gyration_radius_2")[i] = random_log(&source, 0.3, 2);
        batch_in(b, "offset_t")[i] = random_between(&source, -1, 1);
        batch_in(b, "offset_n")[i] = random_between(&source, -1.5, 0.2);
        batch_in(b, "offset_t_2")[i] = random_between(&source, -1, 1);
        batch_in(b, "offset_n_2")[i] = random_between(&source, -0.2, 1.5);
        batch_in(b, "velocity_ratio")[i] = random_between(&source, -2, 2);
        batch_in(b, "friction")[i] = random_between(&source, 0, 1);
        batch_in(b, "normal_speed")[i] = random_log(&source, 0.5, 2);
        batch_in(b, "initial_spin")[i] = random_between(&source, -3, 3);
        batch_in(b, "initial_spin_2")[i] = random_between(&source, -3, 3);
    }
}

/* A second body that is heavy beyond rounding is a plane, and the first one a lamina, bit for
 * bit. */
static void one_lamina(void) {
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        batch both = opened(t, "two_laminae", 60), one = opened(t, "lamina", both.n);
        draw(&both);
        batch_set(&both, "mass_2", 1e40);
        for (int p = 0; p < imp_input_count(one.solver); p++) {
            const char *name = imp_input_at(one.solver, p)->name;
            memcpy(one.in[p], batch_in(&both, name), one.n * sizeof *one.in[p]);
        }
        BATCH_SOLVE(&both, &one);
        for (int o = 0; o < one.theory->n_outputs; o++) {
            const char *name = one.theory->outputs[o].name;
            bool shared = !strstr(name, "body_") && !strstr(name, "angular_velocity_2");
            for (size_t i = 0; shared && i < one.n * batch_length(&one, o); i++) {
                CHECK(batch_same(both.out[o][i], one.out[o][i]), "%s of %s: %.17g, not %.17g", name,
                      batch_text(&one, i / batch_length(&one, o)), both.out[o][i], one.out[o][i]);
            }
        }
        BATCH_CLOSE(&both, &one);
    }
}

/* Seen from the second body, which is then above: the axes are turned by half a turn. */
static void exchanged(void) {
    static const char *const same[] = {
        "mode",           "kinematic_restitution", "velocity_ratio_out",
        "normal_impulse", "tangential_impulse",    "energy_loss"};
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        batch b = opened(t, "two_laminae", 60), other = opened(t, "two_laminae", b.n);
        draw(&b);
        draw(&other);
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&other, "mass")[i] = batch_in(&b, "mass_2")[i];
            batch_in(&other, "mass_2")[i] = batch_in(&b, "mass")[i];
            for (int k = 0; k < SUITE_COUNT(shape); k++) {
                char second[32];
                double sense = k == 0 ? 1 : -1;
                snprintf(second, sizeof second, "%s_2", shape[k]);
                batch_in(&other, shape[k])[i] = sense * batch_in(&b, second)[i];
                batch_in(&other, second)[i] = sense * batch_in(&b, shape[k])[i];
            }
        }
        BATCH_SOLVE(&b, &other);
        for (size_t i = 0; i < b.n; i++) {
            for (int k = 0; k < SUITE_COUNT(same); k++) {
                double expected = batch_out(&b, same[k])[i];
                CHECK_NEAR(batch_out(&other, same[k])[i], expected, 1e-8 * fmax(1, fabs(expected)),
                           "%s of %s", same[k], batch_text(&b, i));
            }
        }
        BATCH_CLOSE(&b, &other);
    }
}

/* A body by itself: its mass centre, its turn, and its contact point relative to the mass
 * centre. */
typedef struct body {
    double mass, inertia, v_t, v_n, spin, t, n;
} body;

static double point_t(const body *b) {
    return b->v_t - b->spin * b->n;
}

static double point_n(const body *b) {
    return b->v_n + b->spin * b->t;
}

static double energy(const body *b) {
    return (b->mass * (b->v_t * b->v_t + b->v_n * b->v_n) + b->inertia * b->spin * b->spin) / 2;
}

/* Takes an impulse at its contact point. */
static body struck(const body *b, double p_t, double p_n) {
    body after = *b;
    after.v_t += p_t / b->mass;
    after.v_n += p_n / b->mass;
    after.spin += (b->t * p_n - b->n * p_t) / b->inertia;
    return after;
}

static body body_of(const batch *b, size_t i, const char *suffix) {
    char name[4][32];
    for (int k = 0; k < 3; k++) {
        snprintf(name[k], sizeof name[k], "%s%s", shape[k], suffix);
    }
    snprintf(name[3], sizeof name[3], "mass%s", suffix);
    double mass = batch_in(b, name[3])[i], radius = batch_in(b, name[0])[i];
    snprintf(name[3], sizeof name[3], "initial_spin%s", suffix);
    return (body){.mass = mass,
                  .inertia = mass * radius * radius,
                  .t = batch_in(b, name[1])[i],
                  .n = batch_in(b, name[2])[i],
                  .spin = batch_in(b, name[3])[i]};
}

/* Both bodies in a frame in which the second mass centre has any velocity: from it and the velocity
 * of the first contact point relative to the second that of the first mass centre. */
static void check_motion(const batch *b, size_t i) {
    double speed = batch_in(b, "normal_speed")[i], size = 1e-11 * (1 + speed);
    double p_t = batch_out(b, "tangential_impulse")[i], p_n = batch_out(b, "normal_impulse")[i];
    body one = body_of(b, i, ""), two = body_of(b, i, "_2");
    two.v_t = 0.7;
    two.v_n = -0.4;
    one.v_t = point_t(&two) + batch_in(b, "velocity_ratio")[i] * speed + one.spin * one.n;
    one.v_n = point_n(&two) - speed - one.spin * one.t;
    body one_after = struck(&one, p_t, p_n), two_after = struck(&two, -p_t, -p_n);
    CHECK_NEAR(point_n(&one_after) - point_n(&two_after),
               batch_out(b, "kinematic_restitution")[i] * speed, size, "normal velocity: %s",
               batch_text(b, i));
    CHECK_NEAR(point_t(&one_after) - point_t(&two_after),
               batch_out(b, "velocity_ratio_out")[i] * speed, size, "tangential velocity: %s",
               batch_text(b, i));
    CHECK_OUTPUT(b, i, "angular_velocity", one_after.spin, 10 * size);
    CHECK_OUTPUT(b, i, "angular_velocity_2", two_after.spin, 10 * size);
    double lost = energy(&one) + energy(&two) - energy(&one_after) - energy(&two_after);
    double c11 = batch_out(b, "inverse_mass_tt")[i], c12 = batch_out(b, "inverse_mass_tn")[i];
    double c22 = batch_out(b, "inverse_mass_nn")[i], v_t = batch_in(b, "velocity_ratio")[i] * speed;
    double most = (c22 * v_t * v_t + 2 * c12 * v_t * speed + c11 * speed * speed) /
                  (2 * (c11 * c22 - c12 * c12));
    CHECK_NEAR(lost / most, batch_out(b, "energy_loss")[i], 1e-9, "energy: %s", batch_text(b, i));
}

static void motion(void) {
    for (int t = 0; t < SUITE_COUNT(theories) - 1; t++) { /* `continuum` is less accurate */
        batch b = opened(t, "two_laminae", 300);
        draw(&b);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            check_motion(&b, i);
        }
        batch_close(&b);
    }
}

SUITE("two laminae", one_lamina, exchanged, motion)
