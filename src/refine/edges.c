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
    if (below && above && edge->n < IMP_EDGE_BRACKETS && r->plan.bands) {
        imp_edge_bracket *next = b + 1, *end = edge->bracket + edge->n++;
        memmove(next + 1, next, (size_t)(end - next) * sizeof *next);
        *next = (imp_edge_bracket){at, b->high, middle, b->high_node};
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

/* The edge with a key, which is added as `fresh`; NULL: memory is out. */
static imp_edge *enter_edge(imp_refinement *r, const uint32_t *key, const imp_edge *fresh) {
    size_t before = r->edges.keys.n;
    uint32_t number = imp_key_set_add(&r->edges.keys, key);
    if (number == IMP_KEY_NONE ||
        imp_grow(&r->edges.edges, &r->edges.room, (size_t)number + 1, sizeof(imp_edge))) {
        return NULL;
    }
    if (number == before) {
        r->edges.edges[number] = *fresh;
    }
    return &r->edges.edges[number];
}

/* The part of a larger edge that an edge is; without brackets if it has none there. */
static imp_edge part_of(const imp_edge *larger, uint32_t low, uint32_t high) {
    imp_edge edge = {.n = 0, .state = IMP_EDGE_CROSSED};
    for (int i = 0; i < larger->n && larger->state == IMP_EDGE_CROSSED; i++) {
        const imp_edge_bracket *b = &larger->bracket[i];
        if (b->low >= low && b->high <= high) {
            edge.bracket[edge.n++] = *b;
        }
    }
    return edge;
}

/* What larger edges tell of one whose ends have one class; without brackets if nothing. */
static imp_edge told_by_larger(const imp_refinement *r, const uint32_t *key, int level, int axis) {
    imp_edge edge = {.n = 0};
    uint32_t low = key[axis], high = low + imp_cell_size(r, level);
    while (--level >= r->plan.base && edge.n == 0) {
        uint32_t larger[IMP_REFINE_AXES + 1];
        memcpy(larger, key, ((size_t)r->n_axes + 1) * sizeof *larger);
        larger[axis] -= low % imp_cell_size(r, level);
        larger[r->n_axes] = (uint32_t)(level * IMP_REFINE_AXES + axis);
        uint32_t number = imp_key_set_find(&r->edges.keys, larger);
        if (number != IMP_KEY_NONE) {
            edge = part_of(&r->edges.edges[number], low, high);
        }
    }
    return edge;
}

imp_edge *imp_edge_advance(imp_refinement *r, const imp_cell *cell, int corner, int axis,
                           const uint32_t nodes[2]) {
    uint32_t key[IMP_REFINE_AXES + 1];
    edge_key(r, cell, corner, axis, key);
    imp_edge fresh = {.bracket = {{.low = key[axis],
                                   .high = key[axis] + imp_cell_size(r, cell->level),
                                   .low_node = nodes[0],
                                   .high_node = nodes[1]}},
                      .n = 1,
                      .state = IMP_EDGE_SEARCHED};
    if (!imp_nodes_differ(r, nodes[0], nodes[1])) {
        fresh = told_by_larger(r, key, cell->level, axis);
    }
    imp_edge *edge = enter_edge(r, key, &fresh);
    return !edge || search(r, edge, key, axis) ? NULL : edge;
}

bool imp_edge_has_strip(const imp_refinement *r, const imp_cell *cell, int corner, int axis) {
    uint32_t key[IMP_REFINE_AXES + 1];
    edge_key(r, cell, corner, axis, key);
    uint32_t number = imp_key_set_find(&r->edges.keys, key);
    return number != IMP_KEY_NONE ? r->edges.edges[number].state != IMP_EDGE_PLAIN
                                  : told_by_larger(r, key, cell->level, axis).n > 0;
}

imp_err imp_edge_look(imp_refinement *r, const imp_cell *cell, int corner, int axis,
                      const uint32_t nodes[2], bool *waits) {
    uint32_t key[IMP_REFINE_AXES + 1], place[IMP_REFINE_AXES];
    edge_key(r, cell, corner, axis, key);
    if (imp_key_set_find(&r->edges.keys, key) != IMP_KEY_NONE ||
        imp_edge_has_strip(r, cell, corner, axis)) {
        return IMP_OK;
    }
    uint32_t half = imp_cell_size(r, cell->level) / 2, at = key[axis] + half;
    memcpy(place, key, (size_t)r->n_axes * sizeof *place);
    place[axis] = at;
    uint32_t middle = imp_refine_ask(r, place);
    if (middle == IMP_KEY_NONE) {
        return imp_out_of_memory();
    }
    if (!imp_refine_known(r, middle)) {
        *waits = true;
        return IMP_OK;
    }
    imp_edge edge = {.state = IMP_EDGE_PLAIN};
    if (imp_nodes_differ(r, nodes[0], middle)) {
        edge = (imp_edge){
            .bracket = {{at - half, at, nodes[0], middle}, {at, at + half, middle, nodes[1]}},
            .n = 2,
            .state = IMP_EDGE_SEARCHED};
    }
    return enter_edge(r, key, &edge) ? IMP_OK : imp_out_of_memory();
}

const imp_edge *imp_edge_find(const imp_refinement *r, const imp_cell *cell, int corner, int axis) {
    uint32_t key[IMP_REFINE_AXES + 1];
    edge_key(r, cell, corner, axis, key);
    uint32_t number = imp_key_set_find(&r->edges.keys, key);
    return number == IMP_KEY_NONE ? NULL : &r->edges.edges[number];
}
