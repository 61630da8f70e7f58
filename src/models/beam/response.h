/* The exact motion of a mode under a force that is a polynomial of time, in 32 digits. */
#ifndef IMP_MODELS_BEAM_RESPONSE_H
#define IMP_MODELS_BEAM_RESPONSE_H

#include "num/wide.h"

enum { IMP_BEAM_POWERS = 8, IMP_BEAM_FAR = 46 };

/* For q'' + d q' + lambda q = force over a time t, which is the unit here: q(1) of the motions that
 * begin with q = 1 or with q' = 1, and their rates; and q(1) of those that begin at rest, under the
 * forces s^n/n!, of which each is the rate of the next: rise[n + 1] belongs to n, rise[0] is that
 * of the motion that begins with q' = 1. */
typedef struct imp_beam_response {
    imp_wide place, place_rate, speed, speed_rate;
    imp_wide rise[IMP_BEAM_POWERS + 1];
} imp_beam_response;

/* over[n]: 1/n!; square = lambda t^2, loss = d t. */
imp_beam_response imp_beam_respond(const imp_wide over[IMP_BEAM_FAR + 1], imp_wide square,
                                   imp_wide loss);

#endif
