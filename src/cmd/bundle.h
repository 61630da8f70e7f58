/* A config and the tables that it names, as one piece that rank 0 reads and every rank gets. */
#ifndef IMP_CMD_BUNDLE_H
#define IMP_CMD_BUNDLE_H

#include "config/config.h"

/* Reads files and records them in the bundle. */
imp_loader imp_bundle_recorder(imp_text *bundle);

/* Reads from a bundle that was recorded. */
imp_loader imp_bundle_reader(imp_text *bundle);

/* The recorded tables as text, see imp_provenance; and a loader that reads a config and its tables
 * from what a map says of them. */
void imp_bundle_tables(const imp_text *bundle, imp_text *tables);

typedef struct imp_recorded {
    const char *config_path, *config, *tables;
} imp_recorded;

imp_loader imp_recorded_reader(imp_recorded *recorded);

/* The recorded text of the first file, the config itself; "" if there is none. The caller frees
 * it. NULL when memory is out. */
char *imp_bundle_config(const imp_text *bundle);

#endif
