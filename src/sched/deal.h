/* The places of cells: the order in which they are handed out. The cells of a new map that many
 * ranks write themselves are dealt: every rank knows its share from its number alone, and begins
 * without an order. Among many ranks a share has pieces all over the grid, so that all shares take
 * about as long. The places of a share follow each other, and so the ledger, the orders and the
 * answers are intervals of places; only code that solves or writes cells asks for the cells. */
#ifndef IMP_SCHED_DEAL_H
#define IMP_SCHED_DEAL_H

#include "sched/message.h"
#include "solve/sweep.h"

/* Below this number messages are cheap, and a slow cell delays one chunk instead of a whole
 * share. */
enum { IMP_DEAL_FEWEST_RANKS = 8192 };

/* pieces: of each share; at most 1: the place of a cell is its number. */
typedef struct imp_deal {
    int64_t cells, pieces;
    int ranks;
    bool dealt; /* every rank begins with its share; otherwise with its first order */
} imp_deal;

/* dealt: see above; otherwise every place is the number of its cell. */
imp_deal imp_deal_of(int64_t cells, int ranks, bool dealt);

/* Deals the cells of a sweep whose map is new, if the run asks for that (shares) and the ranks
 * write themselves. */
imp_deal imp_deal_sweep(const imp_sweep *sweep, int ranks, bool shares);

/* The places of a rank's share; count 0 if there are fewer cells than ranks. */
imp_interval imp_deal_share(const imp_deal *deal, int rank);

/* The cell at a place, and the number of places from there on, at most `most`, whose cells follow
 * each other. */
imp_interval imp_deal_stretch(const imp_deal *deal, int64_t place, int64_t most);

#endif
