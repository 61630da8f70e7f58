/* Where walks along narrow strips begin: at the ends of tails, as far as nodes of the flat grid
 * show them, and where a point of a ring, a line or a walk has a class that no corner of its cell
 * has. Cells at nodes within a strip are examined; the ends of the tails that these show are
 * followed in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refine/forest.h"
#include "refine/generator_impl.h"

imp_err imp_filaments_add(imp_refinement *r, const imp_walk *walk) {
    imp_filaments *f = &r->filaments;
    imp_err error = imp_grow(&f->walks, &f->room, f->n + 1, sizeof *f->walks);
    if (!error) {
        f->walks[f->n++] = *walk;
    }
    return error;
}

imp_err imp_filaments_ask(imp_refinement *r, const uint32_t *key, uint32_t *point) {
    size_t before = r->points.n;
    uint32_t off = imp_cell_size(r, r->plan.depth) - 1;
    *point = imp_refine_ask(r, key);
    if (*point == IMP_KEY_NONE) {
        return imp_out_of_memory();
    }
    bool fresh = r->points.n > before, node = ((key[0] | key[1]) & off) == 0;
    r->filaments.asked += fresh;
    return fresh && node ? imp_levels_examine(r, key) : IMP_OK;
}

static void cover_key(const imp_refinement *r, const uint32_t *key, uint32_t class,
                      uint32_t *place) {
    imp_cell cell = imp_cell_around(r, key, r->plan.depth);
    memcpy(place, cell.low, 2 * sizeof *place);
    place[2] = class;
}

imp_err imp_filaments_cover(imp_refinement *r, const uint32_t *key, uint32_t class,
                            imp_cover *cover) {
    imp_filaments *f = &r->filaments;
    uint32_t place[3];
    size_t before = f->covered.n;
    cover_key(r, key, class, place);
    uint32_t number = imp_key_set_add(&f->covered, place);
    if (number == IMP_KEY_NONE ||
        imp_grow(&f->covers, &f->cover_room, (size_t)number + 1, sizeof *f->covers)) {
        return imp_out_of_memory();
    }
    if (number == before) {
        f->covers[number] = *cover;
    }
    *cover = f->covers[number];
    return IMP_OK;
}

/* Begins a walk. */
static imp_err begin_walk(imp_refinement *r, const uint32_t *node, uint32_t class, int narrow,
                          int free) {
    imp_walk walk = {.class = class,
                     .filament = (uint32_t)r->filaments.n,
                     .joins = (uint32_t)r->filaments.n,
                     .seed = {node[0], node[1]},
                     .narrow = narrow,
                     .free = free,
                     .state = IMP_WALK_BEGINS};
    return imp_filaments_add(r, &walk);
}

/* ---- ends of tails ---- */

/* Whether nodes at these offsets, in cells, from a node show its class; `beyond` the range. */
static bool shows(const imp_refinement *r, const uint32_t *node, uint32_t class, int one, int two,
                  bool beyond) {
    int64_t size = imp_cell_size(r, r->plan.depth), range = INT64_C(1) << r->bits;
    int64_t at[2] = {node[0] + one * size, node[1] + two * size};
    if (at[0] < 0 || at[0] > range || at[1] < 0 || at[1] > range) {
        return beyond;
    }
    uint32_t point = imp_key_set_find(&r->points, (uint32_t[]){(uint32_t)at[0], (uint32_t)at[1]});
    return point == IMP_KEY_NONE || !imp_refine_known(r, point) || r->class_of[point] == class;
}

/* Whether no node shows that the strip goes on to a side of an axis. */
static bool is_free(const imp_refinement *r, const uint32_t *node, uint32_t class, int axis,
                    int side) {
    bool seen = false;
    for (int across = -1; across <= 1; across++) {
        seen =
            seen || shows(r, node, class, axis ? across : side, axis ? side : across, across == 0);
    }
    return !seen;
}

static bool is_covered(const imp_refinement *r, const uint32_t *node, uint32_t class) {
    uint32_t size = imp_cell_size(r, r->plan.depth), place[3];
    for (int i = 0; i < 4; i++) {
        uint32_t key[2] = {node[0] - (i & 1 && node[0] ? size : 0),
                           node[1] - (i & 2 && node[1] ? size : 0)};
        cover_key(r, key, class, place);
        if (imp_key_set_find(&r->filaments.covered, place) != IMP_KEY_NONE) {
            return true;
        }
    }
    return false;
}

