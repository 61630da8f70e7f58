/* "key=value" words, of command lines. */
#ifndef IMP_CONFIG_WORDS_H
#define IMP_CONFIG_WORDS_H

#include "config/draft.h"

/* Reads a word that fixes a parameter or makes a choice, or, if `settings`, sets one of those
 * (settings.h). */
void imp_word_read(imp_draft *draft, imp_place place, const char *word, bool settings);

#endif
