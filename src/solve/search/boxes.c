#include "solve/search/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "num/larger.h"

enum { LINE_HALVINGS = 3, SIDE_HALVINGS = 4 }; /* of a new line between two halves; of a new box */

void imp_box_list_add(imp_plane *plane, imp_box_list *list, const imp_box *box) {
    if (imp_search_grow(plane->work, &list->boxes, &list->room, list->n + 1, sizeof *box)) {
        list->boxes[list->n++] = *box;
    }
}

void imp_box_list_free(imp_box_list *list) {
    free(list->boxes);
    *list = (imp_box_list){.n = 0};
}

/* ---- extents ---- */

bool imp_rectangles_overlap(const imp_rectangle *one, const imp_rectangle *other) {
    bool overlap = true;
    for (int k = 0; k < 2; k++) {
        overlap = overlap && one->low[k] < other->high[k] && other->low[k] < one->high[k];
    }
    return overlap;
}

bool imp_rectangle_is_inside(const imp_rectangle *one, const imp_rectangle *other) {
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        inside = inside && one->low[k] >= other->low[k] && one->high[k] <= other->high[k];
    }
    return inside;
}

bool imp_rectangles_touch(const imp_rectangle *one, const imp_rectangle *other, double slack,
                          double sizes) {
    bool touch = true;
    for (int k = 0; k < 2; k++) {
        double most = slack + sizes * (other->high[k] - other->low[k]);
        touch =
            touch && other->low[k] <= one->high[k] + most && other->high[k] >= one->low[k] - most;
    }
    return touch;
}

imp_rectangle imp_rectangles_hull(const imp_rectangle *one, const imp_rectangle *other) {
    imp_rectangle hull;
    for (int k = 0; k < 2; k++) {
        hull.low[k] = imp_smaller(one->low[k], other->low[k]);
        hull.high[k] = imp_larger(one->high[k], other->high[k]);
    }
    return hull;
}

double imp_rectangle_size(const imp_rectangle *extent) {
    return imp_larger(extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]);
}

void imp_rectangle_widen(imp_rectangle *extent, int k, double distance) {
    extent->low[k] = extent->low[k] < distance ? 0 : extent->low[k] - distance;
    extent->high[k] = extent->high[k] > 1 - distance ? 1 : extent->high[k] + distance;
}

/* ---- sides ---- */

static imp_spot spot_on(const imp_box *box, int s, double at) {
    int along = s / 2;
    imp_spot spot;
    spot.at[along] = at;
    spot.at[1 - along] = s % 2 ? box->extent.high[1 - along] : box->extent.low[1 - along];
    return spot;
}

void imp_side_begin(imp_plane *plane, const imp_box *box, int s, imp_side *side, int halvings) {
    imp_spot spots[IMP_MOST_STOPS] = {{{0, 0}}};
    int labels[IMP_MOST_STOPS], n = 1 << halvings;
    double low = box->extent.low[s / 2], high = box->extent.high[s / 2];
    for (int i = 0; i <= n; i++) {
        side->stop[i].at = i == n ? high : low + (high - low) * i / n;
        spots[i] = spot_on(box, s, side->stop[i].at);
    }
    imp_plane_known_labels(plane, (size_t)n + 1, spots, labels);
    for (int i = 0; i <= n; i++) {
        side->stop[i].label = labels[i];
    }
    side->n = n + 1;
}

/* A stop within three of one label says nothing. */
static void thin_out(imp_side *side) {
    int n = 1;
    for (int i = 1; i < side->n; i++) {
        bool dull = i + 1 < side->n && side->stop[i].label == side->stop[n - 1].label &&
                    side->stop[i].label == side->stop[i + 1].label;
        if (!dull) {
            side->stop[n++] = side->stop[i];
        }
    }
    side->n = n;
}

/* A place that is asked for: between stop i and the next one of a side. */
typedef struct asked {
    imp_box *box;
    int side, after;
} asked;

typedef struct askings {
    asked list[IMP_PROBES_AT_ONCE];
    imp_spot spot[IMP_PROBES_AT_ONCE];
    size_t n;
} askings;

/* Enters the answers; those of one side come together, ascending. */
static void enter(imp_plane *plane, askings *a) {
    int labels[IMP_PROBES_AT_ONCE];
    imp_plane_labels(plane, a->n, a->spot, labels);
    for (size_t i = a->n; i-- > 0;) {
        imp_side *side = &a->list[i].box->side[a->list[i].side];
        int after = a->list[i].after, along = a->list[i].side / 2;
        memmove(&side->stop[after + 2], &side->stop[after + 1],
                (size_t)(side->n - after - 1) * sizeof *side->stop);
        side->stop[after + 1] = (imp_stop){.at = a->spot[i].at[along], .label = labels[i]};
        side->n++;
    }
    for (size_t i = 0; i < a->n; i++) {
        thin_out(&a->list[i].box->side[a->list[i].side]);
    }
    a->n = 0;
}

