/* The cells that rank 0 computes itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "sched/lead_impl.h"

/* Work that rank 0 takes at a time if other ranks compute too: little, so that all end together,
 * but enough to be written in large pieces. */
static const double own_seconds = 5e-3;

/* Rank 0 hears nobody while it computes. After so many seconds of its own work it does not count
 * the silence of other ranks. */
static const double deaf_seconds = 1;

const imp_point *imp_lead_points(const lead *l, int64_t first) {
    return l->feed->points ? l->feed->points(l->feed, first) : NULL;
}

/* Writes what rank 0 has done of its own chunk. */
static void hand_over(lead *l) {
    double seconds;
    imp_interval done = imp_task_cut(&l->own, &l->layout, &seconds);
    if (done.count > 0) {
        imp_lead_store(l, 0, done, l->own.block, seconds);
    }
}

void imp_lead_drop_own(lead *l) {
    if (l->own.order.count > 0) {
        hand_over(l);
        l->returned += l->own.order.count;
        l->own.order.count = 0;
    }
}

static void begin(lead *l) {
    imp_interval chunk = imp_ledger_take(l->ledger, l->crew.ranks > 1 ? own_seconds : INFINITY);
    const imp_point *points = imp_lead_points(l, chunk.first);
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

void imp_lead_compute(lead *l) {
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
