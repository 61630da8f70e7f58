/* The legs of a path. A straight leg is known in the normal impulse. A leg of curved slip is one
 * step in the time tau, dp = s dtau, in which the equations of slip
 *     dv/dtau = s bt - mu Btt v,   s = |v|
 * stay regular as s falls to 0, by Taylor series of the velocity itself: a recurrence gives their
 * terms, every quantity is a polynomial within the step, and an event is the first zero of a
 * polynomial. The truncation error of a step is below 1e-16 of the slip speed. Several paths take
 * such steps together, each in a lane (leg_lanes.c).
 *
 * Units: velocities over |v3(0)|, B times the mass, impulses over mass times |v3(0)|, tau times
 * `fastest`. These equations are homogeneous in v: the velocity of slip has a scale of its own, so
 * that none is too small or too large for them. */
#ifndef IMP_MODELS_SWERVE_LEG_H
#define IMP_MODELS_SWERVE_LEG_H

#include "models/swerve/flow.h"

/* Impulses and works count from first touch, and anew from the end of compression. This list of
 * members serves a structure of doubles, one of lanes and one of series (num/lanes/gather.h). */
#define IMP_SWERVE_STATE(NUMBER)                                                                   \
    NUMBER v1, v2; /* over the scale of the leg */                                                 \
    NUMBER v3;                                                                                     \
    NUMBER p, p1, p2; /* impulses */                                                               \
    NUMBER work;      /* of the normal force */                                                    \
    NUMBER loss;      /* to friction */
typedef struct imp_swerve_state {
    IMP_SWERVE_STATE(double)
} imp_swerve_state;

typedef enum imp_swerve_quantity {
    IMP_SWERVE_OF_VELOCITY,
    IMP_SWERVE_OF_IMPULSE,
    IMP_SWERVE_OF_WORK,
    IMP_SWERVE_OF_COMPROMISE
} imp_swerve_quantity;

/* A goal is reached when the quantity first rises to the value. That of the compromise lies between
 * the impulse `value` and the work `work`, where the weighted sum of squares is least. */
typedef struct imp_swerve_goal {
    imp_swerve_quantity of;
    double value;
    double work, weight[2];
} imp_swerve_goal;

typedef struct imp_swerve_straight {
    double e1, e2;   /* direction of slip; 0 in stick */
    double speed;    /* of slip at the start */
    double growth;   /* ds/dp */
    double lift;     /* dv3/dp */
    double t1, t2;   /* dP_t/dp */
    double friction; /* 0 in stick */
    double power;    /* of both forces over the slip speed; of a locked body alone */
} imp_swerve_straight;

/* The equations of slip per scaled tau, with the velocity of slip over its scale. All are
 * multiplied by 1 / fastest. */
#define IMP_SWERVE_RATES(NUMBER)                                                                   \
    NUMBER m11, m12, m22; /* mu Btt */                                                             \
    NUMBER d1, d2;        /* bt */                                                                 \
    NUMBER unit;          /* the scale */                                                          \
    NUMBER n1, n2, n3;    /* mu bt, b33, times the scale */                                        \
    NUMBER friction;      /* mu times the scale */                                                 \
    NUMBER loss;          /* mu times the square of the scale */
typedef struct imp_swerve_rates {
    IMP_SWERVE_RATES(double)
} imp_swerve_rates;

enum { IMP_SWERVE_ORDER = 24 };

/* Places on a leg are normal impulses from its start if it is straight, else tau. */
typedef struct imp_swerve_leg {
    imp_swerve_state from;
    imp_swerve_goal to;
    double scale; /* of the velocity of slip, a power of 2; 1 on a straight leg */
    bool curved;
    imp_swerve_straight way; /* of a straight leg */
    imp_swerve_rates rates;  /* of curved slip */
    /* Found for the leg. */
    double end;  /* of a curved leg */
    bool near;   /* the goal may lie on the curved leg, and has to be looked for */
    double goal; /* its place; infinite if it does not lie on the leg */
    /* On a straight leg: */
    double one, other; /* places of the goals between which a compromise lies; infinite likewise */
    double last;       /* the compromise is not looked for beyond this place */
    imp_swerve_state next; /* of a curved leg: at the goal, or else at the end */
} imp_swerve_leg;

/* The slip speed; no square leaves the range of doubles. */
double imp_swerve_speed_of(const imp_swerve_state *now);

/* The goal of restitution under a law that has only one; states count from the end of
 * compression. */
double imp_swerve_quantity_of(const imp_swerve_state *now, imp_swerve_quantity of);
void imp_swerve_set_quantity(imp_swerve_state *now, imp_swerve_goal to);

imp_swerve_rates imp_swerve_rates_of(const imp_swerve_flow *flow, double scale);

/* The state on a straight leg at the impulse p. */
imp_swerve_state imp_swerve_along_straight(const imp_swerve_leg *leg, double p);

/* Finds `goal` on a straight leg, or what bounds a compromise. */
void imp_swerve_find_goal(imp_swerve_leg *leg);

/* Whether a compromise may lie on the straight leg and has to be looked for. */
bool imp_swerve_may_compromise(const imp_swerve_leg *leg);

/* Takes the step of n curved legs, at most imp_lane_width(): finds all that is found for a leg, but
 * its goal, which few of many legs have. */
void imp_swerve_step(imp_swerve_leg *const *legs, int n);

/* Looks for the goal of n legs, at most imp_lane_width(), all straight or all curved, that may lie
 * on them: of straight ones for a compromise. Finds `next` of a curved leg with a goal, too. */
void imp_swerve_seek_goal(imp_swerve_leg *const *legs, int n);

/* Finds the state on a curved leg at a normal impulse from its start. For histories: slow. */
void imp_swerve_along_curve(const imp_swerve_leg *leg, double impulse, imp_swerve_state *at);

#endif
