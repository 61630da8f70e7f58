/* Rigid impact in space against an integration of its slip in another form (support/slip.h): of the
 * product only B of each body is used, which other tests check. Slip of any speed: the flow is
 * homogeneous in it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/slip.h"
#include "support/suite.h"

/* Of each body under each law. */
#ifndef CELLS
#define CELLS 20
#endif

/* ---- cells ---- */

static const char *const bodies[] = {"sphere3d",   "rod3d",    "ellipsoid3d",
                                     "pendulum3d", "matrix3d", "inertia3d"};
static const char *const laws[] = {"newton", "poisson", "energetic", "compromise"};
enum { PENDULUM = 3, MATRIX = 4, INERTIA = 5, COMPROMISE = 3 };

/* A cloud of three to five mass points with a small ball about it: its matrix is that of a body,
 * however flat. */
static void draw_inertia(const batch *b, size_t i, random_source *source) {
    static const char *const offsets[] = {"offset_1", "offset_2", "offset_3"};
    static const char *const elements[3][3] = {{"inertia_11", "inertia_12", "inertia_13"},
                                               {"inertia_12", "inertia_22", "inertia_23"},
                                               {"inertia_13", "inertia_23", "inertia_33"}};
    int points = 3 + (int)random_index(source, 3);
    double spread[3][3] = {{0}}; /* sums of the products of two coordinates */
    for (int point = 0; point < points; point++) {
        double x[3], weight = random_log(source, 0.05, 1);
        for (int k = 0; k < 3; k++) {
            x[k] = random_between(source, -1, 1);
        }
        for (int k = 0; k < 9; k++) {
            spread[k / 3][k % 3] += weight * x[k / 3] * x[k % 3];
        }
    }
    double thick = random_log(source, 1e-3, 0.3), all = spread[0][0] + spread[1][1] + spread[2][2];
    for (int j = 0; j < 3; j++) {
        batch_in(b, offsets[j])[i] = random_between(source, -1, 1);
        for (int k = j; k < 3; k++) {
            batch_in(b, elements[j][k])[i] = (j == k ? all + thick : 0) - spread[j][k];
        }
    }
    batch_in(b, "mass")[i] = random_log(source, 0.2, 5);
}

static void draw_body(const batch *b, size_t i, int which, random_source *source) {
    static const char *const axes[] = {"semi_axis_a", "semi_axis_b", "semi_axis_c"};
    if (which == MATRIX) {
        inertia m = inertia_random(source, 20);
        inertia_set(b, i, &m);
    }
    if (which == INERTIA) {
        draw_inertia(b, i, source);
    }
    if (which >= 1 && which <= PENDULUM) {
        batch_in(b, "azimuth")[i] = random_between(source, -pi, pi);
        batch_in(b, "angle")[i] = random_between(source, 0.05, 1.5);
    }
    if (which == 2) {
        batch_in(b, "spin")[i] = random_between(source, -pi, pi);
        for (int k = 0; k < 3; k++) {
            batch_in(b, axes[k])[i] = random_log(source, 0.3, 3);
        }
    }
}

/* A third of the speeds is far below that of the normal. */
static void draw(const batch *b, size_t i, int which, random_source *source) {
    bool slow = random_index(source, 3) == 0;
    double ratio = slow ? random_log(source, 1e-290, 1e-3) : random_log(source, 1e-3, 1e3);
    ratio = random_index(source, 20) == 0 ? 0 : ratio;
    draw_body(b, i, which, source);
    if (which == PENDULUM) {
        batch_in(b, "swerve_ratio")[i] = random_index(source, 2) == 0 ? ratio : -ratio;
    } else {
        batch_in(b, "velocity_ratio")[i] = ratio;
        batch_in(b, "heading")[i] = random_between(source, -pi, pi);
    }
    batch_in(b, "friction")[i] = random_index(source, 17) == 0 ? 0 : random_log(source, 0.02, 3);
    bool dead = random_index(source, 20) == 0, soft = random_index(source, 9) == 0;
    batch_in(b, "restitution")[i] = dead   ? 0
                                    : soft ? random_log(source, 1e-12, 1)
                                           : random_between(source, 0, 1);
}

