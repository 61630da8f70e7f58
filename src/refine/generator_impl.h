/* The parts of the generator. Private to src/refine.
 *
 * A stage examines the known points and asks for more; it is called again once these are told. The
 * stages: levels (cells are halved down to the depth), filaments (two axes), trace (brackets and
 * chords; two and three axes) or brackets (one and four), audit. */
#ifndef IMP_REFINE_GENERATOR_IMPL_H
#define IMP_REFINE_GENERATOR_IMPL_H

#include "base/buffer.h"
#include "base/error.h"
#include "refine/result.h"

enum { IMP_CELL_CORNERS = 1 << IMP_REFINE_AXES, IMP_LEVELS = 32 };

typedef struct imp_cell {
    uint32_t low[IMP_REFINE_AXES];
    int level;
} imp_cell;

/* The cells of one level by their lower corners. */
typedef struct imp_level {
    imp_key_set examined, mixed, divided;
    size_t decided, asked; /* counts of those examined */
    uint32_t *corners;     /* nodes of the cells decided .. asked-1 */
    size_t room;
} imp_level;

typedef struct imp_levels {
    imp_level level[IMP_LEVELS];
    int at, reached; /* the level under examination; the last complete one */
} imp_levels;

typedef enum imp_edge_state {
    IMP_EDGE_SEARCHED,
    IMP_EDGE_CROSSED,
    IMP_EDGE_EVEN,
    IMP_EDGE_SPLIT,
    IMP_EDGE_PLAIN /* its ends have one class, and so has what was looked at in between */
} imp_edge_state;

/* Where a class changes or a value jumps. */
typedef struct imp_edge_bracket {
    uint32_t low, high;           /* positions on the edge's axis */
    uint32_t low_node, high_node; /* numbers of the points */
} imp_edge_bracket;

enum { IMP_EDGE_BRACKETS = 4 };

/* An edge of a cell, searched for its bracket; with bands for several where there are more classes
 * in between. Split: there is one more class than that, or a second jump, in between. Even: neither
 * half jumps. */
typedef struct imp_edge {
    imp_edge_bracket bracket[IMP_EDGE_BRACKETS]; /* ascending */
    int n;
    imp_edge_state state;
} imp_edge;

typedef struct imp_edges {
    imp_key_set keys; /* lower end, then level * IMP_REFINE_AXES + axis */
    imp_edge *edges;
    size_t room;
} imp_edges;

typedef enum imp_leaf {
    IMP_LEAF_ACTIVE,  /* not decided yet */
    IMP_LEAF_UNIFORM, /* its corners do not differ */
    IMP_LEAF_SIMPLE,  /* divided by checked chords */
    IMP_LEAF_JUNCTION,
    IMP_LEAF_DIVIDED
} imp_leaf;

/* A cell of the trace by its place in the sets. */
typedef struct imp_tree_place {
    uint32_t number;
    int level;
} imp_tree_place;

typedef struct imp_tree_list {
    imp_tree_place *places;
    size_t n, room;
} imp_tree_list;

typedef struct imp_tree {
    imp_key_set cells[IMP_LEVELS];
    uint8_t *leaf[IMP_LEVELS];   /* imp_leaf of each */
    uint8_t *strips[IMP_LEVELS]; /* imp_cell_strips of each when it was decided */
    size_t room[IMP_LEVELS], strip_room[IMP_LEVELS];
    imp_tree_list active; /* cells to decide */
    imp_tree_list checks; /* cells whose neighbours are still to be examined */
    bool begun;
} imp_tree;

/* ---- filaments: strips of one class that are narrower than the smallest cells ---- */

typedef enum imp_walk_state {
    IMP_WALK_BEGINS,
    IMP_WALK_GOES,
    /* Over: */
    IMP_WALK_THIN,  /* narrower than IMP_FILAMENT_WIDTH */
    IMP_WALK_TIP,   /* the strip ends while it is wider than that */
    IMP_WALK_OPENS, /* wider than two of the smallest cells, or a node shows where it goes on */
    IMP_WALK_EDGE,  /* the end of the range */
    IMP_WALK_JOINS, /* in a cell that another walk along a strip of this class went through */
    IMP_WALK_LIMIT  /* more points, or sections, than are allowed */
} imp_walk_state;

/* A section of a strip: positions in units, on the axis of the walk and on the other one. */
typedef struct imp_section {
    uint32_t at;
    double low, high;
} imp_section;

