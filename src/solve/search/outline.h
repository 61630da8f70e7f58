/* The outlines of a label in a survey: its boundaries with all other labels, as chains of places.
 * Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_OUTLINE_H
#define IMP_SOLVE_SEARCH_OUTLINE_H

#include "solve/search/plane.h"

/* Places in order, with the label to the left; a closed chain ends with its first place. */
typedef struct imp_chain {
    imp_spot *spots;
    size_t n;
    bool closed;
} imp_chain;

/* Place i of a chain; whether it has one, seen from another. If it is closed it goes on beyond its
 * ends. */
const imp_spot *imp_chain_spot(const imp_chain *chain, int64_t i);
bool imp_chain_has(const imp_chain *chain, int64_t i, int64_t from);

typedef struct imp_outline {
    imp_chain *chains;
    size_t n;
    imp_spot *spots; /* of all chains */
} imp_outline;

/* Narrows the brackets of the crossings where a boundary may turn in the first parameter to 2^-12.
 * Between two that are level others are taken to be, if they may: an extreme there is lower than a
 * bracket of the survey. Errors are recorded in the workspace. */
void imp_survey_sharpen(imp_plane *plane, const imp_survey *survey);

/* The same of one crossing along an axis; false if a third label is in its bracket. */
bool imp_crossing_sharpen(imp_plane *plane, const imp_survey *survey, int axis,
                          imp_crossing *crossing);

/* Follows the outline of a label, across the places where the survey's lines end because a third
 * label or a corner is there. False if memory is out; imp_outline_free in any case. */
bool imp_outline_of(const imp_survey *survey, int label, imp_outline *outline);
void imp_outline_free(imp_outline *outline);

#endif
