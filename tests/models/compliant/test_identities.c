/* Identities that hold for any numbers: conservation, symmetries, units. They are checked on random
 * cells of every free body. Momentum is recomputed here, energy and B in support/plane.c. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/plane.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 100000 };

/* How an output changes under the transformations of this file. */
typedef struct law {
    const char *output;
    int root;   /* power of sqrt(stiffness_ratio) when the ratio is absorbed into the body */
    int mirror; /* factor when t is reversed */
    double mass, stiffness, speed; /* powers of the unit parameters */
} law;

static const law laws[] = {
    {"kinematic_restitution", 0, 1, 0, 0, 0}, {"kinetic_restitution", 0, 1, 0, 0, 0},
    {"energetic_restitution", 0, 1, 0, 0, 0}, {"velocity_ratio_out", 1, -1, 0, 0, 0},
    {"normal_impulse", 0, 1, 1, 0, 1},        {"tangential_impulse", -1, -1, 1, 0, 1},
    {"energy_loss", 0, 1, 0, 0, 0},           {"duration", 0, 1, 0.5, -0.5, 0},
    {"compression_time", 0, 1, 0.5, -0.5, 0},
};

/* ---- conservation ---- */

static void check_conservation(const batch *b) {
    const double *e = batch_out(b, "kinematic_restitution");
    const double *out = batch_out(b, "velocity_ratio_out"), *in = batch_in(b, "velocity_ratio");
    const double *p_n = batch_out(b, "normal_impulse"), *p_t = batch_out(b, "tangential_impulse");
    const double *loss = batch_out(b, "energy_loss"), *mu = batch_in(b, "friction");
    for (size_t i = 0; i < b->n; i++) {
        plane_inertia at = plane_inertia_of(b, i);
        double before = plane_energy(at, in[i], -1), after = plane_energy(at, out[i], e[i]);
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
        CHECK_NEAR(batch_out(b, "residual")[i], 0, 1e-9, "residual of %s", batch_text(b, i));
        CHECK_NEAR(loss[i], (before - after) / before, 1e-9, "energy of %s", batch_text(b, i));
        CHECK(loss[i] >= -1e-12 && loss[i] <= 1 + 1e-12, "loss %.17g: %s", loss[i],
              batch_text(b, i));
        CHECK_NEAR(at.b12 * p_t[i] + at.b22 * p_n[i], e[i] + 1, 1e-9 * or_one(e[i]),
                   "normal momentum of %s", batch_text(b, i));
        CHECK_NEAR(at.b11 * p_t[i] + at.b12 * p_n[i], out[i] - in[i], 1e-9 * or_one(out[i]),
                   "tangential momentum of %s", batch_text(b, i));
        CHECK(fabs(p_t[i]) <= mu[i] * p_n[i] * (1 + 1e-12), "friction above its limit: %s",
              batch_text(b, i));
        CHECK_NEAR(batch_out(b, "energetic_restitution")[i], 1, 1e-9, "energetic restitution of %s",
                   batch_text(b, i));
        CHECK(e[i] > 0, "restitution %.17g: %s", e[i], batch_text(b, i));
    }
}

/* ---- sequence and mode ---- */

enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3, MOST_PHASES = 32 };

static int phases_of(uint64_t sequence, int *phase) {
    int n = 0;
    for (; sequence != 0 && n < MOST_PHASES; sequence >>= 2) {
        phase[n++] = (int)(sequence & 3);
    }
    return n;
}

static const char *expected_mode(const int *phase, int n) {
    static const char *const by_number[] = {"none", "gross_slip", "stick_slip", NULL,
                                            "stick_slip_stick_slip"};
    if (n > 4) {
        return "multiple";
    }
    if (n == 3) {
        return phase[0] == phase[2] ? "slip_stick_slip_same" : "slip_stick_slip_reversed";
    }
    return by_number[n];
}

/* Stick and slip alternate, and a free body always slips at the end. So the number of phases tells
 * whether the body sticks at the start, which it does where the cone contains the direction of
 * approach. */
static void check_sequences(const batch *b) {
    for (size_t i = 0; i < b->n; i++) {
        int phase[MOST_PHASES], n = phases_of((uint64_t)batch_out(b, "sequence")[i], phase);
        double v_t = batch_in(b, "velocity_ratio")[i];
        double limit = batch_in(b, "friction")[i] * batch_in(b, "stiffness_ratio")[i];
        int first = fabs(v_t) < limit ? STICK : v_t < 0 ? SLIP_BACK : SLIP_FORTH;
        CHECK(n > 0 && phase[0] == first, "start of %s: %s", batch_sequence(b, i),
              batch_text(b, i));
        for (int k = 0; k < n; k++) {
            bool slips = phase[k] == SLIP_BACK || phase[k] == SLIP_FORTH;
            CHECK(slips == ((n - 1 - k) % 2 == 0), "%s: %s", batch_sequence(b, i),
                  batch_text(b, i));
        }
        const char *mode = expected_mode(phase, n);
        CHECK(batch_has_mode(b, i, mode), "mode %s, sequence %s: %s", batch_mode(b, i),
              batch_sequence(b, i), batch_text(b, i));
    }
}

