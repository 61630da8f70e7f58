#include "config/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/figure_impl.h"

static const char *const kinds[] = {"map",       "multiples", "lines",     "band",
                                    "histogram", "scatter",   "quantiles", "sensitivity",
                                    "flow",      "table",     NULL};
static const char *const sizes[] = {"one", "two", NULL};
static const char *const switches[] = {"true", "false", NULL};
static const char *const spellings[] = {"words", "symbols", NULL};
static const char *const colours[] = {"viridis", "cividis",  "plasma",      "magma",  "inferno",
                                      "gray",    "Greys",    "navy_orange", "RdBu_r", "RdBu",
                                      "PuOr_r",  "coolwarm", NULL};

#define AXIS IMP_FIGURE_AXIS
#define OUTPUT IMP_FIGURE_OUTPUT
#define COLUMN IMP_FIGURE_COLUMN

static const imp_figure_key keys[] = {
    {.name = "as", .value = IMP_FIGURE_WORD, .words = kinds},
    {.name = "field", .value = IMP_FIGURE_NAME, .names = OUTPUT, .several = true},
    {.name = "x", .value = IMP_FIGURE_NAME, .names = AXIS | OUTPUT},
    {.name = "y",
     .value = IMP_FIGURE_NAME,
     .names = AXIS | OUTPUT,
     .kinds = "map multiples lines scatter"},
    {.name = "curves", .value = IMP_FIGURE_NAME, .names = AXIS, .kinds = "lines"},
    {.name = "panels",
     .value = IMP_FIGURE_NAME,
     .names = AXIS,
     .kinds = "lines multiples histogram"},
    {.name = "sample",
     .value = IMP_FIGURE_NAME,
     .names = AXIS,
     .kinds = "band histogram scatter quantiles"},
    {.name = "slice", .value = IMP_FIGURE_POINTS, .names = AXIS},
    {.name = "minus", .value = IMP_FIGURE_POINTS, .names = AXIS, .kinds = "map multiples lines"},
    {.name = "ratio_to",
     .value = IMP_FIGURE_POINTS,
     .names = AXIS,
     .kinds = "map multiples lines",
     .instead = "minus"},
    {.name = "contours", .value = IMP_FIGURE_NAME, .names = OUTPUT, .kinds = "map"},
    {.name = "levels",
     .value = IMP_FIGURE_NUMBER,
     .several = true,
     .kinds = "map multiples quantiles"},
    {.name = "center", .value = IMP_FIGURE_NUMBER, .kinds = "map multiples"},
    {.name = "cmap", .value = IMP_FIGURE_WORD, .words = colours},
    {.name = "one_scale", .value = IMP_FIGURE_WORD, .words = switches, .kinds = "multiples"},
    {.name = "solved_points",
     .value = IMP_FIGURE_WORD,
     .words = switches,
     .kinds = "map multiples"},
    {.name = "region_numbers", .value = IMP_FIGURE_WORD, .words = switches, .kinds = "map"},
    {.name = "psi", .value = IMP_FIGURE_WORD, .words = switches, .kinds = "lines table"},
    {.name = "each", .value = IMP_FIGURE_WORD, .words = switches, .kinds = "lines"},
    {.name = "log", .value = IMP_FIGURE_NAME, .names = AXIS | OUTPUT, .several = true},
    {.name = "linear", .value = IMP_FIGURE_NAME, .names = AXIS | OUTPUT, .several = true},
    {.name = "limits", .value = IMP_FIGURE_RANGES, .names = AXIS | OUTPUT},
    {.name = "label", .value = IMP_FIGURE_TEXTS, .names = AXIS | OUTPUT | COLUMN},
    {.name = "unit", .value = IMP_FIGURE_TEXTS, .names = AXIS | OUTPUT | COLUMN, .kinds = "table"},
    {.name = "key",
     .value = IMP_FIGURE_NAME,
     .names = AXIS | COLUMN,
     .several = true,
     .kinds = "table"},
    {.name = "names", .value = IMP_FIGURE_WORD, .words = spellings},
    {.name = "title", .value = IMP_FIGURE_TEXT},
    {.name = "size", .value = IMP_FIGURE_WORD, .words = sizes},
    {.name = "font_size", .value = IMP_FIGURE_NUMBER, .positive = true},
    {.name = "dpi", .value = IMP_FIGURE_NUMBER, .positive = true},
};

