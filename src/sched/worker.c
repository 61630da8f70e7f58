#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/message.h"
#include "sched/sched.h"
#include "solve/block.h"
#include "solve/evaluator.h"

/* A stop is looked for after about this long, or after every cell that takes longer. */
static const double slice_seconds = 20e-3;

/* Two results may be on their way while the next one is computed. */
typedef struct outbox {
    unsigned char *bytes[IMP_QUEUED];
    size_t capacity[IMP_QUEUED];
    MPI_Request request[IMP_QUEUED];
    int next;
} outbox;

/* A buffer of at least `size` bytes that is not being sent; NULL when memory is out. */
static unsigned char *free_buffer(outbox *box, size_t size) {
    int i = box->next;
    MPI_Wait(&box->request[i], MPI_STATUS_IGNORE);
    if (box->capacity[i] < size) {
        free(box->bytes[i]);
        box->bytes[i] = malloc(size);
        box->capacity[i] = box->bytes[i] ? size : 0;
    }
    return box->bytes[i];
}

static void send(outbox *box, size_t size) {
    int i = box->next;
    MPI_Isend(box->bytes[i], (int)size, MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD,
              &box->request[i]);
    box->next = (i + 1) % IMP_QUEUED;
}

static void send_error(outbox *box, imp_err error, imp_order order) {
    char message[sizeof(imp_result) + 1024] = {0};
    imp_result head = {order.first, 0, order.count, 0, 0, error};
    const char *text = imp_last_error();
    size_t length = strlen(text) < 1023 ? strlen(text) : 1023;
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, text, length);
    for (int i = 0; i < IMP_QUEUED; i++) {
        MPI_Wait(&box->request[i], MPI_STATUS_IGNORE);
    }
    MPI_Send(message, (int)(sizeof head + length), MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD);
}

/* Whether rank 0 has said stop, or a signal came here. */
static bool told_to_stop(bool *heard) {
    int waiting = 0;
    if (!*heard) {
        MPI_Iprobe(0, IMP_TAG_STOP, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
    }
    if (waiting) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, IMP_TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        *heard = true;
    }
    return *heard || imp_ranks_stop_wanted();
}

/* Computes the cells of an order in slices of about slice_seconds, so that a stop is heard soon
 * however long they take. *done: cells computed. */
static imp_err compute(imp_evaluator *evaluator, imp_order order, unsigned char *block,
                       bool *heard, int64_t *done) {
    int64_t slice = 1;
    *done = 0;
    while (*done < order.count && !told_to_stop(heard)) {
        int64_t n = order.count - *done < slice ? order.count - *done : slice;
        double start = MPI_Wtime();
        imp_err error = imp_evaluate(evaluator, order.first + *done, (size_t)n, block,
                                     (size_t)order.count, (size_t)*done);
        if (error) {
            return error;
        }
        double seconds = MPI_Wtime() - start;
        *done += n;
        slice = seconds < slice_seconds / 8 ? 8 * slice : seconds < slice_seconds ? slice : 1;
    }
    return IMP_OK;
}

/* Computes one order and sends its result. */
static imp_err obey(const imp_sweep *sweep, imp_evaluator *evaluator, outbox *box,
                    imp_order order, bool *heard) {
    size_t n = (size_t)order.count;
    unsigned char *bytes = free_buffer(box, sizeof(imp_result) + imp_block_size(sweep, n));
    if (!bytes) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    double start = MPI_Wtime();
    int64_t done;
    imp_err error = compute(evaluator, order, bytes + sizeof(imp_result), heard, &done);
    if (error) {
        return error;
    }
    if (done < order.count) {
        imp_block_shrink(sweep, n, (size_t)done, bytes + sizeof(imp_result));
    }
    imp_result head = {order.first,           done,  order.count, MPI_Wtime() - start,
                       imp_ranks_stop_wanted(), IMP_OK};
    memcpy(bytes, &head, sizeof head);
    send(box, sizeof head + imp_block_size(sweep, (size_t)done));
    return IMP_OK;
}

imp_err imp_run_help(const imp_sweep *sweep) {
    outbox box = {.request = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
    imp_evaluator *evaluator;
    imp_err error = imp_evaluator_open(sweep, &evaluator);
    bool heard = false;
    for (;;) {
        imp_order order;
        MPI_Recv(&order, sizeof order, MPI_BYTE, 0, IMP_TAG_WORK, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (order.count == 0) {
            break;
        }
        error = error ? error : obey(sweep, evaluator, &box, order, &heard);
        if (error) {
            send_error(&box, error, order);
        }
    }
    if (!heard) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, IMP_TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(IMP_QUEUED, box.request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < IMP_QUEUED; i++) {
        free(box.bytes[i]);
    }
    imp_evaluator_close(&evaluator);
    return error;
}
