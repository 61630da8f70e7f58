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

/* ---- folds ---- */

static double dyadic(random_source *source, double least, double most) {
    return least + 0.25 * floor(random_between(source, 0, (most - least) * 4 + 1));
}

/* As seen from axes that are turned by so many right angles. */
static flow from_axes(flow w, int quarters) {
    for (int k = 0; k < quarters; k++) {
        w = (flow){w.b22, -w.b12, w.b23, w.b11, -w.b13, w.mu};
    }
    return w;
}

/* g touches 0 at pi/2 if b13 = mu b12 and b23 = mu (b22 - b11), which numbers with few digits are
 * exactly, and in the mirror image at -pi/2. Returns whether there is such a body. */
static bool set_fold(const batch *b, size_t i, random_source *source) {
    double mu = dyadic(source, 0.25, 4), b11 = dyadic(source, 0.5, 4), b22 = dyadic(source, 0.5, 4);
    double b12 = dyadic(source, -1, 1), b13 = mu * b12, b23 = mu * (b22 - b11);
    double determinant = b11 * b22 - b12 * b12;
    double held = b22 * b13 * b13 - 2 * b12 * b13 * b23 + b11 * b23 * b23;
    if (b12 == 0 || determinant <= 0.1) {
        return false;
    }
    double sign = i % 2 == 0 ? 1 : -1;
    flow w = from_axes((flow){b11, sign * b12, b13, b22, sign * b23, mu}, (int)(i / 4 % 4));
    inertia m = {{{w.b11, w.b12, w.b13}, {w.b12, w.b22, w.b23}, {w.b13, w.b23, 0}}};
    m.b[2][2] = ceil(held / determinant) + 1;
    inertia_set(b, i, &m);
    batch_in(b, "friction")[i] = mu;
    batch_in(b, "restitution")[i] = 0.5;
    batch_in(b, "velocity_ratio")[i] = random_log(source, 0.05, 2);
    batch_in(b, "heading")[i] = random_between(source, -pi, pi);
    return true;
}

/* With u = tan((phi - pi/2) / 2), g is u^2 (b12 (u^2 - 3) + 2 (b11 - b22) u) times a factor. */
static void fold_directions(const batch *b, size_t i, double *phi) {
    int quarters = (int)(i / 4 % 4);
    flow w = from_axes(flow_of(b, i), 4 - quarters);
    double sign = i % 2 == 0 ? 1 : -1, from = -quarters * pi / 2;
    double b12 = sign * w.b12, half = w.b11 - w.b22, root = sqrt(half * half + 3 * b12 * b12);
    phi[0] = phi[1] = from + sign * pi / 2;
    phi[2] = from + sign * (pi / 2 + 2 * atan2(root - half, b12));
    phi[3] = from + sign * (pi / 2 + 2 * atan2(-root - half, b12));
}

static bool sticks_barely(const batch *b, size_t i) {
    return fabs(batch_out(b, "critical_friction")[i] - batch_in(b, "friction")[i]) < 1e-9;
}

/* Slip turns to the next direction in the sense of g, and halts there or earlier. */
static void check_fold(const batch *b, size_t i, const double *phi, const flow *w) {
    double from = batch_in(b, "heading")[i], sense = g_at(w, from) < 0 ? -1 : 1, ahead = 2 * pi;
    const double *given = &batch_out(b, "invariant_direction")[4 * i];
    int falling = 1;
    for (int k = 0; k < 4; k++) {
        double turn = sense * (phi[k] - from), nearest = pi;
        ahead = fmin(ahead, turn - 2 * pi * floor(turn / (2 * pi)));
        for (int j = 0; j < 4; j++) {
            nearest = fmin(nearest, apart(given[j], phi[k]));
        }
        CHECK(nearest <= 1e-14, "%.17g is missing: %s", phi[k], batch_text(b, i));
        falling += k > 1 && f_at(w, phi[k]) < 0 && g_at(w, phi[k] + 1e-3) < 0;
    }
    falling -= f_at(w, phi[0]) > 0;
    CHECK(batch_out(b, "invariant_count")[i] == 4, "%s", batch_text(b, i));
    bool barely = sticks_barely(b, i);
    CHECK(batch_out(b, "node_count")[i] == falling || barely, "%g nodes instead of %d: %s",
          batch_out(b, "node_count")[i], falling, batch_text(b, i));
    double swerve = sense * batch_out(b, "swerve")[i];
    if (strcmp(batch_mode(b, i), "slip") != 0) {
        CHECK_NEAR(swerve, ahead, 1e-13, "%s", batch_text(b, i));
    } else {
        CHECK(swerve >= 0 && swerve <= ahead + 1e-14, "%.17g: %s", swerve, batch_text(b, i));
    }
}

