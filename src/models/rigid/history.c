#include "models/rigid/outputs.h"

#include <math.h>

#include "models/observer.h"
#include "models/theory.h"
#include "num/larger.h"

static const imp_output columns[] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/rigid/columns.def"
};

enum { RATIO_GIVEN = IMP_SLIP_FORTH + 1 };
static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the contact point sticks"},
    {IMP_SLIP_BACK, "slip-", "the contact point slips toward -t"},
    {IMP_SLIP_FORTH, "slip+", "the contact point slips toward +t"},
    {RATIO_GIVEN, "prescribed", "the ratio of tangential to normal impulse is given"},
};

const imp_history imp_rigid_history = IMP_HISTORY_OF(columns, phases, imp_impulse_events);

/* Progress of a history. */
typedef struct history {
    const imp_rigid_path *path;
    double v_t, halt; /* halt: infinite where the path does not break */
    double speed, impulse;
    imp_sampler sampler;
} history;

/* One row, of the phase before or after the halt. */
static void put_row(const history *h, double p, bool after, int event) {
    double first = imp_smaller(h->halt, p), second = p - first;
    const imp_rigid_phase *one = &h->path->phase[0], *two = &h->path->phase[1];
    bool halted = p >= h->halt;
    double v_t = halted ? 0 : h->v_t + one->v_t * first, v_n = one->v_n * first - 1;
    double end_t = v_t + two->v_t * second, end_n = v_n + two->v_n * second;
    double energy = h->speed * h->impulse;
    int code = (int)(after && two->code != 0 ? two : one)->code;
    const double row[] = {
#define COLUMN(code, value, ...) value,
#include "models/rigid/columns.def"
    };
    h->sampler.recorder->record(h->sampler.recorder, row, code ? code : RATIO_GIVEN, event);
}

typedef struct mark {
    double p;
    int event;
} mark;

/* The events in order; returns their number. */
static int marks_of(const imp_rigid_path *path, const imp_rigid_result *r, double halt,
                    mark marks[5]) {
    int n = 0;
    bool wedged = r->mode == IMP_RIGID_WEDGE;
    bool early = halt < path->compression;
    marks[n++] = (mark){0, IMP_TOUCH};
    if (early) {
        marks[n++] = (mark){halt, IMP_HALT};
    }
    if (!wedged) {
        marks[n++] = (mark){path->compression, IMP_COMPRESSED};
    }
    if (!early && !wedged && halt < r->p_n) {
        marks[n++] = (mark){halt, IMP_HALT};
    }
    marks[n++] = (mark){r->p_n, wedged ? IMP_WEDGED : IMP_SEPARATION};
    return n;
}

void imp_rigid_record(double v_t, const imp_rigid_path *path, const imp_rigid_result *result,
                      double speed, double impulse, imp_recorder *recorder) {
    bool breaks = path->phase[1].code != 0 && path->halt < result->p_n;
    history h = {.path = path,
                 .v_t = path->halt == 0 ? 0 : v_t,
                 .halt = breaks ? path->halt : INFINITY,
                 .speed = speed,
                 .impulse = impulse,
                 .sampler = imp_sampler_open(recorder, result->p_n)};
    mark marks[5];
    int n = marks_of(path, result, h.halt, marks);
    bool after = false;
    for (int k = 0; k < n; k++) {
        for (; imp_sampler_next(&h.sampler) < marks[k].p; h.sampler.next++) {
            put_row(&h, imp_sampler_next(&h.sampler), after, 0);
        }
        after = after || marks[k].event == IMP_HALT || marks[k].event == IMP_WEDGED;
        put_row(&h, marks[k].p, after, marks[k].event);
    }
    for (; imp_sampler_remains(&h.sampler); h.sampler.next++) {
        put_row(&h, result->p_n, after, 0);
    }
}
