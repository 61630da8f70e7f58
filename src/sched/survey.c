/* The feed of a map: the pending cells of its grid when a run begins. */

#include <stdlib.h>

#include "base/error.h"
#include "sched/feed.h"

static imp_err add_pending(imp_ledger *ledger, int64_t first, const uint8_t *outcomes, size_t n) {
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < n;) {
        size_t end = i;
        bool pending = outcomes[i] == IMP_PENDING;
        while (end < n && (outcomes[end] == IMP_PENDING) == pending) {
            end++;
        }
        if (pending) {
            error = imp_ledger_add(ledger, (imp_interval){first + (int64_t)i, (int64_t)(end - i)});
        }
        i = end;
    }
    return error;
}

typedef struct survey {
    imp_feed feed; /* the first member */
    const imp_sweep *sweep;
    imp_map *map;
    const imp_deal *deal;
} survey;

/* Counts the cells that are done, and adds those that are pending to the ledger. */
static imp_err look(imp_map *map, imp_ledger *ledger, imp_tally *tally) {
    enum { AT_ONCE = 1 << 20 };
    uint8_t *outcomes = malloc(AT_ONCE);
    int8_t *modes = malloc(AT_ONCE);
    imp_err error = outcomes && modes ? IMP_OK : imp_out_of_memory();
    for (int64_t first = 0; !error && first < tally->cells; first += AT_ONCE) {
        int64_t left = tally->cells - first;
        size_t n = left < AT_ONCE ? (size_t)left : AT_ONCE;
        error = imp_map_read(map, first, n, outcomes, modes);
        if (!error) {
            imp_tally_count(tally, n, outcomes, modes);
            error = add_pending(ledger, first, outcomes, n);
        }
    }
    tally->done_before = tally->done;
    free(outcomes);
    free(modes);
    return error;
}

static imp_err fill(imp_feed *feed, imp_ledger *ledger, imp_tally *tally) {
    survey *s = (survey *)feed;
    if (feed->finished) {
        return IMP_OK;
    }
    feed->finished = true;
    tally->cells = imp_grid_cells(&s->sweep->grid);
    if (s->deal->dealt) {
        return imp_ledger_add(ledger, imp_deal_share(s->deal, 0));
    }
    /* To read the marks of a new map would take longer than to make it. */
    return imp_map_is_fresh(s->map) ? imp_ledger_add(ledger, (imp_interval){0, tally->cells})
                                    : look(s->map, ledger, tally);
}

static void close(imp_feed *feed) {
    free(feed);
}

imp_err imp_feed_open(const imp_sweep *sweep, imp_map *map, const imp_deal *deal, imp_feed **feed) {
    if (imp_sweep_is_refined(sweep)) {
        return imp_rounds_open(sweep, map, deal->ranks, feed);
    }
    survey *s = malloc(sizeof *s);
    *feed = s ? &s->feed : NULL;
    if (!s) {
        return imp_out_of_memory();
    }
    *s = (survey){.feed = {.fill = fill, .close = close}, .sweep = sweep, .map = map, .deal = deal};
    return IMP_OK;
}
