/* Tiles in which the survey saw three labels are halved again and again, as long as three labels
 * are on their sides. Strips of a label that are too narrow for the survey lead from tile to tile
 * until they end. */
#include "solve/search/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "num/larger.h"

enum {
    TILES = 256,       /* along each parameter */
    TILE_HALVINGS = 3, /* of the sides of a tile */
    MOST_TILES = 512,
    MOST_FORCED = 64, /* boxes of one tile; more are dust */
    MOST_WIDENED = 64,
    MANY_WIDENED = 16, /* after which rounding may be why the meeting of a box is lost */
    MOST_LOOSE = 32,   /* boxes of one tile that are not forced; more are a narrow strip */
    /* Cells for each tile with a forced box, beyond which others are left: in a poor search tiles
     * that are not forced; boxes without a mark; in a poor search all but forced boxes. In others
     * these may take what is left of the last limit by the forced ones. At the last one, for each
     * forced box, these end as they are: the rest is for the labels around the meetings. */
    FEW_CELLS = 15500,
    MOST_CELLS = 16000,
    ALL_CELLS = 17000,
    END_CELLS = 19000,
    BOX_CELLS = 1600 /* what a forced box takes until it is done */
};
static const double part_of_side = 1.0 / 4096; /* to which changes are narrowed */
static const double narrow_strip = 1.0 / 2048;
/* Boxes of marks are halved to `least_mark`; those as small as `mark_size` explain marks. */
static const double mark_size = 1.0 / 1024, least_mark = 1.0 / 16384;
/* Boxes larger than that are looked at in full for labels between two others. */
static const double coarse = 1.0 / 16384;
/* A strip that crosses a box is not looked at more closely where it is so wide, as a part of a side
 * of the box: then it would have to end within eight of its widths. */
static const double least_band = 0.125;
static const double least_sector = 1.0 / 64; /* of the way round a meeting that is not forced */
/* Meetings that are closer are one, which tolerances of a theory have split. */
static const double closest = 1.0 / (UINT64_C(1) << 33);
/* A meeting that a box has lost is looked for so far beyond its sides. */
static const double farthest = 1.0 / TILES;
static const double least_size = 1.0 / (UINT64_C(1) << 48);

/* A box of the survey with three labels; explained: these are on the sides of a box of ours. */
typedef struct mark {
    double low[2], high[2];
    uint64_t values;
    bool explained;
    bool between; /* seen between two others: counts as long as that is cheap */
} mark;

typedef struct hunt {
    imp_plane *plane;
    imp_meetings *found;
    mark *marks;
    size_t n_marks;
    int32_t *tile_at; /* number of the tile at a place + 1 */
    imp_box_list tiles, live, done;
    int *forced, *loose; /* boxes of each tile */
    int *widened;        /* how often a box of each tile was widened */
    bool *meets;         /* whether a box of each tile is forced */
    int n_tiles;
    int64_t places; /* tiles with forced boxes, at least 1 */
    int64_t forces; /* forced boxes that are not done */
    int64_t apart;  /* forced boxes that cannot hold the same meeting */
    bool poor;      /* no tile is forced by what the survey saw, and the search has become dear */
    bool all;       /* all squares of the survey were looked at */
    size_t laid;    /* tiles that were measured */
    bool left;      /* tiles or boxes were, as they cost too much */
} hunt;

/* ---- tiles ---- */

static uint64_t values_of(const imp_survey *survey, const imp_junction *junction) {
    uint64_t values = 0;
    for (int c = 0; c < junction->n_classes && c < IMP_JUNCTION_CLASSES; c++) {
        int label = imp_survey_label(survey, junction->classes[c]);
        values |= label >= 0 ? UINT64_C(1) << label : 0;
    }
    return values;
}

/* Whether the search has taken more than this for each place where labels must meet. */
static bool is_beyond(const hunt *h, int cells) {
    return h->plane->cells > cells * h->places;
}

/* Whether only forced boxes may go on. */
static bool is_spent(const hunt *h) {
    return h->poor ? is_beyond(h, ALL_CELLS)
                   : h->plane->cells + BOX_CELLS * h->forces > END_CELLS * h->places;
}