typedef struct imp_walk {
    uint32_t class, filament; /* filament: number of the first walk from the same node */
    uint32_t joins;           /* the filament that it meets at its end, or its own, */
    size_t met;               /* and the walk there */
    uint32_t seed[2];         /* the node */
    int narrow;               /* bit a: the strip is narrow along the axis a */
    int free;                 /* bits 2a, 2a+1: it may go on below and above on the axis a */
    imp_walk_state state;
    int axis, way;          /* it goes along this axis, upward (1) or downward (-1) */
    uint32_t step;          /* the longest that it may be, in units */
    bool turning;           /* the next step changes the axis */
    imp_section here, base; /* base: from which the slopes are taken */
    double slope[2];        /* of both edges: change across for a unit along */
    double first[2], first_width, length;
    /* Where it last changed its axis; a strip that ends there has turned it round. */
    double corner[2], corner_width, corner_length;
    bool forked, turned_back, reached; /* reached: another walk came up from behind */
    int64_t sections;
} imp_walk;

/* The first walk through a smallest cell, and how far it had gone. */
typedef struct imp_cover {
    uint32_t filament;
    size_t walk;
    double length;
} imp_cover;

typedef struct imp_filaments {
    imp_walk *walks;
    size_t n, room;
    imp_key_set seeds;   /* nodes that were looked at */
    imp_key_set rings;   /* lower corners of smallest cells around which points were asked for */
    imp_key_set covered; /* lower corners of smallest cells, and class, that walks went through */
    imp_cover *covers;   /* of each of these */
    size_t cover_room;
    size_t looked;       /* of the mixed smallest cells: so many were searched for seeds */
    size_t asked, quota; /* points */
    size_t seen;         /* points that were compared with the cells around them */
    bool begun;
} imp_filaments;

typedef enum imp_stage {
    IMP_STAGE_LEVELS,
    IMP_STAGE_FILAMENTS,
    IMP_STAGE_TRACE,
    IMP_STAGE_AUDIT,
    IMP_STAGE_END
} imp_stage;

struct imp_refinement {
    imp_refine_plan plan;
    int bits, n_axes, n_corners;
    uint32_t width;    /* of a bracket */
    uint32_t unprobed; /* cells of at most this size have no probes */
    double tolerance;  /* of a chord, in units */
    imp_key_set points;
    uint32_t *class_of; /* by point; IMP_KEY_NONE until it is told */
    double *jumps;      /* by point, n_jumps of them */
    size_t room, jump_room;
    int n_jumps;
    double jump[IMP_MAX_RULES];
    imp_key_set class_keys; /* outcome and the bits of the values */
    imp_refine_class *classes;
    size_t class_room;
    /* The present round, and the results told so far. */
    int64_t round_first;
    size_t round_n, round_told, round_room;
    uint8_t *outcome; /* IMP_PENDING until it is told */
    double *values;
    int64_t audit_first; /* points from here on are the audit's */
    imp_refine_statistics statistics;
    imp_refine_state state;
    imp_stage stage;
    imp_levels levels;
    imp_filaments filaments;
    imp_edges edges;
    imp_tree tree;
};

/* Cuts a set back to its first n keys. */
void imp_key_set_cut(imp_key_set *set, size_t n);

/* ---- points ---- */

/* The number of a point, which is asked for if it is new. IMP_KEY_NONE: memory is out. */
uint32_t imp_refine_ask(imp_refinement *r, const uint32_t *key);
static inline bool imp_refine_known(const imp_refinement *r, uint32_t point) {
    return r->class_of[point] != IMP_KEY_NONE;
}
/* Gives every point of a round that was told its class, in the order of the points. */
imp_err imp_classes_take(imp_refinement *r);
bool imp_nodes_differ(const imp_refinement *r, uint32_t one, uint32_t other);
bool imp_nodes_mixed(const imp_refinement *r, const uint32_t *nodes, int n);

/* ---- cells; bit a of a corner's number is its side on axis a ---- */

