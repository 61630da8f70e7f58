/* The rounds of a refined map, which are drawn: rows whose values rank 0 needs before the next
 * round. The point of a row is the number of its cell. */
#include <stdlib.h>
#include <string.h>

#include "sched/simulator_impl.h"

typedef struct rounds {
    imp_feed feed;         /* the first member */
    int64_t next, waiting; /* waiting: rows of this round that are not told yet */
    imp_point points[MOST_CELLS];
    bool told[MOST_CELLS];
} rounds;

/* Rows that the file has already are known. */
static void add_round(rounds *r, imp_ledger *ledger, imp_tally *tally) {
    int64_t end = r->next + 1 + random_index(&w.random, (int)(w.cells - r->next));
    for (; r->next < end; r->next++) {
        const uint8_t outcome = IMP_SOLVED;
        int8_t mode = mode_of(r->next);
        r->told[r->next] = w.cell[r->next].marks > 0;
        r->points[r->next] = (imp_point){.key = {(uint32_t)r->next}};
        if (r->told[r->next]) {
            imp_tally_count(tally, 1, &outcome, &mode);
            tally->done_before++;
        } else {
            imp_ledger_add(ledger, (imp_interval){r->next, 1});
            r->waiting++;
        }
    }
    imp_ledger_limit(ledger, 1 + random_index(&w.random, 50));
    w.result.rounds++;
}

static imp_err fill(imp_feed *feed, imp_ledger *ledger, imp_tally *tally) {
    rounds *r = (rounds *)feed;
    if (r->waiting > 0) {
        violated("a round begins, and %lld rows of the last are missing", (long long)r->waiting);
    }
    tally->cells = w.cells;
    while (r->next < w.cells && imp_ledger_left(ledger) == 0) {
        add_round(r, ledger, tally);
    }
    feed->finished = imp_ledger_left(ledger) == 0;
    return IMP_OK;
}

static const imp_point *points(const imp_feed *feed, int64_t first) {
    return &((const rounds *)feed)->points[first];
}

static imp_err take(imp_feed *feed, int64_t first, size_t n, const void *block) {
    rounds *r = (rounds *)feed;
    (void)block;
    for (int64_t row = first; row < first + (int64_t)n; row++) {
        if (row >= r->next || r->told[row]) {
            violated("row %lld is told out of turn", (long long)row);
        }
        r->told[row] = true;
        r->waiting--;
    }
    return IMP_OK;
}

static void close(imp_feed *feed) {
    free(feed);
}

imp_err __wrap_imp_rounds_open(const imp_sweep *sweep, imp_map *map, int ranks, imp_feed **feed);
imp_err __wrap_imp_rounds_open(const imp_sweep *sweep, imp_map *map, int ranks, imp_feed **feed) {
    rounds *r = calloc(1, sizeof *r);
    (void)sweep, (void)map, (void)ranks;
    r->feed = (imp_feed){.fill = fill, .points = points, .take = take, .close = close};
    *feed = &r->feed;
    return IMP_OK;
}
