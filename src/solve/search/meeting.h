/* Where three labels or more of a plane meet: tiles.c lays tiles where they may, meeting.c halves
 * these, sectors.c makes meetings of the boxes that are left. Private to this folder. */
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

/* A guess at their number: the tiles in which the survey saw three labels and that are forced. */
int imp_plane_guess_meetings(imp_plane *plane, const imp_survey *survey);

/* Finds the places, a list of imp_meeting, ascending in the first parameter, then the second. */
void imp_plane_meetings(imp_plane *plane, imp_survey *survey, imp_places *found);

/* ---- the hunt for them, shared by these files ---- */

enum {
    IMP_TILES = 256, /* along each parameter */
    IMP_MOST_TILES = 512,
    /* Cells for each tile with a forced box, beyond which others are left: in a poor search tiles
     * that are not forced; boxes without a mark; in a poor search all but forced boxes. In others
     * these may take what is left of the last limit by the forced ones. At the last one, for each
     * forced box, these end as they are: the rest is for the labels around the meetings. */
    IMP_FEW_CELLS = 15500,
    IMP_MOST_CELLS = 16000,
    IMP_ALL_CELLS = 17000,
    IMP_END_CELLS = 19000,
    IMP_BOX_CELLS = 1600 /* what a forced box takes until it is done */
};

extern const double imp_part_of_side; /* to which changes are narrowed */
/* Meetings that are closer are one, which tolerances of a theory have split. */
extern const double imp_closest_meeting;

/* A box of the survey with three labels; explained: these are on the sides of a box of ours. */
typedef struct imp_hunt_mark {
    imp_rectangle extent;
    uint64_t values;
    bool explained;
    bool between; /* seen between two others: counts as long as that is cheap */
} imp_hunt_mark;

/* What became of a tile. */
typedef struct imp_hunt_tile {
    int forced, loose; /* boxes */
    int widened;       /* how often a box was */
    bool meets;        /* whether a box is forced */
} imp_hunt_tile;

typedef struct imp_hunt {
    imp_plane *plane;
    imp_hunt_mark *marks;
    size_t n_marks, mark_room;
    int32_t *tile_at; /* number of the tile at a place + 1 */
    imp_box_list tiles, live, done;
    imp_hunt_tile *tile;
    int n_tiles;
    imp_meeting *found;
    size_t n_found, found_room;
    int hidden;     /* places where others may be hidden */
    int64_t places; /* tiles with forced boxes, at least 1 */
    int64_t forces; /* forced boxes that are not done */
    int64_t apart;  /* forced boxes that cannot hold the same meeting */
    bool poor;      /* no tile is forced by what the survey saw, and the search has become dear */
    bool all;       /* all squares of the survey were looked at */
    size_t laid;    /* tiles that were measured */
    bool left;      /* tiles or boxes were, as they cost too much */
} imp_hunt;

/* ---- tiles.c ---- */

void imp_hunt_open(imp_plane *plane, imp_hunt *hunt);
void imp_hunt_close(imp_hunt *hunt);

/* Whether the search has taken more than this for each place where labels must meet; whether only
 * forced boxes may go on; whether not even these. */
bool imp_hunt_is_beyond(const imp_hunt *hunt, int cells);
bool imp_hunt_is_spent(const imp_hunt *hunt);
bool imp_hunt_is_over(const imp_hunt *hunt);

/* Counts the tiles of some boxes, and of those that are done, in which labels must meet, and such
 * boxes. */
void imp_hunt_count(imp_hunt *hunt, const imp_box_list *list);

/* Looks more closely at where the survey saw three labels, as far as that is cheap, and lays tiles
 * there. True if more of them must hold a meeting than was guessed, so that another look at what
 * was left may take more. */
bool imp_hunt_look(imp_hunt *hunt, const imp_survey *survey);

/* ---- sectors.c ---- */

/* Makes meetings of the boxes that are done. */
void imp_hunt_settle(imp_hunt *hunt);

#endif
