#include "models/beam/result.h"

#include <string.h>

#include "models/beam/sums.h"
#include "models/theory.h"

static const imp_output columns[IMP_BEAM_COLUMNS] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/beam/columns.def"
};

static const imp_mode phases[] = {
    {IMP_BEAM_IN_CONTACT, "contact", "beam and striker touch"},
    {IMP_BEAM_APART, "flight", "beam and striker are apart"},
};

static const imp_mode events[] = {
    {IMP_BEAM_TOUCH, "touch", "a sub-impact begins"},
    {IMP_BEAM_GREATEST_COMPRESSION, "compressed", "the rigid motions stop approaching"},
    {IMP_BEAM_SEPARATION, "separation", "a sub-impact ends"},
};

const imp_history imp_beam_history = IMP_HISTORY_OF(columns, phases, events);

static void put_row(imp_beam_record *record, double time, const double *state, int phase,
                    int event) {
    const imp_beam_problem *p = record->problem;
    const imp_beam_units *u = record->units;
    imp_recorder *recorder = record->sampler.recorder;
    double indentation = imp_beam_indentation(p, state), rate = imp_beam_indentation_rate(p, state);
    double velocity = imp_beam_relative_velocity(p, state + p->n),
           force = imp_beam_force(p, indentation);
    const double row[] = {
#define COLUMN(code, value, ...) value,
#include "models/beam/columns.def"
    };
    memcpy(record->last, row, sizeof row);
    recorder->record(recorder, row, phase, event);
}

static bool lies_within(double time, const imp_beam_piece *piece) {
    return time < piece->end || (piece->closed && time == piece->end);
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_beam_piece *piece = shown;
    imp_beam_record *record = (imp_beam_record *)observer;
    imp_sampler *sampler = &record->sampler;
    for (; lies_within(imp_sampler_next(sampler), piece); sampler->next++) {
        double time = imp_sampler_next(sampler);
        const double *state = piece->at(piece, time);
        if (!state) {
            return;
        }
        put_row(record, time, state, piece->phase, 0);
    }
}

static void see_event(imp_observer *observer, int event, int phase, const void *state) {
    const imp_beam_instant *now = state;
    put_row((imp_beam_record *)observer, now->time, now->state, phase, event);
}

imp_beam_record imp_beam_record_open(const imp_beam_problem *problem, const imp_beam_units *units,
                                     double duration, imp_recorder *recorder) {
    imp_sampler sampler = imp_sampler_open(recorder, duration);
    /* Sample i is at i times the spacing. */
    sampler.span /= sampler.parts;
    sampler.parts = 1;
    return (imp_beam_record){.observer = {.see_piece = see_piece, .see_event = see_event},
                             .sampler = sampler,
                             .problem = problem,
                             .units = units};
}

void imp_beam_record_end(imp_beam_record *record) {
    imp_sampler *sampler = &record->sampler;
    for (; imp_sampler_remains(sampler); sampler->next++) {
        sampler->recorder->record(sampler->recorder, record->last, IMP_BEAM_APART, 0);
    }
}
