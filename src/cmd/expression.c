#include "cmd/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/expression_impl.h"

void imp_expression_free(imp_expression **expression) {
    if (*expression) {
        imp_table_close(&(*expression)->table);
        free((*expression)->stack);
        free(*expression);
    }
    *expression = NULL;
}

static double is_sequence(double value, const char *text) {
    char own[IMP_MAX_WORD];
    if (!(value >= 0 && value < 0x1p53)) {
        return NAN;
    }
    imp_sequence_text((uint64_t)value, sizeof own, own);
    return strcmp(own, text) == 0;
}

static double of_one(imp_step_kind kind, double a) {
    switch (kind) {
    case IMP_STEP_NEGATE:
        return -a;
    case IMP_STEP_NOT:
        return 1 - a;
    case IMP_STEP_ABS:
        return fabs(a);
    case IMP_STEP_SQRT:
        return sqrt(a);
    default:
        return !isnan(a);
    }
}

/* Kleene's logic: "false and undefined" is false, "true or undefined" is true. */
static double both(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static double compare(imp_step_kind kind, double a, double b) {
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    switch (kind) {
    case IMP_STEP_EQUAL:
        return a == b;
    case IMP_STEP_UNEQUAL:
        return a != b;
    case IMP_STEP_LESS:
        return a < b;
    case IMP_STEP_AT_MOST:
        return a <= b;
    case IMP_STEP_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

static double of_two(imp_step_kind kind, double a, double b) {
    switch (kind) {
    case IMP_STEP_ADD:
        return a + b;
    case IMP_STEP_SUBTRACT:
        return a - b;
    case IMP_STEP_MULTIPLY:
        return a * b;
    case IMP_STEP_DIVIDE:
        return a / b;
    case IMP_STEP_AND:
        return both(a, b);
    case IMP_STEP_OR:
        return 1 - both(1 - a, 1 - b);
    default:
        return compare(kind, a, b);
    }
}

static double defined(double value, double none) {
    return value == none ? NAN : value;
}

/* Carries out a step for one row; `top` is the column on top of the stack. */
static double carry_out(const imp_expression *e, const imp_step *step, const double *top,
                        int64_t cell) {
    switch (step->kind) {
    case IMP_STEP_NUMBER:
        return step->number;
    case IMP_STEP_VALUE:
        return defined(imp_table_value(&e->table, step->part, cell, step->k), step->number);
    case IMP_STEP_SEQUENCE:
        return is_sequence(*top, step->word);
    default:
        return step->kind < IMP_STEP_ADD ? of_one(step->kind, *top)
                                         : of_two(step->kind, top[-IMP_SELECTION_ROWS], *top);
    }
}

/* The number of columns by which a step moves the top of the stack. */
static int growth(imp_step_kind kind) {
    return kind <= IMP_STEP_VALUE ? 1 : kind < IMP_STEP_ADD ? 0 : -1;
}

imp_err imp_expression_decide(imp_expression *e, int64_t first, int64_t n, double *truth) {
    imp_err error = imp_table_read(&e->table, first, n);
    double *top = e->stack - IMP_SELECTION_ROWS; /* empty */
    for (int s = 0; !error && s < e->n; s++) {
        double *before = top, *to = top += growth(e->steps[s].kind) * IMP_SELECTION_ROWS;
        for (int64_t i = 0; i < n; i++) {
            to[i] = carry_out(e, &e->steps[s], before + i, first + i);
        }
    }
    if (!error) {
        memcpy(truth, e->stack, (size_t)n * sizeof *truth);
    }
    return error;
}
