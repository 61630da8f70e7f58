#include <assert.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/stop.h"
#include "sched/node.h"
#include "sched/sched.h"
#include "store/partial.h"

/* Whether a stop signal came: to this rank, and to any rank of this node. A rank in a long cell
 * reads no messages, but a signal to it reaches the others through the memory that they share. */
static volatile sig_atomic_t stop_wanted;
static volatile sig_atomic_t *volatile stop_on_node = &stop_wanted;

/* When to stop without a signal; 0: never. On the monotonic clock. */
static double end_of_run, limit;

/* Until imp_ranks_started no cell is under way and nothing is marked; libraries run that notice no
 * stop and may never return from a damaged file. After the last cell the ranks leave MPI together,
 * and a rank that hangs would hold the others up. */
enum { STARTING, RUNNING, LEAVING };
static volatile sig_atomic_t phase = STARTING, exit_code;
static const unsigned joining_patience = 300, starting_patience = 10, leaving_patience = 30; /* s */
static bool abandoned;        /* some ranks were given up: MPI cannot end in good order */
static int *lost, n_lost;     /* ranks that died, or were given up while the run went on */
static const char *code_path; /* NULL: the exit code is not asked for */
static int own_rank, n_ranks = 1;
static bool with_mpi; /* MPI runs; a process that no launcher started does without it */
/* A launcher that would wait for every rank, even for one that hangs; 0: none. */
static pid_t waiting;

/* Values of *stop_on_node. JOB_ENDS: rank 0 is done without the ranks that hang; a rank that wakes
 * up must exit. */
enum { STOP = 1, JOB_ENDS = 2 };

static void want_stop(int signal_number) {
    if (signal_number == SIGTERM && *stop_on_node == JOB_ENDS) {
        _exit(exit_code);
    }
    if (phase == STARTING && !stop_wanted) {
        unsigned left = alarm(starting_patience);
        if (left > 0 && left < starting_patience) {
            alarm(left);
        }
    }
    stop_wanted = 1;
    *stop_on_node = *stop_on_node == JOB_ENDS ? JOB_ENDS : STOP;
}

/* The text to print when the timer ends. */
static const char *volatile overdue;

/* The timer ended: at the start a stop was not noticed, later a cell takes long, at the end another
 * rank does not leave. */
static void time_is_up(int signal_number) {
    static const char starting[] = "impactsweep: stopped while it was starting\n",
                      leaving[] = "impactsweep: a rank does not leave MPI; the job is ended\n";
    const char *text = phase == STARTING ? starting : phase == LEAVING ? leaving : overdue;
    (void)signal_number;
    ssize_t written = text ? write(STDERR_FILENO, text, strlen(text)) : 0;
    (void)written;
    if (phase == STARTING) {
        imp_partial_unlink_unfinished();
        if (waiting > 1 && waiting == getppid()) {
            kill(waiting, SIGTERM); /* mpirun ends the others */
        }
    }
    if (phase != RUNNING) {
        _exit(phase == STARTING ? 75 : exit_code);
    }
}

void imp_ranks_started(void) {
    phase = RUNNING;
    alarm(0);
}

void imp_ranks_expect(double seconds, const char *text) {
    assert(phase == RUNNING && seconds >= 0);
    double whole = floor(seconds);
    struct itimerval once = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * (seconds - whole))}};
    overdue = text;
    setitimer(ITIMER_REAL, &once, NULL);
}

bool imp_ranks_signalled(void) {
    return stop_wanted || *stop_on_node;
}

bool imp_ranks_stop_wanted(void) {
    return imp_ranks_signalled() || (end_of_run > 0 && imp_seconds_elapsed() >= end_of_run);
}

void imp_ranks_limit(double seconds) {
    limit = seconds;
    end_of_run = seconds > 0 ? imp_seconds_elapsed() + seconds : 0;
}

