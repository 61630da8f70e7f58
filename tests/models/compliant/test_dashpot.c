/* The law `dashpot` against exact cells, its closed forms, its energy account, a plain
 * integration and its delicate corners. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/dashpots.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const general = "body=general law=dashpot";

/* ---- exact cells ---- */

enum { GIVEN = 8, FOUND = 10 };

typedef struct cell {
    double given[GIVEN];
    const char *sequence;
    double found[FOUND];
} cell;

static const char *const given[GIVEN] = {"inertia_coupling",
                                         "angle",
                                         "friction",
                                         "stiffness_ratio",
                                         "normal_damping_ratio",
                                         "tangential_damping_ratio",
                                         "velocity_ratio",
                                         "contact_end"};
static const char *const found[FOUND] = {
    "kinematic_restitution", "velocity_ratio_out", "normal_impulse",
    "tangential_impulse",    "duration",           "compression_time",
    "normal_loss",           "tangential_loss",    "slip_loss",
    "trapped_energy"};

static const cell cells[] = {
#define CELL(l, angle, mu, eta, n, t, v, end, sequence, ...)                                       \
    {{l, angle, mu, eta, n, t, v, end}, sequence, {__VA_ARGS__}},
#include "dashpot_cells.def"
};

static void exact_cells(void) {
    const size_t n = SUITE_COUNT(cells);
    batch b = batch_open("compliant", general, n);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < GIVEN; k++) {
            batch_in(&b, given[k])[i] = cells[i].given[k];
        }
    }
    batch_solve(&b);
    for (size_t i = 0; i < n; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "cell %zu: %s", i + 1, batch_text(&b, i));
        CHECK(strcmp(batch_sequence(&b, i), cells[i].sequence) == 0, "cell %zu: %s", i + 1,
              batch_sequence(&b, i));
        for (int k = 0; k < FOUND; k++) {
            double exact = cells[i].found[k];
            CHECK_NEAR(dashpots_value(&b, found[k], i), exact, 5e-14 * or_one(exact),
                       "%s of cell %zu", found[k], i + 1);
        }
        CHECK_NEAR(batch_out(&b, "residual")[i], 0, 1e-14, "cell %zu", i + 1);
    }
    batch_close(&b);
}

/* ---- without damping ---- */

/* Every output has the bits of the law `linear`. */
static void no_damping(void) {
    enum { N = 2000 };
    batch b = batch_open("compliant", general, N);
    random_source source = {83};
    dashpots_draw(&b, &source);
    BATCH_SET(&b, {"normal_damping_ratio", 0}, {"tangential_damping_ratio", 0});
    batch linear = batch_open("compliant", "body=general law=linear", N);
    for (int p = 0; p < imp_input_count(linear.solver); p++) {
        const char *name = imp_input_at(linear.solver, p)->name;
        if (imp_input(b.solver, name) >= 0) { /* all but the restitution, and what stands for it */
            memcpy(linear.in[p], batch_in(&b, name), N * sizeof(double));
        }
    }
    BATCH_SOLVE(&b, &linear);
    for (int o = 0; o < b.theory->n_outputs; o++) {
        const char *name = b.theory->outputs[o].name;
        bool own = strcmp(name, "normal_loss") == 0 || strcmp(name, "tangential_loss") == 0;
        for (size_t v = 0; !own && v < N * batch_length(&b, o); v++) {
            CHECK(batch_same(b.out[o][v], linear.out[o][v]), "%s: %.17g, linear %.17g: %s", name,
                  b.out[o][v], linear.out[o][v], batch_text(&b, v / batch_length(&b, o)));
        }
    }
    BATCH_CLOSE(&b, &linear);
}

/* ---- corners: where a phase takes another form, its results go on ---- */

enum { CORNERS = 400 };

static const char *const continuous[] = {
    "kinematic_restitution", "velocity_ratio_out", "normal_impulse",
    "tangential_impulse",    "duration",           "normal_loss",
    "tangential_loss",       "energy_loss"};

/* Cells of the second batch have the values of the first one, but for the tolerance. Where rounding
 * adds or takes a phase the values say so. */
