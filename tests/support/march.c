#include "support/march.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>

/* ---- equations of motion ---- */

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

/* A watched quantity, which ends a phase when it falls to 0, and its rate. In stick the distance
 * from the two faces of the cone; in slip the slip speed, and the compression of the normal spring;
 * in both the change of the normal spring from loading to unloading, and back. */
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

ending march_integrate(march *a) {
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

/* ---- energy ---- */

/* v . B^-1 v / 2; a rank-one body moves in the range of B only. */
static double kinetic_energy(const motion *m, double v_t, double v_n) {
    if (m->rank_one) {
        return v_n * v_n / (2 * m->b22);
    }
    double determinant = m->b11 * m->b22 - m->b12 * m->b12;
    return (m->b22 * v_t * v_t - 2 * m->b12 * v_t * v_n + m->b11 * v_n * v_n) / (2 * determinant);
}

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

double march_energy_loss(const march *a, ending end) {
    return lost_energy(a, end) / kinetic_energy(&a->m, a->m.v_t, a->m.v_n);
}
