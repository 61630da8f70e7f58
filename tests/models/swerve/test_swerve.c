/* Rigid impact in space: published numbers, exact solutions, the planar limit. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- published: Birlik 2012, pendulum at 60 degrees with friction 1 ---- */

typedef struct published {
    const char *output;
    int index;
    double published, correct;
} published;

/* Section 4.1 and table 4.2; the eigenvalues are per unit of friction. `correct`: all known
 * digits. */
static const published rows[] = {
    {"invariant_direction", 0, 0, 0},
    {"invariant_direction", 1, 2.1862, 2.186276},
    {"invariant_direction", 2, 3.1416, 3.141593},
    {"invariant_direction", 3, 4.0967, 4.096909},
    {"flow_change", 0, 0.4474, 0.447428},
    {"flow_change", 1, 5.8357, 5.835757},
    {"invariant_f", 0, 0.18, 0.18301},
    {"invariant_g_prime", 0, -1.18, -1.18301},
    {"invariant_f", 1, -1, -1},
    {"invariant_g_prime", 1, 0.5, 0.5},
    {"invariant_f", 2, -0.68, -0.68301},
    {"invariant_g_prime", 2, -0.32, -0.31699},
    {"invariant_f", 3, -1, -1},
    {"invariant_g_prime", 3, 0.5, 0.5},
};

static void birlik(void) {
    batch b = batch_open("swerve", "body=pendulum3d", 1);
    BATCH_SET(&b, {"angle", pi / 3}, {"azimuth", 0}, {"friction", 1});
    batch_solve(&b);
    for (int r = 0; r < SUITE_COUNT(rows); r++) {
        double found = batch_out(&b, rows[r].output)[rows[r].index];
        bool eigenvalue = strncmp(rows[r].output, "invariant_f", 11) == 0 ||
                          strcmp(rows[r].output, "invariant_g_prime") == 0;
        CHECK_NEAR(found, rows[r].published, eigenvalue ? 6e-3 : 3e-4, "published %s %d",
                   rows[r].output, rows[r].index);
        CHECK_NEAR(found, rows[r].correct, eigenvalue ? 5.1e-6 : 5.1e-7, "%s %d", rows[r].output,
                   rows[r].index);
    }
    CHECK(batch_out(&b, "invariant_count")[0] == 4, "invariant directions");
    CHECK(batch_out(&b, "node_count")[0] == 1 && batch_out(&b, "saddle_count")[0] == 3, "classes");
    CHECK(isnan(batch_out(&b, "flow_change")[2]), "a third flow change");
    /* Stick takes friction cot(angle'), the tangent of the link's inclination to the plane. */
    CHECK_NEAR(batch_out(&b, "critical_friction")[0], sqrt(3), 1e-15 * 4, "critical friction");
    batch_close(&b);
}

/* ---- exact solutions ---- */

/* Slip of a sphere is straight and halts at p = s / (3.5 mu). */
static void sphere_halts(void) {
    enum { CELLS = 5000 };
    batch b = batch_open("swerve", "body=sphere3d law=newton", CELLS);
    random_source source = {7201};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, 0.01, 5);
        batch_in(&b, "friction")[i] = random_between(&source, 0.01, 1);
        batch_in(&b, "restitution")[i] = random_between(&source, 0, 1);
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        double mu = batch_in(&b, "friction")[i], s = batch_in(&b, "velocity_ratio")[i];
        double e = batch_in(&b, "restitution")[i], halt = s / (3.5 * mu);
        bool halts = halt < 1 + e;
        CHECK(strcmp(batch_mode(&b, i), halts ? "slip_stick" : "slip") == 0, "%s: %s",
              batch_mode(&b, i), batch_text(&b, i));
        CHECK_CELL(&b, i,
                   batch_out(&b, "swerve")[i] == 0 && batch_out(&b, "invariant_count")[i] == -1);
        CHECK_OUTPUT(&b, i, "velocity_ratio_out", halts ? 0 : s - 3.5 * mu * (1 + e), 1e-14);
        if (halts) {
            CHECK_OUTPUT(&b, i, "halt_impulse", halt, 1e-15 * (1 + halt));
        }
    }
    batch_close(&b);
}

/* Without coupling |v2|^b11 / |v1|^b22 is constant along the slip, and the normal velocity grows by
 * b33 per impulse. */
