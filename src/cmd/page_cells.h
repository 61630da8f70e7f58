/* The cells of a map that a page holds: all of them, or one of each block of a large map. */
#ifndef IMP_CMD_PAGE_CELLS_H
#define IMP_CMD_PAGE_CELLS_H

#include "store/catalog.h"

typedef struct imp_page_cells {
    int64_t n;                     /* cells of the page */
    int64_t extents[IMP_MAX_RANK]; /* of the blocks, in the order of the axes */
    int64_t stride[IMP_MAX_RANK];  /* cells of a block along each axis */
    bool reduced;
    int64_t *cell;  /* if reduced: the number of the cell that stands for each block */
    int64_t *order; /* if reduced: the numbers of the blocks, by ascending cell */
} imp_page_cells;

/* Chooses at most `most` cells, if ranges suffice for this: one of the rarest mode, or failure, in
 * each block, so that a thin region stays visible. Call imp_page_cells_free in any case.
 * IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_page_cells_choose(const imp_catalog *catalog, int64_t most, imp_page_cells *cells);

/* Takes at most `most` cells, evenly over the map. IMP_ERR_MEMORY. */
imp_err imp_page_cells_sample(const imp_catalog *catalog, int64_t most, imp_page_cells *cells);

void imp_page_cells_free(imp_page_cells *cells);

/* Reads an output, `length` values per cell, for the cells of the page. values[n * length]. */
imp_err imp_page_cells_read(const imp_page_cells *cells, const imp_catalog *catalog,
                            const imp_variable *variable, double *values);

#endif
