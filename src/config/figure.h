/* The key `figure`: the figure of the map. It changes no result; its options are those of
 * postprocess/plot.py, which reads them from the file. */
#ifndef IMP_CONFIG_FIGURE_H
#define IMP_CONFIG_FIGURE_H

#include "config/document.h"
#include "config/draft.h"

/* Reads the mapping under `figure` into the draft and checks everything that does not need the
 * axes. */
void imp_figure_read(imp_document *document, const yaml_node_t *node, imp_draft *draft);

/* Checks names and points against the axes and outputs of the resolved draft, and writes the
 * options into its sweep. Leaves out options for axes that --set removed. */
void imp_figure_resolve(imp_draft *draft);

#endif
