#include "models/continuum/history.h"

#include <math.h>
#include <string.h>

#include "models/phase_rows.h"
#include "models/theory.h"

enum {
    TIME,
    U1,
    U3,
    F_T,
    F_N,
    V_T,
    V_N,
    SLIP,
    STUCK,
    P_T,
    P_N,
    WORK_T,
    WORK_N,
    STORED_N,
    KINETIC,
    N_COLUMNS
};
enum { GREATEST_INDENTATION = 1, SLIP_ENDS, SLIP_BEGINS, SLIP_TURNS, SEPARATION };

static const imp_output columns[N_COLUMNS] = {
    [TIME] = IMP_COLUMN_TIME,
    [U1] = {.name = "u1", .unit = "m", .meaning = "tangential elastic displacement of the contact"},
    [U3] = {.name = "u3", .unit = "m", .meaning = "normal displacement, negative in contact"},
    [F_T] = IMP_COLUMN_TANGENTIAL_FORCE,
    [F_N] = IMP_COLUMN_NORMAL_FORCE,
    [V_T] = IMP_COLUMN_TANGENTIAL_VELOCITY,
    [V_N] = IMP_COLUMN_NORMAL_VELOCITY,
    [SLIP] = {.name = "slip_speed",
              .unit = "m/s",
              .meaning = "velocity at which the contact's centre slips over the plane"},
    [STUCK] = {.name = "stuck_radius",
               .unit = "1",
               .meaning = "radius of the circle that does not slip over the radius of the contact",
               .own_unit = true},
    [P_T] = IMP_COLUMN_TANGENTIAL_IMPULSE,
    [P_N] = IMP_COLUMN_NORMAL_IMPULSE,
    [WORK_T] = IMP_COLUMN_TANGENTIAL_WORK,
    [WORK_N] = IMP_COLUMN_NORMAL_WORK,
    [STORED_N] = {.name = "normal_energy",
                  .unit = "J",
                  .meaning = "elastic energy of the indentation without tangential forces"},
    [KINETIC] = IMP_COLUMN_KINETIC_ENERGY,
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
    {GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {SLIP_ENDS, "slip_ends", "slip ends, in all of the contact or at the centre"},
    {SLIP_BEGINS, "slip_begins", "slip begins, at the edge or at the centre"},
    {SLIP_TURNS, "slip_turns", "slip at the edge reverses"},
    {SEPARATION, "separation", "the body leaves the plane"},
};

const imp_history imp_continuum_history = {
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
    double whole;        /* time of the contact, scaled */
    double v_t, initial; /* before the contact: tangential velocity, kinetic energy */
} history;

/* A piece and the history that it belongs to. */
typedef struct shown_piece {
    const imp_continuum_piece *piece;
    const history *of;
} shown_piece;

static void write_row(const imp_phase_span *span, double within, double time, double *row) {
    const shown_piece *shown = span->piece;
    const history *h = shown->of;
    imp_continuum_moment m = shown->piece->at(shown->piece, within);
    double stored = 0.4 * m.delta * m.f_n;
    /* Both works together are the change of the kinetic energy; the normal force is elastic. */
    double works = ((h->v_t + m.v_t) * m.p_t + (m.v_n - 1) * m.p_n) / 2;
    const double values[N_COLUMNS] = {
        [TIME] = time,      [U1] = m.taken_up,   [U3] = -m.delta,
        [F_T] = m.f_t,      [F_N] = m.f_n,       [V_T] = m.v_t,
        [V_N] = m.v_n,      [SLIP] = m.slip,     [STUCK] = m.stuck,
        [P_T] = m.p_t,      [P_N] = m.p_n,       [WORK_T] = works + stored,
        [WORK_N] = -stored, [STORED_N] = stored, [KINETIC] = h->initial + works,
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
    return less ? SLIP_ENDS : SLIP_BEGINS;
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_continuum_piece *piece = shown;
    history *h = (history *)observer;
    const shown_piece whole = {piece, h};
    imp_phase_span span = {.piece = &whole,
                           .row = write_row,
                           .phase = piece->phase,
                           .number = piece->number,
                           .start = piece->start,
                           .duration = piece->duration};
    imp_phase_rows_see(&h->rows, &span);
}

static void measure_piece(imp_observer *observer, const void *shown) {
    const imp_continuum_piece *piece = shown;
    ((history *)observer)->whole = piece->start + piece->duration;
}

static imp_phase_rows make_rows(const imp_continuum_scales *scales) {
    double length = scales->time * scales->speed, force = scales->impulse / scales->time;
    double energy = scales->impulse * scales->speed;
    return (imp_phase_rows){.n_columns = N_COLUMNS,
                            .factor = {[TIME] = scales->time,
                                       [U1] = length,
                                       [U3] = length,
                                       [F_T] = force,
                                       [F_N] = force,
                                       [V_T] = scales->speed,
                                       [V_N] = scales->speed,
                                       [SLIP] = scales->speed,
                                       [STUCK] = 1,
                                       [P_T] = scales->impulse,
                                       [P_N] = scales->impulse,
                                       [WORK_T] = energy,
                                       [WORK_N] = energy,
                                       [STORED_N] = energy,
                                       [KINETIC] = energy},
                            .event_between = event_between,
                            .turn_event = GREATEST_INDENTATION,
                            .last_event = SEPARATION,
                            .number = -1};
}

imp_outcome imp_continuum_record(imp_continuum_problem problem, const imp_continuum_scales *scales,
                                 imp_recorder *recorder) {
    history h = {.observer = {.see_piece = measure_piece}, .rows = make_rows(scales)};
    problem.observer = &h.observer;
    imp_continuum_result result = imp_continuum_solve(&problem);
    bool solved = result.outcome == IMP_SOLVED;
    h.v_t = problem.v_t;
    h.initial = result.initial;
    h.rows.turn = solved ? result.t_turn : INFINITY;
    h.rows.sampler = imp_sampler_open(recorder, h.whole);
    h.observer.see_piece = see_piece;
    imp_continuum_solve(&problem);
    imp_phase_rows_end(&h.rows, solved && result.mode != IMP_CONTINUUM_WEDGE);
    return result.outcome;
}
