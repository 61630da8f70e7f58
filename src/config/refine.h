/* The key `refine`: a lattice over the axes that are ranges, refined where outputs change.
 *
 *     refine: {base: 64, depth: 12, boundary: 1.5e-5, budget: 5e6, audit: 1000,
 *              on: [mode, {output: energy_loss, level: 0.5}]} */
#ifndef IMP_CONFIG_REFINE_H
#define IMP_CONFIG_REFINE_H

#include "config/document.h"
#include "config/draft.h"

/* Largest level of the smallest cells; largest number of first cells on all axes together, as a
 * power of 2. */
enum { IMP_MOST_DEPTH = 20, IMP_MOST_BASE_CELLS = 24 };

/* Reads the mapping under `refine`. Called before the axes are read, whose ranges then have no
 * points. */
void imp_refine_read(imp_document *document, const yaml_node_t *node, imp_draft *draft);

/* Takes the axes that are ranges into the lattice and gives them the sizes of the flat grid. Called
 * before the draft is resolved. */
void imp_refine_take_axes(imp_draft *draft);

/* Checks that the outputs of the rules are stored, and that there is an axis for the events whose
 * tolerance is given. Called after the draft is resolved. */
void imp_refine_check(imp_draft *draft);

#endif
