/* An impact of one point of the body: the kernel of rigid impacts. */
#ifndef IMP_MODELS_BOUNCE_STRIKE_H
#define IMP_MODELS_BOUNCE_STRIKE_H

#include "models/bounce/state.h"

/* The inverse effective mass at a point, times the mass. */
typedef struct imp_bounce_contact {
    double b11, b12, b22, determinant;
} imp_bounce_contact;

imp_bounce_contact imp_bounce_contact_at(const imp_bounce_cell *c, int k);

/* The impact at point k, whose gap is 0 and which approaches with this speed: the motion after it,
 * with k as the base. */
void imp_bounce_strike_at(imp_bounce_cell *c, int k, double speed);

/* Impacts at the points of a contact, at one instant, until none approaches. n: 1 or 2 points.
 * Returns a bit for each point that then rests on the plane; the others move away from it. */
unsigned imp_bounce_collide(imp_bounce_cell *c, const int *points, int n);

#endif
