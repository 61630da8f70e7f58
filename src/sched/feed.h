/* The source of the cells of a run: the pending cells of a grid (survey.c), or the rounds of points
 * of a refined map (rounds.c). */
#ifndef IMP_SCHED_FEED_H
#define IMP_SCHED_FEED_H

#include "sched/deal.h"
#include "sched/ledger.h"
#include "sched/tally.h"
#include "solve/points.h"
#include "store/map.h"

typedef struct imp_feed {
    /* Adds cells to the ledger; called first, and whenever no cell is left or under way. When every
     * cell is done it adds none, and has finished the file. The tally gets the counts of the cells
     * that the file has already. Errors: of memory, of the file, IMP_ERR_STOPPED. */
    imp_err (*fill)(struct imp_feed *feed, imp_ledger *ledger, imp_tally *tally);
    /* The points of the rows first, first + 1, .. that were added in one round. NULL: rows are
     * cells of a grid. */
    const imp_point *(*points)(const struct imp_feed *feed, int64_t first);
    /* Receives a block of cells that was written. NULL: not needed. IMP_ERR_MEMORY. */
    imp_err (*take)(struct imp_feed *feed, int64_t first, size_t n, const void *block);
    void (*close)(struct imp_feed *feed);
    bool finished; /* the feed has no more cells to add */
} imp_feed;

/* Makes the feed of a map's sweep. Cells that are dealt are not added, but for the share of rank 0.
 * Sweep, map and deal must outlive the feed; the caller ends it by its own close.
 * IMP_ERR_MEMORY. */
imp_err imp_feed_open(const imp_sweep *sweep, imp_map *map, const imp_deal *deal, imp_feed **feed);

/* Makes the feed of a refined sweep. */
imp_err imp_rounds_open(const imp_sweep *sweep, imp_map *map, int ranks, imp_feed **feed);

#endif
