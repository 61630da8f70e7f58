/* The map file of a refined sweep: each cell is a row for one point, with its place and its values.
 * The file begins with some rows, gets more during the refinement, and at its end the grid and the
 * findings (boundaries, shares). Rows are written and marked like the cells of other maps. A row
 * without a mark is free. */
#ifndef IMP_STORE_POINTS_H
#define IMP_STORE_POINTS_H

#include "store/findings.h"
#include "store/map.h"

/* The number of rows, free or not. */
int64_t imp_map_rows(const imp_map *map);

/* The content of the marked rows of the file. */
typedef struct imp_known {
    imp_point *points;    /* by row; of free rows arbitrary */
    uint8_t *outcomes;    /* by row */
    int8_t *modes;        /* by row; 0 where the mode is not stored */
    double *values;       /* by row and rule of the refinement */
    int64_t rows, marked; /* rows: all up to the last marked one; marked: number of marked rows */
} imp_known;

/* Reads the points. Call imp_known_free in any case. IMP_ERR_INPUT: the file is damaged.
 * IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_map_read_points(imp_map *map, imp_known *known);
void imp_known_free(imp_known *known);

/* Writes the places of points to the rows first .. first+n-1; the caller then writes their values,
 * then their marks. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_map_place(imp_map *map, int64_t first, size_t n, const imp_point *points);

/* Rewrites the file with 1.5 times this number of rows. Call it only between rounds, when all
 * solved points are written. IMP_ERR_IO, IMP_ERR_MEMORY, IMP_ERR_STOPPED: then the file is
 * unchanged. */
imp_err imp_map_grow(imp_map *map, int64_t rows);

/* Rewrites the file with the rows order[0 .. n-1] only, in this order, and with the grid and the
 * findings. Errors as of imp_map_grow. */
imp_err imp_map_conclude(imp_map *map, int64_t n, const int64_t *order,
                         const imp_findings *findings);

#endif
