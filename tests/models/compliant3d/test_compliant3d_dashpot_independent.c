/* The law `dashpot` in space against a straightforward integration in time: the equations of motion
 * in SI units by a Runge-Kutta pair of order 8, with steps much shorter than all time scales, and
 * events by bisection. Nothing of the product is used.
 *
 * Normal force F = k3 w - c3 v3, pull on the foot of the tangential pair Q = k1 u + c1 u'. Stick:
 * u' = v_t. Slip: |Q| = mu |F| along the slip v_t - u', so that both are along k1 u + c1 v_t, and
 * u' = v_t - e (|k1 u + c1 v_t| - mu |F|) / c1. Without c1 u lies on the circle |u| = mu |F| / k1,
 * and the foot slides with the speed that keeps it there. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { U1, U2, W, V1, V2, V3, P1, P2, P3, NORMAL, TANGENTIAL, FRICTION, STATE };

typedef struct march {
    inertia m;
    double mu, k1, k3, c1, c3;
    bool by_elongation, slips, grazing;
    double side; /* sign of F */
    double y[STATE], time, deepest, t_turn, p_turn;
    gsl_odeiv2_step *step;
    int phases;
} march;

static double force_of(const march *a, const double *y) {
    return a->k3 * y[W] - a->c3 * y[V3];
}

/* The velocity gained per time, of a pull along e. */
static void accelerate(const march *a, const double pull[2], double force, double *v) {
    for (int k = 0; k < 3; k++) {
        v[k] = -a->m.b[k][0] * pull[0] - a->m.b[k][1] * pull[1] + a->m.b[k][2] * force;
    }
}

/* Direction of k1 u + c1 v_t; returns its size. */
static double drawn(const march *a, const double *y, double e[2]) {
    double q1 = a->k1 * y[U1] + a->c1 * y[V1], q2 = a->k1 * y[U2] + a->c1 * y[V2];
    double size = hypot(q1, q2);
    e[0] = q1 / size;
    e[1] = q2 / size;
    return size;
}

static double slip_speed(const march *a, const double *y) {
    double e[2], v[3], f = force_of(a, y), limit = a->mu * a->side * f, size = drawn(a, y, e);
    if (a->c1 > 0) {
        return (size - limit) / a->c1;
    }
    const double pull[2] = {limit * e[0], limit * e[1]};
    accelerate(a, pull, f, v);
    double rate = a->mu * a->side * -(a->k3 * y[V3] + a->c3 * v[2]) / a->k1;
    return y[V1] * e[0] + y[V2] * e[1] - rate;
}

static int rates(double time, const double y[], double dydt[], void *context) {
    (void)time;
    const march *a = context;
    double e[2], f = force_of(a, y), speed = 0;
    double pull[2] = {a->k1 * y[U1] + a->c1 * y[V1], a->k1 * y[U2] + a->c1 * y[V2]};
    if (a->slips) {
        drawn(a, y, e);
        speed = slip_speed(a, y);
        pull[0] = a->mu * a->side * f * e[0];
        pull[1] = a->mu * a->side * f * e[1];
    }
    for (int k = 0; k < 2; k++) {
        dydt[U1 + k] = a->slips ? y[V1 + k] - speed * e[k] : y[V1 + k];
        dydt[P1 + k] = -pull[k];
    }
    dydt[W] = -y[V3];
    accelerate(a, pull, f, &dydt[V1]);
    dydt[P3] = f;
    dydt[NORMAL] = a->c3 * y[V3] * y[V3];
    dydt[TANGENTIAL] = a->c1 * (dydt[U1] * dydt[U1] + dydt[U2] * dydt[U2]);
    dydt[FRICTION] = a->slips ? a->mu * a->side * f * speed : 0;
    return GSL_SUCCESS;
}

typedef enum event { NONE, HALTS, BREAKS, RISES, FLIPS, ENDS } event;

/* Positive before the event. */
static double left(const march *a, const double *y, event which) {
    switch (which) {
    case HALTS:
        return slip_speed(a, y);
    case BREAKS:
        return a->mu * a->side * force_of(a, y) -
               hypot(a->k1 * y[U1] + a->c1 * y[V1], a->k1 * y[U2] + a->c1 * y[V2]);
    case RISES:
        return -y[V3];
    case FLIPS:
        return force_of(a, y);
    default:
        return a->by_elongation ? y[W] : force_of(a, y);
    }
}

