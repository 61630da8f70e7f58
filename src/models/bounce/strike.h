/* An impact of one point of the body: the kernel of rigid impacts. */
#ifndef IMP_MODELS_BOUNCE_STRIKE_H
#define IMP_MODELS_BOUNCE_STRIKE_H

#include "bodies/planar/body.h"
#include "models/bounce/state.h"

/* The inverse effective mass at a point, times the mass. */
imp_contact imp_bounce_contact_at(const imp_bounce_cell *c, int k);

/* Impacts at the points of a contact, at one instant, until none approaches. n: 1 or 2 points.
 * Returns a bit for each point that then rests on the plane; the others move away from it. */
unsigned imp_bounce_collide(imp_bounce_cell *c, const int *points, int n);

#endif
