#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/lead_impl.h"

/* Seconds between checks that the file is still at its path. */
static const double look_seconds = 1;

/* Work that rank 0 takes at a time if other ranks compute too: little, so that all end together,
 * but enough to be written in large pieces. */
static const double own_seconds = 5e-3;

/* Rank 0 hears nobody while it computes. After so many seconds of its own work it does not count
 * the silence of other ranks. */
static const double deaf_seconds = 1;

/* ---- results ---- */

/* Notes cells that a rank has solved. */
static void count(lead *l, int rank, int64_t cells, const imp_counts *counts, double seconds) {
    imp_tally_add(l->tally, counts);
    imp_ledger_measured(l->ledger, cells, seconds);
    l->tally->computing += seconds;
    l->tally->chunks++;
    l->tally->ranks_that_solved += !l->solved[rank];
    l->solved[rank] = true;
}

/* A block of values, from this rank or another. */
static void store(lead *l, int rank, imp_interval cells, const unsigned char *block,
                  double seconds) {
    int64_t first = imp_deal_stretch(&l->deal, cells.first, cells.count).first;
    assert(cells.count > 0 && !l->crew.members[rank].gone);
    l->error = l->error ? l->error : imp_map_write(l->map, first, (size_t)cells.count, block);
    if (!l->error && l->feed->take) {
        l->error = l->feed->take(l->feed, first, (size_t)cells.count, block);
    }
    if (!l->error) {
        size_t n = (size_t)cells.count;
        imp_counts counts = {{0}, {0}};
        imp_counts_add(&counts, n, imp_block_outcomes(&l->layout, n, block),
                       imp_block_modes(&l->layout, n, block));
        count(l, rank, cells.count, &counts, seconds);
    }
}

/* The counts of cells that another rank has written. */
static void note_written(lead *l, int rank, const imp_result *head, const unsigned char *bytes) {
    imp_counts counts;
    memcpy(&counts, bytes, sizeof counts);
    if (!l->error && head->unsynced) {
        imp_interval cells = {head->first, head->count};
        l->error = imp_written_add(&l->written[rank], cells, &counts);
    }
    if (!l->error) {
        count(l, rank, head->count, &counts, head->seconds);
    }
}

static void report(lead *l) {
    imp_tally_time(l->tally, imp_seconds_elapsed() - l->start);
    if (l->options->period > 0 && l->tally->elapsed >= l->next_report) {
        l->next_report = l->tally->elapsed + l->options->period;
        l->options->report(l->options->context, l->tally);
    }
}

/* ---- stops ---- */

bool imp_lead_stop_is_due(const lead *l) {
    const imp_port *port = l->crew.port;
    return port->stop_wanted(port->context) || l->stop_heard || l->error;
}

static void stop(lead *l) {
    imp_err error = imp_crew_stop(&l->crew);
    l->error = l->error ? l->error : error;
}

bool imp_lead_stopping(lead *l) {
    if (imp_lead_stop_is_due(l)) {
        stop(l);
    }
    return l->crew.stopped;
}

/* ---- the cells that rank 0 computes itself ---- */

/* The points of a chunk that begins with this row; NULL: a chunk of the grid. */
static const imp_point *points_of(const lead *l, int64_t first) {
    return l->feed->points ? l->feed->points(l->feed, first) : NULL;
}

/* Writes what rank 0 has done of its own chunk. */
static void hand_over(lead *l) {
    double seconds;
    imp_interval done = imp_task_cut(&l->own, &l->layout, &seconds);
    if (done.count > 0) {
        store(l, 0, done, l->own.block, seconds);
    }
}

/* Ends that chunk; its remaining cells stay pending. */
static void drop_own(lead *l) {
    if (l->own.order.count > 0) {
        hand_over(l);
        l->returned += l->own.order.count;
        l->own.order.count = 0;
    }
}

static void begin(lead *l) {
    imp_interval chunk = imp_ledger_take(l->ledger, l->crew.ranks > 1 ? own_seconds : INFINITY);
    const imp_point *points = points_of(l, chunk.first);
    l->own.order = chunk;
    l->own.room = imp_most_cells(l->sweep);
    l->own.deal = &l->deal;
    l->own.start = imp_seconds_elapsed();
    l->own.wait = imp_longest_wait(1); /* it costs no message */
    if (points) {
        l->own.origin = chunk.first;
        imp_points_set(l->sweep, points, (size_t)chunk.count, &l->points);
    }
    size_t size = imp_block_size(&l->layout, (size_t)imp_task_most(&l->own));
    l->own.block = imp_buffer_reserve(&l->block, size);
    if (!l->own.block) {
        l->error = imp_out_of_memory();
    }
}

