/* Random cells of every theory under every choice, and their digests: of the bits of every outcome and of
 * every output, cell by cell. All builds of the kernels give the same lines, or one of them rounds otherwise.
 *
 *   bits CELLS            a line for each choice and each number of cells up to CELLS that has a column in
 *                         the table digests.txt: what was chosen, the number, the digest
 *   bits CELLS outputs    a line for each output instead: which one differs */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "models/petsc.h"
#include "models/signature.h"
#include "num/exponential.h"
#include "num/sample.h"
#include "num/trigonometry.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"

enum { BLOCK = 200, SLOW_CELLS = 8, BUDGET = 20000 };

static const long columns[] = {600, 10000, 1000000};

static long cells;
static bool by_output;

/* As FNV-1a, by words instead of bytes. */
static void add_bits(uint64_t *digest, uint64_t bits) {
    *digest = (*digest ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    *digest ^= *digest >> 29;
}

static void add(uint64_t *digest, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_bits(digest, bits);
}

static void fill(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        for (int p = 0; p < imp_input_count(b->solver); p++) {
            b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
        }
    }
}

/* Of one output, in all cells of a block. */
static void add_output(const batch *b, int output, uint64_t *digest) {
    for (size_t i = 0; i < b->n * batch_length(b, output); i++) {
        add(digest, b->out[output][i]);
    }
}

static void add_cell(const batch *b, size_t i, uint64_t *digest) {
    add_bits(digest, b->outcome[i]);
    for (int o = 0; o < b->theory->n_outputs; o++) {
        size_t length = batch_length(b, o);
        for (size_t k = 0; k < length; k++) {
            add(digest, b->out[o][i * length + k]);
        }
    }
}

static bool is_column(long n) {
    bool found = false;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        found |= n == columns[c];
    }
    return found;
}

static void print_bits(const imp_theory *theory, const char *choices) {
    if (strstr(choices, "fault=") && !strstr(choices, "fault=none")) {
        return; /* of the theory null: cells that fail on purpose */
    }
    long most = theory->needs_petsc ? SLOW_CELLS : cells;
    batch b = batch_open(theory->name, choices, theory->needs_petsc ? SLOW_CELLS : BLOCK);
    random_source source = {71};
    uint64_t digest = 0, output[IMP_MAX_OUTPUTS] = {0};
    imp_set_budget(b.solver, BUDGET);
    for (long n = 0; n < most;) {
        fill(&b, &source);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            add_cell(&b, i, &digest);
        }
        for (int o = 0; by_output && o < theory->n_outputs; o++) {
            add_output(&b, o, &output[o]);
        }
        n += (long)b.n;
        if (!by_output && (is_column(n) || n == most)) {
            printf("%s %s%ld %016" PRIx64 "\n", theory->name, choices, n, digest);
        }
    }
    for (int o = 0; by_output && o < theory->n_outputs; o++) {
        printf("%s %s%s %016" PRIx64 "\n", theory->name, choices, theory->outputs[o].name,
               output[o]);
    }
    batch_close(&b);
}

/* What places the points of axes, and what the theories count with. */
static void print_functions(void) {
    random_source source = {72};
    uint64_t digest = 0;
    for (long n = 1; n <= cells; n++) {
        double x = random_between(&source, 0, 3), y = random_between(&source, -700, 700);
        double part = random_between(&source, 0, 1);
        imp_hyperbola hyperbola = imp_cosine_sine_hyperbolic(y / 100);
        imp_sincos near = imp_sine_cosine(y), far = imp_sine_cosine(y * imp_exp(fabs(y)));
        const double values[] = {
            imp_exp(y),
            imp_log(x),
            imp_log1p(x),
            imp_atanh(part),
            imp_power(x, y),
            imp_two_thirds(x),
            imp_two_fifths(x),
            hyperbola.cosine,
            hyperbola.sine,
            near.sine,
            near.cosine,
            far.sine,
            far.cosine,
            imp_half_turn(x, y),
            imp_normal_quantile(part),
            imp_spaced_value(x + 1e-3, 40, part, true),
            imp_spaced_value(x, 40, part, false),
        };
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            add(&digest, values[k]);
        }
        if (is_column(n)) {
            printf("functions %ld %016" PRIx64 "\n", n, digest);
        }
    }
}

int main(int argc, char **argv) {
    cells = argc > 1 ? atol(argv[1]) : columns[0];
    by_output = argc > 2;
    if (!by_output) {
        print_functions();
    }
    every_choice(print_bits);
    return imp_petsc_finish() == IMP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
