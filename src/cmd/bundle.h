/* A config and the tables that it names, as one piece that rank 0 reads and every rank gets. */
#ifndef IMP_CMD_BUNDLE_H
#define IMP_CMD_BUNDLE_H

#include "config/config.h"

/* Reads files and records them in the bundle. */
imp_loader imp_bundle_recorder(imp_text *bundle);

/* Reads from a bundle that was recorded. */
imp_loader imp_bundle_reader(imp_text *bundle);

/* The recorded text of the first file, the config itself; "" if there is none. The caller frees
 * it. NULL when memory is out. */
char *imp_bundle_config(const imp_text *bundle);

#endif
