/* The grid of cells: axes, and the way between a cell's index and its parameter values.
 *
 * An axis is one dimension that carries one or more columns; a column is the values of one
 * parameter, or the options of one choice. Cells are numbered in C order: the first axis is the
 * slowest, so that an interval of cells is contiguous in a file too. */
#ifndef IMP_GRID_GRID_H
#define IMP_GRID_GRID_H

#include <stdint.h>

#include "impact.h"

enum { IMP_MAX_AXES = 6, IMP_MAX_COLUMNS = 16, IMP_FORMULA_TEXT = 256 };

/* Values of one parameter or choice along an axis. */
typedef struct imp_column {
    char name[64];          /* of the parameter or choice */
    int choice;             /* index of the choice in the theory; -1 for a parameter */
    double *values;         /* axis size values, SI; for a choice the index of the option */
    char distribution[160]; /* how the values were drawn, in words; "" if they were not */
    char
        formula[IMP_FORMULA_TEXT]; /* of other parameters, from which the values follow; "": none */
} imp_column;

typedef struct imp_axis {
    char name[64]; /* of the dimension: the name of its only column, or a table's own */
    int64_t size;  /* at least 1 */
    imp_column columns[IMP_MAX_COLUMNS];
    int n_columns;
    const char *spacing; /* "linear" or "log" of a range; NULL: the values were listed or drawn */
    const char *sample;  /* name of the sampling design of its values; NULL: none */
    int64_t seed;        /* of the sample */
    bool refined;        /* of a refinement; its values are those of the flat grid */
} imp_axis;

/* Owns the columns' values; imp_grid_free frees them. No axes: one cell. */
typedef struct imp_grid {
    imp_axis axes[IMP_MAX_AXES];
    int n_axes;
} imp_grid;

void imp_grid_free(imp_grid *grid);

/* The number of columns whose values the user gave; they come first. What follows from them by a
 * formula changes nothing in what an axis is: one of a parameter, or of the rows of a table. */
int imp_axis_given(const imp_axis *axis);

/* Number of cells, at most 2^62; -1 when there are more. */
int64_t imp_grid_cells(const imp_grid *grid);

/* Number of cells without the refined axes: one refinement belongs to each. Without refined axes it
 * is the number of cells. */
int64_t imp_grid_outer_cells(const imp_grid *grid);

/* Cells over which the index on an axis stays the same: the product of the sizes of faster axes. */
int64_t imp_grid_stride(const imp_grid *grid, int axis);

/* Values of a column for the cells first .. first+n-1. */
void imp_grid_fill(const imp_grid *grid, int axis, int column, int64_t first, size_t n,
                   double *values);

/* Finds the column of a parameter or choice by name; false if no axis carries it. */
bool imp_grid_find(const imp_grid *grid, const char *name, int *axis, int *column);

/* The largest box of cells that begins with `first` and lies within first .. first+n-1: an interval
 * is read as a few boxes. start, count: rank of them; extents: the sizes of the axes. Returns the
 * number of cells in the box, at least 1 for n >= 1. */
int64_t imp_box_of(int rank, const int64_t *extents, int64_t first, int64_t n, int64_t *start,
                   int64_t *count);

/* The value at a part 0 .. 1 of the way from `from` to `to`; exact at 0 and 1. Log: from and to
 * have one sign and are not 0. */
double imp_spaced_value(double from, double to, double part, bool logarithmic);

/* n values from `from` to `to`, both included and exact; n = 1: from. Log: from and to have one
 * sign and are not 0. Values must have room for n. */
void imp_spaced_values(double from, double to, int64_t n, bool logarithmic, double *values);

#endif
