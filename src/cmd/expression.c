#include "cmd/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/cmd.h"
#include "num/formula_impl.h"

/* A condition as a formula whose names are columns of a table. */
struct imp_expression {
    imp_table table; /* of the variables that the text names */
    /* In a step with a value `part` is that of the table, k the index among the values of an
     * output, and `number` the code that means undefined, NaN if there is none. */
    imp_formula formula;
    double *stack; /* IMP_FORMULA_DEPTH columns of IMP_SELECTION_ROWS */
    int code;      /* exit code of the reader */
};

typedef imp_formula_reader reader;
typedef imp_operand operand;

/* ---- errors ---- */

static void fail(void *context, int column, const char *message) {
    imp_expression *e = context;
    imp_say(stderr, "expression:1:%d: error: %s\n", column, message);
    e->code = IMP_EXIT_INPUT;
}

static void refuse_word(reader *r, const operand *word, const char *of, const char *const *names,
                        size_t n) {
    imp_text allowed = {0};
    imp_print_allowed(&allowed, word->word, "; allowed are: ", names, n);
    imp_formula_fail(r, word->at, "%s '%s'%s", of, word->word, imp_text_get(&allowed));
    imp_text_free(&allowed);
}

/* ---- variables ---- */

static imp_table *table_of(const reader *r) {
    return &((imp_expression *)r->context)->table;
}

static bool has_values(const imp_variable *v) {
    return v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN || v->role == IMP_IS_FIXED ||
           v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME;
}

/* The variable with this name, and the index of the value: name_3 is the third value along its
 * dimension. */
static const imp_variable *find(const reader *r, const char *name, int64_t *k) {
    const imp_catalog *catalog = table_of(r)->catalog;
    const imp_variable *v = imp_catalog_find(catalog, name);
    const char *last = strrchr(name, '_');
    *k = 0;
    if (!v && last && imp_read_count(last + 1, k) == NULL) {
        char stem[IMP_NAME];
        snprintf(stem, sizeof stem, "%.*s", (int)(last - name), name);
        v = imp_catalog_find(catalog, stem);
        bool numbered = v && v->role == IMP_IS_OUTPUT && v->rank > table_of(r)->grid->rank &&
                        *k >= 1 && *k <= imp_catalog_length(catalog, v);
        v = numbered ? v : NULL;
        *k = numbered ? *k - 1 : 0;
    }
    return v && has_values(v) ? v : NULL;
}

static void refuse_name(reader *r, const operand *word) {
    const imp_catalog *catalog = table_of(r)->catalog;
    const char *names[IMP_TABLE_COLUMNS];
    size_t n = 0;
    for (const imp_variable *v = NULL;
         (v = imp_catalog_next(catalog, v)) != NULL && n < IMP_TABLE_COLUMNS;) {
        if (has_values(v)) {
            names[n++] = v->name;
        }
    }
    refuse_word(r, word, "unknown parameter or output", names, n);
}

/* The part of the table with this variable; a new variable is added. */
static int part_of(reader *r, const imp_variable *v) {
    imp_table *t = table_of(r);
    int p = 0;
    while (p < t->n && t->parts[p].variable != v) {
        p++;
    }
    imp_err error = p == t->n ? imp_table_add(t, v) : IMP_OK;
    if (error) {
        ((imp_expression *)r->context)->code = imp_exit(error);
        r->broken = r->failed = true;
    }
    return p;
}

static void push_variable(reader *r, const imp_variable *v, int64_t k, operand *read) {
    int64_t length = v->role == IMP_IS_OUTPUT ? imp_catalog_length(table_of(r)->catalog, v) : 1;
    if (length > 1 && strcmp(v->name, read->word) == 0) {
        imp_formula_fail(r, read->at, "'%s' has %lld values in each cell: write %s_1 to %s_%lld",
                         v->name, (long long)length, v->name, v->name, (long long)length);
    }
    double none = NAN;
    for (int f = 0; f < v->n_flags; f++) {
        none = strcmp(v->flags[f], "none") == 0 ? v->codes[f] : none;
    }
    imp_formula_push(
        r, (imp_step){.kind = IMP_STEP_VALUE, .part = part_of(r, v), .k = k, .number = none});
    read->kind = v->kind == IMP_CATEGORY   ? IMP_CODE
                 : v->kind == IMP_SEQUENCE ? IMP_PHASES
                                           : IMP_NUMBER;
    read->variable = v;
}

static void resolve(reader *r, operand *read) {
    int64_t k;
    const imp_variable *v = find(r, read->word, &k);
    if (v && v->formula[0] && v->role == IMP_IS_FIXED) {
        imp_formula_expand(r, v->formula); /* its value may differ from cell to cell */
        read->kind = IMP_NUMBER;
    } else if (v) {
        push_variable(r, v, k, read);
    }
}

static void push_is(reader *r, const operand *of, const operand *word) {
    const imp_variable *v = of->variable; /* resolve set it */
    if (of->kind == IMP_PHASES) {
        imp_step step = {.kind = IMP_STEP_SEQUENCE};
        snprintf(step.word, sizeof step.word, "%s", word->word);
        imp_formula_push(r, step);
        return;
    }
    const char *names[IMP_MAX_FLAGS];
    int code = v->n_flags;
    for (int f = 0; f < v->n_flags; f++) {
        names[f] = v->flags[f];
        code = strcmp(v->flags[f], word->word) == 0 ? f : code;
    }
    if (code == v->n_flags) {
        char of_variable[2 * IMP_NAME];
        snprintf(of_variable, sizeof of_variable, "unknown %s", v->name);
        refuse_word(r, word, of_variable, names, (size_t)v->n_flags);
        return;
    }
    if (strcmp(word->word, "none") == 0) {
        imp_formula_push(r, (imp_step){.kind = IMP_STEP_DEFINED});
        imp_formula_push(r, (imp_step){.kind = IMP_STEP_NOT});
        return;
    }
    imp_formula_push(r, (imp_step){.kind = IMP_STEP_NUMBER, .number = v->codes[code]});
    imp_formula_push(r, (imp_step){.kind = IMP_STEP_EQUAL});
}

/* The variables of the map, and the words of categories. */
static const imp_formula_names names = {
    .wanted = "a parameter, an output",
    .whole = "condition",
    .fail = fail,
    .resolve = resolve,
    .refuse = refuse_name,
    .push_is = push_is,
};

/* ---- the condition ---- */

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
    int code = imp_formula_read(text, &names, e, IMP_TRUTH, &e->formula) ? 0 : e->code;
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
