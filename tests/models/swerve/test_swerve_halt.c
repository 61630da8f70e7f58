/* The direction in which slip halts is the limit of the exact flow of direction phi and speed s,
 *     dphi/dtau = g(phi),  d ln s/dtau = f(phi),  dp/dtau = s,
 * which this test follows in long double and in another form than the product: no velocity falls to
 * 0 in this form, so that the limit is reached. Nothing of the product is used. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

typedef long double real;

typedef struct flow {
    real b11, b12, b13, b22, b23, mu, fastest;
} flow;

static flow flow_of(const inertia *m, double mu) {
    flow x = {m->b[0][0], m->b[0][1], m->b[0][2], m->b[1][1], m->b[1][2], mu, 0};
    x.fastest = x.mu * (x.b11 + x.b22) + hypotl(x.b13, x.b23);
    return x;
}

/* The rates of phi and ln s, and the slope of the first. */
typedef struct rate {
    real g, f, slope;
} rate;

static rate rate_at(const flow *x, real phi) {
    real c = cosl(phi), s = sinl(phi), across = x->b12 * (c * c - s * s);
    real along = x->b11 * c * c + 2 * x->b12 * s * c + x->b22 * s * s;
    real skew = (x->b22 - x->b11) * s * c, straight = (x->b22 - x->b11) * (c * c - s * s);
    return (rate){.g = -x->mu * (skew + across) + x->b23 * c - x->b13 * s,
                  .f = -x->mu * along + x->b13 * c + x->b23 * s,
                  .slope = -x->mu * (straight - 4 * x->b12 * s * c) - x->b23 * s - x->b13 * c};
}

typedef struct limit {
    bool found;
    real phi;     /* unwrapped */
    bool node;    /* slip halts; otherwise it grows again */
    real least;   /* ln of the least speed on the way */
    real impulse; /* until slip halts, or is slowest */
} limit;

/* Runge-Kutta of order 4 until the rest of the turn is one step of Newton's method. */
static limit follow(const flow *x, real phi, real speed) {
    real log_speed = logl(speed), h = 0.02L / x->fastest, p = 0;
    limit end = {.least = log_speed};
    for (int i = 0; i < 400000; i++) {
        rate k1 = rate_at(x, phi), k2 = rate_at(x, phi + h / 2 * k1.g);
        rate k3 = rate_at(x, phi + h / 2 * k2.g), k4 = rate_at(x, phi + h * k3.g);
        if (fabsl(k1.g) < 1e-9L * x->fastest && k1.slope < -1e-3L * x->fastest) {
            end.found = true;
            end.phi = phi - k1.g / k1.slope;
            end.node = k1.f < 0;
            end.impulse += end.node ? expl(log_speed) / -k1.f : 0;
            return end;
        }
        real middle = log_speed + h / 24 * (5 * k1.f + 8 * k2.f - k4.f);
        real next = log_speed + h / 6 * (k1.f + 2 * k2.f + 2 * k3.f + k4.f);
        p += h / 6 * (expl(log_speed) + 4 * expl(middle) + expl(next));
        phi += h / 6 * (k1.g + 2 * k2.g + 2 * k3.g + k4.g);
        log_speed = next;
        if (log_speed < end.least || k1.f < 0) {
            end.least = fminl(end.least, log_speed);
            end.impulse = p;
        }
    }
    return end;
}

/* Slip halts along a node and nowhere else, however slow it becomes. Returns whether the cell could
 * be compared. */
static bool compare(const batch *b, size_t i) {
    inertia m = inertia_get(b, i);
    double ratio = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    flow x = flow_of(&m, batch_in(b, "friction")[i]);
    limit end = follow(&x, heading, ratio);
    /* A bound of the rise of the normal velocity per impulse. */
    real rise = m.b[2][2] + x.mu * hypotl(x.b13, x.b23);
    if (!end.found || !(end.impulse < 0.9L / rise)) {
        return false;
    }
    bool halts = strcmp(batch_mode(b, i), "slip") != 0;
    CHECK(halts == end.node, "%s: %s", batch_mode(b, i), batch_text(b, i));
    if (halts) {
        CHECK_OUTPUT(b, i, "swerve", (double)end.phi - heading, 1e-9);
        CHECK_OUTPUT(b, i, "halt_impulse", (double)end.impulse, 1e-6 * (double)end.impulse);
    }
    return true;
}

/* Cells whose slip halts and starts again, those of the first without a node whose slip becomes
 * slowest, and some of the others; at low speed, so that slip halts early. */
static void limit_of_the_flow(void) {
    enum { CELLS = 15000, OTHERS = 100, PASSAGES = 300 };
    batch b = batch_open("swerve", "body=matrix3d law=newton", CELLS);
    random_source source = {7701};
    for (size_t i = 0; i < CELLS; i++) {
        inertia m = inertia_random(&source, 20);
        inertia_set(&b, i, &m);
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
        batch_in(&b, "velocity_ratio")[i] = random_log(&source, 1e-6, 0.01);
        batch_in(&b, "friction")[i] = random_between(&source, 0.05, 1.5);
        batch_in(&b, "restitution")[i] = random_between(&source, 0.05, 1);
    }
    batch_solve(&b);
    int compared = 0, resumed = 0, passed = 0;
    for (size_t i = 0, others = 0, passages = 0; i < CELLS; i++) {
        bool again = strcmp(batch_mode(&b, i), "slip_resumed") == 0;
        bool passes = batch_out(&b, "node_count")[i] == 0 && passages < PASSAGES;
        bool other = others < OTHERS;
        others++;
        passages += passes;
        if (again || passes || other) {
            bool told = compare(&b, i);
            compared += told;
            resumed += told && again;
            passed += told && passes;
        }
    }
    CHECK(compared > OTHERS, "only %d cells compared", compared);
    CHECK(resumed > 30 && passed > 100, "only %d of them slip on after a halt, %d without", resumed,
          passed);
    batch_close(&b);
}

