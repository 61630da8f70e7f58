/* The time of the slowest cells of every theory, one at a time with its default budget: values at
 * the ends of their ranges and the largest and smallest doubles, all outputs. A row for each
 * choice: cells, the slowest, its outcome.
 *
 *   bench_wild [SECONDS]    for each choice, 2 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "support/every.h"
#include "support/values.h"

static double seconds = 2;

static void measure_choice(const imp_theory *theory, const char *choices) {
    batch cells = batch_open(theory->name, choices, VALUES_CELLS);
    batch one = batch_open(theory->name, choices, 1);
    random_source source = {71};
    const double *in[IMP_MAX_PARAMETERS];
    double slowest = 0, begin = measure_processor();
    size_t n = 0;
    char text[700] = "";
    while (measure_processor() - begin < seconds) {
        size_t i = n++ % cells.n;
        if (i == 0) {
            values_corners(&cells, &source);
        }
        batch_inputs(&cells, i, in);
        double start = measure_processor();
        imp_solve(one.solver, 1, in, one.out, one.outcome);
        double took = measure_processor() - start;
        if (took > slowest) {
            slowest = took;
            cells.outcome[i] = one.outcome[0];
            snprintf(text, sizeof text, "%s", batch_text(&cells, i));
        }
    }
    printf("%7.1f ms of %8zu cells  %s %s  %s\n", 1e3 * slowest, n, theory->name, choices, text);
    BATCH_CLOSE(&cells, &one);
}

int main(int argc, char **argv) {
    seconds = argc > 1 ? strtod(argv[1], NULL) : seconds;
    every_choice(measure_choice);
    return 0;
}
