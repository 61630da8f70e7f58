#include "base/buffer.h"

#include <stdlib.h>

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
