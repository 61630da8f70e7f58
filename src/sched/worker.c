#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/deal.h"
#include "sched/ledger.h"
#include "sched/message.h"
#include "sched/node.h"
#include "sched/outbox.h"
#include "sched/sched.h"
#include "sched/slice.h"
#include "sched/tally.h"
#include "solve/evaluator.h"

/* The state of a worker. */
typedef struct worker {
    imp_layout layout;
    const imp_sweep *sweep;
    imp_sweep points; /* refined sweep: the points for the evaluator */
    imp_evaluator *evaluator;
    imp_map *map; /* NULL if rank 0 writes */
    struct {
        imp_interval order;
        imp_point points[IMP_POINTS_AT_ONCE];
    } * letter; /* the last order */
    unsigned char *scratch;
    size_t scratch_size;
    bool keeps_marks; /* until the next sync */
    struct {          /* cells that this rank has written since its last answer */
        imp_interval cells;
        imp_counts counts;
        double seconds, start;
    } written;
    imp_outbox box;
    imp_pace pace;
    const imp_run_options *options;
    int rank;
    imp_deal deal;
    imp_interval share; /* count 0: it is not under way, or the rest of it is given away */
    double share_start; /* imp_seconds_elapsed */
    int64_t given_away; /* cells of the share, of which the next answer tells */
    bool heard;         /* rank 0 has ordered a stop */
    bool told;          /* rank 0 has been told of a stop signal that came without an order */
    bool unsynced;      /* a sync failed, which a later one must not hide */
    double wait;        /* imp_longest_wait */
    double next_look;   /* for ranks of this node that have died */
} worker;

/* A message without a block, after all that were sent before. */
static void send_text(worker *w, imp_result head, const char *text) {
    char message[sizeof(imp_result) + IMP_LONGEST_REASON] = {0};
    size_t length = strnlen(text, IMP_LONGEST_REASON - 1);
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, text, length);
    imp_outbox_wait(&w->box);
    MPI_Send(message, (int)(sizeof head + length), MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD);
}

static void send_error(worker *w, imp_err error, imp_interval order) {
    imp_result head = {.kind = IMP_ANSWER, .returned = order.count, .error = error};
    send_text(w, head, imp_last_error());
}

/* Syncs the values that this rank wrote, marks their cells and tells rank 0; or reports an earlier
 * error. */
static void sync(worker *w, int64_t kind, imp_err error) {
    imp_result head = {.kind = kind, .error = error};
    if (w->map && !w->unsynced && !error) {
        head.error = (kind == IMP_LEAVING ? imp_map_finish : imp_map_sync)(w->map);
        w->unsynced = head.error != IMP_OK;
    }
    send_text(w, head, head.error ? imp_last_error() : "");
}

/* Syncs as soon as it is due, so that cells are marked in time. */
static void sync_in_time(worker *w) {
    if (w->map && !w->unsynced && imp_map_sync_is_due(w->map)) {
        sync(w, IMP_SYNCED, IMP_OK);
    }
}

/* Tells rank 0 of a rank that has died on this node, unless rank 0 sees it by itself. Without rank
 * 0 the job is over; ranks on nodes without it do not know. */
static void look_for_deaths(worker *w) {
    const double look_seconds = 0.5;
    double now = imp_seconds_elapsed();
    if (now < w->next_look) {
        return;
    }
    w->next_look = now + look_seconds;
    int dead = imp_node_watches(0) ? -1 : imp_node_dead_neighbour();
    if (dead >= 0) {
        send_text(w, (imp_result){.kind = IMP_DEATH, .first = dead}, "");
    }
    if (!imp_node_alive(0)) {
        imp_ranks_orphan();
    }
}

/* Whether rank 0 has ordered a stop, or this rank must stop by itself. */
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

static unsigned char *scratch(worker *w, size_t size) {
    if (w->scratch_size < size) {
        free(w->scratch);
        w->scratch = malloc(size);
        w->scratch_size = w->scratch ? size : 0;
    }
    return w->scratch;
}

/* ---- the share of a rank ---- */

/* Whether this rank has done half of what it should do of its share, so that the rest can be
 * divided anew. */
static bool share_is_due(const worker *w, const imp_task *task) {
    int64_t done = task->order.first + task->done - w->share.first;
    if (w->share.count == 0 || done == 0) {
        return false;
    }
    double spent = imp_seconds_elapsed() - w->share_start;
    double fair = spent / (double)done * (double)w->share.count;
    return spent >= imp_share_seconds(w->deal.ranks, fair) / 2;
}

