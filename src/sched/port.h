/* What a leading rank needs of the ranks that it leads: messages, a clock, and news of deaths. MPI
 * implements it (mpi_port.c), and so does the simulator of the tests, where ranks, clock and
 * messages are virtual. */
#ifndef IMP_SCHED_PORT_H
#define IMP_SCHED_PORT_H

#include <stdbool.h>

#include "impact.h"

typedef struct imp_port {
    /* Seconds; only differences mean anything. */
    double (*now)(void *context);
    /* Sleeps for that many seconds. */
    void (*rest)(void *context, double seconds);
    /* Sends a copy of n bytes and does not wait for the receiver. IMP_ERR_MEMORY: nothing was
     * sent. */
    imp_err (*send)(void *context, int rank, int tag, const void *bytes, size_t n);
    /* The next message, of n bytes from *rank, if one has arrived whole; otherwise NULL. A zero
     * follows its last byte. It is valid until the next call. */
    const unsigned char *(*receive)(void *context, int *rank, size_t *n);
    /* False: the process of this rank has ended. True is no promise. */
    bool (*alive)(void *context, int rank);
    /* Nothing is sent to this rank again, and none of its messages arrives any more. */
    void (*forget)(void *context, int rank);
    void *context;
} imp_port;

/* Opens the port of MPI; `longest`: most bytes of a message to this rank. IMP_ERR_MEMORY; close it
 * even then. */
imp_err imp_mpi_port_open(int ranks, size_t longest, imp_port *port);
void imp_mpi_port_close(imp_port *port);

#endif
