#include "config/keys.h"

#include <string.h>

#include "config/axis_impl.h"
#include "config/names.h"
#include "config/scope.h"

static const imp_axis_kind *const kinds[] = {
#define AXIS(name) &imp_axis_##name,
#include "config/axis_kinds.def"
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

imp_mark imp_axis_mark(const yaml_node_t *node) {
    return (imp_mark){(uint32_t)node->start_mark.line + 1, (uint32_t)node->start_mark.column + 1};
}

bool imp_axis_read_points(imp_axis_reader *r, int most, int64_t *points) {
    const yaml_node_t *node = r->field[IMP_AXIS_POINTS].value;
    const char *text = node ? imp_document_number(r->document, node, "points") : NULL;
    if (!text) {
        return false;
    }
    const char *wrong = imp_read_count(text, points);
    if (wrong) {
        imp_document_error(r->document, node, "points: '%s' %s", imp_show(text).text, wrong);
    } else if (*points < 1) {
        imp_document_error(r->document, node, "points is 0, an axis has at least 1");
    } else if (*points > INT64_C(1) << most) {
        imp_document_error(r->document, node, "points is %lld, this axis has at most 2^%d",
                           (long long)*points, most);
    } else {
        return true;
    }
    return false;
}

/* Whether another dimension or dataset of the map file has the name. */
static bool is_taken(const imp_axis_reader *r, const char *name) {
    const imp_grid *grid = &r->draft->sweep.grid;
    for (int a = 0; a < grid->n_axes; a++) {
        if (strcmp(grid->axes[a].name, name) == 0) {
            return true;
        }
    }
    if (r->axis->n_columns == 1 && strcmp(r->axis->columns[0].name, name) == 0) {
        return false; /* a table of one column may be named after it */
    }
    imp_named named = imp_draft_find(r->draft, name);
    return named.parameter >= 0 || named.choice >= 0 ||
           imp_is_dataset(r->draft->sweep.theory, name) ||
           (r->draft->refining && imp_is_refined_group(name));
}

static void take_name(imp_axis_reader *r, const yaml_node_t *node, const char *name) {
    if (strlen(name) >= sizeof r->axis->name || !imp_is_identifier(name)) {
        imp_document_error(r->document, node,
                           "name: '%s' is not a word of letters, digits and _ (at most 63)",
                           imp_show(name).text);
    } else if (is_taken(r, name)) {
        imp_document_error(r->document, node,
                           "name: '%s' is taken, the dimension needs a name of its own", name);
    } else {
        memcpy(r->axis->name, name, strlen(name) + 1);
    }
}

void imp_axis_read_name(imp_axis_reader *r, const char *fallback) {
    const imp_field *field = &r->field[IMP_AXIS_NAME];
    const char *name = imp_field_text(r->document, field);
    if (name) {
        take_name(r, field->value, name);
    } else if (!field->given && fallback && is_taken(r, fallback)) {
        imp_document_error(r->document, r->node,
                           "the dimension '%s' is taken, this axis needs a 'name'", fallback);
    } else if (!field->given && fallback) {
        memcpy(r->axis->name, fallback, strlen(fallback) + 1);
    }
}

/* Adds the column of the parameter or choice that `param` names. */
static void read_param(imp_axis_reader *r) {
    const yaml_node_t *node = r->field[IMP_AXIS_PARAM].value;
    const char *name = imp_field_text(r->document, &r->field[IMP_AXIS_PARAM]);
    if (name &&
        imp_draft_add_column(r->draft, imp_document_place(r->document, node), name, &r->named)) {
        memcpy(r->axis->name, r->axis->columns[0].name, sizeof r->axis->name);
    } else if (name) {
        r->named = (imp_named){-1, -1};
    } else {
        r->draft->incomplete = true; /* the unreadable name may be any parameter */
    }
}

static const imp_axis_kind *find_kind(const imp_axis_reader *r) {
    for (int k = 0; k < N_KINDS; k++) {
        if (r->field[kinds[k]->key].given) {
            return kinds[k];
        }
    }
    return NULL;
}

static void read_fields(imp_axis_reader *r) {
    static const char *const names[] = {
#define KEY_NAME(symbol, name) name,
        IMP_AXIS_KEYS(KEY_NAME)
#undef KEY_NAME
    };
    imp_fields_named(r->field, names, IMP_AXIS_N_KEYS);
    imp_document_fields(r->document, r->node, "an axis", r->field, IMP_AXIS_N_KEYS);
    const imp_axis_kind *kind = find_kind(r);
    if (!kind) {
        imp_document_error(r->document, r->node,
                           "missing key 'param' (or 'table', 'sample' or 'cases') in an axis");
        r->draft->incomplete = true;
        return;
    }
    if (kind->one_column) {
        read_param(r);
        kind = r->named.choice >= 0 ? &imp_axis_list : kind; /* options have no range */
    }
    /* Under refine, which finds the points, a range has none. */
    unsigned without = r->draft->refining && kind->refinable ? IMP_AXIS_BIT(POINTS) : 0;
    imp_fields_check(r->document, r->node, r->field, IMP_AXIS_N_KEYS, kind->allowed | without,
                     kind->needed & ~without, kind->called, "in an axis");
    r->draft->incomplete = !kind->read(r) || r->draft->incomplete;
}

/* Checks what can be read of a column of an axis that has an error, and so is left out. */
static void check_lost(imp_axis_reader *r, int c) {
    const imp_column *column = &r->axis->columns[c];
    const imp_origin *origin = &imp_draft_next_origins(r->draft)[c];
    const double ends[] = {imp_quantity_si(origin->from), imp_quantity_si(origin->to)};
    const imp_mark marks_of_ends[] = {origin->from_mark, origin->to_mark};
    const double *values = origin->lay_out ? ends : column->values;
    const imp_mark *marks = origin->lay_out ? marks_of_ends : origin->marks;
    int64_t n = origin->lay_out ? 2 : marks ? r->axis->size : 0;
    for (int64_t i = 0; i < n; i++) {
        imp_scope_check_theory(r->draft->report, r->draft->sweep.theory, column->name,
                               imp_origin_place(origin, marks[i]), values[i]);
    }
}

static void read_axis(imp_axis_reader *r) {
    size_t before = r->draft->report->total;
    if (imp_document_is(r->document, r->node, YAML_MAPPING_NODE, "an axis")) {
        read_fields(r);
    } else {
        r->draft->incomplete = true;
    }
    bool complete = r->draft->report->total == before;
    for (int c = 0; !complete && !r->axis->sample && c < r->axis->n_columns; c++) {
        if (r->axis->columns[c].choice < 0) {
            check_lost(r, c);
        }
    }
    imp_draft_end_axis(r->draft, complete);
}

void imp_axes_read(imp_draft *draft, const imp_loader *loader, const yaml_node_t *node) {
    imp_document *document = draft->document;
    if (!imp_document_is(document, node, YAML_SEQUENCE_NODE, "'axes'")) {
        draft->incomplete = true;
        return;
    }
    draft->axes_place = imp_document_place(document, node);
    int n = imp_document_length(node);
    for (int i = 0; i < n; i++) {
        const yaml_node_t *axis = imp_document_item(document, node, i);
        if (i == IMP_MAX_AXES) {
            imp_document_error(document, axis, "one axis too many, at most %d are allowed",
                               IMP_MAX_AXES);
            draft->incomplete = true;
            return;
        }
        imp_axis_reader r = {.document = document,
                             .loader = loader,
                             .draft = draft,
                             .node = axis,
                             .named = {-1, -1}};
        r.axis = imp_draft_next_axis(draft);
        read_axis(&r);
    }
}
