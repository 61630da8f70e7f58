/* Rods and laminae on a viscoelastic surface against a straightforward integration of the published
 * equations (Brach 1993) in SI units: outputs, and whether the other end touches the surface. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/rods.h"
#include "support/suite.h"

/* ---- an independent integration ---- */

enum { N, T, TH, V_N, V_T, W, WORK_N, STATE };

typedef struct rod {
    double m, l, k2, f, zeta, kappa, p; /* l: half length; k2: gyration radius squared */
    bool latched;
    int slip; /* direction; 0: stick */
} rod;

static double tip_n(const rod *r, const double *y) {
    return y[V_N] + r->l * y[W] * sin(y[TH]);
}

static double tip_t(const rod *r, const double *y) {
    return y[V_T] - r->l * y[W] * cos(y[TH]);
}

static double normal(const rod *r, const double *y) {
    double d = r->l * cos(y[TH]) - y[N];
    double force = d > 0 ? pow(d, r->p) : -pow(-d, r->p);
    return r->kappa * force * (1 - r->zeta * tip_n(r, y));
}

static double holding(const rod *r, const double *y, double f_n) {
    double s = sin(y[TH]), c = cos(y[TH]), l = r->l;
    return (f_n * l * l * s * c - r->m * r->k2 * l * s * y[W] * y[W]) / (r->k2 + l * l * c * c);
}

static int rates(double time, const double y[], double dydt[], void *context) {
    (void)time;
    const rod *r = context;
    double f_n = normal(r, y), f_t = r->slip ? -r->f * f_n * r->slip : holding(r, y, f_n);
    dydt[N] = y[V_N];
    dydt[T] = y[V_T];
    dydt[TH] = y[W];
    dydt[V_N] = f_n / r->m;
    dydt[V_T] = f_t / r->m;
    dydt[W] = (f_n * r->l * sin(y[TH]) - f_t * r->l * cos(y[TH])) / (r->m * r->k2);
    dydt[WORK_N] = f_n * tip_n(r, y);
    return GSL_SUCCESS;
}

/* A quantity that is negative after an event: halt of slip or end of stick; separation or release;
 * turn. */
static double watched(const rod *r, const double *y, int which) {
    if (which == 0 && r->slip) {
        return r->slip * tip_t(r, y);
    }
    if (which == 0) {
        double f_n = normal(r, y);
        return r->latched ? 1 : r->f * f_n - fabs(holding(r, y, f_n));
    }
    double inside = r->l * cos(y[TH]) - y[N], held = 1 - r->zeta * tip_n(r, y);
    return which == 1 ? fmin(inside, held) : -tip_n(r, y);
}

typedef struct march {
    rod r;
    gsl_odeiv2_step *step;
    double y[STATE], time, h, turn_p, turn_work, turn_time, turn_depth;
    bool stuck, delicate; /* delicate: two events were so close that rounding may decide */
    int phases;
} march;

static void advance(march *a, double h, double *y) {
    double error[STATE];
    gsl_odeiv2_system system = {rates, NULL, STATE, &a->r};
    memcpy(y, a->y, sizeof a->y);
    gsl_odeiv2_step_apply(a->step, a->time, h, y, error, NULL, NULL, &system);
}

