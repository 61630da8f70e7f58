/* Who may write a map: one process at a time, by a lock that ends with it, however it ends. */
#ifndef IMP_STORE_LOCK_H
#define IMP_STORE_LOCK_H

#include <stdbool.h>

#include "impact.h"

/* Locks an open file that has this name. It stays locked until the process closes any descriptor of
 * it. IMP_ERR_IO: another process has it, and the message says which, and where. */
imp_err imp_lock_take(int descriptor, const char *path);

/* Whether another process has the file; *process: its number, 0 or less on another host. */
bool imp_lock_is_held(const char *path, long *process);

/* The same error if another process has the file; IMP_OK if none has, or there is no such file. */
imp_err imp_lock_refuse(const char *path);

#endif
