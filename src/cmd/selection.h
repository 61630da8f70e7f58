/* The part of a map that export and query use: points of axes, outputs, and the unit of angles. */
#ifndef IMP_CMD_SELECTION_H
#define IMP_CMD_SELECTION_H

#include "cmd/options.h"
#include "store/catalog.h"

typedef struct imp_selection {
    const imp_catalog *catalog;
    int64_t at[IMP_MAX_RANK];               /* index on an axis of the grid; -1: all of them */
    char dimension[IMP_MAX_RANK][IMP_NAME]; /* cut dimensions of outputs that are not axes */
    int64_t number[IMP_MAX_RANK];           /* index along each of these, from 0 */
    int n_dimensions;
    bool all; /* every output; otherwise those that are wanted */
    const imp_variable *wanted[IMP_MAX_OUTPUTS];
    int n_wanted;
    bool degrees;
    bool hex;          /* numbers exactly, and what is fixed too */
    const char *group; /* the table of a refined map that is exported; NULL: cells or points */
} imp_selection;

/* Reads "axis=value" words and a list of outputs, separated by commas (NULL: all outputs), for a
 * map. Prints every error and the nearest points; returns the exit code. */
int imp_selection_read(const char *command, const imp_catalog *catalog, const imp_overrides *slices,
                       const char *fields, bool degrees, imp_selection *selection);

/* IMP_ERR_INPUT for a map whose refinement is not complete: it has no grid. */
imp_err imp_selection_check_grid(const imp_catalog *catalog);

/* Whether an output, a dataset of the catalog, is selected. */
bool imp_selection_has(const imp_selection *selection, const imp_variable *output);

/* Whether values of a variable are converted to degrees. */
bool imp_selection_degrees(const imp_selection *selection, const imp_variable *variable);

/* The first selected value of the list of one cell, and the number of selected values. */
void imp_selection_part(const imp_selection *selection, const imp_variable *output, int64_t length,
                        int64_t *first, int64_t *n);

enum { IMP_SELECTION_ROWS = 1 << 14 };

/* Goes through the selected cells: `read` is told which n cells to read next, at most
 * IMP_SELECTION_ROWS, and `use` is called for each selected one among them. Ends at the first
 * error. */
imp_err imp_selection_walk(const imp_selection *selection,
                           imp_err (*read)(void *to, int64_t first, int64_t n),
                           void (*use)(void *to, int64_t cell), void *to);

#endif
