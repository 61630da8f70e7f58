/* Random cells of every theory under every choice, and their digests: of the bits of every outcome
 * and of every output, cell by cell. All builds of the kernels give the same lines, or one of them
 * rounds otherwise. Lines of their own have histories, searches along the friction, inputs that may
 * stand beside another, and cases, in the first column only. There the beam has fewer cells. Drops
 * to rest have no last column, and beyond the first one a small budget, which most of them keep.
 *
 *   bits CELLS            a line for each choice and each number of cells up to CELLS that has a
 *                         column in the table digests.txt: what was chosen, the number, the digest
 *   bits CELLS outputs    a line for each output instead: which one differs
 *   bits CELLS lines TEXT only lines of choices that contain TEXT, such as law=dashpot */
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
#include "num/lanes/trigonometry.h"
#include "solve/cases/cases.h"
#include "solve/search/search.h"
#include "solve/solver.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"

enum { BLOCK = 200, SLOW_CELLS = 100, PETSC_CELLS = 8, BUDGET = 20000, SHORT_BUDGET = 500 };
enum { HISTORIES = 12, SEARCHES = 3, SAMPLES = 16, STAND_INS = 200 };

static const long columns[] = {600, 10000, 1000000};

static long cells;
static bool by_output;
static const char *wanted; /* NULL: all */

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
            if (!imp_input_at(b->solver, p)->beside) { /* these have lines of their own */
                b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
            }
        }
    }
}

/* Of one output, in all cells of a block. */
static void add_output(const batch *b, int output, uint64_t *digest) {
    for (size_t i = 0; i < b->n * batch_length(b, output); i++) {
        add(digest, b->out[output][i]);
    }
}

/* Outputs that a theory got after its digests, and that only some of its choices have. Where
 * they do not exist they do not count; other outputs that do not exist count as undefined numbers.
 * */
static bool counts(const batch *b, int output) {
    static const char *const later[] = {"normal_loss", "tangential_loss", "friction_loss",
                                        "trapped_energy"};
    bool is_later = false;
    for (size_t k = 0; k < sizeof later / sizeof *later; k++) {
        is_later |= strcmp(b->theory->outputs[output].name, later[k]) == 0;
    }
    return !is_later || imp_signature_has_output(imp_solver_signature(b->solver), output);
}

static void add_cell(const batch *b, size_t i, uint64_t *digest) {
    add_bits(digest, b->outcome[i]);
    for (int o = 0; o < b->theory->n_outputs; o++) {
        size_t length = counts(b, o) ? batch_length(b, o) : 0;
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

/* The first member is the recorder, by which imp_trace knows it. */
typedef struct tape {
    imp_recorder recorder;
    int n_columns;
    uint64_t digest;
} tape;

static void record(imp_recorder *recorder, const double *row, int phase, int event) {
    tape *t = (tape *)recorder;
    for (int c = 0; c < t->n_columns; c++) {
        add(&t->digest, row[c]);
    }
    add_bits(&t->digest, (uint64_t)phase);
    add_bits(&t->digest, (uint64_t)event);
}

static void add_histories(const batch *b, tape *t) {
    for (size_t i = 0; i < b->n; i++) {
        double value[IMP_MAX_PARAMETERS];
        batch_values(b, i, value);
        imp_outcome outcome = IMP_SOLVED;
        add_bits(&t->digest, imp_trace(b->solver, value, &t->recorder, &outcome));
        add_bits(&t->digest, outcome);
    }
}

static void print_histories(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, HISTORIES);
    random_source source = {73};
    tape t = {{SAMPLES, record}, theory->history->n_columns, 0};
    imp_set_budget(b.solver, BUDGET);
    fill(&b, &source);
    add_histories(&b, &t);
    printf("histories of %s %s%ld %016" PRIx64 "\n", theory->name, choices, columns[0], t.digest);
    batch_close(&b);
}

/* Between which values of the friction the mode enters or leaves the first half of the modes. */
static imp_search *search_of(const imp_solver *solver) {
    const imp_theory *theory = imp_solver_theory(solver);
    const imp_parameter *friction = imp_input_at(solver, imp_input(solver, "friction"));
    imp_search_plan plan = {.theory = theory,
                            .kind = &imp_search_boundary,
                            .over = {{friction, 0.01, 3, SAMPLES, false}},
                            .n_over = 1,
                            .of = imp_theory_output(theory, "mode"),
                            .tolerance = 1e-12,
                            .max_roots = 4};
    for (int m = 0; m < theory->n_modes / 2; m++) {
        plan.inside |= UINT64_C(1) << theory->modes[m].code;
    }
    return imp_search_make(&plan);
}

static void print_searches(const imp_theory *theory, const char *choices) {
    imp_solver *solver, *searching;
    imp_open(theory->name, choices, &solver);
    imp_search *search = search_of(solver);
    imp_signature signature =
        imp_signature_of(imp_search_theory(search), imp_solver_signature(solver)->chosen);
    imp_solver_open(&signature, &searching);
    batch b = batch_of(searching, SEARCHES);
    random_source source = {74};
    uint64_t digest = 0;
    fill(&b, &source);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        add_cell(&b, i, &digest);
    }
    printf("searches of %s %s%ld %016" PRIx64 "\n", theory->name, choices, columns[0], digest);
    batch_close(&b);
    imp_search_free(&search);
    imp_close(&solver);
}

