/* The virtual ranks, their messages and the clock. */
#include "sched/simulator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/simulator_impl.h"

world w;

static const long most_events = 1000000;

void violated(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!w.result.violation[0]) {
        vsnprintf(w.result.violation, sizeof w.result.violation, format, arguments);
    }
    va_end(arguments);
}

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (w.trace) {
        printf("%12.6f  ", w.time);
        vprintf(format, arguments);
        printf("\n");
    }
    va_end(arguments);
}

static void count_event(void) {
    if (++w.result.events > most_events) {
        violated("the run does not end");
        longjmp(w.broken, 1);
    }
}

static bool chance(double probability) {
    return random_between(&w.random, 0, 1) < probability;
}

/* ---- blocks ---- */

static void fill(int64_t first, size_t n, unsigned char *block, size_t room, size_t at) {
    int8_t *modes = (int8_t *)block + imp_block_offset(&w.layout, room, 0) + at;
    unsigned char *values = block + imp_block_offset(&w.layout, room, 1) + at * sizeof(double);
    uint8_t *outcomes = block + imp_block_offset(&w.layout, room, 2) + at;
    for (size_t i = 0; i < n; i++) {
        double value = value_of(first + (int64_t)i);
        modes[i] = mode_of(first + (int64_t)i);
        memcpy(values + i * sizeof value, &value, sizeof value);
        outcomes[i] = IMP_SOLVED;
    }
}

/* ---- the life of a virtual rank ---- */

/* When it can do something that is due at this time; INFINITY: never. */
static double awake(const virtual_rank *r, double time) {
    double when = time >= r->stops && time < r->resumes ? r->resumes : time;
    return when < r->dies ? when : INFINITY;
}

/* A message of a rank that dies while it is on its way may be lost, and then all later ones are. */
static void post(virtual_rank *r, imp_result head, const void *rest, size_t n) {
    letter *l = malloc(sizeof *l + sizeof head + n + 1);
    double delay = random_log(&w.random, w.delay / 30, w.delay * 3);
    *l = (letter){.arrives = fmax(r->outbox_last, w.time) + delay, .size = sizeof head + n};
    if (l->arrives > r->dies && chance(0.5)) {
        l->arrives = INFINITY;
    }
    r->outbox_last = l->arrives;
    memcpy(l->bytes, &head, sizeof head);
    if (n > 0) {
        memcpy(l->bytes + sizeof head, rest, n);
    }
    *(r->out ? &r->out_end->next : &r->out) = l;
    r->out_end = l;
}

static void post_error(virtual_rank *r, int64_t kind, int64_t returned) {
    post(r, (imp_result){.kind = kind, .returned = returned, .error = IMP_ERR_IO}, "disk", 5);
    r->broken = true;
}

static void sync_values(virtual_rank *r, int64_t kind) {
    imp_err error = r->map && !r->broken ? imp_map_sync(r->map) : IMP_OK;
    if (error) {
        post_error(r, kind, 0);
    } else {
        post(r, (imp_result){.kind = kind}, "", 0);
    }
}

static void sync_in_time(virtual_rank *r) {
    if (r->map && !r->broken && imp_map_sync_is_due(r->map)) {
        sync_values(r, IMP_SYNCED);
    }
}

static void begin_piece(virtual_rank *r) {
    int64_t second = 1 + (int64_t)(1 / w.cell_seconds);
    imp_interval run = imp_deal_run(&w.deal, r->task.first, r->task.count);
    int64_t most = run.count < second ? run.count : second;
    r->piece = chance(0.7) ? most : 1 + random_index(&w.random, (int)most);
    bool stuck = r->stuck_at >= run.first && r->stuck_at < run.first + r->piece;
    r->ready = stuck ? INFINITY : w.time + (double)r->piece * w.cell_seconds * r->slowness;
}

static bool write_piece(virtual_rank *r, size_t n, const unsigned char *block) {
    const uint8_t *outcomes = imp_block_outcomes(&w.layout, n, block);
    if (r->written.count == 0) {
        r->written.first = r->task.first;
        r->counts = (imp_counts){{0}, {0}};
    }
    r->written.count += (int64_t)n;
    imp_counts_add(&r->counts, n, outcomes, imp_block_modes(&w.layout, n, block));
    int64_t first = imp_deal_run(&w.deal, r->task.first, r->piece).first;
    return !r->broken && !imp_map_write_values(r->map, first, n, block) &&
           !imp_map_mark(r->map, first, n, outcomes);
}

