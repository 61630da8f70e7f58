/* Meetings: the boxes that were found, and the labels around them. */
#include <stdlib.h>

#include "num/larger.h"
#include "solve/search/meeting.h"

static const double least_sector = 1.0 / 64; /* of the way round a meeting that is not forced */

/* Adds a box to the meetings beside it, which become one, or as a new one. Forced boxes come
 * first; others beside them say nothing new. */
static void gather(imp_hunt *h, const imp_rectangle *box, bool forced) {
    imp_meeting one = {.extent = *box, .forced = forced};
    size_t kept = 0;
    for (size_t i = 0; i < h->n_found; i++) {
        const imp_meeting *other = &h->found[i];
        if (!imp_rectangles_touch(&other->extent, box, 0, 8)) {
            h->found[kept++] = *other;
        } else if (!forced && other->forced) {
            return;
        } else {
            one.extent = imp_rectangles_hull(&one.extent, &other->extent);
        }
    }
    h->n_found = kept;
    if (imp_search_grow(h->plane->work, &h->found, &h->found_room, kept + 1, sizeof one)) {
        h->found[h->n_found++] = one;
    }
}

/* Turns a word so that it is least in the order of values. */
static void turn(const imp_plane *plane, imp_word *word) {
    int best = 0;
    for (int first = 1; first < word->n; first++) {
        for (int i = 0; i < word->n; i++) {
            int one = word->label[(first + i) % word->n], other = word->label[(best + i) % word->n];
            double a = one < 0 ? one : plane->value[one];
            double b = other < 0 ? other : plane->value[other];
            if (a != b) {
                best = a < b ? first : best;
                break;
            }
        }
    }
    imp_word turned = {.n = word->n};
    for (int i = 0; i < word->n; i++) {
        turned.label[i] = word->label[(best + i) % word->n];
    }
    *word = turned;
}

/* Whether another meeting is within a distance of one. */
static bool has_company(const imp_hunt *h, size_t number, double distance) {
    const imp_rectangle *one = &h->found[number].extent;
    bool near = false;
    for (size_t i = 0; i < h->n_found && !near; i++) {
        near = i != number && imp_rectangles_touch(one, &h->found[i].extent, distance, 0);
    }
    return near;
}

/* The labels round a meeting as seen from a distance. */
typedef struct view {
    imp_word word;
    int values; /* how many */
    bool forced;
    double narrowest; /* part of the way round that a label has */
} view;

static void look_round(imp_hunt *h, const imp_meeting *one, double distance, view *seen) {
    imp_box box;
    imp_box_around(h->plane, &one->extent, distance, imp_part_of_side / 4, &box);
    imp_box_word(&box, &seen->word);
    seen->values = imp_values_count(imp_box_values(&box));
    seen->forced = imp_word_forced(&seen->word);
    seen->narrowest = imp_box_narrowest(&box);
}

/* The labels round a meeting, from the distance that shows them best: three or more, that force a
 * meeting as the smallest box does. */
static void describe(imp_hunt *h, size_t number) {
    static const int powers[] = {30, 34, 26, 38, 22, 18, 41};
    enum { DISTANCES = sizeof powers / sizeof *powers };
    imp_meeting *one = &h->found[number];
    view best = {.values = 0}, seen;
    for (int i = 0; i < DISTANCES && !(best.values >= 3 && best.forced == one->forced); i++) {
        double distance = 1.0 / (double)(UINT64_C(1) << powers[i]);
        if (i + 1 < DISTANCES && has_company(h, number, 4 * distance)) {
            continue;
        }
        look_round(h, one, distance, &seen);
        bool better = seen.values > best.values || (seen.forced == one->forced && !best.forced);
        best = seen.values >= 3 && better ? seen : best;
    }
    turn(h->plane, &best.word);
    /* Without force the labels meet only if none of them is a narrow strip that passes by. */
    one->n_sectors = one->forced || best.narrowest > least_sector ? best.word.n : 0;
    for (int i = 0; i < one->n_sectors && i < IMP_MOST_SECTORS; i++) {
        one->sector[i] = best.word.label[i];
    }
}

/* Widens a meeting as far as its narrowest label cannot be told from none. */
static void reach_out(imp_hunt *h, size_t number) {
    imp_meeting *one = &h->found[number];
    view seen;
    look_round(h, one, 1.0 / (double)(UINT64_C(1) << 30), &seen);
    double reach = 3 * imp_finest_change / seen.narrowest;
    one->reach = seen.values >= 3 && reach > imp_closest_meeting ? reach : imp_closest_meeting;
    for (int k = 0; k < 2 && seen.values >= 3; k++) {
        double more = 0.5 * (reach - (one->extent.high[k] - one->extent.low[k]));
        if (more > 0) {
            imp_rectangle_widen(&one->extent, k, more);
        }
    }
}

/* Makes meetings one that are too close to be told apart. */
static void unite(imp_hunt *h) {
    size_t kept = 0;
    for (size_t i = 0; i < h->n_found; i++) {
        imp_meeting one = h->found[i];
        size_t left = 0;
        for (size_t k = 0; k < kept; k++) {
            imp_meeting other = h->found[k];
            double slack = imp_larger(one.reach, other.reach);
            if (imp_rectangles_touch(&one.extent, &other.extent, slack, 0)) {
                one.extent = imp_rectangles_hull(&one.extent, &other.extent);
                one.forced |= other.forced;
            } else {
                h->found[left++] = other;
            }
        }
        h->found[left++] = one;
        kept = left;
    }
    h->n_found = kept;
}

void imp_hunt_settle(imp_hunt *h) {
    size_t kept = 0;
    for (int forced = 1; forced >= 0; forced--) {
        for (size_t i = 0; i < h->done.n; i++) {
            if (imp_box_is_forced(&h->done.boxes[i]) == forced) {
                gather(h, &h->done.boxes[i].extent, forced);
            }
        }
    }
    for (size_t i = 0; i < h->n_found; i++) {
        reach_out(h, i);
    }
    unite(h);
    if (h->n_found > 0) {
        qsort(h->found, h->n_found, sizeof *h->found, imp_by_place);
    }
    for (size_t i = 0; i < h->n_found; i++) {
        describe(h, i);
    }
    for (size_t i = 0; i < h->n_found; i++) {
        if (h->found[i].n_sectors >= 3) {
            h->found[kept++] = h->found[i];
        }
    }
    h->hidden += (int)(h->n_found - kept) + imp_plane_is_tired(h->plane);
    h->n_found = kept;
}
