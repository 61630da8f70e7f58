/* The part of HDF5 that is used here, with errors as imp_err. */
#ifndef IMP_STORE_H5_H
#define IMP_STORE_H5_H

#include <hdf5.h>
#include <hdf5_hl.h>

#include "base/text.h"
#include "store/driver.h"

/* A file open for reading, without locks, so that a map can be read while it is written. */
typedef struct imp_h5 {
    hid_t id;
    imp_backing backing;
    bool owned; /* the descriptor is closed with the file */
} imp_h5;

/* Opens a file for reading, by its name or by a descriptor, which the caller still has to close;
 * messages name the file `path`. IMP_ERR_INPUT: not an HDF5 file. IMP_ERR_IO: the file does not
 * exist, cannot be read, is damaged or cut short. IMP_ERR_MEMORY. */
imp_err imp_h5_open(const char *path, imp_h5 **file);
imp_err imp_h5_attach(int descriptor, const char *path, imp_h5 **file);
void imp_h5_close(imp_h5 **file);

/* The cause of an error, which HDF5 hides: IMP_ERR_IO if a read failed, IMP_ERR_MEMORY if memory
 * ran out at any time; otherwise `error`. */
imp_err imp_h5_judge(const imp_h5 *file, const char *path, imp_err error);

/* Closes an object of HDF5 by its function, if it is open. */
void imp_h5_shut(hid_t object, herr_t (*end)(hid_t object));

/* Creates a file in memory; call H5Fclose. The backing and its image must outlive the file.
 * Negative: out of memory. */
hid_t imp_h5_create(imp_backing *backing);

/* The properties with which values are converted between a file and memory: in a small buffer, or
 * in HDF5's own if memory ran out. They last as long as the process; the caller does not close
 * them. */
hid_t imp_h5_transfer(void);

/* Write attributes: strings of fixed length; strings of variable length for texts that may be too
 * long for an object header (64 KiB); integers. netCDF reads all of them. IMP_ERR_IO. */
imp_err imp_h5_put_text(hid_t object, const char *name, const char *text);
imp_err imp_h5_put_long_text(hid_t object, const char *name, const char *text);
imp_err imp_h5_put_integer(hid_t object, const char *name, int64_t value);

/* Opens an attribute, and its type if it has `n` values, or at least one where n is 0: no read
 * overflows its buffer whatever the file contains. *n: their number. Negative: there is none. */
hid_t imp_h5_open_attribute(hid_t object, const char *name, hssize_t *n, hid_t *type);

/* Read an attribute; text of either kind is appended. False if there is none of this type. */
bool imp_h5_get_text(hid_t object, const char *name, imp_text *text);
bool imp_h5_get_integer(hid_t object, const char *name, int64_t *value);

#endif
