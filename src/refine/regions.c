#include "refine/regions.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "refine/forest.h"

/* A flat grid, and what is found of each of its nodes. */
typedef struct flat_grid {
    int n_axes;
    int64_t side, nodes;             /* nodes along an axis; all */
    int64_t stride[IMP_REFINE_AXES]; /* of the first axis first */
    const uint32_t *label;
    uint32_t *region; /* at first the parent of a node in its tree */
    uint32_t *steps;  /* to the nearest node of another region or beyond the edge */
} flat_grid;

/* The position of the next node, or of the one before it: the last axis runs fastest. */
static void go_on(const flat_grid *g, uint32_t *at) {
    for (int a = g->n_axes - 1; a >= 0 && ++at[a] == g->side; a--) {
        at[a] = 0;
    }
}

static void go_back(const flat_grid *g, uint32_t *at) {
    for (int a = g->n_axes - 1; a >= 0 && at[a]-- == 0; a--) {
        at[a] = (uint32_t)g->side - 1;
    }
}

static imp_err open_grid(int n_axes, int level, const uint32_t *label, flat_grid *g) {
    *g = (flat_grid){
        .n_axes = n_axes, .side = (INT64_C(1) << level) + 1, .nodes = 1, .label = label};
    for (int a = n_axes - 1; a >= 0; a--) {
        g->stride[a] = g->nodes;
        g->nodes *= g->side;
    }
    g->region = malloc((size_t)g->nodes * sizeof *g->region);
    g->steps = malloc((size_t)g->nodes * sizeof *g->steps);
    return g->region && g->steps ? IMP_OK : imp_out_of_memory();
}

/* ---- regions as trees of nodes ---- */

static void grow_trees(const flat_grid *g) {
    uint32_t at[IMP_REFINE_AXES] = {0};
    for (int64_t i = 0; i < g->nodes; i++, go_on(g, at)) {
        g->region[i] = (uint32_t)i;
        for (int a = 0; a < g->n_axes; a++) {
            if (at[a] > 0 && g->label[i - g->stride[a]] == g->label[i]) {
                imp_forest_join(g->region, (uint32_t)i, (uint32_t)(i - g->stride[a]));
            }
        }
    }
}

/* Puts numbers of regions in the place of parents, which come before their children; returns how
 * many regions there are. */
static uint32_t number_regions(const flat_grid *g) {
    uint32_t n = 0;
    for (int64_t i = 0; i < g->nodes; i++) {
        uint32_t parent = g->region[i];
        g->steps[i] = parent == i ? n++ : g->steps[parent];
    }
    memcpy(g->region, g->steps, (size_t)g->nodes * sizeof *g->region);
    return n;
}

/* ---- what a region is ---- */

/* The part of the whole that belongs to a node. */
static double weight_of(const flat_grid *g, const uint32_t *at) {
    double weight = 1;
    for (int a = 0; a < g->n_axes; a++) {
        weight *= (at[a] == 0 || at[a] == g->side - 1 ? 0.5 : 1) / (double)(g->side - 1);
    }
    return weight;
}

static void add_node(const flat_grid *g, int64_t node, const uint32_t *at, imp_region *region) {
    bool first = region->nodes == 0;
    for (int a = 0; a < g->n_axes; a++) {
        region->low[a] = first || at[a] < region->low[a] ? at[a] : region->low[a];
        region->high[a] = first || at[a] > region->high[a] ? at[a] : region->high[a];
    }
    region->label = g->label[node];
    region->nodes++;
    region->share += weight_of(g, at);
}

/* Adds a cell, by its lower corner, to the bounds of its regions if it has several. */
static void add_cell(const flat_grid *g, int64_t node, double volume, imp_region *regions) {
    uint32_t seen[1 << IMP_REFINE_AXES];
    int n = 0;
    for (int corner = 0; corner < 1 << g->n_axes; corner++) {
        int64_t at = node;
        for (int a = 0; a < g->n_axes; a++) {
            at += corner >> a & 1 ? g->stride[a] : 0;
        }
        bool fresh = true;
        for (int i = 0; i < n; i++) {
            fresh = fresh && seen[i] != g->region[at];
        }
        seen[n] = g->region[at];
        n += fresh;
    }
    for (int i = 0; n > 1 && i < n; i++) {
        regions[seen[i]].bound += volume;
    }
}

static bool is_lower_corner(const flat_grid *g, const uint32_t *at) {
    for (int a = 0; a < g->n_axes; a++) {
        if (at[a] == g->side - 1) {
            return false;
        }
    }
    return true;
}

