/* A map on a page: axes, fixed values, outputs, and a sample of exact values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/page.h"
#include "cmd/page_cells.h"

enum { SAMPLE = 512, TEXTS = 4096 };

static json_t *text_of(const char *text) {
    json_t *string = json_string(text);
    return string ? string : json_string("?"); /* not UTF-8 */
}

/* {code: name} of a category. */
static json_t *flags_of(const imp_variable *v) {
    json_t *flags = json_object();
    for (int f = 0; f < v->n_flags; f++) {
        char code[16];
        snprintf(code, sizeof code, "%d", v->codes[f]);
        json_object_set_new(flags, code, text_of(v->flags[f]));
    }
    return flags;
}

static json_t *variable_of(const imp_variable *v) {
    static const char *const kinds[] = {
        [IMP_REAL] = "real", [IMP_CATEGORY] = "category", [IMP_SEQUENCE] = "sequence"};
    return json_pack("{s:o, s:o, s:s, s:b, s:o, s:o}", "name", text_of(v->name), "unit",
                     text_of(v->unit), "kind", kinds[v->kind], "single", v->single, "spacing",
                     text_of(v->spacing), "flags", flags_of(v));
}

/* ---- axes and fixed values ---- */

static imp_err add_values(imp_page *page, const imp_catalog *catalog, const imp_variable *v,
                          json_t *list) {
    double *values = malloc((size_t)v->size * sizeof *values);
    imp_err error = values ? imp_catalog_read(catalog, v, 0, v->size, values)
                           : imp_fail(IMP_ERR_MEMORY, "out of memory");
    if (!error) {
        json_t *variable = variable_of(v);
        json_object_set_new(variable, "values", imp_page_add(page, IMP_PAGE_F8, values, v->size));
        json_array_append_new(list, variable);
    }
    free(values);
    return error;
}

static imp_err add_axis(imp_page *page, const imp_catalog *catalog, int axis,
                        const imp_page_cells *cells, json_t *axes) {
    const imp_variable *grid = imp_catalog_grid(catalog);
    json_t *columns = json_array();
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        bool given = v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN;
        if (given && !v->formula[0] && imp_catalog_axis(catalog, v) == axis) {
            error = add_values(page, catalog, v, columns);
        }
    }
    json_array_append_new(axes, json_pack("{s:o, s:I, s:I, s:I, s:o}", "name",
                                          text_of(grid->dimensions[axis]), "size",
                                          (json_int_t)grid->extents[axis], "stride",
                                          (json_int_t)cells->stride[axis], "blocks",
                                          (json_int_t)cells->extents[axis], "columns", columns));
    return error;
}

