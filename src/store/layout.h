/* The layout of a new map. */
#ifndef IMP_STORE_LAYOUT_H
#define IMP_STORE_LAYOUT_H

#include "store/h5.h"
#include "store/map.h"

/* The type in the file of an output. */
hid_t imp_layout_type(const imp_sweep *sweep, int output);

/* Lays out a whole new file in memory: metadata and coordinates, the space of values reserved. The
 * caller frees the image. IMP_ERR_MEMORY. */
imp_err imp_layout_create(imp_image *image, const char *path, const imp_sweep *sweep,
                          const imp_provenance *provenance);

#endif
