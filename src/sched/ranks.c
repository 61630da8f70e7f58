#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/sched.h"

/* Whether a stop signal came: to this rank, and to any rank of this node. A rank in a long cell
 * reads no messages, but a signal to it reaches the others through the memory that they share. */
static volatile sig_atomic_t stop_wanted;
static volatile sig_atomic_t *volatile stop_on_node = &stop_wanted;

/* When to stop without a signal; 0: never. On the monotonic clock. */
static double start_of_run, end_of_run;

/* Until imp_ranks_started no cell is under way and nothing is marked; libraries run that notice no
 * stop and may never return from a damaged file. After the last cell the ranks leave MPI together,
 * and a rank that hangs would hold the others up. */
enum { STARTING, RUNNING, LEAVING };
static volatile sig_atomic_t phase = STARTING, exit_code;
static const unsigned starting_patience = 10, leaving_patience = 30; /* seconds */
static bool abandoned; /* some ranks were given up: MPI cannot end in good order */

/* Values of *stop_on_node. JOB_ENDS: rank 0 is done without the ranks that hang; a rank that wakes
 * up must exit. */
enum { STOP = 1, JOB_ENDS = 2 };

static void want_stop(int signal_number) {
    if (signal_number == SIGTERM && *stop_on_node == JOB_ENDS) {
        _exit(exit_code);
    }
    if (phase == STARTING && !stop_wanted) {
        alarm(starting_patience);
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
    if (phase != RUNNING) {
        _exit(phase == STARTING ? 75 : exit_code);
    }
}

void imp_ranks_started(void) {
    phase = RUNNING;
    alarm(0);
}

void imp_ranks_expect(double seconds, const char *text) {
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
    end_of_run = seconds > 0 ? start_of_run + seconds : 0;
}

/* mpirun passes SIGUSR1 to every rank, and all must survive it. */
static void catch_stop(void) {
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = time_is_up;
    sigaction(SIGALRM, &action, NULL);
}

/* The shared memory of a node: an unnamed file of one of its processes. */
typedef struct shared_file {
    long process;
    int descriptor;
    dev_t device;
    ino_t number;
} shared_file;

static shared_file make_shared_file(void) {
    shared_file made = {.process = (long)getpid(), .descriptor = memfd_create("stop", MFD_CLOEXEC)};
    struct stat status;
    if (made.descriptor < 0 || ftruncate(made.descriptor, sizeof stop_wanted) != 0 ||
        fstat(made.descriptor, &status) != 0) {
        made.process = 0;
        return made;
    }
    made.device = status.st_dev;
    made.number = status.st_ino;
    return made;
}

/* Returns -1 if the file cannot be opened or is another one: in a container processes may have
 * other numbers. */
static int open_shared_file(const shared_file *file) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", file->process, file->descriptor);
    int descriptor = file->process > 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || status.st_dev != file->device ||
                            status.st_ino != file->number)) {
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

/* Lets the ranks of a node share one flag. If that is not possible each has its own, and a stop
 * reaches the others by messages alone. */
static void share_flag(void) {
    MPI_Comm node;
    int rank = 0, ranks = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &ranks);
    shared_file file = {.descriptor = -1};
    if (rank == 0 && ranks > 1) {
        file = make_shared_file();
    }
    MPI_Bcast(&file, sizeof file, MPI_BYTE, 0, node);
    int descriptor = ranks == 1 ? -1 : rank == 0 ? file.descriptor : open_shared_file(&file);
    void *memory = descriptor < 0 ? MAP_FAILED
                                  : mmap(NULL, sizeof stop_wanted, PROT_READ | PROT_WRITE,
                                         MAP_SHARED, descriptor, 0);
    MPI_Barrier(node); /* all have opened it */
    if (memory != MAP_FAILED) {
        stop_on_node = memory;
        *stop_on_node = *stop_on_node || stop_wanted;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    MPI_Comm_free(&node);
}

int imp_ranks_start(int *argc, char ***argv, int *ranks) {
    int rank = 0;
    catch_stop();
    /* Ranks leave without waiting for each other: all messages have been received, and a rank may
     * hang. */
    setenv("OMPI_MCA_async_mpi_finalize", "1", 0);
    /* A single process without mpirun starts no daemon, which would take as long as the rest of the
     * start. */
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    MPI_Init(argc, argv);
    start_of_run = imp_seconds_elapsed();
    share_flag();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    return rank;
}

void imp_ranks_abandon(void) {
    abandoned = true;
}

/* Ranks were given up: MPI_Abort ends the job under srun. mpirun (Open MPI 4.1.4) has crashed or hung
 * itself after one in eight of these, so there rank 0 leaves MPI alone, without a barrier, and mpirun
 * ends the others when it returns the code. */
static void end_job(int code) {
    fflush(NULL);
    *stop_on_node = JOB_ENDS;
    if (!getenv("OMPI_COMM_WORLD_SIZE")) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    MPI_Finalize();
    _exit(code);
}

void imp_ranks_finish(int code) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exit_code = code;
    phase = LEAVING;
    if (rank == 0) {
        alarm(leaving_patience);
    }
    if (abandoned) {
        end_job(code);
    }
    MPI_Finalize();
    alarm(0);
}

imp_err imp_ranks_share(imp_text *text) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t length = (int64_t)text->length;
    MPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    enum { PIECE = 1 << 20 };
    static char piece[PIECE];
    for (int64_t done = 0; done < length; done += PIECE) {
        int n = length - done < PIECE ? (int)(length - done) : PIECE;
        if (rank == 0) {
            memcpy(piece, text->bytes + done, (size_t)n);
        }
        MPI_Bcast(piece, n, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank != 0) {
            imp_text_append(text, piece, (size_t)n);
        }
    }
    return text->failed ? imp_fail(IMP_ERR_MEMORY, "out of memory") : IMP_OK;
}

/* If another rank hangs at the start, rank 0 waits for it no longer than the limit of the run. */
int imp_ranks_agree(int code) {
    int largest = code, rank = 0;
    double left = fmax(end_of_run - imp_seconds_elapsed(), 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool timed = phase == STARTING && rank == 0 && end_of_run > 0 && left < UINT_MAX / 2;
    if (timed) {
        alarm((unsigned)left + starting_patience);
    }
    MPI_Allreduce(&code, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
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
