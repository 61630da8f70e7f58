/* What a refinement has found, at its end or after any round whose points have all been told. Places are in units of
 * the lattice; imp_lattice_value turns them into values. Arrays are owned by the result. */
#ifndef IMP_REFINE_RESULT_H
#define IMP_REFINE_RESULT_H

#include "refine/generator.h"

/* A class of points that no rule but a jump tells apart. Numbered in the order of the points. */
typedef struct imp_refine_class {
    uint8_t outcome;
    /* By rule, of a solved point: the value; 0 below a level and 1 from it on; NaN: undefined; of a jump 0. */
    double value[IMP_MAX_RULES];
} imp_refine_class;

uint32_t imp_refine_classes(const imp_refinement *refinement);
const imp_refine_class *imp_refine_class_at(const imp_refinement *refinement, uint32_t number);

/* A point of a boundary is the middle between two nodes that differ: `low` and `high`. On the edge of a cell they
 * differ in one position, by at most the width of a bracket; in the middle of a piece of a surface they lie on either side of it,
 * at most two tolerances apart. */
typedef struct imp_crossing {
    uint32_t low[IMP_REFINE_AXES], high[IMP_REFINE_AXES];
    uint32_t class_low, class_high;
} imp_crossing;

/* A polyline through crossings (two axes): between the first and the last, in this order, a boundary departs
 * from the straight pieces by no more than plan.boundary. A closed one repeats its first crossing at the end. */
typedef struct imp_boundary {
    int64_t first, n; /* its part of `path` */
    uint32_t left,
        right; /* classes on either side of the direction of travel, the first axis to the right, the second upward */
} imp_boundary;

/* A piece of a surface (three axes). */
typedef struct imp_triangle {
    uint32_t
        corner[3]; /* indices of crossings; seen from the side of `above` they turn to the left */
    uint32_t below, above;
} imp_triangle;

enum { IMP_JUNCTION_CLASSES = 8 };

/* A box, of the size of the tolerance where all goes well, that no chord divides: most often three classes meet there. */
typedef struct imp_junction {
    uint32_t low[IMP_REFINE_AXES], high[IMP_REFINE_AXES]; /* two corners */
    uint32_t classes[IMP_JUNCTION_CLASSES];
    int n_classes; /* of its nodes; the first IMP_JUNCTION_CLASSES are listed */
} imp_junction;

/* A cell that is mixed: its lower corner; its edge is 2^(bits - level) units. */
typedef struct imp_mixed_cell {
    uint32_t low[IMP_REFINE_AXES];
    uint8_t level;
} imp_mixed_cell;

/* The part of the whole that a class takes, each axis measured as it is spaced. The true share lies within
 * share +- bound as far as every island was found. */
typedef struct imp_share {
    double share, bound;
    int64_t nodes; /* points of this class, the audit not counted */
    bool
        thin; /* no cell is all of this class: a point or a line that the lattice happens to hit, or a sliver */
} imp_share;

/* Fresh random points against what the result says of them. Wrong: the class of the point is none of those that the
 * result has there; in a mixed cell that is not divided these are the classes of its corners. */
typedef struct imp_audit {
    int64_t points, wrong;
    double
        bound; /* the wrong part of the whole is smaller, with 95 % confidence; 1 without points */
} imp_audit;

typedef struct imp_refine_result {
    imp_mixed_cell *
        cells; /* the mixed cells that are not divided further; in the order in which they were found */
    int64_t n_cells;
    imp_crossing *crossings; /* each once */
    int64_t n_crossings;
    uint32_t *path; /* indices of crossings */
    int64_t n_path;
    imp_boundary *boundaries;
    int64_t n_boundaries;
    imp_triangle *triangles;
    int64_t n_triangles;
    imp_junction *junctions;
    int64_t n_junctions;
    imp_share *shares; /* by class */
    uint32_t n_shares;
    imp_audit audit;
} imp_refine_result;

/* Errors: IMP_ERR_MEMORY; *result is empty then. */
imp_err imp_refine_result_of(const imp_refinement *refinement, imp_refine_result *result);
void imp_refine_result_free(imp_refine_result *result);

/* The flat grid of a level, at most plan.depth: for each of its (2^level + 1)^n_axes nodes, the first axis slowest, the
 * point whose class it has: its own, or that of the nearest lower neighbour in a cell that is not mixed. Where the
 * depth was reached, classes of the points are bit for bit those of a uniform grid. */
imp_err imp_refine_flatten(const imp_refinement *refinement, int level, uint32_t *point);

#endif
