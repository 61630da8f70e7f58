/* Efficiency against the number of ranks: rank 0 and its ledger are the program's, the other ranks,
 * their messages, the clock and the map are simulated with measured costs. Rows on the standard
 * output, for bench/scale.py.
 *
 * gather: rank 0 writes. orders: each rank writes, and waits for its first order, as where a run
 * goes on. shares: each rank writes, and begins with its share of a new map. grown: shares, with
 * more and more cells. cost: shares, with messages that cost rank 0 more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/events.h"
#include "sched/lead_impl.h"
#include "store/map_impl.h"
#include "support/random.h"

/* Seconds of rank 0 for a message with counts, in MPI (bench_message: .5 to .8 us) and in its own
 * code (bench_answer: .2 us); for an order (.1 us), for a look in vain, for a byte that it receives
 * and writes (a run of 26 GB: 1.7 GB/s; bench_gather), and on the way. */
typedef struct costs {
    double receive, send, look, byte, latency;
} costs;
static const costs measured = {1e-6, 0.1e-6, 0.1e-6, 0.6e-9, 5e-6};

/* Seconds of a cell vary from chunk to chunk, and from piece to piece of a share, between these, as
 * over the maps in tests/MEASURED.md. */
typedef struct theory {
    const char *name;
    double least, most;
} theory;

enum { GATHER, ORDERS, SHARES, CELL_BYTES = 10, CHUNKS = 40 };

/* Another rank. */
typedef struct worker {
    imp_interval queue[IMP_QUEUED]; /* the first is under way */
    double arrives[IMP_QUEUED];
    int n;
    bool share, nothing;    /* its order is its share; it has been told that nothing is left */
    double cost;            /* of a cell of its order */
    double idle;            /* since then */
    double began, answered; /* its share; its last answer */
    imp_result answer;      /* the next one */
} worker;

static struct {
    random_source random;
    costs cost;
    const theory *theory;
    imp_sweep sweep;
    imp_deal deal;
    events events;
    worker *workers; /* by rank */
    int ranks;
    bool shares;
    double time, work, end; /* end: when rank 0 knew that the last cell is done */
    int64_t cells;
} w;

/* ---- the other ranks ---- */

static double cell_seconds(void) {
    return random_log(&w.random, w.theory->least, w.theory->most);
}

/* The rank will have done the first cells of its order, and answers. */
static void plan_answer(int rank, int64_t cells, int64_t returned, double start, double seconds) {
    worker *r = &w.workers[rank];
    r->answer = (imp_result){.kind = IMP_ANSWER,
                             .first = r->queue[0].first,
                             .count = cells,
                             .left = r->queue[0].count - cells - returned,
                             .returned = returned,
                             .unsynced = 1,
                             .seconds = seconds};
    w.work += seconds;
    events_add(&w.events, (event){start + seconds, rank});
}

/* Goes on with an order until it is over or an answer is due. */
static void go_on(int rank, double start) {
    worker *r = &w.workers[rank];
    double wait = imp_longest_wait(w.ranks);
    int64_t most = r->queue[0].count, cells = (int64_t)ceil(wait / r->cost);
    cells = cells < most ? cells : most;
    plan_answer(rank, cells, 0, start, (double)cells * r->cost);
}

/* Cells of a share between two looks at the clock. */
static int64_t step_of(int64_t left, imp_interval place, double cost) {
    const double look = fmax(1e-3, 100e-9 * w.ranks);
    int64_t piece = imp_deal_stretch(&w.deal, place.first, left).count;
    int64_t step = (int64_t)ceil(look / cost);
    return step < piece ? step : piece;
}

/* As sched/worker.c does. */
static void go_on_with_share(int rank, double start) {
    worker *r = &w.workers[rank];
    imp_interval share = imp_deal_share(&w.deal, rank), rest = r->queue[0];
    double time = start, wait = imp_longest_wait(w.ranks);
    int64_t left = rest.count, in_piece = 0;
    while (left > 0 && time - start < wait) {
        imp_interval place = {rest.first + rest.count - left, 1};
        in_piece = in_piece > 0 ? in_piece : imp_deal_stretch(&w.deal, place.first, left).count;
        int64_t step = step_of(in_piece, place, r->cost);
        time += (double)step * r->cost;
        left -= step;
        in_piece -= step;
        r->cost = in_piece > 0 ? r->cost : cell_seconds();
        int64_t done = share.count - left;
        double spent = time - r->began, fair = spent / (double)done * (double)share.count;
        if (spent >= imp_share_seconds(w.ranks, fair) / 2) {
            r->share = false;
            plan_answer(rank, rest.count - left, left > done ? left - done : 0, start,
                        time - start);
            return;
        }
    }
    plan_answer(rank, rest.count - left, 0, start, time - start);
}

static void begin_order(int rank, double start) {
    worker *r = &w.workers[rank];
    r->cost = cell_seconds();
    go_on(rank, fmax(start, r->arrives[0]));
}