static slip_contact contact_of(const batch *b, size_t i, int which, int law) {
    bool wedges = strcmp(batch_mode(b, i), "wedge") == 0;
    slip_contact a = {.x = {.b11 = batch_out(b, "inverse_mass_11")[i],
                            .b12 = batch_out(b, "inverse_mass_12")[i],
                            .b13 = batch_out(b, "inverse_mass_13")[i],
                            .b22 = batch_out(b, "inverse_mass_22")[i],
                            .b23 = batch_out(b, "inverse_mass_23")[i],
                            .b33 = batch_out(b, "inverse_mass_33")[i],
                            .mu = batch_in(b, "friction")[i],
                            .held = which == PENDULUM},
                      .which = law == COMPROMISE ? BY_IMPULSE : (slip_rule)law,
                      .e = batch_in(b, "restitution")[i],
                      .impulse = wedges ? INFINITY : batch_out(b, "normal_impulse")[i]};
    a.x.fastest = a.x.mu * (a.x.b11 + a.x.b22) + hypotl(a.x.b13, a.x.b23);
    if (which == PENDULUM) {
        real angle = batch_in(b, "angle")[i], azimuth = batch_in(b, "azimuth")[i];
        real along = -cosl(angle) / sinl(angle), across = batch_in(b, "swerve_ratio")[i];
        a.x.v3_1 = cosl(azimuth) * tanl(angle);
        a.x.v3_2 = sinl(azimuth) * tanl(angle);
        a.v1 = cosl(azimuth) * along - sinl(azimuth) * across;
        a.v2 = sinl(azimuth) * along + cosl(azimuth) * across;
    } else {
        real ratio = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
        a.v1 = ratio * cosl(heading);
        a.v2 = ratio * sinl(heading);
    }
    return a;
}

/* ---- the comparison ---- */

static void near(const batch *b, size_t i, const char *output, real expected, real scale) {
    CHECK_NEAR(batch_out(b, output)[i], (double)expected, (double)(1e-9L * scale), "%s, %s: %s",
               output, batch_mode(b, i), batch_text(b, i));
}

static void compare_ends(const batch *b, size_t i, const slip_contact *a, real size) {
    const double *t = &batch_out(b, "tangential_impulse")[2 * i];
    real slip = hypotl(a->v1, a->v2), p = a->pc + a->y[P];
    near(b, i, "normal_impulse", p, p);
    CHECK_NEAR(t[0], (double)(a->p1 + a->y[P1]), (double)(1e-9L * p), "impulse 1: %s",
               batch_text(b, i));
    CHECK_NEAR(t[1], (double)(a->p2 + a->y[P2]), (double)(1e-9L * p), "impulse 2: %s",
               batch_text(b, i));
    if (a->ends == WEDGES) {
        return;
    }
    near(b, i, "kinematic_restitution", a->y[V3], size);
    near(b, i, "kinetic_restitution", a->y[P] / a->pc, p / a->pc);
    near(b, i, "velocity_ratio_out", slip, size);
    if (slip > 0) {
        double heading = batch_out(b, "heading_out")[i],
               out = batch_out(b, "velocity_ratio_out")[i];
        CHECK_NEAR(out * cos(heading), (double)a->v1, (double)(1e-9L * size), "v1: %s",
                   batch_text(b, i));
        CHECK_NEAR(out * sin(heading), (double)a->v2, (double)(1e-9L * size), "v2: %s",
                   batch_text(b, i));
    }
}

/* Half the derivative of the weighted squares with respect to the impulse is 0. */
static void check_compromise(const batch *b, size_t i, const slip_contact *a) {
    double e = batch_in(b, "restitution")[i];
    real w1 = batch_in(b, "weight_poisson")[i], w2 = batch_in(b, "weight_energetic")[i];
    real x = a->y[P] / a->pc / e, y = sqrtl(fmaxl(a->y[WORK], 0) / -a->work) / e;
    real slope = a->y[V3] * a->pc / (2 * y * e * -a->work);
    CHECK_NEAR((double)(w1 * (x - 1) + w2 * (y - 1) * slope), 0,
               1e-6 * (double)(w1 + w2 * fabsl(slope)), "compromise: %s", batch_text(b, i));
}

