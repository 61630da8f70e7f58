/* Processor time that its own code takes rank 0 for an answer with counts: bench_answer. Every rank
 * answers once, in a random order, and leaves; MPI (bench_message) has no part in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "sched/lead_impl.h"
#include "store/map_impl.h"
#include "support/random.h"

enum { RUNS = 15, CELLS = 100 /* of a share */ };

static imp_deal deal;
static int *order, given; /* ranks in the order of their answers; messages so far */
static double answered;   /* processor time after the last answer */

static const unsigned char *receive(void *context, int tag, int *rank, size_t *n) {
    static unsigned char message[sizeof(imp_result) + sizeof(imp_counts) + 1];
    int others = deal.ranks - 1;
    (void)context, (void)tag;
    if (given == 2 * others) {
        return NULL;
    }
    answered = given == others ? measure_processor() : answered;
    *rank = order[given % others];
    imp_interval share = imp_deal_share(&deal, *rank);
    imp_result head = {.kind = given < others ? IMP_ANSWER : IMP_LEAVING,
                       .first = share.first,
                       .count = share.count,
                       .unsynced = 1,
                       .seconds = 1};
    imp_counts counts = {.outcomes = {[IMP_SOLVED] = share.count}, .modes = {[1] = share.count}};
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, &counts, sizeof counts);
    *n = sizeof head + sizeof counts;
    given++;
    return message;
}

static void rest(void *context, double seconds) {
    (void)context, (void)seconds;
}

static void send(void *context, int rank, int tag, imp_buffer *message, size_t n) {
    (void)context, (void)rank, (void)tag, (void)message, (void)n;
}

static bool alive(void *context, int rank) {
    (void)context, (void)rank;
    return true;
}

static bool stop_wanted(void *context) {
    (void)context;
    return false;
}

/* ---- rank 0 has no cells ---- */

imp_err __wrap_imp_map_check_path(const imp_map *map);
imp_err __wrap_imp_feed_open(const imp_sweep *sweep, imp_map *map, const imp_deal *of,
                             imp_feed **feed);

imp_err __wrap_imp_map_check_path(const imp_map *map) {
    (void)map;
    return IMP_OK;
}

static imp_err fill(imp_feed *feed, imp_ledger *ledger, imp_tally *tally) {
    (void)ledger, (void)tally;
    feed->finished = true;
    return IMP_OK;
}

static void close_feed(imp_feed *feed) {
    free(feed);
}

imp_err __wrap_imp_feed_open(const imp_sweep *sweep, imp_map *map, const imp_deal *of,
                             imp_feed **feed) {
    (void)sweep, (void)map, (void)of;
    *feed = calloc(1, sizeof **feed);
    **feed = (imp_feed){.fill = fill, .close = close_feed};
    return IMP_OK;
}

static double seconds_of(int ranks) {
    const imp_port port = {.ranks = ranks,
                           .rest = rest,
                           .send = send,
                           .receive = receive,
                           .alive = alive,
                           .stop_wanted = stop_wanted};
    random_source random = {1};
    imp_sweep sweep = {.theory = imp_theory_find("null"), .n_outputs = 2, .parallel_write = true};
    sweep.outputs[1] = 1;
    sweep.grid.n_axes = 1;
    sweep.grid.axes[0].size = (int64_t)CELLS * ranks;
    deal = imp_deal_sweep(&sweep, ranks, true);
    order = malloc((size_t)ranks * sizeof *order);
    for (int i = 0; i < ranks - 1; i++) {
        int other = random_index(&random, i + 1);
        order[i] = order[other];
        order[other] = i + 1;
    }
    given = 0;
    imp_map map = {.layout = imp_layout_of(&sweep)};
    imp_run_options options = {.shares = true};
    imp_tally tally;
    double start = measure_processor();
    imp_lead(&sweep, &map, &options, &port, &tally);
    free(order);
    return (answered - start) / ranks;
}

int main(void) {
    for (int ranks = 1000; ranks <= 100000; ranks *= 10) {
        double found[RUNS];
        for (int i = 0; i < RUNS; i++) {
            found[i] = 1e6 * seconds_of(ranks);
        }
        double middle = measure_median(found, RUNS);
        printf("%d ranks: %.2f us (%.2f to %.2f)\n", ranks, middle, found[0], found[RUNS - 1]);
    }
    return 0;
}
