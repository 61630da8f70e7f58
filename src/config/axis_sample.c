/* {sample: sobol, points: 256, seed: 1, params: [...]}; also sample: latin or
 * saltelli. Of a saltelli sample, `points` is the number of groups; a group has two points more
 * than there are parameters. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/axis_impl.h"
#include "config/range.h"
#include "num/sample.h"

enum { PARAM, DISTRIBUTION, FROM, TO, MEAN, SD, N_FIELDS };
enum { UNIFORM, NORMAL, N_DISTRIBUTIONS };

#define BIT(field) (1u << (field))

static const struct {
    const char *name;
    unsigned needed, allowed;
    int first, second; /* the two numbers */
} distributions[N_DISTRIBUTIONS] = {
    [UNIFORM] = {"uniform", BIT(FROM) | BIT(TO), BIT(FROM) | BIT(TO), FROM, TO},
    [NORMAL] = {"normal", BIT(MEAN) | BIT(SD), BIT(MEAN) | BIT(SD) | BIT(FROM) | BIT(TO), MEAN, SD},
};

/* The numbers of a distribution. */
typedef struct shape {
    int distribution;
    double a, b;      /* ends, or mean and standard deviation */
    double low, high; /* a normal distribution is cut off there; infinite: it is not */
} shape;

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

static imp_place place_of(const reader *r, const yaml_node_t *node) {
    return imp_document_place(r->document, node);
}

/* Position of the text of a field among n names; -1, and reports an error, if it is not among
 * them. */
static int read_word(imp_document *document, const imp_field *field, const char *what,
                     const char *const *names, int n) {
    const yaml_node_t *node = field->value;
    const char *text = node ? imp_document_text(document, node, field->name) : NULL;
    for (int i = 0; text && i < n; i++) {
        if (strcmp(names[i], text) == 0) {
            return i;
        }
    }
    if (text) {
        imp_report_unknown(document->report, imp_document_place(document, node), what, text, "",
                           names, (size_t)n);
    }
    return -1;
}

static bool read_number(reader *r, int field, int parameter, double *value) {
    const yaml_node_t *node = r->field[field].value;
    const char *text = node ? imp_document_number(r->document, node, r->field[field].name) : NULL;
    imp_quantity quantity;
    if (!text || parameter < 0 ||
        !imp_draft_number(r->draft, parameter, place_of(r, node), text, &quantity)) {
        return false;
    }
    *value = imp_quantity_si(quantity);
    return true;
}

static void check_fields(reader *r, int distribution) {
    unsigned needed = distributions[distribution].needed;
    for (int f = FROM; f < N_FIELDS; f++) {
        if (r->field[f].key && !(distributions[distribution].allowed & BIT(f))) {
            imp_report_error(r->draft->report, place_of(r, r->field[f].key),
                             "'%s' does not go with the distribution %s", r->field[f].name,
                             distributions[distribution].name);
        } else if (!r->field[f].given && needed & BIT(f)) {
            imp_report_error(r->draft->report, place_of(r, r->node),
                             "missing key '%s' of the distribution %s", r->field[f].name,
                             distributions[distribution].name);
        }
    }
}

/* The probabilities below the two ends of a normal distribution that is cut off. */
static double probability(const shape *s, double end) {
    return imp_normal_probability((end - s->a) / s->b);
}

static bool check_numbers(reader *r, const shape *s) {
    const char *wrong = NULL;
    int blamed = distributions[s->distribution].second;
    if (s->distribution == UNIFORM) {
        wrong = s->b > s->a ? NULL : "'to' must be above 'from'";
    } else if (!(s->b > 0)) {
        wrong = "'sd' must be above 0";
    } else if (!(s->high > s->low)) {
        wrong = "'to' must be above 'from'";
        blamed = r->field[TO].value ? TO : FROM;
    } else if (!(probability(s, s->high) - probability(s, s->low) >= 1e-6)) {
        wrong = "less than a millionth of the normal distribution is between 'from' and 'to'";
        blamed = r->field[TO].value ? TO : FROM;
    }
    if (wrong) {
        imp_report_error(r->draft->report, place_of(r, r->field[blamed].value), "%s", wrong);
    }
    return !wrong;
}

