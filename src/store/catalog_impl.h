/* The inside of a catalog, shared by the files that implement it. */
#ifndef IMP_STORE_CATALOG_IMPL_H
#define IMP_STORE_CATALOG_IMPL_H

#include "store/catalog.h"
#include "store/h5.h"

enum { IMP_MAX_VARIABLES = 256 };

struct imp_catalog {
    char *path;
    imp_h5 *file;
    bool is_history;
    int64_t format;
    imp_variable *variables;
    int n;
    const imp_variable *grid;
    const imp_variable *points; /* outcomes of points of a refined map; NULL: it is none */
    char damaged[IMP_NAME];     /* a dataset that cannot be used although it says that it is ours */
};

/* Describes an open dataset of the given name. False if it says that it is one of ours and is not
 * usable; *usable: its values can be read. */
bool imp_describe(hid_t dataset, const char *name, imp_variable *variable, bool *usable);

/* Where a map of this format has the bookkeeping of a short name. */
void imp_catalog_run_name(const imp_catalog *catalog, const char *name, char whole[IMP_NAME]);

#endif
