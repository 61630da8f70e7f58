/* How an extreme of an outline in the first parameter is found: by sections of its inner side
 * (section.c) on the way up to it (climb.c), and by a polynomial where it is smooth (peak.c).
 * Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_CLIMB_H
#define IMP_SOLVE_SEARCH_CLIMB_H

#include "solve/search/outline.h"

/* What an extreme must stand out by on both sides: two brackets of the survey, whose crossings were
 * sharpened. */
extern const double imp_least_drop;

/* What became of an extreme that a chain shows. NONE: the boundary is straight there, or goes on to
 * the edge. */
typedef enum imp_turn_found { IMP_TURN_LOST, IMP_TURN_NONE, IMP_TURN_FOUND } imp_turn_found;

/* An extreme: the place, half the width of its bracket, and where the survey had it. */
typedef struct imp_turn {
    double at[2], error[2];
    imp_spot seen;
    double sign;      /* 1: largest, -1: smallest */
    int below, above; /* labels on its two sides in the first parameter */
    int label;        /* whose outline it is */
    bool within;      /* the inner side, below it, has this label; otherwise all others */
    double reach;     /* of none: the height up to which the boundary goes on */
    double aside;     /* so far below it the inner side was seen, */
    double before;    /* and by so much before it in the second parameter */
    imp_turn_found found;
} imp_turn;

/* The section of the inner side of a boundary at the height x: between a and b. */
typedef struct imp_slice {
    double x, a, b;
} imp_slice;

/* A section that was found on the way to an extreme. Another way on which the same section is found
 * leads to the same extreme. */
typedef struct imp_rung {
    imp_slice section;
    size_t turn;
} imp_rung;

/* A piece of an outline in a square between two places; the numbers of its chain and square. */
typedef struct imp_seen {
    imp_spot end[2];
    size_t chain, square;
    int label;
} imp_seen;

typedef struct imp_turns {
    imp_plane *plane;
    imp_turn *list; /* ascending in the first parameter, then the second */
    size_t n, room;
    imp_rung *rungs;
    size_t n_rungs, rung_room;
    double *lines; /* along the second parameter, that were found: in the first one */
    size_t n_lines, line_room;
    imp_square *squares; /* that were looked at */
    size_t n_squares, square_room;
    imp_seen *seen; /* of the outlines in squares */
    size_t n_seen, seen_room;
    int hidden;
    double slack;  /* by so much the second parameter of a chain may be off */
    double finest; /* change of a parameter in which labels still differ; see imp_plane_finest */
    double near;   /* to an extreme that was found: one that is closer is the same */
} imp_turns;

/* The boundary on both sides of an extreme. A height is the sign of the extreme times a place in
 * the first parameter. */
typedef struct imp_flank {
    const imp_chain *chain;
    int64_t top;   /* its place with the extreme */
    double drop;   /* of the chain from there, on both sides */
    imp_turn turn; /* the extreme, when it is found */
    imp_turns *turns;
    size_t first_rung; /* of this climb */
    int tries;         /* rungs and extremes of others that turned out to be elsewhere */
} imp_flank;

/* Three sections below the extreme, ascending. Their width goes with a power of the distance to it:
 * 1 at a corner, 1/2 where the extreme is smooth, others where a side of a corner is curved, 0
 * where the boundary ends in a line along the second parameter. */
typedef struct imp_ladder {
    imp_slice low, middle, high;
    double power, gap; /* gap: from the high one to the extreme */
    bool smooth;
    bool bends; /* the middle is expected on a parabola */
    int steps;  /* sections above the first three */
    int wider;  /* sections that were not taken, as they were wider */
} imp_ladder;

static inline double imp_slice_width(const imp_slice *s) {
    return s->b - s->a;
}

static inline double imp_slice_middle(const imp_slice *s) {
    return s->a + 0.5 * (s->b - s->a);
}

static inline bool imp_is_in_plane(double at) {
    return at >= 0 && at <= 1;
}

/* The height at which the chain has the extreme. */
static inline double imp_flank_seen(const imp_flank *flank) {
    return flank->turn.sign * flank->turn.seen.at[0];
}

/* Whether a place is on the inner side. */
bool imp_flank_is_inner(imp_flank *flank, double x, double y);

/* Where the chain is at a height on one side of the extreme (step -1, 1); the section there. */
double imp_flank_chain_at(const imp_flank *flank, int step, double x);
imp_slice imp_flank_slice(const imp_flank *flank, double x);

/* Finds the section at the height of one that is expected, whose ends may be off by `step`; they
 * are bracketed to a part `close` of their distance from its middle. */
bool imp_flank_find(imp_flank *flank, const imp_slice *expected, double step, double close,
                    imp_slice *found);

/* Finds the gap and the power; where the middle of the sections moves per height. */
void imp_ladder_extrapolate(imp_ladder *ladder);
double imp_ladder_lean(const imp_ladder *ladder);

/* Whether the boundary at the extreme of the chain is straight along the second parameter. Of a
 * line that is known, as that of another label, this takes few cells. */
bool imp_flank_is_line(imp_flank *flank);
void imp_flank_note_line(imp_flank *flank, double x);

/* Finds a smooth extreme above the sections; false if a polynomial does not describe the boundary
 * there. */
bool imp_flank_fit(imp_flank *flank, const imp_ladder *ladder);

/* Finds an extreme that a chain shows. */
imp_turn_found imp_flank_climb(imp_flank *flank);

#endif
