/* Three springs in space against a straightforward integration in time: the equations of motion in
 * SI units for the elongations of all springs, by a Runge-Kutta pair of order 8, with steps much
 * shorter than all time scales, and events by bisection. Nothing of the product is used.
 *
 * Forces: -k1 u on the plane, K w on the normal, w the compression along the present line of the
 * bilinear spring. Stick: u' = v_t. Slip: friction is at its limit, |u| = r = mu K w / k1, and the
 * end of the spring slides with speed s along u: u' = v_t - s u/|u|, where s = v_t . u/|u| - r'
 * keeps |u| there. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { U1, U2, W, V1, V2, V3, P1, P2, P3, WORK, LOSS, STATE };

typedef struct march {
    inertia m;
    double mu, k1, k3, e;
    double stiffness; /* of the present line */
    bool slips, unloads;
    double greatest; /* normal force */
    double p_turn, t_turn, w_turn;
    double y[STATE], time;
    gsl_odeiv2_step *step;
    int phases;
    bool grazing;
} march;

static double rim(const march *a) {
    return a->mu * a->stiffness / a->k1;
}

static double slip_speed(const march *a, const double *y) {
    double size = hypot(y[U1], y[U2]);
    return (y[V1] * y[U1] + y[V2] * y[U2]) / size + rim(a) * y[V3];
}

static int rates(double time, const double y[], double dydt[], void *context) {
    (void)time;
    const march *a = context;
    double force[3] = {-a->k1 * y[U1], -a->k1 * y[U2], a->stiffness * y[W]};
    double speed = a->slips ? slip_speed(a, y) : 0, size = a->slips ? hypot(y[U1], y[U2]) : 1;
    dydt[U1] = y[V1] - speed * y[U1] / size;
    dydt[U2] = y[V2] - speed * y[U2] / size;
    dydt[W] = -y[V3];
    for (int k = 0; k < 3; k++) {
        dydt[V1 + k] = a->m.b[k][0] * force[0] + a->m.b[k][1] * force[1] + a->m.b[k][2] * force[2];
        dydt[P1 + k] = force[k];
    }
    dydt[WORK] = force[2] * y[V3];
    dydt[LOSS] = a->mu * force[2] * speed;
    return GSL_SUCCESS;
}

typedef enum event { NONE, HALTS, BREAKS, TURNS, RELOADS, ENDS } event;

/* Positive before the event. */
static double left(const march *a, const double *y, event which) {
    switch (which) {
    case HALTS:
        return slip_speed(a, y);
    case BREAKS:
        return rim(a) * y[W] - hypot(y[U1], y[U2]);
    case TURNS:
        return -y[V3];
    case RELOADS:
        return a->e * a->e * a->greatest / a->k3 - y[W];
    default:
        return y[W] * a->k3 - 1e-9 * a->greatest;
    }
}

static bool applies(const march *a, event which) {
    switch (which) {
    case HALTS:
        return a->slips;
    case BREAKS:
        return !a->slips && left(a, a->y, BREAKS) > 0;
    case TURNS:
        return a->y[V3] < 0;
    case RELOADS:
        return a->unloads && left(a, a->y, RELOADS) > 0 && a->e < 1;
    default:
        return a->greatest > 0 && a->y[V3] > 0;
    }
}

static void advance(march *a, double h, double *y) {
    double error[STATE];
    gsl_odeiv2_system system = {rates, NULL, STATE, a};
    memcpy(y, a->y, sizeof a->y);
    gsl_odeiv2_step_apply(a->step, a->time, h, y, error, NULL, NULL, &system);
}

static double step_of(const march *a) {
    double w = fmax(a->y[W], 1e-12),
           stiff = a->k1 * (a->m.b[0][0] + a->m.b[1][1]) + a->stiffness * a->m.b[2][2];
    double turning = (hypot(a->y[V1], a->y[V2]) + rim(a) * fabs(a->y[V3])) / (rim(a) * w);
    return 0.05 / (sqrt(stiff) + (a->slips ? turning : 0));
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
            if (left(a, z, e) > 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (high <= first) {
            first = high;
            which = e;
        }
    }
    advance(a, first, y);
    memcpy(a->y, y, sizeof y);
    a->time += first;
    return which;
}

static void set_line(march *a, bool unloads, double w) {
    a->unloads = unloads;
    a->stiffness = unloads ? a->k3 / (a->e * a->e) : a->k3;
    a->y[W] = w;
}

static void turn(march *a) {
    double force = a->stiffness * a->y[W];
    a->y[V3] = 0;
    if (force > a->greatest) {
        a->greatest = force;
        a->p_turn = a->y[P3];
        a->t_turn = a->time;
        a->w_turn = a->y[WORK];
    }
    if (!a->unloads && a->e < 1) {
        set_line(a, true, a->e * a->e * force / a->k3);
    }
}

