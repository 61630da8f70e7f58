/* A file that is being made: it has a name of its own, MAP.HOST-RANDOM.partial, in the folder of the
 * name that it will have, and takes that name only when it is whole and on the disk. It is locked
 * until then, so that a file that a killed process left behind can be told from one that is made. */
#ifndef IMP_STORE_PARTIAL_H
#define IMP_STORE_PARTIAL_H

#include <stdio.h>

#include "impact.h"

/* All zero but for the descriptor: none. */
typedef struct imp_partial {
    const char *path; /* the name that it will have */
    char *name;       /* the name that it has */
    int descriptor;   /* open for reading and writing; closing any other one of it ends the lock */
    FILE *stream;     /* of the descriptor; NULL before it is asked for */
} imp_partial;

/* Makes an empty file that no other process has a name or a link for, and removes what killed
 * processes left of the same path. `path` must outlive it. On failure there is none.
 * IMP_ERR_INPUT: not in this folder. IMP_ERR_IO: the disk. IMP_ERR_MEMORY. */
imp_err imp_partial_create(const char *path, imp_partial *partial);

/* Reserves space for what comes. IMP_ERR_IO: the disk is full. */
imp_err imp_partial_reserve(const imp_partial *partial, int64_t bytes);

/* To print into it; the file ends where the printing does. NULL: out of memory. */
FILE *imp_partial_stream(imp_partial *partial);

/* Gives the file its name after its content is on the disk, and makes the name last. Without
 * `replace` an existing file is left alone: IMP_ERR_IO. The descriptor stays open and locked; on
 * failure it is discarded. */
imp_err imp_partial_finish(imp_partial *partial, bool replace);

/* Closes a finished one. IMP_ERR_IO: the system has something to say of it. */
imp_err imp_partial_close(imp_partial *partial);

/* Removes it if it is not finished, and closes it. Nothing is done if there is none. */
void imp_partial_discard(imp_partial *partial);

/* Removes the file that is being made, if there is one, as the process ends here: all that a handler of signals
 * may do. */
void imp_partial_unlink_unfinished(void);

/* Whether another process makes this file just now: IMP_ERR_IO, and the message says which. */
imp_err imp_partial_refuse_busy(const char *path);

/* Removes what processes of this host left that are no more. What cannot be removed stays. */
void imp_partial_remove_stale(const char *path);

#endif
