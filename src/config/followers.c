#include "config/resolve_impl.h"

#include <string.h>

#include "config/follow.h"
#include "config/range.h"

enum { MOST_COMBINATIONS = 100000 };

/* Combinations of values of the axes that formulas read, the last axis fastest. */
typedef struct combinations {
    const imp_sweep *sweep;
    int axis[IMP_MAX_AXES];
    int64_t taken[IMP_MAX_AXES]; /* values of each axis, spread evenly from its first to its last */
    int64_t at[IMP_MAX_AXES];    /* indices on the axes */
    int n_axes;
    int64_t n;
    bool all; /* every combination is taken */
} combinations;

/* The result for one formula. */
typedef struct tally {
    int64_t outside;
    double value; /* the first one outside */
    int64_t at[IMP_MAX_AXES];
} tally;

/* ---- combinations ---- */

static bool reads(const imp_sweep *sweep, int axis) {
    for (int f = 0; f < sweep->n_followers; f++) {
        const imp_follower *of = &sweep->followers[f];
        for (int k = 0; !of->searched && k < of->n_inputs; k++) {
            int found, column;
            if (imp_grid_find(&sweep->grid, of->input[k], &found, &column) && found == axis) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the power of a whole number is at most `most`. */
static bool is_power_within(int64_t number, int power, int64_t most) {
    for (; power > 0; power--) {
        most /= number;
    }
    return most > 0;
}

/* The greatest whole number whose power is at most `most`, which is at least 1. */
static int64_t root_of(int64_t most, int power) {
    int64_t low = 1, high = most + 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(is_power_within(middle, power, most) ? &low : &high) = middle;
    }
    return low;
}

static combinations combinations_of(const imp_sweep *sweep) {
    combinations c = {.sweep = sweep, .n = 1, .all = true};
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        if (reads(sweep, a)) {
            c.axis[c.n_axes++] = a;
        }
    }
    int64_t left = MOST_COMBINATIONS;
    for (int k = 0; k < c.n_axes; k++) {
        int64_t size = sweep->grid.axes[c.axis[k]].size;
        int64_t share = root_of(left, c.n_axes - k);
        c.taken[k] = size < share ? size : share;
        c.all = c.all && c.taken[k] == size;
        left /= c.taken[k];
        c.n *= c.taken[k];
    }
    return c;
}

static void go_to(combinations *c, int64_t number) {
    for (int k = c->n_axes - 1; k >= 0; k--) {
        int64_t size = c->sweep->grid.axes[c->axis[k]].size;
        int64_t step = number % c->taken[k];
        c->at[k] = c->taken[k] > 1 ? step * (size - 1) / (c->taken[k] - 1) : 0;
        number /= c->taken[k];
    }
}

/* ---- values ---- */

/* Where an input of a formula comes from: an earlier formula, an axis of the combinations, or a
 * number. */
typedef struct source {
    int earlier, axis;    /* -1: not from there */
    const double *values; /* of the axis */
    double value;
} source;

/* The formulas that are computed in every cell, outside searches. */
typedef struct formulas {
    const imp_follower *followers;
    source input[IMP_MAX_PARAMETERS][IMP_FOLLOW_INPUTS];
    int n;
} formulas;

static source source_of(const combinations *c, const char *name, int formula) {
    const imp_sweep *sweep = c->sweep;
    int axis, column;
    for (int f = 0; f < formula; f++) {
        if (strcmp(sweep->followers[f].parameter->name, name) == 0) {
            return (source){.earlier = f, .axis = -1};
        }
    }
    if (!imp_grid_find(&sweep->grid, name, &axis, &column)) {
        double value = sweep->fixed[imp_sweep_find_fixed(sweep, name)].value;
        return (source){.earlier = -1, .axis = -1, .value = value};
    }
    int k = 0;
    while (c->axis[k] != axis) {
        k++;
    }
    return (source){
        .earlier = -1, .axis = k, .values = sweep->grid.axes[axis].columns[column].values};
}

static void find_formulas(const combinations *c, formulas *of) {
    of->followers = c->sweep->followers;
    of->n = 0;
    while (of->n < c->sweep->n_followers && !of->followers[of->n].searched) {
        for (int k = 0; k < of->followers[of->n].n_inputs; k++) {
            of->input[of->n][k] = source_of(c, of->followers[of->n].input[k], of->n);
        }
        of->n++;
    }
}

/* The value of a formula at the place of the combinations. */
static double value_of(const combinations *c, const formulas *of, int formula) {
    double result[IMP_MAX_PARAMETERS];
    for (int f = 0; f <= formula; f++) {
        double value[IMP_FOLLOW_INPUTS];
        for (int k = 0; k < of->followers[f].n_inputs; k++) {
            const source *from = &of->input[f][k];
            value[k] = from->earlier >= 0 ? result[from->earlier]
                       : from->axis >= 0  ? from->values[c->at[from->axis]]
                                          : from->value;
        }
        result[f] = imp_formula_value(&of->followers[f].formula, value);
    }
    return result[formula];
}

/* Counts the combinations at which no variant of the scope admits the value of a formula. */
static tally count(const imp_scope *in, combinations *c, const formulas *of, int formula) {
    tally t = {.outside = 0};
    for (int64_t i = 0; i < c->n; i++) {
        go_to(c, i);
        double value = value_of(c, of, formula);
        if (!imp_scope_admits(in, value) && t.outside++ == 0) {
            t.value = value;
            memcpy(t.at, c->at, sizeof c->at);
        }
    }
    return t;
}

/* ---- messages ---- */

/* "q1 = 0.1 rad (5.7 deg), m1 = 2 kg". */
static void print_place(const imp_draft *draft, const combinations *c, const tally *t,
                        imp_text *text) {
    for (int k = 0; k < c->n_axes; k++) {
        const imp_axis *axis = &c->sweep->grid.axes[c->axis[k]];
        for (int j = 0; j < axis->n_columns; j++) {
            const imp_column *column = &axis->columns[j];
            int p = imp_draft_find(draft, column->name).parameter;
            if (p >= 0) {
                imp_text_print(text, "%s%s = ", text->length ? ", " : "", column->name);
                imp_print_value(text, draft->parameter[p], column->values[t->at[k]]);
                break;
            }
        }
    }
}

/* "in every cell", "in 12 of 400 cells" or, where the number is not known, "in 3 % of the
 * cells". */
static void print_share(const combinations *c, const tally *t, imp_text *text) {
    int64_t cells = imp_grid_cells(&c->sweep->grid);
    if (t->outside == c->n) {
        imp_text_print(text, "in every cell");
    } else if (c->all && c->sweep->refine.lattice.n_axes == 0) {
        imp_text_print(text, "in %lld of %lld cells", (long long)(cells / c->n * t->outside),
                       (long long)cells);
    } else {
        imp_text_print(text, "in about %.2g %% of the cells",
                       100 * (double)t->outside / (double)c->n);
    }
}

/* Tells of a formula of parameter p of the draft, on which the scope is. */
static void tell(imp_draft *draft, const imp_scope *in, const combinations *c, const tally *t,
                 int p) {
    const imp_parameter *parameter = draft->parameter[p];
    imp_text range = {0}, share = {0}, value = {0}, place = {0};
    imp_print_ranges(&range, in->variants, in->n_variants);
    print_share(c, t, &share);
    imp_print_value(&value, parameter, t->value);
    print_place(draft, c, t, &place);
    bool every = t->outside == c->n;
    (every ? imp_report_error : imp_report_warning)(
        draft->report, imp_follow_place(draft, p),
        "the formula of '%s' leaves its range %s %s%s; the first is %s at %s", parameter->name,
        imp_text_get(&range), imp_text_get(&share), every ? "" : ", which will be 'outside'",
        imp_text_get(&value), imp_text_get(&place));
    imp_text_free(&range);
    imp_text_free(&share);
    imp_text_free(&value);
    imp_text_free(&place);
}

void imp_followers_check(imp_draft *draft, imp_scope *in) {
    combinations c = combinations_of(&draft->sweep);
    formulas of;
    if (c.n_axes == 0) {
        return; /* no formula is computed in every cell, or the values come later */
    }
    find_formulas(&c, &of);
    for (int f = 0; f < of.n; f++) {
        int p = imp_draft_find(draft, of.followers[f].parameter->name).parameter;
        imp_scope_choose(draft, in, p);
        tally t = count(in, &c, &of, f);
        if (t.outside > 0) {
            tell(draft, in, &c, &t, p);
        }
    }
}
