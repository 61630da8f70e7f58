#include "support/tape.h"

#include <string.h>

static void record(imp_recorder *recorder, const double *values, int phase, int event) {
    tape *t = (tape *)recorder;
    if (t->n < TAPE_ROWS) {
        tape_row *row = &t->rows[t->n];
        memcpy(row->x, values, (size_t)t->n_columns * sizeof *values);
        row->phase = phase;
        row->event = event;
    }
    t->n++;
}

imp_outcome tape_take(tape *t, const batch *b, size_t i, int samples) {
    t->recorder = (imp_recorder){samples, record};
    t->n_columns = b->theory->history->n_columns;
    t->n = 0;
    imp_outcome outcome = batch_trace(b, i, &t->recorder);
    bool enough = t->n >= samples || outcome != IMP_SOLVED;
    CHECK(enough && t->n <= TAPE_ROWS && t->n_columns <= TAPE_COLUMNS, "%d rows: %s", t->n,
          batch_text(b, i));
    return outcome;
}

const char *tape_event(const batch *b, const tape_row *row) {
    const imp_history *history = b->theory->history;
    for (int e = 0; e < history->n_events; e++) {
        if (history->events[e].code == row->event) {
            return history->events[e].name;
        }
    }
    return "";
}
