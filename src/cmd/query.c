/* impactsweep query FILE "mode == wedge and energy_loss > 0.5" [-o F.csv] */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/expression.h"
#include "cmd/value.h"
#include "cmd/writers.h"

typedef struct request {
    const char *output; /* NULL: a summary on the standard output */
    bool force, degrees;
    imp_overrides slices;
    const char *fields;
} request;

static const imp_switch switches[] = {
    IMP_SWITCH_OUTPUT("write a table of the cells found; default: print their number and the "
                      "ranges of their values"),
    IMP_SWITCH("slice", "AXIS=VALUE",
               "only the cells at the point of the axis that is nearest to VALUE; may be repeated",
               imp_take_override, slices),
    IMP_SWITCH("fields", "NAME,...", "only these outputs and the outcome", imp_take_text, fields),
    IMP_FLAG("degrees", degrees, "angles of the table in degrees"),
    IMP_FLAG("force", force, "replace FILE even if query did not write it"),
};

/* A condition, the cells for which it is evaluated, and their numbers by result. */
typedef struct imp_query {
    imp_expression *expression;
    imp_table table; /* of the cells found */
    double *truth;   /* of the rows at hand */
    int64_t found, undefined, pending, asked;
    FILE *to;              /* for the table; NULL: a summary */
    struct values *values; /* of the cells found, one for each part of the table; NULL: a table */
} imp_query;

static imp_err decide(void *query, int64_t first, int64_t n) {
    imp_query *q = query;
    imp_err error = q->to ? imp_wrote("table", q->to) : IMP_OK;
    error = error ? error : imp_table_read(&q->table, first, n);
    return error ? error : imp_expression_decide(q->expression, first, n, q->truth);
}

/* ---- the summary ---- */

enum { KINDS = 64 };

/* The values of one variable in the cells found: the range of real numbers, the count of each code
 * or sequence. */
typedef struct values {
    double least, greatest;
    int64_t undefined, others;
    double code[KINDS];
    int64_t count[KINDS];
    int n;
} values;

static bool is_counted(const imp_variable *v) {
    return v->kind == IMP_CATEGORY || v->kind == IMP_SEQUENCE;
}

static void count_code(values *of, double code) {
    int i = 0;
    while (i < of->n && of->code[i] != code) {
        i++;
    }
    if (i == of->n && of->n < KINDS) {
        of->code[of->n++] = code;
    }
    *(i < KINDS ? &of->count[i] : &of->others) += 1;
}

/* Adds a cell to the values. */
static void note(imp_query *q, int64_t cell) {
    values *all = q->values;
    for (int p = 0; p < q->table.n; p++) {
        const imp_table_part *part = &q->table.parts[p];
        for (int64_t k = part->first; k < part->first + part->taken; k++) {
            double value = imp_table_value(&q->table, p, cell, k);
            if (is_counted(part->variable)) {
                count_code(&all[p], value);
            } else if (isnan(value)) {
                all[p].undefined++;
            } else {
                all[p].least = fmin(all[p].least, value);
                all[p].greatest = fmax(all[p].greatest, value);
            }
        }
    }
}

static void print_kinds(const imp_variable *v, const values *of) {
    for (int i = 0; i < of->n; i++) {
        char name[256];
        if (!imp_code_text(v, of->code[i], sizeof name, name)) {
            snprintf(name, sizeof name, "?");
        }
        printf("%s%s %s", i ? ", " : "", name, imp_count(of->count[i]).text);
    }
    if (of->others) {
        printf(", others %" PRId64, of->others);
    }
}

static void print_ends(const imp_variable *v, const values *of) {
    if (of->least > of->greatest) {
        printf("undefined in all of these cells");
        return;
    }
    printf("%s to %s%s%s", imp_shown_value(v, of->least, 8).text,
           imp_shown_value(v, of->greatest, 8).text, of->undefined ? "; undefined in " : "",
           of->undefined ? imp_count(of->undefined).text : "");
}

static void print_summary(const imp_query *q, const values *all) {
    printf("%s of %s %s the condition (%.3g %%)\n", imp_count(q->found).text,
           imp_things(q->asked, "cell", "cells").text, q->found == 1 ? "satisfies" : "satisfy",
           q->asked ? 100 * (double)q->found / (double)q->asked : 0);
    if (q->undefined) {
        printf("%s in which the condition is undefined\n",
               imp_things(q->undefined, "cell", "cells").text);
    }
    if (q->pending) {
        printf("%s not solved yet\n", imp_things(q->pending, "cell", "cells").text);
    }
    for (int p = 0; q->found && p < q->table.n; p++) {
        const imp_variable *v = q->table.parts[p].variable;
        printf("  %-24s ", v->name);
        (is_counted(v) ? print_kinds : print_ends)(v, &all[p]);
        putchar('\n');
    }
}