/* mpirun passes SIGUSR1 to every rank, and all must survive it. */
void imp_ranks_prepare(void) {
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = time_is_up;
    sigaction(SIGALRM, &action, NULL);
    imp_stop_ask(imp_ranks_stop_wanted);
}

/* Lets the ranks of a node share one flag. If that is not possible each has its own, and a stop
 * reaches the others by messages alone. */
static void share_flag(void) {
    volatile sig_atomic_t *shared = imp_node_open();
    if (shared) {
        stop_on_node = shared;
        *stop_on_node = *stop_on_node || stop_wanted;
    }
}

/* Whether mpirun goes on after the death of a rank. It then also waits for every other process, and
 * returns 0 whatever their codes. */
static bool recovers(void) {
    const char *value = getenv("OMPI_MCA_orte_enable_recovery");
    return value && (*value == '1' || *value == 't' || *value == 'T' || *value == 'y');
}

/* Seconds that ranks wait for each other at most: until the limit of the run, and for the time
 * that others need to notice it. */
static unsigned time_to_join(unsigned most) {
    double left = fmax(end_of_run - imp_seconds_elapsed(), 0);
    return end_of_run > 0 && left < most ? (unsigned)left + starting_patience : most;
}

static void join(int *argc, char ***argv) {
    /* If a rank dies or hangs in here, the others would wait for ever. */
    waiting = recovers() && getenv("OMPI_COMM_WORLD_SIZE") ? getppid() : 0;
    alarm(time_to_join(joining_patience));
    MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    share_flag();
    alarm(stop_wanted ? starting_patience : 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
}

int imp_ranks_start(int *argc, char ***argv, int *ranks) {
    /* Ranks leave without waiting for each other: all messages have been received, and a rank may
     * hang. */
    setenv("OMPI_MCA_async_mpi_finalize", "1", 0);
    /* A single process without mpirun starts no daemon, which would take as long as the rest of the
     * start. */
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    with_mpi = imp_was_launched();
    if (with_mpi) {
        join(argc, argv);
        imp_ranks_limit(limit); /* a start of MPI that takes long leaves time for cells */
    }
    *ranks = n_ranks;
    return own_rank;
}

/* Ends the job at once. */
static _Noreturn void abort_job(int code) {
    if (with_mpi) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    _exit(code);
}

void imp_ranks_give_up(int rank) {
    assert(own_rank == 0 && rank > 0 && rank < n_ranks);
    lost = realloc(lost, ((size_t)n_lost + 1) * sizeof *lost);
    if (!lost) {
        abort_job(1);
    }
    lost[n_lost++] = rank;
}

void imp_ranks_abandon(int rank) {
    abandoned = true;
    if (rank > 0) {
        imp_ranks_give_up(rank);
    }
}

void imp_ranks_orphan(void) {
    if (!imp_node_is_all()) {
        abort_job(1);
    }
    _exit(1);
}

imp_err imp_ranks_tell(const char *path) {
    imp_err error = path ? imp_code_file_start(path) : IMP_OK;
    code_path = error ? NULL : path;
    return error;
}

void imp_ranks_tell_code(int code) {
    if (code_path && imp_code_file_end(code_path, code)) {
        dprintf(STDERR_FILENO, "impactsweep: could not write the exit code: %s\n",
                imp_last_error());
    }
}

int imp_ranks_status(int code) {
    return n_ranks == 1 || !recovers() ? code : 0;
}

/* Ends the processes of ranks that were given up: mpirun would wait for them. False: some are on
 * other nodes. */
static bool end_lost_ranks(void) {
    bool ended = true;
    for (int i = 0; i < n_lost; i++) {
        ended = ended && imp_node_watches(lost[i]);
        imp_node_kill(lost[i]);
    }
    return ended;
}

/* Ranks were given up after a stop: MPI_Abort ends the job under srun. mpirun (Open MPI 4.1.4) has
 * crashed or hung itself after one in eight of these, so there rank 0 leaves MPI alone, without a
 * barrier, and mpirun ends the others when it returns the code. */
static void end_job(int code, bool abort) {
    fflush(NULL);
    *stop_on_node = JOB_ENDS;
    if (abort || !getenv("OMPI_COMM_WORLD_SIZE")) {
        abort_job(code);
    }
    MPI_Finalize();
    _exit(code);
}

static void leave(int code) {
    /* Where mpirun recovers, or the code is 0, it would wait for a rank that hangs. */
    bool left = (recovers() || !abandoned) && !end_lost_ranks();
    if (abandoned || left) {
        end_job(code, left);
    }
    MPI_Finalize();
}

void imp_ranks_finish(int code) {
    exit_code = code;
    phase = LEAVING;
    if (own_rank == 0) {
        alarm(leaving_patience);
        imp_ranks_tell_code(code);
    }
    if (with_mpi) {
        leave(code);
    }
    alarm(0);
}

/* ---- collective calls ---- */

/* Ends the job if a rank has been dead for some time. It may have ended in good order and left its
 * messages, which take some time. dead_since: 0: none is known. */
static void look_for_deaths(double *dead_since) {
    const double longest_way = 2;
    double now = imp_seconds_elapsed();
    int dead = imp_node_dead();
    *dead_since = dead < 0 ? 0 : *dead_since > 0 ? *dead_since : now;
    if (dead >= 0 && now - *dead_since >= longest_way) {
        dprintf(STDERR_FILENO, "impactsweep: rank %d died while the run was starting\n", dead);
        imp_ranks_tell_code(75);
        abort_job(75);
    }
}

/* Waits for the end of a collective call. If a rank dies before all have started, the job ends, as
 * no work is lost. */
static void wait_for_all(MPI_Request *request) {
    const double shortest = 50e-6, look = 0.2;
    double dead_since = 0, begin = imp_seconds_elapsed(), next_look = begin + look;
    int done = 0;
    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done;) {
        imp_pause(imp_next_pause(shortest, imp_seconds_elapsed() - begin));
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && imp_seconds_elapsed() >= next_look) {
            next_look += look;
            look_for_deaths(&dead_since);
        }
    }
}

