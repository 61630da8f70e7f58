/* Counts of outcomes and modes: any number of cells, codes that are all alike or not, pending cells
 * among them. */

#include "sched/tally.h"
#include "support/random.h"
#include "support/suite.h"

enum { MOST = 100, ROUNDS = 20000 };

static void draw(random_source *random, int n, int codes, uint8_t *drawn) {
    bool alike = random_index(random, 4) == 0;
    for (int i = 0; i < n; i++) {
        drawn[i] = alike && i > 0 ? drawn[0] : (uint8_t)random_index(random, codes);
    }
}

/* Cells that have this code, one by one. */
static int64_t having(int n, const uint8_t *codes, const uint8_t *outcomes, int code) {
    int64_t cells = 0;
    for (int i = 0; i < n; i++) {
        cells += outcomes[i] != IMP_PENDING && codes[i] == code;
    }
    return cells;
}

static void counts_are_those_of_each_cell(void) {
    random_source random = {42};
    uint8_t outcomes[MOST], modes[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        int n = random_index(&random, MOST + 1);
        bool known = random_index(&random, 5) > 0;
        imp_counts counts = {{0}, {0}};
        counts.outcomes[IMP_SOLVED] = counts.modes[1] = 7; /* of earlier cells */
        draw(&random, n, IMP_OUTCOME_COUNT, outcomes);
        draw(&random, n, IMP_MODE_CODES, modes);
        imp_counts_add(&counts, (size_t)n, outcomes, known ? (int8_t *)modes : NULL);
        for (int i = 1; i < IMP_OUTCOME_COUNT; i++) {
            int64_t cells = having(n, outcomes, outcomes, i) + (i == IMP_SOLVED ? 7 : 0);
            CHECK(counts.outcomes[i] == cells, "%d cells, outcome %d", n, i);
        }
        for (int i = 1; i < IMP_MODE_CODES; i++) {
            int64_t cells = (known ? having(n, modes, outcomes, i) : 0) + (i == 1 ? 7 : 0);
            CHECK(counts.modes[i] == cells, "%d cells, mode %d", n, i);
        }
    }
}

SUITE("tally", counts_are_those_of_each_cell)
