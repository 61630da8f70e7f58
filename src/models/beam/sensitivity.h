/* How much of the integration's errors, and of the modes', is left in the result.
 *
 * Every step of a contact leaves an error of about the size that is tolerated, and later contacts
 * amplify it: a hundredfold, near grazing touches a hundred thousandfold. The equations, linearised
 * about the collision, are followed backwards from its end: between the middles of two steps each mode
 * turns by its own angle, and in the middle of a step the contact acts. So it is known at every step
 * by how much each of its errors changes the impulse; independent errors add up in squares. An error of the
 * modes turns each of them by a wrong angle every time, and the effects of that are added in size. */
#ifndef IMP_MODELS_BEAM_SENSITIVITY_H
#define IMP_MODELS_BEAM_SENSITIVITY_H

#include "models/beam/beam.h"

/* A step of contact as if it all acted in its middle. */
typedef struct imp_beam_kick {
    double time;  /* since the kick before */
    double slope; /* change of the impulse with the indentation */
} imp_beam_kick;

/* The kicks of a collision. Begins as 0. */
typedef struct imp_beam_kicks {
    imp_beam_kick *kick; /* owned */
    size_t n, room;
    double
        size[IMP_BEAM_MOST_FREEDOMS]; /* greatest speed with which each mode would pass through 0 */
    double pending;                   /* time since the last */
    bool lost;                        /* memory did not suffice */
} imp_beam_kicks;

void imp_beam_kicks_clear(imp_beam_kicks *kicks);
void imp_beam_kicks_free(imp_beam_kicks *kicks);

/* A step of contact of some length, and the indentations at its ends. */
void imp_beam_kicks_contact(imp_beam_kicks *kicks, const imp_beam_problem *problem, double length,
                            double before, double after);

/* The state at a touch or a separation. */
void imp_beam_kicks_see(imp_beam_kicks *kicks, const imp_beam_problem *problem,
                        const double *state);

void imp_beam_kicks_flight(imp_beam_kicks *kicks, double time);

/* Uncertainty of the restitution; infinite if it cannot be known. */
double imp_beam_uncertainty(const imp_beam_kicks *kicks, const imp_beam_problem *problem,
                            double tolerance);

#endif
