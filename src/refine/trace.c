/* Boundaries as curves and surfaces: mixed cells of modest size are halved until chords divide them
 * (chord.c). If a side of a leaf is crossed, the cells beyond must have the same crossing;
 * otherwise they are halved too. */
#include <math.h>
#include <string.h>

#include "refine/generator_impl.h"

/* Cells larger than those of this level are halved whatever their chords say, unless they are as
 * small as the tolerance. */
static int first_level(const imp_refinement *r) {
    return r->plan.first > 0 ? r->plan.first : r->n_axes == 2 ? 6 : 5;
}

static imp_cell cell_at(const imp_refinement *r, imp_tree_place place) {
    return imp_cell_of(&r->tree.cells[place.level], place.number, place.level);
}

static uint8_t *leaf_at(imp_refinement *r, imp_tree_place place) {
    return &r->tree.leaf[place.level][place.number];
}

static imp_err push(imp_tree_list *list, imp_tree_place place) {
    imp_err error = imp_grow(&list->places, &list->room, list->n + 1, sizeof place);
    if (!error) {
        list->places[list->n++] = place;
    }
    return error;
}

/* Takes a step with each cell of a list, including those that the steps append, and keeps the cells
 * that wait for points. */
static imp_err go_through(imp_refinement *r, imp_tree_list *list,
                          imp_err (*step)(imp_refinement *r, imp_tree_place place, bool *waits)) {
    size_t kept = 0;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < list->n; i++) {
        imp_tree_place place = list->places[i];
        bool waits = false;
        error = step(r, place, &waits);
        if (waits) {
            list->places[kept++] = place;
        }
    }
    list->n = kept;
    return error;
}

/* Adds a cell to those to decide, unless it is known. */
static imp_err activate(imp_refinement *r, const imp_cell *cell) {
    imp_tree *t = &r->tree;
    imp_key_set *cells = &t->cells[cell->level];
    size_t before = cells->n;
    imp_tree_place place = {imp_key_set_add(cells, cell->low), cell->level};
    if (place.number == IMP_KEY_NONE ||
        imp_grow(&t->leaf[cell->level], &t->room[cell->level], (size_t)place.number + 1, 1) ||
        imp_grow(&t->strips[cell->level], &t->strip_room[cell->level], (size_t)place.number + 1,
                 1)) {
        return imp_out_of_memory();
    }
    if (place.number < before) {
        return IMP_OK;
    }
    *leaf_at(r, place) = IMP_LEAF_ACTIVE;
    t->strips[cell->level][place.number] = 0;
    return push(&t->active, place);
}

static imp_err divide(imp_refinement *r, imp_tree_place place) {
    imp_cell cell = cell_at(r, place);
    *leaf_at(r, place) = IMP_LEAF_DIVIDED;
    imp_err error = IMP_OK;
    for (int c = 0; !error && c < r->n_corners; c++) {
        imp_cell child = imp_cell_child(r, &cell, c);
        error = activate(r, &child);
    }
    return error;
}

/* Adds a cell to those to decide, and divides the larger cells around it, so that the corners of
 * all undivided cells become known. */
static imp_err reach(imp_refinement *r, const imp_cell *cell) {
    imp_err error = IMP_OK;
    for (int level = r->plan.base; !error && level < cell->level; level++) {
        imp_cell above = imp_cell_around(r, cell->low, level);
        error = activate(r, &above);
        if (!error) {
            uint32_t number = imp_key_set_find(&r->tree.cells[level], above.low);
            imp_tree_place place = {number, level};
            error = *leaf_at(r, place) == IMP_LEAF_DIVIDED ? IMP_OK : divide(r, place);
        }
    }
    return error ? error : activate(r, cell);
}

/* Whether the ends of any edge of the cell differ. */
static bool crossed(const imp_refinement *r, const uint32_t *nodes) {
    for (int c = 0; c < r->n_corners; c++) {
        for (int a = 0; a < r->n_axes; a++) {
            if (imp_nodes_differ(r, nodes[c], nodes[c ^ 1 << a])) {
                return true;
            }
        }
    }
    return false;
}

