/* Histories of rigid impacts: their ends are the outputs, and between the events all columns are
 * linear in the normal impulse, but for the works. */
#include <math.h>
#include <stdio.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tape.h"

enum { P_N, P_T, V_T, V_N, WORK_N, WORK_T, SAMPLES = 41 };
enum { STICK = 1, SLIP_BACK, SLIP_FORTH };
enum { TOUCH = 1, COMPRESSED, HALT, SEPARATION, WEDGED };

static int count(const tape *t, int event) {
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        n += t->rows[i].event == event;
    }
    return n;
}

static const double *row_of(const tape *t, int event) {
    for (int i = 0; i < t->n; i++) {
        if (t->rows[i].event == event) {
            return t->rows[i].x;
        }
    }
    return t->rows[0].x;
}

/* Velocities follow from the impulses by B, whatever the path; work is their integral. */
static void check_row(const batch *b, const tape *t, int i) {
    const double *row = t->rows[i].x, *before = t->rows[i > 0 ? i - 1 : 0].x;
    double b11 = *batch_in(b, "b11"), b12 = *batch_in(b, "b12"), b22 = *batch_in(b, "b22");
    double speed = *batch_in(b, "normal_speed"), v = *batch_in(b, "velocity_ratio");
    double size = speed * (2 + fabs(v)) + b22 * row[P_N] + b11 * fabs(row[P_T]);
    double dp = row[P_N] - before[P_N], work = (row[V_N] + before[V_N]) / 2 * dp;
    CHECK_NEAR(row[V_T], v * speed + b11 * row[P_T] + b12 * row[P_N], 1e-12 * size, "row %d of %s",
               i, batch_text(b, 0));
    CHECK_NEAR(row[V_N], -speed + b12 * row[P_T] + b22 * row[P_N], 1e-12 * size, "row %d of %s", i,
               batch_text(b, 0));
    CHECK(dp >= 0, "row %d is earlier: %s", i, batch_text(b, 0));
    CHECK_NEAR(row[WORK_N] - before[WORK_N], work, 1e-12 * size * size / b22, "row %d of %s", i,
               batch_text(b, 0));
    bool right = t->rows[i].phase == STICK       ? fabs(row[V_T]) <= 1e-12 * size
                 : t->rows[i].phase == SLIP_BACK ? row[V_T] <= 1e-12 * size
                                                 : row[V_T] >= -1e-12 * size;
    CHECK(right, "phase %d at v_t %g: %s", t->rows[i].phase, row[V_T], batch_text(b, 0));
}

static void check_ends(const batch *b, const tape *t) {
    const double *end = row_of(t, SEPARATION), *turn = row_of(t, COMPRESSED);
    double speed = *batch_in(b, "normal_speed");
    bool broken = *batch_out(b, "mode") <= 4;
    CHECK(t->n == SAMPLES + 3 + broken, "%d rows: %s", t->n, batch_text(b, 0));
    CHECK(count(t, TOUCH) == 1 && count(t, COMPRESSED) == 1 && count(t, SEPARATION) == 1,
          "events of %s", batch_text(b, 0));
    CHECK(count(t, HALT) == broken, "%d halts: %s", count(t, HALT), batch_text(b, 0));
    CHECK_CELL_NEAR(b, 0, end[P_N], *batch_out(b, "normal_impulse"), 1e-14 * end[P_N]);
    CHECK_CELL_NEAR(b, 0, end[P_T], *batch_out(b, "tangential_impulse"), 1e-14 * end[P_N]);
    CHECK_CELL_NEAR(b, 0, end[V_N], *batch_out(b, "kinematic_restitution") * speed, 1e-12 * speed);
    CHECK_CELL_NEAR(b, 0, end[V_T], *batch_out(b, "velocity_ratio_out") * speed, 1e-12 * speed);
    CHECK_CELL_NEAR(b, 0, turn[V_N], 0, 1e-13 * speed);
    CHECK_CELL_NEAR(b, 0, (end[P_N] - turn[P_N]) / turn[P_N], *batch_out(b, "kinetic_restitution"),
                    1e-12);
    CHECK_CELL_NEAR(b, 0, sqrt((end[WORK_N] - turn[WORK_N]) / -turn[WORK_N]),
                    *batch_out(b, "energetic_restitution"), 1e-7);
    CHECK_CELL_NEAR(b, 0, turn[P_T] / turn[P_N], *batch_out(b, "approach_impulse_ratio"), 1e-12);
    CHECK(end[WORK_T] <= 1e-15, "friction works: %s", batch_text(b, 0));
}

