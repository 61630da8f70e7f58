/* For one and four axes: every edge of a smallest mixed cell is bisected; an edge that a third
 * class splits becomes two. */
#include <string.h>

#include "refine/generator_impl.h"

/* Searches an edge of any level, and both its halves if it is split. */
static imp_err search(imp_refinement *r, const uint32_t *low, int level, int axis) {
    imp_cell cell = {.level = level};
    memcpy(cell.low, low, (size_t)r->n_axes * sizeof *low);
    uint32_t nodes[2], size = imp_cell_size(r, level);
    nodes[0] = imp_key_set_find(&r->points, cell.low);
    cell.low[axis] += size;
    nodes[1] = imp_key_set_find(&r->points, cell.low);
    cell.low[axis] -= size;
    if (!imp_nodes_differ(r, nodes[0], nodes[1])) {
        return IMP_OK;
    }
    const imp_edge *edge = imp_edge_advance(r, &cell, 0, axis, nodes);
    if (!edge) {
        return imp_out_of_memory();
    }
    if (edge->state != IMP_EDGE_SPLIT) {
        return IMP_OK;
    }
    /* The bracket that was split was halved: both halves of the edge at its middle are known. */
    imp_err error = IMP_OK;
    for (int half = 0; !error && half < 2; half++) {
        cell.low[axis] = low[axis] + (half ? size / 2 : 0);
        error = search(r, cell.low, level + 1, axis);
    }
    return error;
}

imp_err imp_brackets_step(imp_refinement *r) {
    const imp_key_set *cells = &r->levels.level[r->levels.reached].mixed;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && r->levels.reached >= r->plan.base && i < cells->n; i++) {
        imp_cell cell = imp_cell_of(cells, i, r->levels.reached);
        uint32_t key[IMP_REFINE_AXES];
        for (int c = 0; c < r->n_corners; c++) {
            for (int a = 0; !error && a < r->n_axes; a++) {
                if (!(c >> a & 1)) {
                    imp_cell_corner(r, &cell, c, key);
                    error = search(r, key, cell.level, a);
                }
            }
        }
    }
    return error;
}
