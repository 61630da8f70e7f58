/* A file in memory, in which HDF5 lays out a new file. Only written pages use memory; space that is
 * reserved for values uses none. */
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
    bool failed; /* memory ran out: later writes are lost */
} imp_image;

void imp_image_write(imp_image *image, int64_t offset, size_t n, const void *bytes);

/* Reads n bytes; bytes that were never written are 0. */
void imp_image_read(const imp_image *image, int64_t offset, size_t n, void *bytes);

/* Writes the pages into an open file of zeros, syncs the file, reads the pages back and compares
 * them. Messages name the file `path`. IMP_ERR_IO. */
imp_err imp_image_store(const imp_image *image, int descriptor, const char *path);

void imp_image_free(imp_image *image);

#endif