static void check_near(const batch *a, const batch *b, double tolerance, const char *corner) {
    for (size_t i = 0; i < a->n; i++) {
        CHECK(a->outcome[i] == IMP_SOLVED && b->outcome[i] == IMP_SOLVED, "%s: %s", corner,
              batch_text(a, i));
        for (int o = 0; o < SUITE_COUNT(continuous); o++) {
            double one = batch_out(a, continuous[o])[i], other = batch_out(b, continuous[o])[i];
            CHECK_NEAR(one, other, tolerance * or_one(one), "%s, %s: %s", corner, continuous[o],
                       batch_text(a, i));
        }
    }
}

static batch corner_cells(uint64_t seed) {
    batch b = batch_open("compliant", general, CORNERS);
    random_source source = {seed};
    dashpots_draw(&b, &source);
    batch_set(&b, "contact_end", 0);
    for (size_t i = 0; i < CORNERS; i++) {
        batch_in(&b, "inertia_coupling")[i] = random_between(&source, 0.05, 0.9);
        batch_in(&b, "angle")[i] = random_between(&source, -1.5, 1.5);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -3, 3);
    }
    return b;
}

/* Where b12 falls to 0 with the angle, cells come to those of angle 0, and energies balance but for
 * `rounding`. */
static void check_coupling_fades(batch *b, double rounding, const char *corner) {
    batch_solve(b);
    for (double angle = 1e-3; angle > 1e-17; angle /= 10) {
        batch other = batch_again(b, general);
        batch_set(&other, "angle", angle);
        batch_solve(&other);
        check_near(b, &other, 1e-12 + 1e4 * angle, corner);
        for (size_t i = 0; i < CORNERS; i++) {
            CHECK_OUTPUT(&other, i, "residual", 0, rounding);
        }
        batch_close(&other);
    }
}

/* The directions part: b12 falls to 0. */
static void directions_apart(void) {
    batch b = corner_cells(84);
    batch_set(&b, "angle", 0);
    check_coupling_fades(&b, 1e-11, "b12");
    batch_close(&b);
}

/* A number that is often 0, and otherwise of any size below 1e-2. */
static double hardly_any(random_source *source) {
    double size = random_log(source, 1e-17, 1e-2);
    return random_index(source, 3) == 0 ? 0 : random_index(source, 2) ? size : -size;
}

/* The same where both directions have nearly one motion, so that two factors of a quartic are
 * nearly equal. */
static void motions_alike(void) {
    batch b = corner_cells(85);
    random_source source = {86};
    batch_set(&b, "angle", 0);
    for (size_t i = 0; i < CORNERS; i++) {
        double coupling = batch_in(&b, "inertia_coupling")[i];
        double same = (1 + coupling) / (1 - coupling) * (1 + hardly_any(&source));
        double ratio = random_log(&source, 1e-3, 10);
        batch_in(&b, "stiffness_ratio")[i] = same;
        batch_in(&b, "normal_damping_ratio")[i] = ratio;
        batch_in(&b, "tangential_damping_ratio")[i] = ratio * (1 + hardly_any(&source));
    }
    check_coupling_fades(&b, 1e-11, "alike");
    batch_close(&b);
}

/* The same where both are nearly critical, too, so that all four roots nearly meet. */
static void critical_alike(void) {
    batch b = corner_cells(87);
    random_source source = {89};
    batch_set(&b, "angle", 0);
    for (size_t i = 0; i < CORNERS; i++) {
        double coupling = batch_in(&b, "inertia_coupling")[i], ratio = 1 + hardly_any(&source);
        double same = (1 + coupling) / (1 - coupling) * (1 + hardly_any(&source));
        batch_in(&b, "stiffness_ratio")[i] = same;
        batch_in(&b, "normal_damping_ratio")[i] = ratio;
        batch_in(&b, "tangential_damping_ratio")[i] = ratio * (1 + hardly_any(&source));
    }
    check_coupling_fades(&b, 1e-10, "critical");
    batch_close(&b);
}

/* One direction is critical, the other has more damping: two of four real roots nearly meet between
 * those of the other direction, which are a factor of 3 away or more. */
