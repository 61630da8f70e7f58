/* The compliant model against a straightforward integration in time: the equations of motion in SI
 * units by a Runge-Kutta pair of order 8, small steps, events by bisection. Nothing is shared with
 * the product: B is computed here too, from the table of bodies.
 *
 * Spring elongations u1 (tangential), u3 (normal, contact while u3 < 0), d = -u3;
 * d(v_t, v_n)/dt = B (F1, F3). Stick: du1/dt = v_t. Slip in direction s = +-1: F1 = -mu s F3.
 *
 *   law      F3                                F1
 *   linear   k3 d                              -k1 u1
 *   coupled  k3 d^1.5                          -k1 u1 sqrt(d), k1 = 3 k3 / (2 eta)
 *   hertz    k3 d^1.5 (1 - zeta v_n)           -k1 u1 sqrt|u1|, k1 = k3 / eta
 *
 * Linear with energetic restitution e: F3 = (k3 / e^2) (d - (1 - e^2) d_max) while it unloads or
 * reloads up to d_max. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

/* ---- equations of motion ---- */

enum { U1, U3, V_T, V_N, P_T, P_N, WORK, LOSS, DAMPED, STATE };
typedef enum regime { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 } regime; /* codes of a sequence */
typedef enum force_law { LINEAR, COUPLED, HERTZ } force_law;

typedef struct motion {
    double b11, b12, b22;
    bool rank_one;
    double mu, k1, k3;
    double v_t, v_n; /* at the start */
    force_law law;
    double e, zeta;
    bool unloads; /* linear with e < 1 */
    double d_max;
    regime now;
} motion;

static double direction(regime now) {
    return now == SLIP_BACK ? -1 : now == SLIP_FORTH ? 1 : 0;
}

/* Compression of the normal spring. */
static double compression(const motion *m, const double *y) {
    double d = -y[U3] - (m->unloads ? (1 - m->e * m->e) * m->d_max : 0);
    return m->law == LINEAR ? d : fmax(0, d);
}

static double normal_stiffness(const motion *m) {
    return m->unloads ? m->k3 / (m->e * m->e) : m->k3;
}

static double normal_force(const motion *m, const double *y) {
    double d = compression(m, y), k = normal_stiffness(m);
    return m->law == LINEAR ? k * d : k * pow(d, 1.5) * (1 - m->zeta * y[V_N]);
}

static double stick_force(const motion *m, const double *y) {
    double u = y[U1];
    return m->law == LINEAR    ? -m->k1 * u
           : m->law == COUPLED ? -m->k1 * u * sqrt(compression(m, y))
                               : -m->k1 * u * sqrt(fabs(u));
}

/* The elongation |u1| at which the tangential spring has the greatest force of friction; and its
 * rate, where dv_n/dt is the acceleration. */
static double rim(const motion *m, const double *y) {
    double d = compression(m, y);
    switch (m->law) {
    case LINEAR:
        return m->mu * normal_stiffness(m) * d / m->k1;
    case COUPLED:
        return m->mu * m->k3 / m->k1 * d;
    default:
        return pow(m->mu * m->k3 / m->k1 * (1 - m->zeta * y[V_N]), 2.0 / 3) * d;
    }
}

static double rim_rate(const motion *m, const double *y, double acceleration) {
    switch (m->law) {
    case LINEAR:
        return -m->mu * normal_stiffness(m) / m->k1 * y[V_N];
    case COUPLED:
        return -m->mu * m->k3 / m->k1 * y[V_N];
    default: {
        double relief = 1 - m->zeta * y[V_N], share = pow(m->mu * m->k3 / m->k1 * relief, 2.0 / 3);
        return -share * (y[V_N] + 2.0 / 3 * m->zeta * acceleration / relief * compression(m, y));
    }
    }
}

