/* A file while HDF5 lays it out in memory. Every failure of HDF5 is remembered, and told at the end. */
#ifndef IMP_STORE_NEW_FILE_H
#define IMP_STORE_NEW_FILE_H

#include "solve/sweep.h"
#include "store/h5.h"
#include "store/map.h"

typedef struct imp_new_file {
    const imp_sweep *sweep;
    const char *path;           /* what messages call it */
    hid_t file, place;          /* place: the group that new datasets go to */
    hid_t scales[IMP_MAX_AXES]; /* open dimension scales */
    bool chunked; /* new datasets are in chunks and deflated, for values that are written at once */
    imp_image image;
    imp_backing backing;
    bool failed;
} imp_new_file;

/* Begins a file; it must stay where it is in memory until its end. IMP_ERR_MEMORY: nothing to end.
 * After the end the image is the caller's to free, whatever the result: IMP_ERR_MEMORY. */
imp_err imp_new_begin(imp_new_file *d, const imp_sweep *sweep, const char *path);
imp_err imp_new_end(imp_new_file *d);

/* New datasets go to a new group from here on, until its end. */
void imp_new_group(imp_new_file *d, const char *name);
void imp_new_group_end(imp_new_file *d);

/* A dimension without a coordinate, as netCDF has it, of at least one value. It is closed by imp_new_close. */
hid_t imp_new_dimension(imp_new_file *d, const char *name, int64_t size);

/* Remembers a failure. */
void imp_new_check(imp_new_file *d, bool good);

/* A contiguous dataset whose place in the file is fixed now; see `chunked`. It is closed by imp_new_close. */
hid_t imp_new_dataset(imp_new_file *d, const char *name, hid_t type, int rank,
                      const hsize_t *extents, const char *role, const char *unit,
                      const char *meaning);
void imp_new_close(imp_new_file *d, hid_t dataset);

void imp_new_values(imp_new_file *d, hid_t dataset, hid_t memory_type, const void *values);
void imp_new_text(imp_new_file *d, hid_t object, const char *name, const char *text);

/* Replaces the name in words by another label. */
void imp_new_label(imp_new_file *d, hid_t dataset, const char *label);

/* CF flags, codes and names: of any n; of a choice's options; of a theory's table, after 0 for none
 * of them. */
void imp_new_flags(imp_new_file *d, hid_t dataset, const int8_t *codes, const char *const *names,
                   int n);
void imp_new_choice_flags(imp_new_file *d, hid_t dataset, const imp_choice *choice);
void imp_new_mode_flags(imp_new_file *d, hid_t dataset, const imp_mode *modes, int n_modes);

/* Fixed values bear their parameter's or choice's name too, as coordinates without dimension. Appends
 * these names, each after a space. */
void imp_new_fixed(imp_new_file *d, imp_text *coordinates);

/* What maps and histories say of themselves. */
void imp_new_origin(imp_new_file *d, const imp_provenance *provenance);

#endif
