/* The limits that the tables of `compliant` state: inside them no cell fails, and very large
 * friction has the answer of a contact that always sticks. */
#include <math.h>
#include <stdio.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* A value of either sign, equally likely in every decade. */
static double random_signed(random_source *source, double low, double high) {
    double size = random_log(source, low, high);
    return random_index(source, 2) == 0 ? size : -size;
}

static void draw_extremes(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "inertia_coupling")[i] = 1 - random_log(source, 1e-3, 1);
        batch_in(b, "angle")[i] = random_between(source, -pi / 2, pi / 2);
        batch_in(b, "velocity_ratio")[i] = random_signed(source, 1e-3, 1e3);
        batch_in(b, "stiffness_ratio")[i] = random_log(source, 1e-3, 1e3);
        /* Root b11/b22 is at most 45 there. */
        batch_in(b, "friction")[i] = random_log(source, 1e-6, 2e7);
    }
}

/* parameter: a further parameter, drawn from low to high, or NULL. */
static void check_extremes(const char *choices, const char *parameter, double low, double high,
                           size_t cells, uint64_t seed) {
    batch b = batch_open("compliant", choices, cells);
    random_source source = {seed};
    draw_extremes(&b, &source);
    for (size_t i = 0; parameter && i < cells; i++) {
        batch_in(&b, parameter)[i] = random_log(&source, low, high);
    }
    batch_solve(&b);
    for (size_t i = 0; i < cells; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-7);
        CHECK_CELL(&b, i, batch_out(&b, "duration")[i] < INFINITY);
    }
    batch_close(&b);
}

static void linear_inside_the_limits(void) {
    check_extremes("body=general law=linear", NULL, 0, 0, 40000, 601);
    check_extremes("body=general law=linear", "restitution", 0.01, 1, 20000, 602);
}

static void power_inside_the_limits(void) {
    check_extremes("body=general law=coupled", NULL, 0, 0, 6000, 603);
    check_extremes("body=general law=hertz", NULL, 0, 0, 6000, 604);
    check_extremes("body=general law=hertz", "damping", 1e-3, 100, 6000, 605);
}

/* ---- a contact that always sticks ---- */

/* In units of the mean inverse mass, the normal stiffness and the normal speed. */
typedef struct sticking {
    double b11, b12, b22, stiffness;
    double y[4]; /* u, delta, v_t, v_n */
} sticking;

static void rates(const sticking *k, const double y[4], double rate[4]) {
    double f_t = -k->stiffness * y[0], f_n = y[1];
    rate[0] = y[2];
    rate[1] = -y[3];
    rate[2] = k->b11 * f_t + k->b12 * f_n;
    rate[3] = k->b12 * f_t + k->b22 * f_n;
}