static void balanced_collision(void) {
    enum { CELLS = 5000 };
    batch b = batch_open("swerve", "body=matrix3d law=poisson", CELLS);
    random_source source = {7202};
    BATCH_SET(&b, {"b12", 0}, {"b13", 0}, {"b23", 0});
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "b11")[i] = random_log(&source, 0.2, 5);
        batch_in(&b, "b22")[i] = random_log(&source, 0.2, 5);
        batch_in(&b, "b33")[i] = random_log(&source, 0.2, 5);
        batch_in(&b, "heading")[i] = random_between(&source, 0.1, pi / 2 - 0.1);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, 0.5, 5);
        batch_in(&b, "friction")[i] = random_between(&source, 0.01, 1);
        batch_in(&b, "restitution")[i] = random_between(&source, 0, 1);
    }
    batch_solve(&b);
    int slips = 0;
    for (size_t i = 0; i < CELLS; i++) {
        double b11 = batch_in(&b, "b11")[i], b22 = batch_in(&b, "b22")[i];
        double heading = batch_in(&b, "heading")[i], out = batch_out(&b, "heading_out")[i];
        double speed = batch_in(&b, "velocity_ratio")[i];
        double after = batch_out(&b, "velocity_ratio_out")[i], e = batch_in(&b, "restitution")[i];
        CHECK_OUTPUT(&b, i, "kinematic_restitution", e, 1e-12);
        CHECK_OUTPUT(&b, i, "energetic_restitution", e, 1e-12);
        if (strcmp(batch_mode(&b, i), "slip") != 0) {
            continue;
        }
        slips++;
        double before = b11 * log(speed * sin(heading)) - b22 * log(speed * cos(heading));
        double now = b11 * log(after * sin(out)) - b22 * log(after * cos(out));
        /* Relative to the distance of the heading from the axis that it turns to. */
        CHECK_CELL_NEAR(&b, i, now, before, 1e-13 * (b11 / tan(out) + b22 * tan(out) + 10));
        CHECK_OUTPUT(&b, i, "swerve", out - heading, 1e-14);
    }
    CHECK(slips > CELLS / 4, "only %d cells slip to the end", slips);
    batch_close(&b);
}

static void known_halt(void) {
    batch b = batch_open("swerve", "body=matrix3d", 1);
    static const char *const zero[] = {"b12", "b13", "b23"};
    for (int k = 0; k < 3; k++) {
        batch_set(&b, zero[k], 0);
    }
    BATCH_SET(&b, {"b11", 1}, {"b22", 4}, {"b33", 0.1}, {"friction", 0.4}, {"heading", pi / 4},
              {"velocity_ratio", sqrt(2)});
    batch_solve(&b);
    CHECK_NEAR(batch_out(&b, "halt_impulse")[0], 2.660220946, 5e-10, "halt of diag(1, 4, .)");
    CHECK_NEAR(batch_out(&b, "swerve")[0], -pi / 4, 1e-15, "swerve of diag(1, 4, .)");
    CHECK(strcmp(batch_mode(&b, 0), "slip_stick") == 0, "%s", batch_mode(&b, 0));
    batch_close(&b);
}

/* ---- planar motion ---- */

typedef struct plane {
    double b11, b12, b22, mu, e, v; /* v: initial tangential velocity, normal -1 */
} plane;

typedef struct planar_end {
    double v_t, v_n, p_t, p_n, p_c, w_c, w_r;
} planar_end;

/* The closed form of planar impact in the normal impulse: at most two straight phases. Phase 1
 * slips in the direction s until p = stop; phase 2 sticks or slips in the direction of b12. */
typedef struct phases {
    double t1, t2; /* dP_t/dp */
    double k1, k2; /* dv_n/dp */
    double stop;
} phases;

static phases phases_of(const plane *p) {
    double s = p->v < 0 ? -1 : 1, after = p->b12 < 0 ? -1 : 1;
    bool sticks = fabs(p->b12) <= p->mu * p->b11;
    double slowing = p->mu * p->b11 - s * p->b12;
    phases f = {.t1 = -p->mu * s, .stop = slowing > 0 ? fabs(p->v) / slowing : INFINITY};
    f.t2 = sticks ? -p->b12 / p->b11 : -p->mu * after;
    f.stop = p->v == 0 ? 0 : f.stop;
    f.k1 = p->b22 + f.t1 * p->b12;
    f.k2 = p->b22 + f.t2 * p->b12;
    return f;
}

static double v_n_at(const phases *f, double p) {
    return -1 + f->k1 * fmin(p, f->stop) + f->k2 * fmax(0, p - f->stop);
}

static double work_to(const phases *f, double p) {
    double first = fmin(p, f->stop), rest = fmax(0, p - f->stop), u = -1 + f->k1 * first;
    return first * (-1 + f->k1 * first / 2) + (rest > 0 ? rest * (u + f->k2 * rest / 2) : 0);
}