/* Gives the rest of the share away, but for as many cells as are done: they last until orders can
 * come. */
static void give_rest_away(worker *w, imp_task *task) {
    int64_t done = task->order.first - w->share.first;
    w->given_away = task->order.count > done ? task->order.count - done : 0;
    task->order.count -= w->given_away;
    w->share.count = 0;
}

/* ---- a piece of an order ---- */

/* Solves cells of the task until it is due, or a stop comes. */
static imp_err compute(worker *w, imp_task *task, bool *stop) {
    imp_err error = IMP_OK;
    while (!error && !imp_task_is_due(task) && !share_is_due(w, task) &&
           !(*stop = told_to_stop(&w->heard))) {
        error = imp_task_go_on(task, w->evaluator, &w->pace);
        sync_in_time(w);
        look_for_deaths(w);
    }
    return error;
}

/* Sends an answer, of which `size` bytes follow its head. The rest of the order is still to be
 * done, or returned at a stop. */
static void send_answer(worker *w, const imp_task *task, bool stop, imp_result head,
                        unsigned char *message, size_t size) {
    head.kind = IMP_ANSWER;
    head.left = stop ? 0 : task->order.count;
    head.returned = (stop ? task->order.count : 0) + w->given_away;
    w->given_away = 0;
    head.stopped = imp_ranks_stop_wanted();
    memcpy(message, &head, sizeof head);
    imp_outbox_send(&w->box, sizeof head + size);
}

/* Computes a piece of the order and answers with it. */
static imp_err compute_and_send(worker *w, imp_task *task, bool *stop) {
    size_t size = imp_block_size(&w->layout, (size_t)imp_task_piece(task));
    unsigned char *message = imp_outbox_buffer(&w->box, sizeof(imp_result) + size);
    if (!message) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    task->block = message + sizeof(imp_result);
    imp_err error = compute(w, task, stop);
    if (!error) {
        imp_result head = {0};
        imp_interval done = imp_task_cut(task, &w->layout, &head.seconds);
        head.first = done.first;
        head.count = done.count;
        send_answer(w, task, *stop, head, message, imp_block_size(&w->layout, (size_t)done.count));
    }
    return error;
}

/* ---- a rank that writes ---- */

static void begin_answer(worker *w, int64_t first) {
    memset(&w->written, 0, sizeof w->written);
    w->written.cells.first = first;
    w->written.start = imp_seconds_elapsed();
}

/* Writes the finished cells of the task, which follow each other, and their marks. */
static imp_err write_piece(worker *w, imp_task *task) {
    double seconds;
    imp_interval done = imp_task_cut(task, &w->layout, &seconds);
    size_t n = (size_t)done.count;
    int64_t first = imp_deal_run(&w->deal, done.first, done.count).first;
    const uint8_t *outcomes = imp_block_outcomes(&w->layout, n, task->block);
    imp_err error = imp_map_write_values(w->map, first, n, task->block);
    error = error ? error : imp_map_mark(w->map, first, n, outcomes);
    imp_counts_add(&w->written.counts, n, outcomes, imp_block_modes(&w->layout, n, task->block));
    w->written.cells.count += done.count;
    w->written.seconds += seconds;
    return error;
}

/* Answers with the counts of what was written. */
static imp_err send_counts(worker *w, const imp_task *task, bool stop) {
    size_t size = sizeof w->written.counts;
    unsigned char *message = imp_outbox_buffer(&w->box, sizeof(imp_result) + size);
    if (!message) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    imp_result head = {.first = w->written.cells.first,
                       .count = w->written.cells.count,
                       .unsynced = w->keeps_marks,
                       .seconds = w->written.seconds};
    memcpy(message + sizeof head, &w->written.counts, size);
    send_answer(w, task, stop, head, message, size);
    begin_answer(w, task->order.first);
    return IMP_OK;
}

/* Computes a piece of the order and writes it. Answers when the order is over or takes long. */
static imp_err compute_and_write(worker *w, imp_task *task, bool *stop) {
    task->block = scratch(w, imp_block_size(&w->layout, (size_t)imp_task_piece(task)));
    if (!task->block) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    imp_err error = compute(w, task, stop);
    bool due = share_is_due(w, task);
    error = error ? error : write_piece(w, task);
    if (due) {
        give_rest_away(w, task);
    }
    bool late = imp_seconds_elapsed() - w->written.start >= w->wait;
    if (!error && (late || due || *stop || task->order.count == 0)) {
        error = send_counts(w, task, *stop);
        sync_in_time(w);
    }
    return error;
}

