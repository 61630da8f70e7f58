/* Connected regions of a flat grid, and which of them border on which. */
#ifndef IMP_REFINE_REGIONS_H
#define IMP_REFINE_REGIONS_H

#include "impact.h"
#include "refine/lattice.h"

/* Nodes of one label that are connected along the axes. Places are in nodes. */
typedef struct imp_region {
    uint32_t label;
    int64_t nodes;
    double share;   /* of the whole, each axis measured as it is spaced */
    double bound;   /* share of the cells of the grid that this region and another one share: the
                     largest error of `share`, provided that no island was missed */
    int64_t inside; /* the node farthest from other regions and from the edge, in steps along the
                       axes; of several the first */
    uint32_t low[IMP_REFINE_AXES], high[IMP_REFINE_AXES]; /* the box around its nodes */
} imp_region;

/* Two regions, one < other, and the number of pairs of neighbouring nodes that they have. */
typedef struct imp_border {
    uint32_t one, other;
    int64_t pairs;
} imp_border;

typedef struct imp_regions {
    imp_region *regions; /* in the order of their first nodes, the first axis slowest */
    uint32_t n;
    imp_border *borders; /* in the order of their regions */
    int64_t n_borders;
    uint32_t *of_node; /* the region of every node */
} imp_regions;

/* label: of each of the (2^level + 1)^n_axes nodes, fewer than 2^32 of them. The caller frees
 * *found with imp_regions_free, also after an error. Errors: IMP_ERR_MEMORY. */
imp_err imp_regions_find(int n_axes, int level, const uint32_t *label, imp_regions *found);
void imp_regions_free(imp_regions *found);

#endif