static void take(const batch *b, tape *t) {
    CHECK_CELL(b, 0, tape_take(t, b, 0, SAMPLES) == b->outcome[0]);
}

static void free_bodies(void) {
    static const char *const laws[] = {"newton", "poisson", "energetic", "compromise"};
    random_source source = {531};
    for (int i = 0; i < 2000; i++) {
        char choices[64];
        static tape t;
        snprintf(choices, sizeof choices, "body=matrix law=%s", laws[i % 4]);
        batch b = batch_open("rigid", choices, 1);
        double b11 = random_log(&source, 0.3, 3), b22 = random_log(&source, 0.3, 3);
        batch_set(&b, "b11", b11);
        batch_set(&b, "b22", b22);
        batch_set(&b, "b12", random_between(&source, -0.9, 0.9) * sqrt(b11 * b22));
        batch_set(&b, "velocity_ratio", i % 9 ? random_between(&source, -2, 2) : 0);
        batch_set(&b, "friction", random_between(&source, 0, 1.5));
        batch_set(&b, "restitution", random_between(&source, 0.1, 1));
        batch_set(&b, "normal_speed", random_log(&source, 0.1, 10));
        batch_solve(&b);
        take(&b, &t);
        check_ends(&b, &t);
        for (int row = 0; row < t.n; row++) {
            check_row(&b, &t, row);
        }
        batch_close(&b);
    }
}

/* The phases of the rows, each once, in the code of a sequence. */
static double phases_of(const tape *t) {
    double sequence = 0, place = 1;
    for (int i = 0; i < t->n; i++) {
        bool begins = i == 0 || t->rows[i].phase != t->rows[i - 1].phase;
        sequence += begins ? place * t->rows[i].phase : 0;
        place *= begins ? 4 : 1;
    }
    return sequence;
}

/* The last row of a wedged body is in stick, also where a link is so flat that it never slips. */
static void wedged(void) {
    enum { CELLS = 200 };
    random_source source = {532};
    for (int i = 0; i < CELLS; i++) {
        static tape t;
        batch b = batch_open("rigid", "body=pendulum", 1);
        double angle = i % 20 ? random_between(&source, 0.02, 1.5) : 1.5707963267948;
        batch_set(&b, "angle", angle);
        batch_set(&b, "friction", tan(angle) * random_between(&source, 1.01, 5));
        batch_set(&b, "restitution", random_between(&source, 0, 1));
        batch_solve(&b);
        take(&b, &t);
        CHECK(*batch_out(&b, "mode") == 8 && t.n == SAMPLES + 2, "%d rows of %s", t.n,
              batch_text(&b, 0));
        CHECK(t.rows[t.n - 1].phase == STICK && row_of(&t, WEDGED)[V_N] <= 0, "phase %d ends %s",
              t.rows[t.n - 1].phase, batch_text(&b, 0));
        CHECK(phases_of(&t) == *batch_out(&b, "sequence"), "phases %g, sequence %s: %s",
              phases_of(&t), batch_sequence(&b, 0), batch_text(&b, 0));
        batch_close(&b);
    }
}

static void wedge_and_prescribed(void) {
    static tape t;
    batch b = batch_open("rigid", "body=pendulum", 1);
    BATCH_SET(&b, {"angle", 0.2}, {"friction", 0.5});
    batch_solve(&b);
    take(&b, &t);
    CHECK(count(&t, WEDGED) == 1 && count(&t, SEPARATION) == 0 && count(&t, COMPRESSED) == 0,
          "events of a wedge");
    CHECK_NEAR(row_of(&t, WEDGED)[V_N], 0, 1e-15, "a wedge at rest");
    CHECK_NEAR(row_of(&t, WEDGED)[P_N], *batch_out(&b, "normal_impulse"), 1e-15, "its impulse");
    batch_close(&b);
    b = batch_open("rigid", "body=rod law=impulse_ratio", 1);
    batch_solve(&b);
    take(&b, &t);
    CHECK(t.n == SAMPLES + 3 && t.rows[5].phase == 4, "%d rows, phase %d", t.n, t.rows[5].phase);
    CHECK_NEAR(row_of(&t, SEPARATION)[P_T], *batch_out(&b, "tangential_impulse"), 1e-15, "P_t");
    batch_close(&b);
    b = batch_open("rigid", "body=rod law=impulse_ratio", 1);
    batch_set(&b, "impulse_ratio", -50);
    batch_solve(&b);
    take(&b, &t);
    CHECK(b.outcome[0] == IMP_OUTSIDE && t.n == 0, "%d rows of a cell that is outside", t.n);
    batch_close(&b);
}

SUITE("rigid_history", free_bodies, wedged, wedge_and_prescribed)