/* The answer of a rank has been sent; what it does next. */
static void after_answer(int rank, double time) {
    worker *r = &w.workers[rank];
    int64_t left = r->answer.left;
    if (left > 0) {
        r->queue[0] = (imp_interval){r->queue[0].first + r->answer.count, left};
        (r->share ? go_on_with_share : go_on)(rank, time);
        return;
    }
    r->share = false;
    r->n--;
    r->queue[0] = r->queue[1];
    r->arrives[0] = r->arrives[1];
    if (r->n > 0) {
        begin_order(rank, time);
    } else {
        r->idle = time;
    }
}

/* ---- the port ---- */

static void rest(void *context, double seconds) {
    const double leap = 5e-3;
    (void)context;
    double next = w.events.n > 0 ? w.events.heap[0].time + w.cost.latency - w.time : INFINITY;
    w.time += fmax(seconds, fmin(next, leap));
}

static void send(void *context, int rank, int tag, imp_buffer *message, size_t n) {
    worker *r = &w.workers[rank];
    imp_interval order;
    (void)context;
    w.time += w.cost.send;
    if (tag == IMP_TAG_WORK && n > 0) {
        memcpy(&order, message->bytes, sizeof order);
        double arrives = w.time + w.cost.latency;
        r->nothing = order.count == 0;
        if (r->nothing) {
            events_add(&w.events, (event){fmax(arrives, r->idle), rank});
        } else {
            r->queue[r->n] = order;
            r->arrives[r->n++] = arrives;
            if (r->n == 1) {
                begin_order(rank, r->idle);
            }
        }
    }
}

static const unsigned char *receive(void *context, int tag, int *rank, size_t *n) {
    static unsigned char message[sizeof(imp_result) + sizeof(imp_counts) + 1];
    (void)context, (void)tag;
    if (w.events.n == 0 || w.events.heap[0].time + w.cost.latency > w.time) {
        w.time += w.cost.look;
        return NULL;
    }
    event e = events_take(&w.events);
    worker *r = &w.workers[e.rank];
    imp_result head = r->nothing ? (imp_result){.kind = IMP_LEAVING} : r->answer;
    imp_counts counts = {.outcomes = {[IMP_SOLVED] = head.count}};
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, &counts, sizeof counts);
    *rank = e.rank;
    *n = sizeof head + sizeof counts;
    double bytes = w.sweep.parallel_write ? 0 : (double)head.count * CELL_BYTES;
    w.time += w.cost.receive + bytes * w.cost.byte;
    if (!r->nothing) {
        after_answer(e.rank, e.time);
    }
    return message;
}

static bool alive(void *context, int rank) {
    (void)context;
    (void)rank;
    return true;
}

static bool stop_wanted(void *context) {
    (void)context;
    return false;
}

static void expect(void *context, double seconds, const char *text) {
    (void)context, (void)seconds, (void)text;
}

/* ---- what rank 0 calls besides ---- */

double __wrap_imp_seconds_elapsed(void);
imp_err __wrap_imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator);
imp_err __wrap_imp_evaluate(imp_evaluator *e, int64_t first, size_t n, void *block, size_t room,
                            size_t at);
imp_err __wrap_imp_map_write(imp_map *map, int64_t first, size_t n, const void *block);
imp_err __wrap_imp_map_check_path(const imp_map *map);
imp_err __wrap_imp_feed_open(const imp_sweep *sweep, imp_map *map, const imp_deal *deal,
                             imp_feed **feed);
void __wrap_imp_counts_add(imp_counts *counts, size_t n, const uint8_t *outcomes,
                           const int8_t *modes);
void __real_imp_tally_add(imp_tally *tally, const imp_counts *counts);
void __wrap_imp_tally_add(imp_tally *tally, const imp_counts *counts);

double __wrap_imp_seconds_elapsed(void) {
    return w.time;
}

imp_err __wrap_imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator) {
    (void)sweep;
    *evaluator = NULL;
    return IMP_OK;
}

imp_err __wrap_imp_evaluate(imp_evaluator *e, int64_t first, size_t n, void *block, size_t room,
                            size_t at) {
    (void)e, (void)first, (void)block, (void)room, (void)at;
    double seconds = (double)n * cell_seconds();
    w.time += seconds;
    w.work += seconds;
    return IMP_OK;
}

imp_err __wrap_imp_map_write(imp_map *map, int64_t first, size_t n, const void *block) {
    (void)map, (void)first, (void)n, (void)block;
    return IMP_OK;
}

imp_err __wrap_imp_map_check_path(const imp_map *map) {
    (void)map;
    return IMP_OK;
}

static imp_err fill(imp_feed *feed, imp_ledger *ledger, imp_tally *tally) {
    imp_interval own = w.deal.dealt ? imp_deal_share(&w.deal, 0) : (imp_interval){0, tally->cells};
    bool again = feed->finished;
    feed->finished = true;
    return again ? IMP_OK : imp_ledger_add(ledger, own);
}

static void close_feed(imp_feed *feed) {
    free(feed);
}

