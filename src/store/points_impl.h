/* The columns with the places of points, shared by the layout, the writer and the reader of refined
 * maps. */
#ifndef IMP_STORE_POINTS_IMPL_H
#define IMP_STORE_POINTS_IMPL_H

#include "store/findings.h"
#include "store/h5.h"
#include "store/map_impl.h"

typedef enum imp_point_kind {
    IMP_POINT_IS_VALUE,
    IMP_POINT_IS_CHOICE,
    IMP_POINT_IS_KEY,
    IMP_POINT_IS_CELL
} imp_point_kind;

/* One of these columns. */
typedef struct imp_point_column {
    char name[IMP_NAME]; /* in the file */
    imp_point_kind kind;
    int axis, column; /* of the grid, for a value or a choice */
    size_t size;      /* bytes of one point */
    hid_t type;       /* in the file */
    int64_t length;   /* values of one point */
} imp_point_column;

/* The columns of a sweep, at most IMP_PLACE_COLUMNS: the coordinates, the key on the lattice, and
 * the cell of the axes that are not refined, if there are any. Returns their number. */
int imp_point_columns(const imp_sweep *sweep, imp_point_column columns[IMP_PLACE_COLUMNS]);

/* Lays out the file of a refined sweep with `rows` rows for points; call imp_image_free. findings:
 * NULL before the end of the refinement. grid_values: with findings, the values by row of each
 * output of the grid (NULL for other outputs) and of the outcome. IMP_ERR_MEMORY. */
imp_err imp_refined_layout_create(imp_image *image, const char *path, const imp_sweep *sweep,
                                  const imp_provenance *provenance, int64_t rows,
                                  const imp_findings *findings,
                                  const unsigned char *const *grid_values);

/* Appends the plan of the refinement without the keys in the fingerprint, as lines
 * "key<tab>value". */
void imp_refinement_text(const imp_sweep *sweep, imp_text *text);

#endif
