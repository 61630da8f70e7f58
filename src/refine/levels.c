/* Cells whose corners differ (mixed cells) are halved level by level. If the corners of a side
 * differ, the cell beyond that side is examined too, until nothing changes: this finds slivers that
 * enter a cell through a side and end inside. All larger cells around a mixed cell are divided,
 * even if their own corners do not differ: so the corners of every undivided cell are known, and
 * decide its class. */
#include "refine/generator_impl.h"

static imp_err add(imp_key_set *cells, const imp_cell *cell) {
    return imp_key_set_add(cells, cell->low) == IMP_KEY_NONE ? imp_out_of_memory() : IMP_OK;
}

static imp_err begin(imp_refinement *r) {
    int level = r->plan.base;
    uint64_t n = UINT64_C(1) << (level * r->n_axes), mask = (UINT64_C(1) << level) - 1;
    imp_err error = IMP_OK;
    for (uint64_t i = 0; !error && i < n; i++) {
        imp_cell cell = {.level = level};
        for (int a = 0; a < r->n_axes; a++) {
            uint64_t at = i >> (level * (r->n_axes - 1 - a)) & mask;
            cell.low[a] = (uint32_t)at * imp_cell_size(r, level);
        }
        error = add(&r->levels.level[level].examined, &cell);
    }
    r->levels.at = level;
    r->levels.reached = level - 1;
    return error;
}

/* Divides a cell and all larger cells around it. */
static imp_err divide(imp_refinement *r, const imp_cell *cell) {
    imp_cell at = *cell;
    imp_err error = IMP_OK;
    for (; !error && at.level >= r->plan.base; at = imp_cell_around(r, cell->low, at.level - 1)) {
        imp_key_set *divided = &r->levels.level[at.level].divided;
        size_t before = divided->n;
        error = add(divided, &at);
        if (error || divided->n == before) {
            return error;
        }
        for (int c = 0; !error && c < r->n_corners; c++) {
            imp_cell child = imp_cell_child(r, &at, c);
            error = add(&r->levels.level[child.level].examined, &child);
        }
        if (at.level == 0) {
            return error;
        }
    }
    return error;
}

static imp_err decide(imp_refinement *r, int level, size_t number, const uint32_t *nodes) {
    imp_level *l = &r->levels.level[level];
    if (!imp_nodes_mixed(r, nodes, r->n_corners)) {
        return IMP_OK;
    }
    imp_cell cell = imp_cell_of(&l->examined, number, level), beyond;
    imp_err error = add(&l->mixed, &cell);
    for (int side = 0; !error && side < 2 * r->n_axes; side++) {
        if (imp_cell_side_mixed(r, nodes, side / 2, side % 2) &&
            imp_cell_beyond(r, &cell, side / 2, side % 2, &beyond)) {
            error = add(&l->examined, &beyond);
        }
    }
    if (!error && level < r->levels.at) {
        error = divide(r, &cell);
    } else if (!error && level > r->plan.base) {
        imp_cell above = imp_cell_around(r, cell.low, level - 1);
        error = divide(r, &above);
    }
    return error;
}

static imp_err decide_all(imp_refinement *r) {
    imp_err error = IMP_OK;
    for (int level = r->plan.base; level <= r->levels.at; level++) {
        imp_level *l = &r->levels.level[level];
        for (size_t i = l->decided; !error && i < l->asked; i++) {
            error = decide(r, level, i, l->corners + (i - l->decided) * (size_t)r->n_corners);
        }
        l->decided = l->asked;
        r->statistics.mixed[level] = (int64_t)l->mixed.n;
    }
    return error;
}

static imp_err ask_all(imp_refinement *r) {
    size_t corners = (size_t)r->n_corners;
    imp_err error = IMP_OK;
    for (int level = r->plan.base; !error && level <= r->levels.at; level++) {
        imp_level *l = &r->levels.level[level];
        error = imp_grow(&l->corners, &l->room, (l->examined.n - l->asked) * corners,
                         sizeof *l->corners);
        for (size_t i = l->asked; !error && i < l->examined.n; i++) {
            imp_cell cell = imp_cell_of(&l->examined, i, level);
            bool known;
            error = imp_cell_ask(r, &cell, l->corners + (i - l->asked) * corners, &known);
        }
        l->asked = l->examined.n;
    }
    return error;
}

/* Whether any cell of the levels so far is still undecided. */
static bool pending(const imp_refinement *r) {
    for (int level = r->plan.base; level <= r->levels.at; level++) {
        const imp_level *l = &r->levels.level[level];
        if (l->decided < l->examined.n) {
            return true;
        }
    }
    return false;
}

/* Goes on to the next level: divides the mixed cells of this one. */
static imp_err descend(imp_refinement *r) {
    imp_levels *l = &r->levels;
    l->reached = l->at;
    if (l->at == r->plan.depth) {
        return IMP_OK;
    }
    const imp_key_set *mixed = &l->level[l->at++].mixed;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < mixed->n; i++) {
        imp_cell cell = imp_cell_of(mixed, i, l->at - 1);
        error = divide(r, &cell);
    }
    return error;
}

imp_err imp_levels_step(imp_refinement *r) {
    imp_levels *l = &r->levels;
    size_t before = r->points.n;
    imp_err error = l->at ? IMP_OK : begin(r);
    while (!error && l->reached < r->plan.depth && r->points.n == before) {
        error = decide_all(r);
        if (!error && !pending(r)) {
            error = descend(r);
        }
        error = error ? error : ask_all(r);
    }
    r->statistics.level = l->at;
    return error;
}

imp_err imp_levels_examine(imp_refinement *r, const uint32_t *key) {
    imp_cell cell = imp_cell_around(r, key, r->plan.depth);
    return add(&r->levels.level[r->plan.depth].examined, &cell);
}

imp_err imp_levels_settle(imp_refinement *r) {
    size_t before = r->points.n;
    imp_err error = IMP_OK;
    while (!error && r->points.n == before && pending(r)) {
        error = decide_all(r);
        error = error ? error : ask_all(r);
    }
    return error;
}

void imp_levels_stop(imp_refinement *r) {
    imp_levels *l = &r->levels;
    l->reached = l->level[l->at].decided > 0 ? l->at : l->at - 1;
}
