/* The flow of slip: slip from rest leaves in exactly one direction whenever stick is impossible,
 * and it is the invariant direction along which the speed grows. The invariant directions are
 * computed here from the companion matrix of the quartic in tan(phi / 2). */
#include <math.h>
#include <string.h>

#include <gsl/gsl_poly.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

typedef struct flow {
    double b11, b12, b13, b22, b23, mu;
} flow;

static flow flow_of(const batch *b, size_t i) {
    return (flow){batch_in(b, "b11")[i], batch_in(b, "b12")[i], batch_in(b, "b13")[i],
                  batch_in(b, "b22")[i], batch_in(b, "b23")[i], batch_in(b, "friction")[i]};
}

static double f_at(const flow *w, double phi) {
    double c = cos(phi), s = sin(phi);
    return -w->mu * (w->b11 * c * c + 2 * w->b12 * s * c + w->b22 * s * s) + w->b13 * c +
           w->b23 * s;
}

static double g_at(const flow *w, double phi) {
    double c = cos(phi), s = sin(phi);
    return -w->mu * ((w->b22 - w->b11) * s * c + w->b12 * (c * c - s * s)) + w->b23 * c -
           w->b13 * s;
}

static double size_of(const flow *w) {
    return w->mu * (w->b11 + w->b22) + hypot(w->b13, w->b23);
}

/* Angles of the real roots; *vague: two roots nearly coincide, so that rounding decides. */
static int quartic_roots(const flow *w, double *phi, bool *vague) {
    double m = w->mu, d = m * (w->b22 - w->b11), z[8];
    const double c[] = {w->b23 - m * w->b12, -2 * d - 2 * w->b13, 6 * m * w->b12,
                        2 * d - 2 * w->b13, -m * w->b12 - w->b23};
    gsl_poly_complex_workspace *space = gsl_poly_complex_workspace_alloc(5);
    gsl_poly_complex_solve(c, 5, space, z);
    gsl_poly_complex_workspace_free(space);
    int n = 0;
    *vague = fabs(c[4]) < 1e-6 * size_of(w);
    for (int k = 0; k < 4; k++) {
        double skew = fabs(z[2 * k + 1]) / (1 + hypot(z[2 * k], z[2 * k + 1]));
        *vague |= skew > 1e-9 && skew < 1e-4;
        if (skew <= 1e-9) {
            phi[n++] = 2 * atan(z[2 * k]);
        }
    }
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < k; j++) {
            *vague |= fabs(sin((phi[k] - phi[j]) / 2)) < 1e-4;
        }
    }
    return n;
}

static double apart(double one, double two) {
    double turn = one - two;
    return fabs(turn - 2 * pi * floor(turn / (2 * pi) + 0.5));
}

/* The directions of the product are the roots, each once. */
static void check_directions(const batch *b, size_t i, const flow *w, const double *phi, int n) {
    const double *given = &batch_out(b, "invariant_direction")[4 * i];
    CHECK(batch_out(b, "invariant_count")[i] == n, "%g directions instead of %d: %s",
          batch_out(b, "invariant_count")[i], n, batch_text(b, i));
    int nodes = 0;
    for (int k = 0; k < n; k++) {
        double nearest = INFINITY;
        for (int j = 0; j < n; j++) {
            nearest = fmin(nearest, apart(given[j], phi[k]));
        }
        CHECK(nearest <= 1e-8, "direction %.17g is missing by %.3g: %s", phi[k], nearest,
              batch_text(b, i));
        CHECK(k == 0 || given[k] > given[k - 1], "order: %s", batch_text(b, i));
        CHECK(fabs(g_at(w, given[k])) <= 4e-15 * size_of(w), "g = %.3g: %s", g_at(w, given[k]),
              batch_text(b, i));
        CHECK_CELL_NEAR(b, i, batch_out(b, "invariant_f")[4 * i + (size_t)k], f_at(w, given[k]),
                        1e-14 * size_of(w));
        nodes += batch_out(b, "invariant_f")[4 * i + (size_t)k] < 0 &&
                 batch_out(b, "invariant_g_prime")[4 * i + (size_t)k] < 0;
    }
    CHECK_CELL(b, i, batch_out(b, "node_count")[i] == nodes);
    /* There are no unstable nodes: f + g' is never positive. */
    for (int k = 0; k < n; k++) {
        size_t at = 4 * i + (size_t)k;
        CHECK(batch_out(b, "invariant_f")[at] + batch_out(b, "invariant_g_prime")[at] <=
                  1e-14 * size_of(w),
              "unstable: %s", batch_text(b, i));
    }
}