/* Tells what the rank has done: the piece, or all that it has written. */
static void post_answer(virtual_rank *r, imp_interval done, const unsigned char *block) {
    int64_t left = r->task.first + r->task.count - done.first - done.count;
    imp_result head = {.kind = IMP_ANSWER,
                       .first = done.first,
                       .count = done.count,
                       .unsynced = w.checkpoint.period > 0,
                       .left = r->stop_heard ? 0 : left,
                       .returned = (r->stop_heard ? left : 0) + r->given_away,
                       .seconds = (double)done.count * w.cell_seconds * r->slowness,
                       .stopped = r->signalled};
    if (r->map) {
        post(r, head, &r->counts, sizeof r->counts);
    } else {
        post(r, head, block, imp_block_size(&w.layout, (size_t)done.count));
    }
    r->written.count = r->given_away = 0;
    r->answered = w.time;
    sync_in_time(r);
}

/* A rank gives the rest of its share away, or some of it, once. */
static void divide_share(virtual_rank *r) {
    int64_t left = r->task.count - r->piece;
    if (r->has_share && left > 0 && chance(0.5)) {
        r->given_away = 1 + random_index(&w.random, (int)left);
        r->task.count -= r->given_away;
        r->has_share = false;
        w.result.divided++;
    }
}

static void end_piece(virtual_rank *r) {
    size_t n = (size_t)r->piece;
    unsigned char block[MOST_CELLS * 16 + 64];
    fill(imp_deal_run(&w.deal, r->task.first, r->piece).first, n, block, n, 0);
    if (r->map && !write_piece(r, n, block)) {
        post_error(r, IMP_ANSWER, r->task.count);
        r->task.count = r->written.count = 0;
        return;
    }
    divide_share(r);
    int64_t left = r->task.count - r->piece;
    bool late = w.time - r->answered >= 1;
    if (!r->map || r->stop_heard || left == 0 || r->given_away > 0 || late || chance(0.5)) {
        post_answer(r, r->map ? r->written : (imp_interval){r->task.first, r->piece}, block);
    }
    r->task.first += r->piece;
    r->task.count = r->stop_heard ? 0 : left;
    if (r->task.count > 0) {
        begin_piece(r);
    }
}

static void open_letter(virtual_rank *r) {
    int tag = r->inbox[0].tag;
    imp_interval order = r->inbox[0].order;
    r->n_inbox--;
    memmove(&r->inbox[0], &r->inbox[1], (size_t)r->n_inbox * sizeof r->inbox[0]);
    if (tag == IMP_TAG_STOP) {
        r->stop_heard = true;
    } else if (order.count == 0) {
        sync_values(r, IMP_LEAVING);
        r->left = true;
    } else if (r->stop_heard) {
        post(r, (imp_result){.kind = IMP_ANSWER, .returned = order.count}, "", 0);
    } else {
        r->task = order;
        r->has_share = false;
        r->answered = w.time;
        begin_piece(r);
    }
}

/* When the rank acts next. It hears a stop even while it computes, and syncs while it waits. */
static double next_action(const virtual_rank *r) {
    double when = INFINITY;
    if (r->dead || r->left) {
        return when;
    }
    if (r->task.count > 0) {
        when = r->ready;
    }
    if (r->n_inbox > 0 && (r->task.count == 0 || r->inbox[0].tag == IMP_TAG_STOP)) {
        when = fmin(when, r->inbox[0].arrives);
    }
    if (r->task.count == 0 && r->map && r->map->unsynced > 0 && !r->broken &&
        w.checkpoint.period > 0) {
        when = fmin(when, r->map->unsynced_since + w.checkpoint.period * (1 + 1e-9));
    }
    return awake(r, fmax(when, 0));
}

static void act(int rank) {
    virtual_rank *r = &w.rank[rank];
    w.actor = rank;
    if (r->task.count > 0 && r->ready <= w.time) {
        end_piece(r);
    } else if (r->n_inbox > 0 && r->inbox[0].arrives <= w.time) {
        open_letter(r);
    } else {
        sync_in_time(r);
    }
    w.actor = 0;
}

/* A rank on another node learns of a death there and tells rank 0. */
static void die(int rank) {
    virtual_rank *r = &w.rank[rank];
    r->dead = true;
    w.result.deaths++;
    note("rank %d dies", rank);
    for (int other = 1; other < w.ranks && !r->watched; other++) {
        virtual_rank *o = &w.rank[other];
        if (!o->watched && !o->dead && !o->left && o->stuck_at < 0 && o->stops == INFINITY) {
            post(o, (imp_result){.kind = IMP_DEATH, .first = rank}, "", 0);
            return;
        }
    }
}

