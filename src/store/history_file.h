/* The file of histories: HDF5 and netCDF-4. */
#ifndef IMP_STORE_HISTORY_FILE_H
#define IMP_STORE_HISTORY_FILE_H

#include "solve/history.h"
#include "store/map.h"
#include "store/partial.h"

/* Writes histories into an empty file. Of one cell the first column is the dimension, and the other
 * columns, `phase` and `event` have it; parameters and choices are coordinates. Of several cells
 * the dimension is `row`: the rows of the first cell, then those of the second, ...; `cell`, which
 * counts the cells from 1, and the inputs in which they differ are coordinates of each row. The
 * provenance is as in a map. The file is read back and compared. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_history_file_write(const imp_partial *partial, const imp_histories *of,
                               const imp_provenance *provenance);

/* Whether the file is a history that this program wrote. */
bool imp_history_file_is(const char *path);

#endif
