#include "config/axes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/sample.h"
#include "config/table.h"

enum { PARAM, FROM, TO, POINTS, SPACING, VALUES, TABLE, NAME, SAMPLE, SEED, PARAMS, N_FIELDS };

/* The four forms of an axis: the keys that make one out, and those that go with it. */
typedef struct form {
    const char *called;
    unsigned allowed, needed;
} form;

#define BIT(field) (1u << (field))

static const form table_form = {"'table'", BIT(TABLE) | BIT(NAME), BIT(TABLE) | BIT(NAME)};
static const form list_form = {"'values'", BIT(PARAM) | BIT(VALUES), BIT(PARAM) | BIT(VALUES)};
static const form sample_form = {"'sample'",
                                 BIT(SAMPLE) | BIT(POINTS) | BIT(SEED) | BIT(PARAMS) | BIT(NAME),
                                 BIT(SAMPLE) | BIT(POINTS) | BIT(SEED) | BIT(PARAMS)};
static const form spaced_form = {"'param'",
                                 BIT(PARAM) | BIT(FROM) | BIT(TO) | BIT(POINTS) | BIT(SPACING),
                                 BIT(PARAM) | BIT(FROM) | BIT(TO) | BIT(POINTS)};

/* One axis at hand. */
typedef struct reader {
    imp_document *document;
    const imp_loader *loader;
    imp_draft *draft;
    const yaml_node_t *node;
    imp_axis *axis;
    imp_field field[N_FIELDS];
} reader;

static imp_place place_of(const reader *r, const yaml_node_t *node) {
    return imp_document_place(r->document, node);
}

static imp_mark mark_of(const yaml_node_t *node) {
    return (imp_mark){(uint32_t)node->start_mark.line + 1, (uint32_t)node->start_mark.column + 1};
}

static void check_form(reader *r, const form *as) {
    for (int f = 0; f < N_FIELDS; f++) {
        const imp_field *field = &r->field[f];
        if (field->key && !(as->allowed & BIT(f))) {
            imp_report_error(r->draft->report, place_of(r, field->key), "'%s' does not go with %s",
                             field->name, as->called);
        } else if (!field->given && (as->needed & BIT(f))) {
            imp_report_error(r->draft->report, place_of(r, r->node), "missing key '%s' in an axis",
                             field->name);
        }
    }
}

/* ---- param, from, to, points, spacing ---- */

static bool read_end(reader *r, int field, int parameter, imp_quantity *quantity, imp_mark *mark) {
    const yaml_node_t *node = r->field[field].value;
    const char *text = node ? imp_document_number(r->document, node, r->field[field].name) : NULL;
    if (!text || parameter < 0) {
        return false;
    }
    *mark = mark_of(node);
    return imp_draft_number(r->draft, parameter, place_of(r, node), text, quantity);
}

static bool read_points(reader *r, int64_t *points) {
    const yaml_node_t *node = r->field[POINTS].value;
    const char *text = node ? imp_document_number(r->document, node, "points") : NULL;
    if (!text) {
        return false;
    }
    const char *wrong = imp_read_count(text, points);
    if (wrong) {
        imp_report_error(r->draft->report, place_of(r, node), "points: '%s' %s",
                         imp_show(text).text, wrong);
    } else if (*points < 1) {
        imp_report_error(r->draft->report, place_of(r, node),
                         "points is 0, an axis has at least 1");
    } else if (*points > IMP_MAX_POINTS) {
        imp_report_error(r->draft->report, place_of(r, node),
                         "points is %lld, an axis has at most 2^28", (long long)*points);
    } else {
        return true;
    }
    return false;
}

static void read_spacing(reader *r, bool *logarithmic) {
    static const char *const names[] = {"linear", "log"};
    const yaml_node_t *node = r->field[SPACING].value;
    const char *text = node ? imp_document_text(r->document, node, "spacing") : NULL;
    *logarithmic = text && strcmp(text, "log") == 0;
    if (text && !*logarithmic && strcmp(text, "linear") != 0) {
        imp_report_unknown(r->draft->report, place_of(r, node), "spacing", text, "", names, 2);
    }
}

