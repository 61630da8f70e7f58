/* The motion about a point that stays on the plane, with its force, as power series in the time. */
#ifndef IMP_MODELS_BOUNCE_SERIES_H
#define IMP_MODELS_BOUNCE_SERIES_H

#include "models/bounce/state.h"

/* The last power, and the number of coefficients. */
enum { IMP_BOUNCE_ORDER = 18, IMP_BOUNCE_POWERS };

typedef double imp_bounce_powers[IMP_BOUNCE_POWERS];

/* A body that turns about the place where the disc of one of its points touches the plane. */
typedef struct imp_bounce_pivot {
    double a, b; /* of the centre of the disc about the mass centre at alpha = 0 */
    double radius, reach;
    double square; /* of the gyration radius */
    double gravity, friction;
    double slip;   /* direction of the slip velocity; 0: the point sticks */
    bool sets_off; /* that velocity is 0 now */
    double corner; /* from one flat beside the point to the other */
    bool left;     /* alpha goes from 0 up to the corner; otherwise from 0 down */
    double alpha, spin, velocity, x;
    double lost; /* energy over the mass */
} imp_bounce_pivot;

/* Coefficients of t^0, t^1 and on, up to the order; those of forces up to two less. */
typedef struct imp_bounce_series {
    int order;
    double length; /* the time for which the series have all digits */
    imp_bounce_powers alpha, spin, velocity, x, lost;
    imp_bounce_powers across, height;     /* of the centre of the disc about the mass centre */
    imp_bounce_powers sunk;               /* velocity of the mass centre toward the plane */
    imp_bounce_powers swept;              /* spin times height */
    imp_bounce_powers normal, tangential; /* forces over the mass */
    imp_bounce_powers weight, lever, inertia, turning; /* of slip: see series.c */
    imp_bounce_powers speed;                           /* of slip */
} imp_bounce_series;

/* The series from the present state of the pivot; horizon: a time for which they are wanted. */
void imp_bounce_expand(const imp_bounce_pivot *p, double horizon, imp_bounce_series *s);

/* The first time in (0, end) at which a series that is positive at 0 vanishes; INFINITY: none. */
double imp_bounce_first_zero(const double *power, int order, double end);

/* ---- pivot.c ---- */

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

/* How far a tangential force over the mass may be off by rounding where it is at the limit of
 * friction: by that of the forces, and of the angle, which has its digits near a flat alone. */
double imp_bounce_rim_of(const imp_bounce_pivot *p);

/* Follows the motion to its next event; NO_EVENT: the cell has failed. */
imp_bounce_event imp_bounce_follow(imp_bounce_cell *c, imp_bounce_pivot *p);

#endif
