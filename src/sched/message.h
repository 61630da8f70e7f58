/* The messages between ranks. */
#ifndef IMP_SCHED_MESSAGE_H
#define IMP_SCHED_MESSAGE_H

#include <stdint.h>

#include "base/interval.h"
#include "solve/block.h"
#include "solve/points.h"

enum { IMP_TAG_WORK = 1, IMP_TAG_RESULT = 2, IMP_TAG_STOP = 3 };

/* Rank 0 -> worker (IMP_TAG_WORK), an imp_interval: compute these cells; count 0: nothing is left.
 * In a refined sweep the cells are rows of its file, at most IMP_POINTS_AT_ONCE, and their points
 * (imp_point) follow. */

/* Rank 0 -> worker (IMP_TAG_STOP), empty, once: finish the present cells and drop queued orders. */

/* Kinds of messages of a worker. */
enum {
    IMP_ANSWER,     /* to its oldest order: a block (solve/block.h) of the cells that are done, or
                       their counts (sched/tally.h) if the worker has written and marked them */
    IMP_SYNCED,     /* all that this rank wrote is on the disk, and marked */
    IMP_STOP_HEARD, /* a stop signal came to this rank while it had no order */
    IMP_LEAVING,    /* the last message: as IMP_SYNCED, and nothing will follow */
    IMP_DEATH       /* another rank, `first`, has died on the node of this one */
};

/* Worker -> rank 0 (IMP_TAG_RESULT): this, then the block or the counts of an answer. */
typedef struct imp_result {
    int64_t kind;
    int64_t first, count; /* cells of the block or the counts */
    int64_t unsynced;     /* their marks wait for the next sync of the worker */
    int64_t left;         /* of the order, in answers to come; 0: the order is over */
    /* The last cells of the order, which are given back: after a stop they stay pending, otherwise
     * others may compute them. */
    int64_t returned;
    double seconds;
    int64_t stopped; /* a stop signal came to this rank */
    int64_t error;   /* imp_err; not 0: no block follows, but the text of the error */
} imp_result;

/* Most bytes of the text of an error, with its final 0. */
enum { IMP_LONGEST_REASON = 1024 };

/* Chunks under way at each worker: one is computed while the next waits. */
enum { IMP_QUEUED = 2 };

/* Most bytes of a block. A chunk has at most as many cells as fit, unless the ranks write: they
 * write a longer one block by block. */
enum { IMP_BLOCK_BYTES = 4 << 20 };

#endif
