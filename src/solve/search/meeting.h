/* Where three labels or more of a plane meet. Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_MEETING_H
#define IMP_SOLVE_SEARCH_MEETING_H

#include "solve/search/boxes.h"

enum { IMP_MOST_SECTORS = 8 };

/* A small box in which labels meet, and the labels round it, counterclockwise, the least first. */
typedef struct imp_meeting {
    imp_rectangle extent;
    int n_sectors; /* those beyond IMP_MOST_SECTORS are not listed */
    int sector[IMP_MOST_SECTORS];
    bool forced;
    double reach; /* others that are closer cannot be told from it */
} imp_meeting;

typedef struct imp_meetings {
    imp_meeting *list; /* ascending in the first parameter, then the second */
    size_t n;
    int hidden; /* places where others may be hidden */
} imp_meetings;

/* A guess at their number: the tiles in which the survey saw three labels and that are forced. */
int imp_plane_guess_meetings(imp_plane *plane, const imp_survey *survey);

/* Finds the places; the caller frees them. Errors are recorded in the workspace. */
void imp_plane_meetings(imp_plane *plane, const imp_survey *survey, imp_meetings *found);
void imp_meetings_free(imp_meetings *found);

#endif