/* The next thing that happens to a rank: returns its time, and the rank in *which. */
static double next_event(int *which, bool *death) {
    double first = INFINITY;
    for (int rank = 1; rank < w.ranks; rank++) {
        const virtual_rank *r = &w.rank[rank];
        double end = r->dead || r->left ? INFINITY : r->dies, next = next_action(r);
        if (fmin(end, next) < first) {
            first = fmin(end, next);
            *which = rank;
            *death = end <= next;
        }
    }
    return first;
}

static void advance(double seconds) {
    double end = w.time + seconds, when;
    int rank = 0;
    bool death = false;
    while ((when = next_event(&rank, &death)) <= end) {
        count_event();
        w.time = fmax(w.time, when);
        if (death) {
            die(rank);
        } else {
            act(rank);
        }
    }
    w.time = fmax(w.time, end);
    count_event();
}

/* ---- the port ---- */

static double now(void *context) {
    (void)context;
    return w.time;
}

static double next_arrival(int *which) {
    double first = INFINITY;
    for (int rank = 1; rank < w.ranks; rank++) {
        const virtual_rank *r = &w.rank[rank];
        if (r->out && !r->forgotten && r->out->arrives < first) {
            first = r->out->arrives;
            *which = rank;
        }
    }
    return first;
}

/* Nothing happens to rank 0 for some time, which the clock leaps over. */
static void rest(void *context, double seconds) {
    const double leap = 5e-3;
    int rank;
    bool death;
    (void)context;
    double next = fmin(next_event(&rank, &death), next_arrival(&rank)) - w.time;
    advance(fmax(seconds, fmin(next, leap)));
}

static imp_err send(void *context, int rank, int tag, const void *bytes, size_t n) {
    virtual_rank *r = &w.rank[rank];
    imp_interval order = {0, 0};
    (void)context;
    if (r->forgotten || r->left) {
        violated("a message to rank %d, which is lost or has left", rank);
    }
    if (n > 0) {
        memcpy(&order, bytes, sizeof order);
    }
    if (r->n_inbox == INBOX) {
        violated("too many messages to rank %d", rank);
        return IMP_OK;
    }
    note("to rank %d: %s %lld + %lld", rank, tag == IMP_TAG_STOP ? "stop" : "order",
         (long long)order.first, (long long)order.count);
    r->inbox_last = fmax(r->inbox_last, w.time) + random_log(&w.random, w.delay / 30, w.delay * 3);
    r->inbox[r->n_inbox].arrives = r->inbox_last;
    r->inbox[r->n_inbox].tag = tag;
    r->inbox[r->n_inbox++].order = order;
    advance(1e-6);
    return IMP_OK;
}

static const unsigned char *receive(void *context, int *rank, size_t *n) {
    static unsigned char message[sizeof(imp_result) + MOST_CELLS * 16 + 64];
    (void)context;
    advance(1e-6);
    if (!(next_arrival(rank) <= w.time)) {
        return NULL;
    }
    virtual_rank *r = &w.rank[*rank];
    letter *l = r->out;
    *n = l->size;
    memcpy(message, l->bytes, l->size);
    message[l->size] = 0;
    r->out = l->next;
    free(l);
    return message;
}

static bool alive(void *context, int rank) {
    (void)context;
    return !w.rank[rank].watched || !(w.rank[rank].dead || w.rank[rank].left);
}

static void forget(void *context, int rank) {
    (void)context;
    note("rank %d is lost", rank);
    w.rank[rank].forgotten = true;
}

static const imp_port virtual_port = {now, rest, send, receive, alive, forget, NULL};

/* ---- what rank 0 calls besides ---- */

double __wrap_imp_seconds_elapsed(void);
bool __wrap_imp_ranks_stop_wanted(void);
void __wrap_imp_ranks_expect(double seconds, const char *text);
void __wrap_imp_ranks_give_up(int rank);
void __wrap_imp_ranks_abandon(int rank);
imp_err __wrap_imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator);
void __wrap_imp_evaluator_close(imp_evaluator **evaluator);
imp_err __wrap_imp_evaluate(imp_evaluator *e, int64_t first, size_t n, void *block, size_t room,
                            size_t at);

double __wrap_imp_seconds_elapsed(void) {
    return w.time;
}

bool __wrap_imp_ranks_stop_wanted(void) {
    w.stopped |= w.time >= w.stop_at;
    return w.time >= w.stop_at;
}

