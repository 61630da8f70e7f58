/* Bookkeeping of the schemes that take even steps through contact and flight, and repeat none of
 * them. An observer sees linear interpolation between the ends of a step. */
#ifndef IMP_MODELS_BEAM_MARCH_H
#define IMP_MODELS_BEAM_MARCH_H

#include "models/beam/flight.h"
#include "models/beam/result.h"
#include "models/beam/workspace.h"

typedef struct imp_beam_march {
    const imp_beam_problem *problem;
    imp_beam_result *result;
    imp_observer *observer; /* may be NULL */
    double step, time;      /* length and end of the last step */
    double *before, *state; /* at its ends */
    double touch;           /* when this contact began */
    bool contact, compressed;
} imp_beam_march;

/* Begins at first touch: sets `before` and `state` to the initial state. */
void imp_beam_march_begin(imp_beam_march *march);

/* Before a step: copies `state` to `before`. */
void imp_beam_march_keep(imp_beam_march *march);

/* Events at a time within the last step, in their order. */
void imp_beam_march_touch(imp_beam_march *march, double time);
void imp_beam_march_compress(imp_beam_march *march, double time, double impulse);
void imp_beam_march_separate(imp_beam_march *march, double time);

/* After the events of a step: shows the rest of it. */
void imp_beam_march_show_rest(imp_beam_march *march);

/* Power of damping in the present state. */
double imp_beam_march_power(const imp_beam_march *march);

/* Whether no contact can follow. The proof is tried every 64 steps, or when `asked`. */
bool imp_beam_march_is_over(const imp_beam_march *march, imp_beam_flight *flight, bool asked);

/* ---- newmark.c: the published scheme ---- */

/* Modes by Newmark's trapezoidal rule in even steps, the contact force one step late. The scheme
 * creates energy and resolves instants only to a step; it reproduces published digits. step,
 * window: in units of 1/S. Ends when no contact can follow, or with the window; IMP_BUDGET if
 * contact may still follow then. */
void imp_beam_newmark(imp_beam_workspace *work, const imp_beam_problem *problem, double step,
                      double window, int64_t budget, imp_observer *observer,
                      imp_beam_result *result);

#endif