static bool is_over(const hunt *h) {
    return h->plane->cells > END_CELLS * (h->apart > h->places ? h->apart : h->places);
}

static void add_tile(hunt *h, int u, int v) {
    if (u < 0 || v < 0 || u >= TILES || v >= TILES || h->tile_at[u * TILES + v]) {
        return;
    }
    if (h->n_tiles == MOST_TILES) {
        h->found->hidden++;
        return;
    }
    if (h->laid > 0 && is_spent(h)) {
        h->left = true;
        return;
    }
    imp_box *box = imp_box_list_add(h->plane, &h->tiles);
    if (box) {
        h->tile_at[u * TILES + v] = (int32_t)h->tiles.n;
        box->tile = h->n_tiles++;
        box->wide = false;
        box->low[0] = u / (double)TILES;
        box->high[0] = (u + 1) / (double)TILES;
        box->low[1] = v / (double)TILES;
        box->high[1] = (v + 1) / (double)TILES;
    }
}

static int tile_of(double at) {
    int tile = (int)(at * TILES);
    return tile < 0 ? 0 : tile < TILES ? tile : TILES - 1;
}

static void add_mark(hunt *h, const mark *m) {
    if (imp_values_count(m->values) < 3) {
        return;
    }
    mark *grown = realloc(h->marks, (h->n_marks + 1) * sizeof *grown);
    imp_search_check(h->plane->work, grown);
    if (!grown) {
        return;
    }
    h->marks = grown;
    h->marks[h->n_marks++] = *m;
    for (int u = tile_of(m->low[0]); u <= tile_of(m->high[0]); u++) {
        for (int v = tile_of(m->low[1]); v <= tile_of(m->high[1]); v++) {
            add_tile(h, u, v);
        }
    }
}

static void add_marks(void *context, const imp_survey *survey) {
    for (int64_t j = 0; j < survey->result.n_junctions; j++) {
        const imp_junction *junction = &survey->result.junctions[j];
        mark m = {.values = values_of(survey, junction)};
        for (int k = 0; k < 2; k++) {
            m.low[k] = imp_survey_place(junction->low[k]);
            m.high[k] = imp_survey_place(junction->high[k]);
        }
        add_mark(context, &m);
    }
}

static void add_between(void *context, const imp_spot *ends, const int *labels) {
    mark m = {.between = true};
    for (int i = 0; i < 3; i++) {
        m.values |= UINT64_C(1) << labels[i];
    }
    for (int k = 0; k < 2; k++) {
        m.low[k] = imp_smaller(ends[0].at[k], ends[1].at[k]);
        m.high[k] = imp_larger(ends[0].at[k], ends[1].at[k]);
    }
    add_mark(context, &m);
}

/* Takes over the sides that neighbours have already, and measures the others. */
static void begin_sides(hunt *h, size_t number) {
    static const int du[4] = {0, 0, -1, 1}, dv[4] = {-1, 1, 0, 0};
    imp_box *box = &h->tiles.boxes[number];
    int u = tile_of(box->low[0] + 0.5 / TILES), v = tile_of(box->low[1] + 0.5 / TILES);
    for (int s = 0; s < 4; s++) {
        int nu = u + du[s], nv = v + dv[s];
        bool inside = nu >= 0 && nv >= 0 && nu < TILES && nv < TILES;
        size_t other = inside ? (size_t)h->tile_at[nu * TILES + nv] : 0;
        if (other > 0 && other <= number) {
            box->side[s] = h->tiles.boxes[other - 1].side[s ^ 1];
        } else {
            imp_side_begin(h->plane, box, s, &box->side[s], TILE_HALVINGS);
        }
    }
}

static bool is_forced(const imp_box *box) {
    imp_word word;
    imp_box_word(box, &word);
    return imp_word_forced(&word);
}

static bool has_three(const imp_box *box) {
    imp_word word;
    imp_box_word(box, &word);
    return imp_values_count(imp_word_values(&word)) >= 3;
}

/* A narrow strip of one label between two others on a side, or an end of one at a corner. */
typedef struct strip {
    int side, label;
    double width;
} strip;

enum { MOST_STRIPS = 16 };

