/* Failure of the program: recorded once where it happens, returned up, printed only in cmd. */
#ifndef IMP_BASE_ERROR_H
#define IMP_BASE_ERROR_H

#include "impact.h"

/* Records the message for imp_last_error (at most 8191 characters), as imp_message prints it.
 * Returns 0. */
int imp_note_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline imp_err imp_with_code(imp_err code, int noted) {
    (void)noted;
    return code;
}

/* Records the message and evaluates to the code. A macro, so that analysers see that it is not
 * IMP_OK. */
#define imp_fail(code, ...) imp_with_code((code), imp_note_error(__VA_ARGS__))

#define imp_out_of_memory() imp_fail(IMP_ERR_MEMORY, "out of memory")

/* Notes that memory ran out where no error can be returned, as in a text that people read. */
void imp_note_out_of_memory(void);

/* IMP_ERR_MEMORY if memory ever ran out in this process: texts may then be incomplete. */
imp_err imp_memory_check(void);

#endif
