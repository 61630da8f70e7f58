/* Cells whose corners differ are halved level by level. A side whose corners differ makes the cell beyond it one to
 * look at, until nothing changes: so slivers are found that enter a cell through a side and end inside. */
#include "refine/generator_impl.h"

static imp_err add(imp_key_set *cells, const imp_cell *cell) {
    return imp_key_set_add(cells, cell->low) == IMP_KEY_NONE ? imp_refine_no_memory() : IMP_OK;
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
        error = add(&r->levels.examined, &cell);
    }
    r->levels.level = level;
    r->levels.reached = level - 1;
    return error;
}

static imp_err decide(imp_refinement *r, size_t number, const uint32_t *nodes) {
    imp_levels *l = &r->levels;
    if (!imp_nodes_mixed(r, nodes, r->n_corners)) {
        return IMP_OK;
    }
    imp_cell cell = imp_cell_of(&l->examined, number, l->level), beyond;
    imp_err error = add(&l->mixed[l->level], &cell);
    for (int side = 0; !error && side < 2 * r->n_axes; side++) {
        if (imp_cell_side_mixed(r, nodes, side / 2, side % 2) &&
            imp_cell_beyond(r, &cell, side / 2, side % 2, &beyond)) {
            error = add(&l->examined, &beyond);
        }
    }
    return error;
}

static imp_err decide_all(imp_refinement *r) {
    imp_levels *l = &r->levels;
    imp_err error = IMP_OK;
    for (size_t i = l->decided; !error && i < l->asked; i++) {
        error = decide(r, i, l->corners + (i - l->decided) * (size_t)r->n_corners);
    }
    l->decided = l->asked;
    r->statistics.mixed[l->level] = (int64_t)l->mixed[l->level].n;
    return error;
}

static imp_err ask_all(imp_refinement *r) {
    imp_levels *l = &r->levels;
    size_t corners = (size_t)r->n_corners;
    imp_err error = imp_refine_grow(&l->corners, &l->room, (l->examined.n - l->asked) * corners,
                                    sizeof *l->corners);
    for (size_t i = l->asked; !error && i < l->examined.n; i++) {
        imp_cell cell = imp_cell_of(&l->examined, i, l->level);
        bool known;
        error = imp_cell_ask(r, &cell, l->corners + (i - l->asked) * corners, &known);
    }
    l->asked = l->examined.n;
    return error;
}

/* The cells of the next level: the parts of those that are mixed. */
static imp_err descend(imp_refinement *r) {
    imp_levels *l = &r->levels;
    const imp_key_set *mixed = &l->mixed[l->level];
    imp_key_set_free(&l->examined);
    l->reached = l->level;
    l->decided = l->asked = 0;
    if (l->level == r->plan.depth) {
        return IMP_OK;
    }
    l->level++;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < mixed->n; i++) {
        imp_cell cell = imp_cell_of(mixed, i, l->level - 1);
        for (int c = 0; !error && c < r->n_corners; c++) {
            imp_cell child = imp_cell_child(r, &cell, c);
            error = add(&l->examined, &child);
        }
    }
    return error;
}

imp_err imp_levels_step(imp_refinement *r) {
    imp_levels *l = &r->levels;
    size_t before = r->points.n;
    imp_err error = l->level ? IMP_OK : begin(r);
    while (!error && l->reached < r->plan.depth && r->points.n == before) {
        error = decide_all(r);
        if (!error && l->asked == l->examined.n) {
            error = descend(r);
        }
        error = error ? error : ask_all(r);
    }
    r->statistics.level = l->level;
    return error;
}

void imp_levels_stop(imp_refinement *r) {
    imp_levels *l = &r->levels;
    l->reached = l->decided > 0 ? l->level : l->level - 1;
}
