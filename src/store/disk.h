/* Calls to the system on open files: every one is looked at, what was interrupted is tried again.
 * `path` is what messages call the file. */
#ifndef IMP_STORE_DISK_H
#define IMP_STORE_DISK_H

#include <stdint.h>

#include "impact.h"

/* IMP_ERR_IO: "path: what: " and the cause in errno. */
imp_err imp_disk_error(const char *path, const char *what);

/* All of the bytes or an error. IMP_ERR_IO; reading: also if the file ends before. */
imp_err imp_disk_write(int descriptor, const char *path, const void *bytes, size_t n,
                       int64_t offset);
imp_err imp_disk_read(int descriptor, const char *path, void *bytes, size_t n, int64_t offset);

/* Reads up to n bytes, fewer only at the end of the file. Returns their number, -1 with errno. */
int64_t imp_disk_read_some(int descriptor, void *bytes, size_t n, int64_t offset);

/* Reserves space, which then reads as 0. IMP_ERR_IO. */
imp_err imp_disk_reserve(int descriptor, const char *path, int64_t offset, int64_t n);

/* fsync, or fdatasync for values alone. IMP_ERR_IO. */
imp_err imp_disk_sync(int descriptor, const char *path);
imp_err imp_disk_sync_values(int descriptor, const char *path);

/* Makes the name of a file last. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_disk_sync_folder(const char *path);

/* The folder of a path; the caller frees it. NULL: out of memory. */
char *imp_disk_folder(const char *path);

/* Closes; IMP_ERR_IO if the system has something to say of it. */
imp_err imp_disk_close(int descriptor, const char *path);

/* Whether an open file is the one that has this name. */
bool imp_disk_is_named(int descriptor, const char *path);

#endif