static void one_critical(void) {
    batch b = corner_cells(91);
    random_source source = {92};
    batch_set(&b, "angle", 0);
    for (size_t i = 0; i < CORNERS; i++) {
        double more = random_log(&source, 2.5, 100), coupling = batch_in(&b, "inertia_coupling")[i];
        batch_in(&b, "stiffness_ratio")[i] =
            (1 + coupling) / (1 - coupling) * random_between(&source, 0.7, 1.4);
        batch_in(&b, "normal_damping_ratio")[i] = i % 2 == 0 ? 1 : more;
        batch_in(&b, "tangential_damping_ratio")[i] = i % 2 == 0 ? more : 1;
    }
    check_coupling_fades(&b, 1e-11, "one critical");
    batch_close(&b);
}

/* The same where only one direction has a dashpot, whose damping along the other one fades away in
 * rounding; the energy that it takes does not. */
static void one_direction(void) {
    static const char *const absent[] = {"normal_damping_ratio", "tangential_damping_ratio"};
    for (int k = 0; k < SUITE_COUNT(absent); k++) {
        batch b = corner_cells(84);
        batch_set(&b, absent[k], 0);
        for (double angle = 1e-17; angle < 1e-4; angle *= 10) {
            batch_set(&b, "angle", angle);
            batch_solve(&b);
            for (size_t i = 0; i < CORNERS; i++) {
                CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
                CHECK_OUTPUT(&b, i, "residual", 0, 1e-10);
            }
        }
        batch_close(&b);
    }
}

/* Damping so weak that it has no effect: where both ratios are less than 1e-14 the bits are those
 * without dashpots. */
static void weak(void) {
    static const char *const name[] = {"normal_damping_ratio", "tangential_damping_ratio"};
    static const double ratio[] = {1e-300, 1e-30, 1e-16, 9e-15, 1e-13, 1e-12, 1e-11};
    batch b = corner_cells(88), without = batch_again(&b, general);
    BATCH_SET(&without, {name[0], 0}, {name[1], 0});
    batch_solve(&without);
    for (int k = 0; k < 3 * SUITE_COUNT(ratio); k++) {
        double z = ratio[k / 3];
        BATCH_SET(&b, {name[0], k % 3 == 1 ? 0 : z}, {name[1], k % 3 == 2 ? 0 : z});
        batch_solve(&b);
        check_near(&without, &b, z < 1e-14 ? 0 : 1e3 * z, "weak");
    }
    BATCH_CLOSE(&b, &without);
}

/* Both springs have the same ratio of damping to stiffness: the modes of the springs, damped. */
static void alike(void) {
    batch b = corner_cells(85);
    for (size_t i = 0; i < CORNERS; i++) {
        double angle = batch_in(&b, "angle")[i], coupling = batch_in(&b, "inertia_coupling")[i];
        double unequal = (1 + coupling * cos(2 * angle)) / (1 - coupling * cos(2 * angle));
        double ratio = sqrt(unequal / batch_in(&b, "stiffness_ratio")[i]);
        batch_in(&b, "tangential_damping_ratio")[i] =
            batch_in(&b, "normal_damping_ratio")[i] * ratio;
    }
    batch_solve(&b);
    for (double off = 1e-6; off > 1e-16; off /= 100) {
        batch other = batch_again(&b, general);
        for (size_t i = 0; i < CORNERS; i++) {
            batch_in(&other, "tangential_damping_ratio")[i] *= 1 + off;
        }
        batch_solve(&other);
        check_near(&b, &other, 1e-10 + 1e4 * off, "alike");
        batch_close(&other);
    }
    batch_close(&b);
}

