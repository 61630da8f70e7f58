#include "models/phase_rows.h"

#include <math.h>

#include "num/larger.h"

static void put(imp_phase_rows *rows, const double *scaled, int phase, int event) {
    double row[IMP_PHASE_COLUMNS];
    for (int i = 0; i < rows->n_columns; i++) {
        row[i] = scaled[i] * rows->factor[i] + 0.0; /* no -0 */
    }
    rows->sampler.recorder->record(rows->sampler.recorder, row, phase, event);
}

void imp_phase_rows_see(imp_phase_rows *rows, const imp_phase_span *span) {
    double row[IMP_PHASE_COLUMNS], end = span->start + span->duration;
    if (span->number != rows->number && rows->number >= 0) {
        span->row(span, 0, span->start, row);
        put(rows, row, span->phase, rows->event_between(rows->phase, span->phase));
    }
    rows->number = span->number;
    rows->phase = span->phase;
    for (;;) {
        double sample = imp_sampler_next(&rows->sampler), time = imp_smaller(rows->turn, sample);
        if (!(time < end)) {
            break;
        }
        bool turns = rows->turn < sample;
        span->row(span, imp_larger(time - span->start, 0), imp_larger(span->start, time), row);
        put(rows, row, span->phase, turns ? rows->turn_event : 0);
        rows->turn = turns ? INFINITY : rows->turn;
        rows->sampler.next += turns ? 0 : 1;
    }
    span->row(span, span->duration, end, rows->last);
}

void imp_phase_rows_end(imp_phase_rows *rows, bool separates) {
    for (; rows->number >= 0 && imp_sampler_remains(&rows->sampler); rows->sampler.next++) {
        put(rows, rows->last, rows->phase, 0);
    }
    if (separates) {
        put(rows, rows->last, rows->phase, rows->last_event);
    }
}
