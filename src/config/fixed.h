/* The value of a parameter in a config: a number, or a formula. */
#ifndef IMP_CONFIG_FIXED_H
#define IMP_CONFIG_FIXED_H

#include "config/document.h"
#include "config/draft.h"

/* Fixes a parameter at "0.5", "30 deg", "= q1" or {equals: q1}. key: place of its name. */
void imp_fixed_read(imp_document *document, imp_draft *draft, int parameter, imp_place key,
                    const yaml_node_t *value);

/* Checks what can be said of a value under a name that is unknown. */
void imp_fixed_check(imp_document *document, imp_draft *draft, const char *name,
                     const yaml_node_t *value);

#endif
