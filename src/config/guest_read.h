/* The model of a config or of a case: a theory of the registry, or a guest. */
#ifndef IMP_CONFIG_GUEST_READ_H
#define IMP_CONFIG_GUEST_READ_H

#include "config/config.h"
#include "config/document.h"
#include "config/guest.h"

/* model: the node of the name. keys[IMP_GUEST_KEYS]: of the mapping that the model stands in. A
 * guest runs in the folder of the document, and is added to *owned. NULL, and reports errors, if
 * there is no such theory. */
const imp_theory *imp_guest_or_theory(imp_document *document, const imp_loader *loader,
                                      const yaml_node_t *model, const char *name,
                                      const imp_field *keys, imp_owned **owned);

#endif
