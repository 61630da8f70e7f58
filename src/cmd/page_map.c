/* A map on a page: axes, fixed values, outputs, and a sample of exact values. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/found.h"
#include "cmd/page.h"

enum { SAMPLE = 512, TEXTS = 4096 };

/* Begins the object of a variable, with {code: name} of a category. */
static void begin_variable(imp_json *json, const imp_variable *v) {
    static const char *const kinds[] = {
        [IMP_REAL] = "real", [IMP_CATEGORY] = "category", [IMP_SEQUENCE] = "sequence"};
    imp_json_object(json, NULL);
    imp_json_string(json, "name", v->name);
    imp_json_string(json, "unit", v->unit);
    imp_json_string(json, "kind", kinds[v->kind]);
    imp_json_truth(json, "single", v->single);
    imp_json_string(json, "spacing", v->spacing);
    imp_json_object(json, "flags");
    for (int f = 0; f < v->n_flags; f++) {
        char code[16];
        snprintf(code, sizeof code, "%d", v->codes[f]);
        imp_json_string(json, code, v->flags[f]);
    }
    imp_json_end_object(json);
}

/* ---- axes and fixed values ---- */

static imp_err add_values(imp_page *page, const imp_catalog *catalog, const imp_variable *v) {
    double *values = malloc((size_t)v->size * sizeof *values);
    imp_err error = values ? imp_catalog_read(catalog, v, 0, v->size, values) : imp_out_of_memory();
    if (!error) {
        begin_variable(&page->about, v);
        imp_page_add(page, "values", IMP_PAGE_F8, values, v->size);
        imp_json_end_object(&page->about);
    }
    free(values);
    return error;
}

static imp_err add_axis(imp_page *page, const imp_catalog *catalog, int axis,
                        const imp_page_cells *cells) {
    const imp_variable *grid = imp_catalog_grid(catalog);
    imp_err error = IMP_OK;
    imp_json_object(&page->about, NULL);
    imp_json_string(&page->about, "name", grid->dimensions[axis]);
    imp_json_whole(&page->about, "size", grid->extents[axis]);
    imp_json_whole(&page->about, "stride", cells->stride[axis]);
    imp_json_whole(&page->about, "blocks", cells->extents[axis]);
    imp_json_list(&page->about, "columns");
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(catalog, v)) != NULL;) {
        bool given = v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN;
        if (given && !v->formula[0] && imp_catalog_axis(catalog, v) == axis) {
            error = add_values(page, catalog, v);
        }
    }
    imp_json_end_list(&page->about);
    imp_json_end_object(&page->about);
    return error;
}

static imp_err add_fixed(imp_page *page, const imp_catalog *catalog) {
    imp_err error = IMP_OK;
    imp_json_list(&page->about, "fixed");
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (v->role == IMP_IS_FIXED && v->size == 1 && !v->formula[0]) {
            error = add_values(page, catalog, v);
        }
    }
    imp_json_end_list(&page->about);
    return error;
}

static void add_formulas(imp_json *json, const imp_catalog *catalog) {
    imp_json_list(json, "formulas");
    for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (v->formula[0]) {
            imp_json_object(json, NULL);
            imp_json_string(json, "name", v->name);
            imp_json_string(json, "unit", v->unit);
            imp_json_string(json, "formula", v->formula);
            imp_json_end_object(json);
        }
    }
    imp_json_end_list(json);
}

static imp_err add_given(imp_page *page, const imp_catalog *catalog, const imp_page_cells *cells) {
    imp_err error = IMP_OK;
    imp_json_list(&page->about, "axes");
    for (int a = 0; !error && a < imp_catalog_grid(catalog)->rank; a++) {
        error = add_axis(page, catalog, a, cells);
    }
    imp_json_end_list(&page->about);
    error = error ? error : add_fixed(page, catalog);
    add_formulas(&page->about, catalog);
    return error;
}

/* ---- outputs ---- */

static bool is_field(const imp_variable *v) {
    return v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME;
}

static imp_page_type type_of(const imp_variable *v) {
    return v->kind == IMP_CATEGORY   ? IMP_PAGE_I1
           : v->kind == IMP_SEQUENCE ? IMP_PAGE_U2
                                     : IMP_PAGE_F4;
}

static void add_sequence(imp_json *json, double value) {
    char text[256] = "";
    bool valid = value >= 0 && value < 0x1p53;
    imp_sequence_text(valid ? (uint64_t)value : 0, sizeof text, text);
    imp_json_string(json, NULL, text);
}

/* Replaces sequences by the numbers of their texts. Sequences beyond the first TEXTS, of which no
 * known theory has so many, get the number of "other". */
static imp_err name_sequences(imp_json *json, double *values, int64_t n) {
    double *known = malloc(TEXTS * sizeof *known);
    int count = 0, last = 0;
    imp_json_list(json, "texts");
    for (int64_t i = 0; known && i < n; i++) {
        if (count == 0 || known[last] != values[i]) {
            for (last = 0; last < count && known[last] != values[i]; last++) {
            }
        }
        if (last == count && count < TEXTS) {
            known[count++] = values[i];
            add_sequence(json, values[i]);
        }
        values[i] = last;
        last = last < count ? last : 0;
    }
    imp_json_string(json, NULL, "other");
    imp_json_end_list(json);
    free(known);
    return known ? IMP_OK : imp_out_of_memory();
}