static int rates(double time, const double y[], double dydt[], void *context) {
    (void)time;
    const motion *m = context;
    double s = direction(m->now);
    double f3 = normal_force(m, y), f1 = m->now == STICK ? stick_force(m, y) : -m->mu * s * f3;
    double elastic = m->law == LINEAR ? f3 : m->k3 * pow(compression(m, y), 1.5);
    dydt[U3] = y[V_N];
    dydt[V_T] = m->b11 * f1 + m->b12 * f3;
    dydt[V_N] = m->b12 * f1 + m->b22 * f3;
    dydt[U1] = m->now == STICK ? y[V_T] : s * rim_rate(m, y, dydt[V_N]);
    dydt[P_T] = f1;
    dydt[P_N] = f3;
    dydt[WORK] = f3 * y[V_N];
    dydt[LOSS] = m->now == STICK ? 0 : m->mu * f3 * fabs(y[V_T] - dydt[U1]);
    dydt[DAMPED] = (elastic - f3) * y[V_N];
    return GSL_SUCCESS;
}

/* A watched quantity, which ends a phase when it falls to 0, and its rate. In stick the distance from the two
 * faces of the cone; in slip the slip speed, and the compression of the normal spring; in both the change of the
 * normal spring from loading to unloading, and back. */
typedef struct watch {
    double value, slope;
} watch;

enum { WATCHES = 3, SLIP_SPEED = 0, COMPRESSION = 1, CHANGE = 2 };

static watch watch_of(const motion *m, const double *y, int which) {
    double dydt[STATE], s = direction(m->now);
    rates(0, y, dydt, (void *)m);
    if (which == CHANGE) {
        return m->unloads ? (watch){m->d_max + y[U3], y[V_N]} : (watch){-y[V_N], -dydt[V_N]};
    }
    if (m->now == STICK) {
        s = which == 0 ? -1 : 1;
        return (watch){rim(m, y) - s * y[U1], rim_rate(m, y, dydt[V_N]) - s * y[V_T]};
    }
    if (which == COMPRESSION) {
        return (watch){compression(m, y), -y[V_N]};
    }
    /* The rate of the slip speed by a difference, which only tells whether an event may hide. */
    double later[STATE], after[STATE], h = 1e-6 / sqrt(m->b22 * m->k3);
    for (int i = 0; i < STATE; i++) {
        later[i] = y[i] + h * dydt[i];
    }
    rates(0, later, after, (void *)m);
    double speed = s * (y[V_T] - dydt[U1]);
    return (watch){speed, (s * (later[V_T] - after[U1]) - speed) / h};
}

/* ---- steps and events ---- */

typedef struct turn {
    double indentation, time, p_n, work;
} turn;

typedef struct march {
    motion m;
    gsl_odeiv2_step *step;
    double y[STATE], time, in_phase; /* time, and time since the phase began */
    double entry[STATE];             /* where the phase began */
    double length, speed;            /* scales of elongations and velocities */
    double greatest_h, h;            /* steps: the longest, and the next */
    int reversals;                   /* of v_n in the phase */
    regime before;                   /* the phase before this one; 0 at the start */
    turn greatest;                   /* of the indentation */
    uint64_t sequence;
    int phases;
    bool grazing; /* an event was missed or met by less than 1e-6, so that rounding decides */
} march;

static const double grazing_limit = 1e-6;

/* The state after a step of any length up to h from the present one. */
static void advance(march *a, double h, double *y) {
    double error[STATE];
    gsl_odeiv2_system system = {rates, NULL, STATE, &a->m};
    memcpy(y, a->y, sizeof a->y);
    gsl_odeiv2_step_apply(a->step, a->time, h, y, error, NULL, NULL, &system);
}

