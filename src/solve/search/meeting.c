/* Tiles in which the survey saw three labels are halved again and again, as long as three labels
 * are on their sides. Strips of a label that are too narrow for the survey lead from tile to tile
 * until they end. */
#include "solve/search/meeting.h"

enum {
    MOST_FORCED = 64, /* boxes of one tile; more are dust */
    MOST_WIDENED = 64,
    MANY_WIDENED = 16, /* after which rounding may be why the meeting of a box is lost */
    MOST_LOOSE = 32    /* boxes of one tile that are not forced; more are a narrow strip */
};
/* Boxes of marks are halved to `least_mark`; those as small as `mark_size` explain marks. */
static const double mark_size = 1.0 / 1024, least_mark = 1.0 / 16384;
/* Boxes larger than that are looked at in full for labels between two others. */
static const double coarse = 1.0 / 16384;
/* A strip that crosses a box is not looked at more closely where it is so wide, as a part of a side
 * of the box: then it would have to end within eight of its widths. */
static const double least_band = 0.125;
/* A meeting that a box has lost is looked for so far beyond its sides. */
static const double farthest = 1.0 / IMP_TILES;
static const double least_size = 1.0 / (UINT64_C(1) << 48);

/* ---- the boxes that stay ---- */

static bool is_larger(const imp_box *box, double size) {
    return imp_rectangle_size(&box->extent) > size;
}

static bool meets(const imp_hunt_mark *m, const imp_box *box) {
    return imp_rectangles_touch(&box->extent, &m->extent, 0, 0);
}

static bool is_marked(const imp_hunt *h, const imp_box *box) {
    for (size_t i = 0; is_larger(box, least_mark) && i < h->n_marks; i++) {
        const imp_hunt_mark *m = &h->marks[i];
        bool counts = !m->explained && !(m->between && imp_hunt_is_beyond(h, IMP_MOST_CELLS));
        if (counts && meets(m, box)) {
            return true;
        }
    }
    return false;
}

/* Finds the marks whose labels are on the sides of one of the boxes. */
static void explain(imp_hunt *h, const imp_box_list *list) {
    for (size_t b = 0; b < list->n; b++) {
        const imp_box *box = &list->boxes[b];
        uint64_t values = imp_box_values(box);
        for (size_t i = 0; !is_larger(box, mark_size) && i < h->n_marks; i++) {
            imp_hunt_mark *m = &h->marks[i];
            m->explained |= meets(m, box) && (m->values & ~values) == 0;
        }
    }
}

/* Whether labels may meet in box i. */
static bool may_meet(imp_hunt *h, const imp_box_list *list, size_t i, size_t kept) {
    const imp_box *box = &list->boxes[i];
    imp_hunt_tile *tile = &h->tile[box->tile];
    bool three = imp_values_count(imp_box_values(box)) >= 3 && !imp_box_has_band(box, least_band);
    bool forced = three && imp_box_is_forced(box);
    (void)kept;
    tile->forced += forced;
    tile->loose += three && !forced;
    return three || is_marked(h, box);
}

/* Whether a list has box k beside box i, where those before i are the first ones that were kept. */
static bool is_beside(size_t k, size_t i, size_t kept) {
    return k < kept || k > i;
}

/* False of a small box that is not forced beside one that is: it has the same three labels. */
static bool leads(imp_hunt *h, const imp_box_list *list, size_t i, size_t kept) {
    const imp_box *box = &list->boxes[i];
    bool follows = false, may = !is_larger(box, coarse) && !imp_box_is_forced(box);
    (void)h;
    for (size_t k = 0; k < list->n && may && !follows; k++) {
        const imp_box *other = &list->boxes[k];
        follows = is_beside(k, i, kept) &&
                  imp_rectangles_touch(&other->extent, &box->extent, 0, 1) &&
                  imp_box_is_forced(other);
    }
    return !follows;
}

static bool is_around(const imp_box *box, const imp_box *other) {
    return imp_rectangle_is_inside(&other->extent, &box->extent) && imp_boxes_agree(box, other);
}

/* False of a box inside one that is done, and of a wide one around a forced box if their ways round
 * agree: what meets in it meets there. */
