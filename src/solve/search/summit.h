/* Where an outline turns back in the first parameter, its extremes. Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_SUMMIT_H
#define IMP_SOLVE_SEARCH_SUMMIT_H

#include "solve/search/outline.h"

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
    bool within;      /* the inner side has this label; otherwise all others */
    double reach;     /* of none: the height up to which the boundary goes on */
    imp_turn_found found;
} imp_turn;

/* The section of the inner side of a boundary at the height x: between a and b. */
typedef struct imp_cross_section {
    double x, a, b;
} imp_cross_section;

/* A section that was found on the way to an extreme. Another way on which the same section is found
 * leads to the same extreme. */
typedef struct imp_rung {
    imp_cross_section section;
    size_t turn;
} imp_rung;

typedef struct imp_turns {
    imp_turn *list; /* ascending in the first parameter, then the second */
    size_t n, room;
    imp_rung *rungs;
    size_t n_rungs, rung_room;
    int hidden;
    double slack; /* by so much the second parameter of a chain may be off */
    double near;  /* to an extreme that was found: one that is closer is the same */
} imp_turns;

/* Adds the extremes of the outline of a label. Errors are recorded in the workspace. */
void imp_turns_of_label(imp_plane *plane, const imp_survey *survey, int label, imp_turns *turns);

/* Sorts them; those found as the extreme of two labels become one. The caller frees their list. */
void imp_turns_finish(imp_turns *turns);

#endif
