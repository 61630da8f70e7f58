/* Random cells of every theory under every choice; one line for each output, with a hash of the bits of all its
 * values. If two builds of the kernels print different lines, one of them rounds in another way. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/petsc.h"
#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"

enum { CELLS = 600, SLOW_CELLS = 8, BUDGET = 20000 };

static double draw(const imp_parameter *parameter, random_source *source) {
    double value = parameter->example * random_between(source, -2, 3);
    bool fixed = parameter->whole || strcmp(parameter->unit, "s") == 0;
    return !fixed && imp_parameter_admits(parameter, value) ? value : parameter->example;
}

static void fill(const batch *b, random_source *source) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        for (size_t i = 0; i < b->n; i++) {
            b->in[p][i] = draw(imp_input_at(b->solver, p), source);
        }
    }
}

/* FNV-1a; all NaN have the same hash. */
static uint64_t hash(const double *values, size_t n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 1;
        if (!isnan(values[i])) {
            memcpy(&bits, &values[i], sizeof bits);
        }
        for (int k = 0; k < 8; k++) {
            h = (h ^ (bits >> 8 * k & 255)) * UINT64_C(0x100000001b3);
        }
    }
    return h;
}

static void print_bits(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, theory->needs_petsc ? SLOW_CELLS : CELLS);
    random_source source = {71};
    fill(&b, &source);
    imp_set_budget(b.solver, BUDGET);
    batch_solve(&b);
    int solved = 0;
    for (size_t i = 0; i < b.n; i++) {
        solved += b.outcome[i] == IMP_SOLVED;
    }
    printf("%s %ssolved %d\n", theory->name, choices, solved);
    for (int o = 0; o < theory->n_outputs; o++) {
        printf("%s %s%s %016" PRIx64 "\n", theory->name, choices, theory->outputs[o].name,
               hash(b.out[o], b.n * batch_length(&b, o)));
    }
    batch_close(&b);
}

int main(void) {
    every_choice(print_bits);
    return imp_petsc_finish() == IMP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
