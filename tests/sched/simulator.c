/* The virtual ranks and the clock. The code of every rank but rank 0 runs on a stack of its own,
 * and gives the processor back where time passes for it. */
#include "sched/simulator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/theory.h"
#include "sched/simulator_impl.h"
#include "sched/worker.h"

world w;

static const long most_events = 1000000;

/* Seconds that rank 0 sleeps at most while nothing happens. */
#define LEAP 5e-3
enum { STACK_BYTES = 1 << 17 };
static _Alignas(64) unsigned char stacks[MOST_RANKS][STACK_BYTES];

void violated(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!w.result.violation[0]) {
        vsnprintf(w.result.violation, sizeof w.result.violation, format, arguments);
    }
    va_end(arguments);
}

void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (w.trace) {
        printf("%12.6f  ", w.time);
        vprintf(format, arguments);
        printf("\n");
    }
    va_end(arguments);
}

bool chance(double probability) {
    return random_between(&w.random, 0, 1) < probability;
}

/* ---- time ---- */

bool is_outside(void) {
    return w.actor > 0 && w.rank[w.actor].ended;
}

/* When a rank can do what is due at this time: a stopped process goes on later. */
static double awake(const virtual_rank *r, double time) {
    double when = time >= r->stops && time < r->resumes ? r->resumes : time;
    return when < r->dies ? when : INFINITY;
}

/* When the code of the rank goes on. It wakes from sleep when a letter arrives, to sync, when a
 * signal comes, and to look for deaths. */
static double next_action(int rank) {
    const virtual_rank *r = &w.rank[rank];
    double when = r->wakes;
    if (r->ended || (r->blocked && r->out.n >= IMP_QUEUED && !r->forgotten)) {
        return INFINITY;
    }
    if (r->slept < INFINITY) {
        double reason = fmin(next_arrival(rank, r->looked), r->watched ? INFINITY : r->slept + 0.5);
        if (r->map && r->map->unsynced > 0 && w.checkpoint.period > 0) {
            reason = fmin(reason, r->map->unsynced_since + w.checkpoint.period * (1 + 1e-9));
        }
        reason = fmin(reason, r->signalled > r->slept ? r->signalled : INFINITY);
        when = fmax(when, reason);
    }
    return awake(r, when);
}

/* The next thing that happens to a rank: returns its time, and the rank in *which. */
static double next_event(int *which, bool *death) {
    double first = INFINITY;
    for (int rank = 1; rank < w.ranks; rank++) {
        const virtual_rank *r = &w.rank[rank];
        double end = r->ended ? INFINITY : r->dies, next = next_action(rank);
        if (fmin(end, next) < first) {
            first = fmin(end, next);
            *which = rank;
            *death = end <= next;
        }
    }
    return first;
}

/* Lets the code of a rank run until time has to pass for it. */
static void act(int rank) {
    virtual_rank *r = &w.rank[rank];
    w.actor = rank;
    r->slept = INFINITY;
    r->blocked = false;
    swapcontext(&w.lead, &r->context);
    w.actor = 0;
}

/* Ends the process of a rank. */
static void end_rank(int rank) {
    if (!w.rank[rank].ended) {
        w.rank[rank].ended = true;
        act(rank);
    }
}

static void count_event(void) {
    if (++w.result.events > most_events) {
        violated("the run does not end");
        longjmp(w.broken, 1);
    }
}

/* Rank 0 does nothing for some time, in which the others act. */
static void advance(double seconds) {
    double end = w.time + seconds, when;
    int rank = 0;
    bool death = false;
    while ((when = next_event(&rank, &death)) <= end) {
        count_event();
        w.time = fmax(w.time, when);
        if (death) {
            note("rank %d dies", rank);
            w.rank[rank].dead = true;
            w.result.deaths++;
            end_rank(rank);
        } else {
            act(rank);
        }
    }
    w.time = fmax(w.time, end);
    count_event();
}

/* Gives the processor back to rank 0 until the clock has come so far. */
static void yield_until(double time) {
    virtual_rank *r = &w.rank[w.actor];
    if (!r->ended) {
        r->wakes = time;
        swapcontext(&r->context, &w.lead);
    }
}

void pass(double seconds) {
    if (w.actor == 0) {
        advance(seconds);
    } else {
        yield_until(w.time + seconds);
    }
}

/* The clock leaps over the time in which nothing happens. */
void doze(double seconds) {
    if (w.actor == 0) {
        int rank;
        bool death;
        double next = fmin(next_event(&rank, &death), next_arrival(0, -1)) - w.time;
        advance(fmax(seconds, fmin(next, LEAP)));
    } else {
        w.rank[w.actor].slept = w.time;
        yield_until(w.time + seconds);
    }
}

void wait_for_lead(void) {
    w.rank[w.actor].blocked = true;
    yield_until(w.time);
}

double __wrap_imp_seconds_elapsed(void);
double __wrap_imp_seconds_elapsed(void) {
    return w.time;
}

/* ---- cells ---- */

static const imp_parameter number = {
    .name = "number", .unit = "1", .meaning = "of the cell", .low = 0, .high = MOST_CELLS};