enum { N_KEYS = sizeof keys / sizeof *keys };

typedef struct reader {
    imp_document *document;
    imp_draft *draft;
    const imp_figure_key *key;
} reader;

/* Adds an option; a text or name that is NULL was unreadable, which has been reported. */
static void add(const reader *r, const yaml_node_t *name_node, const char *name,
                const yaml_node_t *node, const char *text) {
    struct imp_figure *figure = r->draft->figure;
    bool named = r->key->names != 0, valued = r->key->value != IMP_FIGURE_NAME;
    if ((named && !name) || (valued && !text)) {
        return;
    }
    if (figure->n == IMP_FIGURE_MOST) {
        imp_document_error(r->document, node, "one option too many, a figure has at most %d",
                           IMP_FIGURE_MOST);
        return;
    }
    imp_figure_item item = {.key = r->key,
                            .place = imp_document_place(r->document, node),
                            .name_place = imp_document_place(r->document, name_node),
                            .name = named ? strdup(name) : NULL,
                            .text = valued ? strdup(text) : NULL};
    if ((named && !item.name) || (valued && !item.text)) {
        imp_report_memory(r->draft->report);
    }
    figure->items[figure->n++] = item;
}

static const char *read_word(const reader *r, const yaml_node_t *node) {
    const char *text = imp_document_text(r->document, node, r->key->name);
    size_t n = 0;
    for (; text && r->key->words[n]; n++) {
        if (strcmp(r->key->words[n], text) == 0) {
            return text;
        }
    }
    if (text) {
        imp_report_unknown(r->draft->report, imp_document_place(r->document, node),
                           r->key->words == kinds ? "kind of figure" : r->key->name, text, "",
                           r->key->words, n);
    }
    return NULL;
}

static const char *read_number(const reader *r, const yaml_node_t *node) {
    const char *text = imp_document_number(r->document, node, r->key->name);
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    const char *wrong = text ? imp_read_quantity(text, "1", &quantity) : NULL;
    if (text && !wrong && r->key->positive && quantity.value <= 0) {
        wrong = "is not above 0";
    }
    if (wrong) {
        imp_document_error(r->document, node, "%s: '%s' %s", r->key->name, imp_show(text).text,
                           wrong);
    }
    return wrong ? NULL : text;
}

/* A text must be one line. */
static const char *read_text(const reader *r, const yaml_node_t *node) {
    const char *text = imp_document_text(r->document, node, r->key->name);
    if (text && strpbrk(text, "\n\r")) {
        imp_document_error(r->document, node, "'%s' must be one line", r->key->name);
        return NULL;
    }
    return text;
}

static void read_single(const reader *r, const yaml_node_t *node) {
    switch (r->key->value) {
    case IMP_FIGURE_WORD:
        add(r, node, NULL, node, read_word(r, node));
        break;
    case IMP_FIGURE_NUMBER:
        add(r, node, NULL, node, read_number(r, node));
        break;
    case IMP_FIGURE_TEXT:
        add(r, node, NULL, node, read_text(r, node));
        break;
    default:
        add(r, node, imp_document_text(r->document, node, r->key->name), node, NULL);
    }
}

