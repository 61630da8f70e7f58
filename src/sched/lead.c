#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/lead_impl.h"

/* Seconds between checks that the file is still at its path. */
static const double look_seconds = 1;

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
void imp_lead_store(lead *l, int rank, imp_order cells, const unsigned char *block,
                    double seconds) {
    l->error = l->error ? l->error : imp_map_write(l->map, cells.first, (size_t)cells.count, block);
    if (!l->error && l->feed->take) {
        l->error = l->feed->take(l->feed, cells.first, (size_t)cells.count, block);
    }
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

/* Reports a rank that has had work for a long time and is silent. */
static void report_silence(lead *l) {
    int rank = l->options->silence > 0 ? imp_crew_silent(&l->crew, l->options->silence) : 0;
    if (rank > 0) {
        const imp_member *m = &l->crew.members[rank];
        char text[LINE_BYTES];
        imp_lead_print_silence(rank, MPI_Wtime() - m->heard, &m->orders[0], text);
        l->options->say(l->options->context, text);
    }
}

/* After a stop, gives up a rank that hangs, because waiting would get the whole job killed. If all
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
        imp_order order = {chunk.first, chunk.count};
        l->error = imp_crew_order(&l->crew, rank, order, imp_lead_points(l, chunk.first));
        l->returned += l->error ? chunk.count : 0;
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
        (l->others_write ? mark : imp_lead_store)(l, rank, cells, block, head->seconds);
    }
    hand_out(l, rank);
}

/* Receives a message that has arrived into l->message. False: its sender hung while sending the
 * rest, and was given up. */
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
        l->message = malloc(
            l->message_size); /* the rest of the message may still arrive in the old buffer */
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

/* Receives a message that has arrived. Messages of a rank that was given up are ignored. */
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

/* Marks finished cells even while no results arrive. */
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

/* Works until nothing is left or under way. */
static void work_off(lead *l) {
    for (;;) {
        bool more = !stopping(l) && own_work(l);
        if (l->crew.stopped) {
            imp_lead_drop_own(l);
        }
        if (!listen(l, !more && l->crew.waiting > 0)) {
            if (more) {
                imp_lead_compute(l);
            } else if (l->crew.waiting == 0) {
                return;
            }
        }
        watch_ranks(l);
        checkpoint(l);
        report(l);
    }
}

/* Asks the feed for more cells once none is left or under way. False: there are no more, or a stop
 * is due. */
static bool refill(lead *l) {
    if (stopping(l)) {
        return false;
    }
    l->error = l->feed->fill(l->feed, l->ledger, l->tally);
    for (int rank = 1; rank < l->crew.ranks; rank++) {
        hand_out(l, rank);
    }
    return !l->error && (own_work(l) || l->crew.waiting > 0);
}

static void work(lead *l) {
    while (refill(l)) {
        work_off(l);
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
    bool refined = imp_sweep_is_refined(sweep);
    error = refined ? imp_points_open(sweep, &l->points) : IMP_OK;
    error = error ? error : imp_evaluator_open(refined ? &l->points : sweep, &l->evaluator);
    return error ? error : imp_feed_open(sweep, l->map, ranks, &l->feed);
}

/* Receives the last messages of the workers. */
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
    *tally = (imp_tally){.cells = imp_sweep_is_refined(sweep) ? 0 : imp_grid_cells(&sweep->grid)};
    lead l = {.sweep = sweep,
              .map = map,
              .options = options,
              .tally = tally,
              .others_write = imp_sweep_writes_in_parallel(sweep),
              .start = MPI_Wtime(),
              .next_report = options->period};
    l.error = prepare(&l, sweep, ranks);
    if (!l.error) {
        work(&l);
    }
    if (l.crew.members && (ranks == 1 || l.message)) {
        dismiss(&l);
    } else if (ranks > 1) {
        imp_ranks_abandon(); /* there is no memory for messages */
    }
    report(&l);
    bool finished = l.feed && l.feed->finished && imp_ledger_left(l.ledger) == 0;
    if (!l.error && (!finished || l.returned + l.crew.abandoned > 0)) {
        l.error = imp_fail(IMP_ERR_STOPPED, "stopped before the end");
    }
    imp_evaluator_close(&l.evaluator);
    imp_points_close(&l.points);
    if (l.feed) {
        l.feed->close(l.feed);
    }
    imp_ledger_free(&l.ledger);
    imp_crew_close(&l.crew);
    free(l.message);
    free(l.own.block);
    free(l.solved);
    return l.error;
}
