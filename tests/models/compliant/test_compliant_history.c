/* Histories of the compliant theory against the equations that they must obey, and against the
 * outputs of the cell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/phases.h"
#include "support/batch.h"
#include "support/contacts.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tape.h"

enum {
#define COLUMN(code, ...) code,
#include "models/compliant/columns.def"
    COLUMNS
};
enum { SAMPLES = 4001 };

static bool is(const batch *b, const tape_row *r, const char *event) {
    return strcmp(tape_event(b, r), event) == 0;
}

/* Samples are evenly spaced from first touch to the end; time never runs back. */
static void check_times(const batch *b, size_t i, const tape *t) {
    int samples = 0;
    double end = t->rows[t->n - 1].x[TIME];
    for (int k = 0; k < t->n; k++) {
        const tape_row *r = &t->rows[k];
        CHECK(k == 0 || r->x[TIME] >= t->rows[k - 1].x[TIME] - 1e-12 * end, "row %d at %g: %s", k,
              r->x[TIME], batch_text(b, i));
        if (r->event == 0) {
            CHECK_NEAR(r->x[TIME], end * samples / (SAMPLES - 1), 1e-9 * end, "sample %d of %s",
                       samples, batch_text(b, i));
            samples++;
        }
    }
    CHECK(samples == SAMPLES, "%d samples: %s", samples, batch_text(b, i));
}

/* The phases of the rows are those of the sequence, with an event between any two. */
static void check_phases(const batch *b, size_t i, const tape *t) {
    uint64_t sequence = 0;
    int phases = 0, before = 0, turns = 0;
    for (int k = 0; k < t->n; k++) {
        const tape_row *r = &t->rows[k];
        if (r->phase != before) {
            sequence |= (uint64_t)r->phase << (2 * phases++);
            bool named = is(b, r, r->phase == 1 ? "slip_ends" : "slip_begins");
            CHECK(before == 0 ? r->event == 0 : named, "event %d: %s", r->event, batch_text(b, i));
        }
        before = r->phase;
        if (is(b, r, "greatest_indentation")) {
            turns++;
            CHECK_OUTPUT(b, i, "compression_time", r->x[TIME], 1e-9 * r->x[TIME]);
        }
    }
    CHECK(sequence == (uint64_t)batch_out(b, "sequence")[i], "sequence of %s", batch_text(b, i));
    CHECK(turns == 1, "%d turns: %s", turns, batch_text(b, i));
}

/* du3/dt = v_n, dv = B dP by the trapezium rule; the rows are dense. */
static void check_motion(const batch *b, size_t i, const tape *t, const double *inertia) {
    double p_t = 0, p_n = 0, u3 = 0, u1 = 0, scale = 1 + fabs(t->rows[0].x[V_T]);
    for (int k = 1; k < t->n; k++) {
        const double *a = t->rows[k - 1].x, *z = t->rows[k].x;
        double half = (z[TIME] - a[TIME]) / 2;
        p_t += half * (a[F_T] + z[F_T]);
        p_n += half * (a[F_N] + z[F_N]);
        u3 += half * (a[V_N] + z[V_N]);
        /* The foot jumps into motion when stick ends: the row of that event already has its
         * speed. */
        double slips = t->rows[k - 1].phase == 1 ? 0 : a[SLIP] + z[SLIP];
        u1 += half * (a[V_T] + z[V_T] - slips);
        double v_t = inertia[0] * p_t + inertia[1] * p_n, v_n = inertia[1] * p_t + inertia[2] * p_n;
        CHECK_NEAR(z[V_T], t->rows[0].x[V_T] + v_t, 2e-5 * scale, "v_t, row %d: %s", k,
                   batch_text(b, i));
        CHECK_NEAR(z[V_N], t->rows[0].x[V_N] + v_n, 2e-5 * scale, "v_n, row %d: %s", k,
                   batch_text(b, i));
        CHECK_NEAR(z[U3], u3, 2e-5 * scale, "u3, row %d: %s", k, batch_text(b, i));
        CHECK_NEAR(z[U1], u1, 2e-5 * scale, "u1, row %d: %s", k, batch_text(b, i));
    }
    CHECK_OUTPUT(b, i, "normal_impulse", p_n, 2e-5 * scale);
    CHECK_OUTPUT(b, i, "tangential_impulse", p_t, 2e-5 * scale);
}