static bool applies(const march *a, event which) {
    switch (which) {
    case HALTS:
        return a->slips && left(a, a->y, HALTS) > 0;
    case BREAKS:
        return !a->slips && left(a, a->y, BREAKS) > 0;
    case RISES:
        return a->y[V3] < 0;
    case FLIPS:
        return a->by_elongation && a->side > 0;
    default:
        return a->by_elongation ? a->side < 0 : a->time > 0;
    }
}

static void advance(march *a, double h, double *y) {
    double error[STATE];
    gsl_odeiv2_system system = {rates, NULL, STATE, a};
    memcpy(y, a->y, sizeof a->y);
    gsl_odeiv2_step_reset(a->step);
    gsl_odeiv2_step_apply(a->step, a->time, h, y, error, NULL, NULL, &system);
}

static double step_of(const march *a) {
    double b_t = a->m.b[0][0] + a->m.b[1][1], b_n = a->m.b[2][2], e[2];
    double rate = sqrt(a->k1 * b_t + a->k3 * b_n) + a->c1 * b_t + a->c3 * b_n;
    rate += a->slips && a->c1 > 0 ? a->k1 / a->c1 : 0;
    double turning =
        a->slips ? a->k1 * hypot(a->y[V1], a->y[V2]) / fmax(drawn(a, a->y, e), 1e-9) : 0;
    return 0.1 / (rate + turning);
}

/* One step, at most to the first event. */
static event march_on(march *a) {
    double y[STATE], h = step_of(a), first = h;
    event which = NONE;
    advance(a, h, y);
    for (event e = HALTS; e <= ENDS; e++) {
        if (!applies(a, e) || left(a, y, e) > 0) {
            continue;
        }
        double low = 0, high = h, z[STATE];
        for (int i = 0; i < 55; i++) {
            double middle = (low + high) / 2;
            advance(a, middle, z);
            low = left(a, z, e) > 0 ? middle : low;
            high = left(a, z, e) > 0 ? high : middle;
        }
        if (high < first || which == NONE) {
            first = high;
            which = e;
        }
    }
    advance(a, first, y);
    memcpy(a->y, y, sizeof y);
    a->time += first;
    return which;
}

static void change(march *a, bool slips) {
    a->slips = slips;
    a->phases++;
}

/* Moves a little away from an event that would be met again at once. */
static void leave_behind(march *a, event which) {
    double y[STATE], little = 1e-6 * step_of(a);
    advance(a, little, y);
    a->grazing = a->grazing || !(left(a, y, which) > 0);
    memcpy(a->y, y, sizeof y);
    a->time += little;
}

/* Where the force changes its sign a foot without a dashpot is where it was at first. */
static void flip(march *a) {
    a->side = -1;
    if (a->slips && a->c1 == 0) {
        a->grazing = true;
    }
}

static void meet(march *a, event which) {
    if (which == HALTS) {
        change(a, false);
        leave_behind(a, BREAKS);
    } else if (which == BREAKS) {
        change(a, true);
        leave_behind(a, HALTS);
    } else if (which == RISES) {
        if (a->y[W] > a->deepest) {
            a->deepest = a->y[W];
            a->t_turn = a->time;
            a->p_turn = a->y[P3];
        }
        a->y[V3] = 0;
    } else if (which == FLIPS) {
        flip(a);
    }
}

static bool integrate(march *a) {
    double pull = a->c1 * hypot(a->y[V1], a->y[V2]), held = a->mu * a->c3 * -a->y[V3];
    a->slips = pull > held;
    a->phases = 1;
    a->side = 1;
    a->grazing = fabs(pull - held) < 1e-4 * (pull + held);
    for (int i = 0; i < 100000 && !a->grazing; i++) {
        event which = march_on(a);
        if (which == ENDS) {
            return true;
        }
        meet(a, which);
    }
    return false;
}

static void check(const batch *b, size_t i, const char *output, double expected, double scale) {
    CHECK_NEAR(batch_out(b, output)[i], expected, 1e-7 * scale, "%s, %s: %s", output,
               batch_sequence(b, i), batch_text(b, i));
}

