#include "cmd/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/expression_impl.h"

int imp_expression_read(const char *text, const imp_selection *selection,
                        imp_expression **expression) {
    imp_expression *e = *expression = calloc(1, sizeof *e);
    double *stack = malloc(sizeof *stack * IMP_FORMULA_DEPTH * IMP_SELECTION_ROWS);
    if (!e || !stack) {
        free(stack);
        free(e);
        *expression = NULL;
        return imp_exit(imp_out_of_memory());
    }
    imp_table_open(selection, &e->table);
    e->stack = stack;
    int code =
        imp_formula_read(text, &imp_expression_names, e, IMP_TRUTH, &e->formula) ? 0 : e->code;
    if (code) {
        imp_expression_free(expression);
    }
    return code;
}

void imp_expression_free(imp_expression **expression) {
    if (*expression) {
        imp_table_close(&(*expression)->table);
        free((*expression)->stack);
        free(*expression);
    }
    *expression = NULL;
}

static double is_sequence(double value, const char *text) {
    char own[IMP_FORMULA_WORD];
    if (!(value >= 0 && value < 0x1p53)) {
        return NAN;
    }
    imp_sequence_text((uint64_t)value, sizeof own, own);
    return strcmp(own, text) == 0;
}

static double defined(double value, double none) {
    return value == none ? NAN : value;
}

/* Carries out a step for one row; `top` is the column on top of the stack. */
static double carry_out(const imp_expression *e, const imp_step *step, const double *top,
                        int64_t cell) {
    switch (step->kind) {
    case IMP_STEP_VALUE:
        return defined(imp_table_value(&e->table, step->part, cell, step->k), step->number);
    case IMP_STEP_SEQUENCE:
        return is_sequence(*top, step->word);
    default:
        return imp_step_result(step, top, IMP_SELECTION_ROWS);
    }
}

imp_err imp_expression_decide(imp_expression *e, int64_t first, int64_t n, double *truth) {
    imp_err error = imp_table_read(&e->table, first, n);
    double *top = e->stack - IMP_SELECTION_ROWS; /* empty */
    for (int s = 0; !error && s < e->formula.n; s++) {
        double *before = top,
               *to = top += imp_step_growth(e->formula.steps[s].kind) * IMP_SELECTION_ROWS;
        for (int64_t i = 0; i < n; i++) {
            to[i] = carry_out(e, &e->formula.steps[s], before + i, first + i);
        }
    }
    if (!error) {
        memcpy(truth, e->stack, (size_t)n * sizeof *truth);
    }
    return error;
}