static void meet(march *a, event which) {
    const double grazing = 1e-5;
    double speed = hypot(a->y[V1], hypot(a->y[V2], a->y[V3]));
    if (which == HALTS) {
        a->slips = false;
        a->phases++;
        /* On the rim, and from there inward. */
        double shrink = rim(a) * a->y[W] / hypot(a->y[U1], a->y[U2]);
        a->y[U1] *= shrink;
        a->y[U2] *= shrink;
    } else if (which == BREAKS) {
        a->slips = true;
        a->phases++;
        a->grazing = a->grazing || slip_speed(a, a->y) < grazing * speed;
    } else if (which == TURNS) {
        turn(a);
    } else if (which == RELOADS) {
        set_line(a, false, a->greatest / a->k3);
    }
}

/* The springs are unstretched at first: the first instant in closed form, where forces grow with
 * time. */
static void begin(march *a) {
    double t = 1e-4 / sqrt(a->m.b[2][2] * a->k3), speed = hypot(a->y[V1], a->y[V2]);
    double w = -a->y[V3] * t, force = a->k3 * w, limit = rim(a) * fabs(a->y[V3]);
    a->slips = speed >= limit;
    a->phases = 1;
    a->grazing = fabs(speed - limit) < 1e-4 * (speed + limit);
    double stretch = a->slips ? rim(a) * w / speed : t;
    a->y[U1] = a->y[V1] * stretch;
    a->y[U2] = a->y[V2] * stretch;
    a->y[W] = w;
    double f[3] = {-a->k1 * a->y[U1], -a->k1 * a->y[U2], force};
    a->y[LOSS] = a->slips ? a->mu * force * t / 2 * (speed - limit) : 0;
    a->y[WORK] = force * t / 2 * a->y[V3];
    for (int k = 0; k < 3; k++) {
        a->y[P1 + k] = f[k] * t / 2;
    }
    for (int k = 0; k < 3; k++) {
        a->y[V1 + k] += (a->m.b[k][0] * f[0] + a->m.b[k][1] * f[1] + a->m.b[k][2] * f[2]) * t / 2;
    }
    a->time = t;
}

static bool integrate(march *a) {
    begin(a);
    for (int i = 0; i < 200000; i++) {
        event which = march_on(a);
        if (which == ENDS) {
            a->time += a->y[W] / a->y[V3];
            return true;
        }
        /* A phase of stick begins on the rim: the distance from the rim must open first. */
        if (which == HALTS) {
            meet(a, which);
            double y[STATE];
            advance(a, 1e-3 * step_of(a), y);
            a->grazing = a->grazing || !(left(a, y, BREAKS) > 0);
            memcpy(a->y, y, sizeof y);
            a->time += 1e-3 * step_of(a);
            continue;
        }
        meet(a, which);
    }
    return false;
}

static void check(const batch *b, size_t i, const char *output, double expected, double scale) {
    CHECK_NEAR(batch_out(b, output)[i], expected, 1e-7 * scale, "%s, %s: %s", output,
               batch_mode(b, i), batch_text(b, i));
}

static bool compare(const batch *b, size_t i, gsl_odeiv2_step *step) {
    double speed = batch_in(b, "normal_speed")[i], ratio = batch_in(b, "velocity_ratio")[i];
    double heading = batch_in(b, "heading")[i], k3 = batch_in(b, "normal_stiffness")[i];
    march a = {.m = inertia_get(b, i),
               .mu = batch_in(b, "friction")[i],
               .k1 = k3 / batch_in(b, "stiffness_ratio")[i],
               .k3 = k3,
               .e = batch_in(b, "restitution")[i],
               .stiffness = k3,
               .y = {[V1] = speed * ratio * cos(heading),
                     [V2] = speed * ratio * sin(heading),
                     [V3] = -speed},
               .step = step};
    const double v[3] = {a.y[V1], a.y[V2], a.y[V3]};
    bool ended = integrate(&a);
    if (a.grazing) {
        return false;
    }
    CHECK(ended, "no end: %s", batch_text(b, i));
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    check(b, i, "kinematic_restitution", a.y[V3] / speed, 1);
    check(b, i, "velocity_ratio_out", hypot(a.y[V1], a.y[V2]) / speed, 1 + ratio);
    check(b, i, "normal_impulse", a.y[P3], a.y[P3]);
    check(b, i, "kinetic_restitution", a.y[P3] / a.p_turn - 1, 1);
    check(b, i, "energetic_restitution", sqrt((a.y[WORK] - a.w_turn) / -a.w_turn), 1);
    check(b, i, "duration", a.time, a.time);
    check(b, i, "compression_time", a.t_turn, a.time);
    const double *t = &batch_out(b, "tangential_impulse")[2 * i];
    CHECK_NEAR(t[0], a.y[P1], 1e-7 * a.y[P3], "impulse 1: %s", batch_text(b, i));
    CHECK_NEAR(t[1], a.y[P2], 1e-7 * a.y[P3], "impulse 2: %s", batch_text(b, i));
    double spring = (1 - a.e * a.e) * a.greatest * a.greatest / (2 * k3);
    double initial = (double)inertia_energy(&a.m, v);
    check(b, i, "energy_loss", (a.y[LOSS] + spring) / initial, 1);
    return true;
}

