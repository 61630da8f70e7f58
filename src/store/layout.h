/* The layout of a new map. */
#ifndef IMP_STORE_LAYOUT_H
#define IMP_STORE_LAYOUT_H

#include "store/h5.h"
#include "store/map.h"
#include "store/new_file.h"

/* The HDF5 type of an output in the file; not to be closed. */
hid_t imp_layout_type(const imp_sweep *sweep, int output);

/* Lays out a whole new file in memory: metadata, coordinates and reserved space for values. Call
 * imp_image_free. IMP_ERR_MEMORY. */
imp_err imp_layout_create(imp_image *image, const char *path, const imp_sweep *sweep,
                          const imp_provenance *provenance);

/* The pieces of this layout: attributes of the file; axes, fixed values, outputs and outcome of
 * d->sweep; the group `run` with data that differ from run to run (imp_session), which has to be
 * the last. */
void imp_layout_attributes(imp_new_file *d, const imp_provenance *provenance);
void imp_layout_grid(imp_new_file *d);
void imp_layout_bookkeeping(imp_new_file *d);

/* Attributes of the dataset of an output (flags, modes in which it is undefined, label), or of an
 * outcome. */
void imp_layout_explain(imp_new_file *d, hid_t dataset, int output);
void imp_layout_outcome_flags(imp_new_file *d, hid_t dataset);

/* Adds a scale with the values base .. base+size-1. */
hid_t imp_layout_index(imp_new_file *d, const char *name, int64_t base, int64_t size, imp_role role,
                       const char *meaning);

/* The scale of the further dimension of an output; made for the first output that has the
 * dimension. */
hid_t imp_layout_dimension(imp_new_file *d, const imp_output *output);

/* A parameter as the options of the sweep describe it (other options may give it another unit).
 * NULL: unknown name. */
const imp_parameter *imp_layout_parameter(const imp_sweep *sweep, const char *name);

#endif