static inline uint32_t imp_cell_size(const imp_refinement *r, int level) {
    return UINT32_C(1) << (r->bits - level);
}
void imp_cell_corner(const imp_refinement *r, const imp_cell *cell, int corner, uint32_t *key);
/* Asks for all corners; *known: whether all have been told. */
imp_err imp_cell_ask(imp_refinement *r, const imp_cell *cell, uint32_t *nodes, bool *known);
/* The nodes of the known corners. */
void imp_cell_nodes(const imp_refinement *r, const imp_cell *cell, uint32_t *nodes);
/* Whether the corners of a side differ. */
bool imp_cell_side_mixed(const imp_refinement *r, const uint32_t *nodes, int axis, int side);
/* The cell beyond a side; false at the end of the range. */
bool imp_cell_beyond(const imp_refinement *r, const imp_cell *cell, int axis, int side,
                     imp_cell *beyond);
imp_cell imp_cell_of(const imp_key_set *cells, size_t number, int level);
/* The cell of a level that contains a key; on the border of two cells, the upper one within the
 * range. */
imp_cell imp_cell_around(const imp_refinement *r, const uint32_t *key, int level);
/* The lattice node in a cell that is nearest to a place in units; it need not be a corner. */
void imp_cell_nearest(const imp_refinement *r, const imp_cell *cell, const double *at,
                      uint32_t *key);
imp_cell imp_cell_child(const imp_refinement *r, const imp_cell *cell, int child);

/* ---- stages; a stage that asks for no points is over ---- */

imp_err imp_levels_step(imp_refinement *r);
imp_err imp_filaments_step(imp_refinement *r);
imp_err imp_brackets_step(imp_refinement *r);
imp_err imp_trace_step(imp_refinement *r);
imp_err imp_audit_step(imp_refinement *r);
/* Adds the smallest cell around a key to those to examine, and goes on until all of them are
 * decided, or points were asked for. */
imp_err imp_levels_examine(imp_refinement *r, const uint32_t *key);
imp_err imp_levels_settle(imp_refinement *r);
/* Random bits of a counter: the audit counts from 0, other stages from 2^40 on. */
uint64_t imp_refine_random(uint64_t counter);
/* Ends the levels because the last round exceeds the budget. */
void imp_levels_stop(imp_refinement *r);

/* ---- filaments ---- */

/* Goes on with a walk as far as points are known. */
imp_err imp_walk_on(imp_refinement *r, size_t number);
/* Where a walk is, in units, and the width of the strip there, as a part of the range. */
void imp_walk_end_of(const imp_refinement *r, const imp_walk *walk, double *place, double *width);
imp_err imp_filaments_add(imp_refinement *r, const imp_walk *walk);
/* Asks for a point. If it is a node of the flat grid its cell is examined, so that the grid does
 * not take it for the lower corner of a cell of one class. */
imp_err imp_filaments_ask(imp_refinement *r, const uint32_t *key, uint32_t *point);
/* Notes that a walk along a strip of this class goes through the smallest cell around a key.
 * *cover: the first walk that did, this one or another. */
imp_err imp_filaments_cover(imp_refinement *r, const uint32_t *key, uint32_t class,
                            imp_cover *cover);

/* ---- edges ---- */

/* The edge from a corner along an axis, searched as far as points are known. nodes: its ends. NULL:
 * memory is out. The pointer holds until the next call. */
imp_edge *imp_edge_advance(imp_refinement *r, const imp_cell *cell, int corner, int axis,
                           const uint32_t nodes[2]);
/* Looks for another class in the middle of an edge whose ends have one class. *waits: for it. */
imp_err imp_edge_look(imp_refinement *r, const imp_cell *cell, int corner, int axis,
                      const uint32_t nodes[2], bool *waits);
/* Whether another class was seen between the ends of an edge, which have one class: on it, or on a
 * larger edge of which it is a part. */
bool imp_edge_has_strip(const imp_refinement *r, const imp_cell *cell, int corner, int axis);
/* The edge in its present state; NULL if it was never searched. */
const imp_edge *imp_edge_find(const imp_refinement *r, const imp_cell *cell, int corner, int axis);

/* What a bracket on an edge from `low` along an axis shows of a boundary. */
imp_crossing imp_edge_crossing(const imp_refinement *r, const imp_edge_bracket *bracket,
                               const uint32_t *low, int axis);

/* ---- chords ---- */

enum {
    IMP_CELL_EDGES = 12,
    IMP_CELL_CUTS = 4 * IMP_EDGE_BRACKETS, /* with two axes, where that is most */
    IMP_CELL_CHORDS = IMP_CELL_CUTS / 2
};
/* With three axes there is a cut for each edge at most, and a chord for each of six faces. */
_Static_assert(IMP_CELL_CUTS >= IMP_CELL_EDGES && IMP_CELL_CHORDS >= 6, "room for three axes");

