/* Describes one dataset of a map. Nothing in the dataset is trusted. */
#include <stdio.h>
#include <string.h>

#include "store/catalog_impl.h"
#include "store/names.h"

enum { MOST_FROM_ONE = 2048 }; /* values per stored byte; deflate gives at most 1032 bytes */

/* Copies a text without control characters, as texts of a file are shown on terminals. */
static void copy_text(char *to, size_t size, const char *text, size_t length) {
    snprintf(to, size, "%.*s", (int)(length < size ? length : size), text);
    for (char *at = to; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 0x7F ? '?' : *at;
    }
}

/* The start of a text attribute; "" if there is none. */
static void read_words(hid_t dataset, const char *name, size_t size, char *words) {
    imp_text text = {0};
    words[0] = 0;
    if (imp_h5_get_text(dataset, name, &text)) {
        copy_text(words, size, imp_text_get(&text), text.length);
    }
    imp_text_free(&text);
}

const char *const imp_role_names[IMP_N_ROLES] = {"",
#define NAME(role, text) text,
                                                 IMP_ROLES(NAME)
#undef NAME
};

static imp_role read_role(hid_t dataset) {
    imp_text text = {0};
    imp_role role = IMP_IS_OTHER;
    if (imp_h5_get_text(dataset, IMP_ATTRIBUTE_ROLE, &text)) {
        for (int r = IMP_IS_AXIS; r < IMP_N_ROLES; r++) {
            role = strcmp(imp_text_get(&text), imp_role_names[r]) == 0 ? (imp_role)r : role;
        }
    }
    imp_text_free(&text);
    return role;
}

static int read_codes(hid_t dataset, int8_t codes[IMP_MAX_FLAGS]) {
    hssize_t n = 0;
    hid_t type, attribute = imp_h5_open_attribute(dataset, "flag_values", &n, &type);
    if (attribute < 0) {
        return 0;
    }
    bool good = n <= IMP_MAX_FLAGS && H5Tget_class(type) == H5T_INTEGER &&
                H5Aread(attribute, H5T_NATIVE_INT8, codes) >= 0;
    H5Tclose(type);
    H5Aclose(attribute);
    return good ? (int)n : 0;
}

/* Reads at most n words of an attribute; returns how many there are. */
static int read_names(hid_t dataset, const char *name, int n, char words[][IMP_NAME]) {
    imp_text text = {0};
    int found = 0;
    if (n > 0 && imp_h5_get_text(dataset, name, &text)) {
        const char *at = imp_text_get(&text);
        for (; found < n && *(at += strspn(at, " ")); found++) {
            size_t length = strcspn(at, " ");
            copy_text(words[found], IMP_NAME, at, length);
            at += length;
        }
    }
    imp_text_free(&text);
    return found;
}

static void read_flags(hid_t dataset, imp_variable *v) {
    int n = read_codes(dataset, v->codes);
    v->n_flags = read_names(dataset, "flag_meanings", n, v->flags);
    memcpy(v->common, v->flags, sizeof v->common);
    read_names(dataset, IMP_ATTRIBUTE_COMMON, v->n_flags, v->common);
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

static bool is_sequence(const char *name) {
    return strcmp(name, "sequence") == 0 || strcmp(name, IMP_POINT_PREFIX "sequence") == 0;
}

static bool read_kind(hid_t dataset, imp_variable *v) {
    hid_t type = H5Dget_type(dataset);
    H5T_class_t class = H5Tget_class(type);
    size_t size = H5Tget_size(type);
    v->single = class == H5T_FLOAT && size == sizeof(float);
    v->kind = class == H5T_INTEGER && v->n_flags > 0 ? IMP_CATEGORY
              : is_sequence(v->name)                 ? IMP_SEQUENCE
                                                     : IMP_REAL;
    H5Tclose(type);
    return (class == H5T_FLOAT || class == H5T_INTEGER) && size > 0 && size <= sizeof(double);
}

/* Whether the filters of a dataset are those of HDF5 itself that h5repack offers. Others would have
 * to be loaded as plugins. */
static bool has_known_filters(hid_t creation) {
    static const H5Z_filter_t known[] = {H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE,
                                         H5Z_FILTER_FLETCHER32, H5Z_FILTER_SZIP};
    int n = H5Pget_nfilters(creation), good = 0;
    for (int i = 0; i < n; i++) {
        unsigned flags = 0, configuration = 0;
        size_t values = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(creation, (unsigned)i, &flags, &values, NULL, 0, NULL, &configuration);
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            good += filter == known[k];
        }
    }
    return n >= 0 && good == n;
}

/* Whether all values are in this file, and can be read without other code. */
static bool is_here(hid_t dataset) {
    hid_t creation = H5Dget_create_plist(dataset);
    H5D_layout_t layout = H5Pget_layout(creation);
    bool here = (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED || layout == H5D_COMPACT) &&
                H5Pget_external_count(creation) == 0 && has_known_filters(creation);
    H5Pclose(creation);
    return here;
}

/* Whether enough bytes are stored for so many values: a file of a few bytes can claim any number of
 * values that were never written, which would take hours to read. */
static bool is_filled(hid_t dataset, const imp_variable *v) {
    return H5Dget_storage_size(dataset) >= (hsize_t)v->size / MOST_FROM_ONE;
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

/* Whether the list of scales has length `rank`, for which HDF5 allocates memory before it reads the
 * list. */
static bool has_scales(hid_t dataset, int rank) {
    hssize_t n = rank;
    hid_t type, attribute = imp_h5_open_attribute(dataset, "DIMENSION_LIST", &n, &type);
    if (attribute < 0) {
        return false;
    }
    hid_t base = H5Tget_class(type) == H5T_VLEN ? H5Tget_super(type) : -1;
    bool good = H5Tequal(base, H5T_STD_REF_OBJ) > 0;
    H5Tclose(base);
    H5Tclose(type);
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

bool imp_describe(hid_t dataset, const char *name, imp_variable *v, bool *usable) {
    *v = (imp_variable){.rank = 0};
    memcpy(v->name, name, strlen(name) + 1);
    v->role = read_role(dataset);
    read_flags(dataset, v);
    *usable = is_here(dataset) && read_shape(dataset, v) && read_kind(dataset, v) &&
              is_filled(dataset, v);
    if (*usable) {
        read_words(dataset, "units", sizeof v->unit, v->unit);
        read_words(dataset, IMP_ATTRIBUTE_SPACING, sizeof v->spacing, v->spacing);
        read_words(dataset, IMP_ATTRIBUTE_DISTRIBUTION, sizeof v->distribution, v->distribution);
        read_words(dataset, IMP_ATTRIBUTE_FORMULA, sizeof v->formula, v->formula);
        read_words(dataset, IMP_ATTRIBUTE_MEMBERS, sizeof v->members, v->members);
        read_dimensions(dataset, v);
    }
    return *usable || v->role == IMP_IS_OTHER;
}
