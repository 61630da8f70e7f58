/* Watching a solver: the observer by which it shows its progress, and the sampler that says where the
 * evenly spaced rows of a history lie. */
#ifndef IMP_MODELS_OBSERVER_H
#define IMP_MODELS_OBSERVER_H

#include <stdbool.h>

#include "impact.h"

/* Sees pieces and events in the order in which they happen. A piece is a stretch of one phase over
 * which a state can be read at any value of the column that grows; its type and that of a state are the
 * theory's own. A solver without an observer has a NULL in its place. */
typedef struct imp_observer {
    void (*see_piece)(struct imp_observer *observer, const void *piece);
    /* phase: after the event. */
    void (*see_event)(struct imp_observer *observer, int event, int phase, const void *state);
    void (*restart)(struct imp_observer *observer); /* forgets all it saw; NULL: it never has to */
} imp_observer;

/* Evenly spaced samples from first contact to the end: sample i lies at span i / parts. */
typedef struct imp_sampler {
    imp_recorder *recorder;
    double span;
    int parts;
    int next;   /* sample to come; counted up where its row is written */
    int within; /* samples that lie within pieces; the rest are written at the end */
} imp_sampler;

/* Samples up to `end`, the last one at the end itself. */
imp_sampler imp_sampler_open(imp_recorder *recorder, double end);

/* Where the next sample within a piece lies; infinite: there is none. */
double imp_sampler_next(const imp_sampler *sampler);

/* Whether a sample remains that no piece had. */
bool imp_sampler_remains(const imp_sampler *sampler);

#endif