/* Roots meet in slip, where damping^2 q = 4 b22 / k3 in SI, q = 1 - mu s b12 / b22. */
static void roots_meet(void) {
    batch b = corner_cells(86);
    for (size_t i = 0; i < CORNERS; i++) {
        double angle = batch_in(&b, "angle")[i], coupling = batch_in(&b, "inertia_coupling")[i];
        double c = coupling * sin(2 * angle) / (1 - coupling * cos(2 * angle));
        double mu = batch_in(&b, "friction")[i] = 0.9 * batch_in(&b, "friction")[i] / 1.5 / fabs(c);
        double sign = batch_in(&b, "velocity_ratio")[i] < 0 ? -1 : 1, q = 1 - mu * sign * c;
        batch_in(&b, "normal_damping_ratio")[i] = 1 / sqrt(q);
    }
    batch_solve(&b);
    for (double off = 1e-6; off > 1e-16; off /= 100) {
        batch other = batch_again(&b, general);
        for (size_t i = 0; i < CORNERS; i++) {
            batch_in(&other, "normal_damping_ratio")[i] *= 1 + off;
        }
        batch_solve(&other);
        check_near(&b, &other, 1e-10 + 1e5 * off, "roots");
        batch_close(&other);
    }
    batch_close(&b);
}

/* Without friction v_t changes by b12 alone; with very much the body sticks until the end. */
static void frictions(void) {
    batch b = corner_cells(87), other = batch_again(&b, general);
    batch_set(&b, "friction", 0);
    batch_solve(&b);
    for (size_t i = 0; i < CORNERS; i++) {
        double change = batch_out(&b, "velocity_ratio_out")[i] - batch_in(&b, "velocity_ratio")[i];
        double b12 = batch_out(&b, "inverse_mass_tn")[i], b22 = batch_out(&b, "inverse_mass_nn")[i];
        double e = batch_out(&b, "kinematic_restitution")[i];
        CHECK_CELL_NEAR(&b, i, change, b12 / b22 * (1 + e), 1e-13 * or_one(change));
        CHECK_OUTPUT(&b, i, "tangential_impulse", 0, 1e-15);
    }
    batch_set(&b, "friction", 1e6);
    batch_set(&other, "friction", 1e5);
    BATCH_SOLVE(&b, &other);
    check_near(&b, &other, 1e-3, "friction 1e6");
    BATCH_CLOSE(&b, &other);
}

/* A critical direction whose root r = sqrt(a) lies anywhere beside those of the other one, but not
 * where three roots meet. Hardly coupled, a cell is that without coupling. */
static void critical_anywhere(void) {
    enum { CELLS = 8000 };
    batch b = batch_open("compliant", general, CELLS);
    random_source source = {93};
    dashpots_draw(&b, &source);
    BATCH_SET(&b, {"contact_end", 0}, {"tangential_damping_ratio", 1});
    for (size_t i = 0; i < CELLS; i++) {
        double r, more;
        do {
            more = random_between(&source, 1.02, 5);
            r = random_log(&source, 0.2, 5);
        } while (fabs(r * r - 2 * more * r + 1) < 0.005 * (r * r + 1));
        batch_in(&b, "inertia_coupling")[i] = random_log(&source, 1e-15, 1e-9);
        batch_in(&b, "stiffness_ratio")[i] = 1 / (r * r);
        batch_in(&b, "normal_damping_ratio")[i] = more;
    }
    batch apart = batch_again(&b, general);
    batch_set(&apart, "inertia_coupling", 0);
    BATCH_SOLVE(&b, &apart);
    check_near(&apart, &b, 1e-6, "critical");
    for (size_t i = 0; i < CELLS; i++) {
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-9);
    }
    BATCH_CLOSE(&b, &apart);
}

/* A cell whose duration was off by 2e-6 where the factors were polished before their roots were
 * paired. Hardly coupled, it is that without coupling. */
static void critical_beside_strong(void) {
    batch b = batch_open("compliant", general, 1);
    BATCH_SET(&b, {"angle", 0.8400766182218978}, {"inertia_coupling", 6.18228001503012e-10},
              {"friction", 0.7092425699756765}, {"stiffness_ratio", 2}, {"velocity_ratio", 0},
              {"normal_damping_ratio", 100}, {"tangential_damping_ratio", 1});
    batch apart = batch_again(&b, general);
    batch_set(&apart, "inertia_coupling", 0);
    BATCH_SOLVE(&b, &apart);
    CHECK_OUTPUT(&b, 0, "duration", batch_out(&apart, "duration")[0], 1e-7);
    BATCH_CLOSE(&b, &apart);
}

