#include "config/encoding.h"

#include <string.h>

#include "base/utf8.h"

size_t imp_mark_length(const char *bytes, size_t length) {
    static const char mark[] = {'\xEF', '\xBB', '\xBF'};
    return length >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

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
        size_t step = imp_utf8_length(bytes + i, length - i);
        if (step == 0 || is_control(byte[i])) {
            imp_report_error(report, imp_place_of_byte(path, bytes, i),
                             "byte 0x%02x is not text, UTF-8 text is expected", (unsigned)byte[i]);
            return false;
        }
        i += step;
    }
    return true;
}
