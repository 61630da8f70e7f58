/* The stack of a call of the library: as impact.h promises, 128 KiB of a thread are enough for
 * every theory. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/values.h"

enum { SLOW_CELLS = 60, PROMISED = 128 * 1024, WHOLE = 2048 * 1024, PAINT = 0xa5 };

static unsigned char *stack;

static void see_row(imp_recorder *recorder, const double *row, int phase, int event) {
    (void)recorder, (void)row, (void)phase, (void)event;
}

/* What a thread does: all cells in a batch, and the histories of the first, whose parameters take
 * turns at corners. */
static void *solve_and_trace(void *cells) {
    enum { HISTORIES = 20, ROWS = 5 };
    const batch *b = cells;
    batch_solve(b);
    for (size_t i = 0; b->theory->trace && i < HISTORIES; i++) {
        imp_recorder recorder = {.samples = ROWS, .record = see_row};
        batch_trace(b, i, &recorder);
    }
    return NULL;
}

/* The bytes of the stack that a thread has written; it grows downward. */
static size_t used(void) {
    size_t untouched = 0;
    while (untouched < WHOLE && stack[untouched] == PAINT) {
        untouched++;
    }
    return WHOLE - untouched;
}

static void check_stack(const imp_theory *theory, const char *choices) {
    if (every_needs_petsc(theory, choices)) {
        return; /* not in the library */
    }
    batch b = batch_open(theory->name, choices, every_is_slow(theory) ? SLOW_CELLS : VALUES_CELLS);
    random_source source = {36};
    values_ordinary(&b, &source);
    imp_set_budget(b.solver, VALUES_BUDGET);
    memset(stack, PAINT, WHOLE);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    bool started = !pthread_attr_setstack(&attributes, stack, WHOLE) &&
                   !pthread_create(&thread, &attributes, solve_and_trace, &b);
    CHECK(started && !pthread_join(thread, NULL), "no thread for %s", choices);
    CHECK(used() <= PROMISED, "%s %s: %zu bytes of stack", theory->name, choices, used());
    pthread_attr_destroy(&attributes);
    batch_close(&b);
}

static void a_thread_of_little_stack(void) {
    stack = aligned_alloc(4096, WHOLE);
    CHECK(stack != NULL, "no memory");
    if (stack) {
        every_choice(check_stack);
    }
    free(stack);
}

SUITE("stack", a_thread_of_little_stack)
