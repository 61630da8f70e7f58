/* Watching a solver: an observer, to which the solver shows its progress, and a sampler, which
 * places the evenly spaced rows of a history. */
#ifndef IMP_MODELS_OBSERVER_H
#define IMP_MODELS_OBSERVER_H

#include <stdbool.h>

#include "impact.h"

/* Sees pieces and events in the order in which they happen. A piece is a stretch of one phase whose
 * state can be read at any time (or impulse) within it; the types of pieces and states are the
 * theory's own. A solver takes NULL for no observer. */
typedef struct imp_observer {
    void (*see_piece)(struct imp_observer *observer, const void *piece);
    /* phase: after the event. */
    void (*see_event)(struct imp_observer *observer, int event, int phase, const void *state);
    void (*restart)(struct imp_observer *
                        observer); /* forgets everything seen so far; NULL: no solver asks for it */
} imp_observer;

/* Evenly spaced samples from first contact to the end: sample i lies at span i / parts. */
typedef struct imp_sampler {
    imp_recorder *recorder;
    double span;
    int parts;
    int next;   /* the next sample; whoever writes its row counts it up */
    int within; /* samples that lie within pieces; the rest are written at the end */
} imp_sampler;

/* Samples up to `end`, the last one at the end itself. */
imp_sampler imp_sampler_open(imp_recorder *recorder, double end);

/* Where the next sample within a piece lies; infinite if there is none. */
double imp_sampler_next(const imp_sampler *sampler);

/* Whether samples remain after the last piece. */
bool imp_sampler_remains(const imp_sampler *sampler);

#endif