/* u1_rate is the slope of u1 within a phase, here by the rows on either side. */
static void check_rate(const batch *b, size_t i, const tape *t) {
    double fastest = 0;
    for (int k = 0; k < t->n; k++) {
        fastest = fmax(fastest, fabs(t->rows[k].x[U1_RATE]));
    }
    for (int k = 1; k + 1 < t->n; k++) {
        const tape_row *a = &t->rows[k - 1], *m = &t->rows[k], *z = &t->rows[k + 1];
        bool smooth = a->phase == m->phase && m->phase == z->phase && m->event == 0;
        double gap = z->x[TIME] - a->x[TIME];
        CHECK(!smooth || fabs(m->x[U1_RATE] * gap - (z->x[U1] - a->x[U1])) <= 5e-3 * fastest * gap,
              "u1_rate %g, row %d: %s", m->x[U1_RATE], k, batch_text(b, i));
    }
}

/* Stick holds the foot, within the cone; slip has the force of friction, against its direction. */
static void check_friction(const batch *b, size_t i, const tape *t) {
    double mu = batch_in(b, "friction")[i], peak_n = 0, peak_t = 0;
    for (int k = 0; k < t->n; k++) {
        const tape_row *r = &t->rows[k];
        double s = r->phase == 2 ? -1 : 1, f_n = r->x[F_N];
        if (r->phase == 1) {
            CHECK(r->x[SLIP] == 0 && fabs(r->x[F_T]) <= mu * f_n + 1e-9, "row %d: %s", k,
                  batch_text(b, i));
        } else {
            CHECK_NEAR(r->x[F_T], -s * mu * f_n, 1e-9, "row %d: %s", k, batch_text(b, i));
            CHECK(s * r->x[SLIP] >= -1e-9, "row %d: %s", k, batch_text(b, i));
        }
        peak_n = fmax(peak_n, f_n);
        peak_t = fmax(peak_t, fabs(r->x[F_T]));
    }
    double force = batch_out(b, "peak_normal_force")[i];
    CHECK(force >= peak_n * (1 - 1e-9) && force <= peak_n * (1 + 1e-4), "peak %g, seen %g: %s",
          force, peak_n, batch_text(b, i));
    force = batch_out(b, "peak_tangential_force")[i];
    CHECK(force >= peak_t * (1 - 1e-9) && force <= peak_t * (1 + 1e-3) + 1e-9,
          "peak %g, seen %g: %s", force, peak_t, batch_text(b, i));
}

/* The inverse of B; of a pendulum, whose B has rank one, that of v_n^2 alone. */
static double kinetic_energy(const double *b, double v_t, double v_n) {
    double determinant = b[0] * b[2] - b[1] * b[1];
    if (determinant < 1e-12) {
        return v_n * v_n / (2 * b[2]);
    }
    return (b[2] * v_t * v_t - 2 * b[1] * v_t * v_n + b[0] * v_n * v_n) / (2 * determinant);
}

/* Momentum and energy in every row: dv = B P, and what the works took from the kinetic energy is
 * stored or lost. The forces of the law coupled have no potential. */
static void check_balance(const batch *b, size_t i, const tape *t, const double *inertia,
                          bool potential) {
    const double *first = t->rows[0].x;
    double before = kinetic_energy(inertia, first[V_T], first[V_N]);
    double scale = 1 + fabs(first[V_T]);
    for (int k = 0; k < t->n; k++) {
        const double *x = t->rows[k].x;
        double v_t = inertia[0] * x[P_T] + inertia[1] * x[P_N];
        double v_n = inertia[1] * x[P_T] + inertia[2] * x[P_N];
        CHECK_NEAR(x[V_T], first[V_T] + v_t, 1e-8 * scale, "row %d: %s", k, batch_text(b, i));
        CHECK_NEAR(x[V_N], first[V_N] + v_n, 1e-8 * scale, "row %d: %s", k, batch_text(b, i));
        CHECK_NEAR(x[KINETIC], kinetic_energy(inertia, x[V_T], x[V_N]), 1e-8 * before, "row %d: %s",
                   k, batch_text(b, i));
        CHECK_NEAR(x[KINETIC], before + x[WORK_T] + x[WORK_N], 1e-9 * before, "row %d: %s", k,
                   batch_text(b, i));
        double elsewhere =
            x[STORED_T] + x[STORED_N] + x[FRICTION_LOSS] + x[NORMAL_LOSS] + x[TANGENTIAL_LOSS];
        CHECK(!potential || fabs(before - x[KINETIC] - elsewhere) <= 1e-8 * before,
              "%g is stored or lost of %g, row %d: %s", elsewhere, before - x[KINETIC], k,
              batch_text(b, i));
    }
}

