#include "models/compliant3d/history.h"

#include <math.h>
#include <string.h>

#include "models/phase_rows.h"
#include "models/theory.h"

enum {
    TIME,
    U1,
    U2,
    U3,
    F1,
    F2,
    F_N,
    V1,
    V2,
    V_N,
    SLIP,
    P1,
    P2,
    P_N,
    WORK_T,
    WORK_N,
    FRICTION_LOSS,
    NORMAL_LOSS,
    STORED_T,
    STORED_N,
    KINETIC,
    N_COLUMNS
};
enum { GREATEST_INDENTATION = 1, SLIP_ENDS, SLIP_BEGINS, SEPARATION };

#define ALONG(title, in, what, axis)                                                               \
    { .name = title, .unit = in, .meaning = what " along axis " axis }

static const imp_output columns[N_COLUMNS] = {
    [TIME] = IMP_COLUMN_TIME,
    [U1] = ALONG("u1", "m", "elongation of the tangential springs", "1"),
    [U2] = ALONG("u2", "m", "elongation of the tangential springs", "2"),
    [U3] = {.name = "u3",
            .unit = "m",
            .meaning = "elongation of the normal spring, < 0 in contact"},
    [F1] = ALONG("force_1", "N", "force on the body", "1"),
    [F2] = ALONG("force_2", "N", "force on the body", "2"),
    [F_N] = IMP_COLUMN_NORMAL_FORCE,
    [V1] = ALONG("velocity_1", "m/s", "velocity of the contact point", "1"),
    [V2] = ALONG("velocity_2", "m/s", "velocity of the contact point", "2"),
    [V_N] = IMP_COLUMN_NORMAL_VELOCITY,
    [SLIP] = {.name = "slip_speed",
              .unit = "m/s",
              .meaning = "speed of the foot of the tangential springs over the plane"},
    [P1] = ALONG("impulse_1", "N s", "impulse since first touch", "1"),
    [P2] = ALONG("impulse_2", "N s", "impulse since first touch", "2"),
    [P_N] = IMP_COLUMN_NORMAL_IMPULSE,
    [WORK_T] = IMP_COLUMN_TANGENTIAL_WORK,
    [WORK_N] = IMP_COLUMN_NORMAL_WORK,
    [FRICTION_LOSS] = IMP_COLUMN_FRICTION_LOSS,
    [NORMAL_LOSS] = IMP_COLUMN_NORMAL_LOSS,
    [STORED_T] = {.name = "tangential_energy",
                  .unit = "J",
                  .meaning = "energy that the tangential springs give back"},
    [STORED_N] = IMP_COLUMN_NORMAL_ENERGY,
    [KINETIC] = IMP_COLUMN_KINETIC_ENERGY,
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the foot of the springs rests on the plane"},
    {IMP_SLIP_FORTH, "slip", "the foot of the springs slides"},
};

static const imp_mode events[] = {
    {GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {SLIP_ENDS, "slip_ends", "slip ends and stick begins"},
    {SLIP_BEGINS, "slip_begins", "stick ends and slip begins"},
    {SEPARATION, "separation", "the body leaves the plane"},
};

const imp_history imp_springs_history = {
    .columns = columns,
    .n_columns = N_COLUMNS,
    .phases = phases,
    .n_phases = IMP_COUNT(phases),
    .events = events,
    .n_events = IMP_COUNT(events),
};

/* The contact is solved twice: first to measure its duration, then to write its rows. */
typedef struct history {
    imp_observer observer; /* first */
    imp_phase_rows rows;
    const imp_spatial_contact *contact;
    double whole; /* time of the contact, scaled */
} history;

/* A piece and the history that it belongs to. */
typedef struct shown_piece {
    const imp_springs_piece *piece;
    const history *of;
} shown_piece;

static void write_row(const imp_phase_span *span, double within, double time, double *row) {
    const shown_piece *shown = span->piece;
    const imp_spatial_contact *b = shown->of->contact;
    imp_springs_instant m = shown->piece->at(shown->piece, within);
    double work_t =
        ((b->v1 + m.v1) * m.p1 + (b->v2 + m.v2) * m.p2 + (m.v3 - 1) * m.p3) / 2 - m.work;
    (void)time;
    const double values[N_COLUMNS] = {
        [TIME] = m.time,
        [U1] = m.u1,
        [U2] = m.u2,
        [U3] = -m.delta,
        [F1] = m.f1,
        [F2] = m.f2,
        [F_N] = m.f3,
        [V1] = m.v1,
        [V2] = m.v2,
        [V_N] = m.v3,
        [SLIP] = m.slip,
        [P1] = m.p1,
        [P2] = m.p2,
        [P_N] = m.p3,
        [WORK_T] = work_t,
        [WORK_N] = m.work,
        [FRICTION_LOSS] = m.friction_loss,
        [NORMAL_LOSS] = m.spring_loss,
        [STORED_T] = m.stored_t,
        [STORED_N] = m.stored_n,
        [KINETIC] = b->energy + work_t + m.work,
    };
    memcpy(row, values, sizeof values);
}

static int event_between(int before, int after) {
    (void)before;
    return after == IMP_STICK ? SLIP_ENDS : SLIP_BEGINS;
}

static void see_piece(imp_observer *observer, const void *seen) {
    const imp_springs_piece *piece = seen;
    history *h = (history *)observer;
    const shown_piece shown = {piece, h};
    imp_phase_span span = {.piece = &shown,
                           .row = write_row,
                           .phase = piece->phase,
                           .number = piece->number,
                           .start = piece->start,
                           .duration = piece->duration};
    imp_phase_rows_see(&h->rows, &span);
}

static void measure_piece(imp_observer *observer, const void *seen) {
    const imp_springs_piece *piece = seen;
    ((history *)observer)->whole = piece->start + piece->duration;
}

static imp_phase_rows make_rows(const imp_springs_units *u) {
    double length = u->time * u->speed, force = u->impulse / u->time,
           energy = u->impulse * u->speed;
    imp_phase_rows rows = {.n_columns = N_COLUMNS,
                           .event_between = event_between,
                           .turn_event = GREATEST_INDENTATION,
                           .last_event = SEPARATION,
                           .number = -1};
    static const int first[] = {TIME, U1, F1, V1, P1, WORK_T, N_COLUMNS};
    const double unit[] = {u->time, length, force, u->speed, u->impulse, energy};
    for (int g = 0; g < IMP_COUNT(unit); g++) {
        for (int c = first[g]; c < first[g + 1]; c++) {
            rows.factor[c] = unit[g];
        }
    }
    return rows;
}

imp_outcome imp_springs_record(imp_springs_problem problem, const imp_springs_units *units,
                               imp_recorder *recorder) {
    history h = {.observer = {.see_piece = measure_piece},
                 .rows = make_rows(units),
                 .contact = problem.contact};
    problem.observer = &h.observer;
    imp_springs_result result = imp_springs_solve(&problem);
    bool solved = result.outcome == IMP_SOLVED;
    h.rows.turn = solved && result.mode != IMP_SPATIAL_WEDGE ? result.t_turn : INFINITY;
    h.rows.sampler = imp_sampler_open(recorder, h.whole);
    h.observer.see_piece = see_piece;
    imp_springs_solve(&problem);
    imp_phase_rows_end(&h.rows, solved && result.mode != IMP_SPATIAL_WEDGE);
    return result.outcome;
}
