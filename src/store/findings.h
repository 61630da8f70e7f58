/* The findings of the refinements of a map, as tables in its file: each table is a group whose
 * datasets are the columns, along one dimension. */
#ifndef IMP_STORE_FINDINGS_H
#define IMP_STORE_FINDINGS_H

#include "base/text.h"
#include "models/units.h"
#include "refine/events.h"
#include "refine/result.h"
#include "solve/points.h"
#include "store/names.h"

typedef enum imp_column_type {
    IMP_COLUMN_REAL,
    IMP_COLUMN_COUNT,   /* int64 */
    IMP_COLUMN_LABEL,   /* int32: number of a label; -1: none */
    IMP_COLUMN_OUTCOME, /* int8: code of an outcome */
    IMP_COLUMN_EVENT    /* int8: code of an imp_event_kind */
} imp_column_type;

typedef struct imp_findings_column {
    char name[96];
    imp_column_type type;
    char unit[IMP_UNIT_TEXT];
    const char *meaning;
} imp_findings_column;

enum { IMP_FINDINGS_COLUMNS = 64 };

typedef struct imp_findings_table {
    imp_findings_column columns[IMP_FINDINGS_COLUMNS];
    int n_columns;
    double *values; /* n rows of n_columns */
    size_t n, room;
} imp_findings_table;

/* IMP_TABLE_REFINEMENTS: one row per cell of the axes that are not refined (outer axes); LABELS:
 * the values behind each label, one row per label; SHARES: the share of the domain with each label;
 * BOUNDARIES: vertices of boundaries, polyline by polyline; TRIANGLES: of surfaces, the corners are
 * rows of the boundaries; FILAMENTS: strips narrower than the smallest cells; REGIONS: connected
 * nodes of the flat grid with one label; BORDERS: pairs of regions that are neighbours; EVENTS:
 * what happens to regions along an outer axis. */
#define IMP_TABLE_ENUM(constant, group, dimension, word) IMP_TABLE_##constant,
enum { IMP_FINDING_TABLES(IMP_TABLE_ENUM) IMP_N_TABLES };
#undef IMP_TABLE_ENUM

/* Names in the file: of a table and its dimension, and the first word of its columns. */
typedef struct imp_table_name {
    const char *group, *dimension, *word;
} imp_table_name;

extern const imp_table_name imp_table_names[IMP_N_TABLES];

/* The columns with the place of a row on each refined axis, by their endings; `first`: before the
 * columns of findings.def. */
typedef struct imp_table_places {
    const char *endings[3], *meanings[3];
    bool first;
} imp_table_places;

extern const imp_table_places imp_table_places_of[IMP_N_TABLES];

/* The name of column k, from 0, of a table in findings.def; NULL: it has no more. */
const char *imp_table_column(int table, int k);

/* Makes a refinement at a value between those of an outer axis. */
typedef struct imp_between {
    /* cell: the outer cell whose other values it has; the value is that of the event axis. The
     * caller closes *refinement, which is done. NULL: events stay between values of the axis. */
    imp_err (*refine)(void *context, int64_t cell, double value, imp_refinement **refinement);
    void *context;
} imp_between;

typedef struct imp_findings {
    const imp_sweep *sweep;
    imp_findings_table tables[IMP_N_TABLES];
    imp_text label_names; /* one per line, without spaces */
    int level;            /* of the flat grid */
    int64_t nodes;        /* of the flat grid of one refinement */
    /* By outer cell and node, in C order: the point that gives the node its label, numbered over
     * all refinements. */
    uint32_t *flat;
    int event_axis;       /* the outer axis along which events are looked for; -1: none */
    imp_between between;  /* set by the caller */
    int64_t event_stride; /* outer cells from one of its values to the next */
    imp_cores *cores;     /* by outer cell, as long as events need them; NULL without events */
    bool failed;          /* memory is out: rows are lost, in `spare` */
    double spare[IMP_FINDINGS_COLUMNS];
} imp_findings;

/* Call imp_findings_close in any case. IMP_ERR_MEMORY. */
imp_err imp_findings_open(const imp_sweep *sweep, imp_findings *findings);
void imp_findings_close(imp_findings *findings);

/* Adds the findings of the refinement of an outer cell; call it in the order of the cells. first:
 * number of the first point of this refinement. Errors: of memory, and those of `between`. */
imp_err imp_findings_add(imp_findings *findings, int64_t cell, const imp_refinement *refinement,
                         int64_t first);

/* Whether the flat grid has an output: every output whose values or levels make labels, and the
 * mode if the sequence makes labels. */
bool imp_findings_in_grid(const imp_sweep *sweep, int output);

#endif
