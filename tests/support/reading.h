/* Configs, and the tables that they name, as texts in memory. */
#ifndef TESTS_SUPPORT_READING_H
#define TESTS_SUPPORT_READING_H

#include <stdbool.h>

#include "base/text.h"
#include "config/config.h"

typedef struct text_file {
    const char *path, *text;
    size_t length; /* 0: that of the text */
} text_file;

typedef struct reading {
    imp_err error;
    imp_sweep sweep;
    imp_text messages;
} reading;

/* Reads the config at a path, where there are that config and the tables of reading.c. The caller
 * frees. */
reading read_path(const char *path, text_file config, const char *const *overrides, int n);

/* The same of the config's own path, of a text that is called x.yaml, and of words. */
reading read_file(text_file config, const char *const *overrides, int n);
reading read_text(const char *text);
reading read_words(const char *theory, const char *const *words, int n);
void reading_free(reading *r);

bool reading_is_empty(const imp_sweep *sweep);

/* Checks that a config is good, and returns it. */
reading expect_good(reading r);

/* Checks the messages of a bad config, which it frees. In the pattern <theories>, <bodies>, <laws>,
 * <outputs>, <parameters> and others of messages.c stand for lists that grow with the tables. */
void expect_messages(const char *name, reading r, const char *pattern);

#endif
