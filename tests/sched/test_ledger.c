/* The ledger: every pending cell is handed out once, in chunks that last as long as they should. */
#include "sched/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/suite.h"

static const double shortest = 5e-3, longest = 50e-3; /* seconds of a chunk, see ledger.h */

static imp_ledger *open_ledger(int64_t fixed, int ranks, int64_t most) {
    imp_ledger *ledger = imp_ledger_new((imp_chunking){fixed, ranks, most});
    CHECK(ledger != NULL, "out of memory");
    return ledger;
}

static void add(imp_ledger *ledger, int64_t first, int64_t count) {
    CHECK(imp_ledger_add(ledger, (imp_interval){first, count}) == IMP_OK, "could not add");
}

/* A random set of pending cells: runs of pending and of done ones. pending[i] is 1 or 0. */
static int64_t add_random_set(imp_ledger *ledger, random_source *source, unsigned char *pending,
                              int64_t cells) {
    int64_t total = 0;
    memset(pending, 0, (size_t)cells);
    for (int64_t at = random_index(source, 5); at < cells;) {
        int64_t count = 1 + (int64_t)random_log(source, 1, 400);
        count = count < cells - at ? count : cells - at;
        add(ledger, at, count);
        memset(pending + at, 1, (size_t)count);
        total += count;
        at += count + random_index(source, 3) * random_index(source, 50);
    }
    return total;
}

/* Takes all chunks, with random measured times, and counts how often each cell is handed out. */
static void hand_out_all(imp_ledger *ledger, random_source *source, imp_chunking chunking,
                         unsigned char *pending, int64_t cells, int64_t total) {
    for (imp_interval chunk; (chunk = imp_ledger_take(ledger, INFINITY)).count > 0;) {
        bool inside = chunk.first >= 0 && chunk.first + chunk.count <= cells;
        CHECK(inside, "cells %lld + %lld of %lld", (long long)chunk.first, (long long)chunk.count,
              (long long)cells);
        CHECK(chunk.count <= chunking.most, "%lld cells above the most, %lld",
              (long long)chunk.count, (long long)chunking.most);
        CHECK(chunking.fixed == 0 || chunk.count <= chunking.fixed, "%lld cells, not %lld",
              (long long)chunk.count, (long long)chunking.fixed);
        for (int64_t i = 0; inside && i < chunk.count; i++) {
            CHECK(pending[chunk.first + i] == 1, "cell %lld again, or not pending",
                  (long long)(chunk.first + i));
            pending[chunk.first + i]++;
        }
        total -= chunk.count;
        CHECK(imp_ledger_left(ledger) == total, "%lld cells left, not %lld",
              (long long)imp_ledger_left(ledger), (long long)total);
        imp_ledger_measured(ledger, chunk.count, random_log(source, 1e-7, 1e-2));
    }
    CHECK(total == 0, "%lld cells were never handed out", (long long)total);
}

static void every_cell_once(void) {
    enum { CELLS = 20000, SETS = 200 };
    unsigned char *pending = malloc(CELLS);
    random_source source = {4711};
    for (int set = 0; set < SETS; set++) {
        imp_chunking chunking = {.fixed = random_index(&source, 2) * random_index(&source, 300),
                                 .ranks = 1 + random_index(&source, 9),
                                 .most = 1 + (int64_t)random_log(&source, 1, 5000)};
        imp_ledger *ledger = imp_ledger_new(chunking);
        int64_t total = add_random_set(ledger, &source, pending, CELLS);
        hand_out_all(ledger, &source, chunking, pending, CELLS, total);
        for (int64_t i = 0; i < CELLS; i++) {
            CHECK(pending[i] != 1, "cell %lld is left over", (long long)i);
        }
        imp_ledger_free(&ledger);
        CHECK(ledger == NULL, "free sets the pointer to NULL");
    }
    free(pending);
}

/* Cells of known cost: once it is measured, a chunk has 5 to 50 ms of work. The last chunk of an
 * interval may have less. */
