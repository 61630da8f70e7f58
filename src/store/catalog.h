/* Reading a map file, finished or being written, by what it says of itself. Nothing in the file is
 * trusted: shapes, types and sizes are checked before they are used. */
#ifndef IMP_STORE_CATALOG_H
#define IMP_STORE_CATALOG_H

#include "base/text.h"
#include "impact.h"

enum { IMP_MAX_RANK = 8, IMP_MAX_FLAGS = 64, IMP_NAME = 64 };

/* What a dataset is; the texts of the file are in names.h. */
typedef enum imp_role {
    IMP_IS_OTHER,
    IMP_IS_AXIS,
    IMP_IS_COLUMN,
    IMP_IS_DIMENSION,
    IMP_IS_FIXED,
    IMP_IS_OUTPUT,
    IMP_IS_OUTCOME,
    IMP_IS_SESSION,
    IMP_IS_POINT,  /* of a refined map: along its points */
    IMP_IS_FINDING /* of a refined map: a column of a table */
} imp_role;

/* One dataset. */
typedef struct imp_variable {
    char name[IMP_NAME];
    int64_t order; /* of creation */
    imp_role role;
    int rank;
    int64_t extents[IMP_MAX_RANK];
    char dimensions[IMP_MAX_RANK][IMP_NAME]; /* names of its dimensions; "" if it has none */
    int64_t size;                            /* values */
    imp_kind kind;                           /* IMP_REAL for other numbers too */
    bool single;                             /* stored as float32 */
    char unit[IMP_NAME];
    char spacing[IMP_NAME];          /* "linear" or "log" of an axis; "": its values were listed */
    char distribution[3 * IMP_NAME]; /* how values were drawn; "" if they were not */
    int n_flags;                     /* codes and names of a category */
    int8_t codes[IMP_MAX_FLAGS];
    char flags[IMP_MAX_FLAGS][IMP_NAME];
} imp_variable;

typedef struct imp_catalog imp_catalog;

/* Opens a map, by its name or by an open descriptor, which stays the caller's; `path` is what
 * messages call it. This is the only way to a map, also for a writer: whatever the file
 * takes from elsewhere (soft and external links, external storage, virtual datasets) is no part of it.
 * IMP_ERR_IO: also when the system could not read. IMP_ERR_INPUT (no map of this program),
 * IMP_ERR_MEMORY. */
imp_err imp_catalog_open(const char *path, imp_catalog **catalog);
imp_err imp_catalog_attach(int descriptor, const char *path, imp_catalog **catalog);

/* Opens the file of a history instead; its grid is the first column, which the others lie along. */
imp_err imp_catalog_open_history(const char *path, imp_catalog **catalog);
void imp_catalog_close(imp_catalog **catalog);

/* IMP_ERR_IO if the system could not read something since it was opened: then what was found, or not
 * found, need not be so. */
imp_err imp_catalog_judge(const imp_catalog *catalog);

/* The datasets in the order of their creation, those of bookkeeping last. */
int imp_catalog_count(const imp_catalog *catalog);
const imp_variable *imp_catalog_at(const imp_catalog *catalog, int index);
const imp_variable *imp_catalog_find(const imp_catalog *catalog, const char *name);

/* A dataset of bookkeeping (names.h) by its short name, wherever this map has it; NULL: nowhere. */
const imp_variable *imp_catalog_run(const imp_catalog *catalog, const char *name);

/* Whether the map was refined; whether it has its grid and its findings, which come at the end. Until then its
 * points stand for the grid. */
bool imp_catalog_is_refined(const imp_catalog *catalog);
bool imp_catalog_has_grid(const imp_catalog *catalog);

/* The outcome, which every map has (a history: its first column): its extents are those of the grid, and the first ones of every
 * output, which may have one more. */
const imp_variable *imp_catalog_grid(const imp_catalog *catalog);

/* Values per cell of an output or of the outcome. */
int64_t imp_catalog_length(const imp_catalog *catalog, const imp_variable *variable);

/* The axis of the grid that a coordinate belongs to, -1 if none. */
int imp_catalog_axis(const imp_catalog *catalog, const imp_variable *variable);

/* Values first .. first+n-1 in C order, converted to double. IMP_ERR_IO, also when the variable is
 * NULL or has fewer values. */
imp_err imp_catalog_read(const imp_catalog *catalog, const imp_variable *variable, int64_t first,
                         int64_t n, double *values);

/* How many values of a category have each code; codes that are none count as 127. IMP_ERR_IO,
 * IMP_ERR_MEMORY. */
imp_err imp_catalog_census(const imp_catalog *catalog, const imp_variable *variable,
                           int64_t counts[128]);

/* Whether the variable is an output with one code per cell other than `mode`: a flag of the cell. */
bool imp_catalog_is_flag(const imp_catalog *catalog, const imp_variable *variable);

/* Name of a category's code, NULL if it has none. Any number may be asked for. */
const char *imp_variable_flag(const imp_variable *variable, double code);

/* A text attribute of the file; false if it has none. */
bool imp_catalog_text(const imp_catalog *catalog, const char *name, imp_text *text);

/* Which part of how many the map is; 0 and 0 if it is whole. */
void imp_catalog_part(const imp_catalog *catalog, int *part, int *parts);

/* SHA-256 (64 digits and a final 0) of names, types, shapes and values of all datasets but those of
 * sessions; or of these too, and of all attributes and names of dimensions. */
imp_err imp_catalog_digest(const imp_catalog *catalog, char digest[65]);
imp_err imp_catalog_digest_all(const imp_catalog *catalog, char digest[65]);

#endif
