#include "sched/sched.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "store/disk.h"
#include "store/partial.h"

static const char started[] = "started\n";

/* Whether the text is "started", a number, or nothing. */
static bool is_code(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return strcmp(text, started) == 0 || text[digits] == 0 ||
           (digits > 0 && strcmp(text + digits, "\n") == 0);
}

/* Whether the file has the text of an earlier run. Does not wait for the text of a pipe, which may
 * have no writer. */
static bool is_ours(const char *path) {
    enum { LONGEST = 16 };
    char text[LONGEST + 1] = "";
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int64_t n = file < 0 ? -1 : imp_disk_read_some(file, text, LONGEST, 0);
    if (file >= 0) {
        close(file);
    }
    return n >= 0 && n < LONGEST && strlen(text) == (size_t)n && is_code(text);
}

static imp_err check(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0) {
        return IMP_OK; /* where no file can be made, making it says why */
    }
    if (!S_ISREG(status.st_mode)) {
        return imp_fail(IMP_ERR_INPUT, "%s: is %s; --exit-code writes to a regular file", path,
                        S_ISLNK(status.st_mode)   ? "a symbolic link"
                        : S_ISDIR(status.st_mode) ? "a folder"
                                                  : "a pipe or a device");
    }
    return is_ours(path)
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT, "%s: exists, and is not the exit code of a run", path);
}

static imp_err put(const char *path, const char *text, size_t n) {
    imp_partial partial = {.descriptor = -1};
    imp_err error = check(path);
    error = error ? error : imp_partial_create(path, &partial);
    error = error ? error : imp_disk_write(partial.descriptor, path, text, n, 0);
    error = error ? error : imp_partial_finish(&partial, true);
    error = error ? error : imp_partial_close(&partial);
    imp_partial_discard(&partial);
    return error;
}

imp_err imp_code_file_start(const char *path) {
    return put(path, started, strlen(started));
}

imp_err imp_code_file_end(const char *path, int code) {
    char text[16];
    snprintf(text, sizeof text, "%d\n", code);
    return put(path, text, strlen(text));
}
