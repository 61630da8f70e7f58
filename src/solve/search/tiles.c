/* Tiles of the plane in which labels may meet: those in which the survey saw three, or which narrow
 * strips lead to. What the hunt may cost. */
#include <stdlib.h>

#include "num/larger.h"
#include "solve/search/meeting.h"

const double imp_part_of_side = 1.0 / 4096;
const double imp_closest_meeting = 1.0 / (UINT64_C(1) << 33);

enum { TILE_HALVINGS = 3 }; /* of the sides of a tile */
static const double narrow_strip = 1.0 / 2048;

/* ---- the hunt ---- */

void imp_hunt_open(imp_plane *plane, imp_hunt *h) {
    *h = (imp_hunt){.plane = plane, .places = 1};
    h->tile_at = calloc((size_t)IMP_TILES * IMP_TILES, sizeof *h->tile_at);
    h->tile = calloc(IMP_MOST_TILES, sizeof *h->tile);
    imp_search_check(plane->work, h->tile_at && h->tile);
}

void imp_hunt_close(imp_hunt *h) {
    imp_box_list_free(&h->live);
    imp_box_list_free(&h->tiles);
    imp_box_list_free(&h->done);
    free(h->marks);
    free(h->tile_at);
    free(h->tile);
}

bool imp_hunt_is_beyond(const imp_hunt *h, int cells) {
    return h->plane->cells > cells * h->places;
}

bool imp_hunt_is_spent(const imp_hunt *h) {
    return h->poor ? imp_hunt_is_beyond(h, IMP_ALL_CELLS)
                   : h->plane->cells + IMP_BOX_CELLS * h->forces > IMP_END_CELLS * h->places;
}

bool imp_hunt_is_over(const imp_hunt *h) {
    return h->plane->cells > IMP_END_CELLS * (h->apart > h->places ? h->apart : h->places);
}

/* Whether two boxes may hold one meeting: they overlap, or are close together. */
static bool are_near(const imp_rectangle *one, const imp_rectangle *other) {
    double near = 8 * imp_closest_meeting;
    bool small = imp_rectangle_size(one) < near && imp_rectangle_size(other) < near;
    return imp_rectangles_overlap(one, other) ||
           (small && imp_rectangles_touch(one, other, near, 0));
}

/* Whether a forced box is the first of those that may hold its meeting. */
static bool is_first(const imp_box_list **lists, int list, size_t number) {
    const imp_box *box = &lists[list]->boxes[number];
    for (int k = 0; k <= list; k++) {
        for (size_t i = 0; i < (k < list ? lists[k]->n : number); i++) {
            const imp_box *other = &lists[k]->boxes[i];
            if (are_near(&box->extent, &other->extent) && imp_box_is_forced(other)) {
                return false;
            }
        }
    }
    return true;
}

void imp_hunt_count(imp_hunt *h, const imp_box_list *list) {
    const imp_box_list *lists[2] = {list, &h->done};
    h->places = h->apart = h->forces = 0;
    for (int t = 0; t < h->n_tiles; t++) {
        h->tile[t].meets = false;
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < lists[k]->n; i++) {
            imp_hunt_tile *tile = &h->tile[lists[k]->boxes[i].tile];
            bool forced = imp_box_is_forced(&lists[k]->boxes[i]), first = !tile->meets;
            tile->meets = tile->meets || k == 1 || forced;
            h->places += first && tile->meets;
            h->forces += forced && k == 0;
            h->apart += forced && is_first(lists, k, i);
        }
    }
    h->places = h->places > 0 ? h->places : 1;
}

/* ---- marks ---- */

static uint64_t values_of(const imp_survey *survey, const imp_junction *junction) {
    uint64_t values = 0;
    for (int c = 0; c < junction->n_classes && c < IMP_JUNCTION_CLASSES; c++) {
        int label = imp_survey_label(survey, junction->classes[c]);
        values |= label >= 0 ? UINT64_C(1) << label : 0;
    }
    return values;
}

static bool is_in_plane(int u, int v) {
    return u >= 0 && v >= 0 && u < IMP_TILES && v < IMP_TILES;
}

static void add_tile(imp_hunt *h, int u, int v) {
    if (!is_in_plane(u, v) || h->tile_at[u * IMP_TILES + v]) {
        return;
    }
    if (h->n_tiles == IMP_MOST_TILES) {
        h->hidden++;
        return;
    }
    if (h->laid > 0 && imp_hunt_is_spent(h)) {
        h->left = true;
        return;
    }
    static const double size = 1.0 / IMP_TILES;
    const imp_box box = {.tile = h->n_tiles++,
                         .extent = {{u * size, v * size}, {(u + 1) * size, (v + 1) * size}}};
    imp_box_list_add(h->plane, &h->tiles, &box);
    h->tile_at[u * IMP_TILES + v] = (int32_t)h->tiles.n;
}