static bool is_first(imp_hunt *h, const imp_box_list *list, size_t i, size_t kept) {
    const imp_box *box = &list->boxes[i];
    bool copy = false;
    for (size_t k = 0; k < h->done.n && !copy; k++) {
        const imp_box *done = &h->done.boxes[k];
        copy = imp_rectangle_is_inside(&box->extent, &done->extent) ||
               (box->wide && is_around(box, done));
    }
    for (size_t k = 0; k < list->n && box->wide && imp_box_is_forced(box) && !copy; k++) {
        copy = is_beside(k, i, kept) && is_around(box, &list->boxes[k]);
    }
    return !copy;
}

/* Keeps those boxes of a list of which this is true. */
static void sift(imp_hunt *h, imp_box_list *list,
                 bool (*stays)(imp_hunt *, const imp_box_list *, size_t i, size_t kept)) {
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (stays(h, list, i, kept)) {
            list->boxes[kept++] = list->boxes[i];
        }
    }
    list->n = kept;
}

static void keep(imp_hunt *h, imp_box_list *list) {
    explain(h, list);
    for (int t = 0; t < h->n_tiles; t++) {
        h->tile[t].forced = h->tile[t].loose = 0;
    }
    sift(h, list, may_meet);
    sift(h, list, leads);
    sift(h, list, is_first);
}

/* ---- halving ---- */

/* Whether a box is so small that those beside each other are within the tolerance. */
static bool is_small(const imp_hunt *h, const imp_box *box, int k) {
    const imp_search_plan *plan = &h->plane->work->search->plan;
    double range = plan->over[k].to - plan->over[k].from;
    double low = box->extent.low[k], high = box->extent.high[k];
    double width = imp_plane_value(h->plane, k, high) - imp_plane_value(h->plane, k, low);
    return width <= 0.25 * plan->tolerance * range || high - low <= least_size;
}

/* To which part of the sides of its halves the changes on a small box are narrowed: less than the
 * narrowest label on its own sides. */
static double part_for(const imp_box *box) {
    double part = 1.0 / 64;
    for (int s = 0; s < 4; s++) {
        const imp_side *side = &box->side[s];
        double length = side->stop[side->n - 1].at - side->stop[0].at;
        for (int i = 0; i + 2 < side->n; i++) {
            bool between = side->stop[i].label != side->stop[i + 1].label;
            double width = (side->stop[i + 2].at - side->stop[i].at) / length;
            part = between && width / 16 < part ? width / 16 : part;
        }
    }
    return part < 1.0 / 65536 ? 1.0 / 65536 : part;
}

/* Whether what meets in a box that was widened meets in another forced box: the way round both
 * together is that round the other one. */
static bool is_covered(imp_hunt *h, const imp_box *wider, const imp_box *boxes, size_t n) {
    bool covered = false;
    for (size_t i = 0; i < n && !covered; i++) {
        const imp_box *other = &boxes[i];
        if (!imp_rectangles_overlap(&other->extent, &wider->extent) || !imp_box_is_forced(other)) {
            continue;
        }
        imp_box both = *wider;
        if (!imp_rectangle_is_inside(&other->extent, &wider->extent)) {
            imp_rectangle hull = imp_rectangles_hull(&other->extent, &wider->extent);
            imp_box_around(h->plane, &hull, 0, imp_part_of_side, &both);
        }
        covered = imp_boxes_agree(&both, other);
    }
    return covered;
}

/* Looks for the meeting of a box beyond its sides, farther and farther; false if it is not there,
 * or is that of a box that comes later, of the next ones or of one that is done. */
static bool widen(imp_hunt *h, const imp_box *box, const imp_box_list *next, imp_box *wider) {
    double distance = 0.4 * imp_rectangle_size(&box->extent);
    size_t later = (size_t)(box - h->live.boxes) + 1;
    int *times = &h->tile[box->tile].widened;
    for (; *times < MOST_WIDENED && distance <= farthest && !imp_hunt_is_over(h); distance *= 2) {
        ++*times;
        imp_box_around(h->plane, &box->extent, distance, imp_part_of_side, wider);
        if (imp_box_is_forced(wider)) {
            wider->tile = box->tile;
            wider->wide = true;
            return !is_covered(h, wider, h->live.boxes + later, h->live.n - later) &&
                   !is_covered(h, wider, next->boxes, next->n) &&
                   !is_covered(h, wider, h->done.boxes, h->done.n);
        }
    }
    h->hidden++;
    return false;
}

