/* The boundaries and junctions of a refined map on a page, and the triangles of surfaces. */
#include <string.h>

#include "cmd/found.h"
#include "cmd/page.h"

/* The page draws places; it shows neither brackets nor labels. */
static bool is_drawn(const char *name) {
    static const char *const left_out[] = {"_low", "_high", "_left", "_right", "_above", "_below"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        size_t n = strlen(left_out[i]);
        if (length > n && strcmp(name + length - n, left_out[i]) == 0) {
            return false;
        }
    }
    return true;
}

static json_t *columns_of(imp_page *page, const imp_found *found) {
    json_t *columns = json_object();
    for (int c = 0; c < found->n_columns; c++) {
        const imp_variable *v = found->variables[c];
        const char *slash = strrchr(v->name, '/');
        const char *name = slash ? slash + 1 : v->name;
        if (is_drawn(name)) {
            json_object_set_new(columns, name,
                                imp_page_add(page, IMP_PAGE_F8, found->values[c], found->n));
        }
    }
    return columns;
}

imp_err imp_page_add_found(imp_page *page, const imp_catalog *catalog) {
    static const char *const tables[] = {"boundaries", "junctions", "triangles"};
    json_t *all = json_object(), *names = json_array();
    imp_labels labels;
    imp_labels_read(catalog, &labels);
    imp_err error = IMP_OK;
    for (int i = 0; i < labels.n; i++) {
        json_t *name = json_string(labels.names[i]);
        json_array_append_new(names, name ? name : json_string("?"));
    }
    for (size_t t = 0; !error && t < sizeof tables / sizeof *tables; t++) {
        imp_found found;
        error = imp_found_read(catalog, tables[t], &found);
        if (!error) {
            json_object_set_new(all, tables[t], columns_of(page, &found));
        }
        imp_found_free(&found);
    }
    imp_labels_free(&labels);
    json_object_set_new(all, "labels", names);
    json_object_set_new(page->about, "found", all);
    return error;
}
