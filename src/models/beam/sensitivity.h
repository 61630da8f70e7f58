/* The error of the result that the errors of the integration and of the modes leave.
 *
 * Every step of a contact leaves an error of about the tolerance, and later contacts amplify the
 * error: a hundredfold, near grazing touches a hundred thousandfold. The equations, linearised
 * about the collision, are followed backwards from its end: between the middles of two steps each
 * mode turns by its own angle, and in the middle of a step the contact acts. This gives for every
 * step the change of the impulse per error of each mode; independent errors add up in squares. An
 * error of a frequency turns the mode by a wrong angle every time, so the magnitudes of its effects
 * add up. */
#ifndef IMP_MODELS_BEAM_SENSITIVITY_H
#define IMP_MODELS_BEAM_SENSITIVITY_H

#include "models/beam/beam.h"

enum { IMP_BEAM_KEPT_TURNS = 4 };

/* A step of contact whose whole impulse acts in its middle. */
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
    bool lost;                        /* out of memory */
} imp_beam_kicks;

void imp_beam_kicks_clear(imp_beam_kicks *kicks);
void imp_beam_kicks_free(imp_beam_kicks *kicks);

/* Adds a step of contact: its length, and the indentations at its ends. */
void imp_beam_kicks_contact(imp_beam_kicks *kicks, const imp_beam_problem *problem, double length,
                            double before, double after);

/* The same with the change of the step's impulse with the indentation. */
void imp_beam_kicks_add(imp_beam_kicks *kicks, double length, double slope);

/* Notes the state at a touch or a separation. */
void imp_beam_kicks_see(imp_beam_kicks *kicks, const imp_beam_problem *problem,
                        const double *state);

void imp_beam_kicks_flight(imp_beam_kicks *kicks, double time);

/* The free motion of the modes over a time. */
typedef struct imp_beam_turn {
    double time;
    double cosine[IMP_BEAM_MOST_GROUPED], swing[IMP_BEAM_MOST_GROUPED],
        drift[IMP_BEAM_MOST_GROUPED];
} imp_beam_turn;

/* Changes of the impulse with displacement and velocity of each mode, on the way back from the end
 * of a collision. Too large for a stack. */
typedef struct imp_beam_slopes {
    const imp_beam_kicks *kicks;
    int n;
    bool damped;
    double omega[IMP_BEAM_MOST_GROUPED], damping[IMP_BEAM_MOST_GROUPED],
        shape[IMP_BEAM_MOST_GROUPED];
    double place_error[IMP_BEAM_MOST_GROUPED], speed_error[IMP_BEAM_MOST_GROUPED];
    double size[IMP_BEAM_MOST_GROUPED]; /* that of the kicks */
    double place[IMP_BEAM_MOST_GROUPED], speed[IMP_BEAM_MOST_GROUPED];
    double
        turned[IMP_BEAM_MOST_GROUPED]; /* most change by a relative error of 1 in the frequency */
    imp_beam_turn kept[IMP_BEAM_KEPT_TURNS]; /* which many kicks have in common */
    int next;                                /* the place of the next one */
    /* Changes by errors of all modes in each step, and of all frequencies; squared. */
    double steps, modes;
} imp_beam_slopes;

/* Goes back over all kicks; begins with slopes of 0. */
void imp_beam_go_back(imp_beam_slopes *slopes);

/* Uncertainty of the restitution; infinite if unknown. slopes: memory for the way back. */
double imp_beam_uncertainty(const imp_beam_kicks *kicks, const imp_beam_problem *problem,
                            double tolerance, imp_beam_slopes *slopes);

#endif