static void check_outgoing(const batch *b, size_t i, const flow *w, const double *phi, int n) {
    int outgoing = 0;
    double direction = 0;
    for (int k = 0; k < n; k++) {
        if (f_at(w, phi[k]) > 0) {
            outgoing++;
            direction = phi[k];
        }
    }
    double determinant = w->b11 * w->b22 - w->b12 * w->b12;
    double t1 = (w->b22 * w->b13 - w->b12 * w->b23) / determinant;
    double t2 = (w->b11 * w->b23 - w->b12 * w->b13) / determinant, least = hypot(t1, t2);
    CHECK_OUTPUT(b, i, "critical_friction", least, 1e-9 * least);
    bool sticks = least <= w->mu;
    CHECK(strcmp(batch_mode(b, i), sticks ? "stick" : "slip_from_rest") == 0, "%s: %s",
          batch_mode(b, i), batch_text(b, i));
    CHECK(outgoing == (sticks ? 0 : 1), "%d outgoing directions: %s", outgoing, batch_text(b, i));
    if (!sticks && outgoing == 1) {
        CHECK(apart(batch_out(b, "heading_out")[i], direction) <= 1e-8,
              "leaves along %.17g instead of %.17g: %s", batch_out(b, "heading_out")[i], direction,
              batch_text(b, i));
    }
}

static void one_way_out(void) {
    enum { CELLS = 200000, MOST_VAGUE = CELLS / 100 };
    batch b = batch_open("swerve", "body=matrix3d", CELLS);
    random_source source = {7301};
    batch_set(&b, "velocity_ratio", 0);
    for (size_t i = 0; i < CELLS; i++) {
        inertia m = inertia_random(&source, 100);
        inertia_set(&b, i, &m);
        batch_in(&b, "friction")[i] = random_between(&source, 0, 2);
    }
    batch_solve(&b);
    int vague_cells = 0, out = 0;
    for (size_t i = 0; i < CELLS; i++) {
        flow w = flow_of(&b, i);
        double phi[4];
        bool vague;
        int n = quartic_roots(&w, phi, &vague);
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        vague_cells += vague;
        out += strcmp(batch_mode(&b, i), "slip_from_rest") == 0;
        if (!vague) {
            check_directions(&b, i, &w, phi, n);
            check_outgoing(&b, i, &w, phi, n);
        }
    }
    CHECK(vague_cells <= MOST_VAGUE, "%d cells too near to a double root", vague_cells);
    CHECK(out > CELLS / 10 && out < CELLS, "%d cells slip from rest", out);
    batch_close(&b);
}

/* ---- bifurcations ---- */

/* Without b12 and b23, g = sin(phi) (mu (b11 - b22) cos(phi) - b13) and f < 0 at 0, where g has a
 * triple zero if b13 = mu (b11 - b22). This attracts if b13 > 0; then slip turns to 0, and
 * otherwise to pi. */
static void set_bifurcation(const batch *b, size_t i, random_source *source) {
    double mu = random_between(source, 0.2, 2), least = random_between(source, 0.5, 1);
    double more = random_between(source, 0.5, 1), sign = i % 2 == 0 ? 1 : -1;
    double along = sign > 0 ? least + more : least, across = sign > 0 ? least : least + more;
    double coupling = mu * (along - across);
    inertia m = {{{along, 0, coupling}, {0, across, 0}, {coupling, 0, 0}}};
    m.b[2][2] = coupling * coupling / along + 1;
    double azimuth = i % 5 == 0 ? (double)(i / 5 % 24) * pi / 12 : random_between(source, -pi, pi);
    m = inertia_turned(&m, azimuth);
    inertia_set(b, i, &m);
    batch_in(b, "friction")[i] = mu;
    batch_in(b, "restitution")[i] = 0.5;
    batch_in(b, "velocity_ratio")[i] = random_log(source, 1e-3, 0.1);
    batch_in(b, "heading")[i] = azimuth; /* the place of the triple zero */
}

static void bifurcation(void) {
    enum { CELLS = 10000 };
    static double from[CELLS], azimuth[CELLS];
    batch b = batch_open("swerve", "body=matrix3d law=newton", CELLS);
    random_source source = {7901};
    for (size_t i = 0; i < CELLS; i++) {
        set_bifurcation(&b, i, &source);
        azimuth[i] = batch_in(&b, "heading")[i];
        from[i] = (i % 4 < 2 ? 1 : -1) * random_between(&source, 0.2, 2.9);
        batch_in(&b, "heading")[i] = remainder(azimuth[i] + from[i], 2 * pi);
    }
    batch_solve(&b);
    int halts = 0;
    for (size_t i = 0; i < CELLS; i++) {
        bool attracts = i % 2 == 0;
        CHECK(batch_out(&b, "invariant_count")[i] == 2, "%g directions: %s",
              batch_out(&b, "invariant_count")[i], batch_text(&b, i));
        for (int k = 0; k < 2; k++) {
            double off = batch_out(&b, "invariant_direction")[4 * i + (size_t)k] - azimuth[i];
            CHECK(fabs(sin(off)) < 1e-13, "direction %d off by %.3g: %s", k, sin(off),
                  batch_text(&b, i));
        }
        if (attracts) {
            CHECK_CELL(&b, i, batch_out(&b, "node_count")[i] == 1);
        }
        if (strcmp(batch_mode(&b, i), "slip_stick") == 0) {
            double to = attracts ? 0 : from[i] > 0 ? pi : -pi;
            CHECK_OUTPUT(&b, i, "swerve", to - from[i], 1e-12);
            halts++;
        }
    }
    CHECK(halts > CELLS / 2, "%d halts", halts);
    batch_close(&b);
}

SUITE("swerve flow", one_way_out, bifurcation)
