#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[1024];

imp_err imp_fail(imp_err code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return code;
}

const char *imp_last_error(void) {
    return last_error;
}

const char *imp_version(void) {
    return IMP_VERSION;
}
