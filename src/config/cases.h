/* The cases of a config: the mapping under the key `cases` of an axis, {NAME: {model: ..., choices
 * and parameters}}. Choices under `choose` belong to every case that knows them and does not make
 * them itself. */
#ifndef IMP_CONFIG_CASES_H
#define IMP_CONFIG_CASES_H

#include "config/config.h"
#include "config/document.h"
#include "config/draft.h"

/* The value of the key `cases` of the first axis that has it; NULL: none. */
const yaml_node_t *imp_cases_find(imp_document *document, const yaml_node_t *axes);

/* The words of --set. */
typedef struct imp_words {
    const char *const *word;
    int n;
} imp_words;

/* Reads the cases under `axes`, the choices for all of them (choose: the mapping, or NULL), and the
 * words that imp_cases_take; reports every error. If a case has no theory, no name or a choice that
 * is not made, the report says so (lost, unnamed), and the cases only serve to read the rest of the
 * config; NULL: there is none. The caller frees the cases. Guests among the theories are added to
 * *owned. */
imp_cases *imp_cases_read(imp_document *document, const imp_loader *loader, const yaml_node_t *axes,
                          const yaml_node_t *choose, const imp_words *words, imp_owned **owned);

/* Whether a word is read with the cases: it sets something in one of them ("springs.law=hertz"), or
 * it is a choice for all that do not make it themselves ("law=hertz"). */
bool imp_cases_take(const imp_cases *cases, const char *word);

#endif
