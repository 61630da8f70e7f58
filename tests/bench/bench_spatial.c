/* Time of one cell of the theories in space, on one core, every output computed: random bodies and
 * motions, the least and the median of several runs. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "support/batch.h"
#include "support/inertia.h"
#include "support/random.h"

enum { CELLS = 20000, RUNS = 9 };

typedef struct map {
    const char *theory, *choices;
    double bound; /* microseconds */
} map;

static const map maps[] = {
    {"swerve", "body=matrix3d law=newton", 20},
    {"swerve", "body=matrix3d law=poisson", 20},
    {"swerve", "body=matrix3d law=energetic", 20},
    {"compliant3d", "body=matrix3d", 60},
};

static void fill(const batch *b) {
    random_source source = {81};
    bool springs = imp_input(b->solver, "stiffness_ratio") >= 0;
    for (size_t i = 0; i < CELLS; i++) {
        inertia m = inertia_random(&source, 20);
        inertia_set(b, i, &m);
        batch_in(b, "heading")[i] = random_between(&source, -3, 3);
        batch_in(b, "velocity_ratio")[i] = random_between(&source, 0, 5);
        batch_in(b, "friction")[i] = random_between(&source, 0.02, 1.5);
        batch_in(b, "restitution")[i] = random_between(&source, 0.3, 1);
        if (springs) {
            batch_in(b, "stiffness_ratio")[i] = random_log(&source, 0.5, 2);
        }
    }
}

int main(void) {
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        batch b = batch_open(maps[k].theory, maps[k].choices, CELLS);
        double times[RUNS];
        fill(&b);
        for (int run = 0; run < RUNS; run++) {
            double start = measure_processor();
            batch_solve(&b);
            times[run] = (measure_processor() - start) / CELLS * 1e6;
        }
        double middle = measure_median(times, RUNS);
        printf("%-12s %-30s median %.1f us, least %.1f us (bound %.0f us)\n", maps[k].theory,
               maps[k].choices, middle, times[0], maps[k].bound);
        batch_close(&b);
    }
    return 0;
}
