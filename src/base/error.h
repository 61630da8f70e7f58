/* Failure of the program: recorded once where it happens, returned up, printed only in cmd. */
#ifndef IMP_BASE_ERROR_H
#define IMP_BASE_ERROR_H

#include "impact.h"

/* Records the message for imp_last_error (at most 1023 characters) and returns `code`. */
imp_err imp_fail(imp_err code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
