/* Every theory under every choice, on one core: time, cycles and reference steps per cell, with six
 * common outputs and with all. bench.py prints them as a table and compares revisions.
 *
 *   bench_every [TEXT]...    the rows that contain every TEXT: what was chosen, outputs,
 *                            ns, cycles, steps */
#include <stdio.h>
#include <string.h>

#include "bench/common_outputs.h"
#include "bench/cycles.h"
#include "bench/measure.h"
#include "models/petsc.h"
#include "support/batch.h"
#include "support/every.h"

enum { FEWEST_RUNS = 5, STEPS = 100000 };
static const double least_seconds = 0.02; /* of all runs of a row */

static char **texts;
static int n_texts;

typedef struct cost {
    double seconds, cycles; /* of all cells */
} cost;

/* The same number whatever a cell takes: single cells of some theories take a hundred times as
 * long as others, and revisions are compared by the same cells. */
static size_t cells_of(const imp_theory *theory) {
    enum { SLOW = 4, LONG = 64, QUICK = 1024 };
    return every_is_slow(theory) ? SLOW : every_is_long(theory) ? LONG : QUICK;
}

/* The least of some runs. */
static cost least_cost(const batch *b, double *const *out) {
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    cost least = {INFINITY, INFINITY};
    double spent = 0;
    batch_inputs(b, 0, in);
    for (int run = 0; run < FEWEST_RUNS || spent < least_seconds; run++) {
        double start = measure_processor();
        double from = cycles_now();
        imp_solve(b->solver, b->n, in, out, b->outcome);
        double seconds = measure_processor() - start;
        least.cycles = fmin(cycles_now() - from, least.cycles);
        least.seconds = fmin(seconds, least.seconds);
        spent += seconds;
    }
    return least;
}

static void report(const batch *b, const char *choices, bool every) {
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    for (int o = 0; o < b->theory->n_outputs; o++) {
        out[o] = every || is_common_output(b->theory->outputs[o].name) ? b->out[o] : NULL;
    }
    double step = measure_reference(STEPS) / STEPS;
    cost whole = least_cost(b, out);
    double cells = (double)b->n, seconds = whole.seconds / cells;
    printf("%s %s\t%s\t%.1f\t%.0f\t%.1f\n", b->theory->name, choices, every ? "every" : "common",
           1e9 * seconds, whole.cycles / cells, seconds / step);
    fflush(stdout);
}

static void fill(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        for (int p = 0; p < imp_input_count(b->solver); p++) {
            b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
        }
    }
}

static void measure(const imp_theory *theory, const char *choices) {
    char name[300];
    snprintf(name, sizeof name, "%s %s", theory->name, choices);
    for (int k = 0; k < n_texts; k++) {
        if (!strstr(name, texts[k])) {
            return;
        }
    }
    if (strcmp(theory->name, "null") == 0) {
        return;
    }
    batch b = batch_open(theory->name, choices, cells_of(theory));
    random_source source = {73};
    fill(&b, &source);
    report(&b, choices, false);
    report(&b, choices, true);
    batch_close(&b);
}

int main(int argc, char **argv) {
    texts = argv + 1;
    n_texts = argc - 1;
    cycles_now(); /* opens the counter */
    every_choice(measure);
    return imp_petsc_finish() != IMP_OK;
}