/* Begins a walk at a node if its class is narrow there and ends without a node that shows where. */
static imp_err try_node(imp_refinement *r, const uint32_t *node) {
    size_t before = r->filaments.seeds.n;
    if (imp_key_set_add(&r->filaments.seeds, node) == IMP_KEY_NONE) {
        return imp_out_of_memory();
    }
    if (r->filaments.seeds.n == before) {
        return IMP_OK;
    }
    uint32_t class = r->class_of[imp_key_set_find(&r->points, node)];
    int narrow = 0, free = 0;
    for (int a = 0; a < 2; a++) {
        bool thin = !shows(r, node, class, a == 0 ? -1 : 0, a == 1 ? -1 : 0, false) &&
                    !shows(r, node, class, a == 0 ? 1 : 0, a == 1 ? 1 : 0, false);
        narrow |= thin << a;
        for (int side = 0; side < 2; side++) {
            free |= is_free(r, node, class, a, side ? 1 : -1) << (2 * a + side);
        }
    }
    bool ends = (narrow & 1 && free & 12) || (narrow & 2 && free & 3);
    return ends && !is_covered(r, node, class) ? begin_walk(r, node, class, narrow, free) : IMP_OK;
}

/* ---- rings around places where three classes meet ---- */

enum { RING_PARTS = 8 }; /* points of a ring for each edge of a cell */

static int classes_of(const imp_refinement *r, const imp_cell *cell) {
    uint32_t nodes[IMP_CELL_CORNERS];
    int n = 0;
    imp_cell_nodes(r, cell, nodes);
    for (int c = 0; c < r->n_corners; c++) {
        bool first = true;
        for (int k = 0; k < c; k++) {
            first = first && r->class_of[nodes[k]] != r->class_of[nodes[c]];
        }
        n += first;
    }
    return n;
}

/* Whether one of the cells up to two cells away has a ring. */
static bool has_ring_near(const imp_refinement *r, const imp_cell *cell) {
    uint32_t size = imp_cell_size(r, cell->level);
    for (int i = 0; i < 25; i++) {
        uint32_t key[2] = {cell->low[0] + (uint32_t)(i / 5 - 2) * size,
                           cell->low[1] + (uint32_t)(i % 5 - 2) * size};
        if (imp_key_set_find(&r->filaments.rings, key) != IMP_KEY_NONE) {
            return true; /* beyond the range there is none */
        }
    }
    return false;
}

/* Asks for the points of a square around a cell, one cell away from it. */
static imp_err ask_ring(imp_refinement *r, const imp_cell *cell) {
    int64_t size = imp_cell_size(r, cell->level), range = INT64_C(1) << r->bits;
    int64_t side = 3 * RING_PARTS;
    imp_err error = IMP_OK;
    for (int64_t i = 0; !error && i < 4 * side; i++) {
        int64_t along = i % side * size / RING_PARTS, at[2];
        int side_of = (int)(i / side), axis = side_of / 2;
        at[axis] = cell->low[axis] - size + along;
        at[!axis] = cell->low[!axis] - size + (side_of % 2) * 3 * size;
        uint32_t key[2] = {(uint32_t)at[0], (uint32_t)at[1]}, point;
        bool within = at[0] >= 0 && at[0] <= range && at[1] >= 0 && at[1] <= range;
        error = within ? imp_filaments_ask(r, key, &point) : IMP_OK;
    }
    return error;
}

/* A narrow strip may begin where three classes meet, and be hidden between the nodes there. */
static imp_err try_ring(imp_refinement *r, const imp_cell *cell) {
    if (imp_cell_size(r, cell->level) < RING_PARTS || classes_of(r, cell) < 3 ||
        r->filaments.asked > r->filaments.quota || has_ring_near(r, cell)) {
        return IMP_OK;
    }
    if (imp_key_set_add(&r->filaments.rings, cell->low) == IMP_KEY_NONE) {
        return imp_out_of_memory();
    }
    return ask_ring(r, cell);
}

/* Looks at the mixed cells that were found since the last time. */
static imp_err look_at_cells(imp_refinement *r) {
    const imp_key_set *mixed = &r->levels.level[r->plan.depth].mixed;
    imp_err error = IMP_OK;
    for (; !error && r->filaments.looked < mixed->n; r->filaments.looked++) {
        imp_cell cell = imp_cell_of(mixed, r->filaments.looked, r->plan.depth);
        for (int c = 0; !error && c < r->n_corners; c++) {
            uint32_t node[2];
            imp_cell_corner(r, &cell, c, node);
            error = try_node(r, node);
        }
        error = error ? error : try_ring(r, &cell);
    }
    return error;
}

/* ---- lines ---- */

/* The line of a number: its axis, its place on the other axis, and where its first point is. The
 * first four are the edges of the range; the others are spread evenly along each axis, each at a
 * random place of its part. */
static void line_of(const imp_refinement *r, int number, int *axis, uint32_t *across,
                    uint32_t *from) {
    uint32_t range = UINT32_C(1) << r->bits, size = imp_cell_size(r, r->plan.depth);
    int along = (number - 4) / 2, n = (r->plan.lines - 3) / 2;
    uint64_t counter = (UINT64_C(1) << 40) + 2 * (uint64_t)number;
    double part = (double)(imp_refine_random(counter) >> 11) * 0x1p-53;
    *axis = number % 2;
    *across = number < 4 ? (number < 2 ? 0 : range) : (uint32_t)(range * (along + part) / n);
    *from = (uint32_t)imp_refine_random(counter + 1) & (size - 1);
}

