/* Bytes that are used again and again, and replaced where more are needed; arrays that grow. */
#ifndef IMP_BASE_BUFFER_H
#define IMP_BASE_BUFFER_H

#include <stddef.h>

#include "base/error.h"

/* Start with {0}. */
typedef struct imp_buffer {
    unsigned char *bytes;
    size_t room;
} imp_buffer;

/* Makes room for n bytes; what the buffer held may be lost. Returns its bytes; NULL: memory is
 * out. */
unsigned char *imp_buffer_reserve(imp_buffer *buffer, size_t n);
void imp_buffer_free(imp_buffer *buffer);

/* Grows an array of *room items, of `size` bytes each, so that it has room for n: `array` is where
 * the pointer to it stands. */
imp_err imp_grow(void *array, size_t *room, size_t n, size_t size);

#endif
