#include "models/compliant/history.h"

#include <math.h>
#include <string.h>

#include "models/phase_rows.h"
#include "models/theory.h"

enum { TIME, U1, U3, F_T, F_N, V_T, V_N, SLIP, N_COLUMNS };
enum { GREATEST_INDENTATION = 1, SLIP_ENDS, SLIP_BEGINS, SEPARATION };

static const imp_output columns[N_COLUMNS] = {
    [TIME] = IMP_COLUMN_TIME,
    [U1] = {.name = "u1", .unit = "m", .meaning = "elongation of the tangential spring"},
    [U3] = {.name = "u3",
            .unit = "m",
            .meaning = "elongation of the normal spring, < 0 in contact"},
    [F_T] = IMP_COLUMN_TANGENTIAL_FORCE,
    [F_N] = IMP_COLUMN_NORMAL_FORCE,
    [V_T] = IMP_COLUMN_TANGENTIAL_VELOCITY,
    [V_N] = IMP_COLUMN_NORMAL_VELOCITY,
    [SLIP] = {.name = "slip_speed",
              .unit = "m/s",
              .meaning = "velocity of the tangential spring's foot over the plane"},
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the spring's foot rests on the plane"},
    {IMP_SLIP_BACK, "slip-", "the spring's foot slides toward -t"},
    {IMP_SLIP_FORTH, "slip+", "the spring's foot slides toward +t"},
};

static const imp_mode events[] = {
    {GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {SLIP_ENDS, "slip_ends", "slip ends and stick begins"},
    {SLIP_BEGINS, "slip_begins", "stick ends and slip begins"},
    {SEPARATION, "separation", "the body leaves the plane"},
};

const imp_history imp_compliant_history = {
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
    double time;  /* of the pieces so far, scaled */
    double whole; /* of the contact */
} history;

static void write_row(const imp_phase_span *span, double within, double time, double *row) {
    const imp_compliant_piece *piece = span->piece;
    imp_instant m = piece->at(piece, within);
    (void)time;
    const double values[N_COLUMNS] = {
        span->start + m.time, m.u, -m.delta, m.f_t, m.f_n, m.v_t, m.v_n, m.slip};
    memcpy(row, values, sizeof values);
}

static int event_between(int before, int after) {
    (void)before;
    return after == IMP_STICK ? SLIP_ENDS : SLIP_BEGINS;
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    history *h = (history *)observer;
    imp_phase_span span = {.piece = piece,
                           .row = write_row,
                           .phase = piece->phase,
                           .number = piece->number,
                           .start = h->time,
                           .duration = piece->duration};
    imp_phase_rows_see(&h->rows, &span);
    h->time += piece->duration;
}

static void measure_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    ((history *)observer)->whole += piece->duration;
}

static imp_phase_rows make_rows(const imp_compliant_scales *scales, double speed) {
    double length = scales->time * speed, force = scales->impulse / scales->time;
    return (imp_phase_rows){.n_columns = N_COLUMNS,
                            .factor = {scales->time, length * scales->root, length,
                                       force / scales->root, force, speed * scales->root, speed,
                                       speed * scales->root},
                            .event_between = event_between,
                            .turn_event = GREATEST_INDENTATION,
                            .last_event = SEPARATION,
                            .number = -1};
}

imp_outcome imp_compliant_record(imp_compliant_problem problem, imp_compliant_solve *solve,
                                 const imp_compliant_scales *scales, double speed,
                                 imp_recorder *recorder) {
    history h = {.observer = {.see_piece = measure_piece}, .rows = make_rows(scales, speed)};
    imp_compliant_memory memory = {.loading = {.a = 0}};
    problem.want_turn = problem.want_time = problem.every_instant = true;
    problem.observer = &h.observer;
    imp_compliant_result result = solve(&problem, &memory);
    bool solved = result.outcome == IMP_SOLVED;
    h.rows.turn = solved ? result.t_turn : INFINITY;
    h.rows.sampler = imp_sampler_open(recorder, h.whole);
    h.observer.see_piece = see_piece;
    solve(&problem, &memory);
    imp_phase_rows_end(&h.rows, solved && result.mode != IMP_COMPLIANT_WEDGE);
    return result.outcome;
}