static const imp_parameter *const parameters[] = {&number};
enum { MODE, VALUE };
static const imp_output outputs[OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE, [VALUE] = {.name = "value", .unit = "1", .meaning = "of the cell"}};
static const imp_mode modes[] = {{1, "odd", "one"}, {2, "even", "two"}};

/* After a stop no cells begin but a second batch of the same slice. Rank 0 may have looked a last
 * time for messages of a dead rank, 200 times with a leap of the clock. */
static void check_stop(void) {
    virtual_rank *r = &w.rank[w.actor];
    double slack = w.actor == 0 ? 200 * LEAP : 0;
    if (!is_outside() && fmin(r->signalled, r->stop_arrives) + slack < r->began) {
        violated("rank %d computes after a stop", w.actor);
    }
    r->began = w.time;
}

/* Cells last for some time, and one may last for ever. */
static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    const virtual_rank *r = &w.rank[w.actor];
    int64_t first = (int64_t)in[0][0];
    bool stuck = r->stuck_at >= first && r->stuck_at < first + (int64_t)n;
    (void)instance;
    check_stop();
    pass(stuck ? INFINITY : (double)n * w.cell_seconds * r->slowness);
    for (size_t i = 0; i < n; i++) {
        int64_t cell = (int64_t)in[0][i];
        out[MODE][i] = mode_of(cell);
        out[VALUE][i] = value_of(cell);
        outcome[i] = IMP_SOLVED;
    }
    return IMP_OK;
}

static const imp_theory theory = {.name = "virtual",
                                  .results_version = 1,
                                  .budget = INT64_MAX,
                                  .parameters = parameters,
                                  .n_parameters = 1,
                                  .outputs = outputs,
                                  .n_outputs = OUTPUTS,
                                  .modes = modes,
                                  .n_modes = 2,
                                  .solve = solve};

/* ---- a whole map ---- */

static void make_sweep(void) {
    w.sweep = (imp_sweep){.theory = &theory, .n_outputs = OUTPUTS};
    w.sweep.outputs[0] = MODE;
    w.sweep.outputs[1] = VALUE;
    w.sweep.parallel_write = chance(0.5);
    w.sweep.grid.n_axes = 1;
    w.sweep.grid.axes[0] = (imp_axis){.name = "number", .size = w.cells, .n_columns = 1};
    w.sweep.grid.axes[0].columns[0] =
        (imp_column){.name = "number", .choice = -1, .values = w.numbers};
    if (chance(0.2)) { /* a refined map; the key of a node is its value */
        w.sweep.refine.lattice = (imp_lattice){.axis = {{.to = 0x1p31}}, .n_axes = 1};
        w.sweep.grid.axes[0].refined = true;
    }
    w.layout = imp_layout_of(&w.sweep);
    w.checkpoint.period = chance(0.4) ? 0 : random_log(&w.random, 1e-2, 10);
}

static void make_world(uint64_t seed) {
    w.random.state = seed;
    w.cells = 1 + random_index(&w.random, MOST_CELLS);
    w.ranks = 1 + random_index(&w.random, MOST_RANKS);
    w.cell_seconds = random_log(&w.random, 1e-4, 1e-1);
    w.delay = random_log(&w.random, 1e-5, 1e-2);
    w.eager = chance(0.5);
    for (int64_t i = 0; i < w.cells; i++) {
        w.cell[i] = (virtual_cell){.value = NAN};
        w.numbers[i] = (double)i;
    }
    make_sweep();
}

/* About as long as a session takes. */
static double session_seconds(void) {
    return (double)w.cells * w.cell_seconds / w.ranks + 0.5;
}

/* The life of the rank whose code runs, from its first moment on. */
static void live(void) {
    virtual_rank *r = &w.rank[w.actor];
    imp_port port = virtual_port(w.actor);
    imp_work(&w.sweep, r->map, IMP_OK, &w.options, &port);
    r->ended = true;
    w.first_left = r->dead || r->watched ? w.first_left : fmin(w.first_left, w.time);
}

static void make_rank(int rank, bool faults) {
    double span = session_seconds();
    virtual_rank *r = &w.rank[rank];
    *r = (virtual_rank){.dies = INFINITY,
                        .stops = INFINITY,
                        .resumes = INFINITY,
                        .signalled = rank == 0 ? w.stop_at : INFINITY,
                        .stop_arrives = INFINITY,
                        .slowness = 1,
                        .stuck_at = -1,
                        .slept = INFINITY};
    if (rank == 0) {
        return;
    }
    /* Without a limit of silence rank 0 learns of every death from a rank that lives. */
    bool hangs = w.options.give_up > 0;
    r->watched = (hangs || rank > 1) && chance(0.7);
    if (faults && (hangs || rank > 1) && chance(0.3)) {
        r->dies = random_between(&w.random, 0, span);
    }
    if (faults && hangs && chance(0.15)) {
        r->stops = random_between(&w.random, 0, span);
        r->resumes = chance(0.3) ? INFINITY : r->stops + random_log(&w.random, 0.01, 20);
    }
    if (faults && hangs && chance(0.1)) {
        r->stuck_at = random_index(&w.random, (int)w.cells);
    }
    if (chance(0.2)) {
        r->slowness = random_log(&w.random, 0.2, 30);
    }
    if (faults && chance(0.02)) {
        r->signalled = random_between(&w.random, 0, span);
    }
    w.actor = rank;
    r->map = imp_sweep_writes_in_parallel(&w.sweep) ? virtual_map() : NULL;
    w.actor = 0;
    getcontext(&r->context);
    r->context.uc_stack.ss_sp = stacks[rank];
    r->context.uc_stack.ss_size = STACK_BYTES;
    r->context.uc_link = &w.lead;
    makecontext(&r->context, live, 0);
}

