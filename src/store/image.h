/* A file in memory, as HDF5 lays it out before it exists. Only pages that were written take room, so
 * that the space reserved for values, however much, costs nothing. */
#ifndef IMP_STORE_IMAGE_H
#define IMP_STORE_IMAGE_H

#include <stdint.h>

#include "impact.h"

typedef struct imp_image_page {
    int64_t number;
    unsigned char *bytes;
} imp_image_page;

/* All zero: an empty file. */
typedef struct imp_image {
    imp_image_page *pages; /* by number */
    size_t n, room;
    int64_t size;
    bool failed; /* memory ran out: what was written since is lost */
} imp_image;

void imp_image_write(imp_image *image, int64_t offset, size_t n, const void *bytes);

/* What was never written reads as 0. */
void imp_image_read(const imp_image *image, int64_t offset, size_t n, void *bytes);

/* Writes the pages into an open file that reads as 0, syncs it, reads them back and compares. `path`
 * is what messages call it. IMP_ERR_IO. */
imp_err imp_image_store(const imp_image *image, int descriptor, const char *path);

void imp_image_free(imp_image *image);

#endif
