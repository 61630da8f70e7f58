/* The laws of power 1.5, hertz and coupled: what their files share. */
#ifndef IMP_MODELS_COMPLIANT_POWER_IMPL_H
#define IMP_MODELS_COMPLIANT_POWER_IMPL_H

#include <math.h>

#include "models/compliant/state_impl.h"
#include "num/exponential.h"
#include "num/runge_kutta.h"

/* Variables of the integration: elongations and velocities; integrals: impulses, work of the normal
 * force, time. */
enum { U, DELTA, V_T, V_N, P_T, P_N, WORK, TIME };

/* Powers of 1.5 are smooth except at 0. Where the indentation or u passes through 0, its square
 * root is the independent variable, in which everything is smooth on either side; elsewhere time
 * is. */
typedef enum variable { BY_TIME, BY_ROOT_OF_U, BY_ROOT_OF_DELTA } variable;

typedef struct springs {
    double a, c, mu;
    double kappa;   /* stick while |u| <= kappa delta (1 - damping v_n)^(2/3) */
    double damping; /* hertz only */
    double slip;    /* direction; 0: stick */
    double q, g;    /* slip: dv_n and dv_t per normal impulse */
    double sense;   /* -1 or 1: direction in which a root as variable changes */
    bool coupled;   /* the law */
    bool constrained;
} springs;

/* One phase as it is integrated. */
typedef struct march {
    const imp_compliant_problem *problem;
    springs k;
    variable by;
    imp_rk_row y, rate; /* rate: in time */
    double h;           /* time that the next step may take */
    double impulse;     /* undamped slip: the normal impulse at which it ends; otherwise infinite */
    double rest;        /* constrained stick: sign of v_n, which ends it; otherwise 0 */
    bool touches[2];    /* quantities that are 0 as the phase begins, which is no event */
    bool apex;          /* stick on a line through the apex of the cone, which it never leaves */
} march;

/* The point that the march would reach by a step of h. The rates are those in time. */
typedef struct point {
    double h;
    imp_rk_row y, rate;
} point;

/* A contact as a whole. */
typedef struct contact {
    const imp_compliant_problem *problem;
    springs k; /* of stick */
    int64_t budget;
    double damped; /* energy lost to damping */
} contact;

/* ---- forces ---- */

static inline double positive(double x) {
    return x > 0 ? x : 0;
}

static inline double spring_force(const springs *k, double u, double delta) {
    return -u * sqrt(k->coupled ? positive(delta) : fabs(u));
}

/* (1 - damping v_n)^(2/3) */
static inline double relief(const springs *k, double v_n) {
    double x = positive(1 - k->damping * v_n);
    return k->damping == 0 ? 1 : imp_two_thirds(x);
}

/* The greatest |u| that friction holds; in slip |u| is this large. */
static inline double limit(const springs *k, double delta, double v_n) {
    return k->kappa * delta * relief(k, v_n);
}

/* 2/5 x^2.5, the energy of a spring. */
static inline double energy(double x) {
    return 0.4 * x * x * sqrt(fabs(x));
}

static inline double spring_energy(const springs *k, double u, double delta) {
    return k->coupled ? u * u * sqrt(positive(delta)) / 2 : energy(fabs(u));
}

/* Change of the slip speed per normal impulse. */
static inline double slip_change(const springs *k, double s) {
    double q = 1 - k->mu * s * k->c;
    return k->constrained ? q * (k->kappa + s * k->c) : k->kappa * q + s * k->c - k->mu * k->a;
}

/* ---- power_step.c: steps of the integration ---- */

/* Rates in time. */
void imp_power_rates(const springs *k, const imp_rk_row *y, imp_rk_row *rate);

/* dt over the change of the variable. */
double imp_power_pace(variable by, const imp_rk_row *y);

/* The point that the march would reach by a step of h of its variable. */
point imp_power_point_after(const march *m, double h);

/* A step within the tolerance; m->h becomes the time that the next step may take. */
point imp_power_good_step(march *m, int64_t *budget, bool *spent);

/* ---- power_event.c ---- */

/* Quantities that end a phase, or mark a turn, where they fall to 0. FIRST, SECOND in stick: the
 * margins to the faces s = -1, 1; in slip: the slip speed, the indentation. */
enum { FIRST, SECOND, TURN };

double imp_power_slip_speed(const springs *k, const point *p);

/* The first event in the step that ends at *end: FIRST or SECOND, and *end moves to it; -1 without
 * one. */
int imp_power_event(const march *m, const point *start, point *end);

/* The turn in a step; h infinite without one. */
point imp_power_turn(const march *m, const point *start, const point *end);

/* ---- power_march.c ---- */

/* A march that begins in the state `now`; slip: direction of slip, 0 for stick. */
march imp_power_march_from(const contact *c, const state *now, double slip);

/* Marches to the end of the phase. Returns the event that ends it, -1 if the budget is spent; the march
 * is then at the event. A turn ends the phase only where it began at rest. */
int imp_power_march_on(march *m, state *now, int64_t *budget);

/* Notes a turn if it is the greatest indentation so far. */
void imp_power_note_turn(const point *turn, state *now);

/* Moves the state to the end of a march. The loss to damping follows from the energy of the normal
 * spring. */
void imp_power_take_over(contact *c, const march *m, state *now);

/* ---- power_slip.c ---- */

/* A part of the contact in which both forces rise together, or fall: an observer may ask only for
 * its ends. */
typedef struct monotone_part {
    imp_instant start, end;
} monotone_part;

/* Shows a part to the observer; turns: its end is the greatest indentation so far. */
void imp_power_show_ends(imp_observer *observer, const monotone_part *part, int phase, int number,
                         bool turns);

/* Time from one state of an undamped slip to another; NaN if the series do not reach. */
double imp_power_arc_time(const state *from, double v_n, double delta, double q);

/* A slip in direction s, to its end. */
phase_end imp_power_slip(contact *c, state *now, double s);

#endif
