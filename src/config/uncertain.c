#include "config/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/axis_impl.h"
#include "config/distribution.h"
#include "config/range.h"
#include "config/units.h"

enum {
    SAMPLE,
    POINTS,
    REPLICATES,
    SEED,
    DRAWS,
    PARAMS,
    OF,
    QUANTILES,
    SENSITIVITY,
    CORRELATION,
    GIVE,
    N_KEYS
};
enum { PARAM, TABLE, RELATIVE, ABOUT, TRUNCATE, SPREAD, N_FIELDS = SPREAD + IMP_SPREAD_FIELDS };
enum { MATRIX_PARAMS, MATRIX, N_MATRIX };

enum { DEFAULT_POINTS = 1024, DEFAULT_REPLICATES = 8, MOST_POINTS = 24, MOST_CELLS = 1 << 20 };

static const double default_quantiles[] = {0.05, 0.5, 0.95};

typedef struct reader {
    imp_document *document;
    imp_report *report;
    const imp_loader *loader;
    const yaml_node_t *node;
    imp_draft *draft; /* of the theory, for names and numbers; nothing else of it is used */
    imp_uncertain_places *places;
    imp_uncertain_plan plan;
    imp_field field[N_KEYS];
    bool by_replicate;
    int64_t n_values; /* of the tables */
} reader;

static bool read_truth(const reader *r, const imp_field *field) {
    static const char *const words[] = {"true", "false"};
    return imp_field_choice(r->document, field, field->name, words, 2) == 0;
}

/* ---- one parameter ---- */

/* The next uncertain parameter of the plan; NULL, and an error, if there are too many. */
static imp_uncertain_parameter *next(reader *r, imp_place place) {
    if (r->plan.n_parameters == IMP_MAX_UNCERTAIN) {
        imp_report_error(r->report, place,
                         "one uncertain parameter too many, at most %d are allowed",
                         IMP_MAX_UNCERTAIN);
        return NULL;
    }
    r->places->parameter[r->plan.n_parameters] = place;
    return &r->plan.parameter[r->plan.n_parameters++];
}

/* The parameter of a name; -1, and an error, if there is none, or if it is uncertain already. */
static int find(const reader *r, imp_place place, const char *name) {
    imp_named named = imp_draft_find(r->draft, name);
    if (named.choice >= 0) {
        imp_report_error(r->report, place, "'%s' is a choice, only parameters are uncertain", name);
        return -1;
    }
    if (named.parameter < 0) {
        imp_draft_unknown(r->draft, place, name, true, false);
        return -1;
    }
    for (int k = 0; k < r->plan.n_parameters; k++) {
        const imp_parameter *other = r->plan.parameter[k].parameter;
        if (imp_parameters_exclude(other, r->draft->parameter[named.parameter])) {
            imp_report_error(r->report, place, "'%s' is uncertain already%s%s%s", name,
                             strcmp(other->name, name) == 0 ? "" : ", by '",
                             strcmp(other->name, name) == 0 ? "" : other->name,
                             strcmp(other->name, name) == 0 ? "" : "'");
            return -1;
        }
    }
    return named.parameter;
}

static bool check_words(const reader *r, const imp_field *field, const yaml_node_t *node) {
    const char *where = "of an uncertain parameter";
    bool named = imp_fields_needed(r->document, node, where, &field[PARAM], 1);
    return (imp_uncertain_gives(&r->plan) ||
            imp_fields_needed(r->document, node, where, &field[SPREAD], 1)) &&
           named;
}

/* `about: cell` and `relative: true`. */
static void read_scatter(const reader *r, imp_field *field, const imp_parameter *parameter,
                         imp_uncertain_parameter *to) {
    static const char *const words[] = {"cell"};
    bool about = imp_field_choice(r->document, &field[ABOUT], "about", words, 1) == 0;
    bool relative = read_truth(r, &field[RELATIVE]);
    to->scatter = !about ? IMP_REPLACES : relative ? IMP_RELATIVE : IMP_ADDED;
    if (relative && !field[ABOUT].given) {
        imp_document_error(r->document, field[RELATIVE].key,
                           "'relative' needs 'about: cell', the value that scatters");
    } else if (about && parameter && imp_parameter_is_replaced(parameter)) {
        imp_document_error(
            r->document, field[ABOUT].key,
            "'%s' stands for '%s'; only '%s' can scatter about the value of the cell",
            parameter->name, parameter->stands_for, parameter->stands_for);
    } else if (about && parameter && parameter->whole) {
        imp_document_error(r->document, field[ABOUT].key,
                           "'%s' takes whole numbers only, which cannot scatter", parameter->name);
    }
}

