/* Slip that halts exactly as compression ends. Along a straight line the slip speed and the normal
 * velocity fall in proportion to the normal impulse, so that a ratio of velocities puts both zeros
 * in one point; rounding puts either first, or both in the same place. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const laws[] = {"newton", "poisson", "energetic", "compromise"};
/* The theory rigid has the first of them, too. */
static const char *const outputs[] = {
    "kinematic_restitution", "kinetic_restitution", "energetic_restitution", "lambda_newton",
    "lambda_poisson",        "lambda_energetic",    "velocity_ratio_out",    "normal_impulse",
    "energy_loss",           "compression_impulse", "halt_impulse",          "swerve"};

static batch batch_with(const char *theory, const char *body, const char *law, size_t n) {
    char choices[100] = "body=";
    strcat(strcat(strcat(choices, body), " law="), law);
    return batch_open(theory, choices, n);
}

/* Any restitution, often hardly any, the whole, or half of it. */
static double draw_restitution(random_source *source, size_t i) {
    static const double rare[] = {1e-6, 1, 0.5};
    return i % 3 == 0 ? rare[i / 3 % SUITE_COUNT(rare)] : random_between(source, 0.01, 1);
}

/* ---- the plane: the theory rigid solves it in closed form ---- */

/* Sets a body that is symmetric to the plane of slip, and slip along axis 1 that halts as
 * compression ends. Returns false if friction along this way does not stop it. */
static bool set_planar(const batch *b, const batch *plane, size_t i, random_source *source) {
    inertia m = inertia_random(source, 20);
    m.b[0][1] = m.b[1][0] = m.b[1][2] = m.b[2][1] = 0;
    double mu = random_between(source, 0.05, 1.5), sign = i % 2 == 0 ? 1 : -1;
    double slower = mu * m.b[0][0] - sign * m.b[0][2], lift = m.b[2][2] - sign * mu * m.b[0][2];
    bool stops = slower > 0.01 && lift > 0.01;
    double ratio = stops ? slower / lift : 1, e = draw_restitution(source, i);
    inertia_set(b, i, &m);
    batch_in(b, "heading")[i] = sign > 0 ? 0 : pi;
    batch_in(b, "velocity_ratio")[i] = ratio;
    batch_in(plane, "velocity_ratio")[i] = sign * ratio;
    batch_in(plane, "b11")[i] = m.b[0][0];
    batch_in(plane, "b12")[i] = m.b[0][2];
    batch_in(plane, "b22")[i] = m.b[2][2];
    batch_in(b, "friction")[i] = batch_in(plane, "friction")[i] = mu;
    batch_in(b, "restitution")[i] = batch_in(plane, "restitution")[i] = e;
    return stops;
}

static void as_in_the_plane(const char *law) {
    enum { CELLS = 6000, COMPARED = 9 };
    static bool stops[CELLS];
    batch b = batch_with("swerve", "matrix3d", law, CELLS);
    batch plane = batch_with("rigid", "matrix", law, CELLS);
    random_source source = {7801};
    for (size_t i = 0; i < CELLS; i++) {
        stops[i] = set_planar(&b, &plane, i, &source);
    }
    BATCH_SOLVE(&b, &plane);
    int sticks = 0, resumes = 0;
    for (size_t i = 0; i < CELLS; i++) {
        if (!stops[i] || plane.outcome[i] != IMP_SOLVED) {
            continue;
        }
        const char *mode = batch_mode(&b, i);
        sticks += strcmp(mode, "slip_stick") == 0;
        resumes += strcmp(mode, "slip_resumed") == 0;
        CHECK(strncmp(mode, "slip_", 5) == 0, "%s, %s: %s", law, mode, batch_text(&b, i));
        for (int k = 0; k < COMPARED; k++) {
            double there = batch_out(&plane, outputs[k])[i], here = batch_out(&b, outputs[k])[i];
            there = strcmp(outputs[k], "velocity_ratio_out") == 0 ? fabs(there) : there;
            CHECK_NEAR(here, there, 1e-9 * (1 + fabs(there)), "%s, %s: %s", law, outputs[k],
                       batch_text(&b, i));
        }
        CHECK_OUTPUT(&b, i, "halt_impulse", batch_out(&b, "compression_impulse")[i],
                     1e-12 * batch_out(&b, "compression_impulse")[i]);
    }
    CHECK(sticks > 2000 && resumes > 100, "%s: %d stick, %d slip on", law, sticks, resumes);
    BATCH_CLOSE(&b, &plane);
}

static void in_the_plane(void) {
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        as_in_the_plane(laws[k]);
    }
}

/* ---- neighbours: cells whose slip halts a little before or after ---- */

/* Bodies that slip in straight lines, whose slip halts as compression ends if it starts with this
 * ratio times the friction. The rod is upright. */
typedef struct line {
    const char *body;
    double ratio;
} line;

