/* The history of a collision: its columns, and an observer that records them. */
#ifndef IMP_MODELS_BEAM_HISTORY_H
#define IMP_MODELS_BEAM_HISTORY_H

#include "impact.h"
#include "models/beam/problem.h"
#include "models/beam/result.h"

enum { IMP_BEAM_COLUMNS = 14 };

extern const imp_history imp_beam_history;

typedef struct imp_beam_record {
    imp_observer observer; /* first */
    imp_sampler sampler;
    const imp_beam_problem *problem;
    const imp_beam_units *units;
    double last[IMP_BEAM_COLUMNS]; /* the row written last */
} imp_beam_record;

/* An observer that records the events, and the recorder's samples evenly over the duration.
 * Infinite duration: events only. */
imp_beam_record imp_beam_record_open(const imp_beam_problem *problem, const imp_beam_units *units,
                                     double duration, imp_recorder *recorder);

/* Writes the samples that remain: they are at the last separation. */
void imp_beam_record_end(imp_beam_record *record);

#endif
