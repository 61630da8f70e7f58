#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

size_t imp_utf8_length(const char *text, size_t n) {
    const unsigned char *byte = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = byte[0] < 0x80             ? 1
                    : (byte[0] & 0xE0) == 0xC0 ? 2
                    : (byte[0] & 0xF0) == 0xE0 ? 3
                    : (byte[0] & 0xF8) == 0xF0 ? 4
                                               : 0;
    if (length <= 1 || length > n) {
        return length > n ? 0 : length;
    }
    uint32_t code = byte[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte[i] & 0x3Fu);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || surrogate ? 0 : length;
}
