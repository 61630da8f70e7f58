/* What a rank needs of the world besides the map: messages, pauses, news of deaths and stops. MPI
 * implements it (mpi_port.c), and so does the simulator of the tests, where ranks, clock and
 * messages are virtual. */
#ifndef IMP_SCHED_PORT_H
#define IMP_SCHED_PORT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "impact.h"

/* Why rank 0 is done with a rank: its process has ended; it hangs, and the others go on without
 * it; it does not answer a stop. */
typedef enum imp_loss { IMP_DIED, IMP_GIVEN_UP, IMP_ABANDONED } imp_loss;

typedef struct imp_port {
    int rank, ranks;
    /* Sleeps for that many seconds, and longer the longer no message has come. */
    void (*rest)(void *context, double seconds);
    /* Sends the first n bytes of the message to a rank. It does not wait for the receiver, unless
     * earlier messages to that rank are still on their way. The port keeps the bytes and gives
     * those of an earlier message in return, or none. */
    void (*send)(void *context, int rank, int tag, imp_buffer *message, size_t n);
    /* The next message with this tag, of n bytes from *rank, if one has arrived whole; otherwise
     * NULL. A zero follows its last byte. It is valid until the next call. After a message with
     * one tag has begun to arrive, messages with other tags wait for it. */
    const unsigned char *(*receive)(void *context, int tag, int *rank, size_t *n);
    /* False: the process of this rank has ended. True is no promise. */
    bool (*alive)(void *context, int rank);
    /* For a worker: a rank that has died on its node, if rank 0 cannot see it; each once. -1: none
     * is known. */
    int (*dead_neighbour)(void *context);
    /* For rank 0: nothing is sent to this rank again, and none of its messages arrives any more. */
    void (*forget)(void *context, int rank, imp_loss why);
    /* Whether a stop signal has come to this rank, or its time is over. */
    bool (*stop_wanted)(void *context);
    /* Prints the text unless this is called again within `seconds`; 0: cancels. The text must live
     * until then. */
    void (*expect)(void *context, double seconds, const char *text);
    void *context;
} imp_port;

/* Opens the port of MPI for a rank of so many; `longest`: most bytes of a message to it.
 * IMP_ERR_MEMORY; close it even then. Closing waits until everything is sent. */
imp_err imp_mpi_port_open(int rank, int ranks, size_t longest, imp_port *port);
void imp_mpi_port_close(imp_port *port);

#endif