static double bisect(march *a, double h, int which) {
    double low = 0, high = h, y[STATE];
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        advance(a, middle, y);
        if (watched(&a->r, y, which) < 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

static void settle(march *a) {
    rod *r = &a->r;
    double f_n = a->time > 0 ? normal(r, a->y) : 1;
    double f_t = holding(r, a->y, f_n);
    a->delicate = a->delicate || fabs(fabs(f_t) - r->f * f_n) < 1e-6 * f_n;
    r->slip = fabs(f_t) <= r->f * f_n ? 0 : f_t > 0 ? -1 : 1;
    a->phases++;
}

/* Returns whether the rod has left. */
static bool march_on(march *a) {
    double y[STATE], first = a->h;
    int which = -1;
    advance(a, a->h, y);
    for (int w = 0; w < 3; w++) {
        bool fresh = a->phases > 0 && w == 0 && watched(&a->r, a->y, 0) <= 0;
        if (watched(&a->r, y, w) < 0 && (watched(&a->r, a->y, w) > 0) && !fresh) {
            double at = bisect(a, a->h, w);
            which = at < first ? w : which;
            first = fmin(at, first);
        }
    }
    advance(a, first, y);
    memcpy(a->y, y, sizeof y);
    a->time += first;
    if (which == 2) {
        a->turn_p = a->r.m * (y[V_N] + 1);
        a->turn_work = y[WORK_N];
        a->turn_time = a->time;
        a->turn_depth = a->r.l * cos(y[TH]) - y[N];
    } else if (which == 0 && a->r.slip) {
        settle(a);
    } else if (which == 0) {
        a->r.slip = holding(&a->r, y, normal(&a->r, y)) > 0 ? -1 : 1;
        a->phases++;
    }
    return which == 1;
}

/* ---- outputs ---- */

enum { CELLS = 150 };

/* Lever, gyration radius squared, and angle of the body. */
typedef struct shape {
    double l, k2, th;
} shape;

static shape shape_of(const batch *b, size_t i) {
    if (imp_input(b->solver, "length") >= 0) {
        double length = batch_in(b, "length")[i];
        return (shape){length / 2, length * length / 12, -batch_in(b, "angle")[i]};
    }
    double t = batch_in(b, "offset_t")[i], n = batch_in(b, "offset_n")[i];
    double radius = batch_in(b, "gyration_radius")[i];
    return (shape){hypot(t, n), radius * radius, atan2(-t, -n)};
}

static march march_of(const batch *b, size_t i, gsl_odeiv2_step *step, bool latched) {
    double v_t = batch_in(b, "velocity_ratio")[i];
    shape s = shape_of(b, i);
    march a = {.step = step};
    a.r = (rod){.m = batch_in(b, "mass")[i],
                .l = s.l,
                .k2 = s.k2,
                .f = batch_in(b, "friction")[i],
                .zeta = batch_in(b, "damping")[i],
                .kappa = batch_in(b, "normal_stiffness")[i],
                .p = batch_in(b, "exponent")[i],
                .latched = latched,
                .slip = v_t < 0 ? -1 : 1};
    a.y[TH] = s.th;
    a.y[N] = a.r.l * cos(a.y[TH]);
    a.y[V_N] = -1;
    a.y[V_T] = v_t;
    a.h = 3e-3 * sqrt(a.r.m / a.r.kappa);
    if (v_t == 0) {
        settle(&a);
    }
    return a;
}

static void check(const batch *b, size_t i, const char *output, double expected, double scale) {
    CHECK_NEAR(batch_out(b, output)[i] / scale, expected / scale, 2e-8, "%s of %s", output,
               batch_text(b, i));
}

static double kinetic_energy(const rod *r, const double *y) {
    return r->m * (y[V_T] * y[V_T] + y[V_N] * y[V_N] + r->k2 * y[W] * y[W]) / 2;
}

/* The energy that impulses on the tip can take from the rod: v.B^-1.v / 2 with v the velocity of
 * the tip and B what a unit impulse adds to it. */
static double energy_at_tip(const rod *r, const double *y) {
    double arm_t = -r->l * cos(y[TH]), arm_n = r->l * sin(y[TH]), inertia = r->m * r->k2;
    double tt = 1 / r->m + arm_t * arm_t / inertia, tn = arm_t * arm_n / inertia;
    double nn = 1 / r->m + arm_n * arm_n / inertia, t = tip_t(r, y), n = tip_n(r, y);
    return (nn * t * t - 2 * tn * t * n + tt * n * n) / (tt * nn - tn * tn) / 2;
}

static void check_energies(const batch *b, size_t i, const march *a, const march *start) {
    double whole = kinetic_energy(&a->r, start->y), loss = whole - kinetic_energy(&a->r, a->y);
    check(b, i, "energy_loss", loss / energy_at_tip(&a->r, start->y), 1);
    check(b, i, "body_energy_loss", loss / whole, 1);
    check(b, i, "friction_loss", (loss + a->y[WORK_N]) / whole, 1);
}

/* The lever of a lamina may have any angle. */
static bool has_turned_over(const batch *b, const march *a) {
    return imp_input(b->solver, "length") >= 0 && fabs(a->y[TH]) >= pi / 2;
}

static bool compare(const batch *b, size_t i, gsl_odeiv2_step *step, bool latched) {
    const march start = march_of(b, i, step, latched);
    march a = start;
    bool left = false;
    for (int k = 0; k < 100000 && !left && !has_turned_over(b, &a); k++) {
        left = march_on(&a);
    }
    if (!left || a.delicate) {
        CHECK_CELL(b, i, left || b->outcome[i] == IMP_OUTSIDE);
        return false;
    }
    double m = a.r.m, p_n = m * (a.y[V_N] + 1), fall = fabs(a.turn_work);
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    check(b, i, "kinematic_restitution", tip_n(&a.r, a.y), 1);
    check(b, i, "kinetic_restitution", (p_n - a.turn_p) / a.turn_p, 1);
    check(b, i, "energetic_restitution", sqrt((a.y[WORK_N] - a.turn_work) / fall), 1);
    check(b, i, "velocity_ratio_out", tip_t(&a.r, a.y), 1);
    check(b, i, "normal_impulse", p_n, m);
    check(b, i, "tangential_impulse", m * (a.y[V_T] - batch_in(b, "velocity_ratio")[i]), m);
    check(b, i, "duration", a.time, a.time);
    check(b, i, "compression_time", a.turn_time, a.time);
    check(b, i, "penetration", a.turn_depth, a.turn_depth);
    check_energies(b, i, &a, &start);
    check(b, i, "final_angle", -a.y[TH], 1);
    check(b, i, "angular_velocity", -a.y[W], 1 / a.r.l);
    check(b, i, "body_velocity_t", a.y[V_T], 1);
    check(b, i, "body_velocity_n", a.y[V_N], 1);
    return true;
}

/* As rods_draw, with a lever and a gyration radius instead of a length. */
static void draw(const batch *b) {
    random_source source = {543};
    if (imp_input(b->solver, "length") >= 0) {
        rods_draw(b);
        return;
    }
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "offset_t")[i] = random_between(&source, -1, 1);
        batch_in(b, "offset_n")[i] = random_between(&source, -1.5, 0.3);
        batch_in(b, "gyration_radius")[i] = random_log(&source, 0.3, 2);
        batch_in(b, "velocity_ratio")[i] = i % 6 ? random_between(&source, -1.5, 1.5) : 0;
        batch_in(b, "friction")[i] = random_between(&source, 0, 1);
        batch_in(b, "damping")[i] = i % 3 ? random_between(&source, 0, 3) : 0;
        batch_in(b, "exponent")[i] = i % 4 ? 1 : random_between(&source, 1, 2.5);
        batch_in(b, "mass")[i] = random_log(&source, 0.3, 3);
        batch_in(b, "normal_stiffness")[i] = random_log(&source, 1e3, 1e5);
    }
}

