#include "models/swerve/history.h"

#include <math.h>

#include "models/theory.h"

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
                    .meaning = "velocity of the contact along axis 1"},
    [VELOCITY_2] = {.name = "velocity_2",
                    .unit = "m/s",
                    .meaning = "velocity of the contact along axis 2"},
    [NORMAL_VELOCITY] = {.name = "normal_velocity",
                         .unit = "m/s",
                         .meaning = "velocity of the contact away from the plane"},
    [SLIP_SPEED] = {.name = "slip_speed", .unit = "m/s", .meaning = "size of the slip velocity"},
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
    {IMP_SWERVE_IN_STICK, "stick", "sticks"},
    {IMP_SWERVE_IN_RESUMED_SLIP, "slip_from_rest", "slips straight, after a halt or from rest"},
};

static const imp_mode events[] = {
    {IMP_SWERVE_TOUCHES, "touch", "first contact"},
    {IMP_SWERVE_IS_COMPRESSED, "compressed", "end of compression: the normal velocity is 0"},
    {IMP_SWERVE_HALTS, "halt", "slip halts"},
    {IMP_SWERVE_SEPARATES, "separation", "the law of restitution is met"},
    {IMP_SWERVE_WEDGES, "wedged", "slip halts for good"},
};

const imp_history imp_swerve_history = {columns,           N_COLUMNS, phases,
                                        IMP_COUNT(phases), events,    IMP_COUNT(events)};

/* base: what had happened by the end of compression, from where states count anew. */
typedef struct tape {
    imp_recorder *recorder;
    double speed, impulse; /* units */
    double end;            /* normal impulse of the whole path */
    double last;           /* normal impulse of the last row: rounding must not turn rows back */
    int next;              /* sample to come */
    imp_swerve_state base;
    imp_swerve_phase phase;
} tape;

static double sample_at(const tape *t, int sample) {
    int most = t->recorder->samples > 1 ? t->recorder->samples - 1 : 1;
    return t->end * sample / most;
}

static void put_row(tape *t, const imp_swerve_state *s, imp_swerve_phase phase, int event) {
    double slip = sqrt(s->v1 * s->v1 + s->v2 * s->v2), energy = t->speed * t->impulse;
    const imp_swerve_state *base = &t->base;
    t->last = fmax(t->last, (base->p + s->p) * t->impulse);
    double row[N_COLUMNS] = {
        [NORMAL_IMPULSE] = t->last,
        [VELOCITY_1] = s->v1 * t->speed,
        [VELOCITY_2] = s->v2 * t->speed,
        [NORMAL_VELOCITY] = s->v3 * t->speed,
        [SLIP_SPEED] = slip * t->speed,
        [IMPULSE_1] = (base->p1 + s->p1) * t->impulse,
        [IMPULSE_2] = (base->p2 + s->p2) * t->impulse,
        [NORMAL_WORK] = (base->work + s->work) * energy,
        [FRICTION_LOSS] = (base->loss + s->loss) * energy,
    };
    t->recorder->record(t->recorder, row, (int)phase, event);
}

static void see_piece(void *context, const imp_swerve_piece *piece) {
    tape *t = context;
    double start = t->base.p + piece->start->p;
    for (; t->next < t->recorder->samples; t->next++) {
        double within = sample_at(t, t->next) - start;
        if (within >= piece->impulse) {
            break;
        }
        imp_swerve_state state = within > 0 ? piece->at(piece, within) : *piece->start;
        put_row(t, &state, piece->phase, 0);
    }
}

static void see_event(void *context, imp_swerve_event event, imp_swerve_phase next,
                      const imp_swerve_state *state) {
    tape *t = context;
    bool last = event == IMP_SWERVE_SEPARATES || event == IMP_SWERVE_WEDGES;
    put_row(t, state, next, (int)event);
    for (; last && t->next < t->recorder->samples; t->next++) {
        put_row(t, state, next, 0);
    }
    if (event == IMP_SWERVE_IS_COMPRESSED) {
        t->base = *state;
    }
}

void imp_swerve_record(const imp_swerve_problem *problem, const imp_swerve_result *known,
                       double speed, double impulse, imp_recorder *recorder) {
    tape t = {.recorder = recorder,
              .speed = speed,
              .impulse = impulse,
              .end = known->compressed.p + known->rebound.p};
    const imp_swerve_witness witness = {&t, see_piece, see_event};
    imp_swerve_problem watched = *problem;
    watched.witness = &witness;
    imp_swerve_solve(&watched);
}
