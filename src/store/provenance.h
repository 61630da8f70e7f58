/* Who made a file: program, libraries, machine. */
#ifndef IMP_STORE_PROVENANCE_H
#define IMP_STORE_PROVENANCE_H

#include "store/h5.h"
#include "store/map.h"

imp_err imp_provenance_put(hid_t file, const imp_provenance *provenance);

/* Names and versions of the libraries of this room. */
void imp_store_libraries(imp_text *text);

/* Revision of the source that was built, as git describes it; "unknown" outside a repository. */
const char *imp_source_revision(void);

#endif
