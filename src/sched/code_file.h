/* The file of --exit-code, for scripts whose launcher hides the exit code of rank 0. It holds
 * "started" from the start of a run, and the exit code from its end. So "started" stays where a run
 * was ended before it could write its code, even while MPI started. */
#ifndef IMP_SCHED_CODE_FILE_H
#define IMP_SCHED_CODE_FILE_H

#include "impact.h"

/* Write "started", and the code. The new file replaces an earlier one of this kind or an empty one,
 * and nothing else. IMP_ERR_INPUT: there is something else, for instance a link or a pipe.
 * IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_code_file_start(const char *path);
imp_err imp_code_file_end(const char *path, int code);

#endif
