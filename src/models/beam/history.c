#include "models/beam/history.h"

#include <math.h>

#include "models/beam/sums.h"
#include "models/theory.h"

enum {
    H_TIME,
    H_INDENTATION,
    H_RATE,
    H_VELOCITY,
    H_FORCE,
    H_RIGID,
    H_VIBRATION,
    H_DISSIPATED,
    H_CONTACT,
    H_TIME_SI,
    H_INDENTATION_SI,
    H_RATE_SI,
    H_VELOCITY_SI,
    H_FORCE_SI
};

static const imp_output columns[IMP_BEAM_COLUMNS] = {
    [H_TIME] = {.name = "time",
                .unit = "1",
                .meaning = "time since the first touch, times " IMP_BEAM_S},
    [H_INDENTATION] = {.name = "contact_displacement",
                       .unit = "1",
                       .meaning = "indentation over length; negative: the gap"},
    [H_RATE] = {.name = "contact_velocity",
                .unit = "1",
                .meaning = "rate of the indentation, over length times S, with " IMP_BEAM_S},
    [H_VELOCITY] =
        {.name = "relative_velocity",
         .unit = "1",
         .meaning =
             "speed at which the rigid motions approach, over length times S, with " IMP_BEAM_S},
    [H_FORCE] = {.name = "force",
                 .unit = "1",
                 .meaning = "contact force over modulus second_moment / length^2"},
    [H_RIGID] = {.name = "rigid_energy",
                 .unit = "1",
                 .meaning =
                     "energy of the rigid motions and the striker over the initial kinetic energy"},
    [H_VIBRATION] = {.name = "vibration_energy",
                     .unit = "1",
                     .meaning = "energy of the flexible modes over the initial kinetic energy"},
    [H_DISSIPATED] = {.name = "dissipated_energy",
                      .unit = "1",
                      .meaning = "energy dissipated so far over the initial kinetic energy"},
    [H_CONTACT] = {.name = "contact_energy",
                   .unit = "1",
                   .meaning = "energy stored in the contact over the initial kinetic energy; the "
                              "four energies add up to 1"},
    [H_TIME_SI] = {.name = "time_si", .unit = "s", .meaning = "time since the first touch"},
    [H_INDENTATION_SI] = {.name = "contact_displacement_si",
                          .unit = "m",
                          .meaning = "indentation; negative: the gap"},
    [H_RATE_SI] = {.name = "contact_velocity_si",
                   .unit = "m/s",
                   .meaning = "rate of the indentation"},
    [H_VELOCITY_SI] = {.name = "relative_velocity_si",
                       .unit = "m/s",
                       .meaning = "speed at which the rigid motions approach"},
    [H_FORCE_SI] = {.name = "force_si", .unit = "N", .meaning = "contact force"},
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
    imp_recorder *recorder = record->sampler.recorder;
    double *row = record->last;
    row[H_TIME] = time;
    row[H_INDENTATION] = imp_beam_indentation(p, state);
    row[H_RATE] = imp_beam_indentation_rate(p, state);
    row[H_VELOCITY] = imp_beam_relative_velocity(p, state);
    row[H_FORCE] = imp_beam_force(p, row[H_INDENTATION]);
    row[H_RIGID] = imp_beam_rigid_energy(p, state) / p->energy;
    row[H_VIBRATION] = imp_beam_vibration_energy(p, state) / p->energy;
    row[H_DISSIPATED] = state[2 * p->n + 1] / p->energy;
    row[H_CONTACT] = imp_beam_contact_energy(p, row[H_INDENTATION]) / p->energy;
    const imp_beam_units *u = record->units;
    row[H_TIME_SI] = row[H_TIME] / u->rate;
    row[H_INDENTATION_SI] = row[H_INDENTATION] * u->length;
    row[H_RATE_SI] = row[H_RATE] * u->speed;
    row[H_VELOCITY_SI] = row[H_VELOCITY] * u->speed;
    row[H_FORCE_SI] = row[H_FORCE] * u->force;
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
