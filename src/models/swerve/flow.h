/* The flow of the slip velocity under friction, in normal impulse.
 *
 * While the contact slips with speed s in the direction e = (cos phi, sin phi), the tangential
 * impulse grows by -mu e per normal impulse, and
 *     f = ds/dp = e . (bt - mu Btt e),   g = s dphi/dp = e' . (bt - mu Btt e),
 *     h = dv3/dp = b33 - mu bt . e,
 * where Btt is the tangential block of B, bt = (b13, b23) and e' is e turned by a right angle.
 * Units: B times the mass, impulses over mass times |v3(0)|.
 *
 * Sources: Bhatt and Koechling 1995; Stronge 1994; Birlik 2012, chapter 4.
 */
#ifndef IMP_MODELS_SWERVE_FLOW_H
#define IMP_MODELS_SWERVE_FLOW_H

#include <stdbool.h>

#include "bodies/spatial/body3d.h"
#include "num/circle.h"

/* The motion once the slip velocity is 0. */
typedef struct imp_swerve_rest {
    double critical; /* least friction for stick; infinite if none suffices */
    bool sticks;
    bool barely;          /* it sticks with the least friction, or hardly more or less */
    bool locked;          /* the contact cannot move along the normal unless it slips: */
    double n1, n2;        /* v3 = n1 v1 + n2 v2, and the energy is */
    double k11, k12, k22; /* (k11 v1^2 + 2 k12 v1 v2 + k22 v2^2) / 2 */
    double t1, t2;        /* dP_t / dp from then on */
    double e1, e2; /* direction of the slip that follows, if it does not stick; unit vector */
    double growth; /* ds/dp of that slip, > 0; 0 in stick */
    double lift;   /* dv3/dp */
    double power;  /* of both forces over the slip speed, of a locked body that slips */
} imp_swerve_rest;

/* The energy of a locked body that slips with this velocity. */
double imp_swerve_locked_energy(const imp_swerve_rest *rest, double v1, double v2);

/* The slip of a locked body in a direction that it keeps. Near a wedge huge forces cancel: all
 * follows from what is left of them, so that velocities and energies agree. */
typedef struct imp_swerve_pull {
    double power, growth, lift;
} imp_swerve_pull;

imp_swerve_pull imp_swerve_pull_along(const imp_swerve_rest *rest, double friction, double e1,
                                      double e2);

typedef struct imp_swerve_flow {
    imp_inverse_mass b;
    double friction;
    double fastest; /* upper bound of |f| and |g| */
    double unit;    /* of f and g below, a power of 2; 1 unless friction and bt are tiny */
    imp_harmonics f, g;
    bool uniform; /* g = 0 everywhere, as for a sphere */
    imp_swerve_rest rest;
    int invariant_count; /* 0 where every direction is one; negative: not looked for yet */
    imp_direction invariant[IMP_MOST_ZEROS];
} imp_swerve_flow;

imp_swerve_flow imp_swerve_flow_of(const imp_spatial_contact *contact, double friction);

/* Directions that slip keeps, and directions in which the slip speed does not change. */
typedef struct imp_swerve_flow_directions {
    int invariant_count; /* -1: every direction */
    int nodes, saddles;  /* among them; a node attracts, and slip halts along a node */
    imp_direction invariant[IMP_MOST_ZEROS];
    double f[IMP_MOST_ZEROS], g_prime[IMP_MOST_ZEROS];
    int change_count;
    imp_direction change[IMP_MOST_ZEROS];
} imp_swerve_flow_directions;

imp_swerve_flow_directions imp_swerve_flow_directions_of(imp_swerve_flow *flow);

/* Signed turn from one angle to another in the sense of `sign`, of size 0 to 2 pi, rad. */
double imp_swerve_turn_between(double from, double to, double sign);

/* The next invariant direction that attracts a heading that turns from `from` in the sense of
 * `sign`. */
typedef struct imp_swerve_flow_attractor {
    double turn; /* signed, from the heading to the direction; infinite if there is none */
    double c, s; /* cosine and sine of the direction */
} imp_swerve_flow_attractor;

imp_swerve_flow_attractor imp_swerve_flow_next_attractor(imp_swerve_flow *flow, double from,
                                                         double sign);

#endif
