/* Whether a file that exists is the map of a sweep. */
#ifndef IMP_STORE_VERIFY_H
#define IMP_STORE_VERIFY_H

#include "solve/sweep.h"
#include "store/catalog.h"

/* Whether an open map is that of the sweep. IMP_ERR_INPUT: of another one (the message lists what
 * differs), or damaged. IMP_ERR_IO: it cannot be read. IMP_ERR_MEMORY. */
imp_err imp_verify(const imp_catalog *catalog, const imp_sweep *sweep);

/* Whether the refinement of an open map was told the same as this sweep's; if not, this one goes further: it is deeper, its
 * boundary is smaller, its budget or its audit larger. IMP_ERR_INPUT: it does not, and the message says where. */
imp_err imp_verify_refinement(const imp_catalog *catalog, const imp_sweep *sweep, bool *same);

/* Whether the file is a map of this sweep in which no cell is pending, possibly compressed; false
 * if there is no file. Removes what killed processes left beside it. Errors as of resuming. */
imp_err imp_map_is_complete(const char *path, const imp_sweep *sweep, bool *complete);

/* A cell's outcome or mode (kind) has a code that its theory does not have: IMP_ERR_INPUT. */
imp_err imp_undefined_code(const char *path, int64_t cell, const char *kind, double code);

#endif
