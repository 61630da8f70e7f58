/* Two maps on the cells that they have in common: points with equal values on every axis. An axis
 * that only one map has is cut where the other map has its fixed value. */
#ifndef IMP_CMD_PAIR_H
#define IMP_CMD_PAIR_H

#include "base/text.h"
#include "store/catalog.h"

enum { IMP_PAIR_AXES = 2 * IMP_MAX_RANK };

/* An axis, and the places of its common points on the axes of the two maps. */
typedef struct imp_common_axis {
    char name[IMP_NAME];
    int axis[2];     /* of the grid of each map; -1: the map has one value */
    int64_t *at[2];  /* `n` each; NULL for an axis that the map lacks */
    int64_t n;       /* common points, in the order of the first map that has the axis */
    int64_t size[2]; /* points in each map; 1 for an axis that the map lacks */
} imp_common_axis;

typedef struct imp_pair {
    const char *path[2];
    imp_catalog *catalog[2];
    imp_common_axis axes[IMP_PAIR_AXES];
    int n_axes;
    int64_t cells; /* common ones, the last axis fastest */
} imp_pair;

/* Opens both maps; the caller calls imp_pair_close in any case. IMP_ERR_INPUT: not maps, a
 * refinement that is not complete, or no common cells, with the reason. IMP_ERR_IO,
 * IMP_ERR_MEMORY. */
imp_err imp_pair_open(const char *one, const char *other, imp_pair *pair);
void imp_pair_close(imp_pair *pair);

/* The number of a common cell in map `side`, 0 or 1. */
int64_t imp_pair_cell(const imp_pair *pair, int side, int64_t cell);

/* The place of a common cell on common axis `axis` of map `side`. */
int64_t imp_pair_place(const imp_pair *pair, int axis, int side, int64_t cell);

/* Reads a variable of map `side`, an output or the outcome, in the common cells first .. first+n-1:
 * its imp_catalog_length values of each. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_pair_read(const imp_pair *pair, int side, const imp_variable *variable, int64_t first,
                      int64_t n, double *values);

/* Appends the words of `impactsweep cell` that solve a common cell in map `side`, with exact
 * numbers: "impactsweep cell compliant body=rod angle=0.5". False if no command solves one cell:
 * the map is one of a search or of uncertain parameters, or of a theory of another program. */
bool imp_pair_command(const imp_pair *pair, int side, int64_t cell, imp_text *text);

#endif
