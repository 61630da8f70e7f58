/* A config and its tables as one piece of memory, which rank 0 reads and every rank receives. */
#ifndef IMP_CMD_BUNDLE_H
#define IMP_CMD_BUNDLE_H

#include "config/config.h"

/* Reads files and records them in the bundle. */
imp_loader imp_bundle_recorder(imp_text *bundle);

/* Reads files from a recorded bundle. */
imp_loader imp_bundle_reader(imp_text *bundle);

/* imp_bundle_tables appends the recorded tables as text, see imp_provenance. imp_recorded_reader
 * reads a config and its tables from the records of a map. */
void imp_bundle_tables(const imp_text *bundle, imp_text *tables);

typedef struct imp_recorded {
    const char *config_path, *config, *tables;
} imp_recorded;

imp_loader imp_recorded_reader(imp_recorded *recorded);

/* A table in the records of a map. */
typedef struct imp_recorded_table {
    const char *path, *text; /* not ended by 0 */
    size_t path_length, text_length;
} imp_recorded_table;

/* Takes the next one of the records; false at their end, or where they are damaged. */
bool imp_recorded_next(const char **tables, imp_recorded_table *one);

/* Whether one of the recorded files has this name, or another name of the same file. */
bool imp_bundle_has(const imp_text *bundle, const char *path);

/* The recorded text of the first file, the config itself; "" if there is none. */
const char *imp_bundle_config(const imp_text *bundle);

#endif