static void check_rule(const char *choices, bool latched) {
    batch b = batch_open("viscoelastic", choices, CELLS);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    int compared = 0;
    draw(&b);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        compared += compare(&b, i, step, latched);
    }
    CHECK(compared > CELLS * 9 / 10, "%s: only %d cells compared", choices, compared);
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

static void integration(void) {
    check_rule("stick_rule=latched", true);
    check_rule("stick_rule=coulomb", false);
    check_rule("body=lamina stick_rule=latched", true);
    check_rule("body=lamina stick_rule=coulomb", false);
}

/* ---- the other end ---- */

/* The height of the other end above the surface. */
static double other_end(const rod *r, const double *y) {
    return y[N] + r->l * cos(y[TH]);
}

/* The least height until the tip leaves; the march stops where it is clearly below the surface. */
static double least_height(march *a, bool *left) {
    double least = other_end(&a->r, a->y);
    *left = false;
    for (int k = 0; k < 100000 && !*left && least > -1e-3 * a->r.l; k++) {
        *left = march_on(a);
        least = fmin(least, other_end(&a->r, a->y));
    }
    return least;
}

/* Nearly flat rods, some on a surface so soft that the tip sinks in by the rod's own height. A cell
 * is solved if, and only if, the other end stays above the surface until the tip leaves. Returns 1
 * if it does, 2 if it does not, 0 where rounding decides. */
static int check_other_end(const batch *b, size_t i, gsl_odeiv2_step *step) {
    march a = march_of(b, i, step, true);
    bool left;
    double least = least_height(&a, &left);
    if (a.delicate || fabs(least) < 2e-5 * a.r.l) {
        return 0;
    }
    CHECK(b->outcome[i] == (least < 0 ? IMP_OUTSIDE : IMP_SOLVED), "least height %.3g: %s", least,
          batch_text(b, i));
    CHECK(left || least < 0, "no end: %s", batch_text(b, i));
    CHECK(!(fabs(batch_out(b, "final_angle")[i]) >= pi / 2), "turned over: %s", batch_text(b, i));
    return least < 0 ? 2 : 1;
}

static void other_end_touches(void) {
    enum { FLAT = 800 };
    batch b = batch_open("viscoelastic", "stick_rule=latched", FLAT);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    random_source source = {542};
    int seen[3] = {0};
    rods_draw(&b);
    for (size_t i = 0; i < FLAT; i++) {
        double side = i % 2 ? 1 : -1;
        batch_in(&b, "angle")[i] = side * random_between(&source, i % 4 ? 1.3 : 0, 1.57);
        batch_in(&b, "velocity_ratio")[i] = side * random_between(&source, -3, 3);
        batch_in(&b, "friction")[i] = random_between(&source, 0, 2);
        batch_in(&b, "damping")[i] = i % 3 ? random_between(&source, 0, 20) : 0;
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, i % 4 ? 100 : 3, 1e5);
    }
    batch_solve(&b);
    for (size_t i = 0; i < FLAT; i++) {
        seen[check_other_end(&b, i, step)]++;
    }
    CHECK(seen[0] < FLAT / 50 && seen[1] > FLAT / 5 && seen[2] > FLAT / 7, "%d, %d, %d cells",
          seen[0], seen[1], seen[2]);
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

SUITE("viscoelastic_independent", integration, other_end_touches)
