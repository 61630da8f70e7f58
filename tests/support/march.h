/* A straightforward integration in time of one contact of the compliant model, which shares nothing
 * with the product: the equations of motion in SI units by a Runge-Kutta pair of order 8, small
 * steps, events by bisection.
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
#ifndef TESTS_SUPPORT_MARCH_H
#define TESTS_SUPPORT_MARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <gsl/gsl_odeiv2.h>

/* Places in the state. */
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

typedef enum ending { GOES_ON, SEPARATES, WEDGES, LOST } ending;

/* Integrates a contact from first touch until it ends; `m` and `step`, of STATE values, are given,
 * everything else is 0. */
ending march_integrate(march *a);

/* The part of its energy that the body does not get back; up to the endless stick, if there is
 * one. */
double march_energy_loss(const march *a, ending end);

#endif