/* The names of the places along a dimension; an empty list if it has none. */
static void add_members(imp_json *json, const imp_catalog *catalog, const char *dimension,
                        int64_t length) {
    const imp_variable *scale = *dimension ? imp_catalog_find(catalog, dimension) : NULL;
    char names[sizeof scale->members];
    int64_t n = 0;
    snprintf(names, sizeof names, "%s", scale ? scale->members : "");
    for (const char *at = names; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        n++;
    }
    imp_json_list(json, "members");
    char *rest = NULL;
    for (char *name = n == length ? strtok_r(names, " ", &rest) : NULL; name;
         name = strtok_r(NULL, " ", &rest)) {
        imp_json_string(json, NULL, name);
    }
    imp_json_end_list(json);
}

static imp_err add_field(imp_page *page, const imp_catalog *catalog, const imp_page_cells *cells,
                         const imp_variable *v) {
    imp_json *json = &page->about;
    int64_t length = imp_catalog_length(catalog, v), n = cells->n * length;
    double *values = malloc((size_t)n * sizeof *values);
    imp_err error = values ? imp_page_cells_read(cells, catalog, v, values) : imp_out_of_memory();
    if (!error) {
        bool several = v->rank > imp_catalog_grid(catalog)->rank;
        begin_variable(json, v);
        imp_json_whole(json, "length", length);
        const char *dimension = several ? v->dimensions[v->rank - 1] : "";
        imp_json_string(json, "dimension", dimension);
        add_members(json, catalog, dimension, length);
        error = v->kind == IMP_SEQUENCE ? name_sequences(json, values, n) : IMP_OK;
        imp_page_add(page, "values", type_of(v), values, n);
        imp_json_end_object(json);
    }
    free(values);
    return error;
}

/* ---- the sample: exact values of a few cells, which the page recomputes ---- */

/* Adds its sequences as texts, or its other values as arrays. */
static imp_err add_values_of(imp_page *page, const imp_catalog *catalog,
                             const imp_page_cells *cells, bool sequences, double *room) {
    imp_err error = IMP_OK;
    imp_json_object(&page->about, sequences ? "texts" : "values");
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (!is_field(v) || imp_catalog_length(catalog, v) != 1 ||
            (v->kind == IMP_SEQUENCE) != sequences) {
            continue;
        }
        error = imp_page_cells_read(cells, catalog, v, room);
        if (!sequences) {
            imp_page_add(page, v->name, IMP_PAGE_F8, room, cells->n);
            continue;
        }
        imp_json_list(&page->about, v->name);
        for (int64_t k = 0; !error && k < cells->n; k++) {
            add_sequence(&page->about, room[k]);
        }
        imp_json_end_list(&page->about);
    }
    imp_json_end_object(&page->about);
    return error;
}

/* Adds the numbers of the cells that a page has. */
static void add_numbers(imp_page *page, imp_page_type type, const imp_page_cells *cells,
                        double *room) {
    for (int64_t i = 0; i < cells->n; i++) {
        room[i] = (double)cells->cell[i];
    }
    imp_page_add(page, "cells", type, room, cells->n);
}

static imp_err add_sample(imp_page *page, const imp_catalog *catalog) {
    imp_page_cells cells;
    imp_err error = imp_page_cells_sample(catalog, SAMPLE, &cells);
    double *room = error ? NULL : malloc((size_t)cells.n * sizeof *room);
    error = error || room ? error : imp_out_of_memory();
    imp_json_object(&page->about, "sample");
    error = error ? error : add_values_of(page, catalog, &cells, false, room);
    error = error ? error : add_values_of(page, catalog, &cells, true, room);
    if (!error) {
        add_numbers(page, IMP_PAGE_F8, &cells, room);
    }
    imp_json_end_object(&page->about);
    free(room);
    imp_page_cells_free(&cells);
    return error;
}

/* ---- boundaries, junctions and regions of a refined map, and triangles of surfaces ---- */

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

/* ---- all of it ---- */

/* Bytes of one cell of a page. */
static int64_t cell_bytes(const imp_catalog *catalog) {
    int64_t bytes = (int64_t)imp_page_width(IMP_PAGE_U4);
    for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (is_field(v)) {
            bytes += (int64_t)imp_page_width(type_of(v)) * imp_catalog_length(catalog, v);
        }
    }
    return bytes;
}

static imp_err add_cells(imp_page *page, const imp_catalog *catalog, const imp_page_cells *cells) {
    imp_err error = IMP_OK;
    imp_json_list(&page->about, "fields");
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(catalog, v)) != NULL;) {
        error = is_field(v) ? add_field(page, catalog, cells, v) : IMP_OK;
    }
    imp_json_end_list(&page->about);
    double *room = cells->reduced ? malloc((size_t)cells->n * sizeof *room) : NULL;
    if (room) {
        bool wide = imp_catalog_grid(catalog)->size > UINT32_MAX;
        add_numbers(page, wide ? IMP_PAGE_F8 : IMP_PAGE_U4, cells, room);
    } else if (cells->reduced && !error) {
        error = imp_out_of_memory();
    }
    free(room);
    return error;
}

static void add_text(imp_json *json, const imp_catalog *catalog, const char *name) {
    if (imp_catalog_text(catalog, name)) {
        imp_json_string(json, name, imp_catalog_text(catalog, name));
    }
}

imp_err imp_page_add_map(imp_page *page, const imp_catalog *catalog, int64_t most_bytes) {
    imp_page_cells cells;
    imp_json_object(&page->about, "map");
    add_text(&page->about, catalog, "config");
    add_text(&page->about, catalog, "figure");
    add_text(&page->about, catalog, "results_version");
    imp_err error = imp_page_cells_choose(catalog, most_bytes / cell_bytes(catalog), &cells);
    error = error ? error : add_given(page, catalog, &cells);
    error = error ? error : add_cells(page, catalog, &cells);
    error = error ? error : add_sample(page, catalog);
    imp_page_cells_free(&cells);
    imp_json_end_object(&page->about);
    return error;
}
