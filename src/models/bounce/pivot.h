/* The motion about a point that stays on the plane, with its force. */
#ifndef IMP_MODELS_BOUNCE_PIVOT_H
#define IMP_MODELS_BOUNCE_PIVOT_H

#include "models/bounce/series.h"

/* Force over the mass, and what follows from it. */
typedef struct imp_bounce_force {
    double normal, tangential;
    double inertia; /* of slip: no force keeps the point on the plane unless it is positive */
} imp_bounce_force;

typedef enum imp_bounce_event {
    IMP_BOUNCE_NO_EVENT,
    IMP_BOUNCE_AT_FLAT,
    IMP_BOUNCE_NO_FORCE,
    IMP_BOUNCE_STICK_OR_SLIP, /* slip halts, or the force leaves the cone */
    IMP_BOUNCE_NO_INERTIA
} imp_bounce_event;

imp_bounce_pivot imp_bounce_pivot_of(const imp_bounce_cell *c);
imp_bounce_force imp_bounce_force_of(const imp_bounce_pivot *p);

/* Follows the motion to its next event; NO_EVENT: the cell has failed. */
imp_bounce_event imp_bounce_follow(imp_bounce_cell *c, imp_bounce_pivot *p);

#endif
