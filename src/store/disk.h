/* System calls on open files: the result of each is checked, interrupted calls are repeated.
 * Messages name the file `path`. */
#ifndef IMP_STORE_DISK_H
#define IMP_STORE_DISK_H

#include <stdint.h>

#include "impact.h"

/* Opens those of the descriptors 0 to 2 that are closed. Every program that writes files calls it
 * first: otherwise the next file would have such a number, and printed text would go into it.
 * Printing to the standard output still fails, printing to the standard error does not. */
void imp_disk_open_standard(void);

/* Returns IMP_ERR_IO with the message "path: what: cause", the cause from errno. */
imp_err imp_disk_error(const char *path, const char *what);

/* Write or read all n bytes at `offset`. IMP_ERR_IO; reading: also if the file is too short. */
imp_err imp_disk_write(int descriptor, const char *path, const void *bytes, size_t n,
                       int64_t offset);
imp_err imp_disk_read(int descriptor, const char *path, void *bytes, size_t n, int64_t offset);

/* Lets writes go past the cache of the system, or through it again. Past the cache, pieces have to
 * begin and end at multiples of IMP_DISK_BLOCK in memory and in the file, and a file system may
 * still refuse them. False: the system cannot do so. */
enum { IMP_DISK_BLOCK = 1 << 12 };
bool imp_disk_pass_cache(int descriptor, bool pass);

/* Memory for such writes, of a multiple of 2 MB, in pages of that size where the system has them: a
 * disk takes few large pieces faster than many small ones. NULL: out of memory. */
char *imp_disk_buffer_new(size_t size);
void imp_disk_buffer_free(char *buffer, size_t size);

/* Reads up to n bytes, fewer only at the end of the file. Returns their number, or -1 with
 * errno. */
int64_t imp_disk_read_some(int descriptor, void *bytes, size_t n, int64_t offset);

/* Reserves n bytes from `offset` on, which are then 0. IMP_ERR_IO. */
imp_err imp_disk_reserve(int descriptor, const char *path, int64_t offset, int64_t n);

/* fsync; fdatasync, which does not wait for times and the like. IMP_ERR_IO. */
imp_err imp_disk_sync(int descriptor, const char *path);
imp_err imp_disk_sync_values(int descriptor, const char *path);

/* Lets the disk begin with everything that was written, where the system can do so, and does not
 * wait. The next sync reports failures. */
void imp_disk_begin_sync(int descriptor);

/* Takes synced values out of the cache of the system, which has better use for its memory. */
void imp_disk_forget(int descriptor);

/* Bytes of memory of this machine; INT64_MAX if the system does not say. */
int64_t imp_disk_memory(void);

/* Syncs the folder of a path, so that the name of the file survives a crash. IMP_ERR_IO,
 * IMP_ERR_MEMORY. */
imp_err imp_disk_sync_folder(const char *path);

/* The folder of a path; the caller frees it. NULL: out of memory. */
char *imp_disk_folder(const char *path);

/* Closes the file. IMP_ERR_IO, for example if a delayed write failed. */
imp_err imp_disk_close(int descriptor, const char *path);

/* Whether an open file has this name. */
bool imp_disk_is_named(int descriptor, const char *path);

#endif
