/* Runs a sweep into a map: rank 0 hands out chunks and writes, all ranks compute. The only room
 * that calls MPI. */
#ifndef IMP_SCHED_SCHED_H
#define IMP_SCHED_SCHED_H

#include "base/text.h"
#include "sched/tally.h"
#include "solve/sweep.h"
#include "store/map.h"

/* ---- the ranks ---- */

/* Starts MPI and catches stop signals. Returns the number of this rank, and of ranks in *ranks. */
int imp_ranks_start(int *argc, char ***argv, int *ranks);

/* To be called when cells are about to be computed. Before, a stop signal that is not heard for 10
 * seconds, because a library does not come back, ends the process with exit code 75. */
void imp_ranks_started(void);

/* Writes the text to the standard error if this is not called again within so many seconds; 0: no
 * longer. The text must last until then. After imp_ranks_started. */
void imp_ranks_expect(double seconds, const char *text);

/* Ends MPI on every rank; code: what the process will exit with. On rank 0, where ranks were given up
 * this ends the whole job with that code and does not return, nor if another rank hangs here. */
void imp_ranks_finish(int code);

/* Rank 0: gives up ranks that do not answer. */
void imp_ranks_abandon(void);

/* Gives every rank the text of rank 0 (bytes and length). IMP_ERR_MEMORY on the rank that fails. */
imp_err imp_ranks_share(imp_text *text);

/* The largest of the codes of all ranks, on every rank. */
int imp_ranks_agree(int code);

/* Whether a stop signal (SIGUSR1, SIGTERM, SIGINT) has come to this rank or another on its node. */
bool imp_ranks_signalled(void);

/* Sets a limit to the run, in seconds since imp_ranks_start; 0: none. To be called on every rank. */
void imp_ranks_limit(double seconds);

/* Whether to stop: a signal has come, or the limit is over. Also after imp_ranks_finish. */
bool imp_ranks_stop_wanted(void);

/* "Open MPI 4.1.4 ..." */
void imp_ranks_version(imp_text *text);

/* ---- the run ---- */

typedef struct imp_run_options {
    int64_t chunk; /* cells per chunk; 0: by measured time */
    double period; /* seconds between reports; 0: none */
    void (*report)(void *context, const imp_tally *tally);
    void (*say)(void *context, const char *line); /* something about a rank, for people */
    double silence;  /* seconds after which a rank is reported as silent; 0: never */
    double patience; /* seconds after a stop without an answer before a rank is given up */
    void *context;
} imp_run_options;

/* On rank 0: computes every pending cell of the map, and with it all ranks that call imp_run_worker.
 * IMP_OK: all done. IMP_ERR_STOPPED: a stop signal or the limit of the run came, on any rank: every
 * rank ends its cell, or its slice of cheap cells (slice.h), and what is computed is written. A
 * signal to one rank alone reaches those on other nodes by way of rank 0, each hop after the cell
 * that is under way there. Ranks that do not answer a stop are given up: their cells stay pending. Other
 * errors: the sweep is stopped, what is written is right. */
imp_err imp_run_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                     int ranks, imp_tally *tally);

/* On every other rank. Returns when rank 0 has nothing left. path, checkpoint: of the map, into
 * which this rank writes by itself if the sweep says so. */
imp_err imp_run_worker(const imp_sweep *sweep, const char *path, imp_checkpoint checkpoint);

#endif