/* The impulse at which a growing function of it reaches a value. */
static double reach(const phases *f, double (*of)(const phases *, double), double from,
                    double value) {
    double low = from, high = from + 1;
    while (of(f, high) < value) {
        high = from + 2 * (high - from);
    }
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (of(f, middle) < value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static planar_end planar(const plane *p, const char *law) {
    phases f = phases_of(p);
    planar_end end = {.p_c = reach(&f, v_n_at, 0, 0)};
    end.w_c = work_to(&f, end.p_c);
    end.p_n = strcmp(law, "poisson") == 0 ? (1 + p->e) * end.p_c
              : strcmp(law, "newton") == 0
                  ? reach(&f, v_n_at, end.p_c, p->e)
                  : reach(&f, work_to, end.p_c, (1 - p->e * p->e) * end.w_c);
    end.w_r = work_to(&f, end.p_n) - end.w_c;
    end.v_n = v_n_at(&f, end.p_n);
    end.p_t = f.t1 * fmin(end.p_n, f.stop) + f.t2 * fmax(0, end.p_n - f.stop);
    end.v_t = p->v + p->b11 * end.p_t + p->b12 * end.p_n;
    return end;
}

static void check_planar(const batch *b, size_t i, const plane *p, const char *law) {
    planar_end end = planar(p, law);
    double speed = batch_out(b, "velocity_ratio_out")[i], out = batch_out(b, "heading_out")[i];
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    CHECK_OUTPUT(b, i, "kinematic_restitution", end.v_n, 1e-10);
    CHECK_OUTPUT(b, i, "kinetic_restitution", end.p_n / end.p_c - 1, 1e-10);
    CHECK_OUTPUT(b, i, "energetic_restitution", sqrt(end.w_r / -end.w_c), 1e-10);
    CHECK_CELL_NEAR(b, i, isnan(out) ? 0 : speed * cos(out), end.v_t, 1e-10 * (1 + fabs(p->v)));
    CHECK_OUTPUT(b, i, "normal_impulse", end.p_n, 1e-10 * end.p_n);
    CHECK_CELL_NEAR(b, i, batch_out(b, "tangential_impulse")[2 * i], end.p_t, 1e-10 * end.p_n);
    CHECK(fabs(batch_out(b, "tangential_impulse")[2 * i + 1]) <= 1e-12 * end.p_n,
          "leaves the plane: %s", batch_text(b, i));
}

/* Slip along a plane of symmetry stays in that plane, for any inertia across it. */
static void check_planar_law(const char *law, const char *choices, uint64_t seed) {
    enum { CELLS = 5000 };
    batch b = batch_open("swerve", choices, CELLS);
    random_source source = {seed};
    plane cells[CELLS];
    BATCH_SET(&b, {"b12", 0}, {"b23", 0});
    for (size_t i = 0; i < CELLS; i++) {
        plane *p = &cells[i];
        p->b11 = random_log(&source, 0.2, 5);
        p->b22 = random_log(&source, 0.2, 5);
        p->b12 = random_between(&source, -0.99, 0.99) * sqrt(p->b11 * p->b22);
        p->mu = i % 20 == 0 ? 0 : random_between(&source, 0, 2);
        p->e = random_between(&source, 0, 1);
        p->v = i % 10 == 1 ? 0 : random_between(&source, -5, 5);
        batch_in(&b, "b11")[i] = p->b11;
        batch_in(&b, "b13")[i] = p->b12;
        batch_in(&b, "b33")[i] = p->b22;
        batch_in(&b, "b22")[i] = random_log(&source, 0.2, 5);
        batch_in(&b, "friction")[i] = p->mu;
        batch_in(&b, "restitution")[i] = p->e;
        batch_in(&b, "velocity_ratio")[i] = fabs(p->v);
        batch_in(&b, "heading")[i] = p->v < 0 ? pi : 0;
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        check_planar(&b, i, &cells[i], law);
    }
    batch_close(&b);
}

static void planar_limit(void) {
    check_planar_law("newton", "body=matrix3d law=newton", 7203);
    check_planar_law("poisson", "body=matrix3d law=poisson", 7204);
    check_planar_law("energetic", "body=matrix3d law=energetic", 7205);
}

/* Without velocity across the link a pendulum is planar: c2 = (T - mu) / (T + mu) with
 * T = tan(angle); the restitution is e sqrt(c2) by the energetic law, e c2 by Poisson's, and the
 * pendulum wedges from mu = T on. */
static void planar_pendulum(void) {
    enum { CELLS = 2000 };
    for (int law = 0; law < 2; law++) {
        batch b =
            batch_open("swerve", law ? "body=pendulum3d" : "body=pendulum3d law=poisson", CELLS);
        random_source source = {7206};
        BATCH_SET(&b, {"swerve_ratio", 0}, {"azimuth", 0});
        for (size_t i = 0; i < CELLS; i++) {
            batch_in(&b, "angle")[i] = random_between(&source, 0.02, 1.55);
            batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
            batch_in(&b, "restitution")[i] = random_between(&source, 0, 1);
        }
        batch_solve(&b);
        for (size_t i = 0; i < CELLS; i++) {
            double t = tan(batch_in(&b, "angle")[i]), mu = batch_in(&b, "friction")[i];
            double e = batch_in(&b, "restitution")[i], c2 = (t - mu) / (t + mu);
            CHECK((strcmp(batch_mode(&b, i), "wedge") == 0) == (mu >= t), "%s: %s",
                  batch_mode(&b, i), batch_text(&b, i));
            if (mu >= t) {
                CHECK_OUTPUT(&b, i, "energy_loss", 1, 1e-14);
                continue;
            }
            CHECK_OUTPUT(&b, i, "kinematic_restitution", law ? e * sqrt(c2) : e * c2, 1e-10);
        }
        batch_close(&b);
    }
}

/* The tip of a link moves at right angles to it, and its energy is that of its speed: so it is
 * where friction hardly lets the pendulum separate, after impulses up to 1e12. */
static void check_link(const batch *b, size_t i) {
    double cot = 1 / tan(batch_in(b, "angle")[i]), across = batch_in(b, "swerve_ratio")[i];
    double e = batch_out(b, "kinematic_restitution")[i];
    double out = batch_out(b, "velocity_ratio_out")[i];
    double heading = batch_out(b, "heading_out")[i] - batch_in(b, "azimuth")[i];
    double before = 1 + cot * cot + across * across;
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    CHECK_OUTPUT(b, i, "residual", 0, 1e-11);
    CHECK_CELL_NEAR(b, i, out * cos(heading), e * cot, 1e-11 * (1 + out));
    CHECK_OUTPUT(b, i, "energy_loss", 1 - (out * out + e * e) / before, 1e-12);
}

static void nearly_wedged(void) {
    static const char *const laws[] = {"body=pendulum3d law=newton", "body=pendulum3d law=poisson",
                                       "body=pendulum3d law=energetic",
                                       "body=pendulum3d law=compromise"};
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        batch b = batch_open("swerve", laws[k], 2000);
        random_source source = {7208};
        for (size_t i = 0; i < b.n; i++) {
            double angle = random_between(&source, 0.1, 1.5);
            double below = random_log(&source, 2e-12, 1e-2);
            batch_in(&b, "angle")[i] = angle;
            batch_in(&b, "friction")[i] = tan(angle) * (1 - below);
            batch_in(&b, "restitution")[i] = random_between(&source, 0.01, 1);
            batch_in(&b, "swerve_ratio")[i] = i % 4 ? random_between(&source, -2, 2) : 0;
            batch_in(&b, "azimuth")[i] = i % 3 ? random_between(&source, -3, 3) : 0;
        }
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            check_link(&b, i);
        }
        batch_close(&b);
    }
}

