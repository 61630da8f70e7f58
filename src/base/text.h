/* Text: a growing string, and the nearest of several names. */
#ifndef IMP_BASE_TEXT_H
#define IMP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A growing string, always ended by 0. Start with {0}. The owner calls imp_text_free.
 * When memory runs out `failed` is set and the text stays as it was. */
typedef struct imp_text {
    char *bytes; /* NULL while empty; imp_text_get never returns NULL */
    size_t length, capacity;
    bool failed;
} imp_text;

void imp_text_append(imp_text *text, const void *bytes, size_t length);
void imp_text_print(imp_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *imp_text_get(const imp_text *text);
void imp_text_free(imp_text *text);

/* A word of letters, digits and _, which does not begin with a digit. */
bool imp_is_identifier(const char *name);

/* The number of a word among n words; -1: it is none of them. */
int imp_word_number(const char *word, const char *const *words, int n);

/* Whether a word of `length` characters is among words apart by blanks; capitals do not matter. */
bool imp_word_among(const char *word, size_t length, const char *words);

/* The nearest of `names` (n of them) to `word` in edit distance with transpositions, or NULL when
 * none is near enough to be meant (within a third of its length, at least one edit). If no whole
 * name is near enough, the first name with a near part between underscores. */
const char *imp_nearest(const char *word, const char *const *names, size_t n);

/* A few words, to be printed. */
typedef struct imp_few_words {
    char text[96];
} imp_few_words;

/* " (did you mean 'NAME'?)" for the nearest of n names, or "". */
imp_few_words imp_hint(const char *word, const char *const *names, size_t n);

#endif
