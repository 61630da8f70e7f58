/* The cells in which two maps differ, output by output. */
#ifndef IMP_CMD_DIFFERENCES_H
#define IMP_CMD_DIFFERENCES_H

#include "base/json.h"
#include "cmd/pair.h"

/* Values that may differ without being counted: by `relative` of the larger one, or by
 * `absolute`. */
typedef struct imp_tolerance {
    double relative, absolute;
} imp_tolerance;

enum { IMP_CHANGES = 64 };

/* One output of both maps, or their outcome. Categories are compared by their names, modes of two
 * theories by those by which they agree. */
typedef struct imp_difference {
    const imp_variable *variable[2];
    int64_t length;  /* values per cell that are compared */
    int64_t cells;   /* that differ */
    int64_t appears; /* cells in which a real value is defined in one map only */
    double largest;  /* difference of two real values, with its cell, number and values; 0: none */
    int64_t cell, number;
    double value[2];
    /* Of a category: how many values changed from one code to another. */
    int64_t n_changes, other_changes, count[IMP_CHANGES];
    double from[IMP_CHANGES], to[IMP_CHANGES];
} imp_difference;

typedef struct imp_differences {
    const imp_pair *pair;
    imp_tolerance tolerance;
    imp_difference of[IMP_MAX_OUTPUTS + 1]; /* in the order of the first map; the outcome last */
    int n;
    int64_t compared; /* common cells that both maps have solved or tried */
    int64_t pending;  /* common cells that at least one of them has not */
    int64_t cells;    /* that differ in any output */
    int64_t first;    /* of these, the first; -1: none */
} imp_differences;

/* What a table of the cells that differ is made of. */
typedef struct imp_diff {
    const imp_pair *pair;
    const char *fields; /* NULL: all that both maps have */
    imp_tolerance tolerance;
    bool degrees; /* angles of the table */
} imp_diff;

/* The cells of one read: their values in both maps, length of each after the other. */
typedef struct imp_compared {
    int64_t first, n;
    const double *values[2]; /* of output 0, then of the next */
    const bool *differs;     /* of each cell */
} imp_compared;

/* Finds all differences in the outputs `fields`, names separated by commas, NULL for all that both
 * maps have. `seen`, which may be NULL, is called with every stretch of cells. IMP_ERR_INPUT: an
 * output that a map lacks. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_differences_find(const imp_pair *pair, const char *fields, imp_tolerance tolerance,
                             imp_err (*seen)(void *to, const imp_differences *all,
                                             const imp_compared *some),
                             void *to, imp_differences *all);

/* Whether two values of an output are equal within the tolerance. */
bool imp_difference_none(const imp_difference *d, imp_tolerance tolerance, double one,
                         double other);

/* Prints the differences, or says them in JSON. common: cells and outputs that one map alone has
 * are no difference. Returns whether the maps are equal. */
bool imp_differences_say(const imp_differences *all, bool common, const char *fields,
                         imp_json *json);

#endif