static sticking after(const sticking *k, double h) {
    static const double share[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double rate[4] = {0}, total[4] = {0}, y[4];
    sticking next = *k;
    for (int stage = 0; stage < 4; stage++) {
        for (int j = 0; j < 4; j++) {
            y[j] = k->y[j] + share[stage] * h * rate[j];
        }
        rates(k, y, rate);
        for (int j = 0; j < 4; j++) {
            total[j] += weight[stage] * rate[j];
        }
    }
    for (int j = 0; j < 4; j++) {
        next.y[j] += h / 6 * total[j];
    }
    return next;
}

/* Integrates until the normal spring is released; returns that time. */
static double run_to_release(sticking *k) {
    const double step = 1e-3;
    sticking next = after(k, step);
    double time = 0;
    for (; next.y[1] > 0; next = after(k, step)) {
        *k = next;
        time += step;
    }
    double low = 0, high = step;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (after(k, middle).y[1] > 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *k = after(k, low);
    return time + low;
}

/* The tangential spring snaps back as the normal one is released, and friction takes its energy. */
static void check_sticking(const batch *b, size_t i) {
    double coupling = batch_in(b, "inertia_coupling")[i], twice = 2 * batch_in(b, "angle")[i];
    double v_t = batch_in(b, "velocity_ratio")[i];
    sticking k = {.b11 = 1 + coupling * cos(twice),
                  .b12 = coupling * sin(twice),
                  .b22 = 1 - coupling * cos(twice),
                  .stiffness = 1 / batch_in(b, "stiffness_ratio")[i],
                  .y = {0, 0, v_t, -1}};
    double determinant = k.b11 * k.b22 - k.b12 * k.b12;
    double initial = (k.b22 * v_t * v_t + 2 * k.b12 * v_t + k.b11) / determinant;
    double time = run_to_release(&k), speed = k.y[3];
    double spring = k.stiffness * k.y[0] * k.y[0] / initial,
           near = 1e-6 * (1 + k.y[0] * k.y[0]) / fmin(speed * speed, 1);
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    CHECK_OUTPUT(b, i, "kinematic_restitution", speed, near);
    CHECK_OUTPUT(b, i, "velocity_ratio_out", k.y[2], near);
    CHECK_OUTPUT(b, i, "duration", time, near);
    CHECK_OUTPUT(b, i, "energy_loss", spring, near);
}

static void friction_without_end(void) {
    static const double frictions[] = {1e7, 1e8};
    batch b = batch_open("compliant", "body=general law=linear", 200);
    random_source source = {606};
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "inertia_coupling")[i] = random_between(&source, 0, 0.9);
        batch_in(&b, "angle")[i] = random_between(&source, -pi / 2, pi / 2);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -3, 3);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "friction")[i] = frictions[i % SUITE_COUNT(frictions)];
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        check_sticking(&b, i);
    }
    batch_close(&b);
}

/* ---- a slip that comes to rest as it separates ---- */

/* Neighbouring doubles across a grazing release, one of which was solved with an infinite
 * duration. */
static void no_slip_lasts_for_ever(void) {
    enum { NEIGHBOURS = 81 };
    batch b = batch_open("compliant", "body=general law=linear", NEIGHBOURS);
    double velocity_ratio = 1.7228005389114747;
    for (int i = 0; i < NEIGHBOURS / 2; i++) {
        velocity_ratio = nextafter(velocity_ratio, 0);
    }
    BATCH_SET(&b, {"friction", 1.8111065666703441}, {"stiffness_ratio", 5.1474621737476092},
              {"angle", 0.86026935840608587}, {"inertia_coupling", 0.80101154337577696});
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] = velocity_ratio;
        velocity_ratio = nextafter(velocity_ratio, 2);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK(batch_out(&b, "duration")[i] < 100, "duration %g: %s", batch_out(&b, "duration")[i],
              batch_text(&b, i));
    }
    batch_close(&b);
}

/* ---- a stick from first touch to separation ---- */

static const double turned[] = {-1e-6, -1e-8, -1e-10, -1e-11, -3e-12,
                                3e-12, 1e-11, 1e-10,  1e-8,   1e-6};

enum { TURNED = SUITE_COUNT(turned) };

/* The velocity ratio at which a slip after a first stick turns its direction; NaN if there is
 * none. */