/* What is wrong with the number of points between two ends, or NULL. */
static const char *wrong_points(double from, double to, int64_t points) {
    if (points == 1 && from != to) {
        return "points is 1, but from and to differ; one point needs from = to";
    }
    if (points > 1 && from == to) {
        return "from and to are equal, and a coordinate must not repeat; points must be 1";
    }
    return NULL;
}

/* Likewise for logarithmic spacing. */
static const char *wrong_logarithm(double from, double to) {
    if (from == 0 || to == 0 || (from > 0) != (to > 0)) {
        return "spacing log needs from and to of the same sign and not 0";
    }
    return isfinite(to / from) && to / from != 0 ? NULL
                                                 : "from and to are too far apart for spacing log";
}

static void check_ends(reader *r, double from, double to, int64_t points, bool logarithmic) {
    const char *wrong = wrong_points(from, to, points);
    if (wrong) {
        imp_report_error(r->draft->report, place_of(r, r->field[POINTS].value), "%s", wrong);
    }
    wrong = logarithmic ? wrong_logarithm(from, to) : NULL;
    if (wrong) {
        imp_report_error(r->draft->report, place_of(r, r->field[SPACING].value), "%s", wrong);
    }
}

static void read_spaced(reader *r, int parameter) {
    imp_origin *origin = imp_draft_next_origins(r->draft);
    origin->spaced = true;
    int64_t points = 0;
    bool sized = read_points(r, &points);
    read_spacing(r, &origin->logarithmic);
    bool from = read_end(r, FROM, parameter, &origin->from, &origin->from_mark);
    bool to = read_end(r, TO, parameter, &origin->to, &origin->to_mark);
    if (!sized || !from || !to) {
        return;
    }
    check_ends(r, imp_quantity_si(origin->from), imp_quantity_si(origin->to), points,
               origin->logarithmic);
    origin->points_mark = mark_of(r->field[POINTS].value);
    r->axis->size = points;
}

/* ---- param, values ---- */

static double read_value(reader *r, imp_named named, const yaml_node_t *node) {
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    const char *text;
    if (named.choice >= 0) {
        text = imp_document_text(r->document, node, "values");
        return text ? imp_draft_option(r->draft, named.choice, place_of(r, node), text) : -1;
    }
    text = imp_document_number(r->document, node, "values");
    if (text) {
        imp_draft_number(r->draft, named.parameter, place_of(r, node), text, &quantity);
    }
    return imp_quantity_si(quantity);
}

typedef struct numbered {
    double value;
    int64_t index;
} numbered;

