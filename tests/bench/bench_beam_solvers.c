/* Time of one cell of the beam by collocation and by `modal`, in turn, over 400 positions on one
 * core, with all that a cell stores: medians in microseconds, and the median of the ratios. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "models/petsc.h"
#include "support/batch.h"

enum { CELLS = 400, RUNS = 3 };

static double seconds_of(const batch *b) {
    double start = measure_processor();
    batch_solve(b);
    return measure_processor() - start;
}

/* The least of several times of one cell. */
static double time_of(const batch *b, double position, int runs) {
    double least = INFINITY;
    batch_set(b, "position", position);
    for (int r = 0; r < runs; r++) {
        least = fmin(least, seconds_of(b));
    }
    return least;
}

static void report(double damping, double tolerance) {
    static double modal[CELLS], collocation[CELLS], ratio[CELLS];
    batch slow = batch_open("beam", "solver=modal", 1);
    batch fast = batch_open("beam", "solver=collocation", 1);
    batch_set(&slow, "internal_damping", damping);
    batch_set(&fast, "internal_damping", damping);
    batch_set(&fast, "tolerance", tolerance);
    time_of(&slow, 0.5, 1); /* modes and tables are shared by the cells */
    time_of(&fast, 0.5, 1);
    for (int i = 0; i < CELLS; i++) {
        double position = fmin(1, 0.2 + 0.8 * i / (CELLS - 1));
        modal[i] = time_of(&slow, position, 1);
        collocation[i] = time_of(&fast, position, RUNS);
        ratio[i] = modal[i] / collocation[i];
    }
    double times = measure_median(ratio, CELLS), whole = measure_median(modal, CELLS);
    double part = measure_median(collocation, CELLS);
    printf("internal_damping %g, tolerance %g: modal %.0f us, collocation %.1f us, %.1f times\n",
           damping, tolerance, 1e6 * whole, 1e6 * part, times);
    BATCH_CLOSE(&slow, &fast);
}

int main(void) {
    report(0, 1e-8);
    report(1e6, 1e-8);
    report(0, 1e-6);
    report(1e6, 1e-6);
    return imp_petsc_finish() != IMP_OK;
}
