#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/crew.h"
#include "sched/ledger.h"
#include "sched/sched.h"
#include "sched/slice.h"
#include "sched/survey.h"
#include "solve/evaluator.h"

/* Rank 0 takes only so much at a time where others compute too, so that all end together. */
static const double own_seconds = 200e-6;

/* How often it looks whether the file is still where it was. */
static const double look_seconds = 1;

enum { LINE_BYTES = 200 };

typedef struct lead {
    imp_map *map;
    const imp_run_options *options;
    imp_tally *tally;
    imp_ledger *ledger;
    imp_evaluator *evaluator;
    imp_layout layout, summary; /* of blocks of values; of those from ranks that write themselves */
    bool others_write;
    unsigned char *message; /* the last one that arrived; there is room for the longest */
    size_t message_size;
    imp_task own; /* what rank 0 computes itself; an order of 0 cells: nothing */
    size_t own_capacity;
    imp_pace pace;
    imp_crew crew;
    bool *solved;     /* by rank: it has solved a cell */
    int64_t returned; /* cells of orders that were cut short */
    double start, next_report, next_look;
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

/* ---- results ---- */

/* Counts the cells of a block. */
static void count(lead *l, int rank, const imp_layout *layout, imp_order cells, const void *block,
                  double seconds) {
    size_t n = (size_t)cells.count;
    imp_tally_count(l->tally, n, imp_block_outcomes(layout, n, block),
                    imp_block_modes(layout, n, block));
    imp_ledger_measured(l->ledger, cells.count, seconds);
    l->tally->computing += seconds;
    l->tally->chunks++;
    l->tally->ranks_that_solved += !l->solved[rank];
    l->solved[rank] = true;
}

/* A block of values, from this rank or another. */
static void store(lead *l, int rank, imp_order cells, const unsigned char *block, double seconds) {
    l->error = l->error ? l->error : imp_map_write(l->map, cells.first, (size_t)cells.count, block);
    if (!l->error) {
        count(l, rank, &l->layout, cells, block, seconds);
    }
}

/* The summary of cells whose values another rank wrote. */
static void mark(lead *l, int rank, imp_order cells, const unsigned char *block, double seconds) {
    size_t n = (size_t)cells.count;
    const uint8_t *outcomes = imp_block_outcomes(&l->summary, n, block);
    l->error = l->error ? l->error : imp_map_mark(l->map, rank, cells.first, n, outcomes);
    if (!l->error) {
        count(l, rank, &l->summary, cells, block, seconds);
    }
}

static void report(lead *l) {
    imp_tally_time(l->tally, MPI_Wtime() - l->start);
    if (l->options->period > 0 && l->tally->elapsed >= l->next_report) {
        l->next_report = l->tally->elapsed + l->options->period;
        l->options->report(l->options->context, l->tally);
    }
}

/* ---- ranks that should stop, and ranks that are silent ---- */

static bool stop_is_due(const lead *l) {
    return imp_ranks_stop_wanted() || l->error;
}

static bool stopping(lead *l) {
    if (stop_is_due(l)) {
        imp_crew_stop(&l->crew);
    }
    return l->crew.stopped;
}

static void print_silence(int rank, double seconds, const imp_order *order, char text[LINE_BYTES]) {
    snprintf(text, LINE_BYTES,
             "impactsweep: rank %d has been silent for %.3g s; it has the cells %lld to %lld\n",
             rank, seconds, (long long)order->first, (long long)(order->first + order->count - 1));
}

/* Reports a rank that has had work for long and said nothing. */
static void report_silence(lead *l) {
    int rank = l->options->silence > 0 ? imp_crew_silent(&l->crew, l->options->silence) : 0;
    if (rank > 0) {
        const imp_member *m = &l->crew.members[rank];
        char text[LINE_BYTES];
        print_silence(rank, MPI_Wtime() - m->heard, &m->orders[0], text);
        l->options->say(l->options->context, text);
    }
}

/* After a stop, waits no longer for a rank that hangs: the job would be killed with it. Where all
 * cells are done without a stop, a rank may take as long as it needs to sync its values. */
static void abandon_hanging(lead *l) {
    int rank = stop_is_due(l) ? imp_crew_overdue(&l->crew, l->options->patience) : 0;
    if (rank > 0) {
        char text[LINE_BYTES];
        double since = fmax(l->crew.members[rank].heard, l->crew.asked);
        int64_t cells = imp_crew_abandon(&l->crew, rank);
        l->returned += cells;
        imp_ranks_abandon();
        snprintf(text, sizeof text,
                 "impactsweep: rank %d is given up: it was asked to stop and has been silent for "
                 "%.3g s; %lld cells that it had stay pending\n",
                 rank, MPI_Wtime() - since, (long long)cells);
        l->options->say(l->options->context, text);
    }
}

static void watch_ranks(lead *l) {
    stopping(l);
    report_silence(l);
    abandon_hanging(l);
}

/* ---- talking to workers ---- */

static void hand_out(lead *l, int rank) {
    while (imp_crew_has_room(&l->crew, rank) && !stopping(l)) {
        imp_chunk chunk = imp_ledger_take(l->ledger, INFINITY);
        if (chunk.count == 0) {
            return;
        }
        imp_crew_order(&l->crew, rank, (imp_order){chunk.first, chunk.count});
    }
}

static void note_error(lead *l, int rank, const imp_result *head, const unsigned char *text) {
    if (head->error && !l->error) {
        l->error = imp_fail((imp_err)head->error, "rank %d: %s", rank, (const char *)text);
    }
}

static void take_answer(lead *l, int rank, const imp_result *head, const unsigned char *block) {
    imp_crew_answered(&l->crew, rank, head->left);
    l->returned += head->returned;
    if (!head->error && head->count > 0) {
        imp_order cells = {head->first, head->count};
        (l->others_write ? mark : store)(l, rank, cells, block, head->seconds);
    }
    hand_out(l, rank);
}

/* Receives a message that has arrived into l->message; false: its sender hung while it sent the rest,
 * and was given up. */
static bool receive_bytes(lead *l, int rank, int size) {
    int arrived = 0;
    MPI_Request request;
    MPI_Irecv(l->message, size, MPI_BYTE, rank, IMP_TAG_RESULT, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    while (!arrived && !l->crew.members[rank].abandoned) {
        watch_ranks(l);
        MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    }
    if (!arrived) {
        MPI_Request_free(&request);
        l->message = malloc(l->message_size); /* the rest may come into the other one at any time */
        if (!l->message) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    return arrived;
}

static void take(lead *l, int rank, int size) {
    imp_result head;
    const unsigned char *rest = l->message + sizeof head;
    l->message[size] = 0;
    memcpy(&head, l->message, sizeof head);
    imp_crew_heard(&l->crew, rank);
    note_error(l, rank, &head, rest);
    if (head.stopped) {
        imp_crew_stop(&l->crew);
    }
    l->crew.members[rank].left = head.kind == IMP_LEAVING;
    if (head.kind == IMP_ANSWER) {
        take_answer(l, rank, &head, rest);
    } else if (head.kind != IMP_STOP_HEARD && !l->error) {
        l->error = imp_map_commit(l->map, rank);
    }
}

/* Receives a message that has arrived. Nothing counts that a rank says after it was given up. */
static void receive(lead *l, const MPI_Status *status) {
    int size = 0, rank = status->MPI_SOURCE;
    MPI_Get_count(status, MPI_BYTE, &size);
    if (receive_bytes(l, rank, size) && !l->crew.members[rank].abandoned) {
        take(l, rank, size);
    }
}

/* One message if there is one; waits a moment for it if there is nothing else to do. */
static bool listen(lead *l, bool idle) {
    const double moment = 20e-6;
    MPI_Status status;
    int arrived = 0;
    if (l->crew.ranks > 1) {
        MPI_Iprobe(MPI_ANY_SOURCE, IMP_TAG_RESULT, MPI_COMM_WORLD, &arrived, &status);
    }
    if (arrived) {
        receive(l, &status);
    } else if (idle) {
        imp_pause(moment);
    }
    return arrived;
}

/* ---- rank 0's own cells ---- */

/* Writes what rank 0 has done of its own chunk. */
static void hand_over(lead *l) {
    double seconds;
    imp_order done = imp_task_cut(&l->own, &l->layout, &seconds);
    if (done.count > 0) {
        store(l, 0, done, l->own.block, seconds);
    }
}

/* Leaves pending what is not done of it. */
static void drop_own(lead *l) {
    if (l->own.order.count > 0) {
        hand_over(l);
        l->returned += l->own.order.count;
        l->own.order.count = 0;
    }
}

static void begin(lead *l) {
    imp_chunk chunk = imp_ledger_take(l->ledger, l->crew.ranks > 1 ? own_seconds : INFINITY);
    size_t size = imp_block_size(&l->layout, (size_t)chunk.count);
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
    /* While rank 0 solves a cell it receives no messages; only a timer can report its silence. */
    static char text[LINE_BYTES];
    if (l->options->silence > 0) {
        print_silence(0, l->options->silence, &l->own.order, text);
        imp_ranks_expect(l->options->silence, text);
    }
    l->error = l->error ? l->error : imp_task_go_on(&l->own, l->evaluator, &l->pace);
    imp_ranks_expect(0, NULL);
    if (!l->error && imp_task_is_due(&l->own)) {
        hand_over(l);
    }
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
        l->error = imp_map_check_path(l->map);
    }
}

static bool own_work(lead *l) {
    return l->own.order.count > 0 || imp_ledger_left(l->ledger) > 0;
}

static void work(lead *l) {
    for (int rank = 1; rank < l->crew.ranks; rank++) {
        hand_out(l, rank);
    }
    for (;;) {
        bool more = !stopping(l) && own_work(l);
        if (l->crew.stopped) {
            drop_own(l);
        }
        if (!listen(l, !more && l->crew.waiting > 0)) {
            if (more) {
                compute(l);
            } else if (l->crew.waiting == 0) {
                return;
            }
        }
        watch_ranks(l);
        checkpoint(l);
        report(l);
    }
}

static imp_err prepare(lead *l, const imp_sweep *sweep, int ranks) {
    int64_t most = IMP_BLOCK_BYTES / (int64_t)imp_sweep_cell_size(sweep);
    imp_layout layout = imp_layout_of(sweep);
    most = most > 0 ? most : 1;
    l->message_size = IMP_LONGEST_TEXT + sizeof(imp_result) + imp_block_size(&layout, (size_t)most);
    l->message = ranks > 1 ? malloc(l->message_size) : NULL;
    l->ledger =
        imp_ledger_new((imp_chunking){.fixed = l->options->chunk, .ranks = ranks, .most = most});
    l->solved = calloc((size_t)ranks, sizeof *l->solved);
    imp_err error = imp_crew_open(&l->crew, ranks);
    if (error || !l->ledger || !l->solved || (ranks > 1 && !l->message)) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    l->layout = layout;
    l->summary = imp_layout_summary(&layout);
    error = imp_evaluator_open(sweep, &l->evaluator);
    return error ? error : imp_survey(l->map, l->ledger, l->tally);
}

/* Takes what the workers still have to say. */
static void dismiss(lead *l) {
    imp_crew_stop(&l->crew);
    imp_crew_dismiss(&l->crew);
    while (imp_crew_is_present(&l->crew)) {
        listen(l, true);
        watch_ranks(l);
    }
}

imp_err imp_run_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                     int ranks, imp_tally *tally) {
    *tally = (imp_tally){.cells = imp_grid_cells(&sweep->grid)};
    lead l = {.map = map,
              .options = options,
              .tally = tally,
              .others_write = sweep->parallel_write,
              .start = MPI_Wtime(),
              .next_report = options->period};
    l.error = prepare(&l, sweep, ranks);
    if (!l.error) {
        work(&l);
    }
    if (l.crew.members && (ranks == 1 || l.message)) {
        dismiss(&l);
    } else if (ranks > 1) {
        imp_ranks_abandon(); /* there is no memory to talk with them */
    }
    report(&l);
    if (!l.error && imp_ledger_left(l.ledger) + l.returned + l.crew.abandoned > 0) {
        l.error = imp_fail(IMP_ERR_STOPPED, "stopped before the end");
    }
    imp_evaluator_close(&l.evaluator);
    imp_ledger_free(&l.ledger);
    imp_crew_close(&l.crew);
    free(l.message);
    free(l.own.block);
    free(l.solved);
    return l.error;
}