static double turn_of_slip(const batch *one) {
    double low = NAN, at = -6, before = 0;
    for (; at < 6 && isnan(low); at += 0.2) {
        batch_set(one, "velocity_ratio", at);
        batch_solve(one);
        double now = *batch_out(one, "sequence");
        bool both = (before == 9 && now == 13) || (before == 13 && now == 9);
        low = both ? at - 0.2 : NAN;
        before = now;
    }
    double high = at - 0.2;
    double of_low = before == 9 ? 13 : 9;
    while (!isnan(low)) {
        double middle = low + (high - low) / 2;
        if (middle == low || middle == high) {
            break;
        }
        batch_set(one, "velocity_ratio", middle);
        batch_solve(one);
        if (*batch_out(one, "sequence") == of_low) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static int check_turn(const char *choices, random_source *source, double damping) {
    batch b = batch_open("compliant", choices, 1);
    batch_set(&b, "inertia_coupling", random_between(source, 0, 0.95));
    batch_set(&b, "angle", random_between(source, -pi / 2, pi / 2));
    batch_set(&b, "friction", random_log(source, 0.05, 3));
    batch_set(&b, "stiffness_ratio", random_log(source, 0.1, 10));
    if (damping > 0) {
        batch_set(&b, "damping", damping);
    }
    double at = turn_of_slip(&b);
    for (int k = 0; !isnan(at) && k < TURNED; k++) {
        batch_set(&b, "velocity_ratio", at + turned[k]);
        batch_solve(&b);
        CHECK(b.outcome[0] == IMP_SOLVED && *batch_out(&b, "sequence") != 1, "%s, off by %g: %s",
              batch_sequence(&b, 0), turned[k], batch_text(&b, 0));
    }
    batch_close(&b);
    return !isnan(at);
}

/* A free body sticks from first touch to separation in hardly any cell: only where the slip after
 * the stick would vanish. */
static void free_bodies_end_in_slip(void) {
    random_source source = {607};
    int found = 0;
    for (int i = 0; i < 60; i++) {
        found += check_turn("body=general law=linear", &source, 0);
        found += check_turn("body=general law=coupled", &source, 0);
        found += check_turn("body=general law=hertz", &source, 0);
        found += check_turn("body=general law=hertz", &source, random_log(&source, 0.05, 2));
    }
    CHECK(found > 60, "only %d turns", found);
}

/* ---- cells that no budget can solve ---- */

typedef struct wild {
    double b11, velocity_ratio, stiffness_ratio;
    imp_outcome outcome;
    const char *why;
} wild;

/* With next to no budget: all of it would be spent otherwise. */
static void check_wild(const char *choices, const wild *w) {
    enum { BUDGET = 200 };
    batch b = batch_open("compliant", choices, 1);
    BATCH_SET(&b, {"b11", w->b11}, {"b12", 1}, {"b22", 1}, {"friction", 1e-3},
              {"velocity_ratio", w->velocity_ratio}, {"stiffness_ratio", w->stiffness_ratio});
    imp_set_budget(b.solver, BUDGET);
    batch_solve(&b);
    CHECK(b.outcome[0] == w->outcome, "%s, %s, %s", w->why, choices, batch_text(&b, 0));
    batch_close(&b);
}

static void outside_is_told_early(void) {
    static const char *const laws[] = {"body=matrix law=linear", "body=matrix law=coupled",
                                       "body=matrix law=hertz"};
    static const wild cells[] = {
        {1e23, 1e18, 1.21, IMP_OUTSIDE, "a slip that ends in a stick with frequencies 3e11 apart"},
        {1e23, 1e22, 1.21, IMP_SOLVED, "a slip that does not end"},
        {1.5, 1e200, 1.21, IMP_OUTSIDE, "an energy above the range of doubles"},
    };
    for (int k = 0; k < SUITE_COUNT(laws) * SUITE_COUNT(cells); k++) {
        check_wild(laws[k % SUITE_COUNT(laws)], &cells[k / SUITE_COUNT(laws)]);
    }
    const wild soft = {1.5, 1, 0x1p-1072, IMP_OUTSIDE,
                       "an inertia above it, in units of the springs"};
    const wild calm = {1e23, 0, 1.21, IMP_SOLVED, "a stick in which the faster mode rests"};
    check_wild("body=matrix law=linear", &calm);
    check_wild("body=matrix law=linear", &soft);
    check_wild("body=matrix law=coupled", &soft);
}

SUITE("extremes", linear_inside_the_limits, power_inside_the_limits, friction_without_end,
      no_slip_lasts_for_ever, free_bodies_end_in_slip, outside_is_told_early)