static int compare(const void *first, const void *second) {
    const numbered *a = first, *b = second;
    int order = (a->value > b->value) - (a->value < b->value);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void check_repeats(reader *r, const yaml_node_item_t *items, const double *values,
                          int64_t size) {
    numbered *sorted = malloc((size_t)size * sizeof *sorted);
    if (!sorted) {
        imp_report_memory(r->draft->report);
        return;
    }
    for (int64_t i = 0; i < size; i++) {
        sorted[i] = (numbered){values[i], i};
    }
    qsort(sorted, (size_t)size, sizeof *sorted, compare);
    for (int64_t i = 1; i < size; i++) {
        if (sorted[i].value == sorted[i - 1].value) {
            const yaml_node_t *node = imp_document_node(r->document, items[sorted[i].index]);
            imp_report_error(r->draft->report, place_of(r, node),
                             "'%s' repeats a value of this axis",
                             imp_show((const char *)node->data.scalar.value).text);
        }
    }
    free(sorted);
}

static void read_list(reader *r, imp_named named) {
    const yaml_node_t *list = r->field[VALUES].value;
    if (!list || !imp_document_is(r->document, list, YAML_SEQUENCE_NODE, "'values'")) {
        return;
    }
    const yaml_node_item_t *items = list->data.sequence.items.start;
    int64_t size = list->data.sequence.items.top - items;
    if (size == 0) {
        imp_report_error(r->draft->report, place_of(r, list),
                         "'values' is empty, an axis has at least 1 value");
    }
    if (size == 0 || !imp_draft_allocate(r->draft, 0, size)) {
        return;
    }
    size_t before = r->draft->report->total;
    imp_origin *origin = imp_draft_next_origins(r->draft);
    for (int64_t i = 0; i < size; i++) {
        const yaml_node_t *node = imp_document_node(r->document, items[i]);
        r->axis->columns[0].values[i] = read_value(r, named, node);
        origin->marks[i] = mark_of(node);
    }
    if (r->draft->report->total == before) {
        check_repeats(r, items, r->axis->columns[0].values, size);
    }
    r->axis->size = size;
}

/* ---- table, name ---- */

static bool is_identifier(const char *name) {
    const char *at = name;
    while (isalpha((unsigned char)*at) || *at == '_' ||
           (at > name && isdigit((unsigned char)*at))) {
        at++;
    }
    return at > name && *at == 0;
}

static bool is_dimension(const imp_theory *theory, const char *name) {
    for (int o = 0; o < theory->n_outputs; o++) {
        if (theory->outputs[o].dimension && strcmp(theory->outputs[o].dimension, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Dimensions and results are the names of one file. */
static bool is_taken(const reader *r, const char *name) {
    const imp_grid *grid = &r->draft->sweep.grid;
    for (int a = 0; a < grid->n_axes; a++) {
        if (strcmp(grid->axes[a].name, name) == 0) {
            return true;
        }
    }
    if (r->axis->n_columns == 1 && strcmp(r->axis->columns[0].name, name) == 0) {
        return false; /* a table of one column may be named after it */
    }
    const imp_theory *theory = r->draft->sweep.theory;
    imp_named named = imp_draft_find(r->draft, name);
    return named.parameter >= 0 || named.choice >= 0 || strcmp(name, "outcome") == 0 ||
           strncmp(name, "run_", 4) == 0 || imp_theory_output(theory, name) >= 0 ||
           is_dimension(theory, name);
}

static void read_name(reader *r) {
    const yaml_node_t *node = r->field[NAME].value;
    const char *name = node ? imp_document_text(r->document, node, "name") : NULL;
    if (!name) {
        return;
    }
    if (strlen(name) >= sizeof r->axis->name || !is_identifier(name)) {
        imp_report_error(r->draft->report, place_of(r, node),
                         "name: '%s' is not a word of letters, digits and _ (at most 63)",
                         imp_show(name).text);
    } else if (is_taken(r, name)) {
        imp_report_error(r->draft->report, place_of(r, node),
                         "name: '%s' is taken, the dimension needs a name of its own", name);
    } else {
        memcpy(r->axis->name, name, strlen(name) + 1);
    }
}

/* The path of a table beside the config; kept by the draft. */
static const char *keep_path(reader *r, const char *name) {
    imp_text path = {0};
    const char *slash = strrchr(r->document->path, '/');
    if (slash && name[0] != '/') {
        imp_text_append(&path, r->document->path, (size_t)(slash - r->document->path) + 1);
    }
    imp_text_print(&path, "%s", name);
    if (path.failed) {
        imp_text_free(&path);
        imp_report_memory(r->draft->report);
        return NULL;
    }
    r->draft->paths[r->draft->n_paths++] = path.bytes;
    return path.bytes;
}

/* Returns whether all columns are known. */
static bool read_table(reader *r) {
    bool known = false;
    const yaml_node_t *node = r->field[TABLE].value;
    const char *name = node ? imp_document_text(r->document, node, "table") : NULL;
    const char *path = name ? keep_path(r, name) : NULL;
    char *bytes = NULL;
    size_t length = 0;
    const char *reason = path ? r->loader->load(r->loader->context, path, &bytes, &length) : NULL;
    if (reason) {
        imp_report_error(r->draft->report, place_of(r, node), "cannot read the table '%s': %s",
                         imp_show(path).text, reason);
    } else if (path) {
        known = imp_table_read(r->draft, path, bytes, length);
    }
    free(bytes);
    read_name(r);
    return known;
}

/* ---- sample, points, seed, params, name ---- */

/* Returns whether all columns are known. */
static bool read_sample(reader *r) {
    static const char fallback[] = "sample";
    int64_t points = 0;
    imp_sample_fields fields = {&r->field[SAMPLE], &r->field[SEED], &r->field[PARAMS]};
    bool sized = read_points(r, &points);
    bool known = imp_sample_read(r->document, r->draft, &fields, sized ? points : 0);
    if (r->field[NAME].given) {
        read_name(r);
    } else if (is_taken(r, fallback)) {
        imp_report_error(r->draft->report, place_of(r, r->node),
                         "the dimension '%s' is taken, this axis needs a 'name'", fallback);
    } else {
        memcpy(r->axis->name, fallback, sizeof fallback);
    }
    return known;
}

/* ---- the four forms ---- */

static void read_column(reader *r) {
    const yaml_node_t *node = r->field[PARAM].value;
    const char *name = node ? imp_document_text(r->document, node, "param") : NULL;
    imp_named named = {-1, -1};
    bool added = name && imp_draft_add_column(r->draft, place_of(r, node), name, &named);
    if (added) {
        memcpy(r->axis->name, r->axis->columns[0].name, sizeof r->axis->name);
    } else if (!name) {
        r->draft->incomplete = true; /* it may be any parameter */
    }
    bool list = r->field[VALUES].given || named.choice >= 0;
    check_form(r, list ? &list_form : &spaced_form);
    if (!list) {
        read_spaced(r, added ? named.parameter : -1);
    } else if (added) {
        read_list(r, named);
    }
}

static void read_fields(reader *r) {
    static const char *const names[N_FIELDS] = {"param",   "from",   "to",    "points",
                                                "spacing", "values", "table", "name",
                                                "sample",  "seed",   "params"};
    for (int f = 0; f < N_FIELDS; f++) {
        r->field[f] = (imp_field){.name = names[f]};
    }
    imp_document_fields(r->document, r->node, "an axis", r->field, N_FIELDS);
    if (r->field[TABLE].given) {
        check_form(r, &table_form);
        r->draft->incomplete = !read_table(r) || r->draft->incomplete;
    } else if (r->field[SAMPLE].given) {
        check_form(r, &sample_form);
        r->draft->incomplete = !read_sample(r) || r->draft->incomplete;
    } else if (r->field[PARAM].given) {
        read_column(r);
    } else {
        imp_report_error(r->draft->report, place_of(r, r->node),
                         "missing key 'param' (or 'table' or 'sample') in an axis");
        r->draft->incomplete = true;
    }
}

static void read_axis(reader *r) {
    size_t before = r->draft->report->total;
    if (imp_document_is(r->document, r->node, YAML_MAPPING_NODE, "an axis")) {
        read_fields(r);
    } else {
        r->draft->incomplete = true;
    }
    imp_draft_end_axis(r->draft, r->draft->report->total == before);
}

void imp_axes_read(imp_document *document, const imp_loader *loader, const yaml_node_t *node,
                   imp_draft *draft) {
    if (!imp_document_is(document, node, YAML_SEQUENCE_NODE, "'axes'")) {
        draft->incomplete = true;
        return;
    }
    draft->axes_place = imp_document_place(document, node);
    const yaml_node_item_t *item = node->data.sequence.items.start;
    for (int i = 0; item < node->data.sequence.items.top; i++, item++) {
        const yaml_node_t *axis = imp_document_node(document, *item);
        if (i == IMP_MAX_AXES) {
            imp_report_error(draft->report, imp_document_place(document, axis),
                             "one axis too many, at most %d are allowed", IMP_MAX_AXES);
            draft->incomplete = true;
            return;
        }
        reader r = {.document = document, .loader = loader, .draft = draft, .node = axis};
        r.axis = imp_draft_next_axis(draft);
        read_axis(&r);
    }
}
