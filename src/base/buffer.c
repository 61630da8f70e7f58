#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

unsigned char *imp_buffer_reserve(imp_buffer *buffer, size_t n) {
    if (!buffer->bytes || buffer->room < n) {
        free(buffer->bytes);
        buffer->bytes = malloc(n > 0 ? n : 1);
        buffer->room = buffer->bytes ? n : 0;
    }
    return buffer->bytes;
}

void imp_buffer_free(imp_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (imp_buffer){0};
}

imp_err imp_grow(void *array, size_t *room, size_t n, size_t size) {
    void *old;
    memcpy(&old, array, sizeof old);
    if (n <= *room) {
        return IMP_OK;
    }
    size_t more = *room + *room / 2 > n ? *room + *room / 2 : n;
    void *grown = realloc(old, more * size);
    if (!grown) {
        return imp_out_of_memory();
    }
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return IMP_OK;
}
