/* {param: law, values: [linear, hertz]} */
#include <math.h>
#include <stdlib.h>

#include "config/axis_impl.h"

/* NaN if it is unreadable. */
static double read_value(imp_axis_reader *r, const yaml_node_t *node) {
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    const char *text;
    if (r->named.choice >= 0) {
        text = imp_document_text(r->document, node, "values");
        return text ? imp_draft_option(r->draft, r->named.choice,
                                       imp_document_place(r->document, node), text)
                    : -1;
    }
    bool known = r->named.parameter >= 0; /* otherwise it may be an option, in quotes */
    text = (known ? imp_document_number : imp_document_text)(r->document, node, "values");
    bool read = text && imp_draft_number(r->draft, r->named.parameter,
                                         imp_document_place(r->document, node), text, &quantity);
    return read ? imp_quantity_si(quantity) : NAN;
}

typedef struct numbered {
    double value;
    int index;
} numbered;

static int compare(const void *first, const void *second) {
    const numbered *a = first, *b = second;
    int order = (a->value > b->value) - (a->value < b->value);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void check_repeats(imp_axis_reader *r, const yaml_node_t *list, const double *values,
                          int size) {
    numbered *sorted = malloc((size_t)size * sizeof *sorted);
    if (!sorted) {
        imp_report_memory(r->draft->report);
        return;
    }
    for (int i = 0; i < size; i++) {
        sorted[i] = (numbered){values[i], i};
    }
    qsort(sorted, (size_t)size, sizeof *sorted, compare);
    for (int i = 1; i < size; i++) {
        if (sorted[i].value == sorted[i - 1].value) {
            const yaml_node_t *node = imp_document_item(r->document, list, sorted[i].index);
            imp_document_error(r->document, node, "'%s' repeats a value of this axis",
                               imp_show((const char *)node->data.scalar.value).text);
        }
    }
    free(sorted);
}

static void read_values(imp_axis_reader *r, const yaml_node_t *list, int size) {
    size_t before = r->draft->report->total;
    imp_origin *origin = imp_draft_next_origins(r->draft);
    for (int i = 0; i < size; i++) {
        const yaml_node_t *node = imp_document_item(r->document, list, i);
        r->axis->columns[0].values[i] = read_value(r, node);
        origin->marks[i] = imp_axis_mark(node);
    }
    if (r->draft->report->total == before) {
        check_repeats(r, list, r->axis->columns[0].values, size);
    }
    r->axis->size = size;
}

static bool read_list(imp_axis_reader *r) {
    const yaml_node_t *list = r->field[IMP_AXIS_VALUES].value;
    bool named = r->named.choice >= 0 || r->named.parameter >= 0;
    int size = imp_document_some(r->document, list, "'values'", "an axis has at least 1 value");
    if (named && size > 0 && imp_draft_allocate(r->draft, 0, size)) {
        read_values(r, list, size);
    }
    for (int i = 0; !named && i < size; i++) {
        read_value(r, imp_document_item(r->document, list, i));
    }
    return true;
}

const imp_axis_kind imp_axis_list = {
    .called = "'values'",
    .key = IMP_AXIS_VALUES,
    .needed = IMP_AXIS_BIT(PARAM) | IMP_AXIS_BIT(VALUES),
    .one_column = true,
    .read = read_list,
};