static void measure(const flat_grid *g, imp_region *regions) {
    double volume = 1;
    for (int a = 0; a < g->n_axes; a++) {
        volume /= (double)(g->side - 1);
    }
    uint32_t at[IMP_REFINE_AXES] = {0};
    for (int64_t i = 0; i < g->nodes; i++, go_on(g, at)) {
        add_node(g, i, at, &regions[g->region[i]]);
        if (is_lower_corner(g, at)) {
            add_cell(g, i, volume, regions);
        }
    }
}

/* ---- a node well inside ---- */

/* Shortens the steps of a node by those of its neighbour along an axis; an edge of the grid counts
 * as another region. */
static void shorten(const flat_grid *g, int64_t node, bool edge, int64_t neighbour) {
    bool alike = !edge && g->region[node] == g->region[neighbour];
    uint32_t steps = alike ? g->steps[neighbour] + 1 : 1;
    g->steps[node] = steps < g->steps[node] ? steps : g->steps[node];
}

static void find_steps(const flat_grid *g) {
    uint32_t at[IMP_REFINE_AXES] = {0};
    for (int64_t i = 0; i < g->nodes; i++, go_on(g, at)) {
        g->steps[i] = UINT32_MAX - 1;
        for (int a = 0; a < g->n_axes; a++) {
            shorten(g, i, at[a] == 0, i - g->stride[a]);
        }
    }
    for (int64_t i = g->nodes - 1; i >= 0; i--) {
        go_back(g, at);
        for (int a = 0; a < g->n_axes; a++) {
            shorten(g, i, at[a] == g->side - 1, i + g->stride[a]);
        }
    }
}

static imp_err find_insides(const flat_grid *g, uint32_t n, imp_region *regions) {
    uint32_t *most = calloc((size_t)n + 1, sizeof *most);
    if (!most) {
        return imp_out_of_memory();
    }
    find_steps(g);
    for (int64_t i = 0; i < g->nodes; i++) {
        if (g->steps[i] > most[g->region[i]]) {
            most[g->region[i]] = g->steps[i];
            regions[g->region[i]].inside = i;
        }
    }
    free(most);
    return IMP_OK;
}

/* ---- borders ---- */

static uint64_t pair_of(uint32_t one, uint32_t other) {
    return one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
}

static int compare_pairs(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* Writes the pairs of regions of all neighbouring nodes, if there is a place for them; returns
 * their number. */
static size_t list_pairs(const flat_grid *g, uint64_t *pairs) {
    size_t n = 0;
    uint32_t at[IMP_REFINE_AXES] = {0};
    for (int64_t i = 0; i < g->nodes; i++, go_on(g, at)) {
        for (int a = 0; a < g->n_axes; a++) {
            uint32_t here = g->region[i];
            if (at[a] > 0 && g->region[i - g->stride[a]] != here) {
                if (pairs) {
                    pairs[n] = pair_of(g->region[i - g->stride[a]], here);
                }
                n++;
            }
        }
    }
    return n;
}

static imp_err find_borders(const flat_grid *g, imp_regions *found) {
    size_t n = list_pairs(g, NULL);
    uint64_t *pairs = malloc((n + 1) * sizeof *pairs);
    found->borders = pairs ? malloc((n + 1) * sizeof *found->borders) : NULL;
    if (!found->borders) {
        free(pairs);
        return imp_out_of_memory();
    }
    list_pairs(g, pairs);
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || pairs[i] != pairs[i - 1]) {
            found->borders[found->n_borders++] = (imp_border){
                .one = (uint32_t)(pairs[i] >> 32), .other = (uint32_t)pairs[i], .pairs = 0};
        }
        found->borders[found->n_borders - 1].pairs++;
    }
    free(pairs);
    return IMP_OK;
}

/* ---- all of it ---- */

static imp_err find(const flat_grid *g, imp_regions *found) {
    grow_trees(g);
    found->n = number_regions(g);
    found->regions = calloc(found->n, sizeof *found->regions);
    if (!found->regions) {
        return imp_out_of_memory();
    }
    measure(g, found->regions);
    imp_err error = find_insides(g, found->n, found->regions);
    return error ? error : find_borders(g, found);
}

imp_err imp_regions_find(int n_axes, int level, const uint32_t *label, imp_regions *found) {
    flat_grid g;
    *found = (imp_regions){.n = 0};
    imp_err error = open_grid(n_axes, level, label, &g);
    error = error ? error : find(&g, found);
    found->of_node = g.region;
    free(g.steps);
    return error;
}

void imp_regions_free(imp_regions *found) {
    free(found->regions);
    free(found->borders);
    free(found->of_node);
    *found = (imp_regions){.n = 0};
}
