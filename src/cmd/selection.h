/* What export takes of a map: points of axes, outputs, and the unit of angles. */
#ifndef IMP_CMD_SELECTION_H
#define IMP_CMD_SELECTION_H

#include "cmd/options.h"
#include "store/catalog.h"

typedef struct imp_selection {
    const imp_catalog *catalog;
    int64_t at[IMP_MAX_RANK];               /* index on an axis of the grid; -1: all of them */
    char dimension[IMP_MAX_RANK][IMP_NAME]; /* of outputs, beside the axes, that are cut */
    int64_t number[IMP_MAX_RANK];           /* the value along it, from 0 */
    int n_dimensions;
    bool all;                        /* every output */
    bool is_wanted[IMP_MAX_OUTPUTS]; /* by their order in the catalog, of outputs alone */
    bool degrees;
} imp_selection;

/* Reads "axis=value" words and a list of outputs, separated by commas (NULL: all of them), for a map.
 * Prints every error and which points are the nearest; the exit code. */
int imp_selection_read(const imp_catalog *catalog, const imp_overrides *slices, const char *fields,
                       bool degrees, imp_selection *selection);

/* Whether an output, a dataset of the catalog, is taken. */
bool imp_selection_has(const imp_selection *selection, const imp_variable *output);

/* Whether values of a variable are converted to degrees. */
bool imp_selection_degrees(const imp_selection *selection, const imp_variable *variable);

/* The first of the values of one cell that is taken, and how many are. */
void imp_selection_part(const imp_selection *selection, const imp_variable *output, int64_t length,
                        int64_t *first, int64_t *n);

/* The first cell from `cell` on that is taken, the number of all cells if there is none; and how many from there
 * on are taken without a gap. */
int64_t imp_selection_next(const imp_selection *selection, int64_t cell, int64_t *run);

#endif
