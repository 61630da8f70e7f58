/* Tables in CSV: the first line names the columns, each other line is a point of the axis. */
#ifndef IMP_CONFIG_TABLE_H
#define IMP_CONFIG_TABLE_H

#include "config/draft.h"

/* Reads a table into the next axis of the draft, which must be empty: its size, columns, values
 * and marks. Errors are reported. Returns whether all columns are known. The bytes are ended by 0
 * and are changed; the path must outlive the report. */
bool imp_draft_read_table(imp_draft *draft, const char *path, char *bytes, size_t length);

#endif