/* [low, high] as "low:high". */
static void read_range(const reader *r, const yaml_node_t *key, const char *name,
                       const yaml_node_t *node) {
    if (!imp_document_is(r->document, node, YAML_SEQUENCE_NODE, "limits")) {
        return;
    }
    if (imp_document_length(node) != 2) {
        imp_document_error(r->document, node, "limits must be a list [LOW, HIGH]");
        return;
    }
    const char *low =
        imp_document_number(r->document, imp_document_item(r->document, node, 0), name);
    const char *high =
        imp_document_number(r->document, imp_document_item(r->document, node, 1), name);
    imp_text both = {0};
    imp_text_print(&both, "%s:%s", low ? low : "", high ? high : "");
    add(r, key, name, node, low && high ? imp_text_get(&both) : NULL);
    imp_text_free(&both);
}

static void read_pairs(const reader *r, const yaml_node_t *node) {
    imp_text what = {0};
    imp_text_print(&what, "'%s'", r->key->name);
    bool good = imp_document_is(r->document, node, YAML_MAPPING_NODE, imp_text_get(&what));
    imp_text_free(&what);
    if (!good) {
        return;
    }
    IMP_EACH_PAIR(pair, node) {
        const char *name = imp_document_key(r->document, pair);
        const yaml_node_t *key = imp_document_node(r->document, pair->key);
        const yaml_node_t *value = imp_document_node(r->document, pair->value);
        if (r->key->value == IMP_FIGURE_RANGES) {
            read_range(r, key, name, value);
        } else {
            add(r, key, name, value, read_text(r, value));
        }
    }
}

static void read_value(const reader *r, const yaml_node_t *node) {
    if (r->key->value >= IMP_FIGURE_POINTS) {
        read_pairs(r, node);
        return;
    }
    if (!r->key->several || node->type != YAML_SEQUENCE_NODE) {
        read_single(r, node);
        return;
    }
    int n = imp_document_length(node);
    if (n == 0) {
        imp_document_error(r->document, node, "'%s' is empty, leave it out", r->key->name);
    }
    for (int i = 0; i < n; i++) {
        read_single(r, imp_document_item(r->document, node, i));
    }
}

static void check_kinds(const reader *r, const imp_field *field) {
    const struct imp_figure *figure = r->draft->figure;
    const char *kind = NULL;
    for (int i = 0; i < figure->n; i++) {
        kind = figure->items[i].key == &keys[0] ? figure->items[i].text : kind;
    }
    for (int k = 0; kind && k < N_KEYS; k++) {
        if (field[k].key && keys[k].kinds && !imp_word_among(kind, strlen(kind), keys[k].kinds)) {
            imp_document_error(r->document, field[k].key,
                               "'%s' does not go with the figure '%s'; it goes with: %s",
                               keys[k].name, kind, keys[k].kinds);
        }
    }
}

static void check_instead(const reader *r, const imp_field *field) {
    for (int k = 0; k < N_KEYS; k++) {
        for (int other = 0; keys[k].instead && field[k].key && other < N_KEYS; other++) {
            if (field[other].key && strcmp(keys[other].name, keys[k].instead) == 0) {
                imp_document_error(r->document, field[k].key,
                                   "'%s' does not go with '%s'; leave out one of them",
                                   keys[k].name, keys[k].instead);
            }
        }
    }
}

void imp_figure_read(imp_draft *draft, const yaml_node_t *node) {
    imp_document *document = draft->document;
    imp_field field[N_KEYS];
    if (!imp_document_is(document, node, YAML_MAPPING_NODE, "'figure'")) {
        return;
    }
    draft->figure = calloc(1, sizeof *draft->figure);
    if (!draft->figure) {
        imp_report_memory(draft->report);
        return;
    }
    for (int k = 0; k < N_KEYS; k++) {
        field[k] = (imp_field){.name = keys[k].name};
    }
    imp_document_fields(document, node, "the figure", field, N_KEYS);
    reader r = {.document = document, .draft = draft, .key = NULL};
    for (int k = 0; k < N_KEYS; k++) {
        r.key = &keys[k];
        if (field[k].value) {
            read_value(&r, field[k].value);
        }
    }
    check_kinds(&r, field);
    check_instead(&r, field);
}
