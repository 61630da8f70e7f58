/* One step of stick of a contact with three linear springs, in time: Taylor series, events as zeros
 * of polynomials. In the units of contact.h. */
#ifndef IMP_MODELS_COMPLIANT3D_STICK_STEP_H
#define IMP_MODELS_COMPLIANT3D_STICK_STEP_H

#include "bodies/spatial/body3d.h"

typedef struct imp_compliant3d_state {
    double u1, u2, w; /* elongations; w: compression along the present line */
    double v1, v2, v3;
    double p1, p2, p3, work, friction_loss, time;
} imp_compliant3d_state;

/* From this kappa on, a small kappa w has lost digits. */
static const double imp_compliant3d_steep = 100;

/* A step of stick: up to the first of the events in it; doubles only. */
typedef struct imp_compliant3d_stick_step {
    imp_compliant3d_state end;
    double circle, rise, load, leave; /* times of the events; infinite: not in the step */
    double first;                     /* of these times */
    double length;
} imp_compliant3d_stick_step;

/* A step to be taken. The truths are 0 or 1. */
typedef struct imp_compliant3d_stick_trial {
    imp_inverse_mass b;
    double soft;      /* - the stiffness of the tangential springs */
    double stiffness; /* of the normal spring along its present line */
    double kappa;     /* radius of the friction circle over w */
    double fresh;     /* stick starts on the circle, at its centre or its rim */
    double peaked;    /* w is at its greatest */
    double reload;    /* w at which the spring is loaded again; infinite if it is not unloading */
    double longest;   /* step */
    double until;     /* time at which it ends without an event; may be infinite */
    imp_compliant3d_state from;
    imp_compliant3d_stick_step step; /* the result */
} imp_compliant3d_stick_trial;

/* Takes the steps of n trials together; n: at most imp_lane_width(). */
void imp_compliant3d_stick_advance(imp_compliant3d_stick_trial *const *trials, int n);

#endif
