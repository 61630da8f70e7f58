/* Edges of cells, bisected on nodes of the lattice. Cells that share an edge, or a part of an edge,
 * share its nodes. */
#include <string.h>

#include "refine/generator_impl.h"

static void edge_key(const imp_refinement *r, const imp_cell *cell, int corner, int axis,
                     uint32_t *key) {
    imp_cell_corner(r, cell, corner, key);
    key[r->n_axes] = (uint32_t)(cell->level * IMP_REFINE_AXES + axis);
}

/* Enters the middle of a bracket: one half is the bracket then, or both are. */
static void enter(const imp_refinement *r, imp_edge *edge, imp_edge_bracket *b, uint32_t at,
                  uint32_t middle) {
    bool below = imp_nodes_differ(r, b->low_node, middle);
    bool above = imp_nodes_differ(r, middle, b->high_node);
    if (below && above && edge->n == 1 && r->plan.bands) {
        edge->bracket[1] = (imp_edge_bracket){at, b->high, middle, b->high_node};
        edge->n = 2;
    } else if (below == above) {
        edge->state = below ? IMP_EDGE_SPLIT : IMP_EDGE_EVEN;
        return;
    }
    if (below) {
        b->high = at;
        b->high_node = middle;
    } else {
        b->low = at;
        b->low_node = middle;
    }
}

/* Narrows a bracket as far as points are known, and asks for the next point. */
static imp_err narrow(imp_refinement *r, imp_edge *edge, imp_edge_bracket *b, const uint32_t *low,
                      int axis, bool *waits) {
    uint32_t key[IMP_REFINE_AXES];
    memcpy(key, low, (size_t)r->n_axes * sizeof *key);
    while (edge->state == IMP_EDGE_SEARCHED && b->high - b->low > r->width) {
        key[axis] = b->low + (b->high - b->low) / 2;
        uint32_t middle = imp_refine_ask(r, key);
        if (middle == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
        if (!imp_refine_known(r, middle)) {
            *waits = true;
            return IMP_OK;
        }
        enter(r, edge, b, key[axis], middle);
    }
    return IMP_OK;
}

/* The same of all brackets of an edge. */
static imp_err search(imp_refinement *r, imp_edge *edge, const uint32_t *low, int axis) {
    imp_err error = IMP_OK;
    bool waits = false;
    for (int i = 0; !error && i < edge->n && edge->state == IMP_EDGE_SEARCHED; i++) {
        error = narrow(r, edge, &edge->bracket[i], low, axis, &waits);
    }
    if (!error && !waits && edge->state == IMP_EDGE_SEARCHED) {
        edge->state = IMP_EDGE_CROSSED;
    }
    return error;
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
        *edge = (imp_edge){.bracket = {{.low = key[axis],
                                        .high = key[axis] + imp_cell_size(r, cell->level),
                                        .low_node = nodes[0],
                                        .high_node = nodes[1]}},
                           .n = 1,
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
