/* A file that is being made. It has a temporary name, PATH.HOST-RANDOM.partial, and gets its name
 * PATH only when it is complete and on the disk. Where the name in PATH has more than 160 letters,
 * its first ones and a digest stand for it. The file is locked until then, which tells it from a
 * file that a killed process left behind. */
#ifndef IMP_STORE_PARTIAL_H
#define IMP_STORE_PARTIAL_H

#include <stdio.h>

#include "impact.h"

/* descriptor -1 and all others zero: no file. */
typedef struct imp_partial {
    const char *path; /* its later name */
    char *name;       /* its temporary name */
    int descriptor;   /* open for reading and writing; closing any other descriptor ends the lock */
    FILE *stream;     /* of the descriptor; NULL before imp_partial_stream */
} imp_partial;

/* Makes an empty file under a new random name, and removes stale partial files of the same path.
 * `path` must outlive *partial. On failure there is no file. IMP_ERR_INPUT: no file can be created
 * in this folder. IMP_ERR_IO: failure of the disk. IMP_ERR_MEMORY. */
imp_err imp_partial_create(const char *path, imp_partial *partial);

/* Reserves space for the content. IMP_ERR_IO: the disk is full. */
imp_err imp_partial_reserve(const imp_partial *partial, int64_t bytes);

/* A stream for printing into the file, which ends after the printed text. Closed with the file.
 * NULL: out of memory. */
FILE *imp_partial_stream(imp_partial *partial);

/* Syncs the file, gives it its name and syncs the folder. IMP_ERR_IO, also if a file of this name
 * exists and `replace` is false. The descriptor stays open and locked; on failure the file is
 * discarded. */
imp_err imp_partial_finish(imp_partial *partial, bool replace);

/* Closes a finished file. IMP_ERR_IO, for example if a delayed write failed. */
imp_err imp_partial_close(imp_partial *partial);

/* Closes the file and removes it unless it is finished. Does nothing if there is no file. */
void imp_partial_discard(imp_partial *partial);

/* For a signal handler that ends the process: removes the file that this process is making, if
 * any. */
void imp_partial_unlink_unfinished(void);

/* IMP_ERR_IO if another process is making a file of this path; the message has its number. */
imp_err imp_partial_refuse_busy(const char *path);

/* Removes partial files of this path that processes of this host have left and that can be
 * removed. */
void imp_partial_remove_stale(const char *path);

#endif
