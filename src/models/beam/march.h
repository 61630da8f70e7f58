/* Bookkeeping of the schemes that go in even steps through contact and flight alike, and take no step
 * again: a state is straight between the ends of a step as far as an observer sees. */
#ifndef IMP_MODELS_BEAM_MARCH_H
#define IMP_MODELS_BEAM_MARCH_H

#include "models/beam/flight.h"
#include "models/beam/result.h"

typedef struct imp_beam_march {
    const imp_beam_problem *problem;
    imp_beam_result *result;
    imp_observer *observer; /* may be NULL */
    double step, time;      /* length and end of the last step */
    double *before, *state; /* at its ends */
    double touch;           /* when this contact began */
    bool contact, compressed;
} imp_beam_march;

/* At the first touch; `before` and `state` are set to the initial state. */
void imp_beam_march_begin(imp_beam_march *march);

/* Before a step: keeps the state as the one before. */
void imp_beam_march_keep(imp_beam_march *march);

/* Events at a time within the last step, in their order. */
void imp_beam_march_touch(imp_beam_march *march, double time);
void imp_beam_march_compress(imp_beam_march *march, double time, double impulse);
void imp_beam_march_separate(imp_beam_march *march, double time);

/* After the events of a step: shows the rest of it. */
void imp_beam_march_show_rest(imp_beam_march *march);

/* Energy that damping takes from the state per time. */
double imp_beam_march_power(const imp_beam_march *march);

/* Whether it is proved that no contact follows, which is looked at now and then, or when `asked`. */
bool imp_beam_march_is_over(const imp_beam_march *march, imp_beam_flight *flight, bool asked);

#endif
