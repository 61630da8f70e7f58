#include "sched/ledger.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* The least and the most seconds that a chunk should last: both for the whole run, and both for
 * each rank. Among many ranks those for each rank count: so messages, which take rank 0 20 to 60 us
 * each, keep it busy for less than half of the time. */
static const double shortest = 5e-3, longest = 50e-3, shortest_each = 60e-6, longest_each = 300e-6;
enum { FIRST_CHUNK = 1 }; /* cells, while the cost is not known */

struct imp_ledger {
    imp_chunking chunking;
    imp_interval *intervals; /* pending, from `next` on */
    size_t n, capacity, next;
    int64_t left;
    double cell_seconds;
};

imp_ledger *imp_ledger_new(imp_chunking chunking) {
    assert(chunking.fixed >= 0 && chunking.ranks >= 1 && chunking.most >= 1);
    imp_ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger) {
        ledger->chunking = chunking;
    }
    return ledger;
}

void imp_ledger_free(imp_ledger **ledger) {
    if (*ledger) {
        free((*ledger)->intervals);
        free(*ledger);
        *ledger = NULL;
    }
}

imp_err imp_ledger_add(imp_ledger *ledger, imp_interval cells) {
    assert(cells.first >= 0 && cells.count >= 0);
    if (ledger->left == 0) {
        ledger->n = ledger->next = 0;
    }
    imp_interval *last = ledger->n > 0 ? &ledger->intervals[ledger->n - 1] : NULL;
    ledger->left += cells.count;
    if (last && imp_interval_end(*last) == cells.first) {
        last->count += cells.count;
        return IMP_OK;
    }
    if (!ledger->intervals || ledger->n == ledger->capacity) {
        size_t capacity = ledger->capacity ? 2 * ledger->capacity : 16;
        imp_interval *more = realloc(ledger->intervals, capacity * sizeof *more);
        if (!more) {
            ledger->left -= cells.count;
            return imp_out_of_memory();
        }
        ledger->intervals = more;
        ledger->capacity = capacity;
    }
    ledger->intervals[ledger->n++] = cells;
    return IMP_OK;
}

static double shortest_chunk(int ranks) {
    return fmax(shortest, shortest_each * ranks);
}

/* The longest time at first, then a part of the remaining work, so that all ranks end together. */
double imp_chunk_seconds(int ranks, double fair) {
    return fmin(fmax(fair / 4, shortest_chunk(ranks)), fmax(longest, longest_each * ranks));
}

/* The rest of a share is handed out in chunks, and in the end some ranks wait as long as the
 * shortest chunk takes: giving away pays only for a share that takes much longer. */
double imp_share_seconds(int ranks, double fair) {
    return fair / 32 < shortest_chunk(ranks) ? INFINITY : imp_chunk_seconds(ranks, fair);
}

/* Size of the next chunk. */
static int64_t chunk_size(const imp_ledger *ledger, double seconds) {
    const imp_chunking *c = &ledger->chunking;
    if (c->fixed > 0) {
        return c->fixed < c->most ? c->fixed : c->most;
    }
    if (ledger->cell_seconds <= 0) {
        return FIRST_CHUNK < c->most ? FIRST_CHUNK : c->most;
    }
    double fair = (double)ledger->left * ledger->cell_seconds / c->ranks;
    double cells = fmin(imp_chunk_seconds(c->ranks, fair), seconds) / ledger->cell_seconds;
    return cells >= (double)c->most ? c->most : cells < 1 ? 1 : (int64_t)cells;
}

int64_t imp_end_with_page(int64_t first, int64_t size) {
    return size % IMP_WHOLE_PAGES == 0 ? size - first % IMP_WHOLE_PAGES : size;
}

imp_interval imp_ledger_take(imp_ledger *ledger, double seconds) {
    if (ledger->left == 0 || !ledger->intervals) {
        return (imp_interval){0, 0};
    }
    imp_interval *from = &ledger->intervals[ledger->next];
    int64_t size = chunk_size(ledger, seconds), most = ledger->chunking.most;
    size = size == most ? imp_end_with_page(from->first, size) : size;
    imp_interval chunk = {from->first, size < from->count ? size : from->count};
    from->first += chunk.count;
    from->count -= chunk.count;
    ledger->next += from->count == 0;
    ledger->left -= chunk.count;
    return chunk;
}

void imp_ledger_limit(imp_ledger *ledger, int64_t most) {
    assert(most >= 1);
    ledger->chunking.most = most;
}

void imp_ledger_measured(imp_ledger *ledger, int64_t cells, double seconds) {
    if (cells <= 0 || !(seconds >= 0)) {
        return;
    }
    /* The latest chunks have the most weight, because the cost varies over the grid. */
    double now = seconds / (double)cells, before = ledger->cell_seconds;
    ledger->cell_seconds = before > 0 ? 0.7 * before + 0.3 * now : fmax(now, 1e-10);
}

int64_t imp_ledger_left(const imp_ledger *ledger) {
    return ledger->left;
}