static int side_strips(const imp_side *side, int s, strip *strips, int n) {
    const imp_stop *stop = side->stop;
    for (int i = 0, next = 0; i < side->n; i = next) {
        while (next < side->n && stop[next].label == stop[i].label) {
            next++;
        }
        bool end = i == 0 || next == side->n;
        bool between = end || stop[i - 1].label != stop[next].label;
        double from = stop[i ? i - 1 : 0].at, to = stop[next < side->n ? next : next - 1].at;
        bool narrow = to - from < narrow_strip && !(i == 0 && next == side->n);
        if (narrow && between && stop[i].label >= 0 && n < MOST_STRIPS) {
            strips[n++] = (strip){.side = s, .label = stop[i].label, .width = to - from};
        }
    }
    return n;
}

/* Adds the tiles to which narrow strips lead: those that pass through, where they do not widen. */
static void add_neighbours(hunt *h, size_t number) {
    static const int du[4] = {0, 0, -1, 1}, dv[4] = {-1, 1, 0, 0};
    strip strips[MOST_STRIPS];
    imp_box box = h->tiles.boxes[number];
    int n = 0, u = tile_of(box.low[0] + 0.5 / TILES), v = tile_of(box.low[1] + 0.5 / TILES);
    for (int s = 0; s < 4; s++) {
        n = side_strips(&box.side[s], s, strips, n);
    }
    for (int i = 0; i < n; i++) {
        bool leads = !is_forced(&box);
        for (int k = 0; k < n; k++) {
            leads = leads || (k != i && strips[k].label == strips[i].label &&
                              strips[i].width <= 1.5 * strips[k].width);
        }
        if (leads) {
            add_tile(h, u + du[strips[i].side], v + dv[strips[i].side]);
        }
    }
}

/* Whether two boxes may hold one meeting: they overlap, or are close together. */
static bool are_near(const imp_box *box, const imp_box *other) {
    bool near = true, overlap = true;
    for (int k = 0; k < 2; k++) {
        double low = imp_larger(box->low[k], other->low[k]);
        double high = imp_smaller(box->high[k], other->high[k]);
        double size = imp_larger(box->high[k] - box->low[k], other->high[k] - other->low[k]);
        near = near && low - high < 8 * closest && size < 8 * closest;
        overlap = overlap && low < high;
    }
    return near || overlap;
}

/* Whether a forced box is the first of those that may hold its meeting. */
static bool is_first(const imp_box_list **lists, int list, size_t number) {
    const imp_box *box = &lists[list]->boxes[number];
    for (int k = 0; k <= list; k++) {
        for (size_t i = 0; i < (k < list ? lists[k]->n : number); i++) {
            const imp_box *other = &lists[k]->boxes[i];
            if (are_near(box, other) && is_forced(other)) {
                return false;
            }
        }
    }
    return true;
}

/* Counts the tiles of some boxes, and of those that are done, in which labels must meet, and such
 * boxes. */
static void count_places(hunt *h, const imp_box_list *list) {
    const imp_box_list *lists[2] = {list, &h->done};
    h->places = h->apart = h->forces = 0;
    memset(h->meets, 0, MOST_TILES * sizeof *h->meets);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < lists[k]->n; i++) {
            const imp_box *box = &lists[k]->boxes[i];
            bool forced = is_forced(box);
            if (!h->meets[box->tile] && (k == 1 || forced)) {
                h->meets[box->tile] = true;
                h->places++;
            }
            h->forces += forced && k == 0;
            h->apart += forced && is_first(lists, k, i);
        }
    }
    h->places = h->places > 0 ? h->places : 1;
}

/* Measures the sides of tiles, from the first one given on. Where the search has become dear, and
 * for what it has found, only those that are forced are looked at closely. */
static void measure_tiles(hunt *h, size_t first) {
    imp_box *tiles = h->tiles.boxes;
    size_t n = h->tiles.n;
    for (size_t i = first; i < n; i++) {
        begin_sides(h, i);
    }
    bool begins = first == 0 && !h->poor;
    if (begins || !(h->poor ? is_beyond(h, FEW_CELLS) : is_spent(h))) {
        imp_boxes_narrow(h->plane, tiles + first, n - first, part_of_side);
        return;
    }
    for (size_t i = first; i < n; i++) {
        bool forced = is_forced(&tiles[i]);
        imp_boxes_narrow(h->plane, tiles + i, forced, part_of_side);
        h->left |= !forced;
    }
}