/* Smallest h in (0, h] at which `falls` becomes true, by bisection; y is the state there. */
static double bisect(march *a, double h, int which,
                     bool (*falls)(const march *, const double *, int), double *y) {
    double low = 0, high = h;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        advance(a, middle, y);
        if (falls(a, y, which)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    advance(a, high, y);
    return high;
}

static bool has_ended(const march *a, const double *y, int which) {
    return watch_of(&a->m, y, which).value <= 0;
}

static bool rises_again(const march *a, const double *y, int which) {
    return watch_of(&a->m, y, which).slope >= 0;
}

static bool rebounds(const march *a, const double *y, int which) {
    (void)a;
    (void)which;
    return y[V_N] >= 0;
}

/* Whether the phase began on this very face of the cone, where value and slope are 0. */
static bool entered_here(const march *a, int which) {
    return a->m.now == STICK && a->in_phase == 0 &&
           a->before == (which == 0 ? SLIP_BACK : SLIP_FORTH);
}

/* Time of the event in the next step, or infinity. An event can hide between the ends of a step:
 * then the watched value has a minimum there. */
static double event_in_step(march *a, int which, const double *end) {
    double y[STATE], h = a->h;
    if (which == CHANGE && (a->m.e == 1 || a->m.law != LINEAR)) {
        return INFINITY;
    }
    watch start = watch_of(&a->m, a->y, which), stop = watch_of(&a->m, end, which);
    if (stop.value > 0) {
        if (entered_here(a, which) || !(start.slope < 0 && stop.slope > 0)) {
            return INFINITY;
        }
        h = bisect(a, a->h, which, rises_again, y);
        double least = watch_of(&a->m, y, which).value;
        double scale = a->m.now == STICK || which == COMPRESSION ? a->length : a->speed;
        /* With one degree of freedom slip touches 0 where compression ends, and may go on. */
        bool meant = a->m.rank_one && a->m.e < 1 && which == SLIP_SPEED && a->m.now != STICK;
        a->grazing = a->grazing || (fabs(least) < grazing_limit * scale && !meant);
        if (least > 0) {
            return INFINITY;
        }
    }
    return bisect(a, h, which, has_ended, y);
}

static void note_turn(march *a, double h, const double *end) {
    double y[STATE];
    bool at_start = a->in_phase < 2 * a->greatest_h; /* where it may begin at rest */
    a->reversals += !at_start && (a->y[V_N] < 0) != (end[V_N] < 0);
    if (!(a->y[V_N] < 0 && end[V_N] >= 0)) {
        return;
    }
    double time = a->time + bisect(a, h, 0, rebounds, y);
    if (-y[U3] > a->greatest.indentation) {
        a->greatest = (turn){-y[U3], time, y[P_N], y[WORK]};
    }
}

/* A power of 1.5 is smooth only away from 0: steps to and from 0 are graded. */
static double graded_step(const march *a) {
    const double *y = a->y, shortest = 2e-4 * a->greatest_h;
    if (a->m.law == LINEAR) {
        return a->greatest_h;
    }
    double h = 0.3 * fmax(0, -y[U3]) / fabs(y[V_N]);
    if (a->m.law == HERTZ && a->m.now == STICK) {
        h = fmin(h, 0.3 * fabs(y[U1] / y[V_T]));
    }
    return fmin(a->greatest_h, fmax(h, shortest));
}

/* Takes a step, at most to the first event. Returns the event, -1 if there was none. */
static int march_on(march *a) {
    double y[STATE], first = INFINITY;
    int which = -1;
    a->h = graded_step(a);
    advance(a, a->h, y);
    for (int w = 0; w < WATCHES; w++) {
        double at = event_in_step(a, w, y);
        /* With one degree of freedom slip and compression end together: the compression first. */
        bool together = a->m.rank_one && w == CHANGE && which >= 0 && at < first + 1e-6 * a->h;
        if (at < first || together) {
            first = at;
            which = w;
        }
    }
    double h = which < 0 ? a->h : first;
    advance(a, h, y);
    note_turn(a, h, y);
    memcpy(a->y, y, sizeof y);
    a->time += h;
    a->in_phase += h;
    return which;
}

/* ---- phases ---- */

static void begin_phase(march *a, regime next) {
    double s = direction(next);
    a->before = a->phases ? a->m.now : (regime)0;
    a->m.now = next;
    a->in_phase = 0;
    a->reversals = 0;
    a->sequence |= (uint64_t)next << (2 * a->phases);
    a->phases++;
    if (next != STICK) {
        a->y[U1] = s * rim(&a->m, a->y);
        double speed = watch_of(&a->m, a->y, SLIP_SPEED).value;
        a->grazing = a->grazing || speed < grazing_limit * a->speed;
    }
    memcpy(a->entry, a->y, sizeof a->entry);
}

typedef enum ending { GOES_ON, SEPARATES, WEDGES, LOST } ending;

/* The normal spring turns to its other line. */
static void change_line(march *a) {
    double *y = a->y;
    if (!a->m.unloads) {
        a->m.d_max = -y[U3];
        y[V_N] = 0;
        y[V_T] = a->m.rank_one ? 0 : y[V_T];
        a->greatest = (turn){-y[U3], a->time, y[P_N], y[WORK]};
    }
    a->m.unloads = !a->m.unloads;
}

/* Begins the next phase after an event (-1: none). */
static ending next_phase(march *a, int event) {
    const double *y = a->y;
    if (event == CHANGE) {
        change_line(a);
        return GOES_ON;
    }
    if (event < 0) {
        /* With one degree of freedom stick oscillates for ever, with damping less and less. */
        int enough = a->m.zeta > 0 ? 5 : 1;
        bool forever = a->m.now == STICK && a->m.rank_one && a->before && a->reversals >= enough;
        return forever ? WEDGES : GOES_ON;
    }
    if (a->m.now != STICK) {
        if (event == COMPRESSION) {
            return SEPARATES;
        }
        begin_phase(a, STICK);
        return GOES_ON;
    }
    if (compression(&a->m, y) < 1e-9 * a->length) {
        return SEPARATES;
    }
    a->grazing = a->grazing || a->in_phase < grazing_limit * a->length / a->speed;
    begin_phase(a, event == 0 ? SLIP_BACK : SLIP_FORTH);
    return GOES_ON;
}

static void set_scales(march *a) {
    const motion *m = &a->m;
    double stiffness = 1;
    a->speed = hypot(m->v_t, m->v_n);
    a->length = fabs(m->v_n) / sqrt(m->b22 * m->k3);
    if (m->law != LINEAR) {
        a->length = pow(m->v_n * m->v_n / (m->b22 * m->k3), 0.4);
        stiffness = 1.5 * sqrt(a->length);
    }
    double k3 = m->k3 / (m->e * m->e);
    double square = m->b11 * m->k1 + m->b22 * k3 + m->mu * fabs(m->b12) * k3;
    a->greatest_h = 0.05 / sqrt(stiffness * square);
}

static ending integrate(march *a) {
    const motion *m = &a->m;
    enum { MOST_STEPS = 1000000 };
    double zero[STATE] = {[U3] = -1, [V_N] = m->v_n}, tangential = fabs(m->v_t);
    set_scales(a);
    double limit = rim(m, zero) * fabs(m->v_n);
    a->y[V_T] = m->v_t;
    a->y[V_N] = m->v_n;
    a->grazing = fabs(tangential - limit) < grazing_limit * a->speed;
    begin_phase(a, tangential < limit ? STICK : m->v_t < 0 ? SLIP_BACK : SLIP_FORTH);
    ending end = GOES_ON;
    for (int i = 0; i < MOST_STEPS && end == GOES_ON; i++) {
        end = next_phase(a, march_on(a));
        end = a->phases > 25 ? LOST : end;
    }
    return end == GOES_ON ? LOST : end;
}

/* ---- cells of every body ---- */

typedef struct subject {
    const char *name, *choices;
    /* Sets the body's own parameters of cell i. */
    void (*draw)(const batch *b, size_t i, random_source *source);
    /* B and v_t(0) / |v_n(0)| of cell i; rank_one if it has one degree of freedom. */
    void (*inertia)(const batch *b, size_t i, motion *m);
} subject;

static void draw_sphere(const batch *b, size_t i, random_source *source) {
    batch_in(b, "velocity_ratio")[i] = random_between(source, -5, 5);
    batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
}

static void sphere(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i];
    m->b11 = 3.5 / mass;
    m->b12 = 0;
    m->b22 = 1 / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_rod(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    batch_in(b, "angle")[i] = random_between(source, -pi / 2, pi / 2);
}

static void rod(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    double c = cos(angle), s = sin(angle);
    m->b11 = (1 + 3 * c * c) / mass;
    m->b12 = 3 * s * c / mass;
    m->b22 = (1 + 3 * s * s) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_general(const batch *b, size_t i, random_source *source) {
    draw_rod(b, i, source);
    batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.95);
}

static void general(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    double coupling = batch_in(b, "inertia_coupling")[i];
    m->b11 = (1 + coupling * cos(2 * angle)) / mass;
    m->b12 = coupling * sin(2 * angle) / mass;
    m->b22 = (1 - coupling * cos(2 * angle)) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_pendulum(const batch *b, size_t i, random_source *source) {
    batch_in(b, "angle")[i] = random_between(source, 1, 89) * pi / 180;
    batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
}

static void pendulum(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    m->b11 = cos(angle) * cos(angle) / mass;
    m->b12 = sin(angle) * cos(angle) / mass;
    m->b22 = sin(angle) * sin(angle) / mass;
    m->v_t = -1 / tan(angle);
    m->rank_one = true;
}

static void draw_matrix(const batch *b, size_t i, random_source *source) {
    double b11 = random_log(source, 0.2, 5), b22 = random_log(source, 0.2, 5);
    batch_in(b, "b11")[i] = b11;
    batch_in(b, "b12")[i] = random_between(source, -0.95, 0.95) * sqrt(b11 * b22);
    batch_in(b, "b22")[i] = b22;
    batch_in(b, "velocity_ratio")[i] = random_between(source, -5, 5);
}

static void matrix(const batch *b, size_t i, motion *m) {
    m->b11 = batch_in(b, "b11")[i];
    m->b12 = batch_in(b, "b12")[i];
    m->b22 = batch_in(b, "b22")[i];
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

/* Both signs of b12, so also pendulums that lean the other way. */
static void draw_singular(const batch *b, size_t i, random_source *source) {
    double along = random_between(source, -3, 3), scale = random_log(source, 0.2, 5);
    batch_in(b, "b11")[i] = along * along * scale;
    batch_in(b, "b12")[i] = along * scale;
    batch_in(b, "b22")[i] = scale;
    batch_in(b, "velocity_ratio")[i] = -along;
}

static void singular(const batch *b, size_t i, motion *m) {
    matrix(b, i, m);
    m->rank_one = true;
}

/* Up to the angles at which the axis lies in the plane. */
static void draw_capsule(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    double slenderness = batch_in(b, "slenderness")[i] = random_log(source, 0.2, 20);
    batch_in(b, "angle")[i] = atan(slenderness / 2) * random_between(source, -1, 1);
}

/* Cylinder and hemispheres of radius 1 about their common mass centre, and the contact's place. */
static void capsule(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], length = batch_in(b, "slenderness")[i];
    double angle = batch_in(b, "angle")[i], tilt = angle + asin(2 * sin(angle) / length);
    double x = length / 2 * sin(tilt), y = 1 + length / 2 * cos(tilt);
    double tip = 3.0 / 8, ends = 4.0 / 3, middle = length;
    double of_ends = 0.4 - tip * tip + (length / 2 + tip) * (length / 2 + tip);
    double of_middle = 0.25 + length * length / 12;
    double spin = (ends + middle) / (mass * (ends * of_ends + middle * of_middle));
    m->b11 = 1 / mass + y * y * spin;
    m->b12 = x * y * spin;
    m->b22 = 1 / mass + x * x * spin;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_lamina(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    double k = batch_in(b, "gyration_radius")[i] = random_log(source, 0.1, 10);
    batch_in(b, "offset_t")[i] = random_between(source, -3, 3) * k;
    batch_in(b, "offset_n")[i] = random_between(source, -3, 3) * k;
}

static void lamina(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], k = batch_in(b, "gyration_radius")[i];
    double x = batch_in(b, "offset_t")[i] / k, y = batch_in(b, "offset_n")[i] / k;
    m->b11 = (1 + y * y) / mass;
    m->b12 = -x * y / mass;
    m->b22 = (1 + x * x) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static const subject subjects[] = {
    {"sphere", "body=sphere", draw_sphere, sphere},
    {"rod", "body=rod", draw_rod, rod},
    {"general", "body=general", draw_general, general},
    {"pendulum", "body=pendulum", draw_pendulum, pendulum},
    {"matrix", "body=matrix", draw_matrix, matrix},
    {"singular matrix", "body=matrix", draw_singular, singular},
    {"capsule", "body=capsule", draw_capsule, capsule},
    {"lamina", "body=lamina", draw_lamina, lamina},
};

/* v . B^-1 v / 2; a rank-one body moves in the range of B only. */
static double kinetic_energy(const motion *m, double v_t, double v_n) {
    if (m->rank_one) {
        return v_n * v_n / (2 * m->b22);
    }
    double determinant = m->b11 * m->b22 - m->b12 * m->b12;
    return (m->b22 * v_t * v_t - 2 * m->b12 * v_t * v_n + m->b11 * v_n * v_n) / (2 * determinant);
}

/* The energy that the body does not get back; up to the endless stick, if there is one. */
static double lost_energy(const march *a, ending end) {
    const motion *m = &a->m;
    const double *y = end == WEDGES ? a->entry : a->y;
    if (m->law == COUPLED) {
        double d = compression(m, y), root = sqrt(d);
        double elastic = 0.4 * m->k3 * d * d * root + m->k1 * y[U1] * y[U1] * root / 2;
        return kinetic_energy(m, m->v_t, m->v_n) - kinetic_energy(m, y[V_T], y[V_N]) -
               (end == WEDGES ? elastic : 0);
    }
    return y[LOSS] + y[DAMPED] + (1 - m->e * m->e) * m->k3 * m->d_max * m->d_max / 2;
}

/* ---- laws ---- */

typedef struct variant {
    const char *choice;
    force_law law;
    double least_e;      /* of the energetic coefficient, random up to 1; 1: none */
    double most_damping; /* random; 0: none */
    double tolerance;
} variant;

static const variant variants[] = {
    {"law=linear", LINEAR, 1, 0, 1e-10},  {"law=linear", LINEAR, 0.1, 0, 1e-10},
    {"law=coupled", COUPLED, 1, 0, 1e-9}, {"law=hertz", HERTZ, 1, 0, 1e-9},
    {"law=hertz", HERTZ, 1, 2, 1e-9},
};

static void draw_law(const variant *v, const batch *b, size_t i, random_source *source) {
    double speed = batch_in(b, "normal_speed")[i];
    if (v->law == LINEAR) {
        batch_in(b, "restitution")[i] = v->least_e < 1 ? random_between(source, v->least_e, 1) : 1;
    }
    if (v->law == HERTZ) {
        batch_in(b, "damping")[i] = random_between(source, 0, v->most_damping) / speed;
    }
}

static void set_law(const variant *v, const batch *b, size_t i, motion *m) {
    double eta = batch_in(b, "stiffness_ratio")[i];
    m->mu = batch_in(b, "friction")[i];
    m->k3 = batch_in(b, "normal_stiffness")[i];
    m->k1 = v->law == COUPLED ? 1.5 * m->k3 / eta : m->k3 / eta;
    m->law = v->law;
    m->e = v->law == LINEAR ? batch_in(b, "restitution")[i] : 1;
    m->zeta = v->law == HERTZ ? batch_in(b, "damping")[i] : 0;
}

/* ---- comparison ---- */

static void check_output(const batch *b, size_t i, const char *output, double expected,
                         double scale, double tolerance) {
    double actual = batch_out(b, output)[i], size = fmax(fabs(expected), scale);
    CHECK_NEAR(actual / size, expected / size, tolerance, "%s of %s", output, batch_text(b, i));
}

static void check_separation(const batch *b, size_t i, const march *a, double tolerance) {
    const double *y = a->y, speed = -a->m.v_n, impulse = speed / a->m.b22;
    const turn *c = &a->greatest;
    check_output(b, i, "kinematic_restitution", y[V_N] / speed, 1, tolerance);
    check_output(b, i, "velocity_ratio_out", y[V_T] / speed, 1, tolerance);
    check_output(b, i, "normal_impulse", y[P_N], impulse, tolerance);
    check_output(b, i, "tangential_impulse", y[P_T], impulse, tolerance);
    check_output(b, i, "kinetic_restitution", (y[P_N] - c->p_n) / c->p_n, 1, tolerance);
    check_output(b, i, "energetic_restitution", sqrt((y[WORK] - c->work) / -c->work), 1, tolerance);
    check_output(b, i, "duration", a->time, 0, tolerance);
    check_output(b, i, "compression_time", c->time, 0, tolerance);
}

/* Returns false if the cell is too near to grazing to be compared. */
static bool compare(const subject *body, const variant *v, const batch *b, size_t i,
                    gsl_odeiv2_step *step) {
    double speed = batch_in(b, "normal_speed")[i];
    march a = {.step = step};
    body->inertia(b, i, &a.m);
    set_law(v, b, i, &a.m);
    a.m.v_t *= speed;
    a.m.v_n = -speed;
    ending end = integrate(&a);
    if (a.grazing) {
        return false;
    }
    CHECK(end != LOST, "%s: the integration does not end: %s", body->name, batch_text(b, i));
    CHECK(b->outcome[i] == IMP_SOLVED, "%s: %s", body->name, batch_text(b, i));
    char expected[256];
    imp_sequence_text(a.sequence, sizeof expected, expected);
    CHECK((uint64_t)batch_out(b, "sequence")[i] == a.sequence, "sequence %s instead of %s: %s",
          batch_sequence(b, i), expected, batch_text(b, i));
    bool wedge = strcmp(batch_mode(b, i), "wedge") == 0;
    CHECK(wedge == (end == WEDGES), "mode %s: %s", batch_mode(b, i), batch_text(b, i));
    double whole = kinetic_energy(&a.m, a.m.v_t, a.m.v_n);
    check_output(b, i, "energy_loss", lost_energy(&a, end) / whole, 1, v->tolerance);
    if (end == SEPARATES) {
        check_separation(b, i, &a, v->tolerance);
    }
    return true;
}

static void compare_body(const subject *body, const variant *v, uint64_t seed) {
    enum { CELLS = 500 };
    char choices[64];
    snprintf(choices, sizeof choices, "%s %s", body->choices, v->choice);
    batch b = batch_open("compliant", choices, CELLS);
    random_source source = {seed};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_speed")[i] = random_log(&source, 0.1, 10);
        body->draw(&b, i, &source);
        draw_law(v, &b, i, &source);
    }
    batch_solve(&b);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    int skipped = 0;
    for (size_t i = 0; i < CELLS; i++) {
        skipped += !compare(body, v, &b, i, step);
    }
    CHECK(skipped * 100 <= CELLS, "%s: %d of %d cells skipped", body->name, skipped, CELLS);
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

static void every_body(int which) {
    for (int i = 0; i < SUITE_COUNT(subjects); i++) {
        compare_body(&subjects[i], &variants[which], 8000 + (uint64_t)(100 * which + i));
    }
}

static void linear(void) {
    every_body(0);
}

static void linear_with_restitution(void) {
    every_body(1);
}

static void coupled(void) {
    every_body(2);
}

static void hertz(void) {
    every_body(3);
}

static void hertz_with_damping(void) {
    every_body(4);
}

/* The integration itself in a case with a known answer: a sphere that slips throughout touches the plane for half
 * a period of its normal spring and takes the normal impulse 2 m |v_n|. */
static void the_integration_itself(void) {
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    march a = {
        .step = step,
        .m = {.b11 = 3.5, .b22 = 1, .mu = 0.2, .k1 = 0.5, .k3 = 4, .v_t = 5, .v_n = -1, .e = 1}};
    CHECK(integrate(&a) == SEPARATES, "the sphere stays");
    CHECK(a.phases == 1 && a.sequence == SLIP_FORTH, "%d phases", a.phases);
    CHECK_NEAR(a.time, pi / 2, 1e-12, "duration");
    CHECK_NEAR(a.y[V_N], 1, 1e-12, "normal velocity");
    CHECK_NEAR(a.y[V_T], 5 - 3.5 * 0.2 * 2, 1e-12, "tangential velocity");
    /* Energy: rotation and translation act on the tangential motion as a mass of 2/7. */
    CHECK_NEAR(a.y[LOSS], (25 - 3.6 * 3.6) / 7, 1e-12, "loss");
    CHECK_NEAR(a.greatest.time, pi / 4, 1e-12, "time of greatest indentation");
    gsl_odeiv2_step_free(step);
}

int main(void) {
    gsl_set_error_handler_off();
    static const suite_test tests[] = {SUITE_TEST(the_integration_itself),
                                       SUITE_TEST(linear),
                                       SUITE_TEST(linear_with_restitution),
                                       SUITE_TEST(coupled),
                                       SUITE_TEST(hertz),
                                       SUITE_TEST(hertz_with_damping)};
    return suite_run("independent", tests, SUITE_COUNT(tests));
}