static void check_losses(const batch *b, size_t i, const march *a, double initial) {
    check(b, i, "normal_loss", a->y[NORMAL] / initial, 1);
    check(b, i, "tangential_loss", a->y[TANGENTIAL] / initial, 1);
    check(b, i, "friction_loss", a->y[FRICTION] / initial, 1);
    double trapped =
        (a->k1 * (a->y[U1] * a->y[U1] + a->y[U2] * a->y[U2]) + a->k3 * a->y[W] * a->y[W]) / 2;
    check(b, i, "trapped_energy", trapped / initial, 1);
}

static march march_of(const batch *b, size_t i, gsl_odeiv2_step *step) {
    double speed = batch_in(b, "normal_speed")[i], ratio = batch_in(b, "velocity_ratio")[i];
    double heading = batch_in(b, "heading")[i], k3 = batch_in(b, "normal_stiffness")[i];
    march a = {.m = inertia_get(b, i),
               .mu = batch_in(b, "friction")[i],
               .k1 = k3 / batch_in(b, "stiffness_ratio")[i],
               .k3 = k3,
               .by_elongation = batch_in(b, "contact_end")[i] > 0,
               .y = {[V1] = speed * ratio * cos(heading),
                     [V2] = speed * ratio * sin(heading),
                     [V3] = -speed},
               .step = step};
    double mean = (a.m.b[0][0] + a.m.b[1][1]) / 2;
    a.c3 = 2 * batch_in(b, "normal_damping_ratio")[i] * sqrt(k3 / a.m.b[2][2]);
    a.c1 = 2 * batch_in(b, "tangential_damping_ratio")[i] * sqrt(a.k1 / mean);
    return a;
}

static bool compare(const batch *b, size_t i, gsl_odeiv2_step *step) {
    march a = march_of(b, i, step);
    const double v[3] = {a.y[V1], a.y[V2], a.y[V3]}, speed = -v[2];
    bool ended = integrate(&a);
    if (a.grazing) {
        return false;
    }
    CHECK(ended, "no end: %s", batch_text(b, i));
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    check(b, i, "kinematic_restitution", a.y[V3] / speed, 1);
    check(b, i, "velocity_ratio_out", hypot(a.y[V1], a.y[V2]) / speed,
          1 + batch_in(b, "velocity_ratio")[i]);
    check(b, i, "normal_impulse", a.y[P3], a.y[P3]);
    check(b, i, "kinetic_restitution", a.y[P3] / a.p_turn - 1, 1);
    check(b, i, "duration", a.time, a.time);
    check(b, i, "compression_time", a.t_turn, a.time);
    const double *t = &batch_out(b, "tangential_impulse")[2 * i];
    CHECK_NEAR(t[0], a.y[P1], 1e-7 * a.y[P3], "impulse 1: %s", batch_text(b, i));
    CHECK_NEAR(t[1], a.y[P2], 1e-7 * a.y[P3], "impulse 2: %s", batch_text(b, i));
    check_losses(b, i, &a, (double)inertia_energy(&a.m, v));
    return true;
}

static void independent(void) {
    enum { CELLS = 200, MOST_SKIPPED = 25 };
    batch b = batch_open("compliant3d", "body=matrix3d law=dashpot", CELLS);
    random_source source = {7801};
    for (size_t i = 0; i < CELLS; i++) {
        inertia m = inertia_random(&source, 20);
        inertia_set(&b, i, &m);
        bool pulled = i % 4 == 0;
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, 0, 3);
        batch_in(&b, "friction")[i] = random_between(&source, 0.1, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "contact_end")[i] = pulled;
        batch_in(&b, "normal_damping_ratio")[i] = random_between(&source, 0.02, pulled ? 0.5 : 1.5);
        batch_in(&b, "tangential_damping_ratio")[i] =
            i % 5 == 1 ? 0 : random_between(&source, 0.05, 1.5);
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_speed")[i] = random_log(&source, 0.1, 10);
    }
    batch_solve(&b);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    int skipped = 0, modes[8] = {0};
    for (size_t i = 0; i < CELLS; i++) {
        skipped += !compare(&b, i, step);
        modes[(int)batch_out(&b, "mode")[i]]++;
    }
    CHECK(skipped <= MOST_SKIPPED, "%d of %d cells skipped", skipped, CELLS);
    CHECK(modes[2] > 0 && modes[3] > 0 && modes[4] > 0, "a mode does not occur");
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

SUITE("compliant3d, dashpot, independent", independent)
