/* Reads back the results of a refinement: one table of the map file, and the names of labels. */
#ifndef IMP_CMD_FOUND_H
#define IMP_CMD_FOUND_H

#include "base/text.h"
#include "store/catalog.h"

enum { IMP_MOST_FOUND = 96 };

typedef struct imp_found {
    const imp_variable *variables[IMP_MOST_FOUND];
    double *values[IMP_MOST_FOUND]; /* n of each */
    int n_columns;
    int64_t n;
    imp_variable *made; /* of a table without rows */
} imp_found;

/* Reads the columns of a group; a missing group gives a table without rows, which has the columns
 * of boundaries, junctions and filaments too. Sides hold in values. Errors: IMP_ERR_INPUT (not a
 * refined map, or its refinement is not complete), IMP_ERR_IO, IMP_ERR_MEMORY. Call imp_found_free
 * in any case. */
imp_err imp_found_read(const imp_catalog *catalog, const char *group, imp_found *found);
void imp_found_free(imp_found *found);

/* Adds the parameters of the axes that are not refined, at the refinement of each row; nothing to a
 * table without this column. Their heads are their names. */
imp_err imp_found_add_outer(const imp_catalog *catalog, imp_found *found);

/* Whether a parameter of the map is refined. */
bool imp_found_is_refined(const imp_catalog *catalog, const char *parameter);

/* The values of a column by its name in the group; NULL: there is none. */
const double *imp_found_column(const imp_found *found, const char *name);

/* The name of a column in its table, after the group and its own first word: "angle_low". */
const char *imp_found_head(const imp_variable *variable);

/* Names of labels, and whether a column holds labels. */
typedef struct imp_labels {
    imp_text text;
    const char *names[1024];
    int n;
} imp_labels;

void imp_labels_read(const imp_catalog *catalog, imp_labels *labels);
void imp_labels_free(imp_labels *labels);

/* "-" for -1, "?" for a number that no label has. */
const char *imp_label_name(const imp_labels *labels, double label);
bool imp_is_label(const imp_variable *variable);

/* Writes the names of the refined axes, from the columns of boundaries or junctions. Returns their
 * number, at most 4. */
int imp_found_axes(const imp_found *found, const char *prefix, char axes[4][IMP_NAME]);

#endif
