#include "cmd/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/names.h"

imp_err imp_found_read(const imp_catalog *catalog, const char *group, imp_found *found) {
    *found = (imp_found){.n = 0};
    if (!imp_catalog_is_refined(catalog)) {
        return imp_fail(IMP_ERR_INPUT, "the map was not refined: it has no boundaries or points");
    }
    if (!imp_catalog_has_grid(catalog)) {
        return imp_fail(IMP_ERR_INPUT, "the refinement of the map is not at its end; run goes on "
                                       "with --resume");
    }
    size_t length = strlen(group);
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        bool here = v->role == IMP_IS_FINDING && strncmp(v->name, group, length) == 0 &&
                    v->name[length] == '/' && found->n_columns < IMP_MOST_FOUND;
        if (!here || (found->n_columns > 0 && v->size != found->n)) {
            continue;
        }
        double *values = malloc((size_t)v->size * sizeof *values);
        found->n = v->size;
        found->variables[found->n_columns] = v;
        found->values[found->n_columns++] = values;
        error = values ? imp_catalog_read(catalog, v, 0, v->size, values)
                       : imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    return error;
}

void imp_found_free(imp_found *found) {
    for (int c = 0; c < found->n_columns; c++) {
        free(found->values[c]);
    }
    *found = (imp_found){.n = 0};
}

static const char *in_group(const imp_variable *variable) {
    const char *slash = strchr(variable->name, '/');
    return slash ? slash + 1 : variable->name;
}

const double *imp_found_column(const imp_found *found, const char *name) {
    for (int c = 0; c < found->n_columns; c++) {
        if (strcmp(in_group(found->variables[c]), name) == 0) {
            return found->values[c];
        }
    }
    return NULL;
}

const char *imp_found_head(const imp_variable *variable) {
    const char *name = in_group(variable), *end = strchr(name, '_');
    return end ? end + 1 : name;
}

void imp_labels_read(const imp_catalog *catalog, imp_labels *labels) {
    enum { MOST = sizeof labels->names / sizeof *labels->names };
    *labels = (imp_labels){.n = 0};
    imp_catalog_text(catalog, IMP_ATTRIBUTE_LABELS, &labels->text);
    for (char *at = labels->text.bytes; at && *at && labels->n < MOST;) {
        char *end = at + strcspn(at, "\n");
        labels->names[labels->n++] = at;
        at = *end ? end + 1 : end;
        *end = 0;
    }
}

void imp_labels_free(imp_labels *labels) {
    imp_text_free(&labels->text);
}

const char *imp_label_name(const imp_labels *labels, double label) {
    return label == -1 ? "-" : label >= 0 && label < labels->n ? labels->names[(int)label] : "?";
}

bool imp_is_label(const imp_variable *variable) {
    const char *head = imp_found_head(variable);
    return variable->role == IMP_IS_FINDING &&
           (strcmp(head, "left") == 0 || strcmp(head, "right") == 0 || strcmp(head, "below") == 0 ||
            strcmp(head, "above") == 0 || strcmp(head, "label") == 0 ||
            strncmp(head, "label_", 6) == 0);
}

int imp_found_axes(const imp_found *found, const char *prefix, char axes[4][IMP_NAME]) {
    static const char ending[] = "_low";
    size_t before = strlen(prefix), after = sizeof ending - 1;
    int n = 0;
    for (int c = 0; c < found->n_columns && n < 4; c++) {
        const char *name = in_group(found->variables[c]);
        size_t length = strlen(name);
        if (length > before + after && strncmp(name, prefix, before) == 0 &&
            strcmp(name + length - after, ending) == 0) {
            snprintf(axes[n++], IMP_NAME, "%.*s", (int)(length - before - after), name + before);
        }
    }
    return n;
}
