/* What rows of findings have in common: their room, labels of classes, places on the lattice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/describe.h"
#include "num/alike.h"
#include "store/findings_impl.h"

double *imp_findings_row(imp_findings *f, int number) {
    imp_findings_table *table = &f->tables[number];
    if (!f->failed && (!table->values || table->n == table->room)) {
        size_t room = table->room ? table->room + table->room / 2 : 64;
        double *more = realloc(table->values, room * (size_t)table->n_columns * sizeof *more);
        f->failed = !more;
        table->values = more ? more : table->values;
        table->room = more ? room : table->room;
    }
    if (f->failed) {
        return f->spare;
    }
    double *row = table->values + table->n++ * (size_t)table->n_columns;
    memset(row, 0, (size_t)table->n_columns * sizeof *row);
    return row;
}

double *imp_adder_row(const imp_adder *a, int table) {
    double *row = imp_findings_row(a->f, table);
    if (a->several) {
        *row++ = (double)a->cell;
    }
    return row;
}

/* ---- labels ---- */

static void print_value(const imp_sweep *sweep, const imp_rule *rule, double value,
                        imp_text *text) {
    const imp_output *output = &sweep->theory->outputs[rule->output];
    int n = 0;
    const imp_mode *categories =
        output->kind == IMP_CATEGORY ? imp_output_categories(sweep->theory, output, &n) : NULL;
    char sequence[256];
    if (isnan(value)) {
        imp_text_print(text, "no_%s", output->name);
    } else if (rule->kind == IMP_RULE_LEVEL) {
        imp_text_print(text, "%s%s%.9g", output->name, value > 0 ? ">=" : "<", rule->number);
    } else if (output->kind == IMP_SEQUENCE) {
        imp_sequence_text((uint64_t)value, sizeof sequence, sequence);
        for (char *at = sequence; *at; at++) {
            *at = *at == ' ' ? '_' : *at;
        }
        imp_text_print(text, "%s", sequence);
    } else {
        const char *name = n > 0 ? imp_code_name(categories, n, (int)value) : NULL;
        if (name) {
            imp_text_print(text, "%s", name);
        } else if (n > 0) {
            imp_text_print(text, "none");
        } else {
            imp_text_print(text, "%s=%.17g", output->name, value);
        }
    }
}

static void print_name(const imp_sweep *sweep, const imp_refine_class *c, imp_text *text) {
    const char *separator = "";
    if (c->outcome != IMP_SOLVED) {
        imp_text_print(text, "%s", imp_outcome_name(c->outcome));
    }
    for (int r = 0; c->outcome == IMP_SOLVED && r < sweep->refine.n_rules; r++) {
        if (imp_rule_labels(&sweep->refine.rules[r])) {
            imp_text_print(text, "%s", separator);
            print_value(sweep, &sweep->refine.rules[r], c->value[r], text);
            separator = ",";
        }
    }
    imp_text_print(text, c->outcome == IMP_SOLVED && !*separator ? "solved\n" : "\n");
}

/* The number of the label of a class, the same in all refinements. */
static uint32_t label_of(imp_findings *f, const imp_refine_class *c) {
    imp_findings_table *t = &f->tables[IMP_TABLE_LABELS];
    double row[IMP_MAX_RULES + 1];
    int n = 0;
    row[n++] = c->outcome;
    for (int r = 0; r < f->sweep->refine.n_rules; r++) {
        if (imp_rule_labels(&f->sweep->refine.rules[r])) {
            row[n++] = c->outcome == IMP_SOLVED ? c->value[r] : NAN;
        }
    }
    for (size_t i = 0; i < t->n; i++) {
        bool equal = true;
        for (int k = 0; k < n; k++) {
            equal = equal && imp_is_same(t->values[i * (size_t)n + (size_t)k], row[k]);
        }
        if (equal) {
            return (uint32_t)i;
        }
    }
    memcpy(imp_findings_row(f, IMP_TABLE_LABELS), row, (size_t)n * sizeof *row);
    print_name(f->sweep, c, &f->label_names);
    f->failed = f->failed || f->label_names.failed;
    return (uint32_t)t->n - 1;
}

bool imp_adder_labels(imp_adder *a) {
    uint32_t n = imp_refine_classes(a->refinement);
    a->labels = malloc(((size_t)n + 1) * sizeof *a->labels);
    a->f->failed = a->f->failed || !a->labels;
    for (uint32_t i = 0; !a->f->failed && i < n; i++) {
        a->labels[i] = label_of(a->f, imp_refine_class_at(a->refinement, i));
    }
    return !a->f->failed;
}

void imp_adder_place(const imp_adder *a, const imp_region *region, double *row) {
    const imp_lattice *lattice = &a->f->sweep->refine.lattice;
    int shift = imp_lattice_bits(lattice->n_axes) - a->f->level;
    int64_t side = (INT64_C(1) << a->f->level) + 1, rest = region->inside;
    for (int k = lattice->n_axes - 1; k >= 0; k--) {
        const int64_t at[3] = {rest % side, region->low[k], region->high[k]};
        for (int e = 0; e < 3; e++) {
            row[3 * k + e] = imp_lattice_value(lattice, k, (double)(at[e] << shift));
        }
        rest /= side;
    }
}
