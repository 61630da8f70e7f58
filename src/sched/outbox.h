/* The messages of a worker to rank 0: two results may be on their way while the next one is
 * computed. */
#ifndef IMP_SCHED_OUTBOX_H
#define IMP_SCHED_OUTBOX_H

#include <mpi.h>
#include <stddef.h>

#include "sched/message.h"

/* Start with the requests MPI_REQUEST_NULL, the rest 0. */
typedef struct imp_outbox {
    unsigned char *bytes[IMP_QUEUED];
    size_t capacity[IMP_QUEUED];
    MPI_Request request[IMP_QUEUED];
    int next;
} imp_outbox;

/* A buffer of at least `size` bytes that is not being sent; NULL when memory is out. */
unsigned char *imp_outbox_buffer(imp_outbox *box, size_t size);

/* Sends the first bytes of that buffer. */
void imp_outbox_send(imp_outbox *box, size_t size);

/* Waits until all is sent; then its buffers may be freed. */
void imp_outbox_wait(imp_outbox *box);
void imp_outbox_free(imp_outbox *box);

/* A rank that waits looks IMP_EAGER_LOOKS times without a pause, and then pauses between two
 * looks. */
enum { IMP_EAGER_LOOKS = 1000 };
void imp_outbox_pause(void);

/* Waits for the end of a message. It may need the help of rank 0, and ends with it. */
void imp_outbox_wait_for(MPI_Request *request);

#endif
