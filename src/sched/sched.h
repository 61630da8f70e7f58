/* Runs a sweep into a map: rank 0 hands out chunks and writes, all ranks compute. The only room
 * that calls MPI. The ranks are in ranks.c; a run is in lead.c on rank 0, in worker.c on the
 * others. README.md has the messages and the states of a rank. */
#ifndef IMP_SCHED_SCHED_H
#define IMP_SCHED_SCHED_H

#include "base/text.h"
#include "sched/tally.h"
#include "solve/sweep.h"
#include "store/map.h"

/* ---- the ranks ---- */

/* Catches stop signals from here on. */
void imp_ranks_prepare(void);

/* Starts MPI if a launcher started this process. Returns the number of
 * this rank, and of ranks in *ranks. */
int imp_ranks_start(int *argc, char ***argv, int *ranks);

/* Call when cells are about to be computed. Before, a stop signal that goes unnoticed for 10
 * seconds, because a library does not return, ends the process with exit code 75. */
void imp_ranks_started(void);

/* Writes the text to the standard error unless this function is called again within `seconds`; 0:
 * cancels. The text must live until then. After imp_ranks_started. */
void imp_ranks_expect(double seconds, const char *text);

/* Ends MPI on every rank; code: exit code of the process. On rank 0 it ends the whole job with that
 * code and does not return if ranks were given up or another rank hangs here. */
void imp_ranks_finish(int code);

/* Rank 0 notes that it gave a rank up. imp_ranks_give_up: the others go on, and the rank is ended
 * together with the job. imp_ranks_abandon: after a stop, so that the job ends without the rank; 0:
 * without all ranks. */
void imp_ranks_give_up(int rank);
void imp_ranks_abandon(int rank);

/* Another rank: ends this rank, and ranks of other nodes with it, because rank 0 has died. */
_Noreturn void imp_ranks_orphan(void);

/* Writes "started" to this file now, and on rank 0 the exit code of the job when it leaves MPI
 * (imp_code_file_end), because a launcher may hide exit codes. NULL: no file. The path must live
 * until then. imp_ranks_tell_code writes the code again. */
imp_err imp_ranks_tell(const char *path);
void imp_ranks_tell_code(int code);

/* The exit code that this process should return: 0 where mpirun recovers from deaths. There it
 * hides codes, and over several nodes mpirun of Open MPI 4.1.4 never ends after a code other than
 * 0. */
int imp_ranks_status(int code);

/* Collective: gives every rank the text of rank 0. IMP_ERR_MEMORY on the rank that fails. */
imp_err imp_ranks_share(imp_text *text);

/* Collective: the largest of the codes of all ranks. */
int imp_ranks_agree(int code);

/* Whether a stop signal (SIGUSR1, SIGTERM, SIGINT) has come to this rank or another on its node. */
bool imp_ranks_signalled(void);

/* Limits the start of MPI, in which ranks may hang, to this number of seconds, and the run that
 * follows to as many again; 0: no limit. Call on every rank, before imp_ranks_start. */
void imp_ranks_limit(double seconds);

/* Whether to stop: a signal has come, or the limit is over. Also after imp_ranks_finish. */
bool imp_ranks_stop_wanted(void);

/* "Open MPI 4.1.4 ..." */
void imp_ranks_version(imp_text *text);

/* ---- the run ---- */

typedef struct imp_run_options {
    int64_t chunk; /* cells per chunk; 0: by measured time */
    /* Every cell of the map is pending, and ranks may begin with shares of the cells (deal.h). All
     * ranks have the same value. */
    bool shares;
    double period; /* seconds between reports; 0: none */
    void (*report)(void *context, const imp_tally *tally);
    void (*say)(void *context, const char *line); /* prints a note about a rank */
    double silence; /* seconds after which a rank is reported as silent; 0: never */
    /* After a stop, seconds without an answer, at least, before a rank is given up. */
    double patience;
    double give_up; /* seconds of silence after which a rank with work is given up; 0: never */
    void *context;
} imp_run_options;

/* On rank 0: computes every pending cell of the map together with all ranks that call
 * imp_run_worker. IMP_OK: all done. IMP_ERR_STOPPED: a stop signal, or the limit of the run,
 * reached any rank; every rank ends its cell, or its slice of cheap cells (slice.h), and results so
 * far are written. A signal to one rank reaches the ranks of other nodes through rank 0, each after
 * its present cell. Ranks that do not answer a stop are given up: their cells stay pending. Other
 * errors: the sweep is stopped, and written cells are valid. The cells of a rank that dies, or is
 * silent for too long, go to other ranks. */
imp_err imp_run_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                     int ranks, imp_tally *tally);

/* On every other rank: computes until rank 0 has nothing left. path, checkpoint: of the map, into
 * which this rank writes itself if the sweep is written in parallel. Of the options only `chunk`
 * and `shares` matter. */
imp_err imp_run_worker(const imp_sweep *sweep, const char *path, imp_checkpoint checkpoint,
                       const imp_run_options *options);

/* Whether a launcher (mpirun, srun, ...) started this process, or the user asks for MPI by
 * IMPACTSWEEP_MPI. A process that was started by hand is alone, and saves the start of MPI. */
bool imp_was_launched(void);

/* The number that the launcher has given this rank, which is known before MPI starts; 0: this
 * process is alone; -1: the launcher does not say. */
int imp_launched_as(void);

/* Write "started", and the code. The new file replaces an earlier one of this kind or an empty one,
 * and nothing else. IMP_ERR_INPUT: there is something else, for instance a link or a pipe.
 * IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_code_file_start(const char *path);
imp_err imp_code_file_end(const char *path, int code);

#endif
