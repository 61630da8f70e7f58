#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[8192];

int imp_note_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return 0;
}

const char *imp_last_error(void) {
    return last_error;
}

const char *imp_version(void) {
    return IMP_VERSION;
}
