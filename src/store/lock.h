/* The lock of a map: one process at a time may write. The lock ends with the process, also if the
 * process is killed. */
#ifndef IMP_STORE_LOCK_H
#define IMP_STORE_LOCK_H

#include <stdbool.h>

#include "impact.h"

/* Locks an open file with this name, until the process closes any descriptor of the file.
 * IMP_ERR_IO: another process has the lock; the message has its number and host. */
imp_err imp_lock_take(int descriptor, const char *path);

/* Whether another process has locked the file; *process: its number, 0 or less if it is on another
 * host. */
bool imp_lock_is_held(const char *path, long *process);

/* The error of imp_lock_take if another process has locked the file; IMP_OK if not, or if there is
 * no such file. */
imp_err imp_lock_refuse(const char *path);

#endif
