/* Where the cells of a run come from: a map has those that are pending in its grid, a refined one rounds of
 * points. */
#ifndef IMP_SCHED_FEED_H
#define IMP_SCHED_FEED_H

#include "sched/ledger.h"
#include "sched/tally.h"
#include "solve/points.h"
#include "store/map.h"

typedef struct imp_feed {
    /* Adds cells to the ledger; called first, and whenever nothing is left or under way. Adds none when all
     * is done, and then has finished the file. Counts in the tally what the file has already. Errors: of memory, of
     * the file, IMP_ERR_STOPPED. */
    imp_err (*fill)(struct imp_feed *feed, imp_ledger *ledger, imp_tally *tally);
    /* The points that the rows first, first + 1, .. hold, as far as they were added in one round. NULL: they are cells of a grid. */
    const imp_point *(*points)(const struct imp_feed *feed, int64_t first);
    /* Is told of a block of cells that was written. NULL: not needed. IMP_ERR_MEMORY. */
    imp_err (*take)(struct imp_feed *feed, int64_t first, size_t n, const void *block);
    void (*close)(struct imp_feed *feed);
    bool finished; /* it has no more to add */
} imp_feed;

/* The feed of a map's sweep. They must outlive it. It is ended by its own close. stop: whether to end early what
 * takes long in it. IMP_ERR_MEMORY. */
imp_err imp_feed_open(const imp_sweep *sweep, imp_map *map, int ranks, imp_feed **feed);

/* The same of a refined sweep; rounds.c. */
imp_err imp_rounds_open(const imp_sweep *sweep, imp_map *map, int ranks, imp_feed **feed);

#endif
