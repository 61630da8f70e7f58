/* {sample: sobol, points: 256, seed: 1, params: [...]}; also sample: latin or
 * saltelli. Of a saltelli sample, `points` is the number of groups; a group has two points more
 * than there are parameters. */

#include <stdio.h>
#include <string.h>

#include "config/axis_impl.h"
#include "config/distribution.h"
#include "config/units.h"
#include "num/sample.h"

enum { PARAM, DISTRIBUTION, N_FIELDS = DISTRIBUTION + IMP_SPREAD_FIELDS };

enum { SOBOL, LATIN, SALTELLI, N_DESIGNS };

static const char *const designs[N_DESIGNS] = {"sobol", "latin", "saltelli"};

/* One parameter of a sample. */
typedef struct reader {
    imp_document *document;
    imp_draft *draft;
    const yaml_node_t *node;
    imp_field field[N_FIELDS];
    int design, column;
    int parameters; /* of the sample */
    int64_t points; /* value of the key */
    int64_t size;   /* of the axis */
    uint64_t seed;
} reader;

/* Without units where they depend on what is not known yet. */
static void describe(imp_column *column, const imp_theory *theory, const imp_parameter *parameter,
                     const imp_distribution *d) {
    imp_text text = {0};
    imp_distribution_print(d, imp_units_one(theory, parameter) ? parameter : NULL, &text);
    snprintf(column->distribution, sizeof column->distribution, "%s", imp_text_get(&text));
    imp_text_free(&text);
}

/* values: numbers in (0, 1). */
static void draw(const reader *r, double *values) {
    switch (r->design) {
    case SOBOL:
        imp_sample_sobol(r->column, r->seed, r->points, values);
        break;
    case LATIN:
        imp_sample_latin(r->column, r->seed, r->points, values);
        break;
    default:
        imp_sample_saltelli(r->column, r->parameters, r->seed, r->points, values);
    }
}

static void fill(reader *r, const imp_distribution *d) {
    if (!imp_draft_allocate(r->draft, r->column, r->size)) {
        return;
    }
    double *values = imp_draft_next_axis(r->draft)->columns[r->column].values;
    imp_mark *marks = imp_draft_next_origins(r->draft)[r->column].marks;
    imp_truncation cut = imp_distribution_cut(d);
    draw(r, values);
    for (int64_t i = 0; i < r->size; i++) {
        values[i] = imp_distribution_quantile(d, &cut, values[i]);
        marks[i] = imp_axis_mark(r->node);
    }
}

/* Adds the column of the parameter and returns its number; -1, and reports an error, if the name is
 * not a parameter. */
static int add_column(reader *r) {
    const imp_field *field = &r->field[PARAM];
    const char *name = imp_field_text(r->document, field);
    imp_named named;
    if (!name || !imp_draft_add_column(r->draft, imp_document_place(r->document, field->value),
                                       name, &named)) {
        return -1;
    }
    if (named.choice >= 0) {
        imp_document_error(r->document, field->value,
                           "'%s' is a choice, a sample has parameters only", name);
    }
    return named.parameter;
}

/* Returns whether the parameter is known. */
static bool read_parameter(reader *r) {
    if (!imp_document_is(r->document, r->node, YAML_MAPPING_NODE, "a parameter of a sample")) {
        return false;
    }
    r->field[PARAM] = (imp_field){.name = "param"};
    imp_distribution_fields(&r->field[DISTRIBUTION]);
    imp_document_fields(r->document, r->node, "a parameter of a sample", r->field, N_FIELDS);
    imp_fields_needed(r->document, r->node, "in a parameter of a sample", &r->field[PARAM],
                      DISTRIBUTION - PARAM + 1);
    r->column = imp_draft_next_axis(r->draft)->n_columns;
    int parameter = add_column(r);
    imp_distribution d;
    imp_distribution_reader of = {.document = r->document,
                                  .draft = r->draft,
                                  .node = r->node,
                                  .field = &r->field[DISTRIBUTION],
                                  .parameter = parameter,
                                  .plain = false};
    if (imp_distribution_read(&of, &d) && r->size > 0 && r->design >= 0) {
        fill(r, &d);
        describe(&imp_draft_next_axis(r->draft)->columns[r->column], r->draft->sweep.theory,
                 r->draft->parameter[parameter], &d);
    }
    return parameter >= 0;
}

static bool read_parameters(reader *r, const yaml_node_t *list) {
    bool known = true;
    int n = imp_document_some(r->document, list, "'params'", "a sample has at least 1 parameter");
    for (int i = 0; i < n; i++) {
        r->node = imp_document_item(r->document, list, i);
        known = read_parameter(r) && known;
    }
    return known;
}

/* The number of points of the axis; 0, after an error, if there are too many. */
static int64_t size_of(const reader *r, const imp_axis_reader *axis) {
    int64_t size = r->design == SALTELLI ? r->points * (r->parameters + 2) : r->points;
    if (size <= INT64_C(1) << IMP_MOST_DRAWN) {
        return size;
    }
    imp_document_error(
        axis->document, axis->field[IMP_AXIS_POINTS].value,
        "points is %lld, which makes a saltelli sample of %lld points; at most 2^%d are allowed",
        (long long)r->points, (long long)size, IMP_MOST_DRAWN);
    return 0;
}

static bool read_sample(imp_axis_reader *axis) {
    reader r = {.document = axis->document, .draft = axis->draft};
    const yaml_node_t *list = axis->field[IMP_AXIS_PARAMS].value;
    bool listed = list && imp_document_is(axis->document, list, YAML_SEQUENCE_NODE, "'params'");
    bool sized = imp_axis_read_points(axis, IMP_MOST_DRAWN, &r.points);
    r.design = imp_field_choice(axis->document, &axis->field[IMP_AXIS_SAMPLE], "sample", designs,
                                N_DESIGNS);
    r.parameters = listed ? imp_document_length(list) : 0;
    r.size = sized ? size_of(&r, axis) : 0;
    r.seed =
        (uint64_t)imp_field_count(axis->document, &axis->field[IMP_AXIS_SEED], 0, INT64_MAX, 0);
    axis->axis->size = r.size;
    axis->axis->sample = r.design >= 0 ? designs[r.design] : NULL;
    axis->axis->seed = (int64_t)r.seed;
    bool known = listed && read_parameters(&r, list);
    imp_axis_read_name(axis, "sample");
    return known;
}

const imp_axis_kind imp_axis_sample = {
    .called = "'sample'",
    .key = IMP_AXIS_SAMPLE,
    .allowed = IMP_AXIS_BIT(NAME),
    .needed =
        IMP_AXIS_BIT(SAMPLE) | IMP_AXIS_BIT(POINTS) | IMP_AXIS_BIT(SEED) | IMP_AXIS_BIT(PARAMS),
    .read = read_sample,
};
