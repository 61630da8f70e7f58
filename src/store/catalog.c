#include "store/catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "grid/grid.h"
#include "store/fingerprint.h"
#include "store/layout.h"

/* Deflate makes at most 1032 bytes of one. */
enum { MAX_VARIABLES = 256, BYTES_AT_ONCE = 4 << 20, MOST_FROM_ONE = 2048 };

struct imp_catalog {
    char *path;
    hid_t file;
    imp_variable *variables;
    int n;
    const imp_variable *grid;
    char damaged[IMP_NAME]; /* a dataset that cannot be used although it says that it is ours */
};

/* ---- describing one dataset ---- */

/* What a file says is shown on terminals. */
static void copy_name(char name[IMP_NAME], const char *text, size_t length) {
    snprintf(name, IMP_NAME, "%.*s", (int)(length < IMP_NAME ? length : IMP_NAME), text);
    for (char *at = name; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 0x7F ? '?' : *at;
    }
}

static void read_unit(hid_t dataset, imp_variable *v) {
    imp_text unit = {0};
    if (imp_h5_get_text(dataset, "units", &unit)) {
        copy_name(v->unit, imp_text_get(&unit), unit.length);
    }
    imp_text_free(&unit);
}

static imp_role read_role(hid_t dataset) {
    static const char *const names[] = {
        [IMP_IS_OTHER] = "",
        [IMP_IS_AXIS] = IMP_ROLE_AXIS,
        [IMP_IS_COLUMN] = IMP_ROLE_COLUMN,
        [IMP_IS_DIMENSION] = IMP_ROLE_DIMENSION,
        [IMP_IS_FIXED] = IMP_ROLE_FIXED,
        [IMP_IS_OUTPUT] = IMP_ROLE_OUTPUT,
        [IMP_IS_OUTCOME] = IMP_ROLE_OUTCOME,
        [IMP_IS_SESSION] = IMP_ROLE_SESSION,
    };
    imp_text text = {0};
    imp_role role = IMP_IS_OTHER;
    if (imp_h5_get_text(dataset, IMP_ATTRIBUTE_ROLE, &text)) {
        for (int r = IMP_IS_AXIS; r <= IMP_IS_SESSION; r++) {
            role = strcmp(imp_text_get(&text), names[r]) == 0 ? (imp_role)r : role;
        }
    }
    imp_text_free(&text);
    return role;
}