/* Returns whether the cell could be compared. */
static bool compare(const batch *b, size_t i, int which, int law) {
    slip_contact a = contact_of(b, i, which, law);
    real size = 1 + hypotl(a.v1, a.v2);
    const char *mode = slip_follow(&a);
    bool solved = b->outcome[i] == IMP_SOLVED;
    /* The impulse of a small rebound has lost its digits beside that of compression. */
    bool lost = law == COMPROMISE && (!solved || batch_in(b, "restitution")[i] < 1e-5);
    if (a.ends == UNDECIDED || lost) {
        return false;
    }
    if (a.ends == NEVER || a.y[V3] < -1e-12L * size) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_OUTSIDE);
        return false;
    }
    CHECK(solved && strcmp(batch_mode(b, i), mode) == 0, "%s instead of %s: %s", batch_mode(b, i),
          mode, batch_text(b, i));
    compare_ends(b, i, &a, size);
    if (a.halted) {
        near(b, i, "halt_impulse", a.halt, a.halt);
    }
    if (mode[0] != 's' || mode[1] != 'l' || strcmp(mode, "slip_from_rest") == 0) {
        return true;
    }
    near(b, i, "swerve", a.turn, 1);
    if (law == COMPROMISE && batch_in(b, "restitution")[i] > 1e-3 && a.ends == SEPARATES) {
        check_compromise(b, i, &a);
    }
    return true;
}

static void slip_of_any_speed(void) {
    int compared = 0, all = 0;
    for (int which = 0; which < SUITE_COUNT(bodies); which++) {
        for (int law = 0; law < SUITE_COUNT(laws); law++) {
            char choices[80];
            snprintf(choices, sizeof choices, "body=%s law=%s", bodies[which], laws[law]);
            batch b = batch_open("swerve", choices, CELLS);
            random_source source = {7800 + 10 * (uint64_t)which + (uint64_t)law};
            for (size_t i = 0; i < CELLS; i++) {
                draw(&b, i, which, &source);
            }
            batch_solve(&b);
            for (size_t i = 0; i < CELLS; i++, all++) {
                compared += compare(&b, i, which, law);
            }
            batch_close(&b);
        }
    }
    CHECK(compared > 0.9 * all, "only %d of %d compared", compared, all);
}

/* ---- homogeneity ---- */

static const int halvings[] = {0, 1, 20, 40, 200, 940};
enum { SCALES = SUITE_COUNT(halvings) };

/* Slip that halts soon after first touch: all before the halt is proportional to its initial
 * speed. */
static int check_scales(const batch *b, size_t first) {
    const double *halt = batch_out(b, "halt_impulse") + first;
    const double *swerve = batch_out(b, "swerve") + first;
    double p_c = batch_out(b, "compression_impulse")[first];
    if (!(halt[0] < 0.1 * p_c)) {
        return 0;
    }
    for (size_t k = 1; k < SCALES; k++) {
        double full = ldexp(halt[k], halvings[k] - halvings[0]);
        CHECK(strcmp(batch_mode(b, first), batch_mode(b, first + k)) == 0, "%s, not %s: %s",
              batch_mode(b, first + k), batch_mode(b, first), batch_text(b, first + k));
        CHECK_NEAR(full, halt[0], 1e-13 * halt[0], "halt: %s", batch_text(b, first + k));
        CHECK_NEAR(swerve[k], swerve[0], 1e-12, "swerve: %s", batch_text(b, first + k));
    }
    return 1;
}

/* A node along which slip halts slowly. */
static const inertia slow = {{{2.9527830293486779, 0.0006316713605025719, 0.060440508698750228},
                              {0.0006316713605025719, 9.0545325312831935, -0.43322946410084368},
                              {0.060440508698750228, -0.43322946410084368, 1.0251749260964265}}};