/* An edge that a boundary crosses: the middle of its bracket, in units, and the nodes of the
 * bracket. */
typedef struct imp_cut {
    int corner, axis; /* of the edge: its lower corner */
    double at[3];
    uint32_t node[2];
    imp_crossing crossing; /* without its classes */
} imp_cut;

/* A chord on a face of the cell (with two axes: the cell): the axes of the face, its cuts. */
typedef struct imp_cell_chord {
    int u, v;
    int cut[2];
} imp_cell_chord;

/* The division of a simple cell. */
typedef struct imp_division {
    imp_cut cuts[IMP_CELL_CUTS];
    int n_cuts;
    imp_cell_chord chords[IMP_CELL_CHORDS];
    int n_chords;
} imp_division;

typedef enum imp_verdict { IMP_VERDICT_WAIT, IMP_VERDICT_SIMPLE, IMP_VERDICT_HALVE } imp_verdict;

/* Adds the chords on both sides of strips that cross a cell of two axes; false if the cuts do not
 * tell where they are. */
bool imp_division_band(const imp_refinement *r, imp_division *division);
/* Adds how many times as long as wide the strips in a cell are to the two sums of
 * imp_refine_result; the cell has chords. */
void imp_division_stretch(const imp_refinement *r, const imp_division *division, double *stretch);

/* Judges whether chords divide a cell of known corners; asks for the points that the verdict
 * needs. */
imp_err imp_cell_judge(imp_refinement *r, const imp_cell *cell, const uint32_t *nodes,
                       imp_verdict *verdict);
/* With bands: at how many edges whose ends have one class a strip was seen. */
int imp_cell_strips(const imp_refinement *r, const imp_cell *cell, const uint32_t *nodes);
/* The division of a simple cell, from the known points. */
void imp_cell_division(const imp_refinement *r, const imp_cell *cell, imp_division *division);

/* ---- surfaces: the loops of chords in a cell of three axes ---- */

enum { IMP_CELL_LOOPS = 4 };
typedef struct imp_loop {
    int cut[IMP_CELL_EDGES],
        n; /* in order around; seen from the side of node[1] of cut `up` to the left or right */
    double middle[3];
    double
        normal[3]; /* its length is the area; points to the side of node[1] of the cut 0 or away */
} imp_loop;
int imp_division_loops(const imp_division *division, imp_loop *loops);

/* Distance of a place, in units, from the chords or the pieces of surface of a division. */
double imp_division_distance(const imp_refinement *r, const imp_division *division,
                             const double *at);
/* The class that a division has at a place; *distance: from its nearest chord or surface. */
uint32_t imp_division_class(const imp_refinement *r, const imp_division *division, const double *at,
                            double *distance);
/* Distance from the straight line between two places; with two axes the third coordinate is 0. */
double imp_distance_from_line(const double *from, const double *to, const double *at);

/* Finds the leaf of the trace that covers a cell or key; false if there is none. */
bool imp_tree_covering(const imp_refinement *r, const uint32_t *low, int level,
                       imp_tree_place *place);

/* The cut whose edge is closest to this normal of a chord or surface. */
int imp_division_steepest(const imp_division *division, const int *cuts, int n,
                          const double *normal);
/* A unit vector across a chord in its face; with two axes it points to the left of the way from the
 * first cut to the second. */
void imp_cell_chord_normal(const imp_division *division, const imp_cell_chord *chord,
                           double *normal);
/* Class of the nodes of a cut on the side that the normal points to, or on the other side. */
static inline uint32_t imp_cut_class(const imp_refinement *r, const imp_cut *cut,
                                     const double *normal, bool along) {
    return r->class_of[cut->node[(normal[cut->axis] > 0) == along]];
}

/* ---- parts of a result; see result.c ---- */

imp_err imp_result_boundaries(const imp_refinement *r, imp_refine_result *result);
imp_err imp_result_filaments(const imp_refinement *r, imp_refine_result *result);
imp_err imp_result_junctions(const imp_refinement *r, imp_refine_result *result);
imp_err imp_result_shares(const imp_refinement *r, imp_refine_result *result);
void imp_result_audit(const imp_refinement *r, imp_refine_result *result);

/* The point whose class a node has in the flat grid of a level. */
uint32_t imp_refine_lower(const imp_refinement *r, const uint32_t *key, int level);

#endif
