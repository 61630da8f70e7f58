#include "models/phase_rows.h"

#include <math.h>
#include <string.h>

#include "models/phases.h"
#include "num/larger.h"

const imp_mode imp_stick_slip_events[IMP_STICK_SLIP_EVENTS] = {
    {IMP_GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {IMP_SLIP_ENDS, "slip_ends", "slip ends and stick begins"},
    {IMP_SLIP_BEGINS, "slip_begins", "stick ends and slip begins"},
    {IMP_STICK_SLIP_EVENTS, "separation", "the body leaves the plane"},
};

int imp_stick_slip_event(int before, int after) {
    (void)before;
    return after == IMP_STICK ? IMP_SLIP_ENDS : IMP_SLIP_BEGINS;
}

static double factor_of(const char *unit, const imp_contact_units *u) {
    const struct {
        const char *unit;
        double factor;
    } known[] = {
        {"1", 1},
        {"rad", 1},
        {"s", u->time},
        {"rad/s", 1 / u->time},
        {"m", u->length},
        {"m/s", u->speed},
        {"N s", u->impulse},
        {"N", u->impulse / u->time},
        {"J", u->impulse * u->speed},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(unit, known[i].unit) == 0) {
            return known[i].factor;
        }
    }
    return NAN;
}

imp_phase_rows imp_phase_rows_open(const imp_phase_table *table, const imp_contact_units *units) {
    imp_phase_rows rows = {
        .observer = {.see_piece = imp_phase_rows_see}, .table = table, .number = -1};
    for (int i = 0; i < table->history->n_columns; i++) {
        rows.factor[i] = factor_of(table->history->columns[i].unit, units);
    }
    return rows;
}

static void put(imp_phase_rows *rows, const double *scaled, int phase, int event) {
    double row[IMP_PHASE_COLUMNS];
    for (int i = 0; i < rows->table->history->n_columns; i++) {
        row[i] = scaled[i] * rows->factor[i] + 0.0; /* no -0 */
    }
    rows->sampler.recorder->record(rows->sampler.recorder, row, phase, event);
}

/* The row of the event at which a phase becomes that of the piece. */
static void put_change(imp_phase_rows *rows, const void *piece) {
    const imp_phase_span *span = piece;
    double row[IMP_PHASE_COLUMNS];
    if (span->number != rows->number && rows->number >= 0) {
        rows->table->write(&rows->observer, piece, 0, span->start, row);
        put(rows, row, span->phase, rows->table->event_between(rows->phase, span->phase));
    }
}

/* The samples that lie before `end`, and the greatest indentation if that does. */
static void put_samples(imp_phase_rows *rows, const void *piece, double end) {
    const imp_phase_span *span = piece;
    double row[IMP_PHASE_COLUMNS];
    for (;;) {
        double sample = imp_sampler_next(&rows->sampler), time = imp_smaller(rows->turn, sample);
        if (!(time < end)) {
            return;
        }
        bool turns = rows->turn < sample;
        rows->table->write(&rows->observer, piece, imp_larger(time - span->start, 0),
                           imp_larger(span->start, time), row);
        put(rows, row, span->phase, turns ? IMP_GREATEST_INDENTATION : 0);
        rows->turn = turns ? INFINITY : rows->turn;
        rows->sampler.next += turns ? 0 : 1;
    }
}

void imp_phase_rows_see(imp_observer *observer, const void *piece) {
    imp_phase_rows *rows = (imp_phase_rows *)observer;
    const imp_phase_span *span = piece;
    rows->end = span->start + span->duration;
    if (!rows->sampler.recorder) {
        return;
    }
    put_change(rows, piece);
    rows->number = span->number;
    rows->phase = span->phase;
    put_samples(rows, piece, rows->end);
    rows->table->write(observer, piece, span->duration, rows->end, rows->last);
}

void imp_phase_rows_begin(imp_phase_rows *rows, double turn, imp_recorder *recorder) {
    rows->turn = turn;
    rows->sampler = imp_sampler_open(recorder, rows->end);
}

void imp_phase_rows_end(imp_phase_rows *rows, bool separates) {
    const imp_history *history = rows->table->history;
    for (; rows->number >= 0 && imp_sampler_remains(&rows->sampler); rows->sampler.next++) {
        put(rows, rows->last, rows->phase, 0);
    }
    if (separates) {
        put(rows, rows->last, rows->phase, history->events[history->n_events - 1].code);
    }
}