static void send_to_all(void *bytes, int n) {
    MPI_Request request;
    if (with_mpi) {
        MPI_Ibcast(bytes, n, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        wait_for_all(&request);
    }
}

imp_err imp_ranks_share(imp_text *text) {
    int64_t length = (int64_t)text->length;
    send_to_all(&length, sizeof length);
    enum { AT_ONCE = 1 << 20 };
    static char bytes[AT_ONCE];
    for (int64_t done = 0; done < length; done += AT_ONCE) {
        int n = length - done < AT_ONCE ? (int)(length - done) : AT_ONCE;
        if (own_rank == 0) {
            memcpy(bytes, text->bytes + done, (size_t)n);
        }
        send_to_all(bytes, n);
        if (own_rank != 0) {
            imp_text_append(text, bytes, (size_t)n);
        }
    }
    return text->failed ? imp_out_of_memory() : IMP_OK;
}

/* If another rank hangs at the start, rank 0 waits for it no longer than the limit of the run. */
int imp_ranks_agree(int code) {
    int largest = code;
    if (!with_mpi) {
        return code;
    }
    bool timed = phase == STARTING && own_rank == 0 && end_of_run > 0;
    if (timed) {
        alarm(time_to_join(UINT_MAX / 2));
    }
    MPI_Request request;
    MPI_Iallreduce(&code, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    wait_for_all(&request);
    if (timed) {
        alarm(stop_wanted ? starting_patience : 0);
    }
    return largest;
}

void imp_ranks_version(imp_text *text) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    /* "Open MPI v4.1.4, package: ...", "MPICH Version:\t4.0.2\nMPICH Release date: ..." */
    version[strcspn(version, ",\n")] = 0;
    char *tab = strchr(version, '\t');
    if (tab) {
        *tab = ' ';
    }
    imp_text_print(text, "%s", version);
}
