#include "store/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "store/disk.h"
#include "store/library.h"

enum { LONGEST_FIXED_TEXT = 1 << 20 };

/* IMP_ERR_INPUT unless the file begins with the signature of HDF5. */
static imp_err check_signature(int descriptor, const char *path) {
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    char start[8] = {0};
    struct stat status;
    bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    if (regular && imp_disk_read_some(descriptor, start, sizeof start, 0) < 0) {
        return imp_disk_error(path, "could not read");
    }
    return regular && memcmp(start, signature, sizeof start) == 0
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT, "%s: is not an HDF5 file", path);
}

imp_err imp_h5_attach(int descriptor, const char *path, imp_h5 **file) {
    *file = NULL;
    errno = 0; /* for imp_h5_judge */
    imp_err error = imp_h5_start();
    error = error ? error : check_signature(descriptor, path);
    if (error) {
        return error;
    }
    imp_h5 *f = calloc(1, sizeof *f);
    if (!f) {
        return imp_out_of_memory();
    }
    f->id = -1;
    f->backing = (imp_backing){.descriptor = descriptor};
    hid_t access = imp_driver_access(&f->backing);
    f->id = access < 0 ? -1 : H5Fopen(path, H5F_ACC_RDONLY, access);
    error = access < 0 ? imp_out_of_memory()
            : f->id < 0
                ? imp_h5_judge(
                      f, path,
                      imp_fail(IMP_ERR_IO, "%s: is an HDF5 file, but damaged or cut short", path))
                : IMP_OK;
    imp_h5_shut(access, H5Pclose);
    *file = f;
    if (error) {
        imp_h5_close(file);
    }
    return error;
}

imp_err imp_h5_open(const char *path, imp_h5 **file) {
    *file = NULL;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not block */
    if (descriptor < 0) {
        return imp_fail(IMP_ERR_IO, "%s: %s", path, strerror(errno));
    }
    imp_err error = imp_h5_attach(descriptor, path, file);
    if (error) {
        close(descriptor);
    } else {
        (*file)->owned = true;
    }
    return error;
}

void imp_h5_close(imp_h5 **file) {
    imp_h5 *f = *file;
    *file = NULL;
    if (!f) {
        return;
    }
    if (f->id >= 0) {
        H5Fclose(f->id);
    }
    if (f->owned) {
        close(f->backing.descriptor);
    }
    /* HDF5 may fail to close a damaged file; then it still uses the backing when it opens
     * others. */
    if (!f->backing.open) {
        free(f);
    }
}

imp_err imp_h5_judge(const imp_h5 *file, const char *path, imp_err error) {
    /* The high-level library of HDF5 does not report its failures. */
    imp_err memory = errno == ENOMEM ? imp_out_of_memory() : imp_memory_check();
    return file->backing.failure ? imp_fail(IMP_ERR_IO, "%s: could not read: %s", path,
                                            strerror(file->backing.failure))
           : memory              ? memory
                                 : error;
}

/* HDF5's own buffer is a megabyte, whose zeros would take a tenth of the time of a small run. */
enum { CONVERTED_AT_ONCE = 64 << 10 };

hid_t imp_h5_transfer(void) {
    static hid_t transfer = H5P_DEFAULT;
    if (transfer == H5P_DEFAULT) {
        hid_t list = H5Pcreate(H5P_DATASET_XFER);
        if (list >= 0 && H5Pset_buffer(list, CONVERTED_AT_ONCE, NULL, NULL) >= 0) {
            transfer = list;
        } else {
            imp_h5_shut(list, H5Pclose);
        }
    }
    return transfer;
}

void imp_h5_shut(hid_t object, herr_t (*end)(hid_t object)) {
    if (object >= 0) {
        end(object);
    }
}

