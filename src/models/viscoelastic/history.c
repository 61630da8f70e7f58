#include "models/viscoelastic/history.h"

#include <math.h>
#include <string.h>

#include "models/phase_rows.h"
#include "models/theory.h"
#include "num/exponential.h"
#include "num/larger.h"

enum {
    TIME,
    U3,
    ANGLE,
    F_T,
    F_N,
    V_T,
    V_N,
    SLIP,
    TURN,
    P_T,
    P_N,
    WORK_T,
    WORK_N,
    FRICTION_LOSS,
    NORMAL_LOSS,
    STORED_N,
    KINETIC,
    N_COLUMNS
};
enum { GREATEST_INDENTATION = 1, SLIP_ENDS, SLIP_BEGINS, SLIP_TURNS, SEPARATION };

static const imp_output columns[N_COLUMNS] = {
    [TIME] = IMP_COLUMN_TIME,
    [U3] = {.name = "u3", .unit = "m", .meaning = "height of the tip, < 0 in contact"},
    [ANGLE] = {.name = "rod_angle",
               .unit = "rad",
               .meaning = "angle of the rod, with the sign of the parameter `angle`"},
    [F_T] = IMP_COLUMN_TANGENTIAL_FORCE,
    [F_N] = IMP_COLUMN_NORMAL_FORCE,
    [V_T] = IMP_COLUMN_TANGENTIAL_VELOCITY,
    [V_N] = IMP_COLUMN_NORMAL_VELOCITY,
    [SLIP] = {.name = "slip_speed", .unit = "m/s", .meaning = "velocity at which the tip slips"},
    [TURN] = {.name = "angular_velocity",
              .unit = "rad/s",
              .meaning = "angular velocity, positive from t to n"},
    [P_T] = IMP_COLUMN_TANGENTIAL_IMPULSE,
    [P_N] = IMP_COLUMN_NORMAL_IMPULSE,
    [WORK_T] = IMP_COLUMN_TANGENTIAL_WORK,
    [WORK_N] = IMP_COLUMN_NORMAL_WORK,
    [FRICTION_LOSS] = IMP_COLUMN_FRICTION_LOSS,
    [NORMAL_LOSS] = {.name = "normal_loss",
                     .unit = "J",
                     .meaning = "energy lost to damping of the surface since first touch"},
    [STORED_N] = {.name = "normal_energy",
                  .unit = "J",
                  .meaning = "energy stored in the surface, returned whole without damping"},
    [KINETIC] = {.name = "kinetic_energy", .unit = "J", .meaning = "kinetic energy of the rod"},
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the tip rests on the surface"},
    {IMP_SLIP_BACK, "slip-", "the tip slides toward -t"},
    {IMP_SLIP_FORTH, "slip+", "the tip slides toward +t"},
};

static const imp_mode events[] = {
    {GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {SLIP_ENDS, "slip_ends", "slip ends and stick begins"},
    {SLIP_BEGINS, "slip_begins", "stick ends and slip begins"},
    {SLIP_TURNS, "slip_turns", "slip turns back"},
    {SEPARATION, "separation", "the tip leaves the surface"},
};

const imp_history imp_rod_history = {
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
    const imp_rod_problem *problem;
    double whole; /* time of the contact, scaled */
} history;

/* A piece and the history that it belongs to. */
typedef struct shown_piece {
    const imp_rod_piece *piece;
    const history *of;
} shown_piece;

static void write_row(const imp_phase_span *span, double within, double time, double *row) {
    const shown_piece *shown = span->piece;
    const imp_rod_problem *p = shown->of->problem;
    imp_rod_instant now = shown->piece->at(shown->piece, within);
    double depth = imp_larger(now.depth, 0), power = p->exponent + 1;
    double stored = p->stiffness * imp_power(depth, power) / power;
    (void)time;
    const double values[N_COLUMNS] = {
        [TIME] = now.time,
        [U3] = -now.depth,
        [ANGLE] = -now.angle,
        [F_T] = now.f_t,
        [F_N] = now.f_n,
        [V_T] = now.tip_t,
        [V_N] = now.tip_n,
        [SLIP] = now.tip_t,
        [TURN] = -now.w,
        [P_T] = now.p_t,
        [P_N] = now.p_n,
        [WORK_T] = now.work_t,
        [WORK_N] = now.work_n,
        [FRICTION_LOSS] = imp_larger(-now.work_t, 0),
        [NORMAL_LOSS] = p->damping > 0 ? imp_larger(-now.work_n - stored, 0) : 0,
        [STORED_N] = stored,
        [KINETIC] = now.kinetic,
    };
    memcpy(row, values, sizeof values);
}

static int event_between(int before, int after) {
    return after == IMP_STICK ? SLIP_ENDS : before == IMP_STICK ? SLIP_BEGINS : SLIP_TURNS;
}

static void see_piece(imp_observer *observer, const void *seen) {
    const imp_rod_piece *piece = seen;
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
    const imp_rod_piece *piece = seen;
    ((history *)observer)->whole = piece->start + piece->duration;
}

static imp_phase_rows make_rows(const imp_rod_units *u) {
    double force = u->impulse / u->time, energy = u->impulse * u->speed;
    return (imp_phase_rows){.n_columns = N_COLUMNS,
                            .factor = {[TIME] = u->time,
                                       [U3] = u->length,
                                       [ANGLE] = 1,
                                       [F_T] = force,
                                       [F_N] = force,
                                       [V_T] = u->speed,
                                       [V_N] = u->speed,
                                       [SLIP] = u->speed,
                                       [TURN] = 1 / u->time,
                                       [P_T] = u->impulse,
                                       [P_N] = u->impulse,
                                       [WORK_T] = energy,
                                       [WORK_N] = energy,
                                       [FRICTION_LOSS] = energy,
                                       [NORMAL_LOSS] = energy,
                                       [STORED_N] = energy,
                                       [KINETIC] = energy},
                            .event_between = event_between,
                            .turn_event = GREATEST_INDENTATION,
                            .last_event = SEPARATION,
                            .number = -1};
}

imp_outcome imp_rod_record(imp_rod_problem problem, const imp_rod_units *units,
                           imp_recorder *recorder) {
    history h = {.observer = {.see_piece = measure_piece}, .rows = make_rows(units)};
    problem.observer = &h.observer;
    h.problem = &problem;
    imp_rod_result result = imp_rod_solve(&problem);
    bool solved = result.outcome == IMP_SOLVED;
    h.rows.turn = solved ? result.compression_time : INFINITY;
    h.rows.sampler = imp_sampler_open(recorder, h.whole);
    h.observer.see_piece = see_piece;
    imp_rod_solve(&problem);
    imp_phase_rows_end(&h.rows, solved);
    return result.outcome;
}