static void read_drawn(reader *r, const yaml_node_t *node, imp_field *field) {
    const yaml_node_t *named = field[PARAM].value;
    const char *name = imp_field_text(r->document, &field[PARAM]);
    bool complete = check_words(r, field, node);
    int parameter = name ? find(r, imp_document_place(r->document, named), name) : -1;
    imp_uncertain_parameter one = {.truncate = read_truth(r, &field[TRUNCATE])};
    const imp_parameter *of = parameter < 0 ? NULL : r->draft->parameter[parameter];
    read_scatter(r, field, of, &one);
    if (imp_uncertain_gives(&r->plan) && field[SPREAD].key) {
        imp_document_error(r->document, field[SPREAD].key,
                           "'give' needs a range, 'from' and 'to', and no distribution");
        complete = false;
    }
    imp_distribution_reader reads = {.document = r->document,
                                     .draft = r->draft,
                                     .node = node,
                                     .field = &field[SPREAD],
                                     .parameter = parameter,
                                     .plain = one.scatter == IMP_RELATIVE,
                                     .range = imp_uncertain_gives(&r->plan)};
    bool good = imp_distribution_read(&reads, &one.distribution);
    imp_uncertain_parameter *to =
        of && complete && good ? next(r, imp_document_place(r->document, named)) : NULL;
    if (to) {
        one.parameter = of;
        one.dimension = r->plan.n_dimensions++;
        *to = one;
    }
}

/* ---- tables ---- */

/* Takes the columns that were read into the next axis of the draft. */
static void take_columns(reader *r) {
    const imp_axis *axis = imp_draft_next_axis(r->draft);
    size_t rows = (size_t)axis->size, had = (size_t)r->n_values;
    size_t more = rows * (size_t)axis->n_columns;
    double *values = realloc(r->plan.values, (had + more + 1) * sizeof *values);
    r->plan.values = values ? values : r->plan.values;
    imp_mark *marks = realloc(r->places->marks, (had + more + 1) * sizeof *marks);
    r->places->marks = marks ? marks : r->places->marks;
    if (!values || !marks) {
        imp_report_memory(r->report);
        return;
    }
    for (int c = 0; c < axis->n_columns; c++) {
        imp_named of = imp_draft_find(r->draft, axis->columns[c].name);
        imp_slot *slot = imp_draft_slot(r->draft, of);
        imp_place named = slot->key;
        slot->use = IMP_UNUSED; /* another table may name it, which is an error of its own */
        int parameter = find(r, named, axis->columns[c].name);
        imp_uncertain_parameter *to = parameter < 0 ? NULL : next(r, named);
        if (to) {
            memcpy(values + r->n_values, axis->columns[c].values, rows * sizeof *values);
            memcpy(marks + r->n_values, imp_draft_next_origins(r->draft)[c].marks,
                   rows * sizeof *marks);
            *to = (imp_uncertain_parameter){.parameter = r->draft->parameter[parameter],
                                            .dimension = r->plan.n_dimensions,
                                            .joint = values, /* becomes an address at the end */
                                            .rows = axis->size};
            r->places->offset[r->plan.n_parameters - 1] = r->n_values;
            r->n_values += axis->size;
        }
    }
    r->plan.n_dimensions++;
}

static void read_table(reader *r, imp_field *field) {
    for (int f = 0; f < N_FIELDS; f++) {
        if (f != TABLE && field[f].key) {
            imp_document_error(r->document, field[f].key,
                               "'%s' does not go with a table, which has joint draws",
                               field[f].name);
        }
    }
    if (imp_uncertain_gives(&r->plan)) {
        imp_document_error(r->document, field[TABLE].key,
                           "a table does not go with 'give', which needs ranges");
        return;
    }
    size_t before = r->report->total;
    imp_axis_reader axis = {.document = r->document,
                            .loader = r->loader,
                            .draft = r->draft,
                            .axis = imp_draft_next_axis(r->draft)};
    axis.field[IMP_AXIS_TABLE] = field[TABLE];
    bool read = field[TABLE].value && imp_axis_table.read(&axis);
    if (read && r->report->total == before) {
        take_columns(r);
    }
    imp_draft_end_axis(r->draft, false);
}