/* A body with two saddles and no node, and a narrow passage in the flow of its directions. */
static const inertia narrow = {{{0.571194986178503, 0.5362320761033047, 0.17986243720550482},
                                {0.5362320761033047, 2.846756043272373, -1.1330564451345742},
                                {0.17986243720550482, -1.1330564451345742, 0.7909562684355429}}};

static void set_narrow(const batch *b) {
    BATCH_SET(b, {"friction", 0.8042624140328423}, {"restitution", 0.006229396561026501},
              {"velocity_ratio", 0.011135030878242339});
}

/* Headings that converge to one another leave the passage in one direction, and slip does not halt
 * in it, although its speed falls below 1e-14. */
static void narrow_passage(void) {
    enum { CELLS = 801 };
    batch b = batch_open("swerve", "body=matrix3d law=newton", CELLS);
    set_narrow(&b);
    for (size_t i = 0; i < CELLS; i++) {
        inertia_set(&b, i, &narrow);
        batch_in(&b, "heading")[i] = 2.49 + 5e-5 * (double)i;
    }
    batch_solve(&b);
    flow x = flow_of(&narrow, 0.8042624140328423);
    limit end = follow(&x, 2.513, 0.011135030878242339L);
    CHECK(end.found && !end.node && end.least < logl(1e-14L), "no narrow passage");
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(strcmp(batch_mode(&b, i), "slip") == 0, "%s", batch_mode(&b, i));
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "swerve")[i] + batch_in(&b, "heading")[i],
                        (double)end.phi, 1e-12);
    }
    batch_close(&b);
}

/* Over a fine sweep of the heading `swerve` jumps only where the mode or the sense of the turn
 * changes: beside a saddle along which slip halts, where the flow parts. */
static void continuous(void) {
    enum { BODIES = 40, SWEEP = 2000 };
    random_source source = {7702};
    batch b = batch_open("swerve", "body=matrix3d law=newton", SWEEP);
    int steps = 0;
    for (int k = 0; k < BODIES; k++) {
        inertia m = k == 0 ? narrow : inertia_random(&source, 20);
        batch_set(&b, "velocity_ratio", random_log(&source, 1e-4, 0.3));
        batch_set(&b, "friction", random_between(&source, 0.05, 1.5));
        batch_set(&b, "restitution", random_between(&source, 0.05, 1));
        if (k == 0) {
            set_narrow(&b);
        }
        for (size_t i = 0; i < SWEEP; i++) {
            inertia_set(&b, i, &m);
            batch_in(&b, "heading")[i] = -pi + 2 * pi * (double)i / SWEEP;
        }
        batch_solve(&b);
        const double *swerve = batch_out(&b, "swerve"), *mode = batch_out(&b, "mode");
        for (size_t i = 1; i < SWEEP; i++) {
            bool halts = !isnan(batch_out(&b, "halt_impulse")[i]);
            if (!halts || mode[i] != mode[i - 1] || swerve[i] * swerve[i - 1] <= 0) {
                continue;
            }
            steps++;
            CHECK_CELL_NEAR(&b, i, swerve[i] + 2 * pi / SWEEP, swerve[i - 1], 1e-9);
        }
    }
    CHECK(steps > BODIES * SWEEP / 4, "%d steps", steps);
    batch_close(&b);
}

/* Bodies near symmetry: slip of a sphere keeps every direction. The flow of a body that differs
 * from a sphere by a part of 1e-3 to 1e-12 turns to its node all the same, at speeds that fall as
 * the turn goes on; velocities and impulses hardly differ. */
static void near_symmetry(void) {
    static const double part[] = {0, 1e-12, 1e-9, 1e-6, 1e-3};
    enum { CELLS = SUITE_COUNT(part) };
    batch b = batch_open("swerve", "body=ellipsoid3d law=newton", CELLS);
    BATCH_SET(&b, {"semi_axis_a", 1}, {"semi_axis_b", 1}, {"angle", 0.5}, {"spin", 0.4},
              {"heading", 0.3}, {"velocity_ratio", 0.5});
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "semi_axis_c")[i] = 1 + part[i];
    }
    batch_solve(&b);
    CHECK(batch_out(&b, "swerve")[0] == 0 && batch_out(&b, "invariant_count")[0] == -1, "sphere");
    for (size_t i = 1; i < CELLS; i++) {
        const double *direction = &batch_out(&b, "invariant_direction")[4 * i];
        const double *slope = &batch_out(&b, "invariant_g_prime")[4 * i];
        double swerve = batch_out(&b, "swerve")[i], nearest = 10;
        for (int k = 0; k < (int)batch_out(&b, "invariant_count")[i]; k++) {
            double off = remainder(0.3 + swerve - direction[k], 2 * pi);
            nearest = slope[k] < 0 ? fmin(nearest, fabs(off)) : nearest;
        }
        CHECK(nearest < 1e-12, "ends %.3g off a direction that attracts: %s", nearest,
              batch_text(&b, i));
        CHECK_OUTPUT(&b, i, "normal_impulse", batch_out(&b, "normal_impulse")[0],
                     5 * part[i] + 1e-14);
    }
    batch_close(&b);
}

SUITE("swerve, halt", limit_of_the_flow, narrow_passage, continuous, near_symmetry)