static int read_codes(hid_t dataset, int8_t codes[IMP_MAX_FLAGS]) {
    if (H5Aexists(dataset, "flag_values") <= 0) {
        return 0;
    }
    hid_t attribute = H5Aopen(dataset, "flag_values", H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    bool good = n > 0 && n <= IMP_MAX_FLAGS && H5Tget_class(type) == H5T_INTEGER &&
                H5Aread(attribute, H5T_NATIVE_INT8, codes) >= 0;
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return good ? (int)n : 0;
}

static void read_flags(hid_t dataset, imp_variable *v) {
    imp_text meanings = {0};
    int n = read_codes(dataset, v->codes);
    if (n > 0 && imp_h5_get_text(dataset, "flag_meanings", &meanings)) {
        const char *at = imp_text_get(&meanings);
        for (; v->n_flags < n && *(at += strspn(at, " ")); v->n_flags++) {
            size_t length = strcspn(at, " ");
            copy_name(v->flags[v->n_flags], at, length);
            at += length;
        }
    }
    imp_text_free(&meanings);
}

static bool read_shape(hid_t dataset, imp_variable *v) {
    hsize_t extents[IMP_MAX_RANK];
    hid_t space = H5Dget_space(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool good = rank >= 0 && rank <= IMP_MAX_RANK && H5Sis_simple(space) > 0 &&
                H5Sget_simple_extent_type(space) != H5S_NULL &&
                (rank == 0 || H5Sget_simple_extent_dims(space, extents, NULL) == rank);
    H5Sclose(space);
    v->rank = rank;
    v->size = 1;
    for (int d = 0; good && d < rank; d++) {
        good = extents[d] > 0 && extents[d] <= (hsize_t)(INT64_MAX / 16 / v->size);
        v->extents[d] = (int64_t)extents[d];
        v->size *= good ? (int64_t)extents[d] : 1;
    }
    return good;
}

static bool read_kind(hid_t dataset, imp_variable *v) {
    hid_t type = H5Dget_type(dataset);
    H5T_class_t class = H5Tget_class(type);
    size_t size = H5Tget_size(type);
    v->single = class == H5T_FLOAT && size == sizeof(float);
    v->kind = class == H5T_INTEGER && v->n_flags > 0 ? IMP_CATEGORY
              : strcmp(v->name, "sequence") == 0     ? IMP_SEQUENCE
                                                     : IMP_REAL;
    H5Tclose(type);
    return (class == H5T_FLOAT || class == H5T_INTEGER) && size > 0 && size <= sizeof(double);
}

/* Whether the values are in this file and nowhere else, and fill about the room that they must: a
 * few bytes can claim any number of values that were never written, which would take for ever to
 * read. */
static bool is_stored(hid_t dataset, const imp_variable *v) {
    hid_t creation = H5Dget_create_plist(dataset);
    H5D_layout_t layout = H5Pget_layout(creation);
    bool here = (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED || layout == H5D_COMPACT) &&
                H5Pget_external_count(creation) == 0;
    H5Pclose(creation);
    return here && H5Dget_storage_size(dataset) >= (hsize_t)v->size / MOST_FROM_ONE;
}

static herr_t note_scale(hid_t dataset, unsigned dimension, hid_t scale, void *context) {
    (void)dataset;
    (void)dimension;
    char path[IMP_NAME] = "";
    H5Iget_name(scale, path, sizeof path);
    snprintf(context, IMP_NAME, "%s", path[0] == '/' ? path + 1 : path);
    return 1;
}

static bool is_scale(hid_t dataset) {
    imp_text class = {0};
    bool is = imp_h5_get_text(dataset, "CLASS", &class) &&
              strcmp(imp_text_get(&class), "DIMENSION_SCALE") == 0;
    imp_text_free(&class);
    return is;
}

/* HDF5 reads the list of scales into memory for `rank` of them, however long it is. */
static bool has_scales(hid_t dataset, int rank) {
    if (H5Aexists(dataset, "DIMENSION_LIST") <= 0) {
        return false;
    }
    hid_t attribute = H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    hid_t base = H5Tget_class(type) == H5T_VLEN ? H5Tget_super(type) : -1;
    bool good = H5Sget_simple_extent_npoints(space) == rank && H5Tequal(base, H5T_STD_REF_OBJ) > 0;
    H5Tclose(base);
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

static void read_dimensions(hid_t dataset, imp_variable *v) {
    if (v->rank == 1 && is_scale(dataset)) {
        memcpy(v->dimensions[0], v->name, IMP_NAME);
        return;
    }
    for (int d = 0; d < v->rank && has_scales(dataset, v->rank); d++) {
        H5DSiterate_scales(dataset, (unsigned)d, NULL, note_scale, v->dimensions[d]);
    }
}

/* False if the dataset is unusable, although it says that it is one of ours. */
static bool describe(hid_t dataset, const char *name, imp_variable *v, bool *usable) {
    *v = (imp_variable){.rank = 0};
    memcpy(v->name, name, strlen(name) + 1);
    v->role = read_role(dataset);
    read_flags(dataset, v);
    *usable = read_shape(dataset, v) && read_kind(dataset, v) && is_stored(dataset, v);
    if (*usable) {
        read_unit(dataset, v);
        read_dimensions(dataset, v);
    }
    return *usable || v->role == IMP_IS_OTHER;
}

static bool is_name(const char *name) {
    const char *at = name;
    while ((unsigned char)*at >= ' ' && *at != 0x7F) {
        at++;
    }
    return *at == 0 && at - name < IMP_NAME;
}

/* Other files' objects (soft and external links) are not ours. */
static herr_t note_object(hid_t group, const char *name, const H5L_info_t *info, void *context) {
    imp_catalog *catalog = context;
    bool usable = false;
    if (!info->corder_valid) {
        return -1;
    }
    if (info->type != H5L_TYPE_HARD || catalog->n == MAX_VARIABLES || !is_name(name)) {
        return 0;
    }
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    bool good = object >= 0 && (H5Iget_type(object) != H5I_DATASET ||
                                describe(object, name, &catalog->variables[catalog->n], &usable));
    catalog->variables[catalog->n].order = info->corder;
    catalog->n += usable;
    if (object >= 0) {
        H5Oclose(object);
    }
    if (!good) {
        memcpy(catalog->damaged, name, strlen(name) + 1);
    }
    return good ? 0 : -1;
}

/* ---- the interface ---- */

/* An output has the shape of the grid, or one dimension more that has a scale of its own. */
static bool fits_grid(const imp_catalog *c, const imp_variable *v) {
    int rank = c->grid->rank;
    bool good = (v->rank == rank || v->rank == rank + 1) &&
                memcmp(v->extents, c->grid->extents, (size_t)rank * sizeof *v->extents) == 0;
    if (!good || v->rank == rank) {
        return good;
    }
    const imp_variable *scale = imp_catalog_find(c, v->dimensions[rank]);
    return scale && scale->role == IMP_IS_DIMENSION && scale->size == v->extents[rank];
}

/* One outcome, outputs of its shape, and coordinates as long as their dimension. */
static bool find_grid(imp_catalog *c) {
    for (int i = 0; i < c->n; i++) {
        if (c->variables[i].role == IMP_IS_OUTCOME) {
            c->grid = &c->variables[i];
        }
    }
    bool good = c->grid && c->grid->rank <= IMP_MAX_AXES;
    for (int i = 0; good && i < c->n; i++) {
        const imp_variable *v = &c->variables[i];
        if (v->role == IMP_IS_OUTPUT) {
            good = fits_grid(c, v);
        } else if (v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN) {
            int axis = imp_catalog_axis(c, v);
            good = v->rank == 1 && axis >= 0 && v->size == c->grid->extents[axis];
        } else if (v->role == IMP_IS_DIMENSION) {
            good = v->rank == 1;
        } else if (v->role == IMP_IS_FIXED) {
            good = v->rank == 0;
        }
    }
    return good;
}

static int by_order(const void *a, const void *b) {
    const imp_variable *one = a, *other = b;
    return (one->order > other->order) - (one->order < other->order);
}

static imp_err survey(imp_catalog *c) {
    int64_t format = 0;
    if (!imp_h5_get_integer(c->file, IMP_ATTRIBUTE_FORMAT, &format)) {
        return imp_fail(IMP_ERR_INPUT, "%s: is not a map of impactsweep", c->path);
    }
    if (format != IMP_FORMAT) {
        return imp_fail(IMP_ERR_INPUT, "%s: has format %lld, this program reads %d", c->path,
                        (long long)format, IMP_FORMAT);
    }
    /* In another order HDF5 1.10 makes a list first, and frees what it could not read of it. */
    hsize_t index = 0;
    if (H5Literate(c->file, H5_INDEX_NAME, H5_ITER_NATIVE, &index, note_object, c) < 0) {
        const char *where = c->damaged[0] ? c->damaged : "the list of its datasets";
        return imp_fail(IMP_ERR_IO, "%s: is damaged: %s", c->path, where);
    }
    qsort(c->variables, (size_t)c->n, sizeof *c->variables, by_order);
    return find_grid(c) ? IMP_OK
                        : imp_fail(IMP_ERR_IO,
                                   "%s: its datasets do not fit together; it is damaged", c->path);
}

imp_err imp_catalog_open(const char *path, imp_catalog **catalog) {
    imp_catalog *c = calloc(1, sizeof *c);
    *catalog = NULL;
    if (!c) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    c->file = -1;
    c->path = strdup(path);
    c->variables = calloc(MAX_VARIABLES, sizeof *c->variables);
    imp_err error = c->path && c->variables ? imp_h5_open(path, &c->file)
                                            : imp_fail(IMP_ERR_MEMORY, "out of memory");
    error = error ? error : survey(c);
    if (error) {
        imp_catalog_close(&c);
        return error;
    }
    *catalog = c;
    return IMP_OK;
}

void imp_catalog_close(imp_catalog **catalog) {
    imp_catalog *c = *catalog;
    if (!c) {
        return;
    }
    if (c->file >= 0) {
        H5Fclose(c->file);
    }
    free(c->variables);
    free(c->path);
    free(c);
    *catalog = NULL;
}

int imp_catalog_count(const imp_catalog *catalog) {
    return catalog->n;
}

const imp_variable *imp_catalog_at(const imp_catalog *catalog, int index) {
    return &catalog->variables[index];
}

const imp_variable *imp_catalog_find(const imp_catalog *catalog, const char *name) {
    for (int i = 0; i < catalog->n; i++) {
        if (strcmp(catalog->variables[i].name, name) == 0) {
            return &catalog->variables[i];
        }
    }
    return NULL;
}

const imp_variable *imp_catalog_grid(const imp_catalog *catalog) {
    return catalog->grid;
}

int64_t imp_catalog_length(const imp_catalog *catalog, const imp_variable *variable) {
    return variable->size / catalog->grid->size;
}

int imp_catalog_axis(const imp_catalog *catalog, const imp_variable *variable) {
    for (int a = 0; variable->rank == 1 && a < catalog->grid->rank; a++) {
        if (strcmp(variable->dimensions[0], catalog->grid->dimensions[a]) == 0) {
            return a;
        }
    }
    return -1;
}

imp_err imp_catalog_census(const imp_catalog *catalog, const imp_variable *variable,
                           int64_t counts[128]) {
    enum { AT_ONCE = 1 << 18 };
    double *values = malloc(AT_ONCE * sizeof *values);
    imp_err error = values ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
    memset(counts, 0, 128 * sizeof *counts);
    for (int64_t first = 0; !error && first < variable->size; first += AT_ONCE) {
        int64_t n = variable->size - first < AT_ONCE ? variable->size - first : AT_ONCE;
        error = imp_catalog_read(catalog, variable, first, n, values);
        for (int64_t i = 0; !error && i < n; i++) {
            counts[values[i] >= 0 && values[i] < 128 ? (int)values[i] : 127]++;
        }
    }
    free(values);
    return error;
}

bool imp_catalog_is_flag(const imp_catalog *catalog, const imp_variable *variable) {
    return variable->role == IMP_IS_OUTPUT && variable->kind == IMP_CATEGORY &&
           variable->rank == imp_catalog_grid(catalog)->rank && strcmp(variable->name, "mode") != 0;
}

const char *imp_variable_flag(const imp_variable *variable, double code) {
    for (int i = 0; i < variable->n_flags; i++) {
        if (variable->codes[i] == code) {
            return variable->flags[i];
        }
    }
    return NULL;
}

bool imp_catalog_text(const imp_catalog *catalog, const char *name, imp_text *text) {
    return imp_h5_get_text(catalog->file, name, text);
}

void imp_catalog_part(const imp_catalog *catalog, int *part, int *parts) {
    int64_t number = 0, of = 0;
    bool good = imp_h5_get_integer(catalog->file, IMP_ATTRIBUTE_PART, &number) &&
                imp_h5_get_integer(catalog->file, IMP_ATTRIBUTE_PARTS, &of) && number > 0 &&
                number <= of && of <= INT32_MAX;
    *part = good ? (int)number : 0;
    *parts = good ? (int)of : 0;
}

/* Reads an interval as a few boxes, in the given type of memory. */
static bool read_boxes(hid_t dataset, const imp_variable *v, hid_t type, int64_t first, int64_t n,
                       void *values) {
    size_t size = H5Tget_size(type);
    char *at = values;
    bool good = true;
    if (v->rank == 0) {
        return n == 1 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    }
    hid_t space = H5Dget_space(dataset);
    while (good && n > 0) {
        int64_t start[IMP_MAX_RANK], count[IMP_MAX_RANK];
        hsize_t from[IMP_MAX_RANK], extent[IMP_MAX_RANK];
        int64_t box = imp_box_of(v->rank, v->extents, first, n, start, count);
        for (int d = 0; d < v->rank; d++) {
            from[d] = (hsize_t)start[d];
            extent[d] = (hsize_t)count[d];
        }
        hid_t memory = H5Screate_simple(v->rank, extent, NULL);
        good = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, extent, NULL) >= 0 &&
               H5Dread(dataset, type, memory, space, H5P_DEFAULT, at) >= 0;
        H5Sclose(memory);
        at += (size_t)box * size;
        first += box;
        n -= box;
    }
    H5Sclose(space);
    return good;
}

imp_err imp_catalog_read(const imp_catalog *catalog, const imp_variable *variable, int64_t first,
                         int64_t n, double *values) {
    if (!variable || first < 0 || n < 1 || n > variable->size || first > variable->size - n) {
        return imp_fail(IMP_ERR_IO, "%s: lacks values", catalog->path);
    }
    hid_t dataset = H5Dopen2(catalog->file, variable->name, H5P_DEFAULT);
    bool good = dataset >= 0 && read_boxes(dataset, variable, H5T_NATIVE_DOUBLE, first, n, values);
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    return good ? IMP_OK
                : imp_fail(IMP_ERR_IO, "%s: could not read '%s'", catalog->path, variable->name);
}

static bool hash_variable(const imp_catalog *c, const imp_variable *v, imp_hash *hash,
                          char *piece) {
    hid_t dataset = H5Dopen2(c->file, v->name, H5P_DEFAULT);
    if (dataset < 0) {
        return false;
    }
    hid_t type = H5Dget_type(dataset);
    size_t size = H5Tget_size(type);
    int64_t at_once = BYTES_AT_ONCE / (int64_t)size;
    imp_text head = {0};
    imp_text_print(&head, "%s %d %zu %d", v->name, (int)H5Tget_class(type), size, v->rank);
    for (int d = 0; d < v->rank; d++) {
        imp_text_print(&head, " %lld", (long long)v->extents[d]);
    }
    imp_hash_add(hash, imp_text_get(&head), head.length + 1);
    imp_text_free(&head);
    bool good = true;
    for (int64_t first = 0; good && first < v->size; first += at_once) {
        int64_t n = v->size - first < at_once ? v->size - first : at_once;
        good = read_boxes(dataset, v, type, first, n, piece);
        imp_hash_add(hash, piece, good ? (size_t)n * size : 0);
    }
    H5Tclose(type);
    H5Dclose(dataset);
    return good;
}

static int by_name(const void *a, const void *b) {
    const imp_variable *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

imp_err imp_catalog_digest(const imp_catalog *c, char digest[65]) {
    const imp_variable *sorted[MAX_VARIABLES];
    imp_hash *hash = imp_hash_begin();
    char *piece = malloc(BYTES_AT_ONCE);
    bool good = hash && piece;
    for (int i = 0; i < c->n; i++) {
        sorted[i] = &c->variables[i];
    }
    qsort(sorted, (size_t)c->n, sizeof *sorted, by_name);
    for (int i = 0; good && i < c->n; i++) {
        if (sorted[i]->role != IMP_IS_SESSION) {
            good = hash_variable(c, sorted[i], hash, piece);
        }
    }
    free(piece);
    if (hash) {
        imp_hash_end(&hash, digest);
    }
    return good ? IMP_OK : imp_fail(IMP_ERR_IO, "%s: could not be read whole", c->path);
}
