/* The state of rank 0, shared by lead.c, which leads, and lead_watch.c, which looks for silent and
 * dead ranks. */
#ifndef IMP_SCHED_LEAD_IMPL_H
#define IMP_SCHED_LEAD_IMPL_H

#include "base/text.h"
#include "sched/crew.h"
#include "sched/deal.h"
#include "sched/feed.h"
#include "sched/sched.h"
#include "sched/slice.h"
#include "sched/written.h"

enum { LINE_BYTES = 200 };

typedef struct lead {
    const imp_sweep *sweep;
    imp_sweep points; /* refined sweep: the points for the evaluator */
    imp_map *map;
    imp_feed *feed;
    const imp_run_options *options;
    imp_tally *tally;
    imp_ledger *ledger;
    imp_evaluator *evaluator;
    imp_layout layout;
    bool others_write;
    imp_deal deal;    /* orders have the places of cells */
    imp_task own;     /* computed by rank 0 itself; an order of 0 cells: nothing */
    imp_buffer block; /* of its own cells */
    imp_pace pace;
    imp_crew crew;
    bool *solved;         /* by rank: it has solved a cell */
    imp_written *written; /* by rank */
    int64_t returned;     /* cells of orders that were cut short */
    double start, next_report, next_look, next_watch;
    bool stop_heard; /* a stop signal came to another rank */
    imp_err error;
} lead;

/* imp_run_lead with a port that the caller opens. */
imp_err imp_lead(const imp_sweep *sweep, imp_map *map, const imp_run_options *options,
                 const imp_port *port, imp_tally *tally);

/* Whether to stop; imp_lead_stopping: also tells the ranks. */
bool imp_lead_stop_is_due(const lead *l);
bool imp_lead_stopping(lead *l);

/* Takes one message if there is one; waits a little for it if there is nothing else to do. */
bool imp_lead_listen(lead *l, bool idle);

/* Offers cells to every rank that has room for an order. */
void imp_lead_offer(lead *l);

/* From time to time gives the cells of dead ranks to others, and, if no message waits (quiet),
 * reports silent ranks and gives up hanging ones. */
void imp_lead_watch(lead *l, bool quiet);

/* A rank has died: its cells are computed again. */
void imp_lead_bury(lead *l, int rank);

void imp_lead_print_silence(const lead *l, int rank, double seconds, imp_interval order,
                            char text[LINE_BYTES]);

#endif
