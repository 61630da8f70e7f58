/* Files beside a map that are not finished yet: MAP.HOST-PROCESS.KIND.partial */
#ifndef IMP_STORE_PARTIAL_H
#define IMP_STORE_PARTIAL_H

#include "base/text.h"
#include "impact.h"

/* The name that belongs to this process; kind: "" or ".something". IMP_ERR_MEMORY. */
imp_err imp_partial_name(const char *path, const char *kind, imp_text *name);

/* Whether another process makes this map just now: IMP_ERR_IO, and the message says which. */
imp_err imp_partial_refuse_busy(const char *path);

/* Removes those of processes of this host that are no more. What cannot be removed stays. */
void imp_partial_remove_stale(const char *path);

#endif
