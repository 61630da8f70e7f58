/* The little of HDF5 that this room needs, with errors as imp_err. hdf5.h is included only here. */
#ifndef IMP_STORE_H5_H
#define IMP_STORE_H5_H

#include <hdf5.h>
#include <hdf5_hl.h>

#include "base/text.h"
#include "impact.h"

/* Switches off HDF5's own printing; call before any other function of HDF5. */
void imp_h5_quiet(void);

/* Opens a file for reading without locks, so that a map can be read while it is written.
 * IMP_ERR_INPUT: not an HDF5 file. IMP_ERR_IO: no such file, damaged, cut short. */
imp_err imp_h5_open(const char *path, hid_t *file);

/* Writes attributes. Strings are of fixed length, or of variable length when they are too long for
 * an object header (64 KiB); netCDF reads both. */
imp_err imp_h5_put_text(hid_t object, const char *name, const char *text);
imp_err imp_h5_put_long_text(hid_t object, const char *name, const char *text);
imp_err imp_h5_put_integer(hid_t object, const char *name, int64_t value);

/* Reads a text attribute of either kind; false if there is none. */
bool imp_h5_get_text(hid_t object, const char *name, imp_text *text);
bool imp_h5_get_integer(hid_t object, const char *name, int64_t *value);

#endif
