#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "sched/ledger.h"
#include "sched/message.h"
#include "sched/sched.h"
#include "sched/slice.h"
#include "solve/block.h"
#include "solve/evaluator.h"

/* Rank 0 takes only so much at a time where others compute too, so that all end together. */
static const double own_seconds = 200e-6;

/* How often it looks whether the file is still where it was. */
static const double look_seconds = 1;

/* What rank 0 knows of a rank. */
typedef struct worker {
    imp_order orders[IMP_QUEUED]; /* under way, the oldest first */
    int n;
    double heard;  /* when it last said something or was given the first of its orders */
    bool reported; /* as silent, since then */
    bool solved;   /* at least one cell */
} worker;

typedef struct lead {
    const imp_sweep *sweep;
    imp_map *map;
    const imp_run_options *options;
    imp_tally *tally;
    imp_ledger *ledger;
    imp_evaluator *evaluator;
    unsigned char *message; /* the last one that arrived */
    size_t message_capacity;
    imp_task own; /* what rank 0 computes itself; an order of 0 cells: nothing */
    size_t own_capacity;
    imp_pace pace;
    worker *workers;    /* by rank */
    int ranks, waiting; /* waiting: orders under way at all workers */
    int64_t returned;   /* cells of orders that were cut short */
    bool stopping;      /* the workers have been told */
    double start, next_report, next_look;
    imp_sweep summary; /* layout of blocks from ranks that write by themselves */
    imp_err error;
} lead;

/* Memory of at least `size` bytes, instead of what was there; NULL when memory is out. */
static unsigned char *room(unsigned char **bytes, size_t *capacity, size_t size) {
    if (*capacity < size) {
        free(*bytes);
        *bytes = malloc(size);
        *capacity = *bytes ? size : 0;
    }
    return *bytes;
}

static void count(lead *l, const uint8_t *outcomes, const int8_t *modes, size_t n) {
    int64_t outcome[256] = {0}, mode[256] = {0};
    for (size_t i = 0; i < n; i++) {
        outcome[outcomes[i]]++;
        mode[modes ? (uint8_t)modes[i] : 0]++;
    }
    for (int i = 1; i < IMP_OUTCOME_COUNT; i++) {
        l->tally->outcomes[i] += outcome[i];
        l->tally->done += outcome[i];
    }
    for (int i = 1; i < 64; i++) {
        l->tally->modes[i] += mode[i];
    }
}

/* ---- what is pending ---- */

static imp_err add_pending(lead *l, int64_t first, const uint8_t *outcomes, size_t n) {
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < n;) {
        size_t end = i;
        bool pending = outcomes[i] == IMP_PENDING;
        while (end < n && (outcomes[end] == IMP_PENDING) == pending) {
            end++;
        }
        if (pending) {
            error = imp_ledger_add(l->ledger, first + (int64_t)i, (int64_t)(end - i));
        }
        i = end;
    }
    return error;
}

static imp_err survey(lead *l) {
    enum { AT_ONCE = 1 << 20 };
    uint8_t *outcomes = malloc(AT_ONCE);
    int8_t *modes = malloc(AT_ONCE);
    imp_err error = outcomes && modes ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
    for (int64_t first = 0; !error && first < l->tally->cells; first += AT_ONCE) {
        int64_t left = l->tally->cells - first;
        size_t n = left < AT_ONCE ? (size_t)left : AT_ONCE;
        error = imp_map_read(l->map, first, n, outcomes, modes);
        if (!error) {
            count(l, outcomes, modes, n);
            error = add_pending(l, first, outcomes, n);
        }
    }
    l->tally->done_before = l->tally->done;
    free(outcomes);
    free(modes);
    return error;
}

/* ---- results ---- */

