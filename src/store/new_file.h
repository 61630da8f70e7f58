/* A file while HDF5 lays it out in memory. Failures of HDF5 are kept and returned by
 * imp_new_end. */
#ifndef IMP_STORE_NEW_FILE_H
#define IMP_STORE_NEW_FILE_H

#include "solve/sweep.h"
#include "store/catalog.h"
#include "store/h5.h"
#include "store/map.h"

typedef struct imp_new_file {
    const imp_sweep *sweep;
    const char *path;           /* for messages */
    hid_t file, place;          /* place: the group of new datasets */
    hid_t scales[IMP_MAX_AXES]; /* open dimension scales */
    bool chunked;               /* whether new datasets are chunked and compressed */
    imp_image image;
    imp_backing backing;
    bool failed;
} imp_new_file;

/* Begins a file; *d must not be moved before imp_new_end. IMP_ERR_MEMORY: then there is nothing to
 * end. imp_new_end ends it; the caller then frees d->image, whatever the result. IMP_ERR_MEMORY. */
imp_err imp_new_begin(imp_new_file *d, const imp_sweep *sweep, const char *path);
imp_err imp_new_end(imp_new_file *d);

/* Creates a group, to which new datasets are added until imp_new_group_end. */
void imp_new_group(imp_new_file *d, const char *name);
void imp_new_group_end(imp_new_file *d);

/* A netCDF dimension without a coordinate; size: at least 1. Call imp_new_close. */
hid_t imp_new_dimension(imp_new_file *d, const char *name, int64_t size);

/* Records a failure unless `good`. */
void imp_new_check(imp_new_file *d, bool good);

/* A dataset, contiguous at a place in the file that is fixed now, or chunked (see `chunked`). Call
 * imp_new_close. */
hid_t imp_new_dataset(imp_new_file *d, const char *name, hid_t type, int rank,
                      const hsize_t *extents, imp_role role, const char *unit, const char *meaning);
void imp_new_close(imp_new_file *d, hid_t dataset);

/* The same for the values of a parameter, or of a choice (NULL: a parameter); extent: NULL for a
 * single value. */
hid_t imp_new_input(imp_new_file *d, const char *name, const imp_choice *choice,
                    const char *meaning, const hsize_t *extent, imp_role role);

void imp_new_values(imp_new_file *d, hid_t dataset, hid_t memory_type, const void *values);
void imp_new_text(imp_new_file *d, hid_t object, const char *name, const char *text);
void imp_new_integer(imp_new_file *d, const char *name, int64_t value); /* of the file */

/* A text that was put together, which is freed: as an attribute; of the file, of any length. None
 * if it is empty. */
void imp_new_words(imp_new_file *d, hid_t object, const char *name, imp_text *text);
void imp_new_long_words(imp_new_file *d, hid_t object, const char *name, imp_text *text);

/* Lets dimension `axis` of a dataset have a scale. */
void imp_new_attach(imp_new_file *d, hid_t dataset, hid_t scale, int axis);

/* An attribute with n values. */
void imp_new_list(imp_new_file *d, hid_t dataset, const char *name, hid_t type, hsize_t n,
                  hid_t memory_type, const void *values);

/* Replaces the label of a dataset, which is its name in words. */
void imp_new_label(imp_new_file *d, hid_t dataset, const char *label);

/* CF flags (codes and words) of a category: n given ones, codes NULL for 0, 1, 2 ...; the options
 * of a choice; the codes of a table of a theory after 0 for "none". */
void imp_new_flags(imp_new_file *d, hid_t dataset, const int8_t *codes, const char *const *names,
                   int n);
void imp_new_choice_flags(imp_new_file *d, hid_t dataset, const imp_choice *choice);
void imp_new_mode_flags(imp_new_file *d, hid_t dataset, const imp_mode *modes, int n_modes);

/* Adds fixed parameters and choices as coordinates without dimension, and appends their names, each
 * after a space. */
void imp_new_fixed(imp_new_file *d, imp_text *coordinates);

/* Attributes of the file that maps and histories have: title, theory, sources, provenance. */
void imp_new_origin(imp_new_file *d, const imp_provenance *provenance);

#endif