/* An input that may stand beside another: beside it, and alone. */
static void print_stand_in(const imp_theory *theory, const char *choices, const char *name) {
    batch b = batch_open(theory->name, choices, STAND_INS);
    random_source source = {76};
    uint64_t digest = 0;
    int input = imp_input(b.solver, name);
    imp_set_budget(b.solver, BUDGET);
    fill(&b, &source);
    for (size_t i = 0; i < b.n; i++) {
        b.in[input][i] = batch_draw(imp_input_at(b.solver, input), &source);
    }
    batch_give(&b, name);
    for (int alone = 0; alone < 2; alone++) {
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            add_cell(&b, i, &digest);
        }
        batch_stand_in(&b, name);
    }
    printf("%s of %s %s%ld %016" PRIx64 "\n", name, theory->name, choices, columns[0], digest);
    batch_close(&b);
}

static void print_stand_ins(const imp_theory *theory, const char *choices) {
    imp_solver *solver;
    imp_open(theory->name, choices, &solver);
    for (int p = 0; p < imp_input_count(solver); p++) {
        const imp_parameter *input = imp_input_at(solver, p);
        if (input->beside) {
            print_stand_in(theory, choices, input->name);
        }
    }
    imp_close(&solver);
}

static bool has_friction(const char *theory, const char *choices) {
    imp_solver *solver;
    bool has = imp_open(theory, choices, &solver) == IMP_OK && imp_input(solver, "friction") >= 0;
    imp_close(&solver);
    return has;
}

/* The lines in the first column only. */
static void print_others(const imp_theory *theory, const char *choices) {
    if (theory->history) {
        print_histories(theory, choices);
    }
    if (has_friction(theory->name, choices)) {
        print_searches(theory, choices);
    }
    print_stand_ins(theory, choices);
}

static bool is_wanted(const imp_theory *theory, const char *choices) {
    char line[300];
    snprintf(line, sizeof line, "%s %s", theory->name, choices);
    bool fails_on_purpose = strstr(line, "fault=") && !strstr(line, "fault=none");
    return !fails_on_purpose && (!wanted || strstr(line, wanted));
}

static void print_bits(const imp_theory *theory, const char *choices) {
    if (!is_wanted(theory, choices)) {
        return;
    }
    bool petsc = every_needs_petsc(theory, choices), slow = every_is_slow(theory);
    if (!petsc && !by_output) {
        print_others(theory, choices);
    }
    long most = petsc ? PETSC_CELLS : slow ? SLOW_CELLS : cells;
    bool is_long = every_is_long(theory);
    most = is_long && most > columns[1] ? columns[1] : most;
    batch b = batch_open(theory->name, choices, most < BLOCK ? (size_t)most : BLOCK);
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
            printf("%s %s%ld %016" PRIx64 "\n", theory->name, choices,
                   slow && !petsc ? columns[0] : n, digest);
            imp_set_budget(b.solver, is_long ? SHORT_BUDGET : BUDGET);
        }
    }
    for (int o = 0; by_output && o < theory->n_outputs; o++) {
        printf("%s %s%s %016" PRIx64 "\n", theory->name, choices, theory->outputs[o].name,
               output[o]);
    }
    batch_close(&b);
}

/* ---- cases ---- */

/* Several theories as one, in the plane and in space: all cells of each case. */
static const struct united {
    const char *name, *choices[4][2];
} united[] = {
    {"rod",
     {{"compliant", "body=rod law=hertz"},
      {"rigid", "body=rod law=energetic"},
      {"continuum", "body=rod"},
      {"viscoelastic", "body=rod"}}},
    {"pendulum", {{"compliant", "body=pendulum"}, {"rigid", "body=pendulum law=newton"}}},
    {"rod3d", {{"swerve", "body=rod3d law=poisson"}, {"compliant3d", "body=rod3d"}}},
};

/* The first parameter of the second case is fixed, at its example. */
static imp_cases *cases_of(const struct united *u, int *n) {
    imp_case list[4] = {{.name = ""}};
    for (*n = 0; *n < 4 && u->choices[*n][0]; ++*n) {
        imp_case *one = &list[*n];
        imp_solver *solver;
        imp_open(u->choices[*n][0], u->choices[*n][1], &solver);
        snprintf(one->name, sizeof one->name, "%s", u->choices[*n][0]);
        one->signature = *imp_solver_signature(solver);
        one->fixed[0] = *n == 1;
        one->value[0] = one->signature.parameter[0]->example;
        imp_close(&solver);
    }
    return imp_cases_make(list, *n, NULL, 0);
}

static void print_cases(const struct united *u) {
    int n;
    uint64_t digest = 0;
    imp_cases *cases = cases_of(u, &n);
    for (int c = 0; c < n; c++) {
        imp_signature signature = imp_signature_of(imp_cases_theory(cases), &c);
        random_source source = {75};
        imp_solver *solver;
        imp_solver_open(&signature, &solver);
        batch b = batch_of(solver, (size_t)columns[0]);
        imp_set_budget(b.solver, BUDGET);
        fill(&b, &source);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            add_cell(&b, i, &digest);
        }
        batch_close(&b);
    }
    printf("cases of %s %ld %016" PRIx64 "\n", u->name, columns[0], digest);
    imp_cases_free(&cases);
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
            imp_lanes_half_turn(x, y),
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
    wanted = argc > 3 ? argv[3] : NULL;
    by_output = argc > 2 && !wanted;
    bool whole = !by_output && !wanted;
    if (whole) {
        print_functions();
    }
    for (size_t u = 0; whole && u < sizeof united / sizeof *united; u++) {
        print_cases(&united[u]);
    }
    every_choice(print_bits);
    return imp_petsc_finish() == IMP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
