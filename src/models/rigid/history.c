#include "models/rigid/history.h"

#include <math.h>

#include "models/theory.h"

enum { P_N, P_T, V_T, V_N, WORK_N, WORK_T, N_COLUMNS };

static const imp_output columns[N_COLUMNS] = {
    [P_N] = {.name = "normal_impulse",
             .unit = "N s",
             .meaning = "normal impulse since first touch"},
    [P_T] = {.name = "tangential_impulse",
             .unit = "N s",
             .meaning = "tangential impulse since first touch"},
    [V_T] = {.name = "tangential_velocity",
             .unit = "m/s",
             .meaning = "tangential velocity of the contact point"},
    [V_N] = {.name = "normal_velocity",
             .unit = "m/s",
             .meaning = "velocity of the contact point away from the plane"},
    [WORK_N] = {.name = "normal_work", .unit = "J", .meaning = "work of the normal force"},
    [WORK_T] = {.name = "tangential_work", .unit = "J", .meaning = "work of the tangential force"},
};

enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3, RATIO_GIVEN = 4 };
static const imp_mode phases[] = {
    {STICK, "stick", "sticks"},
    {SLIP_BACK, "slip-", "slips toward -t"},
    {SLIP_FORTH, "slip+", "slips toward +t"},
    {RATIO_GIVEN, "prescribed", "the ratio of the impulses is given"},
};

enum { TOUCH = 1, COMPRESSED, HALT, SEPARATION, WEDGED };
static const imp_mode events[] = {
    {TOUCH, "touch", "first contact"},
    {COMPRESSED, "compressed", "end of compression: the normal velocity is 0"},
    {HALT, "halt", "slip halts"},
    {SEPARATION, "separation", "the law of restitution is met"},
    {WEDGED, "wedged", "slip halts for good"},
};

const imp_history imp_rigid_history = {columns,           N_COLUMNS, phases,
                                       IMP_COUNT(phases), events,    IMP_COUNT(events)};

typedef struct tape {
    const imp_rigid_path *path;
    double v_t, halt; /* halt: infinite where the path does not break */
    double speed, impulse;
    imp_recorder *recorder;
} tape;

/* One row, of the phase before or after the halt. */
static void put_row(const tape *t, double p, bool after, int event) {
    double first = fmin(p, t->halt), second = p - first;
    const imp_rigid_phase *one = &t->path->phase[0], *two = &t->path->phase[1];
    bool halted = p >= t->halt;
    double v_t = halted ? 0 : t->v_t + one->v_t * first, v_n = one->v_n * first - 1;
    double end_t = v_t + two->v_t * second, end_n = v_n + two->v_n * second;
    double energy = t->speed * t->impulse;
    int code = t->path->phase_code[after && t->path->phase_code[1] != 0];
    double row[N_COLUMNS] = {
        [P_N] = p * t->impulse,
        [P_T] = (one->p_t * first + two->p_t * second) * t->impulse,
        [V_T] = end_t * t->speed,
        [V_N] = end_n * t->speed,
        [WORK_N] = ((v_n - 1) * first + (v_n + end_n) * second) / 2 * energy,
        [WORK_T] =
            (one->p_t * first * (t->v_t + v_t) + two->p_t * second * (v_t + end_t)) / 2 * energy,
    };
    t->recorder->record(t->recorder, row, code ? code : RATIO_GIVEN, event);
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
    marks[n++] = (mark){0, TOUCH};
    if (early) {
        marks[n++] = (mark){halt, HALT};
    }
    if (!wedged) {
        marks[n++] = (mark){path->compression, COMPRESSED};
    }
    if (!early && !wedged && halt < r->p_n) {
        marks[n++] = (mark){halt, HALT};
    }
    marks[n++] = (mark){r->p_n, wedged ? WEDGED : SEPARATION};
    return n;
}

void imp_rigid_record(double v_t, const imp_rigid_path *path, const imp_rigid_result *result,
                      double speed, double impulse, imp_recorder *recorder) {
    bool breaks = path->phase_code[1] != 0 && path->halt < result->p_n;
    tape t = {path,    path->halt == 0 ? 0 : v_t, breaks ? path->halt : INFINITY, speed, impulse,
              recorder};
    mark marks[5];
    int n = marks_of(path, result, t.halt, marks), last = recorder->samples - 1;
    bool after = false;
    for (int k = 0, sample = 0; k < n; k++) {
        for (; sample < last && result->p_n * sample / last < marks[k].p; sample++) {
            put_row(&t, result->p_n * sample / last, after, 0);
        }
        after = after || marks[k].event == HALT || marks[k].event == WEDGED;
        put_row(&t, marks[k].p, after, marks[k].event);
        bool ends = k == n - 1;
        for (; ends && sample <= last; sample++) {
            put_row(&t, result->p_n, after, 0);
        }
    }
}
