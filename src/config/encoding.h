/* Checks that a file is text before anything else reads it. */
#ifndef IMP_CONFIG_ENCODING_H
#define IMP_CONFIG_ENCODING_H

#include "config/report.h"

enum { IMP_MAX_TEXT_MEBIBYTES = 64 };

/* Reports the first byte that is not UTF-8 text, or a file that is too large, and returns false. */
bool imp_check_text(const char *path, const char *bytes, size_t length, imp_report *report);

/* The bytes of the mark that some programs write before UTF-8; 0: there is none. */
size_t imp_mark_length(const char *bytes, size_t length);

/* Line and column, in characters, of a byte. */
imp_place imp_place_of_byte(const char *path, const char *bytes, size_t offset);

#endif
