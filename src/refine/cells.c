/* Cells of the lattice and their corners. */
#include <string.h>

#include "refine/generator_impl.h"

void imp_cell_corner(const imp_refinement *r, const imp_cell *cell, int corner, uint32_t *key) {
    uint32_t size = imp_cell_size(r, cell->level);
    for (int a = 0; a < r->n_axes; a++) {
        key[a] = cell->low[a] + ((unsigned)corner >> a & 1 ? size : 0);
    }
}

imp_err imp_cell_ask(imp_refinement *r, const imp_cell *cell, uint32_t *nodes, bool *known) {
    uint32_t key[IMP_REFINE_AXES];
    *known = true;
    for (int c = 0; c < r->n_corners; c++) {
        imp_cell_corner(r, cell, c, key);
        nodes[c] = imp_refine_ask(r, key);
        if (nodes[c] == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
        *known = *known && imp_refine_known(r, nodes[c]);
    }
    return IMP_OK;
}

void imp_cell_nodes(const imp_refinement *r, const imp_cell *cell, uint32_t *nodes) {
    uint32_t key[IMP_REFINE_AXES];
    for (int c = 0; c < r->n_corners; c++) {
        imp_cell_corner(r, cell, c, key);
        nodes[c] = imp_key_set_find(&r->points, key);
    }
}

bool imp_cell_side_mixed(const imp_refinement *r, const uint32_t *nodes, int axis, int side) {
    uint32_t of_side[IMP_CELL_CORNERS / 2];
    int n = 0;
    for (int c = 0; c < r->n_corners; c++) {
        if ((c >> axis & 1) == side) {
            of_side[n++] = nodes[c];
        }
    }
    return imp_nodes_mixed(r, of_side, n);
}

bool imp_cell_beyond(const imp_refinement *r, const imp_cell *cell, int axis, int side,
                     imp_cell *beyond) {
    uint32_t size = imp_cell_size(r, cell->level), last = (UINT32_C(1) << r->bits) - size;
    *beyond = *cell;
    if (cell->low[axis] == (side ? last : 0)) {
        return false;
    }
    beyond->low[axis] = side ? cell->low[axis] + size : cell->low[axis] - size;
    return true;
}

imp_cell imp_cell_of(const imp_key_set *cells, size_t number, int level) {
    imp_cell cell = {.level = level};
    memcpy(cell.low, cells->keys + number * (size_t)cells->n_axes,
           (size_t)cells->n_axes * sizeof *cell.low);
    return cell;
}

imp_cell imp_cell_around(const imp_refinement *r, const uint32_t *key, int level) {
    imp_cell cell = {.level = level};
    uint32_t size = imp_cell_size(r, level), last = (UINT32_C(1) << r->bits) - size;
    for (int a = 0; a < r->n_axes; a++) {
        uint32_t low = key[a] & ~(size - 1);
        cell.low[a] = low > last ? last : low;
    }
    return cell;
}

imp_cell imp_cell_child(const imp_refinement *r, const imp_cell *cell, int child) {
    imp_cell result = {.level = cell->level + 1};
    uint32_t half = imp_cell_size(r, result.level);
    for (int a = 0; a < r->n_axes; a++) {
        result.low[a] = cell->low[a] + ((unsigned)child >> a & 1 ? half : 0);
    }
    return result;
}