/* Computes one slice of rank 0's own chunk, which it takes from the ledger if necessary. */
static void compute(lead *l) {
    const imp_port *port = l->crew.port;
    if (l->own.order.count == 0) {
        begin(l);
    }
    /* While rank 0 solves a cell it receives no messages; only a timer can report its silence. */
    static char text[LINE_BYTES];
    if (l->options->silence > 0) {
        imp_lead_print_silence(l, 0, l->options->silence, l->own.order, text);
        port->expect(port->context, l->options->silence, text);
    }
    double start = imp_seconds_elapsed();
    l->error = l->error ? l->error : imp_task_go_on(&l->own, l->evaluator, &l->pace);
    double seconds = imp_seconds_elapsed() - start;
    l->crew.deaf += seconds >= deaf_seconds ? seconds : 0;
    port->expect(port->context, 0, NULL);
    if (!l->error && imp_task_is_due(&l->own)) {
        hand_over(l);
    }
}

/* ---- talking to workers ---- */

static void hand_out(lead *l, int rank) {
    while (imp_crew_has_room(&l->crew, rank) && !imp_lead_stopping(l)) {
        imp_interval chunk = imp_ledger_take(l->ledger, INFINITY);
        if (chunk.count == 0) {
            return;
        }
        l->error = imp_crew_order(&l->crew, rank, chunk, points_of(l, chunk.first));
        l->returned += l->error ? chunk.count : 0;
    }
}

void imp_lead_offer(lead *l) {
    for (int rank = 1; rank < l->crew.ranks; rank++) {
        hand_out(l, rank);
    }
}

static void note_error(lead *l, int rank, const imp_result *head, const unsigned char *text) {
    if (head->error && !l->error) {
        l->error = imp_fail((imp_err)head->error, "rank %d: %s", rank, (const char *)text);
    }
}

/* Cells of an order stay pending at a stop; those of a share go to other ranks. */
static void take_returned(lead *l, imp_interval cells) {
    if (l->crew.stopped) {
        l->returned += cells.count;
    } else if (cells.count > 0) {
        l->error = imp_ledger_add(l->ledger, cells);
    }
}

static void take_answer(lead *l, int rank, const imp_result *head, const unsigned char *block) {
    take_returned(l, imp_crew_answered(&l->crew, rank, head->left, head->returned));
    if (!head->error && head->count > 0 && l->others_write) {
        note_written(l, rank, head, block);
    } else if (!head->error && head->count > 0) {
        store(l, rank, (imp_interval){head->first, head->count}, block, head->seconds);
    }
    hand_out(l, rank);
}

static void take(lead *l, int rank, const unsigned char *message) {
    imp_result head;
    const unsigned char *rest = message + sizeof head;
    memcpy(&head, message, sizeof head);
    imp_crew_heard(&l->crew, rank);
    note_error(l, rank, &head, rest);
    l->stop_heard |= head.stopped != 0;
    imp_lead_stopping(l);
    if (head.kind == IMP_LEAVING) {
        imp_crew_left(&l->crew, rank);
    }
    if (head.kind == IMP_ANSWER) {
        take_answer(l, rank, &head, rest);
    } else if (head.kind == IMP_DEATH) {
        imp_lead_bury(l, (int)head.first);
    } else if ((head.kind == IMP_SYNCED || head.kind == IMP_LEAVING) && !head.error) {
        imp_written_clear(&l->written[rank]);
    }
}

bool imp_lead_listen(lead *l, bool idle) {
    const double pause = 20e-6;
    const imp_port *port = l->crew.port;
    int rank = 0;
    size_t size = 0;
    const unsigned char *message = port->receive(port->context, IMP_TAG_RESULT, &rank, &size);
    if (message && !l->crew.members[rank].gone) {
        take(l, rank, message);
    } else if (!message && idle) {
        port->rest(port->context, pause);
    }
    return message != NULL;
}

/* Marks finished cells even while no results arrive. */
static void checkpoint(lead *l) {
    if (!l->error && imp_map_sync_is_due(l->map)) {
        l->error = imp_map_sync(l->map);
    }
    double now = imp_seconds_elapsed();
    if (!l->error && now >= l->next_look) {
        l->next_look = now + look_seconds;
        l->error = imp_map_check_path(l->map);
    }
}

static bool own_work(lead *l) {
    return l->own.order.count > 0 || imp_ledger_left(l->ledger) > 0;
}

/* One message, or one slice of rank 0's own cells. False: nothing is left or under way. */
static bool step(lead *l) {
    bool more = !imp_lead_stopping(l) && own_work(l);
    if (l->crew.stopped) {
        drop_own(l);
    }
    bool heard = imp_lead_listen(l, !more && l->crew.waiting > 0);
    imp_lead_watch(l, !heard);
    if (!heard) {
        if (more && own_work(l)) { /* others may have got the last cells meanwhile */
            compute(l);
        } else if (l->crew.waiting == 0 && (l->crew.stopped || !own_work(l))) {
            return false;
        }
    }
    checkpoint(l);
    report(l);
    return true;
}

