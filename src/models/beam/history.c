#include "models/beam/history.h"

#include <math.h>

#include "models/beam/sums.h"
#include "models/theory.h"

enum { H_TIME, H_INDENTATION, H_RATE, H_VELOCITY, H_FORCE, H_RIGID, H_VIBRATION, H_DISSIPATED };
enum { IN_CONTACT = 1, APART = 2 };

static const imp_output columns[IMP_BEAM_COLUMNS] = {
    [H_TIME] = {.name = "time",
                .unit = "1",
                .meaning = "time since the first touch, times " IMP_BEAM_S},
    [H_INDENTATION] = {.name = "contact_displacement",
                       .unit = "1",
                       .meaning = "indentation over length; negative: the gap"},
    [H_RATE] = {.name = "contact_velocity",
                .unit = "1",
                .meaning = "rate of the indentation, over length S with " IMP_BEAM_S},
    [H_VELOCITY] =
        {.name = "relative_velocity",
         .unit = "1",
         .meaning = "speed at which the rigid motions approach, over length S with " IMP_BEAM_S},
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
                      .meaning = "energy dissipated so far over the initial kinetic energy; with "
                                 "the energy stored in the contact the three energies add up to 1"},
};

static const imp_mode phases[] = {
    {IN_CONTACT, "contact", "beam and striker touch"},
    {APART, "flight", "beam and striker are apart"},
};

static const imp_mode events[] = {
    {IMP_BEAM_TOUCH, "touch", "a sub-impact begins"},
    {IMP_BEAM_GREATEST_COMPRESSION, "compressed", "the rigid motions stop approaching"},
    {IMP_BEAM_SEPARATION, "separation", "a sub-impact ends"},
};

const imp_history imp_beam_history = {
    .columns = columns,
    .n_columns = IMP_BEAM_COLUMNS,
    .phases = phases,
    .n_phases = IMP_COUNT(phases),
    .events = events,
    .n_events = IMP_COUNT(events),
};

static void write_row(imp_beam_witness *witness, double time, const double *state, bool contact,
                      int event) {
    imp_beam_scribe *s = (imp_beam_scribe *)witness;
    const imp_beam_problem *p = s->problem;
    double row[IMP_BEAM_COLUMNS];
    if (event == 0 && s->witness.next >= s->recorder->samples) {
        return; /* the last sample is the last separation */
    }
    row[H_TIME] = time;
    row[H_INDENTATION] = imp_beam_indentation(p, state);
    row[H_RATE] = imp_beam_indentation_rate(p, state);
    row[H_VELOCITY] = imp_beam_relative_velocity(p, state);
    row[H_FORCE] = imp_beam_force(p, row[H_INDENTATION]);
    row[H_RIGID] = imp_beam_rigid_energy(p, state) / p->energy;
    row[H_VIBRATION] = imp_beam_vibration_energy(p, state) / p->energy;
    row[H_DISSIPATED] = state[2 * p->n + 1] / p->energy;
    for (int c = 0; c < IMP_BEAM_COLUMNS; c++) {
        s->last[c] = row[c];
    }
    s->recorder->record(s->recorder, row, contact ? IN_CONTACT : APART, event);
}

imp_beam_scribe imp_beam_scribe_open(const imp_beam_problem *problem, double duration,
                                     imp_recorder *recorder) {
    return (imp_beam_scribe){
        .witness = {.see = write_row,
                    .spacing =
                        recorder->samples > 1 ? duration / (recorder->samples - 1) : INFINITY},
        .problem = problem,
        .recorder = recorder,
    };
}

void imp_beam_scribe_end(imp_beam_scribe *scribe) {
    if (scribe->recorder->samples > 1) {
        scribe->recorder->record(scribe->recorder, scribe->last, APART, 0);
    }
}
