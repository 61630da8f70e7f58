/* The words of a condition: the variables of the map, and the words of categories. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/cmd.h"
#include "cmd/expression_impl.h"

typedef imp_formula_reader reader;
typedef imp_operand operand;

/* ---- errors ---- */

static void fail(void *context, int column, const char *message) {
    imp_expression *e = context;
    imp_say(stderr, "expression:1:%d: error: %s\n", column, message);
    e->code = IMP_EXIT_INPUT;
}

static const char *nearest_hint(const char *word, const char *const *names, size_t n, char *hint,
                                size_t size) {
    const char *nearest = imp_nearest(word, names, n);
    hint[0] = 0;
    if (nearest) {
        snprintf(hint, size, " (did you mean '%s'?)", nearest);
    }
    return hint;
}

static void refuse_word(reader *r, const operand *word, const char *of, const char *const *names,
                        size_t n) {
    char hint[IMP_FORMULA_WORD];
    imp_text list = {0};
    for (size_t i = 0; i < n; i++) {
        imp_text_print(&list, "%s%s", i ? ", " : "", names[i]);
    }
    imp_formula_fail(r, word->at, "%s '%s'%s; allowed are: %s", of, word->word,
                     nearest_hint(word->word, names, n, hint, sizeof hint), imp_text_get(&list));
    imp_text_free(&list);
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

const imp_formula_names imp_expression_names = {
    .wanted = "a parameter, an output",
    .whole = "condition",
    .fail = fail,
    .resolve = resolve,
    .refuse = refuse_name,
    .push_is = push_is,
};