/* The outputs at a coefficient of restitution of 0 are the limits for small coefficients. */
static void limit_of_no_restitution(void) {
    static const char *const laws[] = {"body=rod3d law=newton", "body=rod3d law=poisson",
                                       "body=rod3d law=energetic", "body=rod3d law=compromise"};
    static const char *const lambdas[] = {"lambda_newton", "lambda_poisson", "lambda_energetic"};
    enum { CELLS = 200 };
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        batch b = batch_open("swerve", laws[l], 2 * CELLS);
        random_source source = {7207};
        for (size_t i = 0; i < CELLS; i++) {
            for (size_t k = 2 * i; k < 2 * i + 2; k++) {
                batch_in(&b, "restitution")[k] = k % 2 ? 1e-7 : 0;
                batch_in(&b, "angle")[k] = -1.4 + 0.014 * (double)i;
            }
            batch_in(&b, "heading")[2 * i] = random_between(&source, -pi, pi);
            batch_in(&b, "heading")[2 * i + 1] = batch_in(&b, "heading")[2 * i];
        }
        batch_solve(&b);
        for (size_t i = 0; i < 2 * CELLS; i += 2) {
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(batch_out(&b, lambdas[k])[i], batch_out(&b, lambdas[k])[i + 1], 1e-5,
                           "%s: %s", lambdas[k], batch_text(&b, i));
            }
            CHECK_CELL(&b, i, batch_out(&b, "kinematic_restitution")[i] == 0);
        }
        batch_close(&b);
    }
}

SUITE("swerve", nearly_wedged, birlik, sphere_halts, balanced_collision, known_halt, planar_limit,
      planar_pendulum, limit_of_no_restitution)
