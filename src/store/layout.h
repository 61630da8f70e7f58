/* The layout of a new map. */
#ifndef IMP_STORE_LAYOUT_H
#define IMP_STORE_LAYOUT_H

#include "store/h5.h"
#include "store/map.h"
#include "store/new_file.h"

/* The type in the file of an output. */
hid_t imp_layout_type(const imp_sweep *sweep, int output);

/* Lays out a whole new file in memory: metadata and coordinates, the space of values reserved. The
 * caller frees the image. IMP_ERR_MEMORY. */
imp_err imp_layout_create(imp_image *image, const char *path, const imp_sweep *sweep,
                          const imp_provenance *provenance);

/* The pieces of it, for files that have more. Attributes of the file; axes, fixed values, outputs and outcome of d->sweep; the group of
 * what differs from run to run, which comes last. */
void imp_layout_attributes(imp_new_file *d, const imp_provenance *provenance);
void imp_layout_grid(imp_new_file *d);
void imp_layout_bookkeeping(imp_new_file *d);

/* What the dataset of an output says of its values: flags, where they are undefined, its label; and that of outcomes. */
void imp_layout_explain(imp_new_file *d, hid_t dataset, int output);
void imp_layout_outcome_flags(imp_new_file *d, hid_t dataset);

/* A scale that counts from `base`. */
hid_t imp_layout_index(imp_new_file *d, const char *name, int64_t base, int64_t size,
                       const char *role, const char *meaning);

/* A parameter as the options of the sweep describe it: others may give it another unit. */
const imp_parameter *imp_layout_parameter(const imp_sweep *sweep, const char *name);

#endif
