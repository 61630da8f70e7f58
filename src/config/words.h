/* "key=value" words, of command lines. */
#ifndef IMP_CONFIG_WORDS_H
#define IMP_CONFIG_WORDS_H

#include "config/draft.h"

/* Reads a word that fixes a parameter or makes a choice, or, if `precision`, sets the precision. */
void imp_word_read(imp_draft *draft, imp_place place, const char *word, bool precision);

/* Reads the name of a precision; an unknown one is reported. */
void imp_precision_read(imp_draft *draft, imp_place place, const char *text);

#endif