imp_err __wrap_imp_feed_open(const imp_sweep *sweep, imp_map *map, const imp_deal *deal,
                             imp_feed **feed) {
    (void)sweep, (void)map, (void)deal;
    *feed = calloc(1, sizeof **feed);
    **feed = (imp_feed){.fill = fill, .close = close_feed};
    return IMP_OK;
}

void __wrap_imp_counts_add(imp_counts *counts, size_t n, const uint8_t *outcomes,
                           const int8_t *modes) {
    (void)outcomes, (void)modes;
    counts->outcomes[IMP_SOLVED] += (int64_t)n;
}

void __wrap_imp_tally_add(imp_tally *tally, const imp_counts *counts) {
    __real_imp_tally_add(tally, counts);
    w.end = tally->done == w.cells ? w.time : w.end;
}

/* ---- a run ---- */

typedef struct figures {
    double efficiency, goodbye; /* goodbye: seconds until the ranks have left */
} figures;

static void open_world(const theory *t, int way, int ranks, int64_t cells, costs cost) {
    memset(&w, 0, sizeof w);
    w.random.state = 1;
    w.cost = cost;
    w.theory = t;
    w.ranks = ranks;
    w.cells = cells;
    w.sweep = (imp_sweep){.theory = imp_theory_find("null"), .n_outputs = 2};
    w.sweep.outputs[1] = 1; /* mode, value: CELL_BYTES with the outcome */
    w.sweep.parallel_write = way != GATHER;
    w.sweep.grid.n_axes = 1;
    w.sweep.grid.axes[0].size = cells;
    w.shares = way == SHARES;
    w.deal = imp_deal_sweep(&w.sweep, ranks, w.shares);
    w.workers = calloc((size_t)ranks, sizeof *w.workers);
    for (int rank = 1; w.deal.dealt && rank < ranks; rank++) {
        worker *r = &w.workers[rank];
        r->queue[0] = imp_deal_share(&w.deal, rank);
        r->n = 1;
        r->share = true;
        r->cost = cell_seconds();
        go_on_with_share(rank, 0);
    }
}

static figures run(const theory *t, int way, int ranks, int64_t cells, costs cost) {
    open_world(t, way, ranks, cells, cost);
    imp_map map = {.layout = imp_layout_of(&w.sweep)};
    imp_run_options options = {.shares = w.shares};
    imp_tally tally;
    imp_port port = {.ranks = ranks,
                     .rest = rest,
                     .send = send,
                     .receive = receive,
                     .alive = alive,
                     .stop_wanted = stop_wanted,
                     .expect = expect};
    imp_err error = imp_lead(&w.sweep, &map, &options, &port, &tally);
    if (error || tally.done != cells) {
        fprintf(stderr, "%lld of %lld cells\n", (long long)tally.done, (long long)cells);
        exit(1);
    }
    free(w.workers);
    free(w.events.heap);
    return (figures){w.work / (w.end * ranks), w.time - w.end};
}

static void print(const theory *t, const char *name, int way, int ranks, double cells, costs cost) {
    double each = cells * sqrt(t->least * t->most) / ranks;
    figures f = run(t, way, ranks, (int64_t)cells, cost);
    printf("%s,%s,%d,%.3g,%.3g,%.2g,%.4f,%.3g\n", t->name, name, ranks, cells, each,
           1e6 * cost.receive, f.efficiency, f.goodbye);
    fflush(stdout);
}

static const theory theories[] = {
    {"linear", 0.11e-6, 0.19e-6}, {"hertz", 1.5e-6, 3.5e-6}, {"beam", 2.4e-3, 4.7e-3}};

static void print_theory(const theory *t) {
    static const char *const ways[] = {"gather", "orders", "shares"};
    static const int ranks[] = {10, 100, 1000, 10000, 100000};
    static const double times[] = {1, 3, 10, 30, 100, 300}; /* seconds of each rank */
    static const double message[] = {1e-6, 5e-6, 10e-6, 30e-6};
    const double most_cells = 1e12, mean = sqrt(t->least * t->most);
    const int most_ranks = 100000;
    for (int way = 0; way < 3; way++) {
        for (int r = 0; r < 5; r++) {
            double fitting = CHUNKS * ranks[r] * fmax(50e-3, 300e-6 * ranks[r]) / t->most;
            print(t, ways[way], way, ranks[r], fmin(most_cells, fitting), measured);
        }
    }
    for (int i = 0; i < 6; i++) {
        print(t, "grown", SHARES, most_ranks, times[i] * most_ranks / mean, measured);
    }
    for (int i = 0; i < 4; i++) {
        costs cost = measured;
        cost.receive = message[i];
        cost.send = message[i] / 4;
        double fitting = CHUNKS * most_ranks * 30 / t->most;
        print(t, "cost", SHARES, most_ranks, fmin(most_cells, fitting), cost);
    }
}

int main(void) {
    printf("theory,way,ranks,cells,seconds,message,efficiency,goodbye\n");
    for (int t = 0; t < 3; t++) {
        print_theory(&theories[t]);
    }
    return 0;
}