/* ---- transformations ---- */

/* Checks output = factor * the same output of the original, with a factor for every cell. */
static void check_scaled(const batch *original, const batch *changed, const law *l,
                         const double *factor, double tolerance) {
    const double *before = batch_out(original, l->output), *after = batch_out(changed, l->output);
    for (size_t i = 0; i < original->n; i++) {
        CHECK_NEAR(after[i] / factor[i], before[i], tolerance * or_one(before[i]), "%s of %s",
                   l->output, batch_text(original, i));
    }
}

static void check_same_sequences(const batch *original, const batch *changed, bool mirrored) {
    const double *before = batch_out(original, "sequence"), *after = batch_out(changed, "sequence");
    for (size_t i = 0; i < original->n; i++) {
        uint64_t expected = (uint64_t)before[i];
        /* slip- is 2 and slip+ is 3: the low bit changes where the high bit is set. */
        uint64_t slips = expected >> 1 & UINT64_C(0x5555555555555555);
        expected ^= mirrored ? slips : 0;
        CHECK((uint64_t)after[i] == expected, "sequence %s: %s", batch_sequence(changed, i),
              batch_text(original, i));
        CHECK(batch_out(original, "mode")[i] == batch_out(changed, "mode")[i], "mode %s: %s",
              batch_mode(changed, i), batch_text(original, i));
    }
}

static batch copy_of(const batch *original, const char *choices) {
    batch b = batch_open("compliant", choices, original->n);
    for (int p = 0; p < imp_input_count(original->solver); p++) {
        int to = imp_input(b.solver, imp_input_at(original->solver, p)->name);
        if (to >= 0) {
            memcpy(b.in[to], original->in[p], original->n * sizeof(double));
        }
    }
    return b;
}

static void negate(const batch *b, const char *parameter) {
    double *values = batch_in(b, parameter);
    for (size_t i = 0; i < b->n; i++) {
        values[i] = -values[i];
    }
}

/* (b12, v_t) -> (-b12, -v_t): the world seen from behind. `leaning` is the parameter in which b12
 * is odd. */
static void check_mirror(const batch *original, const char *choices, const char *leaning) {
    static double factor[CELLS];
    batch mirrored = copy_of(original, choices);
    negate(&mirrored, leaning);
    negate(&mirrored, "velocity_ratio");
    batch_solve(&mirrored);
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        for (size_t i = 0; i < original->n; i++) {
            factor[i] = laws[k].mirror;
        }
        check_scaled(original, &mirrored, &laws[k], factor, 1e-9);
    }
    check_same_sequences(original, &mirrored, true);
    batch_close(&mirrored);
}

/* (b11, b12, friction, v_t; eta) is equivalent to
 * (b11 / eta, b12 / sqrt(eta), friction sqrt(eta), v_t / sqrt(eta); 1). */
static void check_collapse(const batch *original) {
    static double factor[CELLS];
    batch one = copy_of(original, "body=matrix law=linear");
    const double *ratio = batch_in(original, "stiffness_ratio");
    for (size_t i = 0; i < original->n; i++) {
        plane_inertia at = plane_inertia_of(original, i);
        batch_in(&one, "stiffness_ratio")[i] = 1;
        batch_in(&one, "b11")[i] = at.b11 / ratio[i];
        batch_in(&one, "b12")[i] = at.b12 / sqrt(ratio[i]);
        batch_in(&one, "b22")[i] = at.b22;
        batch_in(&one, "friction")[i] *= sqrt(ratio[i]);
        batch_in(&one, "velocity_ratio")[i] /= sqrt(ratio[i]);
    }
    batch_solve(&one);
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        for (size_t i = 0; i < original->n; i++) {
            factor[i] = pow(ratio[i], -0.5 * laws[k].root);
        }
        check_scaled(original, &one, &laws[k], factor, 1e-9);
    }
    check_same_sequences(original, &one, false);
    batch_close(&one);
}

/* Other units of mass, stiffness and speed: dimensionless outputs stay, the others follow. */
static void check_units(const batch *original, const char *choices) {
    static double mass[CELLS], factor[CELLS];
    random_source source = {73};
    batch scaled = copy_of(original, choices);
    double *stiffness = batch_in(&scaled, "normal_stiffness");
    double *speed = batch_in(&scaled, "normal_speed");
    for (size_t i = 0; i < original->n; i++) {
        mass[i] = batch_in(&scaled, "mass")[i] = random_log(&source, 1e-6, 1e6);
        stiffness[i] = random_log(&source, 1e-3, 1e12);
        speed[i] = random_log(&source, 1e-6, 1e6);
    }
    batch_solve(&scaled);
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        const law *l = &laws[k];
        for (size_t i = 0; i < original->n; i++) {
            factor[i] =
                pow(mass[i], l->mass) * pow(stiffness[i], l->stiffness) * pow(speed[i], l->speed);
        }
        check_scaled(original, &scaled, l, factor, 1e-13);
    }
    check_same_sequences(original, &scaled, false);
    batch_close(&scaled);
}

