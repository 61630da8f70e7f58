/* Complete chatter: infinitely many impacts in a finite time, added up. */
#ifndef IMP_MODELS_BOUNCE_CHATTER_H
#define IMP_MODELS_BOUNCE_CHATTER_H

#include "models/bounce/state.h"

/* Completes the chatter of the point that has just struck, if it has become so low that its sum is
 * known. Then the point rests on the plane; returns whether. */
bool imp_bounce_chatter_ends(imp_bounce_cell *c);

/* The same for the chatter of a body that falls flat, in which both points strike in turn; then it
 * lies flat. */
bool imp_bounce_clatter_ends(imp_bounce_cell *c);

#endif
