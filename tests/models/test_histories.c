/* Histories of contacts in time of every theory but compliant, which has its own test: impulses,
 * works and energies against the forces and velocities of the same rows, conservation, and the
 * outputs of the cell. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tape.h"

enum { SAMPLES = 4001, CELLS = 25 };

/* The place of a column; -1 without one. */
static int column(const batch *b, const char *name) {
    const imp_history *history = b->theory->history;
    for (int c = 0; c < history->n_columns; c++) {
        if (strcmp(history->columns[c].name, name) == 0) {
            return c;
        }
    }
    return -1;
}

/* A force with the columns of its velocity, impulse and work; a work may belong to two forces. */
typedef struct direction {
    const char *force, *velocity, *impulse, *work;
} direction;

static const direction planar[] = {
    {"tangential_force", "tangential_velocity", "tangential_impulse", "tangential_work"},
    {"normal_force", "normal_velocity", "normal_impulse", "normal_work"}};
static const direction spatial[] = {
    {"force_1", "velocity_1", "impulse_1", "tangential_work"},
    {"force_2", "velocity_2", "impulse_2", "tangential_work"},
    {"normal_force", "normal_velocity", "normal_impulse", "normal_work"}};

/* Impulses and works are the integrals of the forces, by the trapezium rule. Where slip of the rod
 * turns back its force jumps, between two rows. */
static void check_integrals(const batch *b, size_t i, const tape *t, const direction *of, int n) {
    double near_enough = strcmp(b->theory->name, "viscoelastic") == 0 ? 1e-3 : 1e-4;
    double impulse[3] = {0}, work[2] = {0}, u3 = 0;
    int height = column(b, "u3"), v_n = column(b, "normal_velocity");
    for (int k = 1; k < t->n; k++) {
        const double *a = t->rows[k - 1].x, *z = t->rows[k].x;
        double half = (z[0] - a[0]) / 2;
        for (int d = 0; d < n; d++) {
            int f = column(b, of[d].force), v = column(b, of[d].velocity);
            impulse[d] += half * (a[f] + z[f]);
            work[d == n - 1] += half * (a[f] * a[v] + z[f] * z[v]);
            CHECK_NEAR(z[column(b, of[d].impulse)], impulse[d], near_enough, "%s, row %d: %s",
                       of[d].impulse, k, batch_text(b, i));
        }
        CHECK_NEAR(z[column(b, of[0].work)], work[0], near_enough, "row %d: %s", k,
                   batch_text(b, i));
        CHECK_NEAR(z[column(b, of[n - 1].work)], work[1], near_enough, "row %d: %s", k,
                   batch_text(b, i));
        u3 += half * (a[v_n] + z[v_n]);
        CHECK_NEAR(z[height], u3, near_enough, "u3, row %d: %s", k, batch_text(b, i));
    }
}

/* The works are taken from the kinetic energy, and what is not lost is stored. */
static void check_energies(const batch *b, size_t i, const tape *t) {
    static const char *const parts[] = {"tangential_energy", "normal_energy", "friction_loss",
                                        "normal_loss", "tangential_loss"};
    int kinetic = column(b, "kinetic_energy"), work_t = column(b, "tangential_work");
    int work_n = column(b, "normal_work"), lost = column(b, "friction_loss");
    int stored = column(b, "tangential_energy");
    double whole = t->rows[0].x[kinetic];
    for (int k = 0; k < t->n; k++) {
        const double *x = t->rows[k].x;
        CHECK_NEAR(x[kinetic], whole + x[work_t] + x[work_n], 1e-8 * whole, "row %d: %s", k,
                   batch_text(b, i));
        double sum = x[kinetic];
        for (int p = 0; p < SUITE_COUNT(parts); p++) {
            sum += column(b, parts[p]) >= 0 ? x[column(b, parts[p])] : 0;
        }
        CHECK(lost < 0 || fabs(sum - whole) <= 1e-6 * whole, "%g of %g, row %d: %s", sum, whole, k,
              batch_text(b, i));
        CHECK(stored < 0 || x[stored] >= -1e-6 * whole, "row %d: %s", k, batch_text(b, i));
        CHECK(lost < 0 || k == 0 || x[lost] >= t->rows[k - 1].x[lost] - 1e-9 * whole, "row %d: %s",
              k, batch_text(b, i));
    }
}