static void read_parameter(reader *r, const yaml_node_t *node) {
    static const char *const names[SPREAD] = {"param", "table", "relative", "about", "truncate"};
    imp_field field[N_FIELDS];
    if (!imp_document_is(r->document, node, YAML_MAPPING_NODE, "an uncertain parameter")) {
        return;
    }
    imp_fields_named(field, names, SPREAD);
    imp_distribution_fields(&field[SPREAD]);
    imp_document_fields(r->document, node, "an uncertain parameter", field, N_FIELDS);
    if (field[TABLE].given) {
        read_table(r, field);
    } else {
        read_drawn(r, node, field);
    }
}

static void read_parameters(reader *r) {
    const yaml_node_t *list = r->field[PARAMS].value;
    int n = imp_document_some(r->document, list, "'params'", "list at least one");
    for (int i = 0; i < n; i++) {
        read_parameter(r, imp_document_item(r->document, list, i));
    }
    for (int k = 0; k < r->plan.n_parameters; k++) {
        imp_uncertain_parameter *p = &r->plan.parameter[k];
        p->joint = p->joint ? r->plan.values + r->places->offset[k] : NULL;
    }
}

/* ---- correlation ---- */

typedef struct matrix {
    double value[IMP_MAX_UNCERTAIN][IMP_MAX_UNCERTAIN];
    int row[IMP_MAX_UNCERTAIN]; /* the uncertain parameter of each row */
    int n;
} matrix;

static bool read_correlated(reader *r, const yaml_node_t *node, matrix *m) {
    const char *name = imp_document_text(r->document, node, "params");
    int k = name ? imp_uncertain_find(&r->plan, name) : -1;
    const imp_uncertain_parameter *p = k < 0 ? NULL : &r->plan.parameter[k];
    const char *wrong = k < 0      ? "is not among the uncertain parameters"
                        : p->joint ? "comes from a table"
                        : p->distribution.kind != IMP_NORMAL ? "is not normal"
                        : isfinite(p->distribution.low) || isfinite(p->distribution.high)
                            ? "is cut off by 'from' or 'to'"
                            : NULL;
    for (int j = 0; k >= 0 && j < m->n; j++) {
        wrong = m->row[j] == k ? "is listed twice" : wrong;
    }
    if (name && wrong) {
        imp_document_error(r->document, node,
                           "'%s' %s; a correlation needs normal parameters that are not cut off",
                           imp_show(name).text, wrong);
    }
    m->row[m->n] = k;
    m->n++;
    return name && !wrong;
}

static bool read_row(reader *r, const yaml_node_t *node, matrix *m, int i) {
    int n = imp_document_some(r->document, node, "a row of 'matrix'", "list at least one");
    if (n > 0 && n != m->n) {
        imp_document_error(r->document, node, "a row of 'matrix' has %d numbers, 'params' has %d",
                           n, m->n);
    }
    bool good = n > 0 && n == m->n;
    for (int j = 0; good && j < m->n; j++) {
        m->value[i][j] = imp_document_quantity(r->document, imp_document_item(r->document, node, j),
                                               "matrix", "1");
        good = !isnan(m->value[i][j]);
    }
    return good;
}

/* The lower triangle whose product with its transpose is the matrix; false if there is none. */
static bool factorise(matrix *m) {
    for (int j = 0; j < m->n; j++) {
        for (int i = j; i < m->n; i++) {
            double sum = m->value[i][j];
            for (int k = 0; k < j; k++) {
                sum -= m->value[i][k] * m->value[j][k];
            }
            if (i == j && !(sum > 1e-12)) {
                return false;
            }
            m->value[i][j] = i == j ? sqrt(sum) : sum / m->value[j][j];
        }
    }
    return true;
}

static const char *fault_of(const matrix *m) {
    for (int i = 0; i < m->n; i++) {
        for (int j = 0; j < m->n; j++) {
            double value = m->value[i][j];
            if (i == j && value != 1) {
                return "has a number other than 1 on its diagonal";
            }
            if (value != m->value[j][i]) {
                return "is not symmetric";
            }
        }
    }
    return NULL;
}

/* Rows in the order of the parameters of the plan, so that a number depends on those before it. */
static void sort_rows(matrix *m) {
    matrix sorted = {.n = m->n};
    int order[IMP_MAX_UNCERTAIN], n = 0;
    for (int k = 0; k < IMP_MAX_UNCERTAIN; k++) {
        for (int i = 0; i < m->n; i++) {
            if (m->row[i] == k) {
                order[n++] = i;
            }
        }
    }
    for (int i = 0; i < m->n; i++) {
        sorted.row[i] = m->row[order[i]];
        for (int j = 0; j < m->n; j++) {
            sorted.value[i][j] = m->value[order[i]][order[j]];
        }
    }
    *m = sorted;
}

