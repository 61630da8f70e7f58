/* Checks that a file is the map of a sweep. */
#ifndef IMP_STORE_VERIFY_H
#define IMP_STORE_VERIFY_H

#include "solve/sweep.h"
#include "store/catalog.h"

/* IMP_ERR_INPUT if an open map belongs to another sweep (the message lists the differences) or is
 * damaged. *same: whether it has the refinement plan of the sweep, or none as the sweep; otherwise
 * the plan of the sweep must go further (deeper, smaller boundary, larger budget or audit), or
 * IMP_ERR_INPUT, whose message lists the keys. same: NULL: nobody asks. IMP_ERR_IO: could not be
 * read. IMP_ERR_MEMORY. */
imp_err imp_verify(const imp_catalog *catalog, const imp_sweep *sweep, bool *same);

/* *complete: whether the file is a map of this sweep without pending cells, compressed or not;
 * false if there is no file. Removes stale partial files of the path. Errors as of imp_map_open
 * with IMP_MAP_RESUME. */
imp_err imp_map_is_complete(const char *path, const imp_sweep *sweep, bool *complete);

/* Returns IMP_ERR_INPUT with a message for a cell whose outcome or mode (kind) has an unknown
 * code. */
imp_err imp_undefined_code(const char *path, int64_t cell, const char *kind, double code);

#endif
