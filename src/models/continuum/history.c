#include "models/continuum/history.h"

#include <math.h>

#include "models/theory.h"

enum { TIME, U1, U3, F_T, F_N, V_T, V_N, SLIP, STUCK, N_COLUMNS };
enum { GREATEST_INDENTATION = 1, SLIP_ENDS, SLIP_BEGINS, SLIP_TURNS, SEPARATION };

static const imp_output columns[N_COLUMNS] = {
    [TIME] = {.name = "time", .unit = "s", .meaning = "time since first touch"},
    [U1] = {.name = "u1",
            .unit = "m",
            .meaning = "tangential displacement that the contact has taken up"},
    [U3] = {.name = "u3", .unit = "m", .meaning = "normal displacement, < 0 in contact"},
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
              .meaning = "velocity of the contact's centre over the plane"},
    [STUCK] = {.name = "stuck_radius",
               .unit = "1",
               .meaning = "radius of the circle that does not slip over the radius of the contact",
               .own_unit = true},
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "nothing slips"},
    {IMP_SLIP_BACK, "slip-", "all of the contact slips toward -t"},
    {IMP_SLIP_FORTH, "slip+", "all of the contact slips toward +t"},
    {IMP_PARTIAL_BACK, "partial-", "outside a circle that sticks the contact slips toward -t"},
    {IMP_PARTIAL_FORTH, "partial+", "outside a circle that sticks the contact slips toward +t"},
};

static const imp_mode events[] = {
    {GREATEST_INDENTATION, "greatest_indentation", "the end of compression"},
    {SLIP_ENDS, "slip_ends", "slip ends, in all of the contact or at the centre"},
    {SLIP_BEGINS, "slip_begins", "slip begins, at the edge or at the centre"},
    {SLIP_TURNS, "slip_turns", "slip at the edge turns back"},
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

/* Writes the rows of a contact. A first run only measures how long it takes. */
typedef struct history {
    imp_observer observer; /* first */
    imp_sampler sampler;
    double factor[N_COLUMNS]; /* from scaled to SI */
    double time;              /* of the pieces so far, scaled */
    double turn;              /* of the greatest indentation; infinite once its row is written */
    int number;               /* of the last phase */
    int phase;
    imp_continuum_moment last;
} history;

static void put_row(history *h, const imp_continuum_moment *m, int phase, int event) {
    double row[N_COLUMNS] = {m->time, m->taken_up, -m->delta, m->f_t,  m->f_n,
                             m->v_t,  m->v_n,      m->slip,   m->stuck};
    for (int i = 0; i < N_COLUMNS; i++) {
        row[i] = row[i] * h->factor[i] + 0.0; /* no -0 */
    }
    h->sampler.recorder->record(h->sampler.recorder, row, phase, event);
}

static bool is_partial(int phase) {
    return phase == IMP_PARTIAL_BACK || phase == IMP_PARTIAL_FORTH;
}

/* How one phase becomes another. */
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
    imp_continuum_moment start = piece->at(piece, 0);
    if (piece->number != h->number && h->number >= 0) {
        put_row(h, &start, piece->phase, event_between(h->phase, piece->phase));
    }
    h->number = piece->number;
    h->phase = piece->phase;
    double end = piece->start + piece->duration;
    for (;;) {
        double sample = imp_sampler_next(&h->sampler), time = fmin(sample, h->turn);
        if (!(time < end)) {
            break;
        }
        imp_continuum_moment now = piece->at(piece, fmax(0, time - piece->start));
        bool turns = h->turn < sample;
        now.time = fmax(time, piece->start);
        put_row(h, &now, piece->phase, turns ? GREATEST_INDENTATION : 0);
        h->turn = turns ? INFINITY : h->turn;
        h->sampler.next += turns ? 0 : 1;
    }
    h->last = piece->at(piece, piece->duration);
    h->last.time = end;
}

static void measure_piece(imp_observer *observer, const void *shown) {
    const imp_continuum_piece *piece = shown;
    ((history *)observer)->time = piece->start + piece->duration;
}

static void set_factors(history *h, const imp_continuum_scales *scales) {
    double length = scales->time * scales->speed, force = scales->impulse / scales->time;
    const double factor[N_COLUMNS] = {scales->time,  length,        length,        force, force,
                                      scales->speed, scales->speed, scales->speed, 1};
    for (int i = 0; i < N_COLUMNS; i++) {
        h->factor[i] = factor[i];
    }
}

imp_outcome imp_continuum_record(imp_continuum_problem problem, const imp_continuum_scales *scales,
                                 imp_recorder *recorder) {
    history h = {.observer = {.see_piece = measure_piece}, .number = -1};
    set_factors(&h, scales);
    problem.observer = &h.observer;
    imp_continuum_result result = imp_continuum_solve(&problem);
    bool solved = result.outcome == IMP_SOLVED;
    h.turn = solved ? result.t_turn : INFINITY;
    h.sampler = imp_sampler_open(recorder, h.time);
    h.observer.see_piece = see_piece;
    imp_continuum_solve(&problem);
    /* What rounding left over, and the end. */
    for (; h.number >= 0 && imp_sampler_remains(&h.sampler); h.sampler.next++) {
        put_row(&h, &h.last, h.phase, 0);
    }
    if (solved && result.mode != IMP_CONTINUUM_WEDGE) {
        put_row(&h, &h.last, h.phase, SEPARATION);
    }
    return result.outcome;
}
