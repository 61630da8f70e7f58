/* The list under the key `axes`. */
#ifndef IMP_CONFIG_AXES_H
#define IMP_CONFIG_AXES_H

#include "config/config.h"
#include "config/document.h"
#include "config/draft.h"

/* Reads the axes into the draft's grid. Tables are loaded from the folder of the document. */
void imp_axes_read(imp_document *document, const imp_loader *loader, const yaml_node_t *node,
                   imp_draft *draft);

#endif
