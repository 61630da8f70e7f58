/* The result of a refinement, at its end or after any round whose points have all been told. Places
 * are in units of the lattice; imp_lattice_value turns them into values. Arrays are owned by the
 * result. */
#ifndef IMP_REFINE_RESULT_H
#define IMP_REFINE_RESULT_H

#include "refine/generator.h"

/* A class: points between which no rule but a jump distinguishes. Classes are numbered in the order
 * of the points. */
typedef struct imp_refine_class {
    uint8_t outcome;
    /* For each rule, of a solved point: the value; 0 below a level, 1 from the level on; NaN:
     * undefined; 0 for a jump. */
    double value[IMP_MAX_RULES];
} imp_refine_class;

uint32_t imp_refine_classes(const imp_refinement *refinement);
uint32_t imp_refine_class_of(const imp_refinement *refinement, uint32_t point); /* that was told */
const imp_refine_class *imp_refine_class_at(const imp_refinement *refinement, uint32_t number);

/* A point of a boundary is the middle between two nodes of different class: `low` and `high`. On
 * the edge of a cell the nodes differ in one position, by at most the width of a bracket; at the
 * middle of a piece of surface they are on its two sides, at most two tolerances apart. */
typedef struct imp_crossing {
    uint32_t low[IMP_REFINE_AXES], high[IMP_REFINE_AXES];
    uint32_t class_low, class_high;
} imp_crossing;

/* A polyline through crossings (two axes); the true boundary is within plan.boundary of its
 * straight pieces. A closed polyline repeats its first crossing at the end. */
typedef struct imp_boundary {
    int64_t first, n; /* its part of `path` */
    /* Classes to the left and right of the direction of travel, with the first axis to the right
     * and the second upward. */
    uint32_t left, right;
} imp_boundary;

/* A piece of a surface (three axes). */
typedef struct imp_triangle {
    uint32_t
        corner[3]; /* indices of crossings, counterclockwise as seen from the side of `above` */
    uint32_t below, above;
} imp_triangle;

enum { IMP_JUNCTION_CLASSES = 8 };

/* A box that no chord divides, as a rule of the size of the tolerance: most often three classes
 * meet there. */
typedef struct imp_junction {
    uint32_t low[IMP_REFINE_AXES], high[IMP_REFINE_AXES]; /* two corners */
    uint32_t classes[IMP_JUNCTION_CLASSES];
    int n_classes; /* of its nodes; the first IMP_JUNCTION_CLASSES are listed */
} imp_junction;

/* A strip of one class that is narrower than the smallest cells, so that most of it has no node of
 * the flat grid: it was followed to where it is narrower than IMP_FILAMENT_WIDTH, wider than two of
 * the smallest cells, or ends. Two axes. */
typedef struct imp_filament {
    uint32_t class;
    double length;      /* of its middle line, where every range has the length 1 */
    double width[2];    /* at its wider and at its narrower end, as parts of the range */
    double place[2][2]; /* of these ends, in units */
    int64_t sections;   /* at which its edges were found */
    int n_ends;         /* of its walks, without those at which it goes on as another walk */
} imp_filament;

#define IMP_FILAMENT_WIDTH 0x1p-20

/* A cell that is mixed: its lower corner; its edge is 2^(bits - level) units. */
typedef struct imp_mixed_cell {
    uint32_t low[IMP_REFINE_AXES];
    uint8_t level;
} imp_mixed_cell;

/* The share of a class in the whole, each axis measured as it is spaced. The true share is within
 * share +- bound, provided that every island was found. */
typedef struct imp_share {
    double share, bound;
    int64_t nodes; /* points of this class, not counting the audit */
    /* No cell has this class alone: it is a point or a line that the lattice happens to hit, or a
     * sliver. */
    bool thin;
} imp_share;

/* Fresh random points compared with the result. A point is wrong if the result does not have its
 * class at that place; an undivided mixed cell has the classes of all its corners. */
typedef struct imp_audit {
    int64_t points, wrong;
    /* Upper limit of the wrong part of the whole, with 95 % confidence; 1 without points. */
    double bound;
} imp_audit;

typedef struct imp_refine_result {
    imp_mixed_cell *
        cells; /* mixed cells that are not divided further, in the order in which they were found */
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
    imp_filament *filaments; /* in the order in which they were found */
    int64_t n_filaments;
    bool all_followed; /* false: there were more than the limit of their points allowed */
    imp_share *shares; /* by class */
    uint32_t n_shares;
    imp_audit audit;
    /* With bands: how many times as long as wide the strips are, in all: those that cross cells
     * alone between two classes; the others, beside others or between regions of one class. */
    double stretch[2];
} imp_refine_result;

/* The caller frees *result. Errors: IMP_ERR_MEMORY; *result is empty then. */
imp_err imp_refine_result_of(const imp_refinement *refinement, imp_refine_result *result);
void imp_refine_result_free(imp_refine_result *result);

/* The flat grid of a level, at most plan.depth. For each of its (2^level + 1)^n_axes nodes, the
 * first axis slowest, point[] is the point whose class the node has: the node itself, or its
 * nearest known lower neighbour in a cell that is not mixed. Where the depth was reached, the
 * classes are bit for bit those of a uniform grid. Errors: IMP_ERR_INPUT (the first level is not
 * complete). */
imp_err imp_refine_flatten(const imp_refinement *refinement, int level, uint32_t *point);

#endif