static int tile_of(double at) {
    int tile = (int)(at * IMP_TILES);
    return tile < 0 ? 0 : tile < IMP_TILES ? tile : IMP_TILES - 1;
}

static void add_mark(imp_hunt *h, const imp_hunt_mark *m) {
    if (imp_values_count(m->values) < 3) {
        return;
    }
    if (!imp_search_grow(h->plane->work, &h->marks, &h->mark_room, h->n_marks + 1, sizeof *m)) {
        return;
    }
    h->marks[h->n_marks++] = *m;
    const imp_rectangle *extent = &m->extent;
    for (int u = tile_of(extent->low[0]); u <= tile_of(extent->high[0]); u++) {
        for (int v = tile_of(extent->low[1]); v <= tile_of(extent->high[1]); v++) {
            add_tile(h, u, v);
        }
    }
}

static imp_rectangle extent_of(const imp_spot *one, const imp_spot *other) {
    imp_rectangle extent;
    for (int k = 0; k < 2; k++) {
        extent.low[k] = imp_smaller(one->at[k], other->at[k]);
        extent.high[k] = imp_larger(one->at[k], other->at[k]);
    }
    return extent;
}

static void add_marks(void *context, const imp_survey *survey) {
    for (int64_t j = 0; j < survey->result.n_junctions; j++) {
        const imp_junction *junction = &survey->result.junctions[j];
        imp_spot low = imp_survey_spot(junction->low), high = imp_survey_spot(junction->high);
        imp_hunt_mark m = {.values = values_of(survey, junction), .extent = extent_of(&low, &high)};
        add_mark(context, &m);
    }
}

/* ---- marks between two others: strips narrower than the brackets of the survey ---- */

/* Two places of different labels; dull: a third label was found between them. */
typedef struct bracket {
    imp_spot end[2];
    int label[2];
    bool dull;
} bracket;

/* Takes one in `stride` of the crossings of a survey, if it is between two values; their number. */
static size_t take(const imp_survey *survey, int64_t stride, bracket *brackets) {
    size_t n = 0;
    for (int64_t i = 0; i < survey->result.n_crossings; i += stride) {
        const imp_crossing *crossing = &survey->result.crossings[i];
        bracket *one = &brackets[n];
        *one = (bracket){.end = {imp_survey_spot(crossing->low), imp_survey_spot(crossing->high)},
                         .label = {imp_survey_label(survey, crossing->class_low),
                                   imp_survey_label(survey, crossing->class_high)}};
        n += one->label[0] >= 0 && one->label[1] >= 0;
    }
    return n;
}

/* Enters the label in the middle of a bracket; true if it is a third value. */
static bool enter(bracket *one, imp_spot middle, int label) {
    for (int end = 0; end < 2; end++) {
        if (label == one->label[end]) {
            one->end[end] = middle;
            return false;
        }
    }
    one->dull = true;
    return label >= 0;
}

static void halve(imp_hunt *h, bracket *brackets, size_t n) {
    imp_spot spots[IMP_PROBES_AT_ONCE];
    int labels[IMP_PROBES_AT_ONCE];
    size_t which[IMP_PROBES_AT_ONCE];
    for (size_t next = 0; next < n && !h->plane->work->error && !imp_plane_is_tired(h->plane);) {
        size_t count = 0;
        for (; next < n && count < IMP_PROBES_AT_ONCE; next++) {
            which[count] = next;
            spots[count] = imp_spots_middle(brackets[next].end[0], brackets[next].end[1]);
            count += !brackets[next].dull;
        }
        imp_plane_labels(h->plane, count, spots, labels);
        for (size_t i = 0; i < count; i++) {
            bracket *one = &brackets[which[i]];
            if (enter(one, spots[i], labels[i])) {
                uint64_t values = UINT64_C(1) << one->label[0] | UINT64_C(1) << one->label[1];
                values |= UINT64_C(1) << labels[i];
                add_mark(h, &(imp_hunt_mark){.between = true,
                                             .values = values,
                                             .extent = extent_of(&one->end[0], &one->end[1])});
            }
        }
    }
}

/* What the tiles with three labels will take where there are many of them. */
static int64_t tiles_of(const imp_survey *survey) {
    enum { MANY = 12, CELLS = 60 };
    int64_t n = imp_survey_crowded(survey);
    return n < MANY ? 0 : n * CELLS;
}

/* Halves the brackets of the survey's crossings, as often as the pass `between` of the kind says,
 * and adds a mark for each in whose middle there is a third value. Fewer crossings are taken where
 * all would cost too much. */
