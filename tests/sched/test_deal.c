/* The places of cells: every cell has one, and every rank the same share of each part of the
 * grid. */
#include "sched/deal.h"

#include <stdlib.h>

#include "support/random.h"
#include "support/suite.h"

static imp_deal random_deal(random_source *source) {
    int ranks = 1 + (int)random_log(source, 1, 300);
    int64_t cells = (int64_t)random_log(source, 1, 30000);
    return imp_deal_of(cells, ranks, random_index(source, 4) > 0);
}

/* Goes through the places in runs of random length; counts how often each cell comes. */
static void visit(const imp_deal *deal, random_source *source, unsigned char *visits) {
    for (int64_t place = 0; place < deal->cells;) {
        int64_t left = deal->cells - place;
        int64_t most = 1 + random_index(source, left < 500 ? (int)left : 500);
        imp_interval run = imp_deal_stretch(deal, place, most);
        bool inside = run.first >= 0 && run.count >= 1 && run.count <= most &&
                      run.first + run.count <= deal->cells;
        CHECK(inside, "cells %lld + %lld of %lld", (long long)run.first, (long long)run.count,
              (long long)deal->cells);
        for (int64_t i = 0; inside && i < run.count; i++) {
            visits[run.first + i]++;
            imp_interval one = imp_deal_stretch(deal, place + i, 1);
            CHECK(one.first == run.first + i && one.count == 1, "place %lld",
                  (long long)(place + i));
        }
        place += inside ? run.count : left;
    }
}

static void every_cell_has_one_place(void) {
    random_source source = {4711};
    for (int i = 0; i < 400; i++) {
        imp_deal deal = random_deal(&source);
        unsigned char *visits = calloc((size_t)deal.cells, 1);
        visit(&deal, &source, visits);
        for (int64_t cell = 0; cell < deal.cells; cell++) {
            CHECK(visits[cell] == 1, "%lld cells, %d ranks: cell %lld has %d places",
                  (long long)deal.cells, deal.ranks, (long long)cell, visits[cell]);
        }
        free(visits);
    }
}

static void shares_follow_each_other(void) {
    random_source source = {17};
    for (int i = 0; i < 400; i++) {
        imp_deal deal = random_deal(&source);
        int64_t next = 0;
        for (int rank = 0; rank < deal.ranks; rank++) {
            imp_interval share = imp_deal_share(&deal, rank);
            CHECK(share.first == next, "share %d begins at %lld", rank, (long long)share.first);
            int64_t more = share.count - deal.cells / deal.ranks;
            CHECK(more == 0 || more == 1, "share %d has %lld cells", rank, (long long)share.count);
            next += share.count;
        }
        CHECK(next == deal.cells, "%lld cells in shares", (long long)next);
    }
}

/* The mean cell of each share is the middle of the grid, to the length of a row of pieces. */
static void shares_are_spread_over_the_grid(void) {
    static const int ranks[] = {20, 300, 100000};
    static const int64_t cells = 1000000007;
    for (int i = 0; i < SUITE_COUNT(ranks); i++) {
        imp_deal deal = imp_deal_of(cells, ranks[i], true);
        CHECK(deal.pieces >= 10, "%lld pieces", (long long)deal.pieces);
        for (int rank = 0; rank < ranks[i]; rank += ranks[i] / 10) {
            imp_interval share = imp_deal_share(&deal, rank);
            double sum = 0, middle = (double)cells / 2;
            for (int64_t at = 0; at < share.count;) {
                imp_interval run = imp_deal_stretch(&deal, share.first + at, share.count - at);
                sum += (double)run.count * ((double)run.first + (double)run.count / 2);
                at += run.count;
            }
            CHECK_NEAR(sum / (double)share.count, middle, (double)cells / (double)deal.pieces,
                       "mean cell of rank %d of %d", rank, ranks[i]);
        }
    }
}

/* Maps that are not dealt, and those of a few ranks, keep their order. */
static void places_of_few_ranks_are_cells(void) {
    imp_deal deals[] = {imp_deal_of(1000, 500, false), imp_deal_of(1000, 3, true),
                        imp_deal_of(5, 7, true), imp_deal_of(INT64_C(1) << 40, 2, true)};
    for (int i = 0; i < SUITE_COUNT(deals); i++) {
        for (int64_t place = 0; place < deals[i].cells; place += 1 + deals[i].cells / 100) {
            imp_interval run = imp_deal_stretch(&deals[i], place, 10);
            CHECK(run.first == place && run.count == 10, "place %lld of deal %d", (long long)place,
                  i);
        }
    }
}

static void large_grids(void) {
    const int64_t cells = (INT64_C(1) << 40) - 1;
    imp_deal deal = imp_deal_of(cells, 100000, true);
    imp_interval last = imp_deal_share(&deal, deal.ranks - 1);
    CHECK(last.first + last.count == cells, "the last share ends at %lld",
          (long long)(last.first + last.count));
    CHECK(imp_deal_stretch(&deal, 0, 1).first == 0, "the first cell");
    int64_t end = imp_deal_stretch(&deal, cells - 1, 1).first;
    CHECK(end > cells - deal.ranks - last.count && end < cells, "cell %lld", (long long)end);
}

SUITE("deal", every_cell_has_one_place, shares_follow_each_other, shares_are_spread_over_the_grid,
      places_of_few_ranks_are_cells, large_grids)
