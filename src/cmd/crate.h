/* A map as a research object: a Process Run Crate 0.5 on RO-Crate 1.1. */
#ifndef IMP_CMD_CRATE_H
#define IMP_CMD_CRATE_H

#include "base/text.h"
#include "store/catalog.h"

/* Makes `folder`, which must not exist, with the map at `path`, its config, its page, a picture
 * (NULL: none) and ro-crate-metadata.json. licence: the address of the licence of the map (NULL:
 * not said). The folder gets its name only when it is complete. Prints errors; returns the exit
 * code. */
int imp_crate_make(const char *path, const char *folder, const char *picture, const char *licence);

/* ---- crate_tables.c: the config of a map, and the tables that it reads, as files ---- */

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
