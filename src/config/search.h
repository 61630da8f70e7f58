/* The block `search` of a config. */
#ifndef IMP_CONFIG_SEARCH_H
#define IMP_CONFIG_SEARCH_H

#include "config/document.h"
#include "config/draft.h"

/* Reads the block and makes its search, which the caller owns; `places` receives the places of its
 * ranges. uncertain: whose theory it is, or NULL. knows_outputs: the theory has all outputs that a
 * search can look at; otherwise the other keys are checked, and no search is made. NULL, and
 * reports errors, if the block is wrong. */
imp_search *imp_search_read(imp_document *document, const yaml_node_t *node,
                            const imp_theory *theory, const imp_uncertain *uncertain,
                            bool knows_outputs, imp_over_places places[IMP_MAX_OVER]);

#endif