void __wrap_imp_ranks_expect(double seconds, const char *text) {
    (void)seconds;
    (void)text;
}

/* Only ranks that are dead, stopped, stuck or slow keep rank 0 waiting for so long. */
void __wrap_imp_ranks_give_up(int rank) {
    const virtual_rank *r = &w.rank[rank];
    bool sound = r->dies > w.time && r->stops > w.time && r->stuck_at < 0 && r->slowness <= 1;
    if (sound) {
        violated("rank %d is given up without a reason", rank);
    }
    w.result.given_up++;
}

void __wrap_imp_ranks_abandon(int rank) {
    (void)rank;
    w.result.given_up++;
    w.stopped = true;
}

imp_err __wrap_imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator) {
    (void)sweep;
    *evaluator = NULL;
    return IMP_OK;
}

void __wrap_imp_evaluator_close(imp_evaluator **evaluator) {
    *evaluator = NULL;
}

imp_err __wrap_imp_evaluate(imp_evaluator *e, int64_t first, size_t n, void *block, size_t room,
                            size_t at) {
    (void)e;
    advance((double)n * w.cell_seconds);
    fill(first, n, block, room, at);
    return IMP_OK;
}

/* ---- mutations ---- */

imp_interval __real_imp_crew_answered(imp_crew *crew, int rank, int64_t left, int64_t returned);
imp_interval __wrap_imp_crew_answered(imp_crew *crew, int rank, int64_t left, int64_t returned);
imp_interval __real_imp_deal_share(const imp_deal *deal, int rank);
imp_interval __wrap_imp_deal_share(const imp_deal *deal, int rank);

int __real_imp_crew_lose(imp_crew *crew, int rank, imp_interval orders[IMP_QUEUED]);
int __wrap_imp_crew_lose(imp_crew *crew, int rank, imp_interval orders[IMP_QUEUED]);
imp_interval __real_imp_ledger_take(imp_ledger *ledger, double seconds);
imp_interval __wrap_imp_ledger_take(imp_ledger *ledger, double seconds);

int __wrap_imp_crew_lose(imp_crew *crew, int rank, imp_interval orders[IMP_QUEUED]) {
    int n = __real_imp_crew_lose(crew, rank, orders);
    crew->members[rank].gone = w.mutation != SEND_TO_LOST;
    return w.mutation == FORGET_ORDERS ? 0 : n;
}

imp_interval __wrap_imp_crew_answered(imp_crew *crew, int rank, int64_t left, int64_t returned) {
    imp_interval cells = __real_imp_crew_answered(crew, rank, left, returned);
    cells.count = w.mutation == FORGET_RETURNED ? 0 : cells.count;
    return cells;
}

imp_interval __wrap_imp_deal_share(const imp_deal *deal, int rank) {
    imp_interval share = __real_imp_deal_share(deal, rank);
    int64_t longer = w.mutation == DEAL_TWICE && rank < deal->ranks - 1 && share.count > 0;
    return (imp_interval){share.first, share.count + longer};
}

imp_interval __wrap_imp_ledger_take(imp_ledger *ledger, double seconds) {
    static imp_interval last;
    if (w.mutation == HAND_OUT_TWICE && imp_ledger_left(ledger) > 0 && last.count > 0 &&
        chance(0.05)) {
        return last;
    }
    last = __real_imp_ledger_take(ledger, seconds);
    return last;
}

/* ---- a whole map ---- */

static void make_sweep(void) {
    w.sweep = (imp_sweep){.theory = imp_theory_find("null"), .n_outputs = OUTPUTS};
    w.sweep.outputs[0] = 0; /* mode, value */
    w.sweep.outputs[1] = 1;
    w.sweep.parallel_write = chance(0.5);
    w.sweep.grid.n_axes = 1;
    w.sweep.grid.axes[0].size = w.cells;
    w.layout = imp_layout_of(&w.sweep);
    w.checkpoint.period = chance(0.4) ? 0 : random_log(&w.random, 1e-2, 10);
}

static void make_world(uint64_t seed) {
    w.random.state = seed;
    w.cells = 1 + random_index(&w.random, MOST_CELLS);
    w.ranks = 1 + random_index(&w.random, MOST_RANKS);
    w.cell_seconds = random_log(&w.random, 1e-4, 1e-1);
    w.delay = random_log(&w.random, 1e-5, 1e-2);
    for (int64_t i = 0; i < w.cells; i++) {
        w.cell[i] = (virtual_cell){.value = NAN};
    }
    make_sweep();
}

