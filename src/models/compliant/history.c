#include "models/compliant/history.h"

#include <math.h>

#include "models/observer.h"
#include "models/theory.h"

enum { TIME, U1, U3, F_T, F_N, V_T, V_N, SLIP, N_COLUMNS };
enum { GREATEST_INDENTATION = 1, SLIP_ENDS, SLIP_BEGINS, SEPARATION };

static const imp_output columns[N_COLUMNS] = {
    [TIME] = {.name = "time", .unit = "s", .meaning = "time since first touch"},
    [U1] = {.name = "u1", .unit = "m", .meaning = "elongation of the tangential spring"},
    [U3] = {.name = "u3",
            .unit = "m",
            .meaning = "elongation of the normal spring, < 0 in contact"},
    [F_T] = {.name = "tangential_force", .unit = "N", .meaning = "tangential force on the body"},
    [F_N] = {.name = "normal_force", .unit = "N", .meaning = "normal force on the body"},
    [V_T] = {.name = "tangential_velocity",
             .unit = "m/s",
             .meaning = "tangential velocity of the contact point"},
    [V_N] = {.name = "normal_velocity",
             .unit = "m/s",
             .meaning = "normal velocity of the contact point"},
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

/* Writes the rows of a contact. A first run only measures how long it takes. */
typedef struct history {
    imp_observer observer; /* first */
    imp_sampler sampler;
    double factor[N_COLUMNS]; /* from scaled to SI */
    double time;              /* of the pieces so far, scaled */
    double whole;             /* of the contact */
    double turn;              /* of the greatest indentation; infinite once its row is written */
    int number;               /* of the last phase */
    int phase;
    imp_moment last;
} history;

static void put_row(history *h, const imp_moment *m, int phase, int event) {
    double row[N_COLUMNS] = {
        h->time + m->time, m->u, -m->delta, m->f_t, m->f_n, m->v_t, m->v_n, m->slip};
    for (int i = 0; i < N_COLUMNS; i++) {
        row[i] = row[i] * h->factor[i] + 0.0; /* no -0 */
    }
    h->sampler.recorder->record(h->sampler.recorder, row, phase, event);
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    history *h = (history *)observer;
    imp_moment start = piece->at(piece, 0);
    if (piece->number != h->number && h->number >= 0) {
        put_row(h, &start, piece->phase, piece->phase == IMP_STICK ? SLIP_ENDS : SLIP_BEGINS);
    }
    h->number = piece->number;
    h->phase = piece->phase;
    double end = h->time + piece->duration;
    for (;;) {
        double sample = imp_sampler_next(&h->sampler), time = fmin(sample, h->turn);
        if (!(time < end)) {
            break;
        }
        imp_moment now = piece->at(piece, fmax(0, time - h->time));
        bool turns = h->turn < sample;
        put_row(h, &now, piece->phase, turns ? GREATEST_INDENTATION : 0);
        h->turn = turns ? INFINITY : h->turn;
        h->sampler.next += turns ? 0 : 1;
    }
    h->last = piece->at(piece, piece->duration);
    h->last.time = 0;
    h->time = end;
}

static void measure_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    ((history *)observer)->whole += piece->duration;
}

static void set_factors(history *h, const imp_compliant_scales *scales, double speed) {
    double length = scales->time * speed, force = scales->impulse / scales->time;
    const double factor[N_COLUMNS] = {
        scales->time, length * scales->root, length, force / scales->root,
        force,        speed * scales->root,  speed,  speed * scales->root};
    for (int i = 0; i < N_COLUMNS; i++) {
        h->factor[i] = factor[i];
    }
}

imp_outcome imp_compliant_record(imp_compliant_problem problem, imp_compliant_solve *solve,
                                 const imp_compliant_scales *scales, double speed,
                                 imp_recorder *recorder) {
    history h = {.observer = {.see_piece = measure_piece}, .number = -1};
    imp_compliant_memory memory = {.loading = {.a = 0}};
    set_factors(&h, scales, speed);
    problem.want_turn = problem.want_time = problem.every_instant = true;
    problem.observer = &h.observer;
    imp_compliant_result result = solve(&problem, &memory);
    bool solved = result.outcome == IMP_SOLVED;
    h.turn = solved ? result.t_turn : INFINITY;
    h.sampler = imp_sampler_open(recorder, h.whole);
    h.observer.see_piece = see_piece;
    solve(&problem, &memory);
    /* What rounding left over, and the end. */
    for (; h.number >= 0 && imp_sampler_remains(&h.sampler); h.sampler.next++) {
        put_row(&h, &h.last, h.phase, 0);
    }
    if (solved && result.mode != IMP_COMPLIANT_WEDGE) {
        put_row(&h, &h.last, h.phase, SEPARATION);
    }
    return result.outcome;
}
