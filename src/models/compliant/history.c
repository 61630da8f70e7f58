#include "models/compliant/history.h"

#include <math.h>

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

/* A first run only measures how long the contact takes; a second one records it. */
typedef struct record {
    imp_watch watch; /* first */
    imp_recorder *recorder;
    double factor[N_COLUMNS]; /* from scaled to SI */
    double time;              /* of the pieces so far, scaled */
    double whole, turn;       /* of the contact; of the greatest indentation */
    int next;                 /* sample */
    int number;               /* of the last phase */
    bool turned;
    imp_moment last;
    int phase;
} record;

static void write(record *r, const imp_moment *m, int phase, int event) {
    double row[N_COLUMNS] = {
        r->time + m->time, m->u, -m->delta, m->f_t, m->f_n, m->v_t, m->v_n, m->slip};
    for (int i = 0; i < N_COLUMNS; i++) {
        row[i] = row[i] * r->factor[i] + 0.0; /* no -0 */
    }
    r->recorder->record(r->recorder, row, phase, event);
}

static double sample_time(const record *r) {
    int samples = r->recorder->samples;
    if (r->next >= samples) {
        return INFINITY;
    }
    return r->next == samples - 1 && samples > 1 ? r->whole : r->whole * r->next / (samples - 1.0);
}

static void see(imp_watch *watch, const imp_piece *piece) {
    record *r = (record *)watch;
    imp_moment start = piece->at(piece, 0);
    if (piece->number != r->number && r->number >= 0) {
        write(r, &start, piece->phase, piece->phase == IMP_STICK ? SLIP_ENDS : SLIP_BEGINS);
    }
    r->number = piece->number;
    r->phase = piece->phase;
    double end = r->time + piece->duration;
    for (;;) {
        double sample = r->recorder->samples == 1 && r->next == 0 ? 0 : sample_time(r);
        double turn = r->turned ? INFINITY : r->turn;
        double time = fmin(sample, turn);
        if (!(time < end)) {
            break;
        }
        imp_moment now = piece->at(piece, fmax(0, time - r->time));
        write(r, &now, piece->phase, turn < sample ? GREATEST_INDENTATION : 0);
        r->turned = r->turned || turn < sample;
        r->next += turn < sample ? 0 : 1;
    }
    r->last = piece->at(piece, piece->duration);
    r->last.time = 0;
    r->time = end;
}

static void measure(imp_watch *watch, const imp_piece *piece) {
    record *r = (record *)watch;
    r->whole += piece->duration;
}

static void set_factors(record *r, const imp_compliant_scales *scales, double speed) {
    double length = scales->time * speed, force = scales->impulse / scales->time;
    const double factor[N_COLUMNS] = {
        scales->time, length * scales->root, length, force / scales->root,
        force,        speed * scales->root,  speed,  speed * scales->root};
    for (int i = 0; i < N_COLUMNS; i++) {
        r->factor[i] = factor[i];
    }
}

imp_outcome imp_compliant_record(imp_compliant_problem problem, imp_compliant_solve *solve,
                                 const imp_compliant_scales *scales, double speed,
                                 imp_recorder *recorder) {
    record r = {
        .watch = {.every_instant = true, .see = measure}, .recorder = recorder, .number = -1};
    imp_compliant_memory memory = {.loading = {.a = 0}};
    set_factors(&r, scales, speed);
    problem.want_turn = problem.want_time = true;
    problem.watch = &r.watch;
    imp_compliant_result result = solve(&problem, &memory);
    bool solved = result.outcome == IMP_SOLVED;
    r.turn = solved ? result.t_turn : INFINITY;
    r.watch.see = see;
    solve(&problem, &memory);
    /* What rounding left over, and the end. */
    for (; r.number >= 0 && r.next < recorder->samples; r.next++) {
        write(&r, &r.last, r.phase, 0);
    }
    if (solved && result.mode != IMP_COMPLIANT_WEDGE) {
        write(&r, &r.last, r.phase, SEPARATION);
    }
    return result.outcome;
}