/* ---- the command ---- */

static void judge(void *query, int64_t cell) {
    imp_query *q = query;
    int outcome = q->table.n - 1; /* the last part */
    double truth = q->truth[cell - q->table.first];
    bool pending = imp_table_value(&q->table, outcome, cell, 0) == IMP_PENDING;
    q->asked++;
    q->pending += pending;
    q->undefined += !pending && isnan(truth);
    if (pending || truth != 1) {
        return;
    }
    q->found++;
    if (q->to) {
        imp_table_print_row(&q->table, cell, q->to);
    } else {
        note(q, cell);
    }
}

imp_err imp_query_print(const void *query, FILE *to) {
    imp_query q = *(const imp_query *)query;
    q.to = to;
    imp_table_print_heads(&q.table, to);
    return imp_selection_walk(q.table.selection, decide, judge, &q);
}

static imp_err summarise(imp_query *q) {
    values *all = q->values = calloc((size_t)q->table.n, sizeof *all);
    imp_err error = all ? IMP_OK : imp_out_of_memory();
    for (int p = 0; !error && p < q->table.n; p++) {
        all[p].least = INFINITY;
        all[p].greatest = -INFINITY;
    }
    error = error ? error : imp_selection_walk(q->table.selection, decide, judge, q);
    if (!error) {
        print_summary(q, all);
    }
    free(all);
    return error;
}

static int answer(const imp_catalog *catalog, const char *condition, const request *r,
                  const imp_target *target) {
    imp_selection selection;
    imp_query q = {.truth = malloc(IMP_SELECTION_ROWS * sizeof *q.truth)};
    int code = q.truth ? imp_selection_read("query", catalog, &r->slices, r->fields, r->degrees,
                                            &selection)
                       : imp_exit(imp_out_of_memory());
    code = code ? code : imp_expression_read(condition, &selection, &q.expression);
    if (code == IMP_EXIT_OK) {
        imp_table_open(&selection, &q.table);
        imp_err error = imp_table_add_selected(&q.table);
        error = error ? error : r->output ? imp_target_write(target, &q) : summarise(&q);
        code = imp_exit(error);
    }
    imp_table_close(&q.table);
    imp_expression_free(&q.expression);
    free(q.truth);
    return code;
}

static int query(int argc, char **argv) {
    request r = {.output = NULL};
    imp_target target = {.path = NULL};
    imp_catalog *catalog = NULL;
    int n;
    int code = imp_read_switches(&imp_command_query, argc, argv, &r, &n);
    code = code ? code : imp_refuse_own("query", argv[1], r.output, "is the map itself");
    if (code == IMP_EXIT_OK && r.output) {
        code = imp_target_choose(IMP_FOUND_CELLS, NULL, r.output, r.force, &target);
    }
    code = code ? code : imp_exit(imp_catalog_open(argv[1], &catalog));
    code = code ? code : imp_exit(imp_selection_check_grid(catalog));
    code = code ? code : answer(catalog, argv[2], &r, &target);
    imp_catalog_close(&catalog);
    return code;
}

const imp_command imp_command_query = {
    .name = "query",
    .words = "FILE CONDITION [-o F.csv] [options]",
    .summary = "find the cells of a map that satisfy a condition; print their number and ranges, "
               "or write them as a table",
    .details =
        "CONDITION compares parameters and outputs of the map with ==, !=, <, <=, > and >=, and "
        "categories also with in (NAME, ...). It may contain numbers, numbers with deg, names "
        "of modes and options, + - * /, abs(), sqrt(), defined(), parentheses, and, or, not. "
        "A comparison with an undefined value is neither true nor false.",
    .example = "query map.h5 \"mode == wedge and angle > 30 deg\"\n"
               "query map.h5 \"mode in (gross_slip, wedge) or not energy_loss < 0.5\" -o found.csv",
    IMP_SWITCHES,
    .fewest = 2,
    .most = 2,
    .needed = "the map or the condition is missing",
    .reads_map = true,
    .run = query,
};
