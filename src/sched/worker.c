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

/* What a worker works with. */
typedef struct worker {
    const imp_sweep *sweep;
    imp_sweep summary;
    imp_evaluator *evaluator;
    imp_map *map; /* NULL if rank 0 writes */
    unsigned char *scratch;
    size_t scratch_size;
    outbox box;
    bool heard; /* rank 0 has said stop */
} worker;

/* A message without a block, after all that were sent before. */
static void send_text(worker *w, imp_result head, const char *text) {
    char message[sizeof(imp_result) + 1024] = {0};
    size_t length = strlen(text) < 1023 ? strlen(text) : 1023;
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, text, length);
    MPI_Waitall(IMP_QUEUED, w->box.request, MPI_STATUSES_IGNORE);
    MPI_Send(message, (int)(sizeof head + length), MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD);
}

static void send_error(worker *w, imp_err error, imp_order order) {
    imp_result head = {.first = order.first, .ordered = order.count, .error = error};
    send_text(w, head, imp_last_error());
}

/* Syncs what this rank wrote, and tells rank 0, which then marks those cells. */
static void sync(worker *w) {
    imp_result head = {.synced = 1, .error = imp_map_sync_values(w->map)};
    send_text(w, head, head.error ? imp_last_error() : "");
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
static imp_err compute(imp_evaluator *evaluator, imp_order order, unsigned char *block, bool *heard,
                       int64_t *done) {
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

static unsigned char *scratch(worker *w, size_t size) {
    if (w->scratch_size < size) {
        free(w->scratch);
        w->scratch = malloc(size);
        w->scratch_size = w->scratch ? size : 0;
    }
    return w->scratch;
}

/* Writes the values of a block into the map, and leaves in `rest` what rank 0 must know. */
static imp_err write_values(const worker *w, imp_order done, const unsigned char *block,
                            unsigned char *rest) {
    size_t n = (size_t)done.count;
    const unsigned char *outcomes = block + imp_block_offset(w->sweep, n, w->sweep->n_outputs);
    int mode = imp_sweep_position(w->sweep, "mode");
    memcpy(rest + imp_block_offset(&w->summary, n, w->summary.n_outputs), outcomes, n);
    if (mode >= 0) {
        memcpy(rest, block + imp_block_offset(w->sweep, n, mode), n);
    }
    return imp_map_write_values(w->map, done.first, n, block);
}

/* Computes one order and sends its result. */
static imp_err obey(worker *w, imp_order order) {
    size_t n = (size_t)order.count, size = imp_block_size(w->sweep, n);
    unsigned char *message = free_buffer(&w->box, sizeof(imp_result) + size);
    unsigned char *block = w->map ? scratch(w, size) : message + sizeof(imp_result);
    if (!message || !block) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    double start = MPI_Wtime();
    imp_order done = {order.first, 0};
    imp_err error = compute(w->evaluator, order, block, &w->heard, &done.count);
    if (!error && done.count < order.count) {
        imp_block_shrink(w->sweep, n, (size_t)done.count, block);
    }
    if (!error && w->map) {
        error = write_values(w, done, block, message + sizeof(imp_result));
    }
    if (error) {
        return error;
    }
    imp_result head = {.first = done.first,
                       .count = done.count,
                       .ordered = order.count,
                       .seconds = MPI_Wtime() - start,
                       .stopped = imp_ranks_stop_wanted()};
    memcpy(message, &head, sizeof head);
    send(&w->box,
         sizeof head + imp_block_size(w->map ? &w->summary : w->sweep, (size_t)done.count));
    if (w->map && imp_map_sync_is_due(w->map)) {
        sync(w);
    }
    return IMP_OK;
}

/* Obeys until rank 0 has nothing left. */
static imp_err serve(worker *w, imp_err error) {
    for (;;) {
        imp_order order;
        MPI_Recv(&order, sizeof order, MPI_BYTE, 0, IMP_TAG_WORK, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (order.count == 0) {
            return error;
        }
        error = error ? error : obey(w, order);
        if (error) {
            send_error(w, error, order);
        }
    }
}

imp_err imp_run_help(const imp_sweep *sweep, const char *path, imp_checkpoint checkpoint) {
    worker w = {.sweep = sweep,
                .summary = imp_summary_of(sweep),
                .box = {.request = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}}};
    imp_err error = imp_evaluator_open(sweep, &w.evaluator);
    if (!error && sweep->parallel_write) {
        error = imp_map_assist(path, sweep, checkpoint, &w.map);
    }
    error = serve(&w, error);
    if (!w.heard) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, IMP_TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (w.map) {
        sync(&w);
    } else if (sweep->parallel_write) {
        send_text(&w, (imp_result){.synced = 1, .error = error}, imp_last_error());
    }
    MPI_Waitall(IMP_QUEUED, w.box.request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < IMP_QUEUED; i++) {
        free(w.box.bytes[i]);
    }
    free(w.scratch);
    imp_map_close(&w.map);
    imp_evaluator_close(&w.evaluator);
    return error;
}
