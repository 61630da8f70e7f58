/* Boxes of a plane and the labels along their sides. Going round a box counterclockwise (the first
 * parameter to the right, the second upward) gives its word: the labels in order. A closed walk
 * from label to label either can be taken back step by step, or three boundaries must meet in the
 * box; a box so `forced` that is halved has a half that is forced. */
#ifndef IMP_SOLVE_SEARCH_BOXES_H
#define IMP_SOLVE_SEARCH_BOXES_H

#include "solve/search/plane.h"

/* A rectangle in the plane. */
typedef struct imp_rectangle {
    double low[2], high[2];
} imp_rectangle;

/* Whether both have a place inside in common; whether one is within the other. */
bool imp_rectangles_overlap(const imp_rectangle *one, const imp_rectangle *other);
bool imp_rectangle_is_inside(const imp_rectangle *one, const imp_rectangle *other);

/* Whether they are no farther apart than a slack and so many times the size of the other one. */
bool imp_rectangles_touch(const imp_rectangle *one, const imp_rectangle *other, double slack,
                          double sizes);

/* The least one that holds both. */
imp_rectangle imp_rectangles_hull(const imp_rectangle *one, const imp_rectangle *other);

/* The length of the longer side. */
double imp_rectangle_size(const imp_rectangle *extent);

/* Moves the ends along parameter k outward, within the plane. */
void imp_rectangle_widen(imp_rectangle *extent, int k, double distance);

typedef struct imp_stop {
    double at;
    int label;
} imp_stop;

enum { IMP_MOST_STOPS = 40, IMP_MOST_WORD = 4 * IMP_MOST_STOPS };

/* Places along a side, ascending, both ends among them; where two neighbours have one label, all
 * between them is taken to have it. */
typedef struct imp_side {
    int n;
    imp_stop stop[IMP_MOST_STOPS];
} imp_side;

/* side[0], side[1] run along the first parameter, at the lower and the upper end of the second;
 * side[2], side[3] along the second, at the lower and the upper end of the first. */
typedef struct imp_box {
    imp_rectangle extent;
    imp_side side[4];
    int tile;  /* the start from which it comes */
    bool wide; /* was widened, or comes from one that was: may cover others */
} imp_box;

typedef struct imp_box_list {
    imp_box *boxes;
    size_t n, room;
} imp_box_list;

/* Adds a copy of a box at the end. Records an error when memory is out. */
void imp_box_list_add(imp_plane *plane, imp_box_list *list, const imp_box *box);
void imp_box_list_free(imp_box_list *list);

/* Begins the side s of a box with 2^halvings + 1 evenly spaced places. */
void imp_side_begin(imp_plane *plane, const imp_box *box, int s, imp_side *side, int halvings);

/* Narrows every change along all sides of n boxes to at most this part of a side's length, but not
 * below the finest change that is looked at. */
void imp_boxes_narrow(imp_plane *plane, imp_box *boxes, size_t n, double part);

/* Halves a box across an axis; the line between the halves is new. */
void imp_box_halve(imp_plane *plane, const imp_box *box, int axis, imp_box *lower, imp_box *upper);

/* Makes the sides of the box that reaches this far beyond an extent, within the plane; `part` as
 * above. */
void imp_box_around(imp_plane *plane, const imp_rectangle *extent, double distance, double part,
                    imp_box *box);

typedef struct imp_word {
    int n;
    int label[IMP_MOST_WORD];
} imp_word;

void imp_box_word(const imp_box *box, imp_word *word);

/* The labels on the sides that are values, as bits; whether the box is forced. */
uint64_t imp_box_values(const imp_box *box);
bool imp_box_is_forced(const imp_box *box);

/* Whether the way round two boxes is the same. */
bool imp_boxes_agree(const imp_box *one, const imp_box *other);

/* The least part of the way round a box on which there is one label; 1 if there is only one. */
double imp_box_narrowest(const imp_box *box);

/* Whether one label crosses the box between two others, about as wide on either side, and at least
 * this part of a side wide. */
bool imp_box_has_band(const imp_box *box, double least);

int imp_values_count(uint64_t values);
bool imp_word_forced(const imp_word *word);

/* Whether both walks are one once all is left out that is taken back step by step. */
bool imp_words_agree(const imp_word *one, const imp_word *other);

#endif
