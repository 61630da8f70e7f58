/* The origin of a file: program, libraries, machine. */
#ifndef IMP_STORE_PROVENANCE_H
#define IMP_STORE_PROVENANCE_H

#include "store/h5.h"
#include "store/map.h"

imp_err imp_provenance_put(hid_t file, const imp_provenance *provenance);

/* Appends names and versions of the libraries that are used here. */
void imp_store_libraries(imp_text *text);

/* Revision of the source code, from git describe; "unknown" outside a repository. */
const char *imp_source_revision(void);

#endif
