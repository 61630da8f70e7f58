/* Extreme cases of the thesis "Parameters Affecting Mechanical Collisions" (Oregon State
 * University), tables 2 and 3: a body with hemispherical ends, printed as its inertia coupling, its
 * angle and the direction of its approach (velocity_ratio), at Poisson's ratio 0.28. The printed
 * numbers carry the error of that thesis's time steps; the correct ones, to their last digit, come
 * from two independent exact and high-order solutions of the same equations. */
#include <math.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/suite.h"

typedef struct published_case {
    const char *name;
    double friction, coupling, angle, velocity_ratio;
    double kinematic, kinetic, energy_loss; /* correct */
    double printed_kinematic;               /* to half a unit of its last digit */
} published_case;

static const published_case cases[] = {
    {"A", 1.0, 0.614, 0.38, 5.177, 2.201772, 0.631570, 0.602862, 2.202},
    {"C", 0.5, 0.622, 0.24, 1.030, 1.212552, 0.913206, 0.091764, 1.213},
    {"A'", 1.0, 0.614, -0.38, 0.508, 0.605696, 1.239346, 0.533490, 0.606},
    {"C'", 0.5, 0.615, -0.36, 0.630, 0.724360, 1.189889, 0.476683, 0.724},
};

static void set_cell(const batch *b, size_t i, const published_case *row) {
    const double nu = 0.28;
    batch_in(b, "friction")[i] = row->friction;
    batch_in(b, "inertia_coupling")[i] = row->coupling;
    batch_in(b, "angle")[i] = row->angle;
    batch_in(b, "velocity_ratio")[i] = row->velocity_ratio;
    batch_in(b, "stiffness_ratio")[i] = (2 - nu) / (2 * (1 - nu));
}

static void extreme_cases(void) {
    batch b = batch_open("compliant", "body=general law=linear", SUITE_COUNT(cases));
    for (size_t i = 0; i < b.n; i++) {
        set_cell(&b, i, &cases[i]);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        const published_case *row = &cases[i];
        double e = batch_out(&b, "kinematic_restitution")[i];
        CHECK(b.outcome[i] == IMP_SOLVED, "%s: %s", row->name, batch_text(&b, i));
        CHECK_NEAR(e, row->kinematic, 1e-4, "case %s, kinematic restitution", row->name);
        CHECK_NEAR(e, row->kinematic, 0.6e-6, "case %s, kinematic restitution, all digits",
                   row->name);
        CHECK_NEAR(e, row->printed_kinematic, 0.0006, "case %s, printed", row->name);
        CHECK_NEAR(batch_out(&b, "kinetic_restitution")[i], row->kinetic, 0.6e-6,
                   "case %s, kinetic restitution", row->name);
        CHECK_NEAR(batch_out(&b, "energetic_restitution")[i], 1, 1e-9,
                   "case %s, energetic restitution", row->name);
        CHECK_NEAR(batch_out(&b, "energy_loss")[i], row->energy_loss, 0.6e-6,
                   "case %s, energy loss", row->name);
    }
    batch_close(&b);
}

/* Figure 45: the largest kinematic restitution at inertia coupling 0.8 and friction 1 for
 * approaches up to 1.4 rad from the normal is printed as "> 3"; it is 3.318, at angle 0.52. */
static void largest_restitution(void) {
    enum { ANGLES = 161, APPROACHES = 141 };
    const double nu = 0.28;
    batch b = batch_open("compliant", "body=general", (size_t)ANGLES * APPROACHES);
    BATCH_SET(&b, {"friction", 1}, {"inertia_coupling", 0.8},
              {"stiffness_ratio", (2 - nu) / (2 * (1 - nu))});
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = -0.8 + 0.01 * (double)(i / APPROACHES);
        batch_in(&b, "velocity_ratio")[i] = tan(0.01 * (double)(i % APPROACHES));
    }
    batch_solve(&b);
    const double *e = batch_out(&b, "kinematic_restitution");
    size_t best = 0;
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        best = e[i] > e[best] ? i : best;
    }
    CHECK(e[best] > 3, "the largest restitution is %g", e[best]);
    CHECK_NEAR(e[best], 3.318, 0.0006, "largest restitution");
    CHECK_NEAR(batch_in(&b, "angle")[best], 0.52, 1e-9, "its angle");
    batch_close(&b);
}

/* The extremes over every angle and direction of approach of a capsule of slenderness 5 at
 * Poisson's ratio 0.28. The thesis scanned a coarse grid; the correct values come from an
 * independent program. */
typedef struct extreme {
    const char *name;
    double friction, sign; /* sign 1: largest, -1: smallest */
    double kinematic;
} extreme;

static const extreme extremes[] = {
    {"A", 1.0, 1, 2.20111},
    {"C", 0.5, 1, 1.21308},
    {"A'", 1.0, -1, 0.60581},
    {"C'", 0.5, -1, 0.72374},
};

/* A window of angles and directions of approach, and the best cell in it. */
typedef struct window {
    double angle, approach, half_angle, half_approach, best;
} window;

enum { SIDE = 61, LEVELS = 30 };

static void search_window(const batch *b, double sign, window *w) {
    for (size_t i = 0; i < b->n; i++) {
        double right = -1 + 2.0 * (double)(i / SIDE) / (SIDE - 1);
        double up = -1 + 2.0 * (double)(i % SIDE) / (SIDE - 1);
        double approach = fmin(fmax(w->approach + up * w->half_approach, 0), 0.49 * pi);
        batch_in(b, "angle")[i] = w->angle + right * w->half_angle;
        batch_in(b, "velocity_ratio")[i] = tan(approach);
    }
    batch_solve(b);
    const double *e = batch_out(b, "kinematic_restitution");
    size_t best = b->n;
    for (size_t i = 0; i < b->n; i++) {
        bool better = best == b->n || sign * e[i] > sign * e[best];
        best = b->outcome[i] == IMP_SOLVED && better ? i : best;
    }
    if (best < b->n) {
        w->best = e[best];
        w->angle = batch_in(b, "angle")[best];
        w->approach = atan(batch_in(b, "velocity_ratio")[best]);
    }
    w->half_angle *= 0.7;
    w->half_approach *= 0.7;
}

static void searched_extremes(void) {
    batch b = batch_open("compliant", "body=capsule", (size_t)SIDE * SIDE);
    batch_stand_in(&b, "poisson_ratio");
    BATCH_SET(&b, {"poisson_ratio", 0.28}, {"slenderness", 5});
    for (int k = 0; k < SUITE_COUNT(extremes); k++) {
        window w = {.approach = 0.75, .half_angle = 1.15, .half_approach = 0.75};
        batch_set(&b, "friction", extremes[k].friction);
        for (int level = 0; level < LEVELS; level++) {
            search_window(&b, extremes[k].sign, &w);
        }
        CHECK_NEAR(w.best, extremes[k].kinematic, 0.6e-5, "case %s at angle %g", extremes[k].name,
                   w.angle);
    }
    batch_close(&b);
}

SUITE("published", extreme_cases, largest_restitution, searched_extremes)