/* Asks for the points of all lines, as far apart as the nodes of the flat grid. */
static imp_err ask_lines(imp_refinement *r) {
    imp_filaments *f = &r->filaments;
    uint32_t size = imp_cell_size(r, r->plan.depth), point;
    imp_err error = IMP_OK;
    f->seen = r->points.n;
    for (int line = 0; !error && line < r->plan.lines; line++) {
        uint32_t key[2], across, from;
        int axis;
        line_of(r, line, &axis, &across, &from);
        key[!axis] = across;
        for (uint64_t at = from; !error && at <= UINT64_C(1) << r->bits; at += size) {
            key[axis] = (uint32_t)at;
            error = imp_filaments_ask(r, key, &point);
        }
    }
    return error;
}

/* Whether a corner of the smallest cell around a key has a class. */
static bool is_expected(const imp_refinement *r, const uint32_t *key, uint32_t class) {
    imp_cell cell = imp_cell_around(r, key, r->plan.depth);
    for (int c = 0; c < r->n_corners; c++) {
        uint32_t node[2];
        imp_cell_corner(r, &cell, c, node);
        if (r->class_of[imp_refine_lower(r, node, r->plan.depth)] == class) {
            return true;
        }
    }
    return false;
}

/* Whether a walk along a strip of this class went through the cell of a key or one beside it. */
static bool is_near_walk(const imp_refinement *r, const uint32_t *key, uint32_t class) {
    int64_t size = imp_cell_size(r, r->plan.depth), range = INT64_C(1) << r->bits;
    for (int i = 0; i < 9; i++) {
        int64_t at[2] = {key[0] + (i / 3 - 1) * size, key[1] + (i % 3 - 1) * size};
        uint32_t near[2], place[3];
        for (int a = 0; a < 2; a++) {
            near[a] = (uint32_t)(at[a] < 0 ? 0 : at[a] > range ? range : at[a]);
        }
        cover_key(r, near, class, place);
        if (imp_key_set_find(&r->filaments.covered, place) != IMP_KEY_NONE) {
            return true;
        }
    }
    return false;
}

/* Begins walks where points of lines and of other walks have a class that is not expected; of
 * consecutive ones at the first. */
static imp_err look_at_points(imp_refinement *r) {
    imp_filaments *f = &r->filaments;
    uint32_t last = IMP_KEY_NONE;
    imp_err error = IMP_OK;
    for (; !error && f->seen < r->points.n; f->seen++) {
        uint32_t node[2], class = r->class_of[f->seen];
        memcpy(node, imp_refine_key(r, (int64_t)f->seen), sizeof node);
        bool found = !is_expected(r, node, class) && !is_near_walk(r, node, class);
        if (found && class != last) {
            error = begin_walk(r, node, class, 3, 15);
        }
        last = found ? class : IMP_KEY_NONE;
    }
    return error;
}

/* ---- the stage ---- */

static imp_err begin_stage(imp_refinement *r) {
    imp_filaments *f = &r->filaments;
    f->begun = true;
    f->quota = 4096 + r->points.n;
    imp_err error = ask_lines(r);
    f->asked = 0;
    return error;
}

/* Goes on with all walks; beyond the limit of points they end. */
static imp_err walk_all(imp_refinement *r) {
    imp_filaments *f = &r->filaments;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < f->n; i++) {
        bool goes = f->walks[i].state <= IMP_WALK_GOES;
        if (goes && f->asked > f->quota) {
            f->walks[i].state = IMP_WALK_LIMIT;
        } else if (goes) {
            error = imp_walk_on(r, i);
        }
    }
    return error;
}

/* Whether all walks are over and all cells decided. */
static bool is_quiet(const imp_refinement *r) {
    const imp_level *cells = &r->levels.level[r->plan.depth];
    for (size_t i = 0; i < r->filaments.n; i++) {
        if (r->filaments.walks[i].state <= IMP_WALK_GOES) {
            return false;
        }
    }
    return cells->decided == cells->examined.n;
}

imp_err imp_filaments_step(imp_refinement *r) {
    imp_filaments *f = &r->filaments;
    size_t before = r->points.n;
    imp_err error = f->begun ? IMP_OK : begin_stage(r);
    while (!error && r->points.n == before) {
        error = imp_levels_settle(r);
        if (error || r->points.n > before) {
            break;
        }
        error = look_at_cells(r);
        if (!error && is_quiet(r)) {
            error = look_at_points(r);
            if (is_quiet(r)) {
                break;
            }
        }
        error = error ? error : walk_all(r);
    }
    return error;
}

