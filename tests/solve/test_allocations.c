/* Every allocation of libimpact fails once: for each theory, law and body each public call that
 * allocates ends with IMP_ERR_MEMORY and a message, keeps no memory, and does its work when it is
 * called again. Build with -fsanitize=address,undefined to see more. `test_allocations figures`
 * prints how many allocations failed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impact.h"
#include "support/every.h"
#include "support/suite.h"

/* ---- allocations that fail ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);

static long calls, failing; /* since the call began; the one that fails, 0: none */
static long living;         /* allocations that were not freed */
static long failed;         /* in all */

static bool fails(void) {
    calls++;
    failed += calls == failing;
    return calls == failing;
}

void *__wrap_malloc(size_t size) {
    void *memory = fails() ? NULL : __real_malloc(size);
    living += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t n, size_t size) {
    void *memory = fails() ? NULL : __real_calloc(n, size);
    living += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *memory, size_t size) {
    void *moved = fails() ? NULL : __real_realloc(memory, size);
    living += !memory && moved;
    return moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    void *memory = fails() ? NULL : __real_aligned_alloc(alignment, size);
    living += memory != NULL;
    return memory;
}

char *__wrap_strdup(const char *text) {
    char *copy = fails() ? NULL : __real_strdup(text);
    living += copy != NULL;
    return copy;
}

void __wrap_free(void *memory) {
    living -= memory != NULL;
    __real_free(memory);
}

/* ---- calls ---- */

enum { CELLS = 3, LONGEST = 64, WORDS = IMP_MAX_CHOICES + IMP_MAX_PARAMETERS };

/* Arguments and results of the calls for one theory with its choices. */
typedef struct trial {
    const imp_theory *theory;
    const char *choices;
    imp_solver *solver;
    size_t n_words;
    char text[512];
    const char *words[WORDS];
    double value[IMP_MAX_PARAMETERS], cells[IMP_MAX_PARAMETERS][CELLS];
    const double *in[IMP_MAX_PARAMETERS];
    double out[IMP_MAX_OUTPUTS][CELLS * LONGEST];
    uint8_t outcome[CELLS];
    imp_recorder recorder; /* its rows go into `hash` */
    double hash;
} trial;

typedef imp_err public_call(trial *t);

static imp_err open(trial *t) {
    return imp_open(t->theory->name, t->choices, &t->solver);
}

static imp_err open_words(trial *t) {
    double value[IMP_MAX_PARAMETERS];
    return imp_open_words(t->theory->name, t->n_words, t->words, &t->solver, value);
}

static imp_err solve(trial *t) {
    double *out[IMP_MAX_OUTPUTS];
    for (int o = 0; o < t->theory->n_outputs; o++) {
        out[o] = t->out[o];
    }
    return imp_solve(t->solver, CELLS, t->in, out, t->outcome);
}

static void add_row(imp_recorder *recorder, const double *row, int phase, int event) {
    trial *t = (trial *)(void *)((char *)recorder - offsetof(trial, recorder));
    t->hash = 0.5 * t->hash + row[0] + phase + 10 * event;
}

static imp_err trace(trial *t) {
    imp_outcome outcome;
    t->hash = 0;
    t->recorder = (imp_recorder){.samples = 20, .record = add_row};
    return imp_trace(t->solver, t->value, &t->recorder, &outcome);
}

/* ---- trials ---- */

/* Calls with the n-th allocation failing, n = 1, 2, ... until none is left to fail. */
static void fail_each(trial *t, public_call *call, const char *name) {
    static trial right, found;
    bool opens = call == open || call == open_words;
    long before = living;
    CHECK(call(t) == IMP_OK, "%s %s: %s: %s", t->theory->name, t->choices, name, imp_last_error());
    right = *t;
    imp_close(opens ? &t->solver : &(imp_solver *){NULL});
    for (long n = 1;; n++) {
        calls = 0;
        failing = n;
        imp_err error = call(t);
        bool reached = calls >= n;
        failing = 0;
        if (!reached) {
            imp_close(opens ? &t->solver : &(imp_solver *){NULL});
            break;
        }
        CHECK(error == IMP_ERR_MEMORY && imp_last_error()[0] && !(opens && t->solver),
              "%s %s: %s, allocation %ld: code %d", t->theory->name, t->choices, name, n,
              (int)error);
        if (!opens) {
            CHECK(call(t) == IMP_OK, "%s %s: %s after allocation %ld: %s", t->theory->name,
                  t->choices, name, n, imp_last_error());
            found = *t;
            CHECK(memcmp(found.out, right.out, sizeof found.out) == 0 && found.hash == right.hash,
                  "%s %s: %s after allocation %ld: other results", t->theory->name, t->choices,
                  name, n);
        }
    }
    /* A solver may keep its workspace between two calls. */
    CHECK(!opens || living == before, "%s %s: %s keeps %ld allocations", t->theory->name,
          t->choices, name, living - before);
}

