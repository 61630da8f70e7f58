/* The cells of a map as a table: one row per cell, one column per
 * coordinate and per value of an output. */
#ifndef IMP_CMD_TABLE_H
#define IMP_CMD_TABLE_H

#include <stdio.h>

#include "cmd/selection.h"

enum { IMP_TABLE_COLUMNS = 128 };

/* One variable of the table: a fixed value, a coordinate, looked up by the cell's index on its
 * axis, or an output, which has one column for each of its values. */
typedef struct imp_table_part {
    const imp_variable *variable;
    int axis;             /* of a coordinate; else IMP_TABLE_OUTPUT or IMP_TABLE_FIXED */
    int64_t length;       /* values per cell */
    int64_t first, taken; /* of the values per cell: the first printed one, and their number */
    bool *degrees;  /* of each value per cell: whether it is converted; owned, as `values` is */
    double *values; /* all of a coordinate, or the rows at hand of an output */
} imp_table_part;

enum { IMP_TABLE_OUTPUT = -1, IMP_TABLE_FIXED = -2 };

typedef struct imp_table {
    const imp_selection *selection;
    const imp_catalog *catalog;
    const imp_variable *grid;
    imp_table_part parts[IMP_TABLE_COLUMNS];
    int n;
    int64_t first; /* the cell of the first row at hand */
} imp_table;

/* Opens an empty table of the selection, which must outlive the table. Call imp_table_close, also
 * after an error. */
void imp_table_open(const imp_selection *selection, imp_table *table);
void imp_table_close(imp_table *table);

/* Adds a variable; coordinates and fixed values are read at once. IMP_ERR_INPUT for more than
 * IMP_TABLE_COLUMNS variables, IMP_ERR_MEMORY, IMP_ERR_IO. */
imp_err imp_table_add(imp_table *table, const imp_variable *variable);

/* Adds the selected variables: with `hex` what is fixed first; coordinates in the order of the
 * axes, then outputs in the order of the file, the outcome last. */
imp_err imp_table_add_selected(imp_table *table);

/* Reads the outputs of n cells, at most IMP_SELECTION_ROWS, from cell `first` on. */
imp_err imp_table_read(imp_table *table, int64_t first, int64_t n);

/* Value k, from 0, of a part in one of the cells read last. */
double imp_table_value(const imp_table *table, int part, int64_t cell, int64_t k);

/* Prints one value as in the rows: a code by its name, an angle in degrees if it is to be one, and
 * other numbers with as many digits as read back to the same bits. */
void imp_table_print_value(FILE *to, const imp_variable *variable, double value, bool degrees);

/* Each prints a line of CSV. In the heads, the values of an output are numbered from 1, as along
 * their dimension, and a unit has the form of a table of a config: "angle [deg]". */
void imp_table_print_heads(const imp_table *table, FILE *to);
void imp_table_print_row(const imp_table *table, int64_t cell, FILE *to);

#endif