/* Asks the feed for more cells once none is left or under way. False: there are no more, or a stop
 * is due. */
static bool refill(lead *l) {
    if (imp_lead_stopping(l)) {
        return false;
    }
    l->error = l->feed->fill(l->feed, l->ledger, l->tally);
    /* Once the first ranks have answered, the others get orders of measured size. */
    for (int rank = 1; rank < l->crew.ranks; rank++) {
        hand_out(l, rank);
        imp_lead_listen(l, false);
    }
    /* The others may have answered the few points of a round by now. */
    return !l->error && (own_work(l) || l->crew.waiting > 0 || !l->feed->finished);
}

static void work(lead *l) {
    while (refill(l)) {
        while (step(l)) {
        }
    }
}

static imp_err prepare(lead *l, const imp_sweep *sweep, int ranks) {
    l->layout = imp_layout_of(sweep);
    int64_t most = l->others_write ? INT64_MAX : imp_most_cells(sweep);
    l->ledger =
        imp_ledger_new((imp_chunking){.fixed = l->options->chunk, .ranks = ranks, .most = most});
    l->solved = calloc((size_t)ranks, sizeof *l->solved);
    l->written = calloc((size_t)ranks, sizeof *l->written);
    if (!l->ledger || !l->solved || !l->written) {
        return imp_out_of_memory();
    }
    bool refined = imp_sweep_is_refined(sweep);
    imp_err error = refined ? imp_points_open(sweep, &l->points) : IMP_OK;
    error = error ? error : imp_evaluator_open(refined ? &l->points : sweep, &l->evaluator);
    return error ? error : imp_feed_open(sweep, l->map, &l->deal, &l->feed);
}

/* Receives the last messages of the workers. */
static void dismiss(lead *l) {
    stop(l);
    imp_err error = imp_crew_dismiss(&l->crew);
    l->error = l->error ? l->error : error;
    while (l->crew.present > 0) {
        imp_lead_watch(l, !imp_lead_listen(l, true));
    }
}

/* Cells of ranks that were lost while they left: rank 0 computes them alone. */
static void work_alone(lead *l) {
    l->crew.stopped = false;
    work(l);
}

static void end(lead *l) {
    imp_evaluator_close(&l->evaluator);
    imp_points_close(&l->points);
    if (l->feed) {
        l->feed->close(l->feed);
    }
    imp_ledger_free(&l->ledger);
    for (int rank = 0; l->written && rank < l->crew.ranks; rank++) {
        imp_written_free(&l->written[rank]);
    }
    imp_crew_close(&l->crew);
    imp_buffer_free(&l->block);
    free(l->solved);
    free(l->written);
}

/* The other ranks begin with their shares; rank 0 has its own in the ledger. */
static void deal(lead *l) {
    l->deal = imp_deal_sweep(l->sweep, l->crew.ranks, l->options->shares);
    for (int rank = 1; l->deal.dealt && rank < l->crew.ranks; rank++) {
        imp_crew_deal(&l->crew, rank, imp_deal_share(&l->deal, rank));
    }
}

imp_err imp_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                 const imp_port *port, imp_tally *tally) {
    *tally = (imp_tally){.cells = imp_sweep_is_refined(sweep) ? 0 : imp_grid_cells(&sweep->grid)};
    lead l = {.sweep = sweep,
              .map = map,
              .options = options,
              .tally = tally,
              .pace.guest = sweep->owned,
              .others_write = imp_sweep_writes_in_parallel(sweep),
              .start = imp_seconds_elapsed(),
              .next_report = options->period};
    l.error = imp_crew_open(&l.crew, port);
    if (l.error) {
        imp_ranks_abandon(0); /* there is no memory for the other ranks */
        return l.error;
    }
    deal(&l);
    l.error = prepare(&l, sweep, port->ranks);
    if (!l.error) {
        work(&l);
    }
    dismiss(&l);
    if (!l.error && imp_ledger_left(l.ledger) > 0) {
        work_alone(&l);
    }
    report(&l);
    bool finished = l.feed && l.feed->finished && imp_ledger_left(l.ledger) == 0;
    if (!l.error && (!finished || l.returned + l.crew.abandoned > 0)) {
        l.error = imp_fail(IMP_ERR_STOPPED, "stopped before the end");
    }
    end(&l);
    return l.error;
}

imp_err imp_run_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                     int ranks, imp_tally *tally) {
    imp_port port;
    imp_layout layout = imp_layout_of(sweep);
    size_t longest = IMP_LONGEST_REASON + sizeof(imp_result) +
                     imp_block_size(&layout, (size_t)imp_most_cells(sweep));
    imp_err error = imp_mpi_port_open(0, ranks, longest, &port);
    if (error) {
        *tally = (imp_tally){.cells = 0};
        imp_ranks_abandon(0);
    } else {
        error = imp_lead(sweep, map, options, &port, tally);
    }
    imp_mpi_port_close(&port);
    return error;
}