hid_t imp_h5_create(imp_backing *backing) {
    if (imp_h5_start()) {
        return -1;
    }
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = imp_driver_access(backing);
    bool good =
        creation >= 0 && access >= 0 &&
        H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_alignment(access, 65536, 4096) >= 0;
    hid_t file = good ? H5Fcreate("a map", H5F_ACC_TRUNC, creation, access) : -1;
    imp_h5_shut(creation, H5Pclose);
    imp_h5_shut(access, H5Pclose);
    return file;
}

static imp_err put(hid_t object, const char *name, hid_t type, const void *value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = attribute < 0 ? -1 : H5Awrite(attribute, type, value);
    if (attribute >= 0 && H5Aclose(attribute) < 0) {
        status = -1;
    }
    H5Sclose(space);
    return status < 0 ? imp_fail(IMP_ERR_IO, "HDF5 could not write the attribute %s", name)
                      : IMP_OK;
}

/* The type of texts of this size. */
static hid_t type_of_text(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

imp_err imp_h5_put_text(hid_t object, const char *name, const char *text) {
    size_t length = strlen(text);
    hid_t type = type_of_text(length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    imp_err error = put(object, name, type, text);
    H5Tclose(type);
    return error;
}

imp_err imp_h5_put_long_text(hid_t object, const char *name, const char *text) {
    hid_t type = type_of_text(H5T_VARIABLE);
    imp_err error = put(object, name, type, &text);
    H5Tclose(type);
    return error;
}

imp_err imp_h5_put_integer(hid_t object, const char *name, int64_t value) {
    return put(object, name, H5T_NATIVE_INT64, &value);
}

static bool read_fixed(hid_t attribute, hid_t type, imp_text *text) {
    size_t size = H5Tget_size(type);
    char *bytes = size <= LONGEST_FIXED_TEXT ? calloc(size + 1, 1) : NULL;
    bool good = bytes && H5Aread(attribute, type, bytes) >= 0;
    if (!bytes && size <= LONGEST_FIXED_TEXT) {
        imp_note_out_of_memory(); /* or the attribute would seem to be absent */
    }
    if (good) {
        imp_text_append(text, bytes, strlen(bytes));
    }
    free(bytes);
    return good;
}

static bool read_variable(hid_t attribute, imp_text *text) {
    hid_t type = type_of_text(H5T_VARIABLE);
    char *bytes = NULL;
    bool good = H5Aread(attribute, type, &bytes) >= 0;
    if (good && bytes) {
        imp_text_append(text, bytes, strlen(bytes));
        H5free_memory(bytes);
    }
    H5Tclose(type);
    return good;
}

hid_t imp_h5_open_attribute(hid_t object, const char *name, hssize_t *n, hid_t *type) {
    if (H5Aexists(object, name) <= 0) {
        return -1;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hssize_t found = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    bool fits = found > 0 && (*n == 0 || found == *n);
    *n = found;
    *type = fits ? H5Aget_type(attribute) : -1;
    imp_h5_shut(space, H5Sclose);
    if (*type < 0) {
        imp_h5_shut(attribute, H5Aclose);
    }
    return *type < 0 ? -1 : attribute;
}

bool imp_h5_get_text(hid_t object, const char *name, imp_text *text) {
    hssize_t single = 1;
    hid_t type, attribute = imp_h5_open_attribute(object, name, &single, &type);
    if (attribute < 0) {
        return false;
    }
    bool good = H5Tget_class(type) == H5T_STRING;
    if (good && H5Tis_variable_str(type) > 0) {
        good = read_variable(attribute, text);
    } else if (good) {
        good = read_fixed(attribute, type, text);
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return good && !text->failed;
}

bool imp_h5_get_integer(hid_t object, const char *name, int64_t *value) {
    hssize_t single = 1;
    hid_t type, attribute = imp_h5_open_attribute(object, name, &single, &type);
    if (attribute < 0) {
        return false;
    }
    bool good =
        H5Tget_class(type) == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_INT64, value) >= 0;
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}