/* Words as on a command line: the choices, and every parameter announced. */
static void split_words(trial *t) {
    snprintf(t->text, sizeof t->text, "%s", t->choices);
    t->n_words = 0;
    for (char *word = strtok(t->text, " "); word; word = strtok(NULL, " ")) {
        t->words[t->n_words++] = word;
    }
}

static void fill_inputs(trial *t) {
    for (int p = 0; p < imp_input_count(t->solver); p++) {
        const imp_parameter *parameter = imp_input_at(t->solver, p);
        bool given = !parameter->stands_for;
        t->value[p] = given ? parameter->example : (double)NAN;
        for (int i = 0; i < CELLS; i++) {
            t->cells[p][i] = parameter->example;
        }
        t->in[p] = given ? t->cells[p] : NULL;
        if (given) {
            t->words[t->n_words++] = parameter->name;
        }
    }
}

static void every_call(const imp_theory *theory, const char *choices) {
    static trial t;
    long before = living;
    if (every_needs_petsc(theory, choices)) {
        return; /* the library is without them */
    }
    memset(&t, 0, sizeof t);
    t.theory = theory;
    t.choices = choices;
    fail_each(&t, open, "imp_open");
    imp_err error = open(&t);
    CHECK(!error, "%s", imp_last_error());
    if (!error) {
        split_words(&t);
        fill_inputs(&t);
        fail_each(&t, solve, "imp_solve");
        if (theory->trace) {
            fail_each(&t, trace, "imp_trace");
        }
        imp_close(&t.solver);
        fail_each(&t, open_words, "imp_open_words");
    }
    CHECK(living == before, "%s %s: %ld allocations are left", theory->name, choices,
          living - before);
}

static void each_allocation_fails_once(void) {
    every_choice(every_call);
}

/* Errors of input take memory for their texts. */
static void wrong_words(void) {
    static const char *const words[] = {"bdy=sphere", "angle=1 parsec", "friction=-1",
                                        "friction=x"};
    double value[IMP_MAX_PARAMETERS];
    long before = living;
    for (long n = 1, reached = n; reached >= n; n++) {
        imp_solver *solver = NULL;
        calls = 0;
        failing = n;
        imp_err error = imp_open_words("compliant", 4, words, &solver, value);
        reached = calls;
        failing = 0;
        CHECK(error == IMP_ERR_INPUT || error == IMP_ERR_MEMORY, "allocation %ld: code %d", n,
              (int)error);
        CHECK(imp_last_error()[0] && !solver && living == before, "allocation %ld: %ld are left", n,
              living - before);
    }
}

static void other_calls_need_no_memory(void) {
    imp_solver *solver;
    char text[256];
    CHECK(imp_open("compliant", "body=pendulum", &solver) == IMP_OK, "%s", imp_last_error());
    calls = 0;
    imp_set_budget(solver, 1000);
    imp_sequence_text(6, sizeof text, text);
    bool known = imp_version() && imp_theory_find("rigid") && imp_outcome_name(1) &&
                 imp_outcome_meaning(1) && imp_mode_name(imp_theory_at(0), 0) &&
                 imp_solver_theory(solver) && imp_input(solver, "angle") >= 0 &&
                 imp_output_index(solver, "mode") >= 0;
    CHECK(known && calls == 0, "%ld allocations", calls);
    imp_close(&solver);
    imp_close(&solver);
}

int main(int argc, char **argv) {
    int status = SUITE_RUN("allocations", each_allocation_fails_once, wrong_words,
                           other_calls_need_no_memory);
    if (argc == 2 && strcmp(argv[1], "figures") == 0) {
        printf("%ld allocations failed once\n", failed);
    }
    return status;
}
