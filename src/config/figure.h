/* The key `figure`: which figure of the map is meant. It changes nothing that is computed; its options
 * are those of postprocess/plot.py, which reads them from the file. */
#ifndef IMP_CONFIG_FIGURE_H
#define IMP_CONFIG_FIGURE_H

#include "config/document.h"
#include "config/draft.h"

/* Reads the mapping under `figure` into the draft. What does not need the axes is checked at once. */
void imp_figure_read(imp_document *document, const yaml_node_t *node, imp_draft *draft);

/* Checks names and points against the axes and outputs of the draft, which is resolved, and writes the
 * options into its sweep. What --set took from the axes is left out. */
void imp_figure_resolve(imp_draft *draft);

#endif