/* Decides a cell; *waits: the cell needs points that are not known yet. */
static imp_err decide(imp_refinement *r, imp_tree_place place, bool *waits) {
    imp_cell cell = cell_at(r, place);
    uint32_t nodes[IMP_CELL_CORNERS];
    bool known;
    if (*leaf_at(r, place) != IMP_LEAF_ACTIVE) {
        return IMP_OK;
    }
    imp_err error = imp_cell_ask(r, &cell, nodes, &known);
    *waits = !known;
    if (error || !known) {
        return error;
    }
    uint8_t *strips = &r->tree.strips[place.level][place.number];
    *strips = (uint8_t)imp_cell_strips(r, &cell, nodes);
    if (!imp_nodes_mixed(r, nodes, r->n_corners) && *strips == 0) {
        *leaf_at(r, place) = IMP_LEAF_UNIFORM;
        return IMP_OK;
    }
    imp_verdict verdict = IMP_VERDICT_HALVE;
    bool smallest = imp_cell_size(r, cell.level) <= r->width;
    if (cell.level >= first_level(r) || smallest) {
        error = imp_cell_judge(r, &cell, nodes, &verdict);
    }
    *waits = verdict == IMP_VERDICT_WAIT;
    if (error || *waits) {
        return error;
    }
    *strips = (uint8_t)imp_cell_strips(r, &cell, nodes);
    if (verdict == IMP_VERDICT_HALVE && !smallest) {
        return divide(r, place);
    }
    *leaf_at(r, place) = verdict == IMP_VERDICT_SIMPLE ? IMP_LEAF_SIMPLE
                         : crossed(r, nodes)           ? IMP_LEAF_JUNCTION
                                                       : IMP_LEAF_UNIFORM;
    return push(&r->tree.checks, place);
}

/* ---- the cells beyond ---- */

bool imp_tree_covering(const imp_refinement *r, const uint32_t *low, int level,
                       imp_tree_place *place) {
    for (int l = level; l >= r->plan.base; l--) {
        imp_cell cell = imp_cell_around(r, low, l);
        uint32_t number = imp_key_set_find(&r->tree.cells[l], cell.low);
        if (number != IMP_KEY_NONE) {
            *place = (imp_tree_place){number, l};
            return true;
        }
    }
    return false;
}

static bool near_a_chord(const imp_refinement *r, const imp_division *division, const double *at) {
    for (int i = 0; i < division->n_chords; i++) {
        const int *cut = division->chords[i].cut;
        double distance =
            imp_distance_from_line(division->cuts[cut[0]].at, division->cuts[cut[1]].at, at);
        if (distance <= 2 * r->tolerance) {
            return true;
        }
    }
    return false;
}

/* Whether a larger leaf beyond a side has the crossings of this side. */
static bool agrees(const imp_refinement *r, imp_tree_place beyond, const imp_cell *cell, int axis,
                   int side) {
    imp_cell other = cell_at(r, beyond);
    imp_division mine, theirs;
    imp_cell_division(r, cell, &mine);
    imp_cell_division(r, &other, &theirs);
    for (int i = 0; i < mine.n_cuts; i++) {
        const imp_cut *cut = &mine.cuts[i];
        if (cut->axis != axis && (cut->corner >> axis & 1) == side &&
            !near_a_chord(r, &theirs, cut->at)) {
            return false;
        }
    }
    return true;
}

/* Examines the cell beyond a mixed side. *waits: that cell is not decided yet. */
static imp_err look_beyond(imp_refinement *r, const imp_cell *cell, int axis, int side,
                           bool *waits) {
    imp_cell beyond;
    imp_tree_place place;
    if (!imp_cell_beyond(r, cell, axis, side, &beyond)) {
        return IMP_OK;
    }
    if (!imp_tree_covering(r, beyond.low, beyond.level, &place)) {
        return reach(r, &beyond);
    }
    int leaf = *leaf_at(r, place);
    if (place.level == beyond.level) {
        return IMP_OK;
    }
    if (leaf == IMP_LEAF_ACTIVE) {
        *waits = true;
        return IMP_OK;
    }
    if (leaf == IMP_LEAF_SIMPLE && agrees(r, place, cell, axis, side)) {
        return IMP_OK;
    }
    return reach(r, &beyond);
}

/* Whether a strip crosses a side of a cell of two axes whose corners have one class. */
static bool has_strip(const imp_refinement *r, const imp_cell *cell, int side) {
    int axis = side / 2;
    return imp_edge_has_strip(r, cell, side % 2 << axis, 1 - axis);
}

