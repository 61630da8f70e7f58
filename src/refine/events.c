#include "refine/events.h"

#include <stdlib.h>
#include <string.h>

#include "refine/forest.h"
#include "refine/generator_impl.h"

enum { BEFORE, AFTER, LEAST_NODES = 4, LEAST_PAIRS = 4 };

/* A group of regions of both grids that go over into each other. */
typedef struct group {
    uint32_t n[2]; /* regions of each grid */
    uint32_t label;
    double share;
    int64_t inside;
} group;

typedef struct matcher {
    const imp_regions *of[2];
    int64_t nodes;
    imp_key_set pairs; /* numbers of regions of both grids with common nodes of one label */
    int64_t *common;   /* nodes of each pair */
    size_t room;
    uint32_t *parent;       /* regions before, then those after, as trees */
    group *groups;          /* by root */
    imp_key_set borders[2]; /* pairs of groups, one < other, that are neighbours in a grid */
} matcher;

static bool counts(const imp_region *core) {
    return core->label != IMP_NO_CORE && core->nodes >= LEAST_NODES;
}

/* ---- cores ---- */

typedef struct flat_nodes {
    int n_axes;
    int64_t side, nodes, stride[IMP_REFINE_AXES];
} flat_nodes;

static flat_nodes nodes_of(int n_axes, int level) {
    flat_nodes g = {.n_axes = n_axes, .side = (INT64_C(1) << level) + 1, .nodes = 1};
    for (int a = n_axes - 1; a >= 0; a--) {
        g.stride[a] = g.nodes;
        g.nodes *= g.side;
    }
    return g;
}

/* The neighbours of a node along the axes; returns how many there are within the range. */
static int neighbours_of(const flat_nodes *g, int64_t node,
                         int64_t neighbour[2 * IMP_REFINE_AXES]) {
    int n = 0;
    for (int a = 0; a < g->n_axes; a++) {
        int64_t at = node / g->stride[a] % g->side;
        if (at > 0) {
            neighbour[n++] = node - g->stride[a];
        }
        if (at < g->side - 1) {
            neighbour[n++] = node + g->stride[a];
        }
    }
    return n;
}

static bool is_inner(const flat_nodes *g, const uint32_t *label, int64_t node) {
    int64_t at[2 * IMP_REFINE_AXES];
    int n = neighbours_of(g, node, at);
    for (int i = 0; i < n; i++) {
        if (label[at[i]] != label[node]) {
            return false;
        }
    }
    return true;
}

/* The core of a node: its own, or that of a neighbour of the same label; IMP_KEY_NONE. core: of
 * inner nodes. */
static uint32_t core_of(const flat_nodes *g, const uint32_t *label, const uint32_t *inner,
                        const imp_regions *of, int64_t node) {
    int64_t at[2 * IMP_REFINE_AXES];
    int n = neighbours_of(g, node, at);
    if (inner[node] != IMP_NO_CORE) {
        return of->of_node[node];
    }
    for (int i = 0; i < n; i++) {
        if (inner[at[i]] == label[node]) {
            return of->of_node[at[i]];
        }
    }
    return IMP_KEY_NONE;
}

/* Counts pairs of neighbouring nodes again, between cores with the nodes beside them. */
static imp_err count_pairs(const flat_nodes *g, imp_regions *of) {
    imp_key_set pairs = imp_key_set_of(2);
    imp_err error = IMP_OK;
    size_t room = 0;
    free(of->borders);
    of->borders = NULL;
    for (int64_t i = 0; !error && i < g->nodes; i++) {
        for (int a = 0; !error && a < g->n_axes; a++) {
            uint32_t one = of->of_node[i];
            uint32_t other = i / g->stride[a] % g->side ? of->of_node[i - g->stride[a]] : one;
            uint32_t key[2] = {one < other ? one : other, one < other ? other : one};
            if (one == other || key[1] == IMP_KEY_NONE) {
                continue;
            }
            size_t before = pairs.n;
            uint32_t number = imp_key_set_add(&pairs, key);
            error = number == IMP_KEY_NONE
                        ? imp_out_of_memory()
                        : imp_grow(&of->borders, &room, pairs.n, sizeof *of->borders);
            if (!error) {
                int64_t had = number < before ? of->borders[number].pairs : 0;
                of->borders[number] =
                    (imp_border){.one = key[0], .other = key[1], .pairs = had + 1};
            }
        }
    }
    of->n_borders = error ? 0 : (int64_t)pairs.n;
    imp_key_set_free(&pairs);
    return error;
}

/* Gives nodes beside a core to it. */
static imp_err widen(const flat_nodes *g, const uint32_t *label, const uint32_t *inner,
                     imp_regions *of) {
    uint32_t *wide = malloc((size_t)g->nodes * sizeof *wide);
    if (!wide) {
        return imp_out_of_memory();
    }
    for (uint32_t i = 0; i < of->n; i++) {
        of->regions[i].share = 0;
    }
    for (int64_t i = 0; i < g->nodes; i++) {
        wide[i] = core_of(g, label, inner, of, i);
        if (wide[i] != IMP_KEY_NONE) {
            of->regions[wide[i]].share += 1 / (double)g->nodes;
        }
    }
    free(of->of_node);
    of->of_node = wide;
    return count_pairs(g, of);
}

