/* The values of a map and its digest. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "grid/grid.h"
#include "store/catalog_impl.h"

enum { BYTES_AT_ONCE = 4 << 20 };

/* Reads n values from `first` on as a few boxes, converted to a type in memory. */
static bool read_boxes(hid_t dataset, const imp_variable *v, hid_t type, int64_t first, int64_t n,
                       void *values) {
    size_t size = H5Tget_size(type);
    char *at = values;
    bool good = true;
    if (H5Dget_storage_size(dataset) == 0) {
        memset(values, 0, (size_t)n * size); /* HDF5 leaves the buffer of an empty scale as it is */
    }
    if (v->rank == 0) {
        return n == 1 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, imp_h5_transfer(), values) >= 0;
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
               H5Dread(dataset, type, memory, space, imp_h5_transfer(), at) >= 0;
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
        return imp_fail(IMP_ERR_IO, "%s: is damaged: values are missing", catalog->path);
    }
    hid_t dataset = H5Dopen2(catalog->file->id, variable->name, H5P_DEFAULT);
    bool good = dataset >= 0 && read_boxes(dataset, variable, H5T_NATIVE_DOUBLE, first, n, values);
    imp_h5_shut(dataset, H5Dclose);
    return good ? IMP_OK
                : imp_h5_judge(catalog->file, catalog->path,
                               imp_fail(IMP_ERR_IO, "%s: could not read '%s'", catalog->path,
                                        variable->name));
}

imp_err imp_catalog_census(const imp_catalog *catalog, const imp_variable *variable,
                           int64_t counts[128]) {
    enum { AT_ONCE = 1 << 18 };
    double *values = malloc(AT_ONCE * sizeof *values);
    imp_err error = values ? IMP_OK : imp_out_of_memory();
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

static bool hash_variable(const imp_catalog *c, const imp_variable *v, imp_sha256 *hash,
                          char *piece) {
    hid_t dataset = H5Dopen2(c->file->id, v->name, H5P_DEFAULT);
    if (dataset < 0) {
        return false;
    }
    hid_t type = H5Dget_type(dataset);
    size_t size = H5Tget_size(type);
    if (size == 0) {
        H5Dclose(dataset);
        return false;
    }
    int64_t at_once = BYTES_AT_ONCE / (int64_t)size;
    imp_text head = {0};
    imp_text_print(&head, "%s %d %zu %d", v->name, (int)H5Tget_class(type), size, v->rank);
    for (int d = 0; d < v->rank; d++) {
        imp_text_print(&head, " %lld", (long long)v->extents[d]);
    }
    imp_sha256_add(hash, imp_text_get(&head), head.length + 1);
    imp_text_free(&head);
    bool good = true;
    for (int64_t first = 0; good && first < v->size; first += at_once) {
        int64_t n = v->size - first < at_once ? v->size - first : at_once;
        good = read_boxes(dataset, v, type, first, n, piece);
        imp_sha256_add(hash, piece, good ? (size_t)n * size : 0);
    }
    H5Tclose(type);
    H5Dclose(dataset);
    return good;
}

static int by_name(const void *a, const void *b) {
    const imp_variable *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

/* Hashes name and value of an attribute that is a text or an integer. The lists of scales are left
 * out, because they contain addresses in the file; the names of dimensions are hashed instead. */
static herr_t hash_attribute(hid_t object, const char *name, const H5A_info_t *info,
                             void *context) {
    imp_text text = {0};
    int64_t integer = 0;
    (void)info;
    imp_text_print(&text, "%s=", name);
    if (!imp_h5_get_text(object, name, &text) && imp_h5_get_integer(object, name, &integer)) {
        imp_text_print(&text, "%lld", (long long)integer);
    }
    imp_sha256_add(context, imp_text_get(&text), text.length + 1);
    herr_t status = text.failed ? -1 : 0;
    imp_text_free(&text);
    return status;
}

static bool hash_attributes(hid_t object, imp_sha256 *hash) {
    return H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, hash_attribute, hash) >= 0;
}

static bool hash_description(const imp_catalog *c, const imp_variable *v, imp_sha256 *hash) {
    hid_t dataset = H5Dopen2(c->file->id, v->name, H5P_DEFAULT);
    bool good = dataset >= 0 && hash_attributes(dataset, hash);
    for (int d = 0; d < v->rank; d++) {
        imp_sha256_add(hash, v->dimensions[d], strlen(v->dimensions[d]) + 1);
    }
    imp_sha256_add(hash, v->codes, (size_t)v->n_flags);
    imp_h5_shut(dataset, H5Dclose);
    return good;
}

imp_err imp_catalog_digest(const imp_catalog *c, bool everything, char digest[65]) {
    const imp_variable *sorted[IMP_MAX_VARIABLES];
    imp_sha256 hash = imp_sha256_begin();
    char *piece = malloc(BYTES_AT_ONCE);
    bool good = piece && (!everything || hash_attributes(c->file->id, &hash));
    imp_err error = piece ? IMP_OK : imp_out_of_memory();
    for (int i = 0; i < c->n; i++) {
        sorted[i] = &c->variables[i];
    }
    qsort(sorted, (size_t)c->n, sizeof *sorted, by_name);
    for (int i = 0; good && i < c->n; i++) {
        if (everything || sorted[i]->role != IMP_IS_SESSION) {
            good = hash_variable(c, sorted[i], &hash, piece) &&
                   (!everything || hash_description(c, sorted[i], &hash));
        }
    }
    free(piece);
    imp_sha256_end(&hash, digest);
    if (!error && !good) {
        error = imp_fail(IMP_ERR_IO, "%s: could not be read completely", c->path);
    }
    return imp_h5_judge(c->file, c->path, error);
}
