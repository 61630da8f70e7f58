/* The rectangle of a search over two parameters, and how its labels are found: the values of the
 * searched output, or the sides of a set or of a level. Places in the rectangle are pairs of
 * numbers 0 .. 1 in which it is slightly bent, so that the lines of a search do not lie on values
 * that are special, such as the middle of a symmetric range. Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_PLANE_H
#define IMP_SOLVE_SEARCH_PLANE_H

#include "refine/result.h"
#include "solve/search/search_impl.h"

/* Labels that are no values of the output. */
enum { IMP_LABEL_OUTSIDE = -1, IMP_LABEL_FAILED = -2, IMP_LABEL_DEAR = -3 };
enum { IMP_MOST_LABELS = 64 };

typedef struct imp_spot {
    double at[2];
} imp_spot;

imp_spot imp_spots_middle(imp_spot one, imp_spot other);

/* The difference along the parameter in which they differ more. */
double imp_spots_distance(imp_spot one, imp_spot other);

/* For qsort: ascending in the first parameter, then the second. Items begin with their place. */
int imp_by_place(const void *one, const void *other);

/* What is known of nodes, for all passes of a survey. */
typedef struct imp_nodes {
    imp_key_set keys;
    int8_t *labels;
    size_t room;
} imp_nodes;

typedef struct imp_plane imp_plane;
typedef struct imp_survey imp_survey;

struct imp_plane {
    imp_search_work *work;
    const struct imp_plane_rule *rule;
    size_t cell; /* of the call */
    double value[IMP_MOST_LABELS];
    int n_values;          /* labels so far */
    bool sides;            /* labels are 0 and 1: below and from a level on, outside and in a set */
    int64_t cells, failed; /* solved so far; of these neither solved nor outside the domain */
    int dear;              /* of these took a good part of the budget of a cell */
    double outside;        /* part of the nodes of the survey's base that is outside the domain */
    imp_nodes nodes;       /* of the survey */
    bool exhausted;        /* it ended early */
    bool any;              /* a place was solved */
    uint8_t first;         /* outcome of the first place */
    int guessed;           /* the guess and 1, 0 before */
    int found;             /* places so far */
};

/* Whether so many places were dear that the search had better end: some theories take ever longer
 * on the way to a point, where a contact sticks and slips without end. */
bool imp_plane_is_tired(const imp_plane *plane);

/* The labels of n places. */
void imp_plane_labels(imp_plane *plane, size_t n, const imp_spot *spots, int *labels);

/* The labels of nodes of the survey's lattice, at most IMP_PROBES_AT_ONCE, each of which is solved
 * once only; the same of places that may all be such nodes. */
void imp_plane_node_labels(imp_plane *plane, size_t n, const uint32_t *keys, int *labels);
void imp_plane_known_labels(imp_plane *plane, size_t n, const imp_spot *spots, int *labels);

/* Writes place k with its bracket, and the theory's outputs there. */
void imp_plane_put_place(const imp_plane *plane, int k, const double *at, const double *low,
                         const double *high);

/* Writes the outputs that every search of a plane has: how many places were found, where others may
 * be hidden. */
void imp_plane_put(const imp_plane *plane, size_t n_found, int hidden);

/* The value of parameter k at a place. */
double imp_plane_value(const imp_plane *plane, int k, double at);

/* Changes are not looked at more closely than this part of the range: below, the rounding of
 * theories decides. In a narrow rectangle the rounding of the values does. */
extern const double imp_finest_change;
double imp_plane_finest(const imp_plane *plane);

/* The rectangle, or a square of 2^-halvings of it, from a position of its lattice on. */
typedef struct imp_square {
    uint32_t low[2];
    int halvings;
} imp_square;

/* All boundaries of the rectangle or a square: the refinement of a lattice whose unit square it
 * is. */
struct imp_survey {
    imp_refinement *refinement;
    imp_refine_result result;
    double bracket; /* of the last pass */
    bool bands;     /* likewise */
    imp_square square;
};

/* What a kind finds in a plane. */
typedef struct imp_places {
    void *list; /* is freed */
    size_t n;
    int hidden; /* places where others may be hidden */
} imp_places;

typedef struct imp_plane_rule {
    /* Guesses at how many places labels meet; NULL: the search does not look for these. */
    int (*guess)(imp_plane *plane, const imp_survey *survey);
    void (*find)(imp_plane *plane, imp_survey *survey, imp_places *found);
    /* Writes place k of the list. */
    void (*put)(const imp_plane *plane, const void *list, int k);
    /* Whether the square around a box need not be looked at; NULL: each is. */
    bool (*is_plain)(imp_plane *plane, const imp_survey *survey, const imp_junction *box,
                     const imp_square *around);
} imp_plane_rule;

/* As imp_search_kind.solve. Errors are recorded in the workspace. */
void imp_plane_solve(imp_search_work *work, const imp_plane_rule *rule, int n, uint8_t *outcome);

/* Follows those of the squares around the boxes that a survey leaves, in the pass `closer` of the
 * kind, and calls back with each. False if there are more squares than are looked at, or they cost
 * too much for the places where labels meet. */
typedef void imp_square_look(void *context, const imp_survey *closer);
bool imp_plane_look_closer(imp_plane *plane, const imp_survey *survey, imp_square_look *look,
                           void *context);

/* How many cells may have been solved before a pass, where labels meet as in this survey. */
int64_t imp_plane_most(imp_plane *plane, const imp_search_pass *pass, const imp_survey *survey);

/* At how many places labels meet: a guess, which is made once. */
int imp_plane_guess(imp_plane *plane, const imp_survey *survey);

/* In how many tiles of the plane, 256 along each parameter, a survey has boxes with three labels or
 * more. */
int imp_survey_crowded(const imp_survey *survey);

/* Whether a place is on the edge of the square of a survey. */
bool imp_survey_is_edge(const imp_survey *survey, imp_spot spot);

/* A position on the lattice of a survey as a part of the unit square, and the label of a class. */
double imp_survey_place(uint32_t position);
imp_spot imp_survey_spot(const uint32_t *position);
int imp_survey_label(const imp_survey *survey, uint32_t class);

#endif
