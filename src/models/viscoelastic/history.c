#include "models/viscoelastic/rod.h"

#include <math.h>
#include <string.h>

#include "base/first.h"
#include "models/theory.h"
#include "num/exponential.h"
#include "num/larger.h"

enum { SLIP_TURNS = IMP_SLIP_BEGINS + 1, SEPARATION };

static const imp_output columns[] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/viscoelastic/columns.def"
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the tip rests on the surface"},
    {IMP_SLIP_BACK, "slip-", "the tip slides toward -t"},
    {IMP_SLIP_FORTH, "slip+", "the tip slides toward +t"},
};

static const imp_mode events[] = {
    {IMP_GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {IMP_SLIP_ENDS, "slip_ends", "slip ends and stick begins"},
    {IMP_SLIP_BEGINS, "slip_begins", "stick ends and slip begins"},
    {SLIP_TURNS, "slip_turns", "slip turns back"},
    {SEPARATION, "separation", "the tip leaves the surface"},
};

const imp_history imp_viscoelastic_history = IMP_HISTORY_OF(columns, phases, events);

typedef struct history {
    imp_phase_rows rows;
    const imp_viscoelastic_problem *problem;
} history;
IMP_FIRST(history, rows);

static void write_row(imp_observer *observer, const void *shown, double within, double time,
                      double *row) {
    const imp_viscoelastic_piece *piece = shown;
    const imp_viscoelastic_problem *p = ((const history *)observer)->problem;
    imp_viscoelastic_instant m = piece->at(piece, within);
    double depth = imp_larger(m.depth, 0), power = p->exponent + 1;
    double stored = p->stiffness * imp_power(depth, power) / power;
    (void)time;
    const double values[] = {
#define COLUMN(code, value, ...) value,
#include "models/viscoelastic/columns.def"
    };
    memcpy(row, values, sizeof values);
}

static int event_between(int before, int after) {
    return before == IMP_STICK || after == IMP_STICK ? imp_stick_slip_event(before, after)
                                                     : SLIP_TURNS;
}

static const imp_phase_table table = {
    .history = &imp_viscoelastic_history, .write = write_row, .event_between = event_between};

imp_outcome imp_viscoelastic_record(imp_viscoelastic_problem problem,
                                    const imp_contact_units *units, imp_recorder *recorder) {
    history h = {.rows = imp_phase_rows_open(&table, units), .problem = &problem};
    problem.observer = &h.rows.observer;
    imp_viscoelastic_result result = imp_viscoelastic_solve(&problem);
    bool solved = result.outcome == IMP_SOLVED;
    imp_phase_rows_begin(&h.rows, solved ? result.compression_time : INFINITY, recorder);
    imp_viscoelastic_solve(&problem);
    imp_phase_rows_end(&h.rows, solved);
    return result.outcome;
}