/* Counts what a block says, which has the layout of `sweep`. */
static void tally_block(lead *l, const imp_sweep *sweep, size_t n, const unsigned char *block,
                        double seconds, int rank) {
    int mode = imp_sweep_position(sweep, "mode");
    size_t modes = mode < 0 ? 0 : imp_block_offset(sweep, n, mode);
    count(l, block + imp_block_offset(sweep, n, sweep->n_outputs),
          mode < 0 ? NULL : (const int8_t *)block + modes, n);
    imp_ledger_measured(l->ledger, (int64_t)n, seconds);
    l->tally->computing += seconds;
    l->tally->chunks++;
    l->tally->ranks_that_solved += !l->workers[rank].solved;
    l->workers[rank].solved = true;
}

/* A block of values, from this rank or another. */
static void store(lead *l, int64_t first, size_t n, const unsigned char *block, double seconds,
                  int rank) {
    l->error = l->error ? l->error : imp_map_write(l->map, first, n, block);
    if (!l->error) {
        tally_block(l, l->sweep, n, block, seconds, rank);
    }
}

/* What another rank says of cells whose values it wrote. */
static void mark(lead *l, int64_t first, size_t n, const unsigned char *block, double seconds,
                 int rank) {
    const unsigned char *outcomes = block + imp_block_offset(&l->summary, n, l->summary.n_outputs);
    l->error = l->error ? l->error : imp_map_mark(l->map, rank, first, n, outcomes);
    if (!l->error) {
        tally_block(l, &l->summary, n, block, seconds, rank);
    }
}

static void report(lead *l) {
    imp_tally *t = l->tally;
    t->elapsed = MPI_Wtime() - l->start;
    double done = (double)(t->done - t->done_before);
    t->left = done > 0 ? t->elapsed / done * (double)(t->cells - t->done) : 0;
    if (l->options->period > 0 && t->elapsed >= l->next_report) {
        l->next_report = t->elapsed + l->options->period;
        l->options->report(l->options->context, t);
    }
}

/* ---- talking to workers ---- */

static void tell_to_stop(lead *l) {
    for (int rank = 1; rank < l->ranks && !l->stopping; rank++) {
        MPI_Send(NULL, 0, MPI_BYTE, rank, IMP_TAG_STOP, MPI_COMM_WORLD);
    }
    l->stopping = true;
}

static bool stopping(lead *l) {
    if (imp_ranks_stop_wanted() || l->error) {
        tell_to_stop(l);
    }
    return l->stopping;
}

static void hand_out(lead *l, int rank) {
    worker *w = &l->workers[rank];
    while (w->n < IMP_QUEUED && !stopping(l)) {
        imp_chunk chunk = imp_ledger_take(l->ledger, INFINITY);
        if (chunk.count == 0) {
            return;
        }
        imp_order order = {chunk.first, chunk.count};
        MPI_Send(&order, sizeof order, MPI_BYTE, rank, IMP_TAG_WORK, MPI_COMM_WORLD);
        if (w->n == 0) {
            w->heard = MPI_Wtime();
            w->reported = false;
        }
        w->orders[w->n++] = order;
        l->waiting++;
    }
}

/* The rank has answered to its oldest order: wholly, or with `left` cells to come. */
static void note_answer(lead *l, int rank, int64_t left) {
    worker *w = &l->workers[rank];
    if (left > 0) {
        w->orders[0].first += w->orders[0].count - left;
        w->orders[0].count = left;
    } else {
        w->orders[0] = w->orders[1];
        w->n--;
        l->waiting--;
    }
    w->heard = MPI_Wtime();
    w->reported = false;
}

static void note_error(lead *l, int rank, const imp_result *head, const unsigned char *text) {
    if (head->error && !l->error) {
        l->error = imp_fail((imp_err)head->error, "rank %d: %s", rank, (const char *)text);
    }
}