/* Measures the new tiles, and those to which narrow strips lead. */
static void lay_tiles(hunt *h) {
    while (h->laid < h->tiles.n && !h->plane->work->error) {
        size_t first = h->laid, n = h->tiles.n;
        measure_tiles(h, first);
        h->laid = n;
        count_places(h, &h->tiles);
        for (size_t i = first; i < n; i++) {
            add_neighbours(h, i);
        }
    }
}

/* ---- halving ---- */

static bool larger(const imp_box *box, double size) {
    return box->high[0] - box->low[0] > size || box->high[1] - box->low[1] > size;
}

static bool meets(const mark *m, const imp_box *box) {
    return m->low[0] <= box->high[0] && m->high[0] >= box->low[0] && m->low[1] <= box->high[1] &&
           m->high[1] >= box->low[1];
}

static bool is_marked(const hunt *h, const imp_box *box) {
    for (size_t i = 0; larger(box, least_mark) && i < h->n_marks; i++) {
        const mark *m = &h->marks[i];
        bool counts = !m->explained && !(m->between && is_beyond(h, MOST_CELLS));
        if (counts && meets(m, box)) {
            return true;
        }
    }
    return false;
}

/* Finds the marks whose labels are on the sides of one of the boxes. */
static void explain(hunt *h, const imp_box_list *list) {
    for (size_t b = 0; b < list->n; b++) {
        const imp_box *box = &list->boxes[b];
        imp_word word;
        imp_box_word(box, &word);
        uint64_t values = imp_word_values(&word);
        for (size_t i = 0; !larger(box, mark_size) && i < h->n_marks; i++) {
            mark *m = &h->marks[i];
            m->explained |= meets(m, box) && (m->values & ~values) == 0;
        }
    }
}

/* Whether a box is within some of its own sizes of a place. */
static bool touch(const imp_meeting *one, const imp_box *box, double sizes) {
    for (int k = 0; k < 2; k++) {
        double slack = sizes * (box->high[k] - box->low[k]);
        if (box->low[k] > one->high[k] + slack || box->high[k] < one->low[k] - slack) {
            return false;
        }
    }
    return true;
}

/* Drops small boxes that are not forced beside one that is: they have the same three labels. */
static void drop_followers(imp_box_list *list) {
    size_t kept = 0, n = 0;
    imp_meeting *leaders = calloc(list->n + 1, sizeof *leaders);
    for (size_t i = 0; leaders && i < list->n; i++) {
        if (is_forced(&list->boxes[i])) {
            memcpy(leaders[n].low, list->boxes[i].low, sizeof leaders[n].low);
            memcpy(leaders[n++].high, list->boxes[i].high, sizeof leaders[n].high);
        }
    }
    for (size_t i = 0; leaders && i < list->n; i++) {
        const imp_box *box = &list->boxes[i];
        bool follows = false;
        for (size_t k = 0; k < n && !larger(box, coarse) && !is_forced(box); k++) {
            follows = follows || touch(&leaders[k], box, 1);
        }
        if (!follows) {
            list->boxes[kept++] = *box;
        }
    }
    list->n = leaders ? kept : list->n;
    free(leaders);
}

static bool is_inside(const imp_box *box, const imp_box *other) {
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        inside = inside && box->low[k] >= other->low[k] && box->high[k] <= other->high[k];
    }
    return inside;
}

/* Whether the way round two boxes is the same. */
static bool agree(const imp_box *one, const imp_box *other) {
    imp_word a, b;
    imp_box_word(one, &a);
    imp_box_word(other, &b);
    return imp_words_agree(&a, &b);
}

/* Drops boxes inside one that is done, and wide ones around a forced box if their ways round agree:
 * what meets in them meets there. */
