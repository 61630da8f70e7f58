#include <mpi.h>
#include <signal.h>
#include <string.h>

#include "base/error.h"
#include "sched/sched.h"

static volatile sig_atomic_t stop_wanted;

static void want_stop(int signal_number) {
    (void)signal_number;
    stop_wanted = 1;
}

bool imp_ranks_stop_wanted(void) {
    return stop_wanted;
}

/* mpirun passes SIGUSR1 to every rank; those that do not lead must survive it. */
static void catch_stop(void) {
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    /* A file that grows past a limit is an error of the write, not the end of the process. */
    signal(SIGXFSZ, SIG_IGN);
}

int imp_ranks_start(int *argc, char ***argv, int *ranks) {
    int rank = 0;
    catch_stop();
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    return rank;
}

void imp_ranks_finish(void) {
    MPI_Finalize();
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

int imp_ranks_agree(int code) {
    int largest = code;
    MPI_Allreduce(&code, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return largest;
}

void imp_ranks_version(imp_text *text) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",")] = 0;
    imp_text_print(text, "%s", version);
}