/* Works, the loss to friction and that to damping by the trapezium rule. The power laws lose
 * nothing in the normal spring without damping, not even a rounding. */
static void check_works(const batch *b, size_t i, const tape *t, double damping) {
    bool lossless = damping == 0 && imp_input(b->solver, "restitution") < 0;
    double work_t = 0, work_n = 0, loss = 0, damped = 0;
    double scale = 1 + t->rows[0].x[KINETIC];
    for (int k = 1; k < t->n; k++) {
        const double *a = t->rows[k - 1].x, *z = t->rows[k].x;
        double half = (z[TIME] - a[TIME]) / 2;
        work_t += half * (a[F_T] * a[V_T] + z[F_T] * z[V_T]);
        work_n += half * (a[F_N] * a[V_N] + z[F_N] * z[V_N]);
        if (t->rows[k - 1].phase != 1) {
            loss -= half * (a[F_T] * a[SLIP] + z[F_T] * z[SLIP]);
        }
        damped += half * damping *
                  (pow(fmax(-a[U3], 0), 1.5) * a[V_N] * a[V_N] +
                   pow(fmax(-z[U3], 0), 1.5) * z[V_N] * z[V_N]);
        CHECK_NEAR(z[WORK_T], work_t, 3e-5 * scale, "row %d: %s", k, batch_text(b, i));
        CHECK_NEAR(z[WORK_N], work_n, 3e-5 * scale, "row %d: %s", k, batch_text(b, i));
        CHECK_NEAR(z[FRICTION_LOSS], loss, 3e-5 * scale, "row %d: %s", k, batch_text(b, i));
        CHECK(damping == 0 || fabs(z[NORMAL_LOSS] - damped) <= 3e-5 * scale, "row %d: %s", k,
              batch_text(b, i));
        CHECK(!lossless || z[NORMAL_LOSS] == 0, "%g is lost, row %d: %s", z[NORMAL_LOSS], k,
              batch_text(b, i));
    }
}

/* The springs by their own formulas; linear: the loss is that of the greatest indentation so
 * far. */
static void check_springs(const batch *b, size_t i, const tape *t, bool linear) {
    double eta = batch_in(b, "stiffness_ratio")[i], deepest = 0;
    double e = linear ? batch_in(b, "restitution")[i] : 1;
    for (int k = 0; k < t->n; k++) {
        const double *x = t->rows[k].x;
        double d = fmax(-x[U3], 0), u = fabs(x[U1]);
        deepest = fmax(deepest, d);
        if (linear) {
            double left = fmax(d - (1 - e * e) * deepest, 0);
            CHECK_NEAR(x[NORMAL_LOSS], (1 - e * e) * deepest * deepest / 2, 1e-6, "row %d: %s", k,
                       batch_text(b, i));
            double stored = d < deepest ? left * left / (2 * e * e) : e * e * d * d / 2;
            CHECK_NEAR(x[STORED_N], stored, 1e-6 * (1 + 1 / (e * e)), "row %d: %s", k,
                       batch_text(b, i));
            CHECK_NEAR(x[STORED_T], u * u / (2 * eta), 1e-8, "row %d: %s", k, batch_text(b, i));
        } else {
            CHECK_NEAR(x[STORED_N], 0.4 * pow(d, 2.5), 1e-8, "row %d: %s", k, batch_text(b, i));
            CHECK_NEAR(x[STORED_T], 0.4 * pow(u, 2.5) / eta, 1e-8, "row %d: %s", k,
                       batch_text(b, i));
        }
    }
}

/* The shares of work and loss against the differences of their sums from row to row, each of the
 * phase in which it begins. */
