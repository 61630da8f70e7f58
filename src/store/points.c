#include "store/points.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/disk.h"
#include "store/partial.h"
#include "store/points_impl.h"
#include "store/verify.h"

int64_t imp_map_rows(const imp_map *map) {
    return map->cells;
}

/* ---- reading ---- */

/* The first n rows of an extent, to be freed; NULL and *error on failure or if there is an error
 * already. */
static void *load(const imp_map *map, const imp_extent *extent, size_t size, int64_t n,
                  imp_err *error) {
    void *bytes = *error ? NULL : malloc((size_t)n * size + 1);
    if (!*error && !bytes) {
        *error = imp_out_of_memory();
    }
    *error =
        *error ? *error
               : imp_disk_read(map->descriptor, map->path, bytes, (size_t)n * size, extent->offset);
    if (*error) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

/* Reads keys and cells, which determine the coordinates. */
static imp_err read_places(const imp_map *map, imp_known *known) {
    imp_point_column columns[IMP_PLACE_COLUMNS];
    imp_err error = IMP_OK;
    int n = imp_point_columns(map->sweep, columns);
    for (int i = 0; !error && i < n; i++) {
        const imp_point_column *c = &columns[i];
        size_t axes = c->size / sizeof(uint32_t);
        void *bytes = c->axis < 0 ? load(map, &map->places[i], c->size, known->rows, &error) : NULL;
        for (int64_t row = 0; bytes && row < known->rows; row++) {
            imp_point *point = &known->points[row];
            if (c->kind == IMP_POINT_IS_KEY) {
                memcpy(point->key, (uint32_t *)bytes + (size_t)row * axes, c->size);
            } else {
                point->cell = ((int64_t *)bytes)[row];
            }
        }
        free(bytes);
    }
    return error;
}

static bool lies_inside(const imp_sweep *sweep, const imp_point *point) {
    int axes = sweep->refine.lattice.n_axes;
    bool inside = point->cell >= 0 && point->cell < imp_sweep_outer_cells(sweep);
    for (int k = 0; k < axes; k++) {
        inside = inside && point->key[k] <= UINT32_C(1) << imp_lattice_bits(axes);
    }
    return inside;
}

static imp_err check_places(const imp_map *map, const imp_known *known) {
    for (int64_t row = 0; row < known->rows; row++) {
        if (known->outcomes[row] != IMP_PENDING && !lies_inside(map->sweep, &known->points[row])) {
            return imp_fail(IMP_ERR_INPUT,
                            "%s: is damaged: point %lld is outside the refined ranges", map->path,
                            (long long)row);
        }
    }
    return IMP_OK;
}

static imp_err read_values(const imp_map *map, imp_known *known) {
    const imp_sweep *sweep = map->sweep;
    int n_rules = sweep->refine.n_rules;
    imp_err error = IMP_OK;
    for (int r = 0; !error && r < n_rules; r++) {
        int output = sweep->refine.rules[r].output, o = imp_sweep_rule_position(sweep, r);
        if (o < 0) {
            continue; /* by the outcome alone */
        }
        void *bytes = load(map, &map->outputs[o], map->layout.size[o], known->rows, &error);
        for (int64_t row = 0; bytes && row < known->rows; row++) {
            known->values[row * n_rules + r] = imp_block_value(sweep, output, bytes, (size_t)row);
        }
        free(bytes);
    }
    return error;
}

imp_err imp_map_read_points(imp_map *map, imp_known *known) {
    size_t all = (size_t)map->cells;
    *known = (imp_known){.outcomes = malloc(all + 1), .modes = malloc(all + 1)};
    if (!known->outcomes || !known->modes) {
        return imp_out_of_memory();
    }
    imp_err error = imp_map_read(map, 0, all, known->outcomes, known->modes);
    for (size_t row = 0; !error && row < all; row++) {
        if (known->outcomes[row] != IMP_PENDING) {
            known->rows = (int64_t)row + 1;
            known->marked++;
        }
    }
    size_t rows = (size_t)known->rows + 1;
    known->points = calloc(rows, sizeof *known->points);
    known->values = calloc(rows * (size_t)map->sweep->refine.n_rules, sizeof *known->values);
    if (!error && (!known->points || !known->values)) {
        error = imp_out_of_memory();
    }
    error = error ? error : read_places(map, known);
    error = error ? error : check_places(map, known);
    return error ? error : read_values(map, known);
}

void imp_known_free(imp_known *known) {
    free(known->points);
    free(known->outcomes);
    free(known->modes);
    free(known->values);
    *known = (imp_known){.rows = 0};
}

/* ---- writing places ---- */

static void fill(const imp_sweep *sweep, const imp_point_column *c, size_t n,
                 const imp_point *points, unsigned char *bytes) {
    for (size_t i = 0; i < n; i++) {
        double value = c->axis >= 0 ? imp_point_value(sweep, c->axis, c->column, &points[i]) : 0;
        int8_t option = (int8_t)value;
        const void *from = c->kind == IMP_POINT_IS_VALUE    ? (const void *)&value
                           : c->kind == IMP_POINT_IS_CHOICE ? (const void *)&option
                           : c->kind == IMP_POINT_IS_KEY    ? (const void *)points[i].key
                                                            : (const void *)&points[i].cell;
        memcpy(bytes + i * c->size, from, c->size);
    }
}

imp_err imp_map_place(imp_map *map, int64_t first, size_t n, const imp_point *points) {
    assert(first >= 0 && first + (int64_t)n <= imp_map_rows(map));
    imp_point_column columns[IMP_PLACE_COLUMNS];
    int n_columns = imp_point_columns(map->sweep, columns);
    unsigned char *bytes = malloc(n * sizeof *points + 1);
    imp_err error = bytes ? IMP_OK : imp_out_of_memory();
    for (int i = 0; !error && i < n_columns; i++) {
        size_t size = columns[i].size;
        fill(map->sweep, &columns[i], n, points, bytes);
        error = imp_disk_write(map->descriptor, map->path, bytes, n * size,
                               map->places[i].offset + first * (int64_t)size);
    }
    free(bytes);
    return error;
}

/* ---- writing the file anew ---- */

/* The old map and the new file that replaces it. */
typedef struct rewrite {
    imp_map *map, fresh;
    int64_t n;            /* number of copied rows */
    const int64_t *order; /* their old numbers; NULL: the first n rows */
    /* Of the outputs of the grid and the outcome, in the new order. */
    unsigned char *columns[IMP_MAX_OUTPUTS + 1];
} rewrite;

/* The copied rows of a column, to be freed; NULL and *error on failure. */
static unsigned char *take_rows(const rewrite *w, const imp_extent *extent, size_t size,
                                imp_err *error) {
    int64_t rows = w->order ? w->map->cells : w->n;
    unsigned char *all = load(w->map, extent, size, rows, error);
    if (!all || !w->order) {
        return all;
    }
    unsigned char *bytes = malloc((size_t)w->n * size + 1);
    for (int64_t i = 0; bytes && i < w->n; i++) {
        memcpy(bytes + (size_t)i * size, all + (size_t)w->order[i] * size, size);
    }
    *error = bytes ? IMP_OK : imp_out_of_memory();
    free(all);
    return bytes;
}

static imp_err copy_column(const rewrite *w, const imp_extent *from, const imp_extent *to,
                           size_t size) {
    imp_err error = imp_map_interrupted(w->map, "rewritten");
    unsigned char *bytes = take_rows(w, from, size, &error);
    error = error ? error
                  : imp_disk_write(w->fresh.descriptor, w->map->path, bytes, (size_t)w->n * size,
                                   to->offset);
    free(bytes);
    return error;
}

static imp_err copy_rows(const rewrite *w) {
    imp_point_column columns[IMP_PLACE_COLUMNS];
    const imp_map *from = w->map, *to = &w->fresh;
    imp_err error = IMP_OK;
    int n = imp_point_columns(from->sweep, columns);
    for (int i = 0; !error && i < n; i++) {
        error = copy_column(w, &from->places[i], &to->places[i], columns[i].size);
    }
    for (int o = 0; !error && o < from->layout.n_outputs; o++) {
        error = copy_column(w, &from->outputs[o], &to->outputs[o], from->layout.size[o]);
    }
    return error ? error : copy_column(w, &from->outcome, &to->outcome, 1);
}

/* Copies sessions and writer; the flag `complete` is written at the end of the run. */
static imp_err copy_bookkeeping(const rewrite *w) {
    imp_err error = IMP_OK;
    for (int f = 0; f <= IMP_N_SESSION_FIELDS; f++) {
        bool last = f == IMP_N_SESSION_FIELDS;
        const imp_extent *from = last ? &w->map->writer : &w->map->sessions[f];
        const imp_extent *to = last ? &w->fresh.writer : &w->fresh.sessions[f];
        void *bytes = load(w->map, from, 1, from->bytes, &error);
        error = error ? error
                      : imp_disk_write(w->fresh.descriptor, w->map->path, bytes,
                                       (size_t)from->bytes, to->offset);
        free(bytes);
    }
    return error;
}

static imp_err lay_out(rewrite *w, const imp_findings *findings) {
    imp_image image = {.n = 0};
    imp_err error = IMP_OK;
    for (int i = 0; !error && findings && i <= w->map->layout.n_outputs; i++) {
        bool outcome = i == w->map->layout.n_outputs;
        if (outcome || imp_findings_in_grid(w->map->sweep, w->map->sweep->outputs[i])) {
            w->columns[i] = take_rows(w, outcome ? &w->map->outcome : &w->map->outputs[i],
                                      w->map->layout.size[i], &error);
        }
    }
    error = error ? error
                  : imp_refined_layout_create(&image, w->map->path, w->map->sweep, &w->map->origins,
                                              w->fresh.cells, findings,
                                              (const unsigned char *const *)w->columns);
    error = error ? error : imp_map_interrupted(w->map, "rewritten");
    error = error ? error : imp_map_reserve(&w->fresh, image.size);
    error = error ? error : imp_image_store(&image, w->fresh.descriptor, w->map->path);
    imp_image_free(&image);
    for (int i = 0; i <= w->map->layout.n_outputs; i++) {
        free(w->columns[i]);
    }
    return error;
}

/* Replaces the old map in memory by the new one. */
static imp_err take_over(rewrite *w) {
    imp_map *map = w->map;
    imp_err error = imp_disk_close(map->descriptor, map->path);
    imp_marks marks = map->marks;
    *map = w->fresh;
    map->marks = marks;
    map->unsynced = 0;
    return error;
}

/* Syncs all values of the old file and copies its marked rows to a new one, which replaces it. */
static imp_err write_anew(imp_map *map, int64_t rows, int64_t n, const int64_t *order,
                          const imp_findings *findings) {
    rewrite w = {.map = map, .fresh = *map, .n = n, .order = order};
    imp_partial partial = {.descriptor = -1};
    imp_err error = imp_map_finish(map);
    error = error ? error : imp_partial_create(map->path, &partial);
    w.fresh.cells = rows;
    w.fresh.descriptor = partial.descriptor;
    error = error ? error : lay_out(&w, findings);
    error = error ? error : imp_map_attach(&w.fresh);
    error = error ? error : imp_map_fill(&w.fresh, n);
    error = error ? error : copy_rows(&w);
    error = error ? error : copy_bookkeeping(&w);
    error = error ? error : imp_map_check_path(map);
    error = error ? error : imp_map_interrupted(map, "rewritten");
    error = error ? error : imp_partial_finish(&partial, true);
    if (error) {
        imp_partial_discard(&partial);
        return error;
    }
    return take_over(&w);
}

imp_err imp_map_grow(imp_map *map, int64_t rows) {
    return write_anew(map, rows + rows / 2, map->cells, NULL, NULL);
}

imp_err imp_map_conclude(imp_map *map, int64_t n, const int64_t *order,
                         const imp_findings *findings) {
    assert(n >= 0 && n <= imp_map_rows(map));
    return write_anew(map, n, n, order, findings);
}

imp_err imp_map_renew(imp_map *map) {
    imp_catalog *catalog;
    bool same = false;
    imp_err error = imp_catalog_attach(map->descriptor, map->path, &catalog);
    if (error) {
        return error;
    }
    error = imp_verify(catalog, map->sweep, &same);
    error = error || !same ? error : imp_map_adopt_origins(map, catalog);
    imp_catalog_close(&catalog);
    return error || same ? error : imp_map_grow(map, map->cells);
}
