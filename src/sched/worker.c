#include "sched/worker.h"

#include <mpi.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/deal.h"
#include "sched/ledger.h"
#include "sched/message.h"
#include "sched/slice.h"
#include "sched/tally.h"
#include "solve/evaluator.h"

/* The state of a worker. */
typedef struct worker {
    imp_layout layout;
    const imp_sweep *sweep;
    const imp_run_options *options;
    const imp_port *port;
    imp_sweep points; /* refined sweep: the points for the evaluator */
    imp_evaluator *evaluator;
    imp_map *map;                   /* NULL if rank 0 writes */
    imp_buffer answer, text, block; /* block: of a rank that writes */
    struct {                        /* cells that this rank has written since its last answer */
        imp_interval cells;
        imp_counts counts;
        double seconds, start;
    } written;
    imp_pace pace;
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

/* ---- messages ---- */

static bool stop_wanted(const worker *w) {
    return w->port->stop_wanted(w->port->context);
}

static const unsigned char *receive(const worker *w, int tag) {
    int rank;
    size_t n;
    return w->port->receive(w->port->context, tag, &rank, &n);
}

/* A message without a block. */
static void send_text(worker *w, imp_result head, const char *text) {
    size_t length = strnlen(text, IMP_LONGEST_REASON - 1);
    unsigned char *bytes = imp_buffer_reserve(&w->text, sizeof head + length);
    if (!bytes) {
        MPI_Abort(MPI_COMM_WORLD, 1); /* rank 0 cannot be told */
        return;
    }
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, text, length);
    w->port->send(w->port->context, 0, IMP_TAG_RESULT, &w->text, sizeof head + length);
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

/* Tells rank 0 of the ranks that have died on this node, unless rank 0 sees them by itself. */
static void tell_deaths(worker *w) {
    for (int dead; (dead = w->port->dead_neighbour(w->port->context)) >= 0;) {
        send_text(w, (imp_result){.kind = IMP_DEATH, .first = dead}, "");
    }
}

/* Looks for deaths from time to time. Without rank 0 the job is over; ranks on nodes without it do
 * not know. */
static void look_for_deaths(worker *w) {
    const double look_seconds = 0.5;
    double now = imp_seconds_elapsed();
    if (now < w->next_look) {
        return;
    }
    w->next_look = now + look_seconds;
    tell_deaths(w);
    if (!w->port->alive(w->port->context, 0)) {
        imp_ranks_orphan();
    }
}

/* Whether rank 0 has ordered a stop, or this rank must stop by itself. */
static bool told_to_stop(worker *w) {
    w->heard = w->heard || receive(w, IMP_TAG_STOP);
    return w->heard || stop_wanted(w);
}

/* Waits for a message; meanwhile syncs, and passes on a stop. */
static const unsigned char *wait_for(worker *w, int tag) {
    enum { EAGER_LOOKS = 1000 }; /* without a pause: the next order may come at once */
    const double pause = 50e-6;
    const unsigned char *message;
    for (int looks = 0; !(message = receive(w, tag)); looks += looks < EAGER_LOOKS) {
        if (looks < EAGER_LOOKS) {
            continue;
        }
        sync_in_time(w);
        look_for_deaths(w);
        if (!w->told && stop_wanted(w)) {
            w->told = true;
            send_text(w, (imp_result){.kind = IMP_STOP_HEARD, .stopped = 1}, "");
        }
        w->port->rest(w->port->context, pause);
    }
    return message;
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

/* Gives the rest of the share away, but keeps as many cells as are done: these last until orders
 * can come. */
static void give_rest_away(worker *w, imp_task *task) {
    int64_t done = task->order.first - w->share.first;
    w->given_away = task->order.count > done ? task->order.count - done : 0;
    task->order.count -= w->given_away;
    w->share.count = 0;
}

/* ---- a stretch of an order ---- */

/* Solves cells of the task until it is due, or a stop comes. */
static imp_err compute(worker *w, imp_task *task, bool *stop) {
    imp_err error = IMP_OK;
    while (!error && !imp_task_is_due(task) && !share_is_due(w, task) &&
           !(*stop = told_to_stop(w))) {
        error = imp_task_go_on(task, w->evaluator, &w->pace);
        sync_in_time(w);
        look_for_deaths(w);
    }
    return error;
}

/* Sends the answer, of which `size` bytes follow its head. The rest of the order is still to be
 * done, or returned at a stop. */
static void send_answer(worker *w, const imp_task *task, bool stop, imp_result head, size_t size) {
    head.kind = IMP_ANSWER;
    head.left = stop ? 0 : task->order.count;
    head.returned = (stop ? task->order.count : 0) + w->given_away;
    w->given_away = 0;
    head.stopped = stop_wanted(w);
    memcpy(w->answer.bytes, &head, sizeof head);
    w->port->send(w->port->context, 0, IMP_TAG_RESULT, &w->answer, sizeof head + size);
}

/* Computes a stretch of the order and answers with it. */
static imp_err compute_and_send(worker *w, imp_task *task, bool *stop) {
    size_t size = imp_block_size(&w->layout, (size_t)imp_task_stretch(task));
    unsigned char *message = imp_buffer_reserve(&w->answer, sizeof(imp_result) + size);
    if (!message) {
        return imp_out_of_memory();
    }
    task->block = message + sizeof(imp_result);
    imp_err error = compute(w, task, stop);
    if (!error) {
        imp_result head = {0};
        imp_interval done = imp_task_cut(task, &w->layout, &head.seconds);
        head.first = done.first;
        head.count = done.count;
        send_answer(w, task, *stop, head, imp_block_size(&w->layout, (size_t)done.count));
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
static imp_err write_stretch(worker *w, imp_task *task) {
    double seconds;
    imp_interval done = imp_task_cut(task, &w->layout, &seconds);
    size_t n = (size_t)done.count;
    int64_t first = imp_deal_stretch(&w->deal, done.first, done.count).first;
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
    imp_result head = {.first = w->written.cells.first,
                       .count = w->written.cells.count,
                       .unsynced = imp_map_keeps_marks(w->map),
                       .seconds = w->written.seconds};
    size_t size = sizeof w->written.counts;
    if (!imp_buffer_reserve(&w->answer, sizeof head + size)) {
        return imp_out_of_memory();
    }
    memcpy(w->answer.bytes + sizeof head, &w->written.counts, size);
    send_answer(w, task, stop, head, size);
    begin_answer(w, task->order.first);
    return IMP_OK;
}

/* Computes a stretch of the order and writes it. Answers when the order is over or takes long. */
static imp_err compute_and_write(worker *w, imp_task *task, bool *stop) {
    size_t size = imp_block_size(&w->layout, (size_t)imp_task_stretch(task));
    task->block = imp_buffer_reserve(&w->block, size);
    if (!task->block) {
        return imp_out_of_memory();
    }
    imp_err error = compute(w, task, stop);
    bool due = share_is_due(w, task);
    error = error ? error : write_stretch(w, task);
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

/* Computes one order and sends its results, in one answer or, if it takes long, several. points: of
 * its cells, in a refined sweep. */
static imp_err obey(worker *w, imp_interval order, const void *points) {
    imp_task task = {.order = order,
                     .deal = &w->deal,
                     .room = imp_most_cells(w->sweep),
                     .start = imp_seconds_elapsed(),
                     .wait = w->wait};
    imp_err error = IMP_OK;
    bool stop = false;
    if (imp_sweep_is_refined(w->sweep)) {
        task.origin = order.first;
        imp_points_set(w->sweep, points, (size_t)order.count, &w->points);
    }
    begin_answer(w, order.first);
    while (!error && !stop && task.order.count > 0) {
        error = (w->map ? compute_and_write : compute_and_send)(w, &task, &stop);
    }
    return error;
}

/* Begins with the share of this rank, for which rank 0 sends no order. */
static imp_err take_share(worker *w, imp_err error) {
    imp_interval share = imp_deal_share(&w->deal, w->port->rank), first = share;
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
    error = error ? error : obey(w, first, NULL);
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
        const unsigned char *letter = wait_for(w, IMP_TAG_WORK);
        imp_interval order;
        memcpy(&order, letter, sizeof order);
        if (order.count == 0) {
            return error;
        }
        error = error ? error : obey(w, order, letter + sizeof order);
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

imp_err imp_work(const imp_sweep *sweep, imp_map *map, imp_err error,
                 const imp_run_options *options, const imp_port *port) {
    worker w = {.sweep = sweep,
                .layout = imp_layout_of(sweep),
                .map = map,
                .options = options,
                .port = port,
                .pace.guest = sweep->owned,
                .deal = imp_deal_sweep(sweep, port->ranks, options->shares),
                .wait = imp_longest_wait(port->ranks)};
    error = error ? error : open_evaluator(&w);
    error = serve(&w, error);
    if (!w.heard) {
        wait_for(&w, IMP_TAG_STOP);
    }
    tell_deaths(&w); /* nobody else may be left to do so */
    sync(&w, IMP_LEAVING, error);
    imp_buffer_free(&w.answer);
    imp_buffer_free(&w.text);
    imp_buffer_free(&w.block);
    imp_evaluator_close(&w.evaluator);
    if (imp_sweep_is_refined(sweep)) {
        imp_points_close(&w.points);
    }
    return error;
}

imp_err imp_run_worker(const imp_sweep *sweep, const char *path, imp_checkpoint checkpoint,
                       const imp_run_options *options) {
    const size_t longest = sizeof(imp_interval) + IMP_POINTS_AT_ONCE * sizeof(imp_point);
    int rank = 0, ranks = 1;
    imp_port port;
    imp_map *map = NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (imp_mpi_port_open(rank, ranks, longest, &port)) {
        MPI_Abort(MPI_COMM_WORLD, 1); /* there is no memory for orders */
    }
    imp_err error = imp_sweep_writes_in_parallel(sweep)
                        ? imp_map_open_shared(path, sweep, checkpoint, &map)
                        : IMP_OK;
    error = imp_work(sweep, map, error, options, &port);
    imp_mpi_port_close(&port);
    imp_map_close(&map);
    return error;
}
