#include "store/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "store/disk.h"

/* One file, open in HDF5. */
typedef struct file {
    H5FD_t common; /* of HDF5 */
    imp_backing *backing;
    haddr_t allocated, size;
} file;

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
    imp_backing *const *backing = H5Pget_driver_info(access);
    file *f = backing ? calloc(1, sizeof *f) : NULL; /* NULL for a file that another one links to */
    struct stat status = {.st_size = 0};
    (void)name;
    (void)flags;
    (void)most;
    if (!f) {
        return NULL;
    }
    f->backing = *backing;
    if (!f->backing->image && fstat(f->backing->descriptor, &status) != 0) {
        f->backing->failure = errno;
        free(f);
        return NULL;
    }
    f->size = (haddr_t)status.st_size;
    f->backing->open = true;
    return &f->common;
}

static herr_t close_file(H5FD_t *common) {
    file *f = (file *)common;
    f->backing->open = false;
    free(f);
    return 0;
}

static int compare(const H5FD_t *one, const H5FD_t *other) {
    const imp_backing *a = ((const file *)one)->backing, *b = ((const file *)other)->backing;
    return (a > b) - (a < b);
}

static herr_t query(const H5FD_t *common, unsigned long *flags) {
    (void)common;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_allocated(const H5FD_t *common, H5FD_mem_t type) {
    (void)type;
    return ((const file *)common)->allocated;
}

static herr_t set_allocated(H5FD_t *common, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((file *)common)->allocated = address;
    return 0;
}

static haddr_t get_size(const H5FD_t *common, H5FD_mem_t type) {
    const file *f = (const file *)common;
    (void)type;
    return f->backing->image ? (haddr_t)f->backing->image->size : f->size;
}

static uint64_t number_at(const unsigned char *bytes, int n) {
    uint64_t number = 0;
    for (int k = n - 1; k >= 0; k--) {
        number = number << 8 | bytes[k];
    }
    return number;
}

/* Whether bytes begin a collection of the global heap, where texts are, in which an object does not
 * lead on to the next one. HDF5 would look for the end of such a collection for ever. An object is
 * its index (2 bytes), 6 bytes, its size (8) and its data; the one of index 0 is what is free, and
 * its size is that of all of it. */
static bool runs_in_circles(const unsigned char *bytes, size_t n) {
    enum { HEAD = 16, SIZE = 8 };
    if (n < HEAD || memcmp(bytes, "GCOL", 4) != 0) {
        return false;
    }
    uint64_t size = number_at(bytes + SIZE, SIZE), need;
    for (uint64_t at = HEAD; at <= size && size - at >= HEAD && n >= HEAD + at; at += need) {
        uint64_t length = number_at(bytes + at + SIZE, SIZE);
        bool is_free = number_at(bytes + at, 2) == 0;
        need = is_free ? length : HEAD + (length + SIZE - 1) / SIZE * SIZE;
        if (need < HEAD || need > size - at) {
            return true;
        }
    }
    return false;
}

static herr_t read_bytes(H5FD_t *common, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t n,
                         void *bytes) {
    imp_backing *backing = ((file *)common)->backing;
    (void)type;
    (void)transfer;
    if (backing->image) {
        imp_image_read(backing->image, (int64_t)address, n, bytes);
        return 0;
    }
    if (address > INT64_MAX - n) {
        return -1;
    }
    int64_t got = imp_disk_read_some(backing->descriptor, bytes, n, (int64_t)address);
    if (got < 0) {
        backing->failure = backing->failure ? backing->failure : errno;
        return -1;
    }
    memset((char *)bytes + got, 0, n - (size_t)got);
    return runs_in_circles(bytes, n) ? -1 : 0;
}

/* Never fails, as HDF5 cannot close a file after a failed write; the image records the failure. */
static herr_t write_bytes(H5FD_t *common, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t n, const void *bytes) {
    imp_backing *backing = ((file *)common)->backing;
    (void)type;
    (void)transfer;
    if (!backing->image) {
        return -1;
    }
    imp_image_write(backing->image, (int64_t)address, n, bytes);
    return 0;
}

/* The file ends with its allocated space, written or not. */
static herr_t truncate_file(H5FD_t *common, hid_t transfer, hbool_t closing) {
    const file *f = (const file *)common;
    (void)transfer;
    (void)closing;
    if (f->backing->image) {
        f->backing->image->size = (int64_t)f->allocated;
    }
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 512, /* from the range for private drivers */
#endif
    .name = "impactsweep",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(imp_backing *),
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = get_allocated,
    .set_eoa = set_allocated,
    .get_eof = get_size,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t imp_driver_access(imp_backing *backing) {
    /* Registered once: HDF5 1.10 reads the class of the last reference after freeing it. */
    static hid_t id = -1;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    id = id >= 0 ? id : H5FDregister(&driver);
    bool good = access >= 0 && id >= 0 && H5Pset_driver(access, id, &backing) >= 0;
    if (!good && access >= 0) {
        H5Pclose(access);
    }
    return good ? access : -1;
}
