#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/message.h"
#include "sched/node.h"
#include "sched/port.h"

/* A message on its way. MPI may need the help of the receiver to send it, and the receiver may be
 * in a long cell, so it is sent without waiting. */
typedef struct letter {
    unsigned char *bytes;
    size_t capacity;
    MPI_Request request;
} letter;

/* Orders under way, the order that nothing is left, and the stop. */
enum { LETTERS = IMP_QUEUED + 2 };

typedef struct correspondent {
    letter letters[LETTERS];
    int next;
    bool forgotten;
} correspondent;

typedef struct mpi_port {
    correspondent *others;     /* by rank */
    int ranks, correspondents; /* correspondents: other ranks that are not forgotten */
    unsigned char *message;    /* the last one, with room for `longest` bytes and a zero */
    size_t longest;
    MPI_Request arriving; /* a message whose beginning has arrived */
    int from, size;
} mpi_port;

static double now(void *context) {
    (void)context;
    return imp_seconds_elapsed();
}

static void rest(void *context, double seconds) {
    (void)context;
    imp_pause(seconds);
}

/* The wait is short: an earlier letter in the same place has been answered. */
static imp_err send(void *context, int rank, int tag, const void *bytes, size_t n) {
    correspondent *to = &((mpi_port *)context)->others[rank];
    letter *l = &to->letters[to->next];
    MPI_Wait(&l->request, MPI_STATUS_IGNORE);
    if (l->capacity < n) {
        unsigned char *more = realloc(l->bytes, n);
        if (!more) {
            return imp_fail(IMP_ERR_MEMORY, "out of memory");
        }
        l->bytes = more;
        l->capacity = n;
    }
    if (n > 0) {
        memcpy(l->bytes, bytes, n);
    }
    MPI_Isend(l->bytes, (int)n, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &l->request);
    to->next = (to->next + 1) % LETTERS;
    return IMP_OK;
}

/* Takes a message out of the way. Its rest may never come, so that its buffer stays with MPI. */
static void discard(const MPI_Status *status, int size) {
    int arrived = 0;
    MPI_Request request;
    void *bytes = malloc((size_t)size + 1);
    if (bytes) {
        MPI_Irecv(bytes, size, MPI_BYTE, status->MPI_SOURCE, IMP_TAG_RESULT, MPI_COMM_WORLD,
                  &request);
        MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    }
    if (arrived) {
        free(bytes);
    } else if (bytes) {
        MPI_Request_free(&request);
    }
}

/* Begins to receive the next message, if there is one. */
static void begin(mpi_port *p) {
    MPI_Status status;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, IMP_TAG_RESULT, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        return;
    }
    MPI_Get_count(&status, MPI_BYTE, &p->size);
    p->from = status.MPI_SOURCE;
    if (p->others[p->from].forgotten) {
        discard(&status, p->size);
    } else {
        MPI_Irecv(p->message, p->size, MPI_BYTE, p->from, IMP_TAG_RESULT, MPI_COMM_WORLD,
                  &p->arriving);
    }
}

static const unsigned char *receive(void *context, int *rank, size_t *n) {
    mpi_port *p = context;
    int arrived = 0;
    if (p->correspondents > 0 && p->arriving == MPI_REQUEST_NULL) {
        begin(p);
    }
    if (p->arriving != MPI_REQUEST_NULL) {
        MPI_Test(&p->arriving, &arrived, MPI_STATUS_IGNORE);
    }
    if (!arrived) {
        return NULL;
    }
    *rank = p->from;
    *n = (size_t)p->size;
    p->message[p->size] = 0;
    return p->message;
}

static bool alive(void *context, int rank) {
    (void)context;
    return imp_node_alive(rank);
}

static void forget(void *context, int rank) {
    mpi_port *p = context;
    p->correspondents -= !p->others[rank].forgotten;
    p->others[rank].forgotten = true;
    if (p->arriving != MPI_REQUEST_NULL && p->from == rank) {
        MPI_Request_free(&p->arriving);
        p->arriving = MPI_REQUEST_NULL;
        p->message = malloc(p->longest + 1); /* the rest may still arrive in the old buffer */
        if (!p->message) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

imp_err imp_mpi_port_open(int ranks, size_t longest, imp_port *port) {
    mpi_port *p = calloc(1, sizeof *p);
    *port = (imp_port){now, rest, send, receive, alive, forget, p};
    if (p) {
        *p = (mpi_port){.others = calloc((size_t)ranks, sizeof *p->others),
                        .ranks = ranks,
                        .correspondents = ranks - 1,
                        .message = malloc(longest + 1),
                        .longest = longest,
                        .arriving = MPI_REQUEST_NULL};
    }
    for (int i = 0; p && p->others && i < ranks * LETTERS; i++) {
        p->others[i / LETTERS].letters[i % LETTERS].request = MPI_REQUEST_NULL;
    }
    return p && p->others && p->message ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
}

/* MPI may still use letters to a rank that was forgotten: they are not freed. */
void imp_mpi_port_close(imp_port *port) {
    mpi_port *p = port->context;
    for (int i = LETTERS; p && p->others && i < p->ranks * LETTERS; i++) { /* rank 0 has none */
        letter *l = &p->others[i / LETTERS].letters[i % LETTERS];
        if (!p->others[i / LETTERS].forgotten) {
            MPI_Wait(&l->request, MPI_STATUS_IGNORE);
            free(l->bytes);
        }
    }
    if (p) {
        free(p->others);
        free(p->message);
    }
    free(p);
    *port = (imp_port){0};
}