/* ---- pendulums whose slip begins exactly as compression ends ---- */

/* When the one motion of a pendulum that sticks turns. */
static double turn_of(const dashpots_contact *c) {
    double w = sqrt(c->b11 * c->k1 + c->b22 * c->k3);
    double z = (c->b11 * c->c1 + c->b22 * c->c3) / (2 * w), root = sqrt(fabs((1 - z) * (1 + z)));
    return (z < 1 ? atan2(root, z) : log(z + root)) / root / w;
}

/* friction stiffness_ratio tan(angle) is 1, so that the pulls of the springs are in the ratio of
 * friction: a pendulum that sticks slips when the dashpots have no pull, as both velocities are 0.
 * Rounding decides in which phase that turn is. */
static void slip_begins_with_turn(void) {
    enum { CELLS = 4000 };
    batch b = batch_open("compliant", "body=pendulum law=dashpot", CELLS);
    random_source source = {90};
    for (size_t i = 0; i < CELLS; i++) {
        bool round = i % 2 == 0;
        double angle = round ? atan(1) : random_between(&source, 0.1, 1.5);
        double ratio = round ? 1 : random_between(&source, 0.1, 5);
        double damping = random_between(&source, 0.05, 2);
        batch_in(&b, "angle")[i] = angle;
        batch_in(&b, "stiffness_ratio")[i] = ratio;
        batch_in(&b, "friction")[i] = round ? 1 : 1 / (ratio * tan(angle));
        batch_in(&b, "normal_damping_ratio")[i] = damping;
        batch_in(&b, "tangential_damping_ratio")[i] =
            round ? 0 : damping * random_between(&source, 0, 0.9);
    }
    batch beside = batch_again(&b, "body=pendulum law=dashpot");
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&beside, "friction")[i] *= 1 + 1e-9;
    }
    BATCH_SOLVE(&b, &beside);
    int sticks = 0;
    for (size_t i = 0; i < CELLS; i++) {
        dashpots_contact c = dashpots_contact_of(&b, i, DASHPOTS_PENDULUM);
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        if (dashpots_first_phase(&c) == 0 && !batch_has_mode(&b, i, "wedge")) {
            double turn = turn_of(&c);
            sticks++;
            CHECK_OUTPUT(&b, i, "compression_time", turn, 1e-9 * turn);
            CHECK_OUTPUT(&b, i, "energetic_restitution",
                         batch_out(&beside, "energetic_restitution")[i], 1e-7);
        }
    }
    CHECK(sticks > CELLS / 2, "only %d stick at first", sticks);
    BATCH_CLOSE(&b, &beside);
}

/* ---- closed forms and account; more of them in test_dashpot_long ---- */

/* A sphere behind strong dashpots sticks until the force vanishes, which it does once. */
static void strong_spheres(void) {
    enum { SPHERES = 20000 };
    batch b = batch_open("compliant", "body=sphere law=dashpot", SPHERES);
    random_source source = {89};
    for (size_t i = 0; i < SPHERES; i++) {
        batch_in(&b, "friction")[i] = random_log(&source, 1e3, 1e6);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -2, 2);
        batch_in(&b, "normal_damping_ratio")[i] = random_log(&source, 10, 1e3);
        batch_in(&b, "tangential_damping_ratio")[i] = random_log(&source, 10, 1e3);
    }
    batch_solve(&b);
    for (size_t i = 0; i < SPHERES; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
    }
    batch_close(&b);
}

static void closed_forms(void) {
    dashpots_check_closed(5000);
}

static void energy(void) {
    dashpots_check_energy(2000);
}

static void extremes(void) {
    dashpots_check_extremes(300);
}

SUITE("dashpot", exact_cells, closed_forms, energy, no_damping, directions_apart, motions_alike,
      critical_alike, one_critical, critical_anywhere, critical_beside_strong, alike, roots_meet,
      frictions, slip_begins_with_turn, extremes, one_direction, weak, strong_spheres)