/* Times do not run back; there is one greatest indentation; the last row is the separation. */
static void check_rows(const batch *b, size_t i, const tape *t) {
    int samples = 0, turns = 0;
    for (int k = 0; k < t->n; k++) {
        samples += t->rows[k].event == 0;
        turns += t->rows[k].event == 1;
        CHECK(k == 0 || t->rows[k].x[0] >= t->rows[k - 1].x[0] - 1e-12, "row %d: %s", k,
              batch_text(b, i));
        CHECK(t->rows[k].event != 1 ||
                  fabs(t->rows[k].x[0] - batch_out(b, "compression_time")[i]) <=
                      1e-9 * t->rows[k].x[0],
              "row %d: %s", k, batch_text(b, i));
    }
    CHECK(samples == SAMPLES && turns == 1, "%d samples, %d turns: %s", samples, turns,
          batch_text(b, i));
    CHECK_CELL(b, i,
               t->rows[t->n - 1].event ==
                   b->theory->history->events[b->theory->history->n_events - 1].code);
}

/* The last row against the outputs of the cell. A strongly damped surface lets the tip go while it
 * is still pressed in: its energy is lost. */
static void check_end(const batch *b, size_t i, const tape *t) {
    const double *x = t->rows[t->n - 1].x;
    CHECK_OUTPUT(b, i, "duration", x[0], 1e-8 * x[0]);
    CHECK_OUTPUT(b, i, "kinematic_restitution", x[column(b, "normal_velocity")], 1e-7);
    CHECK_OUTPUT(b, i, "normal_impulse", x[column(b, "normal_impulse")], 1e-7);
    if (column(b, "friction_loss") >= 0) {
        double whole = t->rows[0].x[column(b, "kinetic_energy")];
        int normal = column(b, "normal_loss"), tangential = column(b, "tangential_loss");
        double loss = x[column(b, "friction_loss")] + (normal < 0 ? 0 : x[normal]) +
                      (tangential < 0 ? 0 : x[tangential]) + x[column(b, "normal_energy")];
        const char *share =
            strcmp(b->theory->name, "viscoelastic") == 0 ? "body_energy_loss" : "energy_loss";
        CHECK_CELL_NEAR(b, i, loss, batch_out(b, share)[i] * whole, 1e-6 * whole);
    }
}

/* u1_rate is the slope of u1 within a phase, here by the rows on either side. */
static void check_rate(const batch *b, size_t i, const tape *t) {
    int u1 = column(b, "u1"), rate = column(b, "u1_rate");
    for (int k = 1; rate >= 0 && k + 1 < t->n; k++) {
        const double *a = t->rows[k - 1].x, *m = t->rows[k].x, *z = t->rows[k + 1].x;
        bool smooth = t->rows[k - 1].phase == t->rows[k].phase &&
                      t->rows[k].phase == t->rows[k + 1].phase && !t->rows[k].event;
        CHECK(!smooth || fabs(m[rate] * (z[0] - a[0]) - (z[u1] - a[u1])) <= 1e-2 * (z[0] - a[0]),
              "u1_rate %g, row %d: %s", m[rate], k, batch_text(b, i));
    }
}

/* The greatest forces of the rows, where the cell has them: no row exceeds the output, and with so
 * many rows one comes near to it. */