/* ---- the result ---- */

/* The filament of every walk: that of the first of all walks that were joined to it; to be freed.
 * NULL: memory is out. */
static uint32_t *joined(const imp_filaments *f) {
    uint32_t *parent = malloc((f->n + 1) * sizeof *parent);
    for (size_t i = 0; parent && i < f->n; i++) {
        parent[i] = (uint32_t)i;
    }
    for (size_t i = 0; parent && i < f->n; i++) {
        uint32_t one = imp_forest_join(parent, f->walks[i].filament, f->walks[i].joins);
        parent[imp_forest_root(parent, (uint32_t)i)] = one;
    }
    for (size_t i = 0; parent && i < f->n; i++) {
        parent[i] = imp_forest_root(parent, (uint32_t)i);
    }
    return parent;
}

/* Makes an end of a walk the wider or the narrower end of its filament, if it is that. */
static void take_end(imp_filament *f, const double *place, double width) {
    bool wider = width > f->width[0], second = f->n_ends == 1 && !wider;
    for (int e = 0; e < 2; e++) {
        if (f->n_ends == 0 || (e == 0 ? wider : second || width < f->width[1])) {
            f->width[e] = width;
            memcpy(f->place[e], place, sizeof f->place[e]);
        }
    }
    f->n_ends++;
}

/* Whether two walks met each other: each went on until it came into a cell of the other. */
static bool met_each_other(const imp_refinement *r, size_t number) {
    const imp_walk *one = &r->filaments.walks[number], *other = &r->filaments.walks[one->met];
    return one->state == IMP_WALK_JOINS && other->state == IMP_WALK_JOINS && one->met != number &&
           other->met == number;
}

/* Whether a walk began beside a place where another one had passed already. */
static bool is_passed(const imp_refinement *r, size_t number) {
    const imp_walk *w = &r->filaments.walks[number];
    double cells = w->length * (double)(UINT64_C(1) << r->plan.depth);
    return w->state == IMP_WALK_JOINS && cells <= 2 && !met_each_other(r, number);
}

/* The length that two walks have in common which met each other. 0 for the first of them. */
static double common_length(const imp_refinement *r, size_t number) {
    const imp_walk *w = &r->filaments.walks[number];
    double end[2][2], width;
    if (!met_each_other(r, number) || w->met > number) {
        return 0;
    }
    imp_walk_end_of(r, w, end[0], &width);
    imp_walk_end_of(r, &r->filaments.walks[w->met], end[1], &width);
    double along = end[1][0] - end[0][0], across = end[1][1] - end[0][1];
    return sqrt(along * along + across * across) / (double)(UINT64_C(1) << r->bits);
}

/* A walk begins at an end unless it goes on to both sides or another one comes up from behind, and
 * ends at one unless it meets another. */
static void take_walk(const imp_refinement *r, size_t number, imp_filament *f) {
    const imp_walk *w = &r->filaments.walks[number];
    bool first = w->filament == number, passed = is_passed(r, number);
    double place[2], width;
    f->class = w->class;
    f->sections += w->sections + first;
    if (passed) {
        return;
    }
    if (first && !w->forked && !w->reached) {
        take_end(f, w->first, w->first_width);
    }
    if (w->sections > 0 && w->state != IMP_WALK_JOINS) {
        imp_walk_end_of(r, w, place, &width);
        take_end(f, place, width);
    }
    f->length += w->length - common_length(r, number);
}

imp_err imp_result_filaments(const imp_refinement *r, imp_refine_result *result) {
    const imp_filaments *f = &r->filaments;
    double size = 1 / (double)(UINT64_C(1) << r->plan.depth);
    uint32_t *number = joined(f);
    result->all_followed = true;
    result->filaments = calloc(f->n + 1, sizeof *result->filaments);
    for (size_t i = 0; number && result->filaments && i < f->n; i++) {
        const imp_walk *w = &f->walks[i];
        result->all_followed = result->all_followed && w->state != IMP_WALK_LIMIT;
        if (w->state > IMP_WALK_GOES || w->sections > 0) {
            take_walk(r, i, &result->filaments[number[i]]);
        }
    }
    for (size_t i = 0; number && result->filaments && i < f->n; i++) {
        if (number[i] == i && result->filaments[i].n_ends == 0) { /* it runs back into itself */
            take_end(&result->filaments[i], f->walks[i].first, f->walks[i].first_width);
        }
    }
    for (size_t i = 0; number && result->filaments && i < f->n; i++) {
        imp_filament found = result->filaments[i];
        if (found.length > size && found.length > 4 * found.width[0]) {
            result->filaments[result->n_filaments++] = found;
        }
    }
    free(number);
    return number && result->filaments ? IMP_OK : imp_out_of_memory();
}
