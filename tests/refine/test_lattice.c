/* The lattice of a refinement, and its set of keys. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "grid/grid.h"
#include "refine/lattice.h"
#include "support/random.h"
#include "support/suite.h"

/* Values at nodes are those of the grid with as many points, at every level, and in degrees. */
static void lattice(void) {
    imp_lattice l = {.n_axes = 2,
                     .axis = {{.from = 0.1, .to = 89.9, .degrees = true},
                              {.from = 1e-3, .to = 1.5, .logarithmic = true}}};
    for (int level = 1; level <= 12; level++) {
        int64_t n = (INT64_C(1) << level) + 1;
        double *flat = malloc((size_t)n * sizeof *flat);
        for (int axis = 0; axis < 2; axis++) {
            imp_spaced_values(l.axis[axis].from, l.axis[axis].to, n, l.axis[axis].logarithmic,
                              flat);
            for (int64_t i = 0; i < n; i++) {
                double si =
                    axis ? flat[i] : imp_quantity_si((imp_quantity){flat[i], IMP_UNIT_DEGREE});
                double value = imp_lattice_value(&l, axis, (double)(i << (31 - level)));
                CHECK(value == si, "axis %d, level %d, node %lld", axis, level, (long long)i);
            }
        }
        free(flat);
    }
}

static void keys(void) {
    enum { N = 100000 };
    for (int axes = 1; axes <= 4; axes++) {
        imp_key_set set = imp_key_set_of(axes);
        random_source random = {(uint64_t)axes};
        uint32_t *all = malloc((size_t)N * (size_t)axes * sizeof *all);
        for (int i = 0; i < N * axes; i++) {
            all[i] = (uint32_t)random_index(&random, 1 << 20) << 11;
        }
        for (int i = 0; i < N; i++) {
            uint32_t before = (uint32_t)set.n, number = imp_key_set_add(&set, all + i * axes);
            CHECK(number <= before && imp_key_set_add(&set, all + i * axes) == number, "key %d", i);
        }
        for (int i = 0; i < N; i++) {
            uint32_t number = imp_key_set_find(&set, all + i * axes);
            CHECK(number < set.n && memcmp(set.keys + number * (uint32_t)axes, all + i * axes,
                                           (size_t)axes * sizeof *all) == 0,
                  "key %d is lost", i);
            all[i * axes] |= 1;
            CHECK(imp_key_set_find(&set, all + i * axes) == IMP_KEY_NONE,
                  "a key that is not there");
        }
        imp_key_set_free(&set);
        free(all);
    }
}

SUITE("lattice", lattice, keys)
