#include "models/swerve/history.h"

#include <math.h>

#include "models/theory.h"
#include "num/larger.h"

enum {
    NORMAL_IMPULSE,
    VELOCITY_1,
    VELOCITY_2,
    NORMAL_VELOCITY,
    SLIP_SPEED,
    IMPULSE_1,
    IMPULSE_2,
    NORMAL_WORK,
    FRICTION_LOSS,
    N_COLUMNS
};

static const imp_output columns[N_COLUMNS] = {
    [NORMAL_IMPULSE] = {.name = "normal_impulse",
                        .unit = "N s",
                        .meaning = "normal impulse since first touch"},
    [VELOCITY_1] = {.name = "velocity_1",
                    .unit = "m/s",
                    .meaning = "velocity of the contact point along axis 1"},
    [VELOCITY_2] = {.name = "velocity_2",
                    .unit = "m/s",
                    .meaning = "velocity of the contact point along axis 2"},
    [NORMAL_VELOCITY] = {.name = "normal_velocity",
                         .unit = "m/s",
                         .meaning = "velocity of the contact point away from the plane"},
    [SLIP_SPEED] = {.name = "slip_speed",
                    .unit = "m/s",
                    .meaning = "magnitude of the slip velocity"},
    [IMPULSE_1] = {.name = "impulse_1",
                   .unit = "N s",
                   .meaning = "impulse of friction along axis 1"},
    [IMPULSE_2] = {.name = "impulse_2",
                   .unit = "N s",
                   .meaning = "impulse of friction along axis 2"},
    [NORMAL_WORK] = {.name = "normal_work", .unit = "J", .meaning = "work of the normal force"},
    [FRICTION_LOSS] = {.name = "friction_loss", .unit = "J", .meaning = "energy lost to friction"},
};

static const imp_mode phases[] = {
    {IMP_SWERVE_IN_SLIP, "slip", "slips from first touch on"},
    {IMP_SWERVE_IN_STICK, "stick", "the contact point sticks"},
    {IMP_SWERVE_IN_RESUMED_SLIP, "slip_from_rest", "slips straight, after a halt or from rest"},
};

const imp_history imp_swerve_history = IMP_HISTORY_OF(columns, phases, imp_impulse_events);

/* Writes the rows of a path. */
typedef struct history {
    imp_observer observer; /* first */
    imp_sampler sampler;
    double speed, impulse; /* units */
    double last; /* normal impulse of the last row; keeps rows ascending in spite of rounding */
    imp_swerve_state base; /* at the end of compression; states count from there */
} history;

static void put_row(history *h, const imp_swerve_state *s, int phase, int event) {
    double slip = imp_swerve_speed_of(s), energy = h->speed * h->impulse;
    const imp_swerve_state *base = &h->base;
    h->last = imp_larger((base->p + s->p) * h->impulse, h->last);
    double row[N_COLUMNS] = {
        [NORMAL_IMPULSE] = h->last,
        [VELOCITY_1] = s->v1 * h->speed,
        [VELOCITY_2] = s->v2 * h->speed,
        [NORMAL_VELOCITY] = s->v3 * h->speed,
        [SLIP_SPEED] = slip * h->speed,
        [IMPULSE_1] = (base->p1 + s->p1) * h->impulse,
        [IMPULSE_2] = (base->p2 + s->p2) * h->impulse,
        [NORMAL_WORK] = (base->work + s->work) * energy,
        [FRICTION_LOSS] = (base->loss + s->loss) * energy,
    };
    h->sampler.recorder->record(h->sampler.recorder, row, phase, event);
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_swerve_piece *piece = shown;
    history *h = (history *)observer;
    double start = h->base.p + piece->leg->from.p, within;
    for (; (within = imp_sampler_next(&h->sampler) - start) < piece->impulse; h->sampler.next++) {
        imp_swerve_state state = imp_swerve_along(piece, within);
        put_row(h, &state, (int)piece->phase, 0);
    }
}

static void see_event(imp_observer *observer, int event, int phase, const void *state) {
    history *h = (history *)observer;
    bool last = event == IMP_SEPARATION || event == IMP_WEDGED;
    put_row(h, state, phase, event);
    for (; last && imp_sampler_remains(&h->sampler); h->sampler.next++) {
        put_row(h, state, phase, 0);
    }
    if (event == IMP_COMPRESSED) {
        h->base = *(const imp_swerve_state *)state;
    }
}

void imp_swerve_record(const imp_swerve_problem *problem, const imp_swerve_result *known,
                       double speed, double impulse, imp_recorder *recorder) {
    history h = {.observer = {.see_piece = see_piece, .see_event = see_event},
                 .sampler = imp_sampler_open(recorder, known->compressed.p + known->rebound.p),
                 .speed = speed,
                 .impulse = impulse};
    h.sampler.within = recorder->samples; /* by rounding the last one may lie before the end */
    imp_swerve_problem observed = *problem;
    observed.observer = &h.observer;
    imp_swerve_path path;
    imp_swerve_begin(&path, &observed);
    imp_swerve_follow(&path);
}