static void check_shares(const batch *b, size_t i, const tape *t) {
    enum { OF_BEFORE, OF_STICK, OF_AFTER };
    double work[3] = {0}, loss[3] = {0}, whole = t->rows[0].x[KINETIC];
    bool stuck = false;
    for (int k = 0; k < t->n; k++) {
        const double *x = t->rows[k].x, *next = t->rows[k + 1 < t->n ? k + 1 : k].x;
        const double found[] = {x[WORK_BEFORE], x[WORK_IN], x[WORK_AFTER], x[LOSS_BEFORE],
                                x[LOSS_AFTER]};
        const double expected[] = {work[OF_BEFORE], work[OF_STICK], work[OF_AFTER], loss[OF_BEFORE],
                                   loss[OF_AFTER]};
        for (int c = 0; c < SUITE_COUNT(found); c++) {
            CHECK_NEAR(found[c], expected[c], 1e-9 * whole, "share %d, row %d: %s", c, k,
                       batch_text(b, i));
        }
        bool sticks = t->rows[k].phase == IMP_STICK;
        int of = sticks ? OF_STICK : stuck ? OF_AFTER : OF_BEFORE;
        stuck = stuck || sticks;
        work[of] += next[WORK_T] - x[WORK_T];
        loss[of] += next[FRICTION_LOSS] - x[FRICTION_LOSS];
    }
}

/* The last row against the outputs of the cell, which are shares of the energy at the start. */
static void check_sums(const batch *b, size_t i, const tape *t) {
    const double *x = t->rows[t->n - 1].x;
    double loss = 0, whole = t->rows[0].x[KINETIC];
    for (int k = 0; k < 8; k++) {
        double part = batch_out(b, "slip_loss")[i * 8 + (size_t)k];
        loss += isfinite(part) ? part : 0;
    }
    CHECK_CELL_NEAR(b, i, x[FRICTION_LOSS], loss * whole, 1e-9 * whole);
    CHECK_OUTPUT(b, i, "normal_impulse", x[P_N], 1e-9 * (1 + x[P_N]));
    CHECK_OUTPUT(b, i, "tangential_impulse", x[P_T], 1e-9 * (1 + x[P_N]));
    double work =
        batch_out(b, "normal_work_compression")[i] + batch_out(b, "normal_work_restitution")[i];
    CHECK_CELL_NEAR(b, i, x[WORK_N], work * whole, 1e-9 * whole);
    work = batch_out(b, "tangential_work_compression")[i] +
           batch_out(b, "tangential_work_restitution")[i];
    CHECK_CELL_NEAR(b, i, x[WORK_T], work * whole, 1e-9 * whole);
}

static void check_end(const batch *b, size_t i, const tape *t) {
    const tape_row *last = &t->rows[t->n - 1];
    CHECK(is(b, last, "separation"), "event %d: %s", last->event, batch_text(b, i));
    CHECK_OUTPUT(b, i, "duration", last->x[TIME], 1e-9);
    CHECK_OUTPUT(b, i, "kinematic_restitution", last->x[V_N], 1e-9);
    CHECK_OUTPUT(b, i, "velocity_ratio_out", last->x[V_T], 1e-9);
}

static void trace(const batch *b, size_t i, tape *t) {
    CHECK_CELL(b, i, tape_take(t, b, i, SAMPLES) == IMP_SOLVED && t->n > SAMPLES);
}

static void check_energies(const batch *b, size_t i, const tape *t, const double *inertia,
                           const char *law) {
    bool linear = strcmp(law, "linear") == 0, coupled = strcmp(law, "coupled") == 0;
    check_balance(b, i, t, inertia, !coupled);
    check_works(b, i, t, strcmp(law, "hertz") == 0 ? batch_in(b, "damping")[i] : 0);
    if (!coupled) {
        check_springs(b, i, t, linear);
    }
}

static void histories_of(const char *law, uint64_t seed) {
    enum { CELLS = 40 };
    static tape t;
    char choices[64];
    snprintf(choices, sizeof choices, "body=general law=%s", law);
    batch b = batch_open("compliant", choices, CELLS);
    random_source source = {seed};
    contacts_draw(&b, &source);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] /= 8;
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.5, 3);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        trace(&b, i, &t);
        double coupling = batch_in(&b, "inertia_coupling")[i], a = 2 * batch_in(&b, "angle")[i];
        const double inertia[] = {1 + coupling * cos(a), coupling * sin(a), 1 - coupling * cos(a)};
        check_times(&b, i, &t);
        check_phases(&b, i, &t);
        check_motion(&b, i, &t, inertia);
        check_rate(&b, i, &t);
        check_friction(&b, i, &t);
        check_energies(&b, i, &t, inertia, law);
        check_sums(&b, i, &t);
        check_shares(&b, i, &t);
        check_end(&b, i, &t);
    }
    batch_close(&b);
}

