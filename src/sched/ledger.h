/* The ledger: the intervals of pending cells, and the size of the next chunk. A policy without
 * messages or clocks: the caller reports times, and every cell is handed out exactly
 * once for each time that it was added: cells of a rank that died are added again. */
#ifndef IMP_SCHED_LEDGER_H
#define IMP_SCHED_LEDGER_H

#include "base/interval.h"
#include "impact.h"

typedef struct imp_ledger imp_ledger;

typedef struct imp_chunking {
    int64_t fixed; /* cells per chunk; 0: by measured time: 5 to 50 ms, from 83 ranks on 60 to
                      300 us for each rank, less toward the end */
    int ranks;     /* that compute, at least 1 */
    int64_t most;  /* cells that a chunk may have at most, at least 1; see imp_end_with_page */
} imp_chunking;

/* Seconds that a chunk should last. fair: seconds of work left per rank. */
double imp_chunk_seconds(int ranks, double fair);

/* Seconds that a rank should spend on its share before others may have the rest of it. fair:
 * seconds of work left per rank. Infinite: shares are so short that rank 0 could not hand out their
 * cells in time. */
double imp_share_seconds(int ranks, double fair);

/* Returns NULL if memory is out. The caller frees the ledger. */
imp_ledger *imp_ledger_new(imp_chunking chunking);
void imp_ledger_free(imp_ledger **ledger);

/* This number of values fills whole pages of a file, whatever the size of a value. A page that is
 * written in part has to be read first, unless the cache of the system holds it. */
enum { IMP_WHOLE_PAGES = 1 << 12 };

/* The number of cells, at most `size`, to take together from `first` on. Where `size` cells fill
 * whole pages, the last one taken is the last of a page. */
int64_t imp_end_with_page(int64_t first, int64_t size);

/* Adds pending cells, at any time; no cell may be in the ledger twice. IMP_ERR_MEMORY. */
imp_err imp_ledger_add(imp_ledger *ledger, imp_interval cells);

/* From now on a chunk has at most `most` cells; at least 1. */
void imp_ledger_limit(imp_ledger *ledger, int64_t most);

/* The next chunk: of the policy's own size, but at most `seconds` of work by the times so far
 * (infinite: no limit). At least one cell while any is left; count 0: none is left. */
imp_interval imp_ledger_take(imp_ledger *ledger, double seconds);

/* Reports the time that a number of cells took. */
void imp_ledger_measured(imp_ledger *ledger, int64_t cells, double seconds);

/* Cells not handed out yet. */
int64_t imp_ledger_left(const imp_ledger *ledger);

#endif
