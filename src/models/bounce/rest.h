/* The body with a point on the plane: it pivots, rolls or slides; and with two: it lies flat. */
#ifndef IMP_MODELS_BOUNCE_REST_H
#define IMP_MODELS_BOUNCE_REST_H

#include "models/bounce/state.h"

/* How a rest on one point ends. */
typedef enum imp_bounce_end {
    IMP_BOUNCE_CELL_ENDS, /* the mode or the outcome says how */
    IMP_BOUNCE_LIFTS,     /* the point leaves the plane */
    IMP_BOUNCE_TOUCHES    /* so does a second point: the body is at a flat */
} imp_bounce_end;

/* Whether friction holds the base, which rests on the plane and has no tangential velocity. */
bool imp_bounce_holds(const imp_bounce_cell *c);

/* Follows the base, which rests on the plane. */
imp_bounce_end imp_bounce_rest_on(imp_bounce_cell *c);

/* Follows the body that lies flat to where it stops; or to where it goes over an edge: then that
 * point is the base, and the result is true. */
bool imp_bounce_lie(imp_bounce_cell *c);

#endif
