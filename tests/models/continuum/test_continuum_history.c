/* Histories of the theory `continuum`: their rows against the equations of motion, by the trapezium
 * rule, and against the outputs of the same cell. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/contacts.h"
#include "support/suite.h"
#include "support/tape.h"

enum { TIME, U1, U3, F_T, F_N, V_T, V_N, SLIP, U1_RATE, STUCK, COLUMNS };
enum { STICK = 1, GROSS_BACK, GROSS_FORTH, PARTIAL_BACK, PARTIAL_FORTH };
enum { SAMPLES = 3001 };

/* The sequence of the rows is that of the output, and every change has its event. */
static void check_phases(const batch *b, size_t i, const tape *t) {
    uint64_t sequence = IMP_SEQUENCE_WIDE;
    int phases = 0, before = 0, turns = 0;
    for (int k = 0; k < t->n; k++) {
        const tape_row *r = &t->rows[k];
        const char *event = tape_event(b, r);
        if (r->phase != before) {
            bool room = phases < IMP_SEQUENCE_WIDE_PHASES;
            sequence |= room ? (uint64_t)r->phase << (3 * phases++) : 0;
            CHECK(k == 0 || strncmp(event, "slip_", 5) == 0, "'%s' in row %d: %s", event, k,
                  batch_text(b, i));
        }
        before = r->phase;
        if (strcmp(event, "greatest_indentation") == 0) {
            turns++;
            CHECK_CELL_NEAR(b, i, r->x[TIME], batch_out(b, "compression_time")[i],
                            1e-9 * r->x[TIME]);
        }
    }
    CHECK(sequence == (uint64_t)batch_out(b, "sequence")[i], "sequence of %s", batch_text(b, i));
    CHECK(turns == 1, "%d turns: %s", turns, batch_text(b, i));
}

/* du3/dt = v_n, dv = B dP, and du1/dt = v_t where the centre sticks. */
static void check_motion(const batch *b, size_t i, const tape *t) {
    double b11 = batch_in(b, "b11")[i], b12 = batch_in(b, "b12")[i], b22 = batch_in(b, "b22")[i];
    double p_t = 0, p_n = 0, u3 = 0, scale = 1 + fabs(t->rows[0].x[V_T]);
    for (int k = 1; k < t->n; k++) {
        const double *a = t->rows[k - 1].x, *z = t->rows[k].x;
        double half = (z[TIME] - a[TIME]) / 2;
        p_t += half * (a[F_T] + z[F_T]);
        p_n += half * (a[F_N] + z[F_N]);
        u3 += half * (a[V_N] + z[V_N]);
        CHECK_NEAR(z[V_T], t->rows[0].x[V_T] + b11 * p_t + b12 * p_n, 2e-5 * scale, "row %d: %s", k,
                   batch_text(b, i));
        CHECK_NEAR(z[V_N], t->rows[0].x[V_N] + b12 * p_t + b22 * p_n, 2e-5 * scale, "row %d: %s", k,
                   batch_text(b, i));
        CHECK_NEAR(z[U3], u3, 2e-5 * scale, "row %d: %s", k, batch_text(b, i));
        if (t->rows[k - 1].phase != GROSS_BACK && t->rows[k - 1].phase != GROSS_FORTH) {
            CHECK_NEAR(z[U1] - a[U1], half * (a[V_T] + z[V_T]), 1e-6 * scale, "row %d: %s", k,
                       batch_text(b, i));
        }
    }
    CHECK_CELL_NEAR(b, i, p_n, batch_out(b, "normal_impulse")[i], 2e-5 * scale);
    CHECK_CELL_NEAR(b, i, p_t, batch_out(b, "tangential_impulse")[i], 2e-5 * scale);
}

/* Friction is at its limit where the whole contact slips; the circle that sticks is the whole
 * contact, a part of it, or empty. */
static void check_friction(const batch *b, size_t i, const tape *t) {
    double mu = batch_in(b, "friction")[i], eta = batch_in(b, "stiffness_ratio")[i];
    for (int k = 0; k < t->n; k++) {
        const tape_row *r = &t->rows[k];
        const double *x = r->x;
        bool gross = r->phase == GROSS_BACK || r->phase == GROSS_FORTH;
        double s = r->phase % 2 ? 1 : -1;
        CHECK(fabs(x[F_T]) <= mu * x[F_N] + 1e-9 && x[F_N] >= 0, "row %d: %s", k, batch_text(b, i));
        CHECK(x[STUCK] >= 0 && x[STUCK] <= 1, "radius %g in row %d: %s", x[STUCK], k,
              batch_text(b, i));
        CHECK(r->phase != STICK || x[STUCK] == 1, "radius %g in row %d: %s", x[STUCK], k,
              batch_text(b, i));
        CHECK(gross || x[SLIP] == 0, "row %d: %s", k, batch_text(b, i));
        if (gross) {
            CHECK(x[STUCK] == 0 && s * x[SLIP] >= -1e-9, "row %d: %s", k, batch_text(b, i));
            CHECK_NEAR(x[F_T], -s * mu * x[F_N], 1e-9, "row %d: %s", k, batch_text(b, i));
            CHECK_NEAR(x[U1], -s * mu * eta * x[U3], 1e-9, "row %d: %s", k, batch_text(b, i));
        }
    }
    const tape_row *last = &t->rows[t->n - 1];
    CHECK_CELL(b, i, strcmp(tape_event(b, last), "separation") == 0);
    CHECK_CELL_NEAR(b, i, last->x[TIME], batch_out(b, "duration")[i], 5e-8);
    CHECK_CELL_NEAR(b, i, last->x[V_N], batch_out(b, "kinematic_restitution")[i], 5e-8);
    CHECK_CELL_NEAR(b, i, last->x[V_T], batch_out(b, "velocity_ratio_out")[i], 5e-8);
}

static void histories(void) {
    enum { CELLS = 60 };
    static tape t;
    batch b = batch_open("continuum", "body=matrix", CELLS);
    random_source source = {61};
    contacts_draw(&b, &source);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] /= 8;
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.5, 3);
        batch_in(&b, "b11")[i] /= batch_in(&b, "b22")[i];
        batch_in(&b, "b12")[i] /= batch_in(&b, "b22")[i];
        batch_in(&b, "b22")[i] = 1;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, tape_take(&t, &b, i, SAMPLES) == IMP_SOLVED && t.n > SAMPLES);
        check_phases(&b, i, &t);
        check_motion(&b, i, &t);
        check_friction(&b, i, &t);
    }
    batch_close(&b);
}

SUITE("continuum history", histories)