/* Whether a small box has a meeting that was found and lost again and again: rounding draws dots of
 * one label along a boundary of two others. Then the box becomes the bracket of the meeting, so
 * large that such dots do not show on its sides. */
static bool is_blurred(imp_hunt *h, imp_box *box) {
    imp_box bracket = {.tile = box->tile};
    if (h->tile[box->tile].widened <= MANY_WIDENED || is_larger(box, imp_closest_meeting)) {
        return false;
    }
    imp_box_around(h->plane, &box->extent, imp_closest_meeting, imp_part_of_side, &bracket);
    if (!imp_box_is_forced(&bracket)) {
        return false;
    }
    *box = bracket;
    return true;
}

/* Halves a live box if it is too large across an axis; otherwise, or in dust, it is done. A box
 * whose halves are not forced although it was has the meeting close to a side, which showed it only
 * when it was looked at more closely: the meeting may be beyond. */
static void halve(imp_hunt *h, const imp_box *box, imp_box_list *next) {
    bool small[2] = {is_small(h, box, 0), is_small(h, box, 1)};
    bool forced = imp_box_is_forced(box), end = forced && imp_hunt_is_over(h);
    bool dust = h->tile[box->tile].forced > MOST_FORCED;
    h->left |= end;
    if (dust || end || imp_plane_is_tired(h->plane) || (small[0] && small[1])) {
        imp_box_list_add(h->plane, &h->done, box);
        return;
    }
    bool marked = is_marked(h, box);
    bool spent = imp_hunt_is_spent(h) || (imp_hunt_is_beyond(h, IMP_MOST_CELLS) && !marked);
    if (!forced && (spent || (!marked && h->tile[box->tile].loose > MOST_LOOSE))) {
        h->left |= spent;
        return;
    }
    const imp_rectangle *e = &box->extent;
    int longer = e->high[0] - e->low[0] < e->high[1] - e->low[1];
    imp_box halves[2];
    imp_box_halve(h->plane, box, small[longer] ? !longer : longer, &halves[0], &halves[1]);
    bool full = is_larger(box, coarse) && (forced || marked);
    imp_boxes_narrow(h->plane, halves, 2, full ? imp_part_of_side : part_for(box));
    bool lost = forced && !imp_box_is_forced(&halves[0]) && !imp_box_is_forced(&halves[1]);
    int n = !lost ? 2 : widen(h, box, next, &halves[0]);
    bool blurred = lost && n > 0 && is_blurred(h, &halves[0]);
    for (int i = 0; i < n; i++) {
        imp_box_list_add(h->plane, blurred ? &h->done : next, &halves[i]);
    }
}

/* How many tiles have more boxes than are looked at. */
static int crowded_tiles(const imp_hunt *h) {
    int n = 0;
    for (int t = 0; t < h->n_tiles; t++) {
        n += h->tile[t].loose > MOST_LOOSE || h->tile[t].forced > MOST_FORCED;
    }
    return n;
}

static void descend(imp_hunt *h) {
    h->hidden += crowded_tiles(h);
    while (h->live.n > 0 && !h->plane->work->error) {
        imp_box_list next = {.n = 0};
        imp_hunt_count(h, &h->live);
        for (size_t i = 0; i < h->live.n; i++) {
            halve(h, &h->live.boxes[i], &next);
        }
        h->hidden += crowded_tiles(h);
        imp_box_list_free(&h->live);
        h->live = next;
        keep(h, &h->live);
    }
    for (size_t i = 0; imp_hunt_is_beyond(h, IMP_MOST_CELLS) && i < h->n_marks; i++) {
        h->left |= h->marks[i].between && !h->marks[i].explained;
    }
    h->hidden += h->left;
}

void imp_plane_meetings(imp_plane *plane, imp_survey *survey, imp_places *found) {
    imp_hunt h;
    imp_hunt_open(plane, &h);
    if (!plane->work->error) {
        while (imp_hunt_look(&h, survey)) {
        }
        h.hidden += !h.all + plane->exhausted;
        h.live = h.tiles;
        h.tiles = (imp_box_list){.n = 0};
        keep(&h, &h.live);
        descend(&h);
    }
    if (!plane->work->error) {
        imp_hunt_settle(&h);
    }
    *found = (imp_places){h.found, h.n_found, h.hidden};
    imp_hunt_close(&h);
}
