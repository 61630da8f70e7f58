/* The rows of the history of a contact that passes through phases one after another: evenly spaced
 * samples, every change of phase, the greatest indentation and the end. */
#ifndef IMP_MODELS_PHASE_ROWS_H
#define IMP_MODELS_PHASE_ROWS_H

#include "models/observer.h"

enum { IMP_PHASE_COLUMNS = 24 };

/* A stretch of one phase, in the time of the solver. */
typedef struct imp_phase_span {
    const void *piece; /* the theory's own */
    /* Writes the row at `time`, which is `within` after the start of the span; units of the
     * solver. */
    void (*row)(const struct imp_phase_span *span, double within, double time, double *row);
    int phase, number; /* number: of the phase in the sequence, from 0 */
    double start, duration;
} imp_phase_span;

typedef struct imp_phase_rows {
    imp_sampler sampler;
    int n_columns;
    double factor[IMP_PHASE_COLUMNS]; /* from the units of the solver to those of the columns */
    int (*event_between)(int before, int after); /* event at which one phase becomes another */
    int turn_event, last_event;                  /* at the greatest indentation; at separation */
    double turn; /* time of the greatest indentation; infinite once its row is written */
    /* The last span: its number (-1: none yet), phase and end. */
    int number, phase;
    double last[IMP_PHASE_COLUMNS];
} imp_phase_rows;

/* The spans of a contact, one after another. */
void imp_phase_rows_see(imp_phase_rows *rows, const imp_phase_span *span);

/* After the last span: the samples that rounding left over and, if the contact separates, the row
 * of that event. */
void imp_phase_rows_end(imp_phase_rows *rows, bool separates);

#endif
