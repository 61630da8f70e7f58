/* Boundaries, junctions and regions of a refined map on a page, and the triangles of surfaces. */
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

static void add_columns(imp_page *page, const char *table, const imp_found *found) {
    imp_json_object(&page->about, table);
    for (int c = 0; c < found->n_columns; c++) {
        const imp_variable *v = found->variables[c];
        const char *slash = strrchr(v->name, '/');
        const char *name = slash ? slash + 1 : v->name;
        if (is_drawn(name)) {
            imp_page_add(page, name, IMP_PAGE_F8, found->values[c], found->n);
        }
    }
    imp_json_end_object(&page->about);
}

static void add_labels(imp_json *json, const imp_catalog *catalog) {
    imp_labels labels;
    imp_labels_read(catalog, &labels);
    imp_json_list(json, "labels");
    for (int i = 0; i < labels.n; i++) {
        imp_json_string(json, NULL, labels.names[i]);
    }
    imp_json_end_list(json);
    imp_labels_free(&labels);
}

imp_err imp_page_add_found(imp_page *page, const imp_catalog *catalog) {
    static const char *const tables[] = {"boundaries", "junctions", "triangles", "regions"};
    imp_err error = IMP_OK;
    imp_json_object(&page->about, "found");
    for (size_t t = 0; !error && t < sizeof tables / sizeof *tables; t++) {
        imp_found found;
        error = imp_found_read(catalog, tables[t], &found);
        if (!error) {
            add_columns(page, tables[t], &found);
        }
        imp_found_free(&found);
    }
    add_labels(&page->about, catalog);
    imp_json_end_object(&page->about);
    return error;
}
