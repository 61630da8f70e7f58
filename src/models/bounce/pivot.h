/* The motion about a point that stays on the plane, with its force. */
#ifndef IMP_MODELS_BOUNCE_PIVOT_H
#define IMP_MODELS_BOUNCE_PIVOT_H

#include "models/bounce/state.h"
#include "num/lanes/runge_kutta.h"

/* Places in the state of the integration; the last one, an integral, is the energy lost. */
enum { IMP_BOUNCE_ALPHA, IMP_BOUNCE_SPIN, IMP_BOUNCE_VELOCITY, IMP_BOUNCE_X, IMP_BOUNCE_LOST };

typedef struct imp_bounce_pivot {
    double a, b; /* of the centre of the disc at alpha = 0 */
    double radius, reach;
    double square; /* of the gyration radius */
    double gravity, friction;
    double slip;   /* direction of the slip velocity; 0: the point sticks */
    double corner; /* from one flat beside the point to the other */
    bool left;     /* alpha goes from 0 up to the corner; otherwise from 0 down */
    imp_rk_lanes y;
} imp_bounce_pivot;

/* Force over the mass, and what follows from it. */
typedef struct imp_bounce_force {
    double normal, tangential, angular; /* the last: acceleration */
    double inertia; /* of slip: no force keeps the point on the plane unless it is positive */
    double arm;     /* height of the place of contact about the mass centre */
} imp_bounce_force;

typedef enum imp_bounce_event {
    IMP_BOUNCE_NO_EVENT,
    IMP_BOUNCE_AT_FLAT,
    IMP_BOUNCE_NO_FORCE,
    IMP_BOUNCE_STICK_OR_SLIP, /* slip halts, or the force leaves the cone */
    IMP_BOUNCE_NO_INERTIA
} imp_bounce_event;

imp_bounce_pivot imp_bounce_pivot_of(const imp_bounce_cell *c);
imp_bounce_force imp_bounce_force_of(const imp_bounce_pivot *p, double alpha, double spin);

/* Follows the motion to its next event; NO_EVENT: the cell has failed. */
imp_bounce_event imp_bounce_follow(imp_bounce_cell *c, imp_bounce_pivot *p);

#endif
