#include "models/continuum/problem.h"

#include <math.h>
#include <string.h>

#include "base/first.h"
#include "models/theory.h"

enum { SLIP_TURNS = IMP_SLIP_BEGINS + 1, SEPARATION };

static const imp_output columns[] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/continuum/columns.def"
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "nothing slips"},
    {IMP_SLIP_BACK, "slip-", "all of the contact slips toward -t"},
    {IMP_SLIP_FORTH, "slip+", "all of the contact slips toward +t"},
    {IMP_PARTIAL_BACK, "partial-",
     "the contact slips toward -t outside a central circle that sticks"},
    {IMP_PARTIAL_FORTH, "partial+",
     "the contact slips toward +t outside a central circle that sticks"},
};

static const imp_mode events[] = {
    {IMP_GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {IMP_SLIP_ENDS, "slip_ends", "slip ends, in all of the contact or at the centre"},
    {IMP_SLIP_BEGINS, "slip_begins", "slip begins, at the edge or at the centre"},
    {SLIP_TURNS, "slip_turns", "slip at the edge reverses"},
    {SEPARATION, "separation", "the body leaves the plane"},
};

const imp_history imp_continuum_history = IMP_HISTORY_OF(columns, phases, events);

typedef struct history {
    imp_phase_rows rows;
    double v_t, initial; /* before the contact: tangential velocity, kinetic energy */
} history;
IMP_FIRST(history, rows);

static void write_row(imp_observer *observer, const void *shown, double within, double time,
                      double *row) {
    const imp_continuum_piece *piece = shown;
    const history *h = (const history *)observer;
    imp_continuum_moment m = piece->at(piece, within);
    double stored = 0.4 * m.delta * m.f_n;
    /* Both works together are the change of the kinetic energy; the normal force is elastic. */
    double works = ((h->v_t + m.v_t) * m.p_t + (m.v_n - 1) * m.p_n) / 2;
    const double values[] = {
#define COLUMN(code, value, ...) value,
#include "models/continuum/columns.def"
    };
    memcpy(row, values, sizeof values);
}

static bool is_partial(int phase) {
    return phase == IMP_PARTIAL_BACK || phase == IMP_PARTIAL_FORTH;
}

static int event_between(int before, int after) {
    if (is_partial(before) && is_partial(after)) {
        return SLIP_TURNS;
    }
    bool less = after == IMP_STICK || (is_partial(after) && before != IMP_STICK);
    return less ? IMP_SLIP_ENDS : IMP_SLIP_BEGINS;
}

static const imp_phase_table table = {
    .history = &imp_continuum_history, .write = write_row, .event_between = event_between};

imp_outcome imp_continuum_record(imp_continuum_problem problem, const imp_contact_units *units,
                                 imp_continuum_work *work, imp_recorder *recorder) {
    history h = {.rows = imp_phase_rows_open(&table, units), .v_t = problem.v_t};
    problem.observer = &h.rows.observer;
    imp_continuum_result result = imp_continuum_solve(&problem, work);
    bool solved = result.outcome == IMP_SOLVED;
    h.initial = result.initial;
    imp_phase_rows_begin(&h.rows, solved ? result.t_turn : INFINITY, recorder);
    imp_continuum_solve(&problem, work);
    imp_phase_rows_end(&h.rows, solved && result.mode != IMP_CONTINUUM_WEDGE);
    return result.outcome;
}
