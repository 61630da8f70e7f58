/* Random maps of two parameters over 0 .. 1, refined, beside their uniform maps. */
#ifndef TESTS_SUPPORT_RANDOM_MAPS_H
#define TESTS_SUPPORT_RANDOM_MAPS_H

#include "support/random.h"
#include "support/refine.h"

typedef struct random_map {
    const char *theory, *choices;
    refine_theory look; /* its solver is open between random_map_open and random_map_close */
    double from[2], to[2];
} random_map;

/* Draws a theory, its choices, two axes with their ranges and the values of all others: compliant
 * with linear, coupled or Hertz springs, rigid, swerve. */
random_map random_map_draw(random_source *source);

void random_map_open(random_map *map);
void random_map_close(random_map *map);

imp_refine_plan random_map_plan(const random_map *map, int base, int depth);

/* The nodes of the flat grid whose mode or outcome is not that of the node itself; up to `most` of
 * them are listed, their places on both axes. */
int64_t random_map_differ(const random_map *map, const imp_refinement *r, int (*places)[2],
                          int64_t most);

/* Text of a map: theory, choices, values and ranges, as `cell` takes them. */
void random_map_print(const random_map *map, char *text, size_t size);

#endif