static void begin_session(bool faults) {
    double span = session_seconds();
    for (int64_t i = 0; i < w.cells; i++) {
        w.cell[i].marker = 0;
    }
    w.time = 0;
    w.stopped = w.disk_failed = false;
    w.stop_at = faults && chance(0.2) ? random_between(&w.random, 0, span) : INFINITY;
    w.frozen_at = faults && chance(0.1) ? random_between(&w.random, 0, span) : INFINITY;
    w.stop_at = fmin(w.stop_at, w.frozen_at);
    w.stop_at = w.options.give_up > 0 ? w.stop_at : fmin(w.stop_at, TIME_LIMIT);
    w.first_left = INFINITY;
    w.writes_left = faults && chance(0.1) ? random_index(&w.random, 60) : -1;
    for (int rank = 0; rank < w.ranks; rank++) {
        make_rank(rank, faults);
        w.result.shares += rank > 0 && w.deal.dealt && imp_deal_share(&w.deal, rank).count > 0;
    }
}

static void end_session(void) {
    for (int rank = 0; rank < w.ranks; rank++) {
        virtual_rank *r = &w.rank[rank];
        if (rank > 0) {
            end_rank(rank);
        }
        drop_letters(&r->in);
        drop_letters(&r->out);
        free(r->opened);
        imp_map_close(&r->map);
    }
}

static void say(void *context, const char *line) {
    (void)context;
    note("%.*s", (int)strcspn(line, "\n"), line);
}

static int64_t marked(void) {
    int64_t n = 0;
    for (int64_t i = 0; i < w.cells; i++) {
        n += w.cell[i].marks > 0;
    }
    return n;
}

static void check_end(imp_err error, const imp_tally *tally) {
    bool complete = marked() == w.cells;
    int64_t n_modes = 0;
    for (int m = 0; m < 64; m++) {
        n_modes += tally->modes[m];
    }
    if (!error && !complete && w.time < w.frozen_at) {
        violated("%lld of %lld cells are lost", (long long)(w.cells - marked()),
                 (long long)w.cells);
    }
    if (!error &&
        (tally->done != w.cells || tally->outcomes[IMP_SOLVED] != w.cells || n_modes != w.cells)) {
        violated("%lld cells are counted, %lld modes", (long long)tally->done, (long long)n_modes);
    }
    if (error == IMP_ERR_STOPPED && !w.stopped) {
        violated("the run stopped by itself");
    }
    if (error && error != IMP_ERR_STOPPED && !w.disk_failed) {
        violated("the run failed: %s", imp_last_error());
    }
}

static void session(bool faults) {
    bool shares = w.result.sessions == 1 && chance(0.8);
    w.deal = imp_deal_sweep(&w.sweep, w.ranks, shares);
    w.options = (imp_run_options){.chunk = chance(0.5) ? 1 + random_index(&w.random, 40) : 0,
                                  .shares = shares,
                                  .say = say,
                                  .silence = 1,
                                  .patience = 1};
    if (chance(0.8)) {
        w.options.give_up = 2 * (1 + w.cell_seconds * 30) + random_log(&w.random, 0.1, 10);
    }
    begin_session(faults);
    imp_map *map = virtual_map();
    imp_port port = virtual_port(0);
    imp_tally tally;
    note("session of %d ranks, %lld cells", w.ranks, (long long)w.cells);
    imp_err error = imp_lead(&w.sweep, map, &w.options, &port, &tally);
    bool sound = !error || error == IMP_ERR_STOPPED;
    imp_err synced = sound ? imp_map_sync(map) : IMP_OK;
    check_end(error ? error : synced, &tally);
    imp_map_close(&map);
    end_session();
    if (w.checkpoint.period > 0 && chance(0.5)) {
        lose_power();
    }
    w.result.stops += error == IMP_ERR_STOPPED;
}

simulator_result simulate(uint64_t seed, simulator_mutation mutation, bool trace) {
    enum { FAULTY = 3, MOST = 5 };
    memset(&w, 0, sizeof w);
    w.mutation = mutation;
    w.trace = trace;
    make_world(seed);
    if (setjmp(w.broken) == 0) {
        while (marked() < w.cells && w.result.sessions < MOST && !w.result.violation[0]) {
            session(w.result.sessions++ < FAULTY);
        }
    }
    if (marked() < w.cells) {
        violated("%lld cells are still pending after %d sessions", (long long)(w.cells - marked()),
                 w.result.sessions);
    }
    return w.result;
}
