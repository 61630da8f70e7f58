/* Reads "key=value" words of command lines. */
#ifndef IMP_CONFIG_WORDS_H
#define IMP_CONFIG_WORDS_H

#include "config/draft.h"

/* Handles a pair that is more than a value or an option; returns whether it did. named: the
 * parameter or choice of the key. */
typedef bool imp_word_taker(imp_draft *draft, imp_place place, const char *key, imp_named named,
                            const char *value);

/* Reads a word that fixes a parameter or makes a choice, unless the taker (NULL: none) takes it. */
void imp_word_read(imp_draft *draft, imp_place place, const char *word, imp_word_taker *taker);

/* For users of the library: the text of the messages becomes the reason of an error in the input,
 * and they are freed; returns the error. */
imp_err imp_words_note(imp_err error, imp_text *messages);

/* ---- override.c: --set with more than one value: a setting, or an axis as
 * AXIS=FROM:TO:POINTS[:SPACING] or AXIS=[VALUE, VALUE, ...] ---- */

/* An imp_word_taker. The axis of a parameter or choice gets new values; the axis keeps its place,
 * and a range keeps its spacing unless SPACING is given. Reports errors. */
bool imp_override_take(imp_draft *draft, imp_place place, const char *key, imp_named named,
                       const char *value);

#endif
