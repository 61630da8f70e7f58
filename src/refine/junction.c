/* Boxes that no chord divides. Boxes that touch are merged, up to a width of four brackets. */
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"

enum { MOST_WIDTHS = 4, MOST_CELLS = 256 };

typedef struct gatherer {
    const imp_refinement *r;
    int level;
    bool *taken;               /* by cell of the level */
    uint32_t list[MOST_CELLS]; /* cells of the box at hand */
    int n;
} gatherer;

static void add_class(imp_junction *junction, uint32_t class) {
    for (int i = 0; i < junction->n_classes && i < IMP_JUNCTION_CLASSES; i++) {
        if (junction->classes[i] == class) {
            return;
        }
    }
    if (junction->n_classes < IMP_JUNCTION_CLASSES) {
        junction->classes[junction->n_classes] = class;
    }
    junction->n_classes++;
}

/* Adds a cell to the box, if the box stays small enough. */
static bool take(gatherer *g, uint32_t number, imp_junction *junction) {
    const imp_refinement *r = g->r;
    imp_cell cell = imp_cell_of(&r->tree.cells[g->level], number, g->level);
    uint32_t size = imp_cell_size(r, g->level), nodes[IMP_CELL_CORNERS];
    imp_junction wider = *junction;
    for (int a = 0; a < r->n_axes; a++) {
        uint32_t low = cell.low[a], high = low + size;
        wider.low[a] = g->n == 0 || low < wider.low[a] ? low : wider.low[a];
        wider.high[a] = g->n == 0 || high > wider.high[a] ? high : wider.high[a];
        if (wider.high[a] - wider.low[a] > MOST_WIDTHS * size) {
            return false;
        }
    }
    *junction = wider;
    imp_cell_nodes(r, &cell, nodes);
    for (int c = 0; c < r->n_corners; c++) {
        add_class(junction, r->class_of[nodes[c]]);
    }
    g->taken[number] = true;
    g->list[g->n++] = number;
    return true;
}

/* Adds the cells that touch a cell of the box. */
static void take_neighbours(gatherer *g, uint32_t number, imp_junction *junction) {
    const imp_refinement *r = g->r;
    const imp_key_set *cells = &r->tree.cells[g->level];
    imp_cell cell = imp_cell_of(cells, number, g->level);
    uint32_t size = imp_cell_size(r, g->level);
    int all = r->n_axes == 2 ? 9 : 27;
    for (int i = 0; i < all && g->n < MOST_CELLS; i++) {
        uint32_t key[IMP_REFINE_AXES];
        for (int a = 0, rest = i; a < r->n_axes; a++, rest /= 3) {
            key[a] =
                cell.low[a] + (uint32_t)(rest % 3 - 1) * size; /* beyond the range: no such cell */
        }
        uint32_t other = imp_key_set_find(cells, key);
        if (other != IMP_KEY_NONE && r->tree.leaf[g->level][other] == IMP_LEAF_JUNCTION &&
            !g->taken[other]) {
            take(g, other, junction);
        }
    }
}

static int64_t gather(gatherer *g, imp_junction *junctions) {
    int64_t n = 0;
    for (uint32_t i = 0; i < g->r->tree.cells[g->level].n; i++) {
        if (g->r->tree.leaf[g->level][i] != IMP_LEAF_JUNCTION || g->taken[i]) {
            continue;
        }
        imp_junction junction = {.n_classes = 0};
        g->n = 0;
        take(g, i, &junction);
        for (int k = 0; k < g->n; k++) {
            take_neighbours(g, g->list[k], &junction);
        }
        junctions[n++] = junction;
    }
    return n;
}

imp_err imp_result_junctions(const imp_refinement *r, imp_refine_result *result) {
    int level = r->bits;
    while (imp_cell_size(r, level) < r->width) {
        level--;
    }
    size_t n = r->tree.cells[level].n;
    gatherer g = {.r = r, .level = level, .taken = calloc(n + 1, sizeof *g.taken)};
    result->junctions = malloc((n + 1) * sizeof *result->junctions);
    if (g.taken && result->junctions) {
        result->n_junctions = gather(&g, result->junctions);
    }
    free(g.taken);
    return g.taken && result->junctions ? IMP_OK : imp_out_of_memory();
}
