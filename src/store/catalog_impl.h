/* The inside of a catalog, shared by the files that implement it. */
#ifndef IMP_STORE_CATALOG_IMPL_H
#define IMP_STORE_CATALOG_IMPL_H

#include "store/catalog.h"
#include "store/h5.h"

enum { IMP_MAX_VARIABLES = 256 };

/* A text attribute that was asked for. */
typedef struct imp_asked_text {
    struct imp_asked_text *next;
    char name[IMP_NAME];
    bool there;
    imp_text text;
} imp_asked_text;

struct imp_catalog {
    char *path;
    imp_h5 *file;
    bool is_history;
    int64_t format;
    imp_variable *variables;
    int n;
    const imp_variable *grid;
    const imp_variable *points; /* outcomes of the points of a refined map; NULL for other maps */
    imp_asked_text **asked;     /* the first one; *asked grows in a catalog that does not change */
    char damaged[IMP_NAME];     /* name of a dataset that has a role but cannot be used */
};

/* Describes an open dataset of the given name. *usable: its values can be read. False if it has a
 * role of this program but is not usable. */
bool imp_describe(hid_t dataset, const char *name, imp_variable *variable, bool *usable);

/* The name in a map of this format of the dataset about the runs with this short name. */
void imp_catalog_run_name(const imp_catalog *catalog, const char *name, char whole[IMP_NAME]);

#endif
