/* The pieces of a path: straight ones, where everything is known in the normal impulse, and steps of curved slip,
 * Taylor series in tau. */
#ifndef IMP_MODELS_SWERVE_PIECES_H
#define IMP_MODELS_SWERVE_PIECES_H

#include "models/swerve/path.h"

typedef enum imp_swerve_quantity {
    IMP_SWERVE_OF_VELOCITY,
    IMP_SWERVE_OF_IMPULSE,
    IMP_SWERVE_OF_WORK,
    IMP_SWERVE_OF_COMPROMISE
} imp_swerve_quantity;

/* A goal is reached when the quantity first rises to the value. That of the compromise lies between the impulse
 * `value` and the work `work`, where the weighted sum of squares is least. */
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
} imp_swerve_straight;

enum { IMP_SWERVE_ORDER = 24, IMP_SWERVE_TERMS = IMP_SWERVE_ORDER + 1 };

/* Coefficients of the powers of tau in units of 1 / fastest. v3 and the integrals have one term
 * more than the velocity. */
typedef struct imp_swerve_series {
    double v1[IMP_SWERVE_TERMS], v2[IMP_SWERVE_TERMS], s[IMP_SWERVE_TERMS];
    double v3[IMP_SWERVE_TERMS + 1], p[IMP_SWERVE_TERMS + 1], work[IMP_SWERVE_TERMS + 1],
        loss[IMP_SWERVE_TERMS + 1];
} imp_swerve_series;

/* The equations of slip per scaled tau. */
typedef struct imp_swerve_rates {
    double unit;          /* 1 / fastest */
    double m11, m12, m22; /* mu Btt */
    double d1, d2;        /* bt */
    double n1, n2, n3;    /* mu bt, b33 */
    double friction;      /* mu */
} imp_swerve_rates;

/* The goal that the law sets for restitution; states count from the end of compression. */
imp_swerve_goal imp_swerve_goal_of(const imp_swerve_problem *problem,
                                   const imp_swerve_state *compressed);
void imp_swerve_set_quantity(imp_swerve_state *now, imp_swerve_goal to);
double imp_swerve_quantity_of(const imp_swerve_state *now, imp_swerve_quantity of);
imp_swerve_state imp_swerve_along_straight(const imp_swerve_straight *way,
                                           const imp_swerve_state *from, double p);
/* Normal impulse until the goal is reached; infinite if it never is. */
double imp_swerve_straight_to(const imp_swerve_straight *way, const imp_swerve_state *from,
                              imp_swerve_goal to);
imp_swerve_rates imp_swerve_rates_of(const imp_flow *flow);
void imp_swerve_expand(imp_swerve_series *x, const imp_swerve_rates *r,
                       const imp_swerve_state *now);
/* The length of a step, tau, at which the last two terms are lost in rounding. */
double imp_swerve_step_of(const imp_swerve_series *x);
imp_swerve_state imp_swerve_along_curve(const imp_swerve_series *x, const imp_swerve_rates *r,
                                        const imp_swerve_state *from, double tau);
/* tau at which the goal is reached within a step; infinite if it is not. */
double imp_swerve_curve_to(const imp_swerve_series *x, imp_swerve_goal to, double end);

/* tau at which slip is slowest within a step; `end` if slip slows down until then. */
double imp_swerve_slowest_in(const imp_swerve_series *x, double end);

#endif