static void drop_copies(const hunt *h, imp_box_list *list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        const imp_box *box = &list->boxes[i];
        bool copy = false;
        for (size_t k = 0; k < h->done.n && !copy; k++) {
            const imp_box *done = &h->done.boxes[k];
            copy = is_inside(box, done) || (box->wide && is_inside(done, box) && agree(box, done));
        }
        for (size_t k = 0; k < list->n && box->wide && is_forced(box) && !copy; k++) {
            const imp_box *other = &list->boxes[k];
            bool counts = k < kept || k > i;
            copy = counts && is_inside(other, box) && agree(box, other);
        }
        if (!copy) {
            list->boxes[kept++] = *box;
        }
    }
    list->n = kept;
}

/* Keeps the boxes of a list in which labels may meet. */
static void keep(hunt *h, imp_box_list *list) {
    size_t kept = 0;
    explain(h, list);
    memset(h->forced, 0, (size_t)h->n_tiles * sizeof *h->forced);
    memset(h->loose, 0, (size_t)h->n_tiles * sizeof *h->loose);
    for (size_t i = 0; i < list->n; i++) {
        bool three = has_three(&list->boxes[i]) && !imp_box_has_band(&list->boxes[i], least_band);
        if (three || is_marked(h, &list->boxes[i])) {
            h->forced[list->boxes[i].tile] += three && is_forced(&list->boxes[i]);
            h->loose[list->boxes[i].tile] += three && !is_forced(&list->boxes[i]);
            list->boxes[kept++] = list->boxes[i];
        }
    }
    list->n = kept;
    drop_followers(list);
    drop_copies(h, list);
}

static double width_of(const hunt *h, const imp_box *box, int k) {
    return imp_plane_value(h->plane, k, box->high[k]) - imp_plane_value(h->plane, k, box->low[k]);
}