static void compare_with(const batch *b, const batch *near, size_t i) {
    CHECK(b->outcome[i] == IMP_SOLVED, "outcome %d: %s", b->outcome[i], batch_text(b, i));
    CHECK(strcmp(batch_mode(b, i), "slip_stick") == 0, "%s: %s", batch_mode(b, i),
          batch_text(b, i));
    for (int k = 0; k < SUITE_COUNT(outputs); k++) {
        double there = batch_out(near, outputs[k])[i];
        CHECK_NEAR(batch_out(b, outputs[k])[i], there, 1e-7 * (1 + fabs(there)), "%s: %s",
                   outputs[k], batch_text(b, i));
    }
}

static void draw_line(const batch *b, const line *l) {
    random_source source = {7802};
    for (size_t i = 0; i < b->n; i++) {
        double mu = i % 2 == 0 ? 0.01 * (double)(5 + i % 195) : random_between(&source, 0.05, 2);
        batch_in(b, "heading")[i] = i % 4 > 1 ? random_between(&source, -pi, pi) : 0;
        batch_in(b, "friction")[i] = mu;
        batch_in(b, "velocity_ratio")[i] = l->ratio * mu;
        batch_in(b, "restitution")[i] = draw_restitution(&source, i);
    }
    if (strcmp(l->body, "rod3d") == 0) {
        batch_set(b, "angle", 0);
    }
}

static void follow_line(const line *l, const char *law) {
    enum { CELLS = 3000 };
    static const double part[] = {1, 1 + 1e-9, 1 - 1e-9};
    batch b[SUITE_COUNT(part)];
    for (int k = 0; k < SUITE_COUNT(part); k++) {
        b[k] = batch_with("swerve", l->body, law, CELLS);
        draw_line(&b[k], l);
        for (size_t i = 0; i < CELLS; i++) {
            batch_in(&b[k], "velocity_ratio")[i] *= part[k];
        }
        batch_solve(&b[k]);
    }
    for (size_t i = 0; i < CELLS; i++) {
        /* Faster slip does not halt before a restitution so small ends. */
        if (batch_in(&b[0], "restitution")[i] > 1e-3) {
            compare_with(&b[0], &b[1], i);
        }
        compare_with(&b[0], &b[2], i);
    }
    for (int k = 0; k < SUITE_COUNT(part); k++) {
        batch_close(&b[k]);
    }
}

static void neighbours(void) {
    static const line lines[] = {{"sphere3d", 3.5}, {"rod3d", 4}};
    for (int k = 0; k < SUITE_COUNT(lines); k++) {
        for (int j = 0; j < SUITE_COUNT(laws); j++) {
            follow_line(&lines[k], laws[j]);
        }
    }
}

/* ---- no restitution: the contact ends as slip does, and ratios are those of hardly any ---- */

static void no_restitution_by(const char *law) {
    enum { CELLS = 2000 };
    static bool stops[CELLS];
    batch none = batch_with("swerve", "matrix3d", law, CELLS);
    batch little = batch_with("swerve", "matrix3d", law, CELLS);
    batch plane = batch_with("rigid", "matrix", law, CELLS);
    random_source source = {7803}, again = {7803};
    for (size_t i = 0; i < CELLS; i++) {
        stops[i] = set_planar(&none, &plane, i, &source);
        (void)set_planar(&little, &plane, i, &again);
    }
    batch_set(&none, "restitution", 0);
    batch_set(&little, "restitution", 1e-6);
    BATCH_SOLVE(&none, &little);
    int exact = 0;
    for (size_t i = 0; i < CELLS; i++) {
        if (!stops[i] || little.outcome[i] != IMP_SOLVED) {
            continue;
        }
        CHECK(none.outcome[i] == IMP_SOLVED, "outcome %d: %s", none.outcome[i],
              batch_text(&none, i));
        CHECK_OUTPUT(&none, i, "velocity_ratio_out", 0,
                     1e-15 * (1 + batch_in(&none, "velocity_ratio")[i]));
        /* Of other cells rounding leaves some slip, or a halt before. */
        bool ends = strcmp(batch_mode(&none, i), "slip") == 0;
        exact += ends && batch_out(&none, "velocity_ratio_out")[i] == 0;
        for (int k = 3; k < 6 && ends && batch_out(&none, "velocity_ratio_out")[i] == 0; k++) {
            double there = batch_out(&little, outputs[k])[i];
            CHECK_NEAR(batch_out(&none, outputs[k])[i], there, 1e-4 * (1 + there), "%s, %s: %s",
                       law, outputs[k], batch_text(&none, i));
        }
    }
    CHECK(exact > 500, "%s: %d cells", law, exact);
    BATCH_CLOSE(&none, &little, &plane);
}

static void no_restitution(void) {
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        no_restitution_by(laws[k]);
    }
}

SUITE("swerve, slip that halts as compression ends", in_the_plane, neighbours, no_restitution)
