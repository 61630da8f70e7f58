#include "models/swerve/path.h"

#include "base/first.h"
#include "models/theory.h"
#include "num/larger.h"

static const imp_output columns[] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/swerve/columns.def"
};

static const imp_mode phases[] = {
    {IMP_SWERVE_IN_SLIP, "slip", "slips from first touch on"},
    {IMP_SWERVE_IN_STICK, "stick", "the contact point sticks"},
    {IMP_SWERVE_IN_RESUMED_SLIP, "slip_from_rest", "slips straight, after a halt or from rest"},
};

const imp_history imp_swerve_history = IMP_HISTORY_OF(columns, phases, imp_impulse_events);

/* Writes the rows of a path. */
typedef struct history {
    imp_observer observer;
    imp_sampler sampler;
    double speed, impulse; /* units */
    double last; /* normal impulse of the last row; keeps rows ascending in spite of rounding */
    imp_swerve_state base; /* at the end of compression; states count from there */
} history;
IMP_FIRST(history, observer);

static void put_row(history *h, const imp_swerve_state *s, int phase, int event) {
    double slip = imp_swerve_speed_of(s), energy = h->speed * h->impulse;
    const imp_swerve_state *base = &h->base;
    h->last = imp_larger((base->p + s->p) * h->impulse, h->last);
    const double row[] = {
#define COLUMN(code, value, ...) value,
#include "models/swerve/columns.def"
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
