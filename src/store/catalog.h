/* Reads a map file, complete or not, also while it is written. The file describes itself, but
 * nothing in it is trusted: shapes, types and sizes are checked before they are used. */
#ifndef IMP_STORE_CATALOG_H
#define IMP_STORE_CATALOG_H

#include "impact.h"
#include "store/names.h"

enum { IMP_MAX_RANK = 8, IMP_MAX_FLAGS = 64, IMP_NAME = 64 };

/* The role of a dataset; names.h has what they are, and their texts in the file. */
#define IMP_ROLE(role, text) IMP_IS_##role,
typedef enum imp_role { IMP_IS_OTHER, IMP_ROLES(IMP_ROLE) IMP_N_ROLES } imp_role;
#undef IMP_ROLE

extern const char *const imp_role_names[IMP_N_ROLES];

/* One dataset. */
typedef struct imp_variable {
    char name[IMP_NAME];
    int64_t order; /* of creation */
    imp_role role;
    int rank;
    int64_t extents[IMP_MAX_RANK];
    char dimensions[IMP_MAX_RANK][IMP_NAME]; /* their names; "" if unnamed */
    int64_t size;                            /* values */
    imp_kind kind;                           /* IMP_REAL for other numbers too */
    bool single;                             /* stored as float32 */
    char unit[IMP_NAME];
    char spacing[IMP_NAME]; /* of an axis: "linear" or "log"; "" if its values were listed */
    char distribution[3 * IMP_NAME]; /* of the values of a sample; "" for others */
    char formula[4 * IMP_NAME];      /* of a parameter that follows others; "" for others */
    char members[16 * IMP_NAME]; /* of a dimension: names of its places, by spaces; "" without */
    int n_flags;                 /* codes and names of a category */
    int8_t codes[IMP_MAX_FLAGS];
    char flags[IMP_MAX_FLAGS][IMP_NAME];
    char common[IMP_MAX_FLAGS]
               [IMP_NAME]; /* names by which theories agree (imp_theory.agreements) */
} imp_variable;

typedef struct imp_catalog imp_catalog;

/* Opens a map, by its name or by an open descriptor, which the caller still has to close; messages
 * name the file `path`. Writers open maps only in this way too. Objects in other files (soft and
 * external links, external storage, virtual datasets) do not belong to the map. IMP_ERR_IO: the
 * file is damaged or could not be read. IMP_ERR_INPUT: not a map of this program.
 * IMP_ERR_MEMORY. */
imp_err imp_catalog_open(const char *path, imp_catalog **catalog);
imp_err imp_catalog_attach(int descriptor, const char *path, imp_catalog **catalog);

/* Opens the file of a history instead; its grid is its first column, the coordinate of the other
 * columns. */
imp_err imp_catalog_open_history(const char *path, imp_catalog **catalog);
void imp_catalog_close(imp_catalog **catalog);

/* IMP_ERR_IO if any read has failed since the file was opened: then a dataset that was not found
 * may exist. */
imp_err imp_catalog_judge(const imp_catalog *catalog);

/* The datasets in the order of their creation, those of the group `run` last: the first one after
 * NULL, and NULL after the last. imp_catalog_find returns NULL if there is none of this name. */
const imp_variable *imp_catalog_next(const imp_catalog *catalog, const imp_variable *variable);
const imp_variable *imp_catalog_find(const imp_catalog *catalog, const char *name);

/* A dataset about the runs (names.h) by its short name; its place depends on the format of the map.
 * NULL: none. */
const imp_variable *imp_catalog_run(const imp_catalog *catalog, const char *name);

/* Whether the map is refined; whether it has its grid and its findings, which are written when the
 * refinement is complete. Before, imp_catalog_grid returns the outcomes of the points. */
bool imp_catalog_is_refined(const imp_catalog *catalog);
bool imp_catalog_has_grid(const imp_catalog *catalog);

/* The outcome, which every map has (of a history: its first column). Its extents are those of the
 * grid; an output has the same extents, or one more after them. */
const imp_variable *imp_catalog_grid(const imp_catalog *catalog);

/* Values per cell of an output or of the outcome. */
int64_t imp_catalog_length(const imp_catalog *catalog, const imp_variable *variable);

/* The axis of the grid of this name, and that of a coordinate; -1: none. */
int imp_catalog_axis_named(const imp_catalog *catalog, const char *name);
int imp_catalog_axis(const imp_catalog *catalog, const imp_variable *variable);

/* The place of a cell on an axis of the grid. */
int64_t imp_catalog_place(const imp_catalog *catalog, int64_t cell, int axis);

/* Values first .. first+n-1 in C order, converted to double. IMP_ERR_IO, also if the variable is
 * NULL or has fewer values. */
imp_err imp_catalog_read(const imp_catalog *catalog, const imp_variable *variable, int64_t first,
                         int64_t n, double *values);

/* counts[c]: number of values of a category with code c; counts[127] also has those outside 0 ..
 * 127. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_catalog_census(const imp_catalog *catalog, const imp_variable *variable,
                           int64_t counts[128]);

/* Whether the variable is an output with one code per cell other than `mode`: a flag of the
 * cell. */
bool imp_catalog_is_flag(const imp_catalog *catalog, const imp_variable *variable);

/* The word of a code of a category; NULL if `code`, any number, is not one of its codes. */
const char *imp_variable_flag(const imp_variable *variable, double code);

/* The same of the name by which theories agree. */
const char *imp_variable_common(const imp_variable *variable, double code);

/* A text attribute of the file, which lives as long as the catalog. NULL: there is none, which
 * imp_catalog_words takes for an empty one. */
const char *imp_catalog_text(const imp_catalog *catalog, const char *name);
const char *imp_catalog_words(const imp_catalog *catalog, const char *name);

/* The number of this part and of all parts of the map; 0 and 0 if it is whole. */
void imp_catalog_part(const imp_catalog *catalog, int *part, int *parts);

/* SHA-256 (64 hexadecimal digits and a final 0) of the names, types, shapes and values of all
 * datasets except those about the runs; everything: with those, all attributes and the names of
 * dimensions. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_catalog_digest(const imp_catalog *catalog, bool everything, char digest[65]);

#endif