static void look_between(imp_hunt *h, const imp_survey *survey) {
    imp_plane *plane = h->plane;
    const imp_search_pass *pass = &plane->work->search->plan.kind->between;
    int64_t left = imp_plane_most(plane, pass, survey) - plane->cells - tiles_of(survey);
    int64_t all = survey->result.n_crossings * pass->halvings;
    if (left <= 0 || all == 0) {
        return;
    }
    bracket *brackets = malloc((size_t)survey->result.n_crossings * sizeof *brackets);
    imp_search_check(plane->work, brackets);
    size_t n = brackets ? take(survey, 1 + all / left, brackets) : 0;
    for (int i = 0; i < pass->halvings; i++) {
        halve(h, brackets, n);
    }
    free(brackets);
}

/* ---- tiles ---- */

/* Where the tile beside a side of a box is. */
static void find_beside(const imp_box *box, int s, int *u, int *v) {
    static const int du[4] = {0, 0, -1, 1}, dv[4] = {-1, 1, 0, 0};
    *u = tile_of(box->extent.low[0] + 0.5 / IMP_TILES) + du[s];
    *v = tile_of(box->extent.low[1] + 0.5 / IMP_TILES) + dv[s];
}

/* Takes over the sides that neighbours have already, and measures the others. */
static void begin_sides(imp_hunt *h, size_t number) {
    imp_box *box = &h->tiles.boxes[number];
    for (int s = 0; s < 4; s++) {
        int u, v;
        find_beside(box, s, &u, &v);
        size_t other = is_in_plane(u, v) ? (size_t)h->tile_at[u * IMP_TILES + v] : 0;
        if (other > 0 && other <= number) {
            box->side[s] = h->tiles.boxes[other - 1].side[s ^ 1];
        } else {
            imp_side_begin(h->plane, box, s, &box->side[s], TILE_HALVINGS);
        }
    }
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
static void add_neighbours(imp_hunt *h, size_t number) {
    strip strips[MOST_STRIPS];
    imp_box box = h->tiles.boxes[number];
    int n = 0;
    for (int s = 0; s < 4; s++) {
        n = side_strips(&box.side[s], s, strips, n);
    }
    for (int i = 0; i < n; i++) {
        bool leads = !imp_box_is_forced(&box);
        for (int k = 0; k < n; k++) {
            leads = leads || (k != i && strips[k].label == strips[i].label &&
                              strips[i].width <= 1.5 * strips[k].width);
        }
        if (leads) {
            int u, v;
            find_beside(&box, strips[i].side, &u, &v);
            add_tile(h, u, v);
        }
    }
}

/* Measures the sides of tiles, from the first one given on. Where the search has become dear, and
 * for what it has found, only those that are forced are looked at closely. */
static void measure_tiles(imp_hunt *h, size_t first) {
    imp_box *tiles = h->tiles.boxes;
    size_t n = h->tiles.n;
    for (size_t i = first; i < n; i++) {
        begin_sides(h, i);
    }
    bool begins = first == 0 && !h->poor;
    if (begins || !(h->poor ? imp_hunt_is_beyond(h, IMP_FEW_CELLS) : imp_hunt_is_spent(h))) {
        imp_boxes_narrow(h->plane, tiles + first, n - first, imp_part_of_side);
        return;
    }
    for (size_t i = first; i < n; i++) {
        bool forced = imp_box_is_forced(&tiles[i]);
        imp_boxes_narrow(h->plane, tiles + i, forced, imp_part_of_side);
        h->left |= !forced;
    }
}

/* Measures the new tiles, and those to which narrow strips lead. */
static void lay_tiles(imp_hunt *h) {
    while (h->laid < h->tiles.n && !h->plane->work->error) {
        size_t first = h->laid, n = h->tiles.n;
        measure_tiles(h, first);
        h->laid = n;
        imp_hunt_count(h, &h->tiles);
        for (size_t i = first; i < n; i++) {
            add_neighbours(h, i);
        }
    }
}

int imp_plane_guess_meetings(imp_plane *plane, const imp_survey *survey) {
    imp_hunt h;
    int forced = 0;
    imp_hunt_open(plane, &h);
    if (!plane->work->error) {
        add_marks(&h, survey);
    }
    for (int i = 0; i < h.n_tiles && !plane->work->error; i++) {
        imp_box *tile = &h.tiles.boxes[i];
        begin_sides(&h, (size_t)i);
        if (imp_box_is_forced(tile)) {
            imp_boxes_narrow(plane, tile, 1, imp_part_of_side);
            forced += imp_box_is_forced(tile);
        }
    }
    imp_hunt_close(&h);
    return forced;
}

bool imp_hunt_look(imp_hunt *h, const imp_survey *survey) {
    imp_plane *plane = h->plane;
    h->n_marks = 0;
    h->all = imp_plane_look_closer(plane, survey, add_marks, h);
    if (!h->all) {
        add_marks(h, survey);
    }
    look_between(h, survey);
    bool dear = !h->all || plane->cells > IMP_FEW_CELLS;
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