/* Whether a box is so small that those beside each other are within the tolerance. */
static bool is_small(const hunt *h, const imp_box *box, int k) {
    const imp_search_plan *plan = &h->plane->work->search->plan;
    double range = plan->over[k].to - plan->over[k].from;
    return width_of(h, box, k) <= 0.25 * plan->tolerance * range ||
           box->high[k] - box->low[k] <= least_size;
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
static bool is_covered(hunt *h, const imp_box *wider, const imp_box *boxes, size_t n) {
    bool covered = false;
    for (size_t i = 0; i < n && !covered; i++) {
        const imp_box *other = &boxes[i];
        bool apart = false;
        double low[2], high[2];
        for (int k = 0; k < 2; k++) {
            apart = apart || other->low[k] >= wider->high[k] || other->high[k] <= wider->low[k];
            low[k] = imp_smaller(other->low[k], wider->low[k]);
            high[k] = imp_larger(other->high[k], wider->high[k]);
        }
        if (apart || !is_forced(other)) {
            continue;
        }
        imp_box both = *wider;
        if (!is_inside(other, wider)) {
            imp_box_around(h->plane, low, high, 0, &both);
            imp_boxes_narrow(h->plane, &both, 1, part_of_side);
        }
        covered = agree(&both, other);
    }
    return covered;
}

/* Looks for the meeting of a box beyond its sides, farther and farther; false if it is not there,
 * or is that of a box that comes later, of the next ones or of one that is done. */
static bool widen(hunt *h, const imp_box *box, const imp_box_list *next, imp_box *wider) {
    double width = box->high[0] - box->low[0], height = box->high[1] - box->low[1];
    double distance = 0.4 * (width > height ? width : height);
    size_t later = (size_t)(box - h->live.boxes) + 1;
    int *times = &h->widened[box->tile];
    for (; *times < MOST_WIDENED && distance <= farthest && !is_over(h); distance *= 2) {
        ++*times;
        imp_box_around(h->plane, box->low, box->high, distance, wider);
        imp_boxes_narrow(h->plane, wider, 1, part_of_side);
        if (is_forced(wider)) {
            wider->tile = box->tile;
            wider->wide = true;
            return !is_covered(h, wider, h->live.boxes + later, h->live.n - later) &&
                   !is_covered(h, wider, next->boxes, next->n) &&
                   !is_covered(h, wider, h->done.boxes, h->done.n);
        }
    }
    h->found->hidden++;
    return false;
}

/* Whether a small box has a meeting that was found and lost again and again: rounding draws dots of
 * one label along a boundary of two others. Then the box becomes the bracket of the meeting, so
 * large that such dots do not show on its sides. */
static bool is_blurred(hunt *h, imp_box *box) {
    imp_box bracket = {.tile = box->tile};
    if (h->widened[box->tile] <= MANY_WIDENED || larger(box, closest)) {
        return false;
    }
    imp_box_around(h->plane, box->low, box->high, closest, &bracket);
    imp_boxes_narrow(h->plane, &bracket, 1, part_of_side);
    if (!is_forced(&bracket)) {
        return false;
    }
    *box = bracket;
    return true;
}

/* Halves a live box if it is too large across an axis; otherwise, or in dust, it is done. A box
 * whose halves are not forced although it was has the meeting close to a side, which showed it only
 * when it was looked at more closely: the meeting may be beyond. */
static void halve(hunt *h, const imp_box *box, imp_box_list *next) {
    bool small[2] = {is_small(h, box, 0), is_small(h, box, 1)};
    bool forced = is_forced(box), end = forced && is_over(h);
    bool dust = h->forced[box->tile] > MOST_FORCED;
    h->left |= end;
    if (dust || end || imp_plane_is_tired(h->plane) || (small[0] && small[1])) {
        imp_box *done = imp_box_list_add(h->plane, &h->done);
        if (done) {
            *done = *box;
        }
        return;
    }
    bool marked = is_marked(h, box);
    bool spent = is_spent(h) || (is_beyond(h, MOST_CELLS) && !marked);
    if (!forced && (spent || (!marked && h->loose[box->tile] > MOST_LOOSE))) {
        h->left |= spent;
        return;
    }
    int longer = box->high[0] - box->low[0] < box->high[1] - box->low[1];
    imp_box halves[2];
    imp_box_halve(h->plane, box, small[longer] ? !longer : longer, &halves[0], &halves[1]);
    bool full = larger(box, coarse) && (forced || marked);
    imp_boxes_narrow(h->plane, halves, 2, full ? part_of_side : part_for(box));
    bool lost = forced && !is_forced(&halves[0]) && !is_forced(&halves[1]);
    int n = !lost ? 2 : widen(h, box, next, &halves[0]);
    bool blurred = lost && n > 0 && is_blurred(h, &halves[0]);
    for (int i = 0; i < n; i++) {
        imp_box *half = imp_box_list_add(h->plane, blurred ? &h->done : next);
        if (half) {
            *half = halves[i];
        }
    }
}

static void descend(hunt *h) {
    for (int t = 0; t < h->n_tiles; t++) {
        h->found->hidden += h->loose[t] > MOST_LOOSE || h->forced[t] > MOST_FORCED;
    }
    while (h->live.n > 0 && !h->plane->work->error) {
        imp_box_list next = {.n = 0};
        count_places(h, &h->live);
        for (size_t i = 0; i < h->live.n; i++) {
            halve(h, &h->live.boxes[i], &next);
        }
        for (int t = 0; t < h->n_tiles; t++) {
            h->found->hidden += h->loose[t] > MOST_LOOSE || h->forced[t] > MOST_FORCED;
        }
        imp_box_list_free(&h->live);
        h->live = next;
        keep(h, &h->live);
    }
    for (size_t i = 0; is_beyond(h, MOST_CELLS) && i < h->n_marks; i++) {
        h->left |= h->marks[i].between && !h->marks[i].explained;
    }
    h->found->hidden += h->left;
}

/* ---- the places found ---- */

static void join(imp_meeting *one, const double *low, const double *high) {
    for (int k = 0; k < 2; k++) {
        one->low[k] = low[k] < one->low[k] ? low[k] : one->low[k];
        one->high[k] = high[k] > one->high[k] ? high[k] : one->high[k];
    }
}

/* Adds a box to the meetings beside it, which become one, or as a new one. Forced boxes come
 * first; others beside them say nothing new. */
static void gather(imp_meetings *found, const imp_box *box, bool forced) {
    imp_meeting one = {.forced = forced};
    memcpy(one.low, box->low, sizeof one.low);
    memcpy(one.high, box->high, sizeof one.high);
    size_t kept = 0;
    for (size_t i = 0; i < found->n; i++) {
        if (!touch(&found->list[i], box, 8)) {
            found->list[kept++] = found->list[i];
        } else if (!forced && found->list[i].forced) {
            return;
        } else {
            join(&one, found->list[i].low, found->list[i].high);
        }
    }
    found->list[kept++] = one;
    found->n = kept;
}

static int by_place(const void *one, const void *other) {
    const imp_meeting *a = one, *b = other;
    for (int k = 0; k < 2; k++) {
        if (a->low[k] != b->low[k]) {
            return a->low[k] < b->low[k] ? -1 : 1;
        }
    }
    return 0;
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
static bool has_company(const imp_meetings *found, size_t number, double distance) {
    const imp_meeting *one = &found->list[number];
    for (size_t i = 0; i < found->n; i++) {
        const imp_meeting *other = &found->list[i];
        bool near = true;
        for (int k = 0; k < 2; k++) {
            near = near && other->low[k] < one->high[k] + distance &&
                   other->high[k] > one->low[k] - distance;
        }
        if (near && i != number) {
            return true;
        }
    }
    return false;
}

/* The labels round a meeting as seen from a distance. */
typedef struct view {
    imp_word word;
    int values; /* how many */
    bool forced;
    double narrowest; /* part of the way round that a label has */
} view;

static void look_round(hunt *h, const imp_meeting *one, double distance, view *seen) {
    imp_box box;
    imp_box_around(h->plane, one->low, one->high, distance, &box);
    imp_boxes_narrow(h->plane, &box, 1, part_of_side / 4);
    imp_box_word(&box, &seen->word);
    seen->values = imp_values_count(imp_word_values(&seen->word));
    seen->forced = imp_word_forced(&seen->word);
    seen->narrowest = imp_box_narrowest(&box);
}

/* The labels round a meeting, from the distance that shows them best: three or more, that force a
 * meeting as the smallest box does. */
static void describe(hunt *h, size_t number) {
    static const int powers[] = {30, 34, 26, 38, 22, 18, 41};
    enum { DISTANCES = sizeof powers / sizeof *powers };
    imp_meeting *one = &h->found->list[number];
    view best = {.values = 0}, seen;
    for (int i = 0; i < DISTANCES && !(best.values >= 3 && best.forced == one->forced); i++) {
        double distance = 1.0 / (double)(UINT64_C(1) << powers[i]);
        if (i + 1 < DISTANCES && has_company(h->found, number, 4 * distance)) {
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
static void reach_out(hunt *h, size_t number) {
    imp_meeting *one = &h->found->list[number];
    view seen;
    look_round(h, one, 1.0 / (double)(UINT64_C(1) << 30), &seen);
    double reach = 3 * imp_finest_change / seen.narrowest;
    one->reach = seen.values >= 3 && reach > closest ? reach : closest;
    for (int k = 0; k < 2 && seen.values >= 3; k++) {
        double more = 0.5 * (reach - (one->high[k] - one->low[k]));
        if (more > 0) {
            one->low[k] = one->low[k] < more ? 0 : one->low[k] - more;
            one->high[k] = one->high[k] > 1 - more ? 1 : one->high[k] + more;
        }
    }
}

/* Whether two meetings are too close to be told apart. */
static bool overlap(const imp_meeting *one, const imp_meeting *other) {
    double slack = one->reach > other->reach ? one->reach : other->reach;
    for (int k = 0; k < 2; k++) {
        if (one->low[k] > other->high[k] + slack || other->low[k] > one->high[k] + slack) {
            return false;
        }
    }
    return true;
}

/* Makes those that overlap one; their number. */
static size_t unite(imp_meetings *found) {
    size_t kept = 0;
    for (size_t i = 0; i < found->n; i++) {
        imp_meeting one = found->list[i];
        size_t left = 0;
        for (size_t k = 0; k < kept; k++) {
            imp_meeting other = found->list[k];
            if (overlap(&one, &other)) {
                join(&one, other.low, other.high);
                one.forced |= other.forced;
            } else {
                found->list[left++] = other;
            }
        }
        found->list[left++] = one;
        kept = left;
    }
    return kept;
}

/* Forced boxes come first. */
static bool gather_all(hunt *h) {
    imp_meetings *found = h->found;
    found->list = malloc((h->done.n + 1) * sizeof *found->list);
    imp_search_check(h->plane->work, found->list);
    for (int forced = 1; found->list && forced >= 0; forced--) {
        for (size_t i = 0; i < h->done.n; i++) {
            if (is_forced(&h->done.boxes[i]) == forced) {
                gather(found, &h->done.boxes[i], forced);
            }
        }
    }
    return found->list;
}

static void settle(hunt *h) {
    imp_meetings *found = h->found;
    size_t kept = 0;
    if (!gather_all(h)) {
        return;
    }
    for (size_t i = 0; i < found->n; i++) {
        reach_out(h, i);
    }
    found->n = unite(found);
    qsort(found->list, found->n, sizeof *found->list, by_place);
    for (size_t i = 0; i < found->n; i++) {
        describe(h, i);
    }
    for (size_t i = 0; i < found->n; i++) {
        if (found->list[i].n_sectors >= 3) {
            found->list[kept++] = found->list[i];
        }
    }
    found->hidden += (int)(found->n - kept) + imp_plane_is_tired(h->plane);
    found->n = kept;
}

static void open_hunt(imp_plane *plane, imp_meetings *found, hunt *h) {
    *h = (hunt){.plane = plane, .found = found, .places = 1};
    *found = (imp_meetings){.n = 0};
    h->tile_at = calloc(TILES * TILES, sizeof *h->tile_at);
    h->forced = calloc(MOST_TILES, sizeof *h->forced);
    h->loose = calloc(MOST_TILES, sizeof *h->loose);
    h->widened = calloc(MOST_TILES, sizeof *h->widened);
    h->meets = calloc(MOST_TILES, sizeof *h->meets);
    imp_search_check(plane->work, h->tile_at && h->forced && h->loose && h->widened && h->meets);
}

static void close_hunt(hunt *h) {
    imp_box_list_free(&h->live);
    imp_box_list_free(&h->tiles);
    imp_box_list_free(&h->done);
    free(h->marks);
    free(h->tile_at);
    free(h->forced);
    free(h->loose);
    free(h->widened);
    free(h->meets);
}

int imp_plane_guess_meetings(imp_plane *plane, const imp_survey *survey) {
    hunt h;
    imp_meetings none;
    int forced = 0;
    open_hunt(plane, &none, &h);
    if (!plane->work->error) {
        add_marks(&h, survey);
    }
    for (int i = 0; i < h.n_tiles && !plane->work->error; i++) {
        imp_box *tile = &h.tiles.boxes[i];
        begin_sides(&h, (size_t)i);
        if (is_forced(tile)) {
            imp_boxes_narrow(plane, tile, 1, part_of_side);
            forced += is_forced(tile);
        }
    }
    close_hunt(&h);
    return forced;
}

/* Looks more closely at where the survey saw three labels, as far as that is cheap, and lays tiles
 * there. True if more of them must hold a meeting than was guessed, so that another look at what
 * was left may take more. */
static bool look(hunt *h, const imp_survey *survey) {
    imp_plane *plane = h->plane;
    h->n_marks = 0;
    h->all = imp_plane_look_closer(plane, survey, add_marks, h);
    if (!h->all) {
        add_marks(h, survey);
    }
    imp_plane_look_between(plane, survey, add_between, h);
    bool dear = !h->all || plane->cells > FEW_CELLS;
    int guess = dear ? imp_plane_guess(plane, survey) : 1;
    h->poor = guess == 0;
    int64_t guessed = guess > 1 ? guess : 1;
    h->places = guessed;
    lay_tiles(h);
    if (h->all || h->places <= guessed) {
        return false;
    }
    plane->guessed = 1 + (int)h->places;
    return true;
}

void imp_plane_meetings(imp_plane *plane, const imp_survey *survey, imp_meetings *found) {
    hunt h;
    open_hunt(plane, found, &h);
    if (!plane->work->error) {
        while (look(&h, survey)) {
        }
        found->hidden += !h.all + plane->exhausted;
        h.live = h.tiles;
        h.tiles = (imp_box_list){.n = 0};
        keep(&h, &h.live);
        descend(&h);
    }
    if (!plane->work->error) {
        settle(&h);
    }
    close_hunt(&h);
}

void imp_meetings_free(imp_meetings *found) {
    free(found->list);
    *found = (imp_meetings){.n = 0};
}