/* Asks for the middles of the wide changes of a side, as far as there is room for them. */
static size_t ask(imp_plane *plane, askings *a, imp_box *box, int s, double part) {
    imp_side *side = &box->side[s];
    double floor = part * (box->extent.high[s / 2] - box->extent.low[s / 2]);
    int room = IMP_MOST_STOPS - side->n;
    size_t count = 0;
    floor = imp_larger(floor, imp_finest_change);
    if (a->n + IMP_MOST_STOPS > IMP_PROBES_AT_ONCE) {
        enter(plane, a);
    }
    for (int i = 0; i + 1 < side->n && room > 0; i++) {
        const imp_stop *stop = &side->stop[i];
        if (stop[0].label != stop[1].label && stop[1].at - stop[0].at > floor) {
            a->list[a->n] = (asked){.box = box, .side = s, .after = i};
            a->spot[a->n++] = spot_on(box, s, 0.5 * (stop[0].at + stop[1].at));
            room--;
            count++;
        }
    }
    return count;
}

void imp_boxes_narrow(imp_plane *plane, imp_box *boxes, size_t n, double part) {
    askings a = {.n = 0};
    size_t count = 1;
    while (count > 0 && !plane->work->error && !imp_plane_is_tired(plane)) {
        count = 0;
        for (size_t i = 0; i < n; i++) {
            for (int s = 0; s < 4; s++) {
                count += ask(plane, &a, &boxes[i], s, part);
            }
        }
        if (a.n > 0) {
            enter(plane, &a);
        }
    }
}

/* ---- halves ---- */

/* The part of a side below or above a place of known label. */
static void cut(const imp_side *side, imp_stop at, bool above, imp_side *part) {
    part->n = 0;
    if (above) {
        part->stop[part->n++] = at;
    }
    for (int i = 0; i < side->n; i++) {
        bool here = above ? side->stop[i].at > at.at : side->stop[i].at < at.at;
        if (here && part->n < IMP_MOST_STOPS - !above) {
            part->stop[part->n++] = side->stop[i];
        }
    }
    if (!above) {
        part->stop[part->n++] = at;
    }
    thin_out(part);
}

void imp_box_halve(imp_plane *plane, const imp_box *box, int axis, imp_box *lower, imp_box *upper) {
    static const double share = 0.4921875;
    double low = box->extent.low[axis], at = low + share * (box->extent.high[axis] - low);
    int across = 2 * (1 - axis);
    *lower = *upper = *box;
    lower->extent.high[axis] = upper->extent.low[axis] = at;
    imp_side *line = &lower->side[across + 1];
    imp_side_begin(plane, lower, across + 1, line, LINE_HALVINGS);
    upper->side[across] = *line;
    for (int end = 0; end < 2; end++) {
        imp_stop stop = {at, line->stop[end ? line->n - 1 : 0].label};
        cut(&box->side[2 * axis + end], stop, false, &lower->side[2 * axis + end]);
        cut(&box->side[2 * axis + end], stop, true, &upper->side[2 * axis + end]);
    }
    thin_out(line);
    thin_out(&upper->side[across]);
}

void imp_box_around(imp_plane *plane, const imp_rectangle *extent, double distance, double part,
                    imp_box *box) {
    box->extent = *extent;
    for (int k = 0; k < 2; k++) {
        imp_rectangle_widen(&box->extent, k, distance);
    }
    for (int s = 0; s < 4; s++) {
        imp_side_begin(plane, box, s, &box->side[s], SIDE_HALVINGS);
    }
    imp_boxes_narrow(plane, box, 1, part);
}

/* ---- words ---- */

/* The changes of label on the way round a box: the label from each on, and how far round it is. The
 * first place counts as one. */
typedef struct changes {
    int n, label[IMP_MOST_WORD];
    double at[IMP_MOST_WORD];
} changes;

