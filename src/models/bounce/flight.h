/* Flight: under gravity, exactly, up to the next touch. */
#ifndef IMP_MODELS_BOUNCE_FLIGHT_H
#define IMP_MODELS_BOUNCE_FLIGHT_H

#include "models/bounce/state.h"

/* Follows the flight to the next touch, or to the end of the cell; returns the point that touches,
 * -1 where the cell has ended. */
int imp_bounce_fly(imp_bounce_cell *c);

/* Whether every other point than the base stays above the plane for so long: a bound of each gap
 * is concave, so that its end decides. */
bool imp_bounce_others_stay_clear(const imp_bounce_cell *c, double time);

/* ---- chatter.c ---- */

/* Completes the chatter of the point that has just struck, if it has become so low that its sum is
 * known. Then the point rests on the plane; returns whether. */
bool imp_bounce_chatter_ends(imp_bounce_cell *c);

/* The same for the chatter of a body that falls flat, in which both points strike in turn; then it
 * lies flat. */
bool imp_bounce_clatter_ends(imp_bounce_cell *c);

#endif
