#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/message.h"
#include "sched/node.h"
#include "sched/port.h"
#include "sched/sched.h"

/* A message on its way. MPI may need the help of the receiver to send it, and the receiver may be
 * in a long cell, so it is sent without waiting. */
typedef struct letter {
    imp_buffer message;
    MPI_Request request;
} letter;

/* Most letters under way to one rank. Rank 0: orders, the order that nothing is left, and the stop,
 * so that it never waits for a worker. A worker: answers, of which each may have 4 MiB. */
enum { LETTERS_OF_LEAD = IMP_QUEUED + 2, LETTERS_OF_WORKER = IMP_QUEUED };

typedef struct correspondent {
    letter letters[LETTERS_OF_LEAD];
    int next;
    bool forgotten;
} correspondent;

typedef struct mpi_port {
    correspondent *others; /* by rank; a worker has rank 0 alone */
    int n_others, letters;
    int correspondents;     /* ranks that may send something */
    double rested;          /* seconds since the last message */
    unsigned char *message; /* the last one, with room for `longest` bytes and a zero */
    size_t longest;
    MPI_Request arriving; /* a message whose beginning has arrived */
    int from, tag, size;
} mpi_port;

/* How often a rank that waits looks for a message before it pauses. */
enum { EAGER_LOOKS = 1000 };

/* Waits until a message is sent. It may need the help of rank 0, and ends with it. Rank 0 itself
 * waits only for letters that have been answered. */
static void wait_until_sent(MPI_Request *request) {
    double waited = 0;
    int sent = *request == MPI_REQUEST_NULL;
    for (int looks = 1; !sent; looks++) {
        MPI_Test(request, &sent, MPI_STATUS_IGNORE);
        if (!sent && looks > EAGER_LOOKS) {
            if (looks % EAGER_LOOKS == 0 && !imp_node_alive(0)) {
                imp_ranks_orphan();
            }
            double pause = imp_next_pause(50e-6, waited);
            imp_pause(pause);
            waited += pause;
        }
    }
}

static void rest(void *context, double seconds) {
    mpi_port *p = context;
    double pause = imp_next_pause(seconds, p->rested);
    imp_pause(pause);
    p->rested += pause;
}

static void send(void *context, int rank, int tag, imp_buffer *message, size_t n) {
    mpi_port *p = context;
    correspondent *to = &p->others[rank];
    letter *l = &to->letters[to->next];
    assert(rank < p->n_others && !to->forgotten && n <= message->room);
    wait_until_sent(&l->request);
    imp_buffer sent = l->message;
    l->message = *message;
    *message = sent;
    MPI_Isend(l->message.bytes, (int)n, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &l->request);
    to->next = (to->next + 1) % p->letters;
}

/* Takes a message out of the way. Its rest may never come, so that its buffer stays with MPI. */
static void discard(const MPI_Status *status, int size) {
    int arrived = 0;
    MPI_Request request;
    void *bytes = malloc((size_t)size + 1);
    if (bytes) {
        MPI_Irecv(bytes, size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD,
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
static void begin(mpi_port *p, int tag) {
    MPI_Status status;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        return;
    }
    MPI_Get_count(&status, MPI_BYTE, &p->size);
    p->from = status.MPI_SOURCE;
    p->tag = tag;
    assert(p->from < p->n_others && (size_t)p->size <= p->longest);
    if (p->others[p->from].forgotten) {
        discard(&status, p->size);
    } else {
        MPI_Irecv(p->message, p->size, MPI_BYTE, p->from, tag, MPI_COMM_WORLD, &p->arriving);
    }
}

static const unsigned char *receive(void *context, int tag, int *rank, size_t *n) {
    mpi_port *p = context;
    int arrived = 0;
    if (p->correspondents > 0 && p->arriving == MPI_REQUEST_NULL) {
        begin(p, tag);
    }
    if (p->arriving != MPI_REQUEST_NULL && p->tag == tag) {
        MPI_Test(&p->arriving, &arrived, MPI_STATUS_IGNORE);
    }
    if (!arrived) {
        return NULL;
    }
    p->rested = 0;
    *rank = p->from;
    *n = (size_t)p->size;
    p->message[p->size] = 0;
    return p->message;
}

static bool alive(void *context, int rank) {
    (void)context;
    return imp_node_alive(rank);
}

static int dead_neighbour(void *context) {
    (void)context;
    return imp_node_watches(0) ? -1 : imp_node_dead_neighbour();
}

static void forget(void *context, int rank, imp_loss why) {
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
    if (why == IMP_GIVEN_UP) {
        imp_ranks_give_up(rank);
    } else if (why == IMP_ABANDONED) {
        imp_ranks_abandon(rank);
    }
}

static bool stop_wanted(void *context) {
    (void)context;
    return imp_ranks_stop_wanted();
}

static void expect(void *context, double seconds, const char *text) {
    (void)context;
    imp_ranks_expect(seconds, text);
}

static letter *letter_of(const mpi_port *p, int i) {
    return &p->others[i / LETTERS_OF_LEAD].letters[i % LETTERS_OF_LEAD];
}

imp_err imp_mpi_port_open(int rank, int ranks, size_t longest, imp_port *port) {
    bool leads = rank == 0;
    int n_others = leads ? ranks : 1;
    mpi_port *p = calloc(1, sizeof *p);
    *port = (imp_port){.rank = rank,
                       .ranks = ranks,
                       .rest = rest,
                       .send = send,
                       .receive = receive,
                       .alive = alive,
                       .dead_neighbour = dead_neighbour,
                       .forget = forget,
                       .stop_wanted = stop_wanted,
                       .expect = expect,
                       .context = p};
    if (p) {
        *p = (mpi_port){.others = calloc((size_t)n_others, sizeof *p->others),
                        .n_others = n_others,
                        .letters = leads ? LETTERS_OF_LEAD : LETTERS_OF_WORKER,
                        .correspondents = leads ? ranks - 1 : 1,
                        .message = malloc(longest + 1),
                        .longest = longest,
                        .arriving = MPI_REQUEST_NULL};
    }
    for (int i = 0; p && p->others && i < n_others * LETTERS_OF_LEAD; i++) {
        letter_of(p, i)->request = MPI_REQUEST_NULL;
    }
    return p && p->others && p->message ? IMP_OK : imp_out_of_memory();
}

/* MPI may still use letters to a rank that was forgotten: they are not freed. */
void imp_mpi_port_close(imp_port *port) {
    mpi_port *p = port->context;
    for (int i = 0; p && p->others && i < p->n_others * LETTERS_OF_LEAD; i++) {
        if (!p->others[i / LETTERS_OF_LEAD].forgotten) {
            wait_until_sent(&letter_of(p, i)->request);
            imp_buffer_free(&letter_of(p, i)->message);
        }
    }
    if (p) {
        free(p->others);
        free(p->message);
    }
    free(p);
    *port = (imp_port){0};
}
