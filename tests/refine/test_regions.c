/* Regions and borders of random grids against a flood fill that asks every pair of nodes. */
#include <stdlib.h>

#include "refine/regions.h"
#include "support/random.h"
#include "support/suite.h"

enum { MOST = 17 * 17 * 17 }; /* nodes */

typedef struct grid {
    int n_axes;
    int64_t side, nodes;
    uint32_t label[MOST], region[MOST];
    uint32_t regions;
} grid;

static void place(const grid *g, int64_t node, int64_t at[4]) {
    for (int a = g->n_axes - 1; a >= 0; a--) {
        at[a] = node % g->side;
        node /= g->side;
    }
}

/* Steps along the axes from one node to another. */
static int64_t steps_between(const grid *g, int64_t one, int64_t other) {
    int64_t a[4], b[4], steps = 0;
    place(g, one, a);
    place(g, other, b);
    for (int k = 0; k < g->n_axes; k++) {
        steps += llabs(a[k] - b[k]);
    }
    return steps;
}

static void flood(grid *g, int64_t from) {
    static int64_t queue[MOST];
    int64_t n = 0, stride = g->nodes;
    queue[n++] = from;
    g->region[from] = g->regions;
    for (int64_t i = 0; i < n; i++) {
        stride = g->nodes;
        for (int a = 0; a < g->n_axes; a++) {
            stride /= g->side;
            for (int way = -1; way <= 1; way += 2) {
                int64_t next = queue[i] + way * stride;
                bool neighbour =
                    next >= 0 && next < g->nodes && steps_between(g, queue[i], next) == 1;
                if (neighbour && g->region[next] == UINT32_MAX &&
                    g->label[next] == g->label[from]) {
                    g->region[next] = g->regions;
                    queue[n++] = next;
                }
            }
        }
    }
    g->regions++;
}

static grid draw(random_source *source, int n_axes, int level) {
    static grid g;
    g = (grid){.n_axes = n_axes, .side = (INT64_C(1) << level) + 1, .nodes = 1};
    for (int a = 0; a < n_axes; a++) {
        g.nodes *= g.side;
    }
    int labels = 2 + random_index(source, 3), patch = 1 + random_index(source, 12);
    for (int64_t i = 0; i < g.nodes; i++) {
        bool fresh = i == 0 || random_index(source, patch) == 0;
        g.label[i] = fresh ? (uint32_t)random_index(source, labels) : g.label[i - 1];
        g.region[i] = UINT32_MAX;
    }
    for (int64_t i = 0; i < g.nodes; i++) {
        if (g.region[i] == UINT32_MAX) {
            flood(&g, i);
        }
    }
    return g;
}

/* Steps from a node to the nearest one of another region, or past the edge. */
static int64_t room_of(const grid *g, int64_t node) {
    int64_t at[4], least = g->side;
    place(g, node, at);
    for (int a = 0; a < g->n_axes; a++) {
        int64_t edge = at[a] < g->side - 1 - at[a] ? at[a] + 1 : g->side - at[a];
        least = edge < least ? edge : least;
    }
    for (int64_t i = 0; i < g->nodes; i++) {
        int64_t steps = g->region[i] == g->region[node] ? least : steps_between(g, node, i);
        least = steps < least ? steps : least;
    }
    return least;
}

static void check_regions(const grid *g, const imp_regions *found) {
    CHECK(found->n == g->regions, "%u regions instead of %u", found->n, g->regions);
    double shares = 0;
    int64_t nodes = 0;
    for (uint32_t r = 0; r < found->n && r < g->regions; r++) {
        const imp_region *region = &found->regions[r];
        int64_t count = 0, most = 0, inner = -1;
        for (int64_t i = 0; i < g->nodes; i++) {
            if (g->region[i] == r) {
                int64_t room = room_of(g, i);
                inner = room > most ? i : inner;
                most = room > most ? room : most;
                count++;
            }
        }
        CHECK(region->nodes == count, "%lld nodes", (long long)region->nodes);
        CHECK(region->inside == inner, "node %lld instead of %lld", (long long)region->inside,
              (long long)inner);
        CHECK(region->label == g->label[inner], "label %u", region->label);
        CHECK(region->share <= 1 && region->bound >= 0 && region->bound <= 1, "share %g, bound %g",
              region->share, region->bound);
        shares += region->share;
        nodes += region->nodes;
    }
    CHECK_NEAR(shares, 1, 1e-12, "shares");
    CHECK(nodes == g->nodes, "%lld nodes", (long long)nodes);
}

static void check_borders(const grid *g, const imp_regions *found) {
    int64_t pairs = 0;
    for (int64_t b = 0; b < found->n_borders; b++) {
        const imp_border *border = &found->borders[b], *before = border - 1;
        bool ordered = b == 0 || before->one < border->one ||
                       (before->one == border->one && before->other < border->other);
        int64_t count = 0, stride = g->nodes;
        for (int a = 0; a < g->n_axes; a++) {
            stride /= g->side;
            for (int64_t i = stride; i < g->nodes; i++) {
                uint32_t here = g->region[i], there = g->region[i - stride];
                bool touch = steps_between(g, i, i - stride) == 1;
                count += touch && ((here == border->one && there == border->other) ||
                                   (here == border->other && there == border->one));
            }
        }
        CHECK(ordered && border->one < border->other, "border %lld", (long long)b);
        CHECK(border->pairs == count && count > 0, "%lld pairs instead of %lld",
              (long long)border->pairs, (long long)count);
        pairs += border->pairs;
    }
    int64_t all = 0, stride = g->nodes;
    for (int a = 0; a < g->n_axes; a++) {
        stride /= g->side;
        for (int64_t i = stride; i < g->nodes; i++) {
            all += g->region[i] != g->region[i - stride] && steps_between(g, i, i - stride) == 1;
        }
    }
    CHECK(pairs == all, "%lld pairs instead of %lld", (long long)pairs, (long long)all);
}

static void random_grids(void) {
    static const int levels[] = {4, 3, 2, 1};
    random_source source = {17};
    for (int n_axes = 1; n_axes <= 4; n_axes++) {
        for (int k = 0; k < 12; k++) {
            grid g = draw(&source, n_axes, levels[n_axes - 1]);
            imp_regions found;
            CHECK(imp_regions_find(n_axes, levels[n_axes - 1], g.label, &found) == IMP_OK, "%d",
                  n_axes);
            check_regions(&g, &found);
            check_borders(&g, &found);
            imp_regions_free(&found);
        }
    }
}

/* A disk in a square: its share is within its bound of pi r^2. */
static void a_disk(void) {
    enum { LEVEL = 6, SIDE = (1 << LEVEL) + 1 };
    static uint32_t label[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = (double)(i / SIDE) / (SIDE - 1) - 0.5, y = (double)(i % SIDE) / (SIDE - 1) - 0.5;
        label[i] = x * x + y * y < 0.16 ? 7 : 3;
    }
    imp_regions found;
    CHECK(imp_regions_find(2, LEVEL, label, &found) == IMP_OK && found.n == 2, "%u", found.n);
    const imp_region *disk = &found.regions[1];
    CHECK(disk->label == 7 && disk->inside == SIDE * SIDE / 2, "inside %lld",
          (long long)disk->inside);
    CHECK_NEAR(disk->share, 0.16 * 3.141592653589793, disk->bound, "share");
    CHECK(disk->bound < 0.08, "bound %g", disk->bound);
    imp_regions_free(&found);
}

SUITE("regions", random_grids, a_disk)