/* ---- orders ---- */

/* Computes one order and sends its results, in one answer or, if it takes long, several. */
static imp_err obey(worker *w, imp_interval order) {
    imp_task task = {.order = order,
                     .deal = &w->deal,
                     .room = imp_most_cells(w->sweep),
                     .start = imp_seconds_elapsed(),
                     .wait = w->wait};
    imp_err error = IMP_OK;
    bool stop = false;
    if (imp_sweep_is_refined(w->sweep)) {
        task.origin = order.first;
        imp_points_set(w->sweep, w->letter->points, (size_t)order.count, &w->points);
    }
    begin_answer(w, order.first);
    while (!error && !stop && task.order.count > 0) {
        error = (w->map ? compute_and_write : compute_and_send)(w, &task, &stop);
    }
    return error;
}

/* Waits for an order; meanwhile syncs, and passes on a stop. */
static imp_interval next_order(worker *w) {
    int waiting = 0;
    for (int looks = 0; !waiting; looks += looks < IMP_EAGER_LOOKS) {
        MPI_Iprobe(0, IMP_TAG_WORK, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
        if (!waiting && looks == IMP_EAGER_LOOKS) {
            sync_in_time(w);
            look_for_deaths(w);
            if (!w->told && imp_ranks_stop_wanted()) {
                w->told = true;
                send_text(w, (imp_result){.kind = IMP_STOP_HEARD, .stopped = 1}, "");
            }
            imp_outbox_pause();
        }
    }
    MPI_Recv(w->letter, sizeof *w->letter, MPI_BYTE, 0, IMP_TAG_WORK, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return w->letter->order;
}

/* Begins with the share of this rank, for which rank 0 sends no order. */
static imp_err take_share(worker *w, imp_err error) {
    imp_interval share = imp_deal_share(&w->deal, w->rank), first = share;
    if (!w->deal.dealt || share.count == 0) {
        return error;
    }
    if (w->options->chunk > 0 && w->options->chunk < share.count) {
        first.count = w->options->chunk;
        w->given_away = share.count - first.count;
    } else if (w->options->chunk == 0) {
        w->share = share;
        w->share_start = imp_seconds_elapsed();
    }
    error = error ? error : obey(w, first);
    w->share.count = 0;
    if (error) {
        send_error(w, error, share);
    }
    return error;
}

/* Obeys until rank 0 has nothing left. */
static imp_err serve(worker *w, imp_err error) {
    error = take_share(w, error);
    for (;;) {
        imp_interval order = next_order(w);
        if (order.count == 0) {
            return error;
        }
        error = error ? error : obey(w, order);
        if (error) {
            send_error(w, error, order);
        }
    }
}

static imp_err open_evaluator(worker *w) {
    bool refined = imp_sweep_is_refined(w->sweep);
    imp_err error = refined ? imp_points_open(w->sweep, &w->points) : IMP_OK;
    return error ? error : imp_evaluator_open(refined ? &w->points : w->sweep, &w->evaluator);
}

imp_err imp_run_worker(const imp_sweep *sweep, const char *path, imp_checkpoint checkpoint,
                       const imp_run_options *options) {
    worker w = {.sweep = sweep,
                .layout = imp_layout_of(sweep),
                .letter = malloc(sizeof *w.letter),
                .options = options,
                .keeps_marks = checkpoint.period > 0,
                .box = {.request = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}}};
    if (!w.letter) {
        MPI_Abort(MPI_COMM_WORLD, 1); /* there is no memory for orders */
    }
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    w.deal = imp_deal_sweep(sweep, ranks, options->shares);
    w.wait = imp_longest_wait(ranks);
    imp_err error = open_evaluator(&w);
    if (!error && imp_sweep_writes_in_parallel(sweep)) {
        error = imp_map_open_shared(path, sweep, checkpoint, &w.map);
    }
    error = serve(&w, error);
    if (!w.heard) {
        MPI_Request stop;
        MPI_Irecv(NULL, 0, MPI_BYTE, 0, IMP_TAG_STOP, MPI_COMM_WORLD, &stop);
        imp_outbox_wait_for(&stop);
    }
    sync(&w, IMP_LEAVING, error);
    imp_outbox_wait(&w.box);
    imp_outbox_free(&w.box);
    free(w.scratch);
    free(w.letter);
    imp_map_close(&w.map);
    imp_evaluator_close(&w.evaluator);
    if (imp_sweep_is_refined(sweep)) {
        imp_points_close(&w.points);
    }
    return error;
}
