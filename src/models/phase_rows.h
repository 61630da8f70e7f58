/* The rows of the history of a contact that passes through phases one after another: evenly spaced
 * samples, every change of phase, the greatest indentation and the end. The contact is solved
 * twice, first to measure how long it lasts, then to write its rows. */
#ifndef IMP_MODELS_PHASE_ROWS_H
#define IMP_MODELS_PHASE_ROWS_H

#include "base/first.h"
#include "models/observer.h"

enum { IMP_PHASE_COLUMNS = 24 };

/* A stretch of one phase, in the time of the solver. Every piece that a solver shows begins with
 * one. */
typedef struct imp_phase_span {
    int phase;  /* IMP_STICK.. */
    int number; /* of the phase in the sequence, from 0 */
    double start, duration;
} imp_phase_span;

/* Units of the solver in SI. */
typedef struct imp_contact_units {
    double time, length, speed, impulse;
} imp_contact_units;

/* How a theory writes its rows. */
typedef struct imp_phase_table {
    const imp_history *history; /* the last of its events is the separation */
    /* Writes the row at `time`, which is `within` after the start of the piece; units of the
     * solver. */
    void (*write)(imp_observer *observer, const void *piece, double within, double time,
                  double *row);
    int (*event_between)(int before, int after); /* the event at which a phase becomes another */
} imp_phase_table;

/* Events of a contact that can only stick between two slips, and the one between two phases. */
enum { IMP_STICK_SLIP_EVENTS = 4 };
extern const imp_mode imp_stick_slip_events[IMP_STICK_SLIP_EVENTS];
int imp_stick_slip_event(int before, int after);

typedef struct imp_phase_rows {
    imp_observer observer; /* its see_piece is imp_phase_rows_see, or calls that */
    const imp_phase_table *table;
    double factor[IMP_PHASE_COLUMNS]; /* from the units of the solver to those of the columns */
    imp_sampler sampler;              /* without a recorder: the contact is measured */
    double turn; /* time of the greatest indentation; infinite once its row is written */
    /* The last span: its number (-1: none yet), phase and end. */
    int number, phase;
    double end, last[IMP_PHASE_COLUMNS];
} imp_phase_rows;
IMP_FIRST(imp_phase_rows, observer);

/* Rows of a contact that is to be solved with their observer. The unit of a column says how its
 * values are scaled. */
imp_phase_rows imp_phase_rows_open(const imp_phase_table *table, const imp_contact_units *units);

/* Sees a piece, which begins with an imp_phase_span. */
void imp_phase_rows_see(imp_observer *observer, const void *piece);

/* Between the two times that the contact is solved. turn: time of the greatest indentation, which
 * is marked if it comes before the end of the last piece; infinite: none. */
void imp_phase_rows_begin(imp_phase_rows *rows, double turn, imp_recorder *recorder);

/* After the second: the samples that rounding left over and, if the contact separates, the row of
 * that event. */
void imp_phase_rows_end(imp_phase_rows *rows, bool separates);

#endif