static imp_err add_given(imp_page *page, const imp_catalog *catalog, const imp_page_cells *cells,
                         json_t *map) {
    json_t *axes = json_array(), *fixed = json_array(), *formulas = json_array();
    imp_err error = IMP_OK;
    for (int a = 0; !error && a < imp_catalog_grid(catalog)->rank; a++) {
        error = add_axis(page, catalog, a, cells, axes);
    }
    for (int i = 0; !error && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        bool given = v->role == IMP_IS_FIXED && v->size == 1;
        if (v->formula[0]) {
            json_array_append_new(formulas,
                                  json_pack("{s:o, s:o, s:o}", "name", text_of(v->name), "unit",
                                            text_of(v->unit), "formula", text_of(v->formula)));
        } else if (given) {
            error = add_values(page, catalog, v, fixed);
        }
    }
    json_object_set_new(map, "axes", axes);
    json_object_set_new(map, "fixed", fixed);
    json_object_set_new(map, "formulas", formulas);
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

static json_t *sequence_of(double value) {
    char text[256] = "";
    bool valid = value >= 0 && value < 0x1p53;
    imp_sequence_text(valid ? (uint64_t)value : 0, sizeof text, text);
    return json_string(text);
}

/* Replaces sequences by the numbers of their texts. Sequences beyond the first TEXTS, of which no
 * known theory has so many, get the number of "other". */
static json_t *name_sequences(double *values, int64_t n) {
    double *known = malloc(TEXTS * sizeof *known);
    json_t *texts = json_array();
    int count = 0, last = 0;
    for (int64_t i = 0; known && i < n; i++) {
        if (count == 0 || known[last] != values[i]) {
            for (last = 0; last < count && known[last] != values[i]; last++) {
            }
        }
        if (last == count && count < TEXTS) {
            known[count++] = values[i];
            json_array_append_new(texts, sequence_of(values[i]));
        }
        values[i] = last;
        last = last < count ? last : 0;
    }
    json_array_append_new(texts, json_string("other"));
    free(known);
    return texts;
}

static imp_err add_field(imp_page *page, const imp_catalog *catalog, const imp_page_cells *cells,
                         const imp_variable *v, json_t *fields) {
    int64_t length = imp_catalog_length(catalog, v), n = cells->n * length;
    double *values = malloc((size_t)n * sizeof *values);
    imp_err error = values ? imp_page_cells_read(cells, catalog, v, values)
                           : imp_fail(IMP_ERR_MEMORY, "out of memory");
    if (!error) {
        json_t *field = variable_of(v);
        json_object_set_new(field, "length", json_integer(length));
        json_object_set_new(
            field, "dimension",
            text_of(v->rank > imp_catalog_grid(catalog)->rank ? v->dimensions[v->rank - 1] : ""));
        if (v->kind == IMP_SEQUENCE) {
            json_object_set_new(field, "texts", name_sequences(values, n));
        }
        json_object_set_new(field, "values", imp_page_add(page, type_of(v), values, n));
        json_array_append_new(fields, field);
    }
    free(values);
    return error;
}

static json_t *sequences_of(const double *values, int64_t n) {
    json_t *texts = json_array();
    for (int64_t i = 0; i < n; i++) {
        json_array_append_new(texts, sequence_of(values[i]));
    }
    return texts;
}

/* Exact values of a few cells, which the page recomputes. */
static imp_err add_sample(imp_page *page, const imp_catalog *catalog, json_t *map) {
    imp_page_cells cells;
    json_t *values = json_object(), *texts = json_object();
    imp_err error = imp_page_cells_sample(catalog, SAMPLE, &cells);
    double *room = error ? NULL : malloc((size_t)cells.n * sizeof *room);
    for (int i = 0; !error && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        if (room && is_field(v) && imp_catalog_length(catalog, v) == 1) {
            error = imp_page_cells_read(&cells, catalog, v, room);
            if (v->kind == IMP_SEQUENCE) {
                json_object_set_new(texts, v->name, sequences_of(room, cells.n));
            } else {
                json_object_set_new(values, v->name,
                                    imp_page_add(page, IMP_PAGE_F8, room, cells.n));
            }
        }
    }
    for (int64_t i = 0; room && i < cells.n; i++) {
        room[i] = (double)cells.cell[i];
    }
    json_t *numbers = room ? imp_page_add(page, IMP_PAGE_F8, room, cells.n) : json_null();
    json_object_set_new(
        map, "sample",
        json_pack("{s:o, s:o, s:o}", "cells", numbers, "values", values, "texts", texts));
    free(room);
    imp_page_cells_free(&cells);
    return error;
}

/* Bytes of one cell of a page. */
static int64_t cell_bytes(const imp_catalog *catalog) {
    int64_t bytes = (int64_t)imp_page_width(IMP_PAGE_U4);
    for (int i = 0; i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        if (is_field(v)) {
            bytes += (int64_t)imp_page_width(type_of(v)) * imp_catalog_length(catalog, v);
        }
    }
    return bytes;
}

static imp_err add_cells(imp_page *page, const imp_catalog *catalog, const imp_page_cells *cells,
                         json_t *map) {
    json_t *fields = json_array();
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        error = is_field(v) ? add_field(page, catalog, cells, v, fields) : IMP_OK;
    }
    json_object_set_new(map, "fields", fields);
    double *numbers = cells->reduced ? malloc((size_t)cells->n * sizeof *numbers) : NULL;
    for (int64_t b = 0; numbers && b < cells->n; b++) {
        numbers[b] = (double)cells->cell[b];
    }
    if (numbers) {
        bool wide = imp_catalog_grid(catalog)->size > UINT32_MAX;
        json_object_set_new(
            map, "cells", imp_page_add(page, wide ? IMP_PAGE_F8 : IMP_PAGE_U4, numbers, cells->n));
    }
    free(numbers);
    return error;
}

static void add_text(json_t *map, const imp_catalog *catalog, const char *name) {
    imp_text text = {0};
    if (imp_catalog_text(catalog, name, &text)) {
        json_object_set_new(map, name, text_of(imp_text_get(&text)));
    }
    imp_text_free(&text);
}

imp_err imp_page_add_map(imp_page *page, const imp_catalog *catalog, int64_t most_bytes) {
    imp_page_cells cells;
    json_t *map = json_object();
    json_object_set_new(page->about, "map", map);
    add_text(map, catalog, "config");
    add_text(map, catalog, "figure");
    add_text(map, catalog, "results_version");
    imp_err error = imp_page_cells_choose(catalog, most_bytes / cell_bytes(catalog), &cells);
    error = error ? error : add_given(page, catalog, &cells, map);
    error = error ? error : add_cells(page, catalog, &cells, map);
    error = error ? error : add_sample(page, catalog, map);
    imp_page_cells_free(&cells);
    return error;
}