static void check_peaks(const batch *b, size_t i, const tape *t) {
    static const char *const forces[] = {"normal_force", "tangential_force"};
    static const char *const outputs[] = {"peak_normal_force", "peak_tangential_force"};
    for (int f = 0; f < SUITE_COUNT(forces); f++) {
        if (imp_output_index(b->solver, outputs[f]) < 0) {
            continue;
        }
        double seen = 0, peak = batch_out(b, outputs[f])[i];
        for (int k = 0; k < t->n; k++) {
            seen = fmax(seen, fabs(t->rows[k].x[column(b, forces[f])]));
        }
        CHECK(peak >= seen * (1 - 1e-9) && peak <= seen * (1 + 1e-5), "%s %.17g, seen %.17g: %s",
              outputs[f], peak, seen, batch_text(b, i));
    }
}

static void trace_all(const batch *b, const direction *of, int n, double law_of_friction) {
    static tape t;
    int seen = 0;
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        if (b->outcome[i] != IMP_SOLVED) {
            continue; /* a rod whose other end touches */
        }
        CHECK_CELL(b, i, tape_take(&t, b, i, SAMPLES) == IMP_SOLVED && t.n > SAMPLES);
        check_rows(b, i, &t);
        check_integrals(b, i, &t, of, n);
        check_energies(b, i, &t);
        check_rate(b, i, &t);
        check_end(b, i, &t);
        check_peaks(b, i, &t);
        double mu = batch_in(b, "friction")[i];
        int f_n = column(b, "normal_force"), slip = column(b, "slip_speed");
        for (int k = 0; k < t.n; k++) {
            double f = 0, *x = t.rows[k].x;
            for (int d = 0; d < n - 1; d++) {
                f += x[column(b, of[d].force)] * x[column(b, of[d].force)];
            }
            CHECK(sqrt(f) <= mu * x[f_n] + law_of_friction, "%g of %g, row %d: %s", sqrt(f),
                  mu * x[f_n], k, batch_text(b, i));
            CHECK(t.rows[k].phase != 1 || x[slip] == 0, "row %d: %s", k, batch_text(b, i));
        }
        seen++;
    }
    CHECK(seen > CELLS / 2, "%d cells of %s", seen, b->theory->name);
}

static void space(void) {
    batch b = batch_open("compliant3d", "body=rod3d", CELLS);
    random_source source = {81};
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, -1.4, 1.4);
        batch_in(&b, "azimuth")[i] = random_between(&source, 0, 3);
        batch_in(&b, "heading")[i] = random_between(&source, -3, 3);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, 0, 2);
        batch_in(&b, "friction")[i] = random_between(&source, 0.05, 1);
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.8, 2);
        batch_in(&b, "restitution")[i] = i % 2 ? 1 : random_between(&source, 0.4, 1);
    }
    trace_all(&b, spatial, 3, 1e-6);
    batch_close(&b);
}

static void rod(void) {
    static const char *const rules[] = {"stick_rule=coulomb", "stick_rule=latched"};
    random_source source = {82};
    for (int r = 0; r < 2; r++) {
        batch b = batch_open("viscoelastic", rules[r], CELLS);
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&b, "angle")[i] = random_between(&source, -1, 1);
            batch_in(&b, "velocity_ratio")[i] = random_between(&source, -1, 1);
            batch_in(&b, "friction")[i] = random_between(&source, 0.05, 1);
            batch_in(&b, "damping")[i] = i % 2 ? 0 : random_between(&source, 0, 2);
            batch_in(&b, "exponent")[i] = i % 3 ? 1 : random_between(&source, 1, 2);
            batch_in(&b, "normal_stiffness")[i] = random_between(&source, 300, 2000);
        }
        trace_all(&b, planar, 2, r == 0 ? 1e-6 : INFINITY);
        batch_close(&b);
    }
}

static void elastic_bodies(void) {
    batch b = batch_open("continuum", "body=capsule", CELLS);
    random_source source = {83};
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, -1, 1);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -2, 2);
        batch_in(&b, "friction")[i] = random_between(&source, 0.05, 1);
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 1, 1.5);
    }
    trace_all(&b, planar, 2, 1e-6);
    batch_close(&b);
}

SUITE("histories", space, rod, elastic_bodies)
