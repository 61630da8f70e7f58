#include "models/compliant/laws.h"

#include <math.h>
#include <string.h>

#include "base/first.h"
#include "models/compliant/state_impl.h"
#include "num/larger.h"

enum {
#define COLUMN(code, ...) code,
#include "models/compliant/columns.def"
    N_COLUMNS
};

static const imp_output columns[N_COLUMNS] = {
#define COLUMN(code, value, ...) [code] = __VA_ARGS__,
#include "models/compliant/columns.def"
};

static const imp_mode phases[] = {
    {IMP_STICK, "stick", "the spring's foot rests on the plane"},
    {IMP_SLIP_BACK, "slip-", "the spring's foot slides toward -t"},
    {IMP_SLIP_FORTH, "slip+", "the spring's foot slides toward +t"},
};

const imp_history imp_compliant_history = IMP_HISTORY_OF(columns, phases, imp_stick_slip_events);

/* Of the work of the tangential force and of the loss to friction: slip before the first stick,
 * every stick, slip after one. Birlik's W11, W13, W12, and W1f and W2f with the opposite sign. */
enum { BEFORE, IN, AFTER, SHARES };
typedef struct shares {
    double work[SHARES], loss[SHARES];
} shares;

typedef struct history {
    imp_phase_rows rows;
    imp_compliant_instant
        sums;       /* at the end of the pieces so far: time, impulses, works, loss; scaled */
    shares share;   /* of them */
    bool stuck;     /* one of the pieces so far was a stick */
    double initial; /* kinetic energy */
    bool loses;     /* the normal spring loses energy, */
    bool drags;     /* and the tangential dashpot */
} history;
IMP_FIRST(history, rows);

static shares shares_with(const history *h, const imp_compliant_piece *piece,
                          const imp_compliant_instant *m) {
    shares share = h->share;
    int of = piece->phase == IMP_STICK ? IN : h->stuck ? AFTER : BEFORE;
    share.work[of] += m->work_t;
    share.loss[of] += m->loss;
    return share;
}

static void write_row(imp_observer *observer, const void *shown, double within, double time,
                      double *row) {
    const imp_compliant_piece *piece = shown;
    const history *h = (const history *)observer;
    const imp_compliant_instant *before = &h->sums;
    imp_compliant_instant m = piece->at(piece, within);
    shares share = shares_with(h, piece, &m);
    double work_t = before->work_t + m.work_t, work_n = before->work_n + m.work_n;
    (void)time;
    const double values[N_COLUMNS] = {
#define COLUMN(code, value, ...) [code] = value,
#include "models/compliant/columns.def"
    };
    memcpy(row, values, sizeof values);
}

static const imp_phase_table table = {
    .history = &imp_compliant_history, .write = write_row, .event_between = imp_stick_slip_event};

static void add_to_sums(history *h, const imp_compliant_piece *piece) {
    imp_compliant_instant end = piece->at(piece, piece->span.duration), *sums = &h->sums;
    h->share = shares_with(h, piece, &end);
    h->stuck = h->stuck || piece->phase == IMP_STICK;
    sums->time += piece->span.duration;
    sums->p_t += end.p_t;
    sums->p_n += end.p_n;
    sums->work_t += end.work_t;
    sums->work_n += end.work_n;
    sums->loss += end.loss;
}

static void see_piece(imp_observer *observer, const void *shown) {
    imp_compliant_piece piece = *(const imp_compliant_piece *)shown;
    history *h = (history *)observer;
    piece.span.start = h->sums.time;
    imp_phase_rows_see(observer, &piece);
    add_to_sums(h, &piece);
}

/* Tangential quantities have scales of their own. */
static imp_phase_rows open_rows(const imp_compliant_scales *scales, double speed) {
    const imp_contact_units units = {
        .time = scales->time,
        .length = scales->time * speed,
        .speed = speed,
        .impulse = scales->impulse,
    };
    imp_phase_rows rows = imp_phase_rows_open(&table, &units);
    rows.observer.see_piece = see_piece;
    rows.factor[U1] *= scales->root;
    rows.factor[F_T] /= scales->root;
    rows.factor[V_T] *= scales->root;
    rows.factor[SLIP] *= scales->root;
    rows.factor[U1_RATE] *= scales->root;
    rows.factor[P_T] /= scales->root;
    return rows;
}

imp_outcome imp_compliant_record(imp_compliant_problem problem, imp_compliant_solve *solve,
                                 const imp_compliant_scales *scales, double speed,
                                 imp_recorder *recorder) {
    history h = {.rows = open_rows(scales, speed)};
    imp_compliant_memory memory = {.loading = {.a = 0}};
    problem.want_turn = problem.want_time = true;
    problem.observer = &h.rows.observer;
    imp_compliant_result result = solve(&problem, &memory);
    bool solved = result.outcome == IMP_SOLVED;
    h.sums = (imp_compliant_instant){.time = 0};
    h.share = (shares){.work = {0}};
    h.stuck = false;
    h.initial = kinetic_energy(&problem, problem.v_t, -1);
    h.loses = problem.restitution < 1 || problem.damping > 0;
    h.drags = problem.drag > 0;
    imp_phase_rows_begin(&h.rows, solved ? result.t_turn : INFINITY, recorder);
    solve(&problem, &memory);
    imp_phase_rows_end(&h.rows, solved && result.mode != IMP_COMPLIANT_WEDGE);
    return result.outcome;
}
