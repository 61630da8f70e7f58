/* Ranks that are silent, hang or die, as rank 0 notices them. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "sched/lead_impl.h"

/* Seconds between looks for ranks that hang or have died. */
static const double look_seconds = 0.2;

/* Looks for messages before a rank counts as dead: its last ones may be on their way. */
enum { LAST_LOOKS = 200 };

static void say(lead *l, const imp_text *text) {
    l->options->say(l->options->context, imp_text_get(text));
}

/* The first and the last cell of an order, by its ends. */
static void ends_of(const lead *l, imp_interval order, long long ends[2]) {
    int64_t first = imp_deal_stretch(&l->deal, order.first, 1).first;
    int64_t last = imp_deal_stretch(&l->deal, imp_interval_end(order) - 1, 1).first;
    ends[0] = first < last ? first : last;
    ends[1] = first < last ? last : first;
}

void imp_lead_print_silence(const lead *l, int rank, double seconds, imp_interval order,
                            char text[LINE_BYTES]) {
    long long ends[2];
    ends_of(l, order, ends);
    snprintf(text, LINE_BYTES,
             "impactsweep: rank %d has been silent for %.3g s; it has the cells %lld to %lld\n",
             rank, seconds, ends[0], ends[1]);
}

/* Reports a rank that has had work for a long time and is silent. */
static void report_silence(lead *l) {
    int rank = l->options->silence > 0 ? imp_crew_silent(&l->crew, l->options->silence) : 0;
    if (rank > 0) {
        const imp_member *m = &l->crew.members[rank];
        char text[LINE_BYTES];
        imp_lead_print_silence(l, rank, imp_crew_now(&l->crew) - m->heard, m->orders[0], text);
        l->options->say(l->options->context, text);
    }
}

/* ---- ranks that are lost ---- */

static void add_again(lead *l, imp_interval cells) {
    imp_err error = imp_ledger_add(l->ledger, cells);
    l->error = l->error ? l->error : error;
}

/* Takes back the cells that a rank has written but not synced. Returns their number. */
static int64_t take_back(lead *l, imp_written *written) {
    int64_t cells = 0;
    imp_interval part;
    for (size_t at = 0; imp_written_next(written, &at, &part);) {
        add_again(l, part);
        cells += part.count;
    }
    imp_counts counts = imp_written_counts(written);
    imp_tally_subtract(l->tally, &counts);
    imp_written_clear(written);
    return cells;
}

/* Gives the cells of a rank back to the ledger: those that it had, and those that it has written
 * but not synced. Appends them to the text. */
static void lose(lead *l, int rank, imp_loss why, imp_text *text) {
    imp_interval orders[IMP_QUEUED];
    int n = imp_crew_lose(&l->crew, rank, why, orders);
    for (int i = 0; i < n; i++) {
        add_again(l, orders[i]);
        long long ends[2];
        ends_of(l, orders[i], ends);
        imp_text_print(text, "%s %lld to %lld", i ? "," : " the cells", ends[0], ends[1]);
    }
    int64_t unsynced = take_back(l, &l->written[rank]);
    if (unsynced > 0) {
        imp_text_print(text, "%s %lld cells that it had written but not synced", n ? " and" : "",
                       (long long)unsynced);
    }
    imp_text_print(text, n || unsynced ? " are computed again\n" : " it had no cells\n");
}

static void lose_for(lead *l, int rank, imp_loss why, const char *what) {
    imp_text text = {0};
    imp_text_print(&text, "impactsweep: rank %d %s;", rank, what);
    lose(l, rank, why, &text);
    say(l, &text);
    imp_text_free(&text);
    imp_lead_offer(l);
}

void imp_lead_bury(lead *l, int rank) {
    const imp_member *m = &l->crew.members[rank];
    if (!m->left && !m->gone) {
        lose_for(l, rank, IMP_DIED, "has died");
    }
}

static void look_for_deaths(lead *l) {
    for (int rank; (rank = imp_crew_dead(&l->crew)) > 0;) {
        for (int looks = 0; looks < LAST_LOOKS;) {
            looks += !imp_lead_listen(l, true);
        }
        imp_lead_bury(l, rank);
    }
}

/* Gives up a rank that has hung for as long as was asked for; the others go on. */
static void give_up(lead *l) {
    double limit = l->options->give_up;
    int rank = limit > 0 ? imp_crew_overdue(&l->crew, limit) : 0;
    if (rank > 0) {
        double since = fmax(l->crew.members[rank].heard, l->crew.asked);
        char what[LINE_BYTES];
        snprintf(what, sizeof what, "is given up, as it has been silent for %.3g s",
                 imp_crew_now(&l->crew) - since);
        lose_for(l, rank, IMP_GIVEN_UP, what);
    }
}

/* After a stop, gives up a rank that hangs, because waiting would get the whole job killed. To the
 * time that was asked for comes twice the longest silence of any rank so far, because cells may
 * take long. If all cells are done without a stop, a rank may take as long as it needs to sync its
 * values. */
static void abandon_hanging(lead *l) {
    double limit = l->options->patience + 2 * l->crew.longest;
    int rank = imp_lead_stop_is_due(l) ? imp_crew_overdue(&l->crew, limit) : 0;
    if (rank > 0) {
        char text[LINE_BYTES];
        imp_interval orders[IMP_QUEUED];
        double since = fmax(l->crew.members[rank].heard, l->crew.asked);
        int64_t cells = 0;
        int n = imp_crew_lose(&l->crew, rank, IMP_ABANDONED, orders);
        for (int i = 0; i < n; i++) {
            cells += orders[i].count;
        }
        l->returned += cells;
        l->crew.abandoned++;
        snprintf(text, sizeof text,
                 "impactsweep: rank %d is given up: it was asked to stop and has been silent for "
                 "%.3g s; %lld cells that it had stay pending\n",
                 rank, imp_crew_now(&l->crew) - since, (long long)cells);
        l->options->say(l->options->context, text);
    }
}

void imp_lead_watch(lead *l, bool quiet) {
    double now = imp_seconds_elapsed();
    imp_lead_stopping(l);
    if (now < l->next_watch) {
        return;
    }
    l->next_watch = now + look_seconds;
    look_for_deaths(l);
    if (quiet) {
        report_silence(l);
        give_up(l);
        abandon_hanging(l);
    }
}