imp_err imp_cores_find(int n_axes, int level, const uint32_t *label, imp_cores *found) {
    flat_nodes g = nodes_of(n_axes, level);
    uint32_t *inner = malloc((size_t)g.nodes * sizeof *inner);
    *found = (imp_cores){.nodes = g.nodes};
    for (int64_t i = 0; inner && i < g.nodes; i++) {
        inner[i] = is_inner(&g, label, i) ? label[i] : IMP_NO_CORE;
    }
    imp_err error =
        inner ? imp_regions_find(n_axes, level, inner, &found->of) : imp_out_of_memory();
    error = error ? error : widen(&g, label, inner, &found->of);
    free(inner);
    return error;
}

/* ---- which regions go over into each other ---- */

static imp_err count_common(matcher *m) {
    for (int64_t i = 0; i < m->nodes; i++) {
        uint32_t key[2] = {m->of[BEFORE]->of_node[i], m->of[AFTER]->of_node[i]};
        if (key[0] == IMP_KEY_NONE || key[1] == IMP_KEY_NONE) {
            continue;
        }
        const imp_region *one = &m->of[BEFORE]->regions[key[0]];
        const imp_region *other = &m->of[AFTER]->regions[key[1]];
        if (one->label != other->label || !counts(one) || !counts(other)) {
            continue;
        }
        size_t before = m->pairs.n;
        uint32_t number = imp_key_set_add(&m->pairs, key);
        if (number == IMP_KEY_NONE ||
            imp_grow(&m->common, &m->room, (size_t)number + 1, sizeof *m->common)) {
            return imp_out_of_memory();
        }
        m->common[number] = (number < before ? m->common[number] : 0) + 1;
    }
    return IMP_OK;
}

/* Joins every region of a grid with that of the other one with which it has the most common nodes;
 * best: room for the regions of both. */
static void join_best(matcher *m, int grid, uint32_t *best) {
    for (uint32_t i = 0; i < m->of[grid]->n; i++) {
        best[i] = IMP_KEY_NONE;
    }
    for (size_t p = 0; p < m->pairs.n; p++) {
        uint32_t *at = &best[m->pairs.keys[2 * p + (size_t)grid]];
        *at = *at == IMP_KEY_NONE || m->common[p] > m->common[*at] ? (uint32_t)p : *at;
    }
    for (uint32_t i = 0; i < m->of[grid]->n; i++) {
        if (best[i] != IMP_KEY_NONE) {
            const uint32_t *key = m->pairs.keys + 2 * (size_t)best[i];
            imp_forest_join(m->parent, key[0], m->of[BEFORE]->n + key[1]);
        }
    }
}

/* Trees of regions, and what is known of each group. */
static imp_err make_groups(matcher *m) {
    size_t n = (size_t)m->of[BEFORE]->n + m->of[AFTER]->n;
    uint32_t *best = malloc((n + 1) * sizeof *best);
    m->parent = malloc((n + 1) * sizeof *m->parent);
    m->groups = calloc(n + 1, sizeof *m->groups);
    if (!best || !m->parent || !m->groups) {
        free(best);
        return imp_out_of_memory();
    }
    for (size_t i = 0; i < n; i++) {
        m->parent[i] = (uint32_t)i;
    }
    join_best(m, BEFORE, best);
    join_best(m, AFTER, best);
    free(best);
    for (size_t i = 0; i < n; i++) {
        int grid = i >= m->of[BEFORE]->n;
        const imp_region *region = &m->of[grid]->regions[grid ? i - m->of[BEFORE]->n : i];
        group *g = &m->groups[imp_forest_root(m->parent, (uint32_t)i)];
        if (counts(region)) {
            g->label = region->label;
            g->n[grid]++;
            g->inside = region->share > g->share ? region->inside : g->inside;
            g->share = region->share > g->share ? region->share : g->share;
        }
    }
    return IMP_OK;
}

/* ---- neighbours ---- */

