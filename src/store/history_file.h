/* The file of a history: HDF5 and netCDF-4. */
#ifndef IMP_STORE_HISTORY_FILE_H
#define IMP_STORE_HISTORY_FILE_H

#include "solve/history.h"
#include "store/map.h"
#include "store/partial.h"

/* Writes the history of the only cell of a sweep into an empty file: the first column is the
 * dimension, the other columns, `phase` and `event` have it; parameters and choices are
 * coordinates, the provenance is as in a map. The file is read back and compared. IMP_ERR_IO,
 * IMP_ERR_MEMORY. */
imp_err imp_history_file_write(const imp_partial *partial, const imp_sweep *sweep,
                               const imp_rows *rows, imp_outcome outcome,
                               const imp_provenance *provenance);

/* Whether the file is a history that this program wrote. */
bool imp_history_file_is(const char *path);

#endif