/* About as long as a session takes. */
static double session_seconds(void) {
    return (double)w.cells * w.cell_seconds / w.ranks + 0.5;
}

static virtual_rank make_rank(bool faults) {
    double span = session_seconds();
    virtual_rank r = {.dies = INFINITY, .stops = INFINITY, .resumes = INFINITY, .slowness = 1};
    r.stuck_at = -1;
    r.watched = chance(0.7);
    if (faults && chance(0.3)) {
        r.dies = random_between(&w.random, 0, span);
    }
    if (faults && chance(0.15)) {
        r.stops = random_between(&w.random, 0, span);
        r.resumes = chance(0.3) ? INFINITY : r.stops + random_log(&w.random, 0.01, 20);
    }
    if (faults && chance(0.1)) {
        r.stuck_at = random_index(&w.random, (int)w.cells);
    }
    if (chance(0.2)) {
        r.slowness = random_log(&w.random, 0.2, 30);
    }
    r.signalled = faults && chance(0.02);
    r.map = w.sweep.parallel_write ? virtual_map() : NULL;
    return r;
}

/* Every rank begins with its share, without an order. */
static void take_shares(void) {
    for (int rank = 1; w.deal.dealt && rank < w.ranks; rank++) {
        virtual_rank *r = &w.rank[rank];
        r->task = imp_deal_share(&w.deal, rank);
        r->has_share = r->task.count > 0;
        w.result.shares += r->has_share;
        if (r->has_share) {
            begin_piece(r);
        }
    }
}

static void begin_session(bool faults, bool shares) {
    double span = session_seconds();
    w.deal = imp_deal_sweep(&w.sweep, w.ranks, shares);
    for (int64_t i = 0; i < w.cells; i++) {
        w.cell[i].marker = 0;
    }
    w.time = 0;
    w.stopped = w.disk_failed = false;
    w.stop_at = faults && chance(0.2) ? random_between(&w.random, 0, span) : INFINITY;
    w.frozen_at = faults && chance(0.1) ? random_between(&w.random, 0, span) : INFINITY;
    w.stop_at = fmin(w.stop_at, w.frozen_at);
    w.writes_left = faults && chance(0.1) ? random_index(&w.random, 60) : -1;
    w.give_up = 2 * (1 + w.cell_seconds * 30) + random_log(&w.random, 0.1, 10);
    for (int rank = 1; rank < w.ranks; rank++) {
        w.rank[rank] = make_rank(faults);
        w.stopped |= w.rank[rank].signalled;
    }
    take_shares();
}

static void end_session(void) {
    for (int rank = 1; rank < w.ranks; rank++) {
        virtual_rank *r = &w.rank[rank];
        while (r->out) {
            letter *next = r->out->next;
            free(r->out);
            r->out = next;
        }
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
    int64_t modes = 0;
    for (int m = 0; m < 64; m++) {
        modes += tally->modes[m];
    }
    if (!error && !complete && w.time < w.frozen_at) {
        violated("%lld of %lld cells are lost", (long long)(w.cells - marked()),
                 (long long)w.cells);
    }
    if (!error &&
        (tally->done != w.cells || tally->outcomes[IMP_SOLVED] != w.cells || modes != w.cells)) {
        violated("%lld cells are counted, %lld modes", (long long)tally->done, (long long)modes);
    }
    if (error == IMP_ERR_STOPPED && !w.stopped) {
        violated("the run stopped by itself");
    }
    if (error && error != IMP_ERR_STOPPED && !w.disk_failed) {
        violated("the run failed: %s", imp_last_error());
    }
}

static imp_err session(bool faults) {
    bool shares = w.result.sessions == 1 && chance(0.8);
    begin_session(faults, shares);
    imp_run_options options = {.chunk = chance(0.5) ? 1 + random_index(&w.random, 40) : 0,
                               .shares = shares,
                               .say = say,
                               .silence = 1,
                               .patience = 1,
                               .give_up = w.give_up};
    imp_map *map = virtual_map();
    imp_tally tally;
    note("session of %d ranks, %lld cells", w.ranks, (long long)w.cells);
    imp_err error = imp_lead(&w.sweep, map, &options, &virtual_port, w.ranks, &tally);
    bool sound = !error || error == IMP_ERR_STOPPED;
    imp_err synced = sound ? imp_map_sync(map) : IMP_OK;
    check_end(error ? error : synced, &tally);
    imp_map_close(&map);
    end_session();
    if (w.checkpoint.period > 0 && chance(0.5)) {
        lose_power();
    }
    w.result.stops += error == IMP_ERR_STOPPED;
    return error;
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
