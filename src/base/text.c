#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static bool reserve(imp_text *text, size_t extra) {
    if (extra > SIZE_MAX / 4 - text->length) {
        return false;
    }
    size_t needed = text->length + extra + 1;
    if (needed <= text->capacity) {
        return true;
    }
    size_t capacity = needed < 64 ? 64 : 2 * needed;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) {
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

static void fail(imp_text *text) {
    text->failed = true;
    imp_note_out_of_memory();
}

void imp_text_append(imp_text *text, const void *bytes, size_t length) {
    if (!reserve(text, length)) {
        fail(text);
        return;
    }
    if (length > 0) {
        memcpy(text->bytes + text->length, bytes, length);
    }
    text->length += length;
    text->bytes[text->length] = 0;
}

void imp_text_print(imp_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(text, (size_t)length)) {
        fail(text);
    } else {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

const char *imp_text_get(const imp_text *text) {
    return text->bytes ? text->bytes : "";
}

void imp_text_free(imp_text *text) {
    free(text->bytes);
    *text = (imp_text){0};
}

bool imp_is_identifier(const char *name) {
    const char *at = name;
    while (isalpha((unsigned char)*at) || *at == '_' ||
           (at > name && isdigit((unsigned char)*at))) {
        at++;
    }
    return at > name && *at == 0;
}

int imp_word_number(const char *word, const char *const *words, int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

bool imp_word_among(const char *word, size_t length, const char *names) {
    while (*names) {
        size_t size = strcspn(names, " ");
        if (size == length && strncasecmp(word, names, length) == 0) {
            return true;
        }
        names += size + strspn(names + size, " ");
    }
    return false;
}

enum { NAME_MAX_LENGTH = 63 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Edit distance with transposition of neighbours; words of at most NAME_MAX_LENGTH characters. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m) {
    unsigned rows[3][NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= m; j++) {
        rows[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned cost = a[i - 1] != b[j - 1];
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

/* The least number of edits at which a word is too far away to be meant. */
static unsigned too_far(size_t length) {
    return length < 6 ? 2 : (unsigned)length / 3 + 1;
}

/* Whether the word is near a part of the name between underscores. */
static bool has_near_part(const char *word, size_t length, const char *name) {
    enum { SHORTEST = 4 };
    for (const char *part = name; *part; part += *part == '_') {
        size_t size = strcspn(part, "_");
        if (length >= SHORTEST && size >= SHORTEST && size <= NAME_MAX_LENGTH &&
            distance(word, length, part, size) < too_far(length)) {
            return true;
        }
        part += size;
    }
    return false;
}

/* The first name that has a part near the word, such as stiffness_ratio for `stiffnes`; NULL if
 * there is none, or if more than two names share the part. */
static const char *nearest_part(const char *word, const char *const *names, size_t n) {
    enum { FEW = 2 };
    const char *first = NULL;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (has_near_part(word, strlen(word), names[i])) {
            first = first ? first : names[i];
            found++;
        }
    }
    return found <= FEW ? first : NULL;
}

const char *imp_nearest(const char *word, const char *const *names, size_t n) {
    size_t length = strlen(word);
    if (length > NAME_MAX_LENGTH) {
        return NULL;
    }
    unsigned best = too_far(length);
    const char *nearest = NULL;
    for (size_t i = 0; i < n; i++) {
        size_t other = strlen(names[i]);
        unsigned edits =
            other > NAME_MAX_LENGTH ? UINT32_MAX : distance(word, length, names[i], other);
        if (edits < best) {
            best = edits;
            nearest = names[i];
        }
    }
    return nearest ? nearest : nearest_part(word, names, n);
}

imp_few_words imp_hint(const char *word, const char *const *names, size_t n) {
    imp_few_words hint = {""};
    const char *nearest = imp_nearest(word, names, n);
    if (nearest) {
        snprintf(hint.text, sizeof hint.text, " (did you mean '%s'?)", nearest);
    }
    return hint;
}