static void every_law(void) {
    histories_of("linear", 61);
    histories_of("coupled", 62);
    histories_of("hertz", 63);
}

/* A pendulum's B has rank one: impulses do not follow from velocities. Its wedges end in a period
 * of stick. */
static void pendulums_of(const char *law, uint64_t seed) {
    enum { CELLS = 30 };
    static tape t;
    char choices[64];
    snprintf(choices, sizeof choices, "body=pendulum law=%s", law);
    batch b = batch_open("compliant", choices, CELLS);
    random_source source = {seed};
    contacts_draw(&b, &source);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, 0.02, 1.2);
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.5, 3);
    }
    batch_solve(&b);
    int wedges = 0;
    for (size_t i = 0; i < b.n; i++) {
        trace(&b, i, &t);
        double c = cos(batch_in(&b, "angle")[i]), s = sin(batch_in(&b, "angle")[i]);
        const double inertia[] = {c * c, s * c, s * s};
        check_energies(&b, i, &t, inertia, law);
        wedges += isnan(batch_out(&b, "normal_impulse")[i]);
        if (!isnan(batch_out(&b, "normal_impulse")[i])) {
            check_sums(&b, i, &t);
            check_shares(&b, i, &t);
        }
    }
    CHECK(wedges > 0 && wedges < CELLS, "%d wedges of %s", wedges, law);
    batch_close(&b);
}

static void pendulums(void) {
    pendulums_of("linear", 64);
    pendulums_of("coupled", 65);
    pendulums_of("hertz", 66);
}

/* What dashpots lose is the work of the force that is not the spring's, by the trapezium rule. */
static void check_dashpots(const batch *b, size_t i, const tape *t) {
    double eta = batch_in(b, "stiffness_ratio")[i], lost[2] = {0, 0};
    for (int k = 1; k < t->n; k++) {
        const double *a = t->rows[k - 1].x, *z = t->rows[k].x;
        double half = (z[TIME] - a[TIME]) / 2;
        lost[0] -= half * ((a[F_N] + a[U3]) * a[V_N] + (z[F_N] + z[U3]) * z[V_N]);
        lost[1] -=
            half * ((a[F_T] + a[U1] / eta) * a[U1_RATE] + (z[F_T] + z[U1] / eta) * z[U1_RATE]);
        CHECK_NEAR(z[NORMAL_LOSS], lost[0], 1e-3, "row %d: %s", k, batch_text(b, i));
        CHECK_NEAR(z[TANGENTIAL_LOSS], lost[1], 1e-3, "row %d: %s", k, batch_text(b, i));
    }
    const double *last = t->rows[t->n - 1].x;
    double whole = t->rows[0].x[KINETIC];
    CHECK_CELL_NEAR(b, i, last[NORMAL_LOSS], batch_out(b, "normal_loss")[i] * whole, 1e-9);
    CHECK_CELL_NEAR(b, i, last[TANGENTIAL_LOSS], batch_out(b, "tangential_loss")[i] * whole, 1e-9);
}

static void dashpots(void) {
    enum { CELLS = 40 };
    static tape t;
    batch b = batch_open("compliant", "body=general law=dashpot", CELLS);
    random_source source = {67};
    contacts_draw(&b, &source);
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&b, "velocity_ratio")[i] /= 8;
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.5, 3);
        batch_in(&b, "normal_damping_ratio")[i] = random_between(&source, 0, 0.5);
        batch_in(&b, "tangential_damping_ratio")[i] = i % 3 ? random_between(&source, 0, 0.5) : 0;
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        trace(&b, i, &t);
        double coupling = batch_in(&b, "inertia_coupling")[i], a = 2 * batch_in(&b, "angle")[i];
        const double inertia[] = {1 + coupling * cos(a), coupling * sin(a), 1 - coupling * cos(a)};
        check_balance(&b, i, &t, inertia, true);
        check_dashpots(&b, i, &t);
    }
    batch_close(&b);
}

SUITE("compliant history", every_law, pendulums, dashpots)