static void take_answer(lead *l, int rank, const imp_result *head, const unsigned char *block) {
    note_answer(l, rank, head->left);
    l->returned += head->returned;
    if (!head->error && head->count > 0) {
        (l->sweep->parallel_write ? mark : store)(l, head->first, (size_t)head->count, block,
                                                  head->seconds, rank);
    }
    hand_out(l, rank);
}

/* Receives a message that has arrived; its kind. What cannot be kept is received all the same, so
 * that the worker goes on. */
static int64_t receive(lead *l, const MPI_Status *status) {
    int size = 0, rank = status->MPI_SOURCE;
    MPI_Get_count(status, MPI_BYTE, &size);
    unsigned char *bytes = room(&l->message, &l->message_capacity, (size_t)size + 1);
    if (!bytes) {
        MPI_Abort(MPI_COMM_WORLD, 1); /* not even a message fits: nothing orderly is left */
        return IMP_LEAVING;
    }
    MPI_Recv(bytes, size, MPI_BYTE, rank, IMP_TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bytes[size] = 0;
    imp_result head;
    memcpy(&head, bytes, sizeof head);
    note_error(l, rank, &head, bytes + sizeof head);
    if (head.stopped) {
        tell_to_stop(l);
    }
    if (head.kind == IMP_ANSWER) {
        take_answer(l, rank, &head, bytes + sizeof head);
    } else if (head.kind != IMP_STOP_HEARD && !l->error) {
        l->error = imp_map_commit(l->map, rank);
    }
    return head.kind;
}

enum { SILENCE_BYTES = 160 };

static void say_silent(int rank, double seconds, const imp_order *order, char text[SILENCE_BYTES]) {
    snprintf(text, SILENCE_BYTES,
             "impactsweep: rank %d has been silent for %.3g s; it has the cells %lld to %lld\n",
             rank, seconds, (long long)order->first, (long long)(order->first + order->count - 1));
}

/* Ranks that have had work for long and said nothing. */
static void look_for_silence(lead *l) {
    double now = MPI_Wtime();
    for (int rank = 1; rank < l->ranks && l->options->silence > 0; rank++) {
        worker *w = &l->workers[rank];
        if (w->n > 0 && !w->reported && now - w->heard >= l->options->silence) {
            char text[SILENCE_BYTES];
            w->reported = true;
            say_silent(rank, now - w->heard, &w->orders[0], text);
            fputs(text, stderr);
        }
    }
}

/* ---- rank 0's own cells ---- */

/* Writes what rank 0 has done of its own chunk. */
static void hand_over(lead *l) {
    double seconds;
    imp_order done = imp_task_cut(&l->own, l->sweep, &seconds);
    if (done.count > 0) {
        store(l, done.first, (size_t)done.count, l->own.block, seconds, 0);
    }
}

/* Leaves pending what is not done of it. */
static void give_up(lead *l) {
    if (l->own.order.count > 0) {
        hand_over(l);
        l->returned += l->own.order.count;
        l->own.order.count = 0;
    }
}

static void begin(lead *l) {
    imp_chunk chunk = imp_ledger_take(l->ledger, l->ranks > 1 ? own_seconds : INFINITY);
    size_t size = imp_block_size(l->sweep, (size_t)chunk.count);
    l->own.order = (imp_order){chunk.first, chunk.count};
    l->own.start = MPI_Wtime();
    if (!room(&l->own.block, &l->own_capacity, size)) {
        l->error = imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
}

/* One slice of rank 0's own chunk, of which there is one or will be. */
static void compute(lead *l) {
    if (l->own.order.count == 0) {
        begin(l);
    }
    /* In a cell of its own rank 0 hears nobody, and cannot say so but by a timer. */
    static char text[SILENCE_BYTES];
    if (l->options->silence > 0) {
        say_silent(0, l->options->silence, &l->own.order, text);
        imp_ranks_expect(l->options->silence, text);
    }
    l->error = l->error ? l->error : imp_task_go_on(&l->own, l->evaluator, &l->pace);
    imp_ranks_expect(0, NULL);
    if (!l->error && imp_task_is_due(&l->own)) {
        hand_over(l);
    }
}

/* One message if there is one; waits a moment for it if there is nothing else to do. */
static bool listen(lead *l, bool idle) {
    const struct timespec moment = {.tv_nsec = 20000};
    MPI_Status status;
    int arrived = 0;
    if (l->ranks > 1) {
        MPI_Iprobe(MPI_ANY_SOURCE, IMP_TAG_RESULT, MPI_COMM_WORLD, &arrived, &status);
    }
    if (arrived) {
        receive(l, &status);
    } else if (idle && l->waiting > 0) {
        nanosleep(&moment, NULL);
    }
    return arrived;
}

/* Marks what waits for it even while no results arrive. */
static void checkpoint(lead *l) {
    if (!l->error && imp_map_sync_is_due(l->map)) {
        l->error = imp_map_sync_values(l->map);
        l->error = l->error ? l->error : imp_map_commit(l->map, 0);
    }
    double now = MPI_Wtime();
    if (!l->error && now >= l->next_look) {
        l->next_look = now + look_seconds;
        l->error = imp_map_look(l->map);
    }
}

static bool own_work(lead *l) {
    return l->own.order.count > 0 || imp_ledger_left(l->ledger) > 0;
}

static void work(lead *l) {
    for (int rank = 1; rank < l->ranks; rank++) {
        hand_out(l, rank);
    }
    for (;;) {
        bool more = !stopping(l) && own_work(l);
        if (l->stopping) {
            give_up(l);
        }
        if (!listen(l, !more)) {
            if (more) {
                compute(l);
            } else if (l->waiting == 0) {
                return;
            }
        }
        look_for_silence(l);
        checkpoint(l);
        report(l);
    }
}

static imp_err prepare(lead *l) {
    int64_t most = IMP_BLOCK_BYTES / (int64_t)imp_sweep_cell_size(l->sweep);
    l->ledger = imp_ledger_new(
        (imp_chunking){.fixed = l->options->chunk, .ranks = l->ranks, .most = most > 0 ? most : 1});
    l->workers = calloc((size_t)l->ranks, sizeof *l->workers);
    if (!l->ledger || !l->workers) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    imp_err error = imp_evaluator_open(l->sweep, &l->evaluator);
    return error ? error : survey(l);
}

/* Every worker has been told to stop. Takes what they still have to say. */
static void dismiss(lead *l) {
    for (int rank = 1; rank < l->ranks; rank++) {
        imp_order nothing = {0, 0};
        MPI_Send(&nothing, sizeof nothing, MPI_BYTE, rank, IMP_TAG_WORK, MPI_COMM_WORLD);
    }
    for (int rank = 1; rank < l->ranks; rank++) {
        MPI_Status status;
        do {
            MPI_Probe(rank, IMP_TAG_RESULT, MPI_COMM_WORLD, &status);
        } while (receive(l, &status) != IMP_LEAVING);
    }
}

imp_err imp_run_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                     int ranks, imp_tally *tally) {
    *tally = (imp_tally){.cells = imp_grid_cells(&sweep->grid)};
    lead l = {.sweep = sweep,
              .map = map,
              .options = options,
              .tally = tally,
              .ranks = ranks,
              .start = MPI_Wtime(),
              .next_report = options->period,
              .summary = imp_summary_of(sweep)};
    l.error = prepare(&l);
    if (!l.error) {
        work(&l);
    }
    tell_to_stop(&l);
    dismiss(&l);
    report(&l);
    if (!l.error && imp_ledger_left(l.ledger) + l.returned > 0) {
        l.error = imp_fail(IMP_ERR_STOPPED, "stopped before the end");
    }
    imp_evaluator_close(&l.evaluator);
    imp_ledger_free(&l.ledger);
    free(l.message);
    free(l.own.block);
    free(l.workers);
    return l.error;
}