static void find_changes(const imp_box *box, changes *c) {
    static const int order[4] = {0, 3, 1, 2};
    c->n = 0;
    for (int k = 0; k < 4; k++) {
        const imp_side *side = &box->side[order[k]];
        double low = side->stop[0].at, length = side->stop[side->n - 1].at - low;
        for (int i = 0; i < side->n; i++) {
            const imp_stop *stop = &side->stop[k < 2 ? i : side->n - 1 - i];
            double part = (stop->at - low) / length;
            if (c->n == 0 || c->label[c->n - 1] != stop->label) {
                c->at[c->n] = 0.25 * (k + (k < 2 ? part : 1 - part));
                c->label[c->n++] = stop->label;
            }
        }
    }
}

/* The part of the way round from a change to the next one. */
static double width_of(const changes *c, int k) {
    return (k + 1 < c->n ? c->at[k + 1] : 1) - c->at[k];
}

/* The same of the first label, with what is before the first corner from the change `last` on. */
static double width_at_corner(const changes *c, int last) {
    return c->at[1] + 1 - (last < c->n ? c->at[last] : 1);
}

void imp_box_word(const imp_box *box, imp_word *word) {
    changes c;
    find_changes(box, &c);
    while (c.n > 1 && c.label[c.n - 1] == c.label[0]) {
        c.n--;
    }
    word->n = c.n;
    memcpy(word->label, c.label, (size_t)c.n * sizeof *c.label);
}

double imp_box_narrowest(const imp_box *box) {
    changes c;
    find_changes(box, &c);
    double narrowest = c.n > 1 ? width_at_corner(&c, c.n - 1) : 1;
    for (int k = 1; k + 1 < c.n; k++) {
        narrowest = imp_smaller(narrowest, width_of(&c, k));
    }
    return narrowest;
}

bool imp_box_has_band(const imp_box *box, double least) {
    enum { BAND = 4 }; /* changes on the way round a box that a band crosses */
    changes c;
    find_changes(box, &c);
    bool four = c.n == BAND || (c.n == BAND + 1 && c.label[BAND] == c.label[0]);
    int k = four && c.label[0] == c.label[2] ? 0 : 1;
    if (!four || c.label[k] != c.label[k + 2] || c.label[1 - k] == c.label[3 - k]) {
        return false;
    }
    double one = k == 0 ? width_at_corner(&c, BAND) : width_of(&c, 1), other = width_of(&c, k + 2);
    double narrow = imp_smaller(one, other);
    return 4 * narrow >= least && imp_larger(one, other) <= 3 * narrow;
}

uint64_t imp_box_values(const imp_box *box) {
    uint64_t values = 0;
    imp_word word;
    imp_box_word(box, &word);
    for (int i = 0; i < word.n; i++) {
        values |= word.label[i] >= 0 ? UINT64_C(1) << word.label[i] : 0;
    }
    return values;
}

int imp_values_count(uint64_t values) {
    int n = 0;
    for (; values; values &= values - 1) {
        n++;
    }
    return n;
}

/* Leaves out what a closed walk takes back step by step; one label remains of a walk that is not
 * forced. */
static void reduce(const imp_word *word, imp_word *walk) {
    const int *label = walk->label;
    int n = 0, first = 0;
    for (int i = 0; i < word->n; i++) {
        if (n > 1 && label[n - 2] == word->label[i]) {
            n--; /* there and back */
        } else if (n == 0 || label[n - 1] != word->label[i]) {
            walk->label[n++] = word->label[i];
        }
    }
    while (n - first > 1) { /* the same where the walk ends and begins */
        if (label[n - 1] == label[first] || label[n - 2] == label[first]) {
            n--;
        } else if (label[n - 1] == label[first + 1]) {
            first++;
        } else {
            break;
        }
    }
    walk->n = n - first;
    memmove(walk->label, walk->label + first, (size_t)walk->n * sizeof *walk->label);
}

bool imp_word_forced(const imp_word *word) {
    imp_word walk;
    reduce(word, &walk);
    return walk.n > 1;
}

bool imp_words_agree(const imp_word *one, const imp_word *other) {
    imp_word a, b;
    reduce(one, &a);
    reduce(other, &b);
    for (int turn = 0; a.n == b.n && turn < a.n; turn++) {
        int same = 0;
        while (same < a.n && a.label[(turn + same) % a.n] == b.label[same]) {
            same++;
        }
        if (same == a.n) {
            return true;
        }
    }
    return false;
}

bool imp_box_is_forced(const imp_box *box) {
    imp_word word;
    imp_box_word(box, &word);
    return imp_word_forced(&word);
}

bool imp_boxes_agree(const imp_box *one, const imp_box *other) {
    imp_word a, b;
    imp_box_word(one, &a);
    imp_box_word(other, &b);
    return imp_words_agree(&a, &b);
}
