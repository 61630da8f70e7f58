#include "sched/deal.h"

#include <assert.h>

/* Pieces of a share: one for each RANKS_PER_PIECE ranks, because the more shares there are, the
 * longer the slowest of them takes; at most so many that writing them costs little. */
enum { RANKS_PER_PIECE = 2, MOST_PIECES = 1024 };

imp_deal imp_deal_of(int64_t cells, int ranks, bool dealt) {
    assert(cells >= 0 && ranks >= 1);
    int64_t fair = cells / ranks, pieces = dealt ? ranks / RANKS_PER_PIECE : 1;
    pieces = pieces < MOST_PIECES ? pieces : MOST_PIECES;
    pieces = pieces < fair ? pieces : fair;
    return (imp_deal){.cells = cells, .pieces = pieces, .ranks = ranks, .dealt = dealt};
}

imp_deal imp_deal_sweep(const imp_sweep *sweep, int ranks, bool shares) {
    bool refined = imp_sweep_is_refined(sweep);
    bool dealt = shares && !refined && ranks > 1 && imp_sweep_writes_in_parallel(sweep);
    return imp_deal_of(refined ? 0 : imp_grid_cells(&sweep->grid), ranks, dealt);
}

/* The first places of a share: as many as every rank has. Some have one more. */
static int64_t fair_share(const imp_deal *deal) {
    return deal->cells / deal->ranks;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

imp_interval imp_deal_share(const imp_deal *deal, int rank) {
    assert(rank >= 0 && rank < deal->ranks);
    int64_t fair = fair_share(deal), more = deal->cells % deal->ranks;
    return (imp_interval){rank * fair + smaller(rank, more), fair + (rank < more)};
}

/* Cells of one share before its piece `piece`; the first pieces may be one cell longer. */
static int64_t before(const imp_deal *deal, int64_t piece) {
    int64_t fair = fair_share(deal);
    return piece * (fair / deal->pieces) + smaller(piece, fair % deal->pieces);
}

/* The piece of a share that contains its cell `at`. */
static int64_t piece_of(const imp_deal *deal, int64_t at) {
    int64_t fair = fair_share(deal), length = fair / deal->pieces, longer = fair % deal->pieces;
    int64_t piece = at / (length + 1);
    return piece < longer ? piece : longer + (at - longer * (length + 1)) / length;
}

static int rank_of(const imp_deal *deal, int64_t place) {
    int64_t fair = fair_share(deal), more = deal->cells % deal->ranks;
    int64_t rank = place / (fair + 1);
    return (int)(rank < more ? rank : more + (place - more * (fair + 1)) / fair);
}

/* The grid is a row of first pieces, one of each rank, then a row of second ones, and so on; last
 * the cells that some shares have more than others. */
imp_interval imp_deal_stretch(const imp_deal *deal, int64_t place, int64_t most) {
    if (deal->pieces <= 1) {
        return (imp_interval){place, most};
    }
    assert(place >= 0 && place < deal->cells && most >= 0);
    int rank = rank_of(deal, place);
    int64_t at = place - imp_deal_share(deal, rank).first;
    if (at == fair_share(deal)) {
        return (imp_interval){at * deal->ranks + rank, 1};
    }
    int64_t piece = piece_of(deal, at), start = before(deal, piece), end = before(deal, piece + 1);
    int64_t cell = start * deal->ranks + rank * (end - start) + at - start;
    return (imp_interval){cell, smaller(most, end - at)};
}