/* Other units for a matrix, whose mass is in B. */
static void check_matrix_units(const batch *original) {
    static double mass[CELLS], factor[CELLS];
    random_source source = {74};
    batch scaled = copy_of(original, "body=matrix law=linear");
    for (size_t i = 0; i < original->n; i++) {
        mass[i] = random_log(&source, 1e-6, 1e6);
        batch_in(&scaled, "b11")[i] /= mass[i];
        batch_in(&scaled, "b12")[i] /= mass[i];
        batch_in(&scaled, "b22")[i] /= mass[i];
    }
    batch_solve(&scaled);
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        for (size_t i = 0; i < original->n; i++) {
            factor[i] = pow(mass[i], laws[k].mass);
        }
        check_scaled(original, &scaled, &laws[k], factor, 1e-9);
    }
    check_same_sequences(original, &scaled, false);
    batch_close(&scaled);
}

static void check_identities(const batch *b, const char *choices, const char *leaning) {
    batch_solve(b);
    check_conservation(b);
    check_sequences(b);
    check_mirror(b, choices, leaning);
    check_collapse(b);
}

static void general_bodies(void) {
    batch b = plane_draw_general(CELLS);
    check_identities(&b, "body=general law=linear", "angle");
    check_units(&b, "body=general law=linear");
    batch_close(&b);
}

static void matrices(void) {
    batch b = plane_draw_matrix(CELLS);
    check_identities(&b, "body=matrix law=linear", "b12");
    check_matrix_units(&b);
    batch_close(&b);
}

/* Both losses are the same energy over different wholes; here the speed |v_n| is 1. */
static void check_body_loss(const batch *own, const batch *general) {
    const double *body_loss = batch_out(own, "body_energy_loss");
    const double *loss = batch_out(own, "energy_loss"), *v = batch_in(own, "velocity_ratio");
    for (size_t i = 0; i < own->n; i++) {
        double dissipable = plane_energy(plane_inertia_of(general, i), v[i], -1);
        double whole = batch_in(own, "mass")[i] * (v[i] * v[i] + 1) / 2;
        CHECK_CELL_NEAR(own, i, body_loss[i] * whole, loss[i] * dissipable, 1e-9 * whole);
    }
}

static void capsules(void) {
    batch b = plane_draw_capsule(CELLS);
    check_identities(&b, "body=capsule law=linear", "angle");
    check_units(&b, "body=capsule law=linear");
    check_body_loss(&b, &b);
    batch_close(&b);
}

static void laminas(void) {
    batch b = plane_draw_lamina(CELLS);
    check_identities(&b, "body=lamina law=linear", "offset_t");
    check_units(&b, "body=lamina law=linear");
    check_body_loss(&b, &b);
    batch_close(&b);
}

static batch draw_own(const char *choices) {
    random_source source = {75};
    batch b = plane_draw_common(choices, CELLS, &source);
    bool leans = imp_input(b.solver, "angle") >= 0;
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "mass")[i] = random_log(&source, 0.1, 10);
        if (leans) {
            batch_in(&b, "angle")[i] = random_between(&source, -pi / 2, pi / 2);
        }
    }
    return b;
}

/* The same body by two names gives the same numbers: rod and sphere are `general` with
 * (inertia_coupling, mass) = (.6, 2m/5) and (5/9, 4m/9). */
static void check_alias(const char *choices, double coupling, double mass_factor) {
    static double factor[CELLS];
    batch own = draw_own(choices), general = copy_of(&own, "body=general");
    batch_set(&general, "inertia_coupling", coupling);
    if (imp_input(own.solver, "angle") < 0) {
        batch_set(&general, "angle", 0);
    }
    for (size_t i = 0; i < own.n; i++) {
        batch_in(&general, "mass")[i] *= mass_factor;
        factor[i] = 1;
    }
    BATCH_SOLVE(&own, &general);
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        check_scaled(&own, &general, &laws[k], factor, 1e-9);
    }
    check_same_sequences(&own, &general, false);
    check_body_loss(&own, &general);
    BATCH_CLOSE(&own, &general);
}

static void rods_and_spheres(void) {
    check_alias("body=rod", 0.6, 0.4);
    check_alias("body=sphere", 5.0 / 9, 4.0 / 9);
}

SUITE("identities", general_bodies, matrices, capsules, laminas, rods_and_spheres)
