/* The values of the axes that are not refined, as columns of a table of findings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/found.h"
#include "store/names.h"

/* Whether a column of the points, which every parameter of an axis is; the number of a row of a
 * table is none. */
static bool is_parameter(const imp_catalog *catalog, const imp_variable *v) {
    char name[2 * IMP_NAME];
    snprintf(name, sizeof name, IMP_POINT_PREFIX "%s", v->name);
    return (v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN) && imp_catalog_find(catalog, name);
}

static bool is_outer(const imp_catalog *catalog, int axis) {
    return axis >= 0 && !imp_found_is_refined(catalog, imp_catalog_grid(catalog)->dimensions[axis]);
}

/* The number of refinements from one value of an axis to the next, the last axis fastest. */
static int64_t stride_of(const imp_catalog *catalog, int axis) {
    const imp_variable *grid = imp_catalog_grid(catalog);
    int64_t stride = 1;
    for (int a = axis + 1; a < grid->rank; a++) {
        stride *= is_outer(catalog, a) ? grid->extents[a] : 1;
    }
    return stride;
}

static imp_err add(const imp_catalog *catalog, const imp_variable *v, const double *refinement,
                   imp_found *found) {
    int64_t stride = stride_of(catalog, imp_catalog_axis(catalog, v));
    double *values = malloc((size_t)v->size * sizeof *values);
    double *rows = malloc(((size_t)found->n + 1) * sizeof *rows);
    imp_err error =
        values && rows ? imp_catalog_read(catalog, v, 0, v->size, values) : imp_out_of_memory();
    for (int64_t i = 0; !error && i < found->n; i++) {
        bool fits = refinement[i] >= 0 && refinement[i] < 9e18;
        rows[i] = values[fits ? (int64_t)refinement[i] / stride % v->size : 0];
    }
    found->variables[found->n_columns] = v;
    found->values[found->n_columns++] = rows;
    free(values);
    return error;
}

imp_err imp_found_add_outer(const imp_catalog *catalog, imp_found *found) {
    const double *refinement = NULL;
    for (int c = 0; c < found->n_columns; c++) {
        bool here = strcmp(imp_found_head(found->variables[c]), "refinement") == 0;
        refinement = here ? found->values[c] : refinement;
    }
    imp_err error = IMP_OK;
    for (const imp_variable *v = NULL;
         !error && refinement && (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (is_parameter(catalog, v) && is_outer(catalog, imp_catalog_axis(catalog, v)) &&
            found->n_columns < IMP_MOST_FOUND) {
            error = add(catalog, v, refinement, found);
        }
    }
    return error;
}