static imp_err check(imp_refinement *r, imp_tree_place place, bool *waits) {
    imp_cell cell = cell_at(r, place);
    uint32_t nodes[IMP_CELL_CORNERS];
    imp_err error = IMP_OK;
    if (*leaf_at(r, place) == IMP_LEAF_DIVIDED) {
        return IMP_OK;
    }
    imp_cell_nodes(r, &cell, nodes);
    for (int side = 0; !error && side < 2 * r->n_axes; side++) {
        if (imp_cell_side_mixed(r, nodes, side / 2, side % 2) ||
            (r->plan.bands && has_strip(r, &cell, side))) {
            error = look_beyond(r, &cell, side / 2, side % 2, waits);
        }
    }
    return error;
}

/* ---- the smallest cells of the levels against the leaves ---- */

/* Whether a mixed cell is near the chords of the leaf around it: its middle within half its own
 * diagonal. */
static bool explained(const imp_refinement *r, imp_tree_place place, const imp_cell *cell) {
    imp_cell leaf = cell_at(r, place);
    imp_division division;
    imp_cell_division(r, &leaf, &division);
    double size = imp_cell_size(r, cell->level), middle[3] = {0, 0, 0};
    for (int a = 0; a < r->n_axes; a++) {
        middle[a] = cell->low[a] + 0.5 * size;
    }
    double reach = 0.5 * size * sqrt(r->n_axes) + 2 * r->tolerance;
    return imp_division_distance(r, &division, middle) <= reach;
}

/* A mixed cell that no leaf explains is decided by itself. */
static imp_err compare(imp_refinement *r, const imp_cell *cell) {
    imp_tree_place place;
    if (!imp_tree_covering(r, cell->low, cell->level, &place)) {
        return reach(r, cell);
    }
    int leaf = *leaf_at(r, place);
    if (place.level == cell->level || (leaf == IMP_LEAF_SIMPLE && explained(r, place, cell))) {
        return IMP_OK;
    }
    return reach(r, cell);
}

/* Takes a step with each mixed cell of a level. */
static imp_err each_mixed(imp_refinement *r, int level,
                          imp_err (*step)(imp_refinement *r, const imp_cell *cell)) {
    const imp_key_set *cells = &r->levels.level[level].mixed;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < cells->n; i++) {
        imp_cell cell = imp_cell_of(cells, i, level);
        error = step(r, &cell);
    }
    return error;
}

static imp_err begin(imp_refinement *r) {
    int level = first_level(r) > r->levels.reached ? r->levels.reached : first_level(r);
    r->tree.begun = true;
    return each_mixed(r, level < r->plan.base ? r->plan.base : level, reach);
}

/* Decides cells again at whose edges strips were seen since: from the cells beside them. */
static imp_err decide_again(imp_refinement *r) {
    imp_err error = IMP_OK;
    for (int level = r->plan.base; level <= r->bits; level++) {
        for (uint32_t i = 0; !error && i < r->tree.cells[level].n; i++) {
            imp_tree_place place = {i, level};
            uint8_t *leaf = leaf_at(r, place);
            uint32_t nodes[IMP_CELL_CORNERS];
            imp_cell cell = cell_at(r, place);
            if (*leaf != IMP_LEAF_UNIFORM && *leaf != IMP_LEAF_SIMPLE) {
                continue;
            }
            imp_cell_nodes(r, &cell, nodes);
            if (imp_cell_strips(r, &cell, nodes) != r->tree.strips[level][i]) {
                *leaf = IMP_LEAF_ACTIVE;
                error = push(&r->tree.active, place);
            }
        }
    }
    return error;
}

imp_err imp_trace_step(imp_refinement *r) {
    size_t before = r->points.n;
    imp_err error = r->tree.begun ? IMP_OK : begin(r);
    while (!error && r->points.n == before) {
        size_t active;
        do {
            error = go_through(r, &r->tree.active, decide);
            active = r->tree.active.n;
            error = error ? error : go_through(r, &r->tree.checks, check);
        } while (!error && r->tree.active.n > active);
        if (!error && r->tree.active.n == 0 && r->plan.bands) {
            error = decide_again(r);
        }
        if (!error && r->tree.active.n == 0) {
            error = each_mixed(r, r->levels.reached, compare);
            if (r->tree.active.n == 0) {
                return error;
            }
        }
    }
    return error;
}
