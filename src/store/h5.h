/* The little of HDF5 that this room needs, with errors as imp_err. hdf5.h is included only here. */
#ifndef IMP_STORE_H5_H
#define IMP_STORE_H5_H

#include <hdf5.h>
#include <hdf5_hl.h>

#include "base/text.h"
#include "store/driver.h"

/* A file that is open for reading, without locks, so that a map can be read while it is written. */
typedef struct imp_h5 {
    hid_t id;
    imp_backing backing;
    bool owned; /* the descriptor is closed with the file */
} imp_h5;

/* Opens a file for reading, by its name or by a descriptor, which stays the caller's. `path` is what
 * messages call it. IMP_ERR_INPUT: not an HDF5 file. IMP_ERR_IO: no such file, it cannot be read, it is
 * damaged or cut short. IMP_ERR_MEMORY. */
imp_err imp_h5_open(const char *path, imp_h5 **file);
imp_err imp_h5_attach(int descriptor, const char *path, imp_h5 **file);
void imp_h5_close(imp_h5 **file);

/* What an error really is, as the file need not be what it seemed: IMP_ERR_IO with the cause if the system could
 * not read, IMP_ERR_MEMORY if memory ran out at any time; otherwise the error as it is. */
imp_err imp_h5_judge(const imp_h5 *file, const char *path, imp_err error);

/* Creates a file in memory; negative: HDF5 has no memory. The backing and its image must outlive it.
 * H5Fclose it. */
hid_t imp_h5_create(imp_backing *backing);

/* Writes attributes. Strings are of fixed length, or of variable length when they are too long for
 * an object header (64 KiB); netCDF reads both. */
imp_err imp_h5_put_text(hid_t object, const char *name, const char *text);
imp_err imp_h5_put_long_text(hid_t object, const char *name, const char *text);
imp_err imp_h5_put_integer(hid_t object, const char *name, int64_t value);

/* Reads a text attribute of either kind; false if there is none. */
bool imp_h5_get_text(hid_t object, const char *name, imp_text *text);
bool imp_h5_get_integer(hid_t object, const char *name, int64_t *value);

#endif