static void homogeneous(void) {
    enum { BODIES = 2000 };
    batch b = batch_open("swerve", "body=matrix3d law=energetic", BODIES * SCALES);
    random_source source = {7900};
    for (size_t i = 0; i < BODIES; i++) {
        inertia m = i == 0 ? slow : inertia_random(&source, 20);
        double friction = i == 0 ? 0.055600185115425291 : random_log(&source, 0.02, 3);
        double heading = i == 0 ? 1.9068068704487615 : random_between(&source, -pi, pi);
        double ratio = random_log(&source, 1e-3, 2e-2);
        for (size_t k = 0; k < SCALES; k++) {
            inertia_set(&b, i * SCALES + k, &m);
            batch_in(&b, "friction")[i * SCALES + k] = friction;
            batch_in(&b, "heading")[i * SCALES + k] = heading;
            batch_in(&b, "velocity_ratio")[i * SCALES + k] = ldexp(ratio, -halvings[k]);
        }
    }
    batch_solve(&b);
    int halts = 0;
    for (size_t i = 0; i < BODIES; i++) {
        halts += check_scales(&b, i * SCALES);
    }
    CHECK(halts > BODIES / 3, "only %d of %d halt", halts, BODIES);
    batch_close(&b);
}

/* Nothing slows down a sphere without friction. */
static void keeps_slipping(void) {
    static const double ratios[] = {1e-300, 1e-200, 1e-15, 1, 1e70};
    batch b = batch_open("swerve", "body=sphere3d law=newton", SUITE_COUNT(ratios));
    batch_set(&b, "friction", 0);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] = ratios[i];
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_OUTPUT(&b, i, "velocity_ratio_out", ratios[i], 1e-15 * ratios[i]);
        CHECK(strcmp(batch_mode(&b, i), "slip") == 0, "%s", batch_mode(&b, i));
    }
    batch_close(&b);
}

/* ---- motion in a plane, turned about the normal ---- */

/* Slip towards rest along a saddle of the flow, which rounding of the axes must not leave: a rod in
 * its own plane. */
static void plane_in_any_direction(void) {
    enum { CELLS_IN_PLANE = 20000 };
    batch b = batch_open("swerve", "body=rod3d law=energetic", CELLS_IN_PLANE);
    batch turned = batch_open("swerve", "body=rod3d law=energetic", CELLS_IN_PLANE);
    random_source source = {7901};
    for (size_t i = 0; i < CELLS_IN_PLANE; i++) {
        double azimuth = random_between(&source, -pi, pi), back = random_index(&source, 2) * pi;
        batch_in(&b, "angle")[i] = random_between(&source, -1.5, 1.5);
        batch_in(&b, "velocity_ratio")[i] = random_log(&source, 1e-3, 3);
        batch_in(&b, "friction")[i] = random_log(&source, 0.02, 3);
        batch_in(&b, "restitution")[i] = random_between(&source, 0.1, 1);
        batch_in(&b, "azimuth")[i] = 0;
        batch_in(&b, "heading")[i] = back;
        for (int p = 0; p < imp_input_count(b.solver); p++) {
            turned.in[p][i] = b.in[p][i];
        }
        batch_in(&turned, "azimuth")[i] = azimuth;
        batch_in(&turned, "heading")[i] = azimuth + back;
    }
    BATCH_SOLVE(&b, &turned);
    int resumed = 0;
    for (size_t i = 0; i < CELLS_IN_PLANE; i++) {
        resumed += strcmp(batch_mode(&b, i), "slip_resumed") == 0;
        CHECK(strcmp(batch_mode(&b, i), batch_mode(&turned, i)) == 0, "%s, not %s: %s",
              batch_mode(&turned, i), batch_mode(&b, i), batch_text(&turned, i));
        CHECK_OUTPUT(&turned, i, "normal_impulse", batch_out(&b, "normal_impulse")[i], 1e-11);
    }
    CHECK(resumed > 100, "only %d slip again", resumed);
    BATCH_CLOSE(&b, &turned);
}

SUITE("swerve, slip", slip_of_any_speed, homogeneous, keeps_slipping, plane_in_any_direction)
