/* What the refinements of a map found, as the tables of its file: one group each, in which every dataset is a
 * column along one dimension, so that each reads as a plain table. */
#ifndef IMP_STORE_FINDINGS_H
#define IMP_STORE_FINDINGS_H

#include "base/text.h"
#include "refine/result.h"
#include "solve/points.h"
#include "store/names.h"

typedef enum imp_column_type {
    IMP_COLUMN_REAL,
    IMP_COLUMN_COUNT,  /* int64 */
    IMP_COLUMN_LABEL,  /* int32, number of a label; -1: none */
    IMP_COLUMN_OUTCOME /* int8 with the names of outcomes */
} imp_column_type;

typedef struct imp_table_column {
    char name[96];
    imp_column_type type;
    const char *unit, *meaning;
} imp_table_column;

enum { IMP_TABLE_COLUMNS = 64 };

typedef struct imp_table {
    const char *group, *dimension;
    imp_table_column columns[IMP_TABLE_COLUMNS];
    int n_columns;
    double *values; /* n rows of n_columns */
    size_t n, room;
} imp_table;

enum {
    IMP_TABLE_REFINEMENTS, /* one row per cell of the outer axes */
    IMP_TABLE_LABELS,      /* what tells the regions apart, one row per label */
    IMP_TABLE_SHARES,      /* the part of the whole that a label takes */
    IMP_TABLE_BOUNDARIES,  /* points of boundaries, polyline by polyline */
    IMP_TABLE_TRIANGLES,   /* pieces of surfaces between rows of the boundaries */
    IMP_TABLE_JUNCTIONS,
    IMP_N_TABLES
};

typedef struct imp_findings {
    const imp_sweep *sweep;
    imp_table tables[IMP_N_TABLES];
    imp_text label_names; /* one line each; without spaces */
    int level;            /* of the flat grid */
    int64_t nodes;        /* of the flat grid of one refinement */
    uint32_t *flat; /* by cell of the outer axes and node, in C order: the number of the point that
                             the node takes its label from, counted over all refinements */
} imp_findings;

/* Start with this, end with imp_findings_close, whatever the result. IMP_ERR_MEMORY. */
imp_err imp_findings_open(const imp_sweep *sweep, imp_findings *findings);
void imp_findings_close(imp_findings *findings);

/* Adds what the refinement of an outer cell found, in the order of the cells; first: the number of its first
 * point. Errors: IMP_ERR_MEMORY. */
imp_err imp_findings_add(imp_findings *findings, int64_t cell, const imp_refinement *refinement,
                         int64_t first);

/* Whether the flat grid bears an output: one that tells labels apart, and the mode where a sequence does. */
bool imp_findings_in_grid(const imp_sweep *sweep, int output);

#endif