static void take_matrix(reader *r, const yaml_node_t *node, matrix *m) {
    const char *fault = fault_of(m);
    sort_rows(m);
    if (!fault && !factorise(m)) {
        fault = "is not positive definite";
    }
    if (fault) {
        imp_document_error(r->document, node, "the matrix of the correlation %s", fault);
        return;
    }
    for (int i = 0; i < m->n; i++) {
        r->plan.parameter[m->row[i]].correlated = true;
        for (int j = 0; j <= i; j++) {
            r->plan.factor[m->row[i]][m->row[j]] = m->value[i][j];
        }
    }
}

static void read_correlation(reader *r) {
    const yaml_node_t *node = r->field[CORRELATION].value;
    imp_field field[N_MATRIX] = {{.name = "params"}, {.name = "matrix"}};
    matrix m = {.n = 0};
    if (!node || !imp_document_is(r->document, node, YAML_MAPPING_NODE, "'correlation'")) {
        return;
    }
    imp_document_fields(r->document, node, "'correlation'", field, N_MATRIX);
    imp_fields_needed(r->document, node, "in 'correlation'", field, N_MATRIX);
    const yaml_node_t *params = field[MATRIX_PARAMS].value, *list = field[MATRIX].value;
    int n = imp_document_some(r->document, params, "'params'", "list at least one"),
        rows = imp_document_some(r->document, list, "'matrix'", "list at least one");
    bool good = n > 0 && rows > 0;
    for (int i = 0; i < n && i < IMP_MAX_UNCERTAIN; i++) {
        good = read_correlated(r, imp_document_item(r->document, params, i), &m) && good;
    }
    if (n > 0 && rows > 0 && rows != n) {
        imp_document_error(r->document, list, "'matrix' has %d rows, 'params' has %d", rows, n);
        good = false;
    }
    for (int i = 0; good && i < m.n; i++) {
        good = read_row(r, imp_document_item(r->document, list, i), &m, i) && good;
    }
    if (good) {
        take_matrix(r, field[MATRIX].value, &m);
    }
}

/* ---- outputs ---- */

static void read_output(reader *r, const yaml_node_t *node) {
    const imp_theory *theory = r->plan.theory;
    const char *names[IMP_MAX_OUTPUTS + 1] = {"outcome"}, *text;
    text = imp_document_text(r->document, node, "of");
    if (!text) {
        return;
    }
    bool outcome = strcmp(text, "outcome") == 0;
    int output = outcome ? IMP_OF_OUTCOME : imp_theory_output(theory, text);
    for (int o = 0; o < theory->n_outputs; o++) {
        names[o + 1] = theory->outputs[o].name;
    }
    bool real = !outcome && output >= 0 && theory->outputs[output].kind == IMP_REAL;
    bool twice = false;
    for (int of = 0; of < r->plan.n_of; of++) {
        twice |= r->plan.of[of] == output;
    }
    imp_place place = imp_document_place(r->document, node);
    if (output < 0 && !outcome && r->report->unnamed) {
        return;
    }
    if (output < 0 && !outcome) {
        imp_report_unknown(r->report, place, "output", text, "", names,
                           (size_t)theory->n_outputs + 1);
    } else if (twice) {
        imp_report_error(r->report, place, "the output '%s' is listed twice", text);
    } else if (!outcome && theory->outputs[output].dimension) {
        imp_report_error(r->report, place,
                         "'%s' has several values per cell; statistics need an output with one",
                         text);
    } else if (imp_uncertain_gives(&r->plan) && !real) {
        imp_report_error(r->report, place, "'%s' is no real output, of which 'give' finds extremes",
                         text);
    } else if (r->plan.n_of == IMP_MAX_OF) {
        imp_report_error(r->report, place, "one output too many, at most %d are allowed",
                         IMP_MAX_OF);
    } else {
        r->places->of[r->plan.n_of] = place;
        r->plan.of[r->plan.n_of++] = output;
    }
}

