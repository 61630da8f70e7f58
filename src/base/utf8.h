#ifndef IMP_BASE_UTF8_H
#define IMP_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at the start of n bytes, 0 if there is none. Overlong forms and
 * surrogates do not count. */
size_t imp_utf8_length(const char *text, size_t n);

#endif
