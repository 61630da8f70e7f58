#include "config/encoding.h"

#include <stdint.h>

imp_place imp_place_of_byte(const char *path, const char *bytes, size_t offset) {
    imp_place place = imp_file_place(path, 1, 1);
    for (size_t i = 0; i < offset; i++) {
        if (bytes[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)bytes[i] & 0xC0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

/* Bytes of the UTF-8 character at the start of n bytes, 0 if there is none. Overlong forms and
 * surrogates do not count. */
static size_t character_length(const unsigned char *byte, size_t n) {
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

static bool is_control(unsigned char byte) {
    return (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

bool imp_check_text(const char *path, const char *bytes, size_t length, imp_report *report) {
    if (length > (size_t)IMP_MAX_TEXT_MEBIBYTES << 20) {
        imp_report_error(report, imp_file_place(path, 1, 1),
                         "the file is larger than the %d MiB that are allowed",
                         IMP_MAX_TEXT_MEBIBYTES);
        return false;
    }
    const unsigned char *byte = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        size_t step = character_length(byte + i, length - i);
        if (step == 0 || is_control(byte[i])) {
            imp_report_error(report, imp_place_of_byte(path, bytes, i),
                             "byte 0x%02x is not text, UTF-8 text is expected", (unsigned)byte[i]);
            return false;
        }
        i += step;
    }
    return true;
}