static imp_err note_borders(matcher *m, int grid) {
    const imp_regions *of = m->of[grid];
    uint32_t first = grid ? m->of[BEFORE]->n : 0;
    for (int64_t i = 0; i < of->n_borders; i++) {
        const imp_border *border = &of->borders[i];
        uint32_t a = imp_forest_root(m->parent, first + border->one);
        uint32_t b = imp_forest_root(m->parent, first + border->other);
        uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
        bool both = m->groups[a].n[BEFORE] && m->groups[a].n[AFTER] && m->groups[b].n[BEFORE] &&
                    m->groups[b].n[AFTER];
        if (a != b && both && border->pairs >= LEAST_PAIRS && counts(&of->regions[border->one]) &&
            counts(&of->regions[border->other]) &&
            imp_key_set_add(&m->borders[grid], key) == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
    }
    return IMP_OK;
}

static bool are_neighbours(const matcher *m, int grid, uint32_t one, uint32_t other) {
    uint32_t key[2] = {one < other ? one : other, one < other ? other : one};
    return imp_key_set_find(&m->borders[grid], key) != IMP_KEY_NONE;
}

/* ---- events ---- */

static imp_err add_event(imp_events *found, imp_event event) {
    imp_err error = imp_grow(&found->events, &found->room, found->n + 1, sizeof *found->events);
    if (!error) {
        found->events[found->n++] = event;
    }
    return error;
}

static imp_err add_groups(const matcher *m, imp_events *found) {
    size_t n = (size_t)m->of[BEFORE]->n + m->of[AFTER]->n;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < n; i++) {
        const group *g = &m->groups[i];
        if (g->n[BEFORE] != g->n[AFTER]) {
            imp_event_kind kind = g->n[BEFORE] == 0            ? IMP_EVENT_BORN
                                  : g->n[AFTER] == 0           ? IMP_EVENT_VANISHED
                                  : g->n[BEFORE] > g->n[AFTER] ? IMP_EVENT_MERGED
                                                               : IMP_EVENT_SPLIT;
            error = add_event(found, (imp_event){.kind = kind,
                                                 .label = g->label,
                                                 .other = g->label,
                                                 .before = g->n[BEFORE],
                                                 .after = g->n[AFTER],
                                                 .share = g->share,
                                                 .inside = g->inside});
        }
    }
    return error;
}

/* The pair that parted between the regions of a pair that met: each was and is a neighbour of both.
 * Its number among the borders before; `used` are taken. SIZE_MAX: there is none. */
static size_t find_parted(const matcher *m, const uint32_t *met, const bool *used) {
    for (size_t p = 0; p < m->borders[BEFORE].n; p++) {
        const uint32_t *parted = m->borders[BEFORE].keys + 2 * p;
        bool between = !used[p] && !are_neighbours(m, AFTER, parted[0], parted[1]);
        for (int i = 0; between && i < 4; i++) {
            uint32_t one = met[i / 2], other = parted[i % 2];
            between = one != other && are_neighbours(m, BEFORE, one, other) &&
                      are_neighbours(m, AFTER, one, other);
        }
        if (between) {
            return p;
        }
    }
    return SIZE_MAX;
}

static imp_err add_pair(const matcher *m, imp_event_kind kind, const uint32_t *pair,
                        imp_events *found) {
    const group *one = &m->groups[pair[0]], *other = &m->groups[pair[1]];
    const group *larger = one->share > other->share ? one : other;
    const group *smaller = larger == one ? other : one;
    return add_event(found, (imp_event){.kind = kind,
                                        .label = one->label,
                                        .other = other->label,
                                        .before = 2,
                                        .after = 2,
                                        .share = larger->share,
                                        .inside = smaller->inside});
}

static imp_err add_pairs(const matcher *m, imp_events *found) {
    bool *used = calloc(m->borders[BEFORE].n + 1, sizeof *used);
    imp_err error = used ? IMP_OK : imp_out_of_memory();
    for (size_t p = 0; !error && p < m->borders[AFTER].n; p++) {
        const uint32_t *met = m->borders[AFTER].keys + 2 * p;
        if (!are_neighbours(m, BEFORE, met[0], met[1])) {
            size_t parted = find_parted(m, met, used);
            error =
                add_pair(m, parted == SIZE_MAX ? IMP_EVENT_MET : IMP_EVENT_EXCHANGED, met, found);
            if (parted != SIZE_MAX) {
                used[parted] = true;
            }
        }
    }
    for (size_t p = 0; !error && p < m->borders[BEFORE].n; p++) {
        const uint32_t *pair = m->borders[BEFORE].keys + 2 * p;
        if (!used[p] && !are_neighbours(m, AFTER, pair[0], pair[1])) {
            error = add_pair(m, IMP_EVENT_PARTED, pair, found);
        }
    }
    free(used);
    return error;
}

imp_err imp_events_find(const imp_cores *before, const imp_cores *after, imp_events *found) {
    matcher m = {.of = {&before->of, &after->of},
                 .nodes = before->nodes,
                 .pairs = imp_key_set_of(2),
                 .borders = {imp_key_set_of(2), imp_key_set_of(2)}};
    imp_err error = count_common(&m);
    error = error ? error : make_groups(&m);
    error = error ? error : note_borders(&m, BEFORE);
    error = error ? error : note_borders(&m, AFTER);
    error = error ? error : add_groups(&m, found);
    error = error ? error : add_pairs(&m, found);
    imp_key_set_free(&m.pairs);
    imp_key_set_free(&m.borders[BEFORE]);
    imp_key_set_free(&m.borders[AFTER]);
    free(m.common);
    free(m.parent);
    free(m.groups);
    return error;
}