/* "normal, mean 6.83e+10 Pa, standard deviation 7e+08 Pa, from 6e+10 Pa"; "uniform, 1 kg to 2
 * kg". */
static void describe(imp_column *column, const imp_parameter *parameter, const shape *s) {
    imp_text text = {0};
    bool normal = s->distribution == NORMAL;
    imp_text_print(&text, "%s, %s", distributions[s->distribution].name, normal ? "mean " : "");
    imp_print_value(&text, parameter, s->a);
    imp_text_print(&text, normal ? ", standard deviation " : " to ");
    imp_print_value(&text, parameter, s->b);
    if (isfinite(s->low)) {
        imp_text_print(&text, ", from ");
        imp_print_value(&text, parameter, s->low);
    }
    if (isfinite(s->high)) {
        imp_text_print(&text, isfinite(s->low) ? " to " : ", to ");
        imp_print_value(&text, parameter, s->high);
    }
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

/* A range of probabilities. Above the mean they are those of the mirrored distribution, where they
 * are small and keep their digits. */
typedef struct part {
    double sign, from, to;
} part;

static part part_of(const shape *s) {
    double sign = s->low > s->a ? -1 : 1;
    double from = sign * (s->low - s->a) / s->b, to = sign * (s->high - s->a) / s->b;
    return (part){sign, imp_normal_probability(from), imp_normal_probability(to)};
}

/* The value below which the part u of the distribution lies. */
static double quantile(const shape *s, const part *of, double u) {
    if (s->distribution == UNIFORM) {
        return s->a + (s->b - s->a) * u;
    }
    bool whole = of->from == 0 && of->to == 1;
    double p = whole ? u : of->from + (of->to - of->from) * u;
    double value = s->a + of->sign * s->b * imp_normal_quantile(p);
    return value < s->low ? s->low : value > s->high ? s->high : value;
}

static void fill(reader *r, const shape *s) {
    if (!imp_draft_allocate(r->draft, r->column, r->size)) {
        return;
    }
    double *values = imp_draft_next_axis(r->draft)->columns[r->column].values;
    imp_mark *marks = imp_draft_next_origins(r->draft)[r->column].marks;
    const yaml_mark_t *start = &r->node->start_mark;
    part of = part_of(s);
    draw(r, values);
    for (int64_t i = 0; i < r->size; i++) {
        values[i] = quantile(s, &of, values[i]);
        marks[i] = (imp_mark){(uint32_t)start->line + 1, (uint32_t)start->column + 1};
    }
}

/* Adds the column of the parameter and returns its number; -1, and reports an error, if the name is
 * not a parameter. */
static int add_column(reader *r) {
    const imp_field *field = &r->field[PARAM];
    const char *name = field->value ? imp_document_text(r->document, field->value, "param") : NULL;
    imp_named named;
    if (!name || !imp_draft_add_column(r->draft, place_of(r, field->value), name, &named)) {
        return -1;
    }
    if (named.choice >= 0) {
        imp_report_error(r->draft->report, place_of(r, field->value),
                         "'%s' is a choice, a sample has parameters only", name);
    }
    return named.parameter;
}

/* Returns whether the parameter is known. */
static bool read_parameter(reader *r) {
    static const char *const names[N_FIELDS] = {"param", "distribution", "from",
                                                "to",    "mean",         "sd"};
    const char *const known[N_DISTRIBUTIONS] = {distributions[0].name, distributions[1].name};
    if (!imp_document_is(r->document, r->node, YAML_MAPPING_NODE, "a parameter of a sample")) {
        return false;
    }
    for (int f = 0; f < N_FIELDS; f++) {
        r->field[f] = (imp_field){.name = names[f]};
    }
    imp_document_fields(r->document, r->node, "a parameter of a sample", r->field, N_FIELDS);
    for (int f = PARAM; f <= DISTRIBUTION; f++) {
        if (!r->field[f].given) {
            imp_report_error(r->draft->report, place_of(r, r->node),
                             "missing key '%s' in a parameter of a sample", names[f]);
        }
    }
    r->column = imp_draft_next_axis(r->draft)->n_columns;
    int parameter = add_column(r);
    int chosen =
        read_word(r->document, &r->field[DISTRIBUTION], "distribution", known, N_DISTRIBUTIONS);
    if (chosen >= 0) {
        shape s = {.distribution = chosen, .low = -INFINITY, .high = INFINITY};
        check_fields(r, chosen);
        bool good = read_number(r, distributions[chosen].first, parameter, &s.a);
        good = read_number(r, distributions[chosen].second, parameter, &s.b) && good;
        bool cut = chosen == NORMAL;
        good = (!cut || !r->field[FROM].given || read_number(r, FROM, parameter, &s.low)) && good;
        good = (!cut || !r->field[TO].given || read_number(r, TO, parameter, &s.high)) && good;
        if (good && check_numbers(r, &s) && r->size > 0 && r->design >= 0) {
            fill(r, &s);
            describe(&imp_draft_next_axis(r->draft)->columns[r->column],
                     r->draft->parameter[parameter], &s);
        }
    }
    return parameter >= 0;
}

static void read_seed(reader *r, const imp_field *field) {
    int64_t seed = 0;
    const yaml_node_t *node = field->value;
    const char *text = node ? imp_document_number(r->document, node, "seed") : NULL;
    const char *wrong = text ? imp_read_count(text, &seed) : NULL;
    if (wrong) {
        imp_report_error(r->draft->report, place_of(r, node), "seed: '%s' %s", imp_show(text).text,
                         wrong);
    }
    r->seed = (uint64_t)seed;
}

static bool read_parameters(reader *r, const yaml_node_t *list) {
    const yaml_node_item_t *item = list->data.sequence.items.start;
    bool known = true;
    if (item == list->data.sequence.items.top) {
        imp_report_error(r->draft->report, imp_document_place(r->document, list),
                         "'params' is empty, a sample has at least 1 parameter");
    }
    for (; item < list->data.sequence.items.top; item++) {
        r->node = imp_document_node(r->document, *item);
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
    imp_report_error(
        axis->document->report, imp_axis_place(axis, axis->field[IMP_AXIS_POINTS].value),
        "points is %lld, which makes a saltelli sample of %lld points; at most 2^%d are allowed",
        (long long)r->points, (long long)size, IMP_MOST_DRAWN);
    return 0;
}

static bool read_sample(imp_axis_reader *axis) {
    reader r = {.document = axis->document, .draft = axis->draft};
    const yaml_node_t *list = axis->field[IMP_AXIS_PARAMS].value;
    bool listed = list && imp_document_is(axis->document, list, YAML_SEQUENCE_NODE, "'params'");
    bool sized = imp_axis_read_points(axis, IMP_MOST_DRAWN, &r.points);
    r.design =
        read_word(axis->document, &axis->field[IMP_AXIS_SAMPLE], "sample", designs, N_DESIGNS);
    r.parameters =
        listed ? (int)(list->data.sequence.items.top - list->data.sequence.items.start) : 0;
    r.size = sized ? size_of(&r, axis) : 0;
    read_seed(&r, &axis->field[IMP_AXIS_SEED]);
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
    .allowed = IMP_AXIS_BIT(SAMPLE) | IMP_AXIS_BIT(POINTS) | IMP_AXIS_BIT(SEED) |
               IMP_AXIS_BIT(PARAMS) | IMP_AXIS_BIT(NAME),
    .needed =
        IMP_AXIS_BIT(SAMPLE) | IMP_AXIS_BIT(POINTS) | IMP_AXIS_BIT(SEED) | IMP_AXIS_BIT(PARAMS),
    .read = read_sample,
};
