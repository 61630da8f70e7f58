/* Random refined maps against their uniform maps: how many nodes differ, in how many maps, and in
 * how many of these also with the edges of the map as lines. configs/README has the numbers. With
 * arguments, numbers of the first and last map, a number of lines, and a part of the choices, the
 * program takes only these maps, and prints each that differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_maps.h"
#include "support/suite.h"

enum { MAPS = 1000, BASE = 6, DEPTH = 10, LISTED = 40, EDGES = 4 };
static int first = 0, last = MAPS - 1, lines = 0;
static const char *only = "";
static bool printing;

static void print_places(const random_map *map, int number, int64_t differ, int (*places)[2]) {
    char text[512];
    random_map_print(map, text, sizeof text);
    printf("%d: %lld nodes differ: %s\n ", number, (long long)differ, text);
    for (int i = 0; i < differ && i < LISTED; i++) {
        printf(" (%d, %d)", places[i][0], places[i][1]);
    }
    printf("\n");
    fflush(stdout);
}

/* The nodes of a map that differ with a number of lines. */
static int64_t differ_with(const random_map *map, int number, int n_lines, int64_t *points) {
    imp_refine_plan plan = random_map_plan(map, BASE, DEPTH);
    plan.lines = n_lines;
    imp_refinement *r = refine_run(&plan, refine_look_at_theory, (void *)&map->look, NULL, NULL);
    int places[LISTED][2];
    int64_t differ = random_map_differ(map, r, places, LISTED);
    if (differ && printing) {
        print_places(map, number, differ, places);
    }
    *points += imp_refine_statistics_of(r).points;
    imp_refine_close(&r);
    return differ;
}

/* Of the maps at most every fiftieth differs, with lines along the edges every hundredth; of all
 * nodes at most every 100,000th. */
static void random_maps(void) {
    int64_t nodes = 0, maps = 0, with_edges = 0, all = 0, points = 0, more = 0;
    const int64_t of_map = ((1 << DEPTH) + 1) * ((1 << DEPTH) + 1);
    for (int i = first; i <= last; i++) {
        random_source source = {(uint64_t)i * 7919 + 39};
        random_map map = random_map_draw(&source);
        if (!strstr(map.choices, only)) {
            continue;
        }
        random_map_open(&map);
        int64_t differ = differ_with(&map, i, lines, &points);
        with_edges += differ > 0 && lines == 0 && differ_with(&map, i, EDGES, &more) > 0;
        nodes += differ;
        maps += differ > 0;
        all++;
        random_map_close(&map);
    }
    if (printing) {
        printf("%lld nodes differ in %lld of %lld maps, in %lld of these with lines along the "
               "edges; %lld points\n",
               (long long)nodes, (long long)maps, (long long)all, (long long)with_edges,
               (long long)points);
        return;
    }
    CHECK(50 * maps <= all, "%lld of %lld maps differ", (long long)maps, (long long)all);
    CHECK(100000 * nodes <= all * of_map, "%lld nodes of %lld maps differ", (long long)nodes,
          (long long)all);
    CHECK(100 * with_edges <= all, "%lld of %lld maps differ with lines along the edges",
          (long long)with_edges, (long long)all);
}

int main(int argc, char **argv) {
    printing = argc > 1;
    first = argc > 1 ? atoi(argv[1]) : first;
    last = argc > 2 ? atoi(argv[2]) : last;
    lines = argc > 3 ? atoi(argv[3]) : lines;
    only = argc > 4 ? argv[4] : only;
    return SUITE_RUN("filaments", random_maps);
}
