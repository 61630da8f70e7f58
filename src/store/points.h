/* The map file of a refined sweep: its cells are rows of points, each with its place beside its values. It begins
 * with room for some, grows while it is refined, and gets its grid, boundaries and shares when all is done. Rows
 * are written and marked like the cells of a map. A row that is not marked is free. */
#ifndef IMP_STORE_POINTS_H
#define IMP_STORE_POINTS_H

#include "store/findings.h"
#include "store/map.h"

/* Rows that there is room for. */
int64_t imp_map_rows(const imp_map *map);

/* What is marked in the file. */
typedef struct imp_known {
    imp_point *points;    /* by row, whether marked or not */
    uint8_t *outcomes;    /* by row */
    int8_t *modes;        /* by row; 0 where the mode is not stored */
    double *values;       /* by row and rule of the refinement */
    int64_t rows, marked; /* rows: up to the last that is marked */
} imp_known;

/* IMP_ERR_IO, IMP_ERR_MEMORY, IMP_ERR_INPUT: the file is damaged. imp_known_free in any case. */
imp_err imp_map_read_points(imp_map *map, imp_known *known);
void imp_known_free(imp_known *known);

/* Writes the places of points to rows. Their values are to follow, and their marks after those. */
imp_err imp_map_place(imp_map *map, int64_t first, size_t n, const imp_point *points);

/* Makes room for so many rows, and half as many again. The file is written anew and renamed. It must be
 * between rounds: nothing may be under way. IMP_ERR_IO, IMP_ERR_MEMORY, IMP_ERR_STOPPED: the file is as it was. */
imp_err imp_map_grow(imp_map *map, int64_t rows);

/* The same with the rows order[0 .. n-1] alone, in this order, and what was found. */
imp_err imp_map_conclude(imp_map *map, int64_t n, const int64_t *order,
                         const imp_findings *findings);

#endif