static void read_outputs(reader *r) {
    const yaml_node_t *list = r->field[OF].value;
    int mode = imp_theory_output(r->plan.theory, "mode");
    if (!r->field[OF].given && imp_uncertain_gives(&r->plan)) {
        imp_document_error(r->document, r->node, "missing key 'of' for 'give'");
        return;
    }
    if (!r->field[OF].given) {
        r->plan.of[r->plan.n_of++] = mode >= 0 ? mode : IMP_OF_OUTCOME;
        return;
    }
    int n = imp_document_some(r->document, list, "'of'", "list at least one");
    for (int i = 0; i < n; i++) {
        read_output(r, imp_document_item(r->document, list, i));
    }
}

/* `give: [minimum, maximum]` */
static void read_give(reader *r) {
    static const char *const words[] = {"minimum", "maximum"};
    const yaml_node_t *list = r->field[GIVE].value;
    int n = imp_document_some(r->document, list, "'give'", "list at least one");
    for (int i = 0; i < n; i++) {
        imp_field one = {.name = "give", .value = imp_document_item(r->document, list, i)};
        int which = imp_field_choice(r->document, &one, "extreme", words, 2);
        if (which >= 0) {
            r->plan.give[which] = true;
        }
    }
}

static void read_quantiles(reader *r) {
    const yaml_node_t *node = r->field[QUANTILES].value;
    if (imp_uncertain_gives(&r->plan)) {
        return;
    }
    if (!r->field[QUANTILES].given) {
        r->plan.n_quantiles = (int)(sizeof default_quantiles / sizeof *default_quantiles);
        memcpy(r->plan.quantile, default_quantiles, sizeof default_quantiles);
        return;
    }
    if (!node || !imp_document_is(r->document, node, YAML_SEQUENCE_NODE, "'quantiles'")) {
        return;
    }
    int n = imp_document_length(node);
    for (int i = 0; i < n; i++) {
        const yaml_node_t *one = imp_document_item(r->document, node, i);
        double p = imp_document_quantity(r->document, one, "quantiles", "1");
        bool read = !isnan(p);
        if (read && !(p > 0 && p < 1)) {
            imp_document_error(r->document, one, "a quantile is a probability above 0 and below 1");
        } else if (read && r->plan.n_quantiles == IMP_MAX_QUANTILES) {
            imp_document_error(r->document, one, "one quantile too many, at most %d are allowed",
                               IMP_MAX_QUANTILES);
        } else if (read) {
            r->plan.quantile[r->plan.n_quantiles++] = p;
        }
    }
}

/* ---- the whole ---- */

/* Extremes need ranges, and leave no room for statistics. */
static void check_give(const reader *r) {
    static const int others[] = {QUANTILES, SENSITIVITY, CORRELATION, DRAWS};
    for (size_t k = 0; r->field[GIVE].given && k < sizeof others / sizeof *others; k++) {
        const imp_field *field = &r->field[others[k]];
        if (field->key) {
            imp_document_error(r->document, field->key,
                               "'%s' does not go with 'give', which searches for extremes",
                               field->name);
        }
    }
}

static void check_design(reader *r) {
    const imp_uncertain_plan *plan = &r->plan;
    bool joint = false;
    for (int k = 0; k < plan->n_parameters; k++) {
        joint |= plan->parameter[k].correlated ||
                 (plan->parameter[k].joint && plan->n_dimensions < plan->n_parameters);
    }
    if (plan->sensitivity && joint) {
        imp_document_error(r->document, r->field[SENSITIVITY].key,
                           "indices need independent parameters: no correlation, and tables of one "
                           "column");
    }
    int64_t cube = plan->points * plan->n_dimensions * (plan->sensitivity ? 2 : 1);
    if (plan->design == IMP_LATIN && cube > IMP_MOST_KEPT) {
        imp_document_error(r->document, r->field[SAMPLE].value,
                           "a latin sample keeps points times parameters numbers, at most %d; give "
                           "sobol or random",
                           IMP_MOST_KEPT);
    }
    if (imp_uncertain_draws(plan) > IMP_MOST_DRAWS) {
        imp_document_error(r->document, r->node, "a cell has %lld draws, at most %d are allowed",
                           (long long)imp_uncertain_draws(plan), IMP_MOST_DRAWS);
    }
}