/* A little more friction makes two directions of the double one, at which slip halts as here. A
 * little less leaves none, and slip may pass the place, as good as halted. */
static void check_neighbour(const batch *b, const batch *beside, size_t i) {
    bool same = strcmp(batch_mode(b, i), batch_mode(beside, i)) == 0;
    bool less = batch_in(beside, "friction")[i] < batch_in(b, "friction")[i];
    CHECK(same || less || sticks_barely(b, i), "%s beside %s: %s", batch_mode(b, i),
          batch_mode(beside, i), batch_text(b, i));
    CHECK_NEAR(batch_out(b, "velocity_ratio_out")[i], batch_out(beside, "velocity_ratio_out")[i],
               1e-9, "%s", batch_text(b, i));
    CHECK_NEAR(batch_out(b, "energy_loss")[i], batch_out(beside, "energy_loss")[i], 1e-9, "%s",
               batch_text(b, i));
}

static void folds(void) {
    enum { CELLS = 20000 };
    batch b = batch_open("swerve", "body=matrix3d law=newton", CELLS);
    batch beside = batch_again(&b, "body=matrix3d law=newton");
    random_source source = {7301};
    for (size_t i = 0; i < CELLS; i++) {
        while (!set_fold(&b, i, &source)) {
        }
    }
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        memcpy(beside.in[p], b.in[p], CELLS * sizeof(double));
    }
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&beside, "friction")[i] *= i % 4 < 2 ? 1 - 1e-12 : 1 + 1e-12;
    }
    batch_solve(&b);
    batch_solve(&beside);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED && beside.outcome[i] == IMP_SOLVED, "%s",
              batch_text(&b, i));
        flow w = flow_of(&b, i);
        double phi[4];
        fold_directions(&b, i, phi);
        check_fold(&b, i, phi, &w);
        check_neighbour(&b, &beside, i);
    }
    BATCH_CLOSE(&beside, &b);
}

/* ---- hardly any friction ---- */

/* Without coupling, friction down to the least number turns no slip that is faster, and its
 * directions are those of any other friction. Slip that is as slow as its product with friction is
 * turned and halted by it, as always. */
static void check_weak(const char *body, bool slow) {
    enum { CELLS = 2000 };
    batch b = batch_open("swerve", body, CELLS), usual = batch_again(&b, body);
    random_source source = {7303};
    for (size_t i = 0; i < CELLS; i++) {
        /* The heading of less slip has fewer digits. */
        double friction = random_log(&source, slow ? 1e-290 : 1e-323, 1e-140);
        batch_in(&b, "friction")[i] = friction;
        batch_in(&b, "restitution")[i] = 0.5;
        batch_in(&b, "velocity_ratio")[i] = slow ? friction : random_log(&source, 1e-80, 1e50);
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
    }
    if (strstr(body, "matrix3d")) {
        BATCH_SET(&b, {"b13", 0}, {"b23", 0});
    } else {
        BATCH_SET(&b, {"angle", 0}, {"semi_axis_b", 0.5}, {"semi_axis_c", 2});
    }
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        memcpy(usual.in[p], b.in[p], CELLS * sizeof(double));
    }
    BATCH_SET(&usual, {"friction", 0.25}, {"velocity_ratio", slow ? 0.25 : 1e50});
    batch_solve(&b);
    batch_solve(&usual);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        CHECK(strcmp(batch_mode(&b, i), batch_mode(&usual, i)) == 0, "%s", batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "swerve")[i], batch_out(&usual, "swerve")[i], 1e-14, "%s",
                   batch_text(&b, i));
        for (size_t k = 0; k < 4; k++) {
            CHECK_NEAR(batch_out(&b, "invariant_direction")[4 * i + k],
                       batch_out(&usual, "invariant_direction")[4 * i + k], 1e-14, "%s",
                       batch_text(&b, i));
        }
        double in = batch_in(&b, "velocity_ratio")[i];
        CHECK_NEAR(batch_out(&b, "velocity_ratio_out")[i], slow ? 0 : in, 1e-14 * in, "%s",
                   batch_text(&b, i));
    }
    BATCH_CLOSE(&usual, &b);
}

static void hardly_any_friction(void) {
    for (int slow = 0; slow < 2; slow++) {
        check_weak("body=ellipsoid3d law=newton", slow);
        check_weak("body=matrix3d law=poisson", slow);
        check_weak("body=matrix3d law=energetic", slow);
        check_weak("body=matrix3d law=compromise", slow);
    }
}

SUITE("swerve flow", one_way_out, bifurcation, folds, hardly_any_friction)
