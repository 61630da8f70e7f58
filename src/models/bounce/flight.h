/* Flight: under gravity, exactly, up to the next touch. */
#ifndef IMP_MODELS_BOUNCE_FLIGHT_H
#define IMP_MODELS_BOUNCE_FLIGHT_H

#include "models/bounce/state.h"

/* The gaps and their rates as functions of the time since the flight began. */
typedef struct imp_bounce_flight {
    int n;
    double gravity, spin;
    double gap[IMP_BOUNCE_POINTS], rate[IMP_BOUNCE_POINTS]; /* at the start */
    double x[IMP_BOUNCE_POINTS], y[IMP_BOUNCE_POINTS];
    double fall[IMP_BOUNCE_POINTS]; /* bound of the acceleration of each point toward the plane */
    double clear, velocity_n;       /* height of the mass centre above its reach, and its rate */
} imp_bounce_flight;

imp_bounce_flight imp_bounce_flight_of(const imp_bounce_cell *c);

/* The gaps and rates at a time of the flight. */
void imp_bounce_flight_at(const imp_bounce_flight *f, double time, double *gap, double *rate);

/* Follows the flight to the next touch, or to the end of the cell; returns the point that touches,
 * -1 where the cell has ended. */
int imp_bounce_fly(imp_bounce_cell *c);

/* The motion of the cell moved on by a time of the flight; base: the point whose gap is known. */
void imp_bounce_move(imp_bounce_cell *c, double time, int base, double gap, double rate);

#endif