static void check_outputs(reader *r) {
    int64_t reals = 0, draws = imp_uncertain_draws(&r->plan);
    for (int of = 0; of < r->plan.n_of; of++) {
        int output = r->plan.of[of];
        reals += output >= 0 && r->plan.theory->outputs[output].kind == IMP_REAL;
    }
    imp_place place =
        imp_document_place(r->document, r->field[OF].value ? r->field[OF].value : r->node);
    int n = imp_uncertain_count_outputs(&r->plan);
    if (r->plan.n_quantiles > 0 && reals > 0 && (reals + 1) * draws > IMP_MOST_KEPT) {
        imp_report_error(r->report, place,
                         "quantiles keep all draws of a cell, %lld numbers, at most %d; give fewer "
                         "points, or 'quantiles: []'",
                         (long long)((reals + 1) * draws), IMP_MOST_KEPT);
    }
    if (n > IMP_MAX_OUTPUTS) {
        imp_report_error(r->report, place,
                         "these outputs have %d statistics, at most %d are allowed; list fewer", n,
                         IMP_MAX_OUTPUTS);
    }
}

static void read_parts(reader *r, int64_t *replicates) {
    static const char *const same[] = {"same", "independent"};
    if (!r->field[PARAMS].given) {
        imp_document_error(r->document, r->node, "missing key 'params' in 'uncertain'");
    }
    int design =
        imp_field_choice(r->document, &r->field[SAMPLE], "sample", imp_design_names, IMP_DESIGNS);
    r->plan.design = design < 0 ? IMP_SOBOL : (imp_design)design;
    r->plan.points = imp_field_count(r->document, &r->field[POINTS], 1, INT64_C(1) << MOST_POINTS,
                                     DEFAULT_POINTS);
    *replicates =
        imp_field_count(r->document, &r->field[REPLICATES], 1,
                        r->by_replicate ? MOST_CELLS : IMP_MOST_REPLICATES, DEFAULT_REPLICATES);
    r->plan.by_replicate = r->by_replicate;
    r->plan.replicates = r->by_replicate ? 1 : (int)*replicates;
    r->plan.seed = (uint64_t)imp_field_count(r->document, &r->field[SEED], 0, INT64_MAX, 1);
    r->plan.independent = imp_field_choice(r->document, &r->field[DRAWS], "draws", same, 2) == 1;
    r->plan.sensitivity = read_truth(r, &r->field[SENSITIVITY]);
    size_t before = r->report->total;
    read_give(r);
    check_give(r);
    read_parameters(r);
    if (r->report->total == before) { /* otherwise a parameter may be missing */
        read_correlation(r);
    }
    read_outputs(r);
    read_quantiles(r);
}

/* Reads the keys of `uncertain` into the plan, and checks it. */
static void read_keys(reader *r, int64_t *replicates) {
    static const char *const names[N_KEYS] = {
        "sample", "points",    "replicates",  "seed",        "draws", "params",
        "of",     "quantiles", "sensitivity", "correlation", "give"};
    size_t before = r->report->total;
    imp_fields_named(r->field, names, N_KEYS);
    imp_document_fields(r->document, r->node, "'uncertain'", r->field, N_KEYS);
    read_parts(r, replicates);
    if (r->report->total == before) {
        check_design(r);
        check_outputs(r);
    }
}

imp_uncertain *imp_uncertain_read(imp_document *document, const imp_loader *loader,
                                  const yaml_node_t *node, const imp_theory *theory,
                                  bool by_replicate, int64_t *replicates,
                                  imp_uncertain_places *places) {
    reader r = {.document = document,
                .report = document->report,
                .loader = loader,
                .node = node,
                .places = places,
                .by_replicate = by_replicate,
                .plan = {.theory = theory}};
    size_t before = document->report->total;
    r.draft = malloc(sizeof *r.draft);
    if (!r.draft) {
        imp_report_memory(document->report);
        return NULL;
    }
    if (!imp_document_is(document, node, YAML_MAPPING_NODE, "'uncertain'")) {
        free(r.draft);
        return NULL;
    }
    imp_draft_begin(r.draft, theory, imp_document_place(document, node), document->report);
    size_t notes = document->report->n_notes;
    read_keys(&r, replicates);
    imp_units_own(document->report, notes, IMP_NOTE_OF_DRAWN);
    places->n_paths = r.draft->n_paths;
    memcpy(places->paths, r.draft->paths, (size_t)r.draft->n_paths * sizeof *places->paths);
    r.draft->n_paths = 0;
    imp_draft_end(r.draft);
    free(r.draft);
    imp_uncertain *made = NULL;
    if (document->report->total == before && !document->report->lost) {
        made = imp_uncertain_make(&r.plan);
        if (!made) {
            imp_report_memory(document->report);
        }
    }
    if (!made) {
        free(r.plan.values);
    }
    return made;
}
