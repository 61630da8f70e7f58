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
    MOST_LOOSE = 32,   /* boxes of one tile that are not forced; more are a narrow strip */
    MOST_CELLS = 16000 /* for each forced box; beyond, others are left */
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
    int n_tiles;
    int64_t most; /* cells, beyond which boxes that are not forced are left */
    bool left;    /* some were */
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

static void add_tile(hunt *h, int u, int v) {
    if (u < 0 || v < 0 || u >= TILES || v >= TILES || h->tile_at[u * TILES + v]) {
        return;
    }
    if (h->n_tiles == MOST_TILES) {
        h->found->hidden++;
        return;
    }
    imp_box *box = imp_box_list_add(h->plane, &h->tiles);
    if (box) {
        h->tile_at[u * TILES + v] = (int32_t)h->tiles.n;
        box->tile = h->n_tiles++;
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
            strips[n++] = (strip){s, stop[i].label, to - from};
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

/* Measures the sides of the tiles, and of those to which narrow strips lead. */
static void lay_tiles(hunt *h) {
    for (size_t first = 0; first < h->tiles.n && !h->plane->work->error;) {
        size_t n = h->tiles.n;
        for (size_t i = first; i < n; i++) {
            begin_sides(h, i);
        }
        imp_boxes_narrow(h->plane, h->tiles.boxes + first, n - first, part_of_side);
        for (size_t i = first; i < n; i++) {
            add_neighbours(h, i);
        }
        first = n;
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

static bool is_costly(const hunt *h) {
    return h->plane->cells > h->most;
}

static bool is_marked(const hunt *h, const imp_box *box) {
    for (size_t i = 0; larger(box, least_mark) && i < h->n_marks; i++) {
        const mark *m = &h->marks[i];
        bool counts = !m->explained && !(m->between && is_costly(h));
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

/* Looks for the meeting of a box beyond its sides, farther and farther; false if it is not there.
 */
static bool widen(hunt *h, const imp_box *box, imp_box *wider) {
    double width = box->high[0] - box->low[0], height = box->high[1] - box->low[1];
    double distance = 0.4 * (width > height ? width : height);
    for (; h->widened[box->tile] < MOST_WIDENED; distance *= 2) {
        h->widened[box->tile]++;
        imp_box_around(h->plane, box->low, box->high, distance, wider);
        imp_boxes_narrow(h->plane, wider, 1, part_of_side);
        if (is_forced(wider)) {
            wider->tile = box->tile;
            return true;
        }
    }
    h->found->hidden++;
    return false;
}

/* Halves a live box if it is too large across an axis; otherwise, or in dust, it is done. A box
 * whose halves are not forced although it was has the meeting close to a side, which showed it only
 * when it was looked at more closely: the meeting may be beyond. */
static void halve(hunt *h, const imp_box *box, imp_box_list *next) {
    bool small[2] = {is_small(h, box, 0), is_small(h, box, 1)};
    bool dust = h->forced[box->tile] > MOST_FORCED;
    if (dust || imp_plane_is_tired(h->plane) || (small[0] && small[1])) {
        imp_box *done = imp_box_list_add(h->plane, &h->done);
        if (done) {
            *done = *box;
        }
        return;
    }
    bool costly = is_costly(h), forced = is_forced(box), marked = is_marked(h, box);
    if (!forced && !marked && (costly || h->loose[box->tile] > MOST_LOOSE)) {
        h->left |= costly;
        return;
    }
    int longer = box->high[0] - box->low[0] < box->high[1] - box->low[1];
    imp_box halves[2];
    imp_box_halve(h->plane, box, small[longer] ? !longer : longer, &halves[0], &halves[1]);
    bool full = larger(box, coarse) && (forced || marked);
    imp_boxes_narrow(h->plane, halves, 2, full ? part_of_side : part_for(box));
    bool lost = forced && !is_forced(&halves[0]) && !is_forced(&halves[1]);
    int n = !lost ? 2 : widen(h, box, &halves[0]);
    for (int i = 0; i < n; i++) {
        imp_box *half = imp_box_list_add(h->plane, next);
        if (half) {
            *half = halves[i];
        }
    }
}

/* What the forced boxes that are live or done may cost; of one if there is none. */
static int64_t most_cells(const hunt *h) {
    size_t forced = h->done.n;
    for (int t = 0; t < h->n_tiles; t++) {
        forced += (size_t)h->forced[t];
    }
    return MOST_CELLS * (int64_t)(forced > 0 ? forced : 1);
}

static void descend(hunt *h) {
    for (int t = 0; t < h->n_tiles; t++) {
        h->found->hidden += h->loose[t] > MOST_LOOSE || h->forced[t] > MOST_FORCED;
    }
    while (h->live.n > 0 && !h->plane->work->error) {
        imp_box_list next = {.n = 0};
        h->most = most_cells(h);
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
    for (size_t i = 0; is_costly(h) && i < h->n_marks; i++) {
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

void imp_plane_meetings(imp_plane *plane, const imp_survey *survey, imp_meetings *found) {
    hunt h = {.plane = plane, .found = found, .most = MOST_CELLS};
    *found = (imp_meetings){.n = 0};
    h.tile_at = calloc(TILES * TILES, sizeof *h.tile_at);
    h.forced = calloc(MOST_TILES, sizeof *h.forced);
    h.loose = calloc(MOST_TILES, sizeof *h.loose);
    h.widened = calloc(MOST_TILES, sizeof *h.widened);
    imp_search_check(plane->work, h.tile_at && h.forced && h.loose && h.widened);
    if (!plane->work->error) {
        bool all = imp_plane_look_closer(plane, survey, add_marks, &h);
        imp_plane_look_between(plane, survey, add_between, &h);
        found->hidden = !all + plane->exhausted;
        lay_tiles(&h);
        h.live = h.tiles;
        h.tiles = (imp_box_list){.n = 0};
        keep(&h, &h.live);
        descend(&h);
    }
    if (!plane->work->error) {
        settle(&h);
    }
    imp_box_list_free(&h.live);
    imp_box_list_free(&h.tiles);
    imp_box_list_free(&h.done);
    free(h.marks);
    free(h.tile_at);
    free(h.forced);
    free(h.loose);
    free(h.widened);
}

void imp_meetings_free(imp_meetings *found) {
    free(found->list);
    *found = (imp_meetings){.n = 0};
}
