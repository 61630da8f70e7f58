/* Names and numbers of other codes as words. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/engine.h"

static bool same_name(const char *word, size_t length, const char *name) {
    for (size_t i = 0; i < length; i++) {
        if (name[i] == 0 || tolower((unsigned char)word[i]) != tolower((unsigned char)name[i])) {
            return false;
        }
    }
    return true;
}

bool imp_word_among(const char *word, size_t length, const char *names) {
    while (*names) {
        size_t size = strcspn(names, " ");
        if (size == length && same_name(word, length, names)) {
            return true;
        }
        names += size + strspn(names + size, " ");
    }
    return false;
}

bool imp_code_among(const char *codes, const char *name) {
    return imp_word_among(name, strlen(name), codes);
}

imp_decimals imp_shortest(double value) {
    imp_decimals found;
    value += 0.0; /* -0 becomes 0 */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(found.text, sizeof found.text, "%.*g", digits, value);
        if (strtod(found.text, NULL) == value) {
            break;
        }
    }
    return found;
}