static void chunks_last_as_long_as_they_should(void) {
    static const double costs[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    for (int c = 0; c < SUITE_COUNT(costs); c++) {
        for (int ranks = 1; ranks <= 8; ranks *= 2) {
            imp_ledger *ledger = open_ledger(0, ranks, INT64_MAX);
            add(ledger, 0, (int64_t)(20 / costs[c]));
            imp_ledger_measured(ledger, 100, 100 * costs[c]);
            imp_interval chunk;
            while ((chunk = imp_ledger_take(ledger, INFINITY)).count > 0) {
                double work = (double)chunk.count * costs[c];
                bool last = imp_ledger_left(ledger) == 0;
                CHECK(work <= longest * (1 + 1e-9), "%g s of work in a chunk", work);
                CHECK(last || work >= shortest - 1.001 * costs[c], "%g s of work in a chunk", work);
                imp_ledger_measured(ledger, chunk.count, work);
            }
            imp_ledger_free(&ledger);
        }
    }
}

/* Chunks are as long as possible at first, and shorter and shorter at the end, so that no rank
 * waits long for another. */
static void chunks_shrink_at_the_end(void) {
    enum { RANKS = 4 };
    const double cost = 1e-5;
    imp_ledger *ledger = open_ledger(0, RANKS, INT64_MAX);
    add(ledger, 0, 1000000);
    imp_ledger_measured(ledger, 100, 100 * cost);
    imp_interval chunk = imp_ledger_take(ledger, INFINITY);
    CHECK_NEAR((double)chunk.count * cost, longest, cost * 1.001, "the first chunk");
    for (int64_t before = chunk.count; chunk.count > 0; before = chunk.count) {
        chunk = imp_ledger_take(ledger, INFINITY);
        double share = (double)(imp_ledger_left(ledger) + chunk.count) * cost / RANKS;
        CHECK(chunk.count <= before, "%lld cells after %lld", (long long)chunk.count,
              (long long)before);
        CHECK((double)chunk.count * cost <= fmax(share, shortest) * (1 + 1e-9),
              "a chunk of %g s when each rank has %g s left", (double)chunk.count * cost, share);
    }
    imp_ledger_free(&ledger);
}

/* Of many ranks each takes rank 0 at most 60 us of every chunk, so that it can follow. */
static void chunks_grow_with_the_ranks(void) {
    static const int ranks[] = {64, 1000, 100000};
    static const double least[] = {5e-3, 60e-3, 6}, most[] = {50e-3, 300e-3, 30}; /* seconds */
    const double cost = 1e-3;
    for (int i = 0; i < SUITE_COUNT(ranks); i++) {
        imp_ledger *ledger = open_ledger(0, ranks[i], INT64_MAX);
        add(ledger, 0, (int64_t)(40 * most[i] * ranks[i] / cost));
        imp_ledger_measured(ledger, 100, 100 * cost);
        imp_interval first = imp_ledger_take(ledger, INFINITY), last = first;
        for (imp_interval next; (next = imp_ledger_take(ledger, INFINITY)).count > 0;) {
            last = imp_ledger_left(ledger) > 0 ? next : last;
        }
        CHECK_NEAR((double)first.count * cost, most[i], 1.001 * cost, "the first chunk");
        CHECK_NEAR((double)last.count * cost, least[i], 1.001 * cost, "the last chunk but one");
        imp_ledger_free(&ledger);
    }
}

/* A rank may divide its share once it lasts longer than 32 of the shortest chunks. */
static void short_shares_are_not_divided(void) {
    static const int ranks[] = {2, 1000, 100000};
    static const double most[] = {0.16, 1.92, 192};
    for (int i = 0; i < SUITE_COUNT(ranks); i++) {
        CHECK(isinf(imp_share_seconds(ranks[i], 0.99 * most[i])), "%d ranks", ranks[i]);
        double longer = 1.01 * most[i];
        CHECK_NEAR(imp_share_seconds(ranks[i], longer), imp_chunk_seconds(ranks[i], longer), 1e-9,
                   "%d ranks", ranks[i]);
        CHECK(imp_share_seconds(ranks[i], 1e9) <= 300e-6 * ranks[i] + longest, "%d ranks",
              ranks[i]);
    }
}

static void cost_follows_the_last_chunks(void) {
    imp_ledger *ledger = open_ledger(0, 2, INT64_MAX);
    add(ledger, 0, 1000000000);
    imp_ledger_measured(ledger, 1000, 1);
    for (int i = 0; i < 40; i++) {
        imp_ledger_measured(ledger, 1000, 1e-3);
    }
    /* Much is left, so a chunk has as much work as one may have at the cost that was measured
     * last. */
    double work = (double)imp_ledger_take(ledger, INFINITY).count * 1e-6;
    CHECK_NEAR(work, longest, 0.01 * longest, "work in a chunk after the grid became cheap");
    imp_ledger_free(&ledger);
}

/* Before anything is measured a chunk is small: a cell may take minutes. */
static void first_chunks_are_small(void) {
    imp_ledger *ledger = open_ledger(0, 4, INT64_MAX);
    add(ledger, 0, 1000000);
    for (int i = 0; i < 8; i++) {
        imp_interval chunk = imp_ledger_take(ledger, INFINITY);
        CHECK(chunk.count >= 1 && chunk.count <= 64, "%lld cells", (long long)chunk.count);
    }
    imp_ledger_free(&ledger);
}

/* Clocks may stand still, or measure nothing at all. */
static void odd_times_do_no_harm(void) {
    static const double times[] = {0, -1, NAN, INFINITY, 1e300};
    for (int t = 0; t < SUITE_COUNT(times); t++) {
        imp_ledger *ledger = open_ledger(0, 2, 1000);
        add(ledger, 0, 5000);
        int64_t handed = 0;
        for (imp_interval chunk; (chunk = imp_ledger_take(ledger, INFINITY)).count > 0;) {
            CHECK(chunk.count <= 1000, "%lld cells above the most", (long long)chunk.count);
            imp_ledger_measured(ledger, chunk.count, times[t]);
            imp_ledger_measured(ledger, 0, 1);
            handed += chunk.count;
        }
        CHECK(handed == 5000, "%lld cells with times of %g s", (long long)handed, times[t]);
        imp_ledger_free(&ledger);
    }
}

static void slow_cells_go_one_by_one(void) {
    imp_ledger *ledger = open_ledger(0, 3, INT64_MAX);
    add(ledger, 7, 100);
    imp_ledger_measured(ledger, 1, 20);
    for (int64_t i = 0; i < 100; i++) {
        imp_interval chunk = imp_ledger_take(ledger, INFINITY);
        CHECK(chunk.first == 7 + i && chunk.count == 1, "%lld cells from %lld",
              (long long)chunk.count, (long long)chunk.first);
    }
    imp_ledger_free(&ledger);
}

/* With a fixed size every chunk has it, but the last one of an interval. */
static void fixed_chunks(void) {
    static const imp_interval expected[] = {{0, 64},   {64, 36}, {200, 64},
                                            {264, 64}, {328, 2}, {0, 0}};
    imp_ledger *ledger = open_ledger(64, 5, 1000);
    add(ledger, 0, 100);
    add(ledger, 200, 130);
    for (int i = 0; i < SUITE_COUNT(expected); i++) {
        imp_interval chunk = imp_ledger_take(ledger, INFINITY);
        CHECK(chunk.first == expected[i].first && chunk.count == expected[i].count,
              "chunk %d: %lld cells from %lld", i, (long long)chunk.count, (long long)chunk.first);
        imp_ledger_measured(ledger, chunk.count, 3);
    }
    imp_ledger_free(&ledger);
}

static void most_is_respected(void) {
    static const int64_t fixed[] = {0, 500};
    for (int f = 0; f < SUITE_COUNT(fixed); f++) {
        imp_ledger *ledger = open_ledger(fixed[f], 1, 100);
        add(ledger, 0, 10000);
        imp_ledger_measured(ledger, 1000000, 1e-3); /* 50 ms would be 50 million cells */
        for (int i = 0; i < 50; i++) {
            imp_interval chunk = imp_ledger_take(ledger, INFINITY);
            CHECK(chunk.count == 100, "%lld cells, not the most of 100", (long long)chunk.count);
        }
        imp_ledger_free(&ledger);
    }
}

/* A first chunk of one cell does not shift all that follow away from the ends of pages. */
static void full_blocks_end_with_pages(void) {
    const int64_t most = 3 * IMP_WHOLE_PAGES;
    imp_ledger *ledger = open_ledger(0, 1, most);
    add(ledger, 0, 10 * most);
    CHECK(imp_ledger_take(ledger, INFINITY).count == 1, "the first chunk");
    imp_ledger_measured(ledger, 1000000, 1e-3);
    for (int i = 1; i < 10; i++) {
        imp_interval chunk = imp_ledger_take(ledger, INFINITY);
        CHECK(chunk.count == most - (i == 1), "%lld cells", (long long)chunk.count);
        CHECK(chunk.first + chunk.count == i * most, "chunk %d ends within a page", i);
    }
    CHECK(imp_end_with_page(most, most) == most, "a piece that begins with a page is cut");
    CHECK(imp_end_with_page(1, 1000) == 1000, "a piece of less than a page is cut");
    imp_ledger_free(&ledger);
}

/* Rank 0 takes little at a time, but always a cell. */
static void limit_of_seconds(void) {
    imp_ledger *ledger = open_ledger(0, 4, INT64_MAX);
    add(ledger, 0, 100000000);
    imp_ledger_measured(ledger, 1000, 1e-3); /* 1 us per cell */
    static const double limits[] = {200e-6, 1e-3, 1e-9, 0};
    static const double cells[] = {200, 1000, 1, 1};
    for (int i = 0; i < SUITE_COUNT(limits); i++) {
        imp_interval chunk = imp_ledger_take(ledger, limits[i]);
        CHECK_NEAR((double)chunk.count, cells[i], cells[i] > 1, "cells in %g s", limits[i]);
    }
    imp_interval chunk = imp_ledger_take(ledger, 100);
    CHECK((double)chunk.count * 1e-6 <= longest, "a large limit does not make chunks larger");
    imp_ledger_free(&ledger);
}

static void nothing_left(void) {
    imp_ledger *ledger = open_ledger(0, 4, 10);
    CHECK(imp_ledger_take(ledger, INFINITY).count == 0, "an empty ledger has a chunk");
    CHECK(imp_ledger_left(ledger) == 0, "an empty ledger has cells");
    add(ledger, 5, 1);
    imp_interval chunk = imp_ledger_take(ledger, 0);
    CHECK(chunk.first == 5 && chunk.count == 1, "the only cell");
    for (int i = 0; i < 3; i++) {
        CHECK(imp_ledger_take(ledger, INFINITY).count == 0, "a chunk after the last one");
    }
    imp_ledger_free(&ledger);
    imp_ledger_free(&ledger); /* of nothing */
}

/* 2^40 cells: the largest grid. */
static void large_grids(void) {
    const int64_t cells = INT64_C(1) << 40;
    imp_ledger *ledger = open_ledger(INT64_C(1) << 36, 8, INT64_MAX);
    add(ledger, 0, cells - 1);
    add(ledger, cells - 1, 1);
    int64_t next = 0;
    for (imp_interval chunk; (chunk = imp_ledger_take(ledger, INFINITY)).count > 0;) {
        CHECK(chunk.first == next && chunk.count == INT64_C(1) << 36, "adjacent intervals are one");
        next += chunk.count;
    }
    CHECK(next == cells, "%lld cells", (long long)next);
    imp_ledger_free(&ledger);
}

SUITE("ledger", every_cell_once, chunks_last_as_long_as_they_should, chunks_shrink_at_the_end,
      chunks_grow_with_the_ranks, short_shares_are_not_divided, cost_follows_the_last_chunks,
      first_chunks_are_small, odd_times_do_no_harm, slow_cells_go_one_by_one, fixed_chunks,
      most_is_respected, full_blocks_end_with_pages, limit_of_seconds, nothing_left, large_grids)
