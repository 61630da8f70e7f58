/* The config of a map, and the tables that it reads, as files of a crate. */
#ifndef IMP_CMD_CRATE_TABLES_H
#define IMP_CMD_CRATE_TABLES_H

#include "base/text.h"
#include "store/catalog.h"

enum { IMP_CRATE_TABLES = 64, IMP_CRATE_NAME = 256 };

typedef struct imp_crate_table {
    char name[IMP_CRATE_NAME]; /* in the crate; may have folders, "data/cases.csv" */
    const char *text;
    size_t length;
} imp_crate_table;

typedef struct imp_crate_tables {
    imp_text config;      /* it names the tables as the crate does; empty if the map has none */
    const char *recorded; /* of the catalog */
    imp_crate_table table[IMP_CRATE_TABLES];
    int n;
} imp_crate_tables;

/* Reads them from a map. A table keeps the name that the config has for it; one that would be
 * outside the crate, or has one of the n names of other files of the crate, goes into the folder
 * `tables`, and the config names it there. IMP_ERR_INPUT: the config does not have its name in one
 * piece, or there are too many. IMP_ERR_MEMORY. The catalog must outlive them; the
 * caller frees them in any case. */
imp_err imp_crate_tables_read(const imp_catalog *catalog, const char *const *own, int n,
                              imp_crate_tables *tables);
void imp_crate_tables_free(imp_crate_tables *tables);

#endif
