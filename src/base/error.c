#include "base/error.h"

#include <stdarg.h>

#include "base/message.h"

static _Thread_local char last_error[8192];

int imp_note_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    imp_message(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return 0;
}

static _Atomic bool out_of_memory;

void imp_note_out_of_memory(void) {
    out_of_memory = true;
}

imp_err imp_memory_check(void) {
    return out_of_memory ? imp_out_of_memory() : IMP_OK;
}

const char *imp_last_error(void) {
    return last_error;
}

const char *imp_version(void) {
    return IMP_VERSION;
}