static void independent(void) {
    enum { CELLS = 230, MOST_SKIPPED = 12 };
    batch b = batch_open("compliant3d", "body=matrix3d", CELLS);
    random_source source = {7601};
    for (size_t i = 0; i < CELLS; i++) {
        inertia m = inertia_random(&source, 20);
        inertia_set(&b, i, &m);
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, 0, 3);
        batch_in(&b, "friction")[i] = random_between(&source, 0.1, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "restitution")[i] = i % 3 ? random_between(&source, 0.3, 1) : 1;
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

/* Halts so short that no stage of a step of slip falls into them, one of them just after the
 * beginning of a step; steps that are too long to be true, and seem to halt where slip goes on;
 * last a greatest indentation between two stages, before which and behind which the contact
 * compresses. */
static const char *const short_parameters[] = {"friction",      "stiffness_ratio",
                                               "restitution",   "normal_stiffness",
                                               "normal_speed",  "b11",
                                               "b12",           "b13",
                                               "b22",           "b23",
                                               "b33",           "heading",
                                               "velocity_ratio"};
static const struct {
    const char *mode;
    double values[SUITE_COUNT(short_parameters)];
} short_cells[] = {
    {"slip_stick_slip",
     {0.49575620708645035, 1.21, 0.8, 2.2213231230350345, 0.75118809876758696, 6.9455667945231481,
      0.91713857009874966, 0.81027271515132349, 1.6, 0.45067877737513495, 1.2, -0.43528953988971292,
      1.8113223265171194}},
    {"slip_stick_slip",
     {0.3, 1.21, 0.8, 2.4391577173322991, 1, 7.49775310841581, 0.31005903354265457,
      -0.42864778694934208, 4.748144261353187, 0.24356838085938481, 1.2, -0.59863217451850781,
      2.0786049492423695}},
    {"slip_stick_slip",
     {0.3, 0.16217519304616301, 0.8, 0.72635377328291639, 1.0090967078425672, 2.5,
      0.15415691700501066, 0.17022266853085832, 3.7302285614042718, -0.29522790266390286,
      1.8443597602308595, -0.10593909198128415, 0.20140251559737155}},
    {"gross_slip",
     {0.3, 1.21, 0.8, 1, 1.6585208305660926, 5.075675092877332, 0.035212456973316188,
      0.03418290795853967, 4.6160022984156459, -0.20289405231734417, 1.2, 1.9066594900063736,
      1.8263534475311256}},
    {"multiple",
     {0.43075875337229386, 0.86166096641438472, 0.8, 2.2904938006639437, 1.6730708857489116,
      7.3017939416585538, 0.41325784803597526, 2.1903266016871283, 2.9822446534159881,
      -0.57053444628202532, 1.2, -0.10863964056981423, 0.75}},
    {"slip_stick_slip",
     {0.62177292774951431, 1.21, 0.8, 1.8434744028401209, 1, 2.5, 0.84377630672016191,
      0.00010412261854639838, 2.3849469848186717, 0.48647133417374511, 1.2, -0.26415053043606102,
      1.0619837200195077}},
    {"stick_slip_stick_slip",
     {4.5706130541718784, 1.0863970313348499, 0.72965929941837337, 1, 1, 0.24826066371186858,
      -0.13385802176988959, 0.26863458130732243, 0.31997384091703646, -0.28837700055086624,
      0.52043219960969578, 0.66009092416707038, 3.7313149356080051}},
};

static void short_halts(void) {
    batch b = batch_open("compliant3d", "body=matrix3d", SUITE_COUNT(short_cells));
    for (int i = 0; i < SUITE_COUNT(short_cells); i++) {
        for (int k = 0; k < SUITE_COUNT(short_parameters); k++) {
            batch_in(&b, short_parameters[k])[i] = short_cells[i].values[k];
        }
    }
    batch_solve(&b);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    for (int i = 0; i < SUITE_COUNT(short_cells); i++) {
        CHECK(compare(&b, (size_t)i, step), "cell %d skipped", i);
        CHECK(batch_has_mode(&b, (size_t)i, short_cells[i].mode), "cell %d: %s", i,
              batch_mode(&b, (size_t)i));
    }
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

SUITE("compliant3d, independent", independent, short_halts)
