/* A process that answers over its standard input and output. It belongs to a process group of its
 * own, which a watcher kills when this process is gone, however it ended. */
#ifndef IMP_GUEST_PROCESS_H
#define IMP_GUEST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* What to start. */
typedef struct imp_process_order {
    char *const *words;  /* the program and its arguments, ended by NULL */
    const char *folder;  /* where it runs */
    double memory_limit; /* bytes of address space; 0: as much as there is */
} imp_process_order;

typedef struct imp_process imp_process;

/* NULL: the system could not start anything; the reason is appended to `why`. A program that does
 * not exist is only noticed when it is asked. */
imp_process *imp_process_start(const imp_process_order *order, imp_text *why);

/* How an exchange ended. */
typedef enum imp_talk {
    IMP_TALK_DONE,
    IMP_TALK_ENDED,  /* the process closed its end */
    IMP_TALK_LATE,   /* the time was over */
    IMP_TALK_STOPPED /* the run is to stop (base/stop.h) */
} imp_talk;

/* Writes n_out bytes and reads n_in bytes, both at once, within so many seconds. *got: bytes
 * read. */
imp_talk imp_process_exchange(imp_process *process, const void *out, size_t n_out, void *in,
                              size_t n_in, double seconds, size_t *got);

/* Reads a line of at most `most` bytes, without its end. A longer one is IMP_TALK_ENDED. */
imp_talk imp_process_line(imp_process *process, size_t most, imp_text *line, double seconds);

/* Memory of so many bytes that both processes see. *memory: NULL: the process has not asked for it,
 * by a byte in the file of its descriptor 3. Later calls for a process give what the first gave.
 * False: it cannot be shared. */
bool imp_process_share(imp_process *process, size_t bytes, double **memory);

/* Appends the last line that the process has written to its standard error, "; its last words:
 * ...", or nothing if there is none. */
void imp_process_last_words(imp_process *process, imp_text *text);

typedef enum imp_process_close {
    IMP_CLOSE_KINDLY, /* by the end of its input, with two seconds for it */
    IMP_CLOSE_GONE,   /* it has closed its output, and its status is about to come */
    IMP_CLOSE_FORCED
} imp_process_close;

/* Ends the process and its group. Appends how it had ended by itself, and what it last wrote to its
 * standard error: "; it had ended with the code 3; its last words: ..."; how: NULL: nobody asks.
 * Returns whether a signal had ended it. */
bool imp_process_end(imp_process **process, imp_process_close close, imp_text *how);

#endif
