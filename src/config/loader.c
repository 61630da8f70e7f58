#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "base/error.h"
#include "config/encoding.h"

static const size_t largest = (size_t)IMP_MAX_TEXT_MEBIBYTES << 20;

/* The text of the last failure of the system. */
static char failure[128];

/* Whether the user named a file that cannot be read; any other cause is a failure of the system. */
static bool is_of_the_user(int cause) {
    static const int causes[] = {ENOENT, ENOTDIR,      EISDIR, EACCES, EPERM,
                                 ELOOP,  ENAMETOOLONG, ENXIO,  ENODEV, EINVAL};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (causes[i] == cause) {
            return true;
        }
    }
    return false;
}

static const char *fail(int cause) {
    if (is_of_the_user(cause)) {
        return strerror(cause);
    }
    snprintf(failure, sizeof failure, "reading failed: %s", strerror(cause));
    return failure;
}

const char imp_load_no_memory[] = "out of memory";

bool imp_load_failed(const char *reason) {
    return reason == failure || reason == imp_load_no_memory;
}

static bool is_pipe(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* Waits until a pipe has something to read, or has come to its end. */
static const char *wait_for_more(int file) {
    struct pollfd watched = {.fd = file, .events = POLLIN};
    return poll(&watched, 1, -1) < 0 && errno != EINTR ? fail(errno) : NULL;
}

/* Reads to the end, also from a pipe, whose size is unknown. */
static const char *read_all(int file, char **bytes, size_t *length) {
    size_t capacity = 0;
    for (;;) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *more = realloc(*bytes, capacity);
            if (!more) {
                imp_note_out_of_memory();
                return strerror(ENOMEM);
            }
            *bytes = more;
        }
        ssize_t got = read(file, *bytes + *length, capacity - *length - 1);
        const char *reason = got >= 0 || errno == EINTR ? NULL
                             : errno == EAGAIN          ? wait_for_more(file)
                                                        : fail(errno);
        if (reason) {
            return reason;
        }
        *length += got > 0 ? (size_t)got : 0;
        if (*length > largest) {
            return "File is larger than 64 MiB";
        }
        if (got == 0 && *length == 0 && is_pipe(file)) {
            return "the pipe is empty or has no writer";
        }
        if (got == 0) {
            (*bytes)[*length] = 0;
            return NULL;
        }
    }
}

static const char *load_file(void *context, const char *path, char **bytes, size_t *length) {
    (void)context;
    *bytes = NULL;
    *length = 0;
    /* Non-blocking, because opening a pipe would wait for its writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return fail(errno);
    }
    const char *reason = read_all(file, bytes, length);
    close(file);
    if (reason) {
        free(*bytes);
        *bytes = NULL;
    }
    return reason;
}

const imp_loader imp_file_loader = {.load = load_file, .context = NULL};
