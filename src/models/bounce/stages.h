/* What a body does: it flies under gravity, exactly, up to the next touch; its points strike the
 * plane, chatter on it and rest on it. */
#ifndef IMP_MODELS_BOUNCE_STAGES_H
#define IMP_MODELS_BOUNCE_STAGES_H

#include "models/bounce/state.h"
#include "bodies/planar/body.h"

/* Follows the flight to the next touch, or to the end of the cell; returns the point that touches,
 * -1 where the cell has ended. */
int imp_bounce_fly(imp_bounce_cell *c);

/* Whether every other point than the base stays above the plane for so long: a bound of each gap
 * is concave, so that its end decides. */
bool imp_bounce_others_stay_clear(const imp_bounce_cell *c, double time);

/* ---- chatter.c: infinitely many impacts in a finite time, added up ---- */

/* Completes the chatter of the point that has just struck, if it has become so low that its sum is
 * known. Then the point rests on the plane; returns whether. */
bool imp_bounce_chatter_ends(imp_bounce_cell *c);

/* The same for the chatter of a body that falls flat, in which both points strike in turn; then it
 * lies flat. */
bool imp_bounce_clatter_ends(imp_bounce_cell *c);

/* ---- strike.c: an impact of one point, by the kernel of rigid impacts ---- */

/* The inverse effective mass at a point, times the mass. */
imp_contact imp_bounce_contact_at(const imp_bounce_cell *c, int k);

/* Impacts at the points of a contact, at one instant, until none approaches. n: 1 or 2 points.
 * Returns a bit for each point that then rests on the plane; the others move away from it. */
unsigned imp_bounce_collide(imp_bounce_cell *c, const int *points, int n);

/* ---- rest.c: with a point on the plane the body pivots, rolls or slides; with two it lies ---- */

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
