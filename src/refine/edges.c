/* Edges of cells, bisected on nodes of the lattice. Cells that share an edge, or a part of an edge,
 * share its nodes. */
#include <string.h>

#include "refine/generator_impl.h"

static void edge_key(const imp_refinement *r, const imp_cell *cell, int corner, int axis,
                     uint32_t *key) {
    imp_cell_corner(r, cell, corner, key);
    key[r->n_axes] = (uint32_t)(cell->level * IMP_REFINE_AXES + axis);
}

/* Narrows the bracket as far as points are known, and asks for the next point. */
static imp_err search(imp_refinement *r, imp_edge *edge, const uint32_t *low, int axis) {
    uint32_t key[IMP_REFINE_AXES];
    memcpy(key, low, (size_t)r->n_axes * sizeof *key);
    while (edge->state == IMP_EDGE_SEARCHED && edge->high - edge->low > r->width) {
        key[axis] = edge->low + (edge->high - edge->low) / 2;
        uint32_t middle = imp_refine_ask(r, key);
        if (middle == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
        if (!imp_refine_known(r, middle)) {
            return IMP_OK;
        }
        bool below = imp_nodes_differ(r, edge->low_node, middle);
        bool above = imp_nodes_differ(r, middle, edge->high_node);
        if (below == above) {
            edge->state = below ? IMP_EDGE_SPLIT : IMP_EDGE_EVEN;
        } else if (below) {
            edge->high = key[axis];
            edge->high_node = middle;
        } else {
            edge->low = key[axis];
            edge->low_node = middle;
        }
    }
    if (edge->state == IMP_EDGE_SEARCHED) {
        edge->state = IMP_EDGE_CROSSED;
    }
    return IMP_OK;
}

imp_edge *imp_edge_advance(imp_refinement *r, const imp_cell *cell, int corner, int axis,
                           const uint32_t nodes[2]) {
    uint32_t key[IMP_REFINE_AXES + 1];
    edge_key(r, cell, corner, axis, key);
    size_t before = r->edges.keys.n;
    uint32_t number = imp_key_set_add(&r->edges.keys, key);
    if (number == IMP_KEY_NONE ||
        imp_grow(&r->edges.edges, &r->edges.room, (size_t)number + 1, sizeof(imp_edge))) {
        return NULL;
    }
    imp_edge *edge = &r->edges.edges[number];
    if (number == before) {
        *edge = (imp_edge){.low = key[axis],
                           .high = key[axis] + imp_cell_size(r, cell->level),
                           .low_node = nodes[0],
                           .high_node = nodes[1],
                           .state = IMP_EDGE_SEARCHED};
    }
    return search(r, edge, key, axis) ? NULL : edge;
}

const imp_edge *imp_edge_find(const imp_refinement *r, const imp_cell *cell, int corner, int axis) {
    uint32_t key[IMP_REFINE_AXES + 1];
    edge_key(r, cell, corner, axis, key);
    uint32_t number = imp_key_set_find(&r->edges.keys, key);
    return number == IMP_KEY_NONE ? NULL : &r->edges.edges[number];
}
