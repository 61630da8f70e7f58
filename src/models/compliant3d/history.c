#include "models/compliant3d/contact.h"

#include <math.h>
#include <string.h>

#include "base/first.h"
#include "models/theory.h"

static const imp_output columns[] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/compliant3d/columns.def"
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the foot of the springs rests on the plane"},
    {IMP_SLIP_FORTH, "slip", "the foot of the springs slides"},
};

const imp_history imp_compliant3d_history = IMP_HISTORY_OF(columns, phases, imp_stick_slip_events);

typedef struct history {
    imp_phase_rows rows;
    const imp_spatial_contact *contact;
} history;
IMP_FIRST(history, rows);

static void write_row(imp_observer *observer, const void *shown, double within, double time,
                      double *row) {
    const imp_compliant3d_piece *piece = shown;
    const imp_spatial_contact *b = ((const history *)observer)->contact;
    imp_compliant3d_instant m = piece->at(piece, within);
    double work_t =
        ((b->v1 + m.v1) * m.p1 + (b->v2 + m.v2) * m.p2 + (m.v3 - 1) * m.p3) / 2 - m.work;
    (void)time;
    const double values[] = {
#define COLUMN(code, value, ...) value,
#include "models/compliant3d/columns.def"
    };
    memcpy(row, values, sizeof values);
}

static const imp_phase_table table = {
    .history = &imp_compliant3d_history, .write = write_row, .event_between = imp_stick_slip_event};

imp_outcome imp_compliant3d_record(imp_compliant3d_problem problem, const imp_contact_units *units,
                                   imp_recorder *recorder) {
    history h = {.rows = imp_phase_rows_open(&table, units), .contact = problem.contact};
    problem.observer = &h.rows.observer;
    imp_compliant3d_result result = imp_compliant3d_solve(&problem);
    bool separates = result.outcome == IMP_SOLVED && result.mode != IMP_COMPLIANT3D_WEDGE;
    imp_phase_rows_begin(&h.rows, separates ? result.t_turn : INFINITY, recorder);
    imp_compliant3d_solve(&problem);
    imp_phase_rows_end(&h.rows, separates);
    return result.outcome;
}
