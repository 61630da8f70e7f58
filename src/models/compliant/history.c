#include "models/compliant/history.h"

#include <math.h>
#include <string.h>

#include "models/compliant/state_impl.h"
#include "models/phase_rows.h"

enum {
    TIME,
    U1,
    U3,
    F_T,
    F_N,
    V_T,
    V_N,
    SLIP,
    P_T,
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

static const imp_output columns[N_COLUMNS] = {
    [TIME] = IMP_COLUMN_TIME,
    [U1] = {.name = "u1", .unit = "m", .meaning = "elongation of the tangential spring"},
    [U3] = {.name = "u3",
            .unit = "m",
            .meaning = "elongation of the normal spring, negative in contact"},
    [F_T] = IMP_COLUMN_TANGENTIAL_FORCE,
    [F_N] = IMP_COLUMN_NORMAL_FORCE,
    [V_T] = IMP_COLUMN_TANGENTIAL_VELOCITY,
    [V_N] = IMP_COLUMN_NORMAL_VELOCITY,
    [SLIP] = {.name = "slip_speed",
              .unit = "m/s",
              .meaning = "velocity of the tangential spring's foot over the plane"},
    [P_T] = IMP_COLUMN_TANGENTIAL_IMPULSE,
    [P_N] = IMP_COLUMN_NORMAL_IMPULSE,
    [WORK_T] = IMP_COLUMN_TANGENTIAL_WORK,
    [WORK_N] = IMP_COLUMN_NORMAL_WORK,
    [FRICTION_LOSS] = IMP_COLUMN_FRICTION_LOSS,
    [NORMAL_LOSS] = IMP_COLUMN_NORMAL_LOSS,
    [STORED_T] = {.name = "tangential_energy",
                  .unit = "J",
                  .meaning = "energy that the tangential spring gives back; law coupled: at the "
                             "present indentation"},
    [STORED_N] = IMP_COLUMN_NORMAL_ENERGY,
    [KINETIC] = IMP_COLUMN_KINETIC_ENERGY,
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
    imp_instant sums; /* at the end of the pieces so far: time, impulses, works, loss; scaled */
    double initial;   /* kinetic energy */
    bool loses;       /* the normal spring loses energy */
    double whole;     /* time of the contact */
} history;

/* A piece and the history that it belongs to. */
typedef struct shown_piece {
    const imp_compliant_piece *piece;
    const history *of;
} shown_piece;

static void write_row(const imp_phase_span *span, double within, double time, double *row) {
    const shown_piece *shown = span->piece;
    const history *h = shown->of;
    const imp_instant *before = &h->sums;
    imp_instant m = shown->piece->at(shown->piece, within);
    double work_t = before->work_t + m.work_t, work_n = before->work_n + m.work_n;
    (void)time;
    const double values[N_COLUMNS] = {
        [TIME] = span->start + m.time,
        [U1] = m.u,
        [U3] = -m.delta,
        [F_T] = m.f_t,
        [F_N] = m.f_n,
        [V_T] = m.v_t,
        [V_N] = m.v_n,
        [SLIP] = m.slip,
        [P_T] = before->p_t + m.p_t,
        [P_N] = before->p_n + m.p_n,
        [WORK_T] = work_t,
        [WORK_N] = work_n,
        [FRICTION_LOSS] = before->loss + m.loss,
        [NORMAL_LOSS] = h->loses ? imp_larger(0, -work_n - m.stored_n) : 0,
        [STORED_T] = m.stored_t,
        [STORED_N] = m.stored_n,
        [KINETIC] = h->initial + work_t + work_n,
    };
    memcpy(row, values, sizeof values);
}

static void add_to_sums(imp_instant *sums, const imp_compliant_piece *piece) {
    imp_instant end = piece->at(piece, piece->duration);
    sums->time += piece->duration;
    sums->p_t += end.p_t;
    sums->p_n += end.p_n;
    sums->work_t += end.work_t;
    sums->work_n += end.work_n;
    sums->loss += end.loss;
}

static int event_between(int before, int after) {
    (void)before;
    return after == IMP_STICK ? SLIP_ENDS : SLIP_BEGINS;
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    history *h = (history *)observer;
    const shown_piece whole = {piece, h};
    imp_phase_span span = {.piece = &whole,
                           .row = write_row,
                           .phase = piece->phase,
                           .number = piece->number,
                           .start = h->sums.time,
                           .duration = piece->duration};
    imp_phase_rows_see(&h->rows, &span);
    add_to_sums(&h->sums, piece);
}

static void measure_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    ((history *)observer)->whole += piece->duration;
}

static imp_phase_rows make_rows(const imp_compliant_scales *scales, double speed) {
    double length = scales->time * speed, force = scales->impulse / scales->time;
    double root = scales->root, energy = scales->impulse * speed;
    return (imp_phase_rows){.n_columns = N_COLUMNS,
                            .factor = {[TIME] = scales->time,
                                       [U1] = length * root,
                                       [U3] = length,
                                       [F_T] = force / root,
                                       [F_N] = force,
                                       [V_T] = speed * root,
                                       [V_N] = speed,
                                       [SLIP] = speed * root,
                                       [P_T] = scales->impulse / root,
                                       [P_N] = scales->impulse,
                                       [WORK_T] = energy,
                                       [WORK_N] = energy,
                                       [FRICTION_LOSS] = energy,
                                       [NORMAL_LOSS] = energy,
                                       [STORED_T] = energy,
                                       [STORED_N] = energy,
                                       [KINETIC] = energy},
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
    h.initial = kinetic_energy(&problem, problem.v_t, -1);
    h.loses = problem.restitution < 1 || problem.damping > 0;
    h.rows.turn = solved ? result.t_turn : INFINITY;
    h.rows.sampler = imp_sampler_open(recorder, h.whole);
    h.observer.see_piece = see_piece;
    solve(&problem, &memory);
    imp_phase_rows_end(&h.rows, solved && result.mode != IMP_COMPLIANT_WEDGE);
    return result.outcome;
}
